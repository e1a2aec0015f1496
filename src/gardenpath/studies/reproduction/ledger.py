"""The ledger for people: how many numbers of each table have which verdict, what does not come out, and the lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ...errors import UsageError, unknown_name
from ...runs.result import Finding, Table, Value
from .line import IMPOSSIBLE, INPUT, NOT_PRINTED, VERDICTS, digits


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
    return [counts, *_listed(findings)] if lines else [counts, *_different(findings), *_reasons(findings)]


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


def _different(findings: Sequence[Finding]) -> list[Table]:
    some = [finding for finding in findings if finding.by["outcome"] == "differs"]
    return [_lines("What does not come out", some, ("table", "row", "system", "measure"))] if some else []


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
