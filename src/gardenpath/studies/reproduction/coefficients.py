"""The printed correlations of the EDV paper, and what ρ and the number of treebanks alone make of each.

Interval, ρ², adjusted ρ², p and power follow from ρ, n and the number of covariates, so they can be checked without
any treebank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import copysign, sqrt
from typing import Any

from ...stats.correlation import correlation_p, fisher_interval, power
from ..displacement.variables import LABELS
from .line import ARITHMETIC, Line

MEASURES = {
    "rho": "spearman", "low": "spearman_low", "high": "spearman_high", "squared": "spearman_squared",
    "adjusted": "spearman_squared_adjusted", "p": "spearman_p", "power": "spearman_power", "n": "treebanks",
}  # fmt: skip
"""A printed column, and how the displacement study calls it."""
RELEASES = {"UDPipe 1.2": "UD 2.5", "UDPipe 2.0": "UD 2.6"}
"""The parsers, and what each was trained on."""
_ROUNDED = 0.0005
"""ρ is printed with three places."""
_WHY = "Made of the printed ρ and n, and off by what the rounding of ρ allows."


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One printed ρ and what is printed beside it; `key` finds ours among the study's findings."""

    table: str
    system: str
    row: str
    n: int
    covariates: int
    cells: Mapping[str, str]
    """The numbers as printed, by column (see `MEASURES`)."""
    key: tuple[str, ...] = ()
    """Analysis, x, y, covariates and set; empty where the collection study has none."""


def coefficients(printed: Mapping[str, Any]) -> Iterator[Coefficient]:
    """Tables 2, 3, 4, 6, 7 and B.1, and what captions and the text print of ρ."""
    sizes = {system: int(printed["section3"][release]["treebanks"]) for system, release in RELEASES.items()}
    for system, n in sizes.items():
        for x, cells in printed["table2"][system].items():
            yield Coefficient("Table 2", system, LABELS[x], n, 0, cells, ("score", x, "las", "", "all"))
        for table, name in (("table3", "Table 3"), ("tableB1", "Table B.1")):
            for pair, cells in printed[table][system].items():
                x, y = pair.split()
                row = f"{LABELS[x]} — {LABELS[y]}"
                yield Coefficient(name, system, row, n, 0, cells, ("distance", x, y, "", "all"))
        for held, cells in printed["table4"][system].items():
            row = f"held constant: {_listed(held)}"
            key = ("partial", "edv_heights", "las", held, "all")
            yield Coefficient("Table 4", system, row, n, len(held.split(",")) if held else 0, cells, key)
        for given, cells in printed["table6"][system].items():
            group, _, held = given.partition(" | ")
            row = f"{group}, held constant: {_listed(held)}"
            key = ("complexity", "edv_heights", "las", held, group)
            yield Coefficient("Table 6", system, row, int(cells["n"]), 1 if held else 0, cells, key)
        cells = printed["section4"][system]
        yield Coefficient("Section 4.2.2", system, "test tokens, held constant: train tokens", n, 1, cells)
    for figure, given in printed["figures"].items():
        system = given["system"]
        for chain, cells in given.items():
            if chain != "system":
                x, _, removed = chain.partition(" | ")
                row = f"{LABELS[x]}, without {_listed(removed)}"
                key = ("background", x, "las", "", removed) if removed else ("score", x, "las", "", "all")
                yield Coefficient(figure, system, row, sizes[system], 0, cells, key)
    n = int(printed["section6"]["treebanks"])
    for row, cells in printed["table7"].items():
        yield Coefficient("Table 7", "UDPipe 1.2", row, n, 1 if "|" in row else 0, cells)


def _listed(names: str) -> str:
    return ", ".join(LABELS[name] for name in names.split(",")) if names else "nothing"


_MADE: Mapping[str, Callable[[float, int, int], float]] = {
    "low": lambda rho, n, k: fisher_interval(rho, n - k)[0],
    "high": lambda rho, n, k: fisher_interval(rho, n - k)[1],
    "squared": lambda rho, n, k: rho**2,
    "adjusted": lambda rho, n, k: 1 - (1 - rho**2) * (n - 1) / (n - k - 2),
    "p": lambda rho, n, k: correlation_p(rho, n - k),
    "power": lambda rho, n, k: power(rho, n - k),
}


def lines_of_rho(compared: Iterable[Coefficient]) -> Iterator[Line]:
    """What stands beside a printed ρ, made of it again: whether the paper's tables agree with themselves."""
    for coefficient in compared:
        made = [_line(coefficient, column, text) for column, text in coefficient.cells.items() if column in _MADE]
        misprinted = any(line.measure == MEASURES["squared"] and line.outcome == "differs" for line in made)
        for line in made:
            yield replace(line, why=_reason(coefficient, misprinted)) if line.outcome == "differs" else line


def _line(coefficient: Coefficient, column: str, text: str) -> Line:
    rho, make = float(coefficient.cells["rho"]), _MADE[column]
    ours = make(rho, coefficient.n, coefficient.covariates)
    near = [make(rho + step, coefficient.n, coefficient.covariates) for step in (-_ROUNDED, _ROUNDED)]
    return Line(coefficient.table, coefficient.row, MEASURES[column], text, ours, system=coefficient.system, why=_WHY,
                slack=max(abs(value - ours) for value in near), basis=ARITHMETIC)  # fmt: skip


def _reason(coefficient: Coefficient, misprinted: bool) -> str:
    cells, where = coefficient.cells, f"{coefficient.table}, {coefficient.row}"
    reason = f"{where}: what stands beside ρ = {cells['rho']} does not follow from it and n = {coefficient.n}"
    if coefficient.covariates:
        reason += f" with {coefficient.covariates} covariate{'s' * (coefficient.covariates > 1)}"
    if not misprinted:
        return f"{reason}."
    return f"{reason}; ρ² is that of {copysign(sqrt(float(cells['squared'])), float(cells['rho'])):.3f}."
