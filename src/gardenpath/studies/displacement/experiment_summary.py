"""What the splits show together: ΔLAS and its distribution, and what goes along with it (EDV, Section 6.2)."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.result import Finding, Table, Value
from ...stats.corrections import holm
from ...stats.correlation import Correlation, partial_spearman
from ...stats.resample import bootstrap_ratio
from .skew_normal import FEWEST, skew_normal

STUDY = "displacement"
FEWEST_TREEBANKS = 5
"""For a correlation."""

Scores = Mapping[str, Any]
Splits = Mapping[tuple[str, int], Scores]
Floats = NDArray[np.float64]

TABLE_7 = (
    ("tokens", "ΔLAS", ""),
    ("test length", "ΔLAS", ""),
    ("Δtokens", "ΔLAS", ""),
    ("Δtest length", "ΔLAS", ""),
    ("ΔSLV", "ΔLAS", ""),
    ("ΔEDV", "ΔLAS", ""),
    ("test length", "ΔEDV", ""),
    ("ΔSLV", "ΔEDV", ""),
    ("ΔEDV", "ΔLAS", "test length"),
    ("ΔEDV", "ΔLAS", "ΔSLV"),
)
"""Variable, target and covariate of each row; Δ is max-EDV minus min-EDV, what has none is the mean of both."""


def summary(collection: str, system: str, by_treebank: Mapping[str, Splits]) -> tuple[list[Finding], list[Table]]:
    """Findings and tables over all treebanks; every difference is max-EDV minus min-EDV."""
    variables = compared(by_treebank)
    findings, rows = _differences(system, by_treebank, variables)
    found, tables = _overall(collection, system, by_treebank, variables)
    more, correlated = _table_7(collection, system, variables)
    columns = ("treebank", "trees", "LAS min", "LAS random", "LAS max", "ΔLAS", "EDV min", "EDV random", "EDV max")
    note = "LAS on gold tokens; random: mean (standard deviation) of the random splits; EDV train to test, in tokens"
    first = Table("Splits of least, chance and greatest EDV", columns, rows, digits=3, note=note)
    return [*findings, *found, *more], [first, *tables, correlated]


def compared(by_treebank: Mapping[str, Splits]) -> dict[str, Floats]:
    """The variables of Table 7, one value for each treebank."""

    def values(measure: str, split: str) -> Floats:
        return np.array([splits[split, 0][measure] for splits in by_treebank.values()], dtype=np.float64)

    names = {"LAS": "las", "EDV": "edv", "SLV": "slv", "tokens": "train_tokens", "test length": "test_length"}
    found = {}
    for name, measure in names.items():
        least, most = values(measure, "min"), values(measure, "max")
        found[f"Δ{name}"], found[name] = most - least, (most + least) / 2
    return found


def _differences(
    system: str, by_treebank: Mapping[str, Splits], variables: Mapping[str, Floats]
) -> tuple[list[Finding], list[list[Value]]]:
    findings: list[Finding] = []
    rows: list[list[Value]] = []
    for number, (treebank, splits) in enumerate(by_treebank.items()):
        least, most = splits["min", 0], splits["max", 0]
        for name, key in (("ΔLAS", "delta_las"), ("ΔEDV", "delta_edv"), ("ΔSLV", "delta_slv")):
            findings.append(Finding(STUDY, treebank, system, key, float(variables[name][number]), least["test_tokens"]))
        drawn = [scores for (split, _), scores in splits.items() if split == "random"]
        chance: dict[str, str | None] = {}
        for measure in ("las", "edv"):
            values = np.array([scores[measure] for scores in drawn])
            chance[measure] = f"{values.mean():.3f}" if len(values) else None
            if len(values):
                findings.append(
                    Finding(STUDY, treebank, system, f"{measure}_random_mean", float(values.mean()), len(values))
                )
            if len(values) > 1:
                spread = float(values.std(ddof=1))
                chance[measure] = f"{values.mean():.3f} ({spread:.3f})"
                findings.append(Finding(STUDY, treebank, system, f"{measure}_random_sd", spread, len(values)))
        trees = least["trees"]
        rows.append([
            treebank, trees, least["las"], chance["las"], most["las"], most["las"] - least["las"],
            least["edv"], chance["edv"], most["edv"],
        ])  # fmt: skip
    return findings, rows


def _overall(
    collection: str, system: str, by_treebank: Mapping[str, Splits], variables: Mapping[str, Floats]
) -> tuple[list[Finding], list[Table]]:
    change = variables["ΔLAS"]
    n = len(change)
    findings: list[Finding] = []
    rows: list[list[Value]] = []

    def say(label: str, key: str, value: float | None, low: float | None = None, high: float | None = None) -> None:
        findings.append(Finding(STUDY, collection, system, key, value, n, low, high))
        interval = f"[{low:.3f}, {high:.3f}]" if low is not None and high is not None else None
        rows.append([label, value, interval])

    interval = bootstrap_ratio(change, np.ones(n), seed=0)
    say("ΔLAS, mean", "delta_las_mean", interval.value, interval.low, interval.high)
    say("ΔLAS, standard deviation", "delta_las_sd", float(change.std(ddof=1)) if n > 1 else None)
    say("treebanks with ΔLAS below 0", "delta_las_negative", int((change < 0).sum()))
    say("p, sign test", "delta_las_p", sign_test(change))
    for split in ("min", "random", "max"):
        values = [
            float(np.mean([scores["las"] for (kind, _), scores in splits.items() if kind == split] or [np.nan]))
            for splits in by_treebank.values()
        ]
        if not np.isnan(values).any():
            say(f"LAS {split}, median", f"las_{split}_median", float(np.median(values)))
    note = "interval: bootstrap over treebanks"
    try:
        fit = skew_normal(change)
    except UsageError as error:
        note += f"; no skew-normal fit and no χ²: {error.what}" + (f" ({error.todo})" if n < FEWEST else "")
    else:
        for label, key, value in (
            ("skew-normal, mean", "fit_mean", fit.mean), ("skew-normal, standard deviation", "fit_sd", fit.sd),
            ("skew-normal, shape", "fit_shape", fit.shape), ("skew-normal, location", "fit_location", fit.location),
            ("skew-normal, scale", "fit_scale", fit.scale), ("χ²", "fit_chi2", fit.chi2), ("p of χ²", "fit_p", fit.p),
        ):  # fmt: skip
            say(label, key, value)
    table = Table(f"ΔLAS over {n} treebanks", ("measure", "value", "95 %"), rows, digits=3, note=note)
    return findings, [table]


def sign_test(values: Floats) -> float | None:
    """Two-sided p that so many differences have the same sign by chance; differences of 0 do not count."""
    negative, count = int((values < 0).sum()), int((values != 0).sum())
    if not count:
        return None
    ways = sum(comb(count, one) for one in range(min(negative, count - negative) + 1))
    return min(1.0, 2 * ways / float(2**count))


def _table_7(collection: str, system: str, variables: Mapping[str, Floats]) -> tuple[list[Finding], Table]:
    found: dict[tuple[str, str, str], Correlation] = {}
    silent: list[str] = []
    n = len(variables["ΔLAS"])
    for row in TABLE_7:
        variable, target, covariate = row
        try:
            if n < FEWEST_TREEBANKS:
                raise UsageError(f"{n} treebanks are too few, {FEWEST_TREEBANKS} are needed")
            found[row] = partial_spearman(
                variables[variable], variables[target], [variables[covariate]] if covariate else []
            )
        except UsageError as error:
            silent.append(error.what if n < FEWEST_TREEBANKS else f"{variable} and {target}: {error.what}")
    corrected = dict(zip(found, holm([one.p for one in found.values()]), strict=True))
    findings: list[Finding] = []
    rows: list[list[Value]] = []
    for row, one in found.items():
        by: dict[str, Value] = dict(zip(("variable", "target", "covariate"), row, strict=True))
        findings += [
            Finding(STUDY, collection, system, "rho", one.value, one.n, one.low, one.high, by),
            Finding(STUDY, collection, system, "rho_squared_adjusted", one.adjusted, one.n, by=by),
            Finding(STUDY, collection, system, "p", one.p, one.n, by=by),
            Finding(STUDY, collection, system, "p_holm", corrected[row], one.n, by=by),
            Finding(STUDY, collection, system, "power", one.power, one.n, by=by),
        ]
        interval = f"[{one.low:.2f}, {one.high:.2f}]"
        rows.append([*row, one.value, interval, one.squared, one.adjusted, one.p, corrected[row], one.power])
    columns = ("variable", "target", "covariate", "ρ", "95 %", "ρ²", "adjusted ρ²", "p", "p Holm", "power")
    note = f"Spearman's ρ, n = {n}; Δ is max-EDV minus min-EDV, tokens are those of the training part"
    return findings, Table(
        "Table 7: what goes along with ΔLAS", columns, rows, digits=3, note="; ".join([note, *dict.fromkeys(silent)])
    )
