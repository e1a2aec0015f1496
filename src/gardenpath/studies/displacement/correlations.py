"""Does the distance explain the score? The correlations of the paper's Tables 1 to 4, 6 and B.1 and Figure 10."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.result import Finding, Table, Value
from ...stats.corrections import benjamini_hochberg, holm
from ...stats.correlation import Correlation, partial_spearman
from ...stats.normality import shapiro
from .pair import STUDY
from .variables import LABELS, OF_EDV, Data

WITH_LAS = (
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
            found = partial_spearman(first, second, others)
        except UsageError as error:
            self.undefined.append(f"{called}: {error.what}")
            return
        self.tests.append(Tested(self.analysis, x, y, found, tuple(covariates), group))

    def corrected(self) -> list[Tested]:
        p = [one.found.p for one in self.tests]
        return [
            Tested(one.analysis, one.x, one.y, one.found, one.covariates, one.group, by_holm, by_bh)
            for one, by_holm, by_bh in zip(self.tests, holm(p), benjamini_hochberg(p), strict=True)
        ]


def normality(data: Data, system: str, suite: str) -> tuple[list[Finding], Table, list[str]]:
    """Table 1: which variables could be normally distributed?"""
    findings: list[Finding] = []
    rows: list[list[Value]] = []
    undefined = []
    for name in NORMAL:
        if name not in data.columns:
            continue
        try:
            found = shapiro(data.known([name])[name])
        except UsageError as error:
            undefined.append(f"normality of {name}: {error.what}")
            continue
        by: dict[str, Value] = {"x": name}
        findings.append(Finding(STUDY, suite, system, "shapiro_w", found.w, found.n, by=by))
        findings.append(Finding(STUDY, suite, system, "shapiro_p", found.p, found.n, by=by))
        rows.append([LABELS[name], found.w, shown_p(found.p), "yes" if found.p >= 0.05 else "no"])
    title = _title("Normality: Shapiro–Wilk (EDV paper: Table 1)", system)
    return findings, Table(title, ["variable", "W", "p", "could be normal"], rows, digits=3), undefined


def with_las(data: Data) -> Family:
    """Table 2."""
    family = Family("score")
    for name in WITH_LAS:
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


def by_complexity(data: Data, covariates: Sequence[str]) -> tuple[Family, NDArray[np.bool_] | None]:
    """Table 6: treebanks whose training data is more complex than the mean, and the others."""
    family = Family("complexity")
    key = "train_morphological_complexity"
    if key not in data.columns:
        return family, None
    data = data.known([key])
    is_complex = data[key] > data[key].mean()
    for distance in OF_EDV[:2]:
        for held in ((), tuple(covariates[:1])) if covariates else ((),):
            for group, part in (("complex", data.where(is_complex)), ("not", data.where(~is_complex)), ("all", data)):
                family.add(distance, "las", part.columns, held, group)
    return family, is_complex


def by_length(lengths: Mapping[int, Data], covariates: Sequence[str] = ("train_tokens",)) -> Family:
    """Figure 10: EDV and LAS of the sentences of each length."""
    family = Family("length")
    for distance in OF_EDV[:2]:
        for length, data in lengths.items():
            if len(data) >= FEWEST + len(covariates):
                family.add(distance, "las", data.columns, covariates, str(length))
    return family


def findings_of(tests: Sequence[Tested], system: str, suite: str) -> Iterator[Finding]:
    for one in tests:
        by: dict[str, Value] = {
            "analysis": one.analysis, "x": one.x, "y": one.y, "covariates": ",".join(one.covariates), "set": one.group,
        }  # fmt: skip
        found = one.found
        yield Finding(STUDY, suite, system, "spearman", found.value, found.n, found.low, found.high, by)
        for name, value in (
            ("p", found.p), ("p_holm", one.p_holm), ("p_bh", one.p_bh),
            ("power", found.power), ("squared", found.squared), ("squared_adjusted", found.adjusted),
        ):  # fmt: skip
            yield Finding(STUDY, suite, system, f"spearman_{name}", value, found.n, by=by)


def table_of(title: str, tests: Sequence[Tested], system: str, first: Mapping[str, str], note: str = "") -> Table:
    """`first` are the columns that say which test it is: heading to what stands there."""
    rows: list[list[Value]] = []
    for one in tests:
        told = {
            "x": LABELS[one.x],
            "pair": f"{LABELS[one.x]} — {LABELS[one.y]}",
            "covariates": _added(one.covariates),
            "set": one.group,
            "removed": _added([name for name in one.group.split(",") if name != "none"]),
        }
        found = one.found
        rows.append(
            [
                *(told[key] for key in first.values()),
                found.n,
                f"{found.value:.3f}",
                f"[{found.low:.2f}, {found.high:.2f}]",
                f"{found.adjusted:.3f}",
                shown_p(found.p),
                shown_p(one.p_holm),
                shown_p(one.p_bh),
                f"{found.power:.3f}",
            ]
        )
    columns = [*first, "n", "ρ", "95 %", "adj. ρ²", "p", "Holm", "BH", "power"]
    return Table(_title(title, system), columns, rows, note=note)


def _added(names: Sequence[str]) -> str:
    """What is held constant: covariates come one after the other, so only the last one is new."""
    return "none" if not names else f"{'+ ' if len(names) > 1 else ''}{LABELS.get(names[-1], names[-1])}"


def length_table(title: str, tests: Sequence[Tested], system: str) -> Table:
    """A row for each length, both ways to compute EDV side by side."""
    by_length: dict[int, dict[str, Tested]] = {}
    for one in tests:
        by_length.setdefault(int(one.group), {})[one.x] = one
    measures = list(dict.fromkeys(one.x for one in tests))
    rows: list[list[Value]] = []
    for length, found in by_length.items():
        row: list[Value] = [length, next(iter(found.values())).found.n]
        for name in measures:
            one_test = found.get(name)
            p_values = (one_test.found.p, one_test.p_holm, one_test.p_bh) if one_test else ()
            row += [f"{one_test.found.value:.3f}", *map(shown_p, p_values)] if one_test else [None] * 4
        rows.append(row)
    columns = ["length", "n"]
    for name in measures:
        columns += [f"ρ {LABELS[name]}", "p", "Holm", "BH"]
    return Table(_title(title, system), columns, rows, note="Partial correlation with LAS; covariate: train tokens.")


def shown_p(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _title(title: str, system: str) -> str:
    return f"{title}: {system}" if system else title
