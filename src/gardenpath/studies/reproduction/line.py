"""One number of a paper beside ours: what ours rests on (the verdict), and whether it is the same (the outcome)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, Literal

from ...runs.result import Finding, Value

STUDY = "reproduce"
Verdict = Literal["recomputed", "arithmetic", "other data", "published input", "impossible here", "not printed"]
Outcome = Literal["equal", "differs", ""]
Kind = Literal["cell", "text", "again", "check", "ours"]
RECOMPUTED: Final = "recomputed"
ARITHMETIC: Final = "arithmetic"
OTHER_DATA: Final = "other data"
INPUT: Final = "published input"
IMPOSSIBLE: Final = "impossible here"
NOT_PRINTED: Final = "not printed"
VERDICTS: Mapping[Verdict, str] = {
    RECOMPUTED: "from the paper's data, by our code",
    ARITHMETIC: "it follows from other numbers of the paper",
    OTHER_DATA: "the same computation on another release, other sentences or another model: need not be equal",
    INPUT: "taken as given: other lines are made of it, or it is a setting",
    IMPOSSIBLE: "what it takes is not here",
}
"""The verdicts on a printed number. One that could have several has the first of them."""


@dataclass(frozen=True, slots=True)
class Line:
    """`published` is the number as printed: its digits say how close ours must come. Empty: the paper has none."""

    table: str
    row: str
    measure: str
    published: str
    """Such as 69.07 or 5e-3; <0.001 is a bound."""
    ours: float | None
    system: str = ""
    suite: str = ""
    why: str = ""
    """Where the numbers must differ or none can be had: the reason."""
    slack: float = 0.0
    """How far ours may be off because it is made of numbers that were rounded in print."""
    basis: Verdict = RECOMPUTED
    """The verdict if ours can be had; without ours a number is impossible here, unless it is an input."""
    kind: Kind = "cell"
    """A printed number; or a check of what is printed, which is none. `settled` finds the other kinds."""

    @property
    def place(self) -> tuple[str, str, str, str]:
        """Where the number stands in the paper."""
        return self.table, self.row, self.system, self.measure

    @property
    def verdict(self) -> Verdict:
        if not self.published:
            return NOT_PRINTED
        return IMPOSSIBLE if self.ours is None and self.basis != INPUT else self.basis

    @property
    def bound(self) -> float | None:
        """The printed number itself, of which only this is known: it is smaller."""
        return float(self.published[1:]) if self.published.startswith("<") else None

    @property
    def difference(self) -> float | None:
        if self.ours is None or not self.published:
            return None
        if self.bound is not None:
            return max(0.0, self.ours - self.bound)
        return self.ours - float(self.published)

    @property
    def outcome(self) -> Outcome:
        """Equal means: to the last printed digit. Other data is never called so."""
        if self.difference is None or self.basis == OTHER_DATA:
            return ""
        allowed = 0 if self.bound is not None else 0.5 * 10.0 ** -digits(self.published)
        return "equal" if abs(self.difference) <= allowed + self.slack + 1e-9 else "differs"

    def finding(self, paper: str) -> Finding:
        number = self.published.removeprefix("<")
        by: dict[str, Value] = {
            "table": self.table, "row": self.row, "kind": self.kind, "data": self.suite, "printed": self.published,
            "published": float(number) if number else None, "difference": self.difference,
            "verdict": self.verdict, "outcome": self.outcome, "why": self.why,
        }  # fmt: skip
        return Finding(STUDY, paper, self.system, self.measure, self.ours, by=by)


def digits(printed: str) -> int:
    """How many places are printed."""
    exponent = Decimal(printed.removeprefix("<") or "0").as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


def settled(lines: Iterable[Line]) -> list[Line]:
    """The ledger: every printed number once, under its first verdict, and what else was compared with it behind it.

    A line that has no number of ours gives way to any that has one, so a paper lists all its cells as given first.
    """
    places: dict[tuple[object, ...], list[Line]] = {}
    for number, line in enumerate(lines):
        alone = line.kind == "check" or not line.published
        places.setdefault((*line.place, number) if alone else line.place, []).append(line)
    ledger = []
    for some in places.values():
        first, *others = sorted(some, key=lambda line: (line.ours is None, _RANK[line.verdict]))
        ledger.append(first if first.kind == "check" else replace(first, kind=_kind(first)))
        ledger += [replace(line, kind="again") for line in others if line.ours is not None]
    return ledger


def _kind(line: Line) -> Kind:
    if not line.published:
        return "ours"
    return "cell" if line.table.startswith(("Table", "Figure")) else "text"


_RANK = {verdict: rank for rank, verdict in enumerate((*VERDICTS, NOT_PRINTED))}
