"""Correlations of distances and scores over a collection of treebanks (EDV paper, Tables 1 to 4, 6 and B.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import UsageError
from ...runs.result.layout import Column, FindingIndex, measured, table
from ...runs.result.result import Finding, Table, Value
from ...stats.correlation import Correlation, partial_spearman, sampled_spearman
from ...stats.hypothesis_tests import benjamini_hochberg, holm, shapiro
from .declaration import COVARIATES, STUDY
from .tables import held_constant
from .variables import LABELS, OF_EDV, Data

GO_WITH_LAS = (
    "train_tokens", "train_sentences", "train_length", "test_tokens", "test_sentences", "test_length", "slv", *OF_EDV,
)  # fmt: skip
"""Table 2."""


WITH_EDV = ("train_tokens", "test_length", "train_length", "test_tokens", "slv")


OF_TRAINING = ("train_crossing_ratio", "train_type_token_ratio")
"""Tables 3 and B.1."""


NORMAL = ("las", "train_tokens", "edv", "edv_heights", "test_length", "slv", "test_tokens")
"""Table 1."""


FEWEST = 5
"""Treebanks for a correlation."""


@dataclass(frozen=True, slots=True)
class Tested:
    """One correlation of an analysis; the analysis is the family of tests that p is corrected for."""

    analysis: str
    x: str
    y: str
    found: Correlation
    covariates: tuple[str, ...] = ()
    group: str = "all"
    """Which treebanks, or which sentence length."""
    p_holm: float = 1.0
    p_bh: float = 1.0


@dataclass(slots=True)
class Family:
    """The tests of one analysis, and those that could not be made."""

    analysis: str
    tests: list[Tested] = field(default_factory=list)
    undefined: list[str] = field(default_factory=list)

    def add(
        self, x: str, y: str, columns: Mapping[str, Any], covariates: Sequence[str] = (), group: str = "all"
    ) -> None:
        """Where a variable is missing, constant or has too few values, the reason is kept instead."""
        wanted = (x, y, *covariates)
        held = f", {' and '.join(covariates)} held constant" if covariates else ""
        called = f"{x} and {y} ({group}{held})"
        if absent := [name for name in wanted if name not in columns]:
            if absent != ["edv_excess"]:  # which is not there where nothing was drawn
                self.undefined.append(f"{called}: no treebank has {', '.join(absent)}")
            return
        try:
            values = [columns[name] for name in wanted]
            defined = np.logical_and.reduce([~np.isnan(one) for one in values])
            if defined.sum() < FEWEST:
                raise UsageError(f"{int(defined.sum())} treebanks are too few")
            first, second, *others = (one[defined] for one in values)
            correlation = partial_spearman(first, second, others)
        except UsageError as error:
            self.undefined.append(f"{called}: {error.what}")
            return
        self.tests.append(Tested(self.analysis, x, y, correlation, tuple(covariates), group))

    def corrected(self) -> list[Tested]:
        p = [tested.found.p for tested in self.tests]
        return [
            Tested(tested.analysis, tested.x, tested.y, tested.found, tested.covariates, tested.group, by_holm, by_bh)
            for tested, by_holm, by_bh in zip(self.tests, holm(p), benjamini_hochberg(p), strict=True)
        ]


def normality(data: Data, system: str, suite: str) -> tuple[list[Finding], list[str]]:
    """Table 1: which variables could be normally distributed? And those for which that cannot be said."""
    findings, undefined = list[Finding](), list[str]()
    for name in NORMAL:
        if name not in data.columns:
            continue
        try:
            test = shapiro(data.known([name])[name])
        except UsageError as error:
            undefined.append(f"normality of {name}: {error.what}")
            continue
        by: dict[str, Value] = {"x": name}
        findings.append(Finding(STUDY, suite, system, "shapiro_w", test.w, test.n, by=by))
        findings.append(Finding(STUDY, suite, system, "shapiro_p", test.p, test.n, by=by))
    return findings, undefined


def with_las(data: Data) -> Family:
    """Table 2."""
    family = Family("score")
    for name in GO_WITH_LAS:
        family.add(name, "las", data.columns)
    return family


def with_edv(data: Data) -> Family:
    """Tables 3 and B.1: what else goes with the distance?"""
    family = Family("distance")
    for distance in OF_EDV[:2]:
        for name in (*WITH_EDV, *OF_TRAINING):
            family.add(name, distance, data.columns)
    family.add("test_tokens", "train_tokens", data.columns)
    family.add("test_length", "train_tokens", data.columns)
    return family


def partial(data: Data, covariates: Sequence[str]) -> Family:
    """Table 4: one covariate after the other is held constant."""
    family = Family("partial")
    for distance in OF_EDV:
        for count in range(len(covariates) + 1):
            family.add(distance, "las", data.columns, covariates[:count])
    return family


def partial_of_others(data: Data, covariates: Sequence[str]) -> Family:
    """Return the same correlations of every other variable: Section 4.2.2 has test tokens given train tokens.

    They are a family of their own, so that they do not weaken the correction of Table 4.
    """
    family = Family("partial_others")
    for name in COVARIATES:
        for count in range(1, len(covariates) + 1):
            if name in data.columns and name not in covariates[:count]:
                family.add(name, "las", data.columns, covariates[:count])
    return family


def by_complexity(data: Data, covariates: Sequence[str]) -> tuple[Family, dict[str, bool]]:
    """Table 6: treebanks whose training data is more complex than the mean, and the others; and which is which."""
    family = Family("complexity")
    key = "train_morphological_complexity"
    if key not in data.columns:
        return family, {}
    data = data.known([key])
    is_complex = data[key] > data[key].mean()
    for distance in OF_EDV[:2]:
        for held in ((), tuple(covariates[:1])) if covariates else ((),):
            for group, part in (("complex", data.where(is_complex)), ("not", data.where(~is_complex)), ("all", data)):
                family.add(distance, "las", part.columns, held, group)
    return family, dict(zip(data.names, is_complex.tolist(), strict=True))


def by_length(lengths: Mapping[int, Data], covariates: Sequence[str] = ("train_tokens",)) -> Family:
    """Figure 10: EDV and LAS of the sentences of each length."""
    family = Family("length")
    for distance in OF_EDV[:2]:
        for length, data in lengths.items():
            if len(data) >= FEWEST + len(covariates):
                family.add(distance, "las", data.columns, covariates, str(length))
    return family


def findings_of(tests: Sequence[Tested], system: str, suite: str) -> Iterator[Finding]:
    """ρ with its interval, and all that belongs to it under the same keys."""
    for test in tests:
        by: dict[str, Value] = {
            "analysis": test.analysis, "x": test.x, "y": test.y, "covariates": ",".join(test.covariates),
            "set": test.group,
        }  # fmt: skip
        correlation = test.found
        yield Finding(
            STUDY, suite, system, "spearman", correlation.value, correlation.n, correlation.low, correlation.high, by
        )
        for name, value in (
            ("p", correlation.p), ("p_holm", test.p_holm), ("p_bh", test.p_bh),
            ("power", correlation.power), ("squared", correlation.squared), ("squared_adjusted", correlation.adjusted),
        ):  # fmt: skip
            yield Finding(STUDY, suite, system, f"spearman_{name}", value, correlation.n, by=by)


_SAMPLES_NOTE = (
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
    return table(f"How the correlation with LAS depends on the treebanks: {system}", columns, note=_SAMPLES_NOTE)
