"""Is it these treebanks? The (partial) correlations of EDV and LAS over other samples of the same treebanks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import UsageError
from ...runs.layout import Column, FindingIndex, measured, table
from ...runs.result import Finding, Table, Value
from ...stats.correlation_sampling import sampled_spearman
from .score_tables import held_constant
from .settings import STUDY
from .variables import LABELS, OF_EDV, Data

_NOTE = (
    "95 %: bootstrap over treebanks; lowest, highest: ρ without one treebank, and which; p < 0.05: in how many of the "
    "samples that lack one treebank, uncorrected."
)


def dependence_findings(
    data: Data, covariates: Sequence[str], system: str, suite: str, *, draws: int, seed: int
) -> list[Finding]:
    """For each correlation of Table 4: the bootstrap over treebanks, and ρ and p without each of them."""
    findings = list[Finding]()
    for distance in OF_EDV:
        for count in range(len(covariates) + 1):
            held = covariates[:count]
            names = (distance, "las", *held)
            if any(name not in data.columns for name in names):
                continue
            known = data.known(names)
            columns = [known[name] for name in names]
            try:
                sampled = sampled_spearman(columns[0], columns[1], columns[2:], draws=draws, seed=seed)
            except UsageError:
                continue  # the table of the correlations themselves says why
            by: dict[str, Value] = {"x": distance, "y": "las", "covariates": ",".join(held)}
            head, n = (STUDY, suite, system), len(known)
            findings.append(Finding(*head, "rho_over_treebanks", sampled.value, n, sampled.low, sampled.high, by))
            if sampled.same_sign is not None:
                findings.append(Finding(*head, "rho_same_sign", 100 * sampled.same_sign, n, by=by))
            findings.append(Finding(*head, "rho_left_out_significant", int((sampled.p < 0.05).sum()), n, by=by))
            for name, value, p in zip(known.names, sampled.left_out.tolist(), sampled.p.tolist(), strict=True):
                if not np.isnan(value):
                    without: dict[str, Value] = {**by, "without": name}
                    findings.append(Finding(*head, "rho_left_out", value, n - 1, by=without))
                    findings.append(Finding(*head, "rho_left_out_p", p, n - 1, by=without))
    return findings


def dependence_table(findings: Sequence[Finding]) -> Table | None:
    """A row for each correlation: its interval over treebanks, and which single treebank moves it most."""
    index = FindingIndex(findings)
    whole = [finding for finding in findings if finding.measure == "rho_over_treebanks"]
    if not whole:
        return None
    system = whole[0].system
    ordered = [
        sorted(
            (
                left_out
                for left_out in findings
                if left_out.measure == "rho_left_out" and finding.by.items() <= left_out.by.items()
            ),
            key=lambda left_out: float(left_out.value or 0),
        )
        for finding in whole
    ]
    columns = [
        Column("variable", [LABELS[str(finding.by["x"])] for finding in whole]),
        Column("covariates", [held_constant(str(finding.by["covariates"])) for finding in whole]),
        *measured("n", whole, of="n"),
        *measured("ρ", whole, interval=True, digits=2),
    ]
    for header, place in (("lowest", 0), ("highest", -1)):
        ends = [ranked[place] if ranked else None for ranked in ordered]
        columns += measured(header, ends, digits=2)
        columns.append(Column("without", [str(end.by["without"]).removeprefix("UD_") if end else None for end in ends]))
    columns += measured(
        "p < 0.05", [index.get("rho_left_out_significant", system, finding.by) for finding in whole], digits=0
    )
    return table(f"How the correlation with LAS depends on the treebanks: {system}", columns, note=_NOTE)
