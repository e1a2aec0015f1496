"""Ledger of numbers: each printed number beside ours, with the basis of ours (verdict) and the agreement (outcome).

`ledger_of` counts the verdicts of each table for people, and lists what does not come out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, Literal

from gardenpath.errors import UsageError, unknown_name
from gardenpath.runs import Finding, Table, Value

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


def check_verdicts(names: Iterable[str]) -> None:
    """A verdict that we do not know is an error, before anything is computed."""
    for name in names:
        if name.casefold() not in (*VERDICTS, NOT_PRINTED):
            raise unknown_name("verdict", name, (*VERDICTS, NOT_PRINTED))


def selected(findings: Sequence[Finding], tables: Sequence[str], verdicts: Sequence[str]) -> list[Finding]:
    """The lines of these tables with these verdicts; all where none is named. A table that is nowhere is an error."""
    known = sorted({str(finding.by["table"]) for finding in findings}, key=_paper_order)
    for name in tables:
        if name.casefold() not in map(str.casefold, known):
            raise unknown_name("table", name, known)
    kept = list(findings)
    for key, names in (("table", tables), ("verdict", verdicts)):
        wanted = {name.casefold() for name in names}
        kept = [finding for finding in kept if not wanted or str(finding.by[key]).casefold() in wanted]
    if findings and not kept:
        of_tables = f" of {', '.join(tables)}" if tables else ""
        raise UsageError(f"no line{of_tables} is {' or '.join(verdicts)}", todo="leave out --verdict or --table")
    return kept


def shown(title: str, findings: Sequence[Finding], *, lines: bool) -> list[Table]:
    """A paper's counts, what differs and why the rest is not recomputed; or with `lines` the lines themselves."""
    counts = _counts(title, findings)
    if lines:
        return [counts, *_listed(findings)]
    some = [finding for finding in findings if finding.by["outcome"] == "differs"]
    different = [_lines("What does not come out", some, ("table", "row", "system", "measure"))] if some else []
    return [counts, *different, *_reasons(findings)]


def counted(findings: Iterable[Finding]) -> list[Finding]:
    """Every printed number once."""
    return [finding for finding in findings if finding.by["kind"] in ("cell", "text")]


def overview(titles: Mapping[str, str], findings: Sequence[Finding]) -> Table:
    """Papers × verdicts."""
    numbers = counted(findings)
    parts = {title: [finding for finding in numbers if finding.suite == name] for name, title in titles.items()}
    return _verdicts("Numbers of all papers", "paper", {**parts, "all": numbers})


def _counts(title: str, findings: Sequence[Finding]) -> Table:
    """Tables × verdicts, and what there is beside the printed numbers."""
    numbers = counted(findings)
    tables = sorted({str(finding.by["table"]) for finding in numbers}, key=_paper_order)
    parts = {table: [finding for finding in numbers if finding.by["table"] == table] for table in tables}
    kinds = Counter(finding.by["kind"] for finding in findings)
    beside = [
        f"{kinds['cell']} numbers in tables and figures, {kinds['text']} in the text",
        f"{kinds['again']} compared a second time" if kinds["again"] else "",
        f"{kinds['check']} checks of what is printed" if kinds["check"] else "",
        f"{kinds['ours']} numbers of ours that the paper does not have" if kinds["ours"] else "",
    ]
    return _verdicts(title, "table", {**parts, "all": numbers}, "; ".join(filter(None, beside)) + ".")


def _verdicts(title: str, first: str, parts: Mapping[str, Sequence[Finding]], note: str = "") -> Table:
    """How many numbers of each part have which verdict, and how many of those that should be equal are not."""
    rows: list[list[Value]] = []
    for name, part in parts.items():
        verdicts = Counter(finding.by["verdict"] for finding in part)
        differ = sum(finding.by["outcome"] == "differs" for finding in part)
        rows.append([name, len(part), *(verdicts[verdict] for verdict in VERDICTS), differ])
    return Table(title, [first, "numbers", *VERDICTS, "differ"], rows, note=note)


def _paper_order(table: str) -> tuple[int, list[tuple[int, int | str]]]:
    """Tables before figures before text, each in the order of the paper: 2 before 10 before B.1."""
    rank = next((rank for rank, name in enumerate(("Table", "Figure")) if table.startswith(name)), 2)
    parts = re.findall(r"\d+|\D+", table)
    return rank, [(0, int(part)) if part.isdigit() else (1, part) for part in parts]


def _reasons(findings: Sequence[Finding]) -> list[Table]:
    """Why numbers are taken as given or cannot be had."""
    counts = Counter(
        (str(finding.by["verdict"]), str(finding.by["why"]))
        for finding in counted(findings)
        if finding.by["verdict"] in (INPUT, IMPOSSIBLE)
    )
    rows = [(verdict, count, why) for (verdict, why), count in sorted(counts.items(), key=lambda item: item[0][0])]
    return [Table("Not computed", ("verdict", "numbers", "why"), rows)] if rows else []


def _listed(findings: Sequence[Finding]) -> list[Table]:
    """One table for each of the paper's, and one for checks of it."""
    tables = []
    for name in sorted({str(finding.by["table"]) for finding in findings}, key=_paper_order):
        part = [finding for finding in findings if finding.by["table"] == name]
        own = [finding for finding in part if finding.by["kind"] == "ours"]
        checks = [finding for finding in part if finding.by["kind"] == "check"]
        numbers = [finding for finding in part if finding.by["kind"] not in ("ours", "check")]
        tables += [_side_by_side(name, own)] if own else []
        tables += [_lines(name, numbers, ("row", "system", "measure"))] if numbers else []
        tables += [_lines(f"{name}: checks", checks, ("row", "system", "measure"))] if checks else []
    return tables


def _lines(title: str, findings: Sequence[Finding], names: Sequence[str]) -> Table:
    """Lines with published, ours and difference to the printed digits; the reasons once, below."""
    rows: list[dict[str, Value]] = []
    for finding in findings:
        printed, places = str(finding.by["printed"]), digits(str(finding.by["printed"]))
        difference = finding.by["difference"]
        rows.append({
            "table": finding.by["table"], "row": finding.by["row"], "system": finding.system,
            "measure": finding.measure, "published": printed,
            "ours": None if finding.value is None else f"{finding.value:.{places}f}",
            "difference": None if difference is None else f"{difference:+z.{places}f}",
            "verdict": finding.by["verdict"], "outcome": finding.by["outcome"] or None,
        })  # fmt: skip
    columns = [*names, "published", "ours", "difference", "verdict", "outcome"]
    kept = [name for name in columns if name != "system" or any(row[name] for row in rows)]
    why = " ".join(dict.fromkeys(str(finding.by["why"]) for finding in findings if finding.by["why"]))
    return Table(title, kept, [[row[name] for name in kept] for row in rows], note=why)


def _side_by_side(title: str, findings: Sequence[Finding]) -> Table:
    """Numbers that the paper does not have: one column for each system."""
    systems = list(dict.fromkeys(finding.system for finding in findings))
    values = {(finding.by["row"], finding.measure, finding.system): finding.value for finding in findings}
    rows: list[list[Value]] = [
        [row, measure, *(values.get((row, measure, system)) for system in systems)]
        for row, measure in dict.fromkeys((finding.by["row"], finding.measure) for finding in findings)
    ]
    why = " ".join(dict.fromkeys(str(finding.by["why"]) for finding in findings if finding.by["why"]))
    return Table(title, ["row", "measure", *systems], rows, note=why)
