"""The findings of the constructions study as tables for a terminal of 100 columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...runs.result import Table, Value
from ...suites.constructions.model import PHENOMENA
from .entrants import NAMES
from .scores import Difference, Tally, classes_of
from .verdict import CLASSES, NOPARSE, RIGHT, UNCLASSED, UNDECIDED, table_of

_TITLES = {
    "pp": "PP attachment (Table 1)",
    "erc": "Extraposed relative clauses (Table 2)",
    "fcr": "Forward conjunction reduction (Table 3)",
    "sgf": "Subject gap with finite/fronted verb (Table 4)",
    "cuc": "Coordination of unlike constituents",
}
_NOTE = "Accuracy: per cent right, with its Wilson interval; no parse is wrong, n/a is left out."


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Systems without the folders of their files, where that leaves them different."""
    short = {name: re.sub(r"^([\w=]+:|\w+=)?.*[/\\]", r"\1", name) for name in names}
    return short if len(set(short.values())) == len(short) else {name: name for name in names}


def systems_table(tallies: Sequence[Tally]) -> Table:
    """One row per system and suite; its number stands for the system in the other tables."""
    chosen = [one for one in tallies if len(one.by) == 1]
    names = short_names(list(dict.fromkeys(one.system for one in chosen)))
    numbers = {system: number for number, system in enumerate(names, 1)}
    rows: list[list[Value]] = []
    for one in chosen:
        scheme = NAMES[str(dict(one.by)["scheme"])]
        share = one.share(RIGHT)
        counted = [one.counts[RIGHT], one.counts[NOPARSE], one.counts[UNDECIDED]]
        rows.append([numbers[one.system], names[one.system], one.suite, scheme, one.items, *counted, *_accuracy(share)])
    columns = ["#", "system", "suite", "scheme", "items", "right", NOPARSE, UNDECIDED, "accuracy", "95 %"]
    return Table("Constructions", columns, rows, note=_NOTE)


def phenomenon_table(tallies: Sequence[Tally]) -> Table:
    """Accuracy by phenomenon, a system beside the other."""
    chosen = [one for one in tallies if [key for key, _ in one.by] == ["scheme", "phenomenon"]]
    numbers = _numbers(tallies)
    merged = _by_system(chosen)
    rows: list[list[Value]] = []
    for phenomenon in _phenomena(chosen):
        row: list[Value] = [phenomenon, PHENOMENA[phenomenon]]
        for system in numbers:
            one = merged.get((system, phenomenon))
            row += [one.n if one else None, *_accuracy(one.share(RIGHT) if one else None)]
        rows.append(row)
    columns = ["phenomenon", "meaning"]
    for number in numbers.values():
        end = f" {number}" if len(numbers) > 1 else ""
        columns += [f"items{end}", f"accuracy{end}", f"95 %{end}"]
    return Table("By phenomenon", columns, rows)


def class_tables(tallies: Sequence[Tally]) -> list[Table]:
    """For each table of the paper: classes × systems, items and per cent."""
    chosen = [one for one in tallies if [key for key, _ in one.by] == ["scheme", "phenomenon"]]
    numbers, merged = _numbers(tallies), _by_system(chosen)
    tables = []
    for table, title in _TITLES.items():
        phenomena = [one for one in _phenomena(chosen) if table_of(one) == table]
        if not phenomena:
            continue
        cells = [
            (system, phenomenon) for system in numbers for phenomenon in phenomena if (system, phenomenon) in merged
        ]
        columns = ["class", "meaning"]
        for system, phenomenon in cells:
            parts = [phenomenon if table == "pp" else "items", str(numbers[system]) if len(numbers) > 1 else ""]
            columns += [" ".join(filter(None, parts)), "%"]
        rows: list[list[Value]] = []
        for name in classes_of(merged[cells[0]]):
            row: list[Value] = [name, CLASSES[table].get(name) or UNCLASSED.get(name, "")]
            for cell in cells:
                share = merged[cell].share(name)
                row += [merged[cell].counts[name], share[0] if share else None]
            if name not in UNCLASSED or any(merged[cell].counts[name] for cell in cells):
                rows.append(row)
        tables.append(Table(title, columns, rows, digits=1))
    return tables


def difference_table(found: Sequence[Difference]) -> Table:
    names = short_names(list(dict.fromkeys([found[0].baseline, *(one.system for one in found)])))
    rows = [
        (
            names[one.system], one.phenomenon or "all", one.n, one.first_only, one.second_only, f"{one.value:+.2f}",
            _span(one.low, one.high), shown_p(one.p), shown_p(one.p_holm),
        )
        for one in found
    ]  # fmt: skip
    columns = ("system", "phenomenon", "items", "first only", "this only", "difference", "95 %", "p", "p Holm")
    note = "On the same items; first only, this only: right by one of the two alone; p: McNemar's test (mid-p)."
    return Table(f"Difference to {names[found[0].baseline]}", columns, rows, note=note)


def shown_p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _accuracy(share: tuple[float, float, float] | None) -> list[Value]:
    return [None, None] if share is None else [share[0], _span(share[1], share[2])]


def _span(low: float | None, high: float | None) -> str | None:
    return None if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


def _numbers(tallies: Sequence[Tally]) -> dict[str, int]:
    return {system: number for number, system in enumerate(dict.fromkeys(one.system for one in tallies), 1)}


def _phenomena(tallies: Sequence[Tally]) -> list[str]:
    there = {str(dict(one.by)["phenomenon"]) for one in tallies}
    return [name for name in PHENOMENA if name in there]


def _by_system(tallies: Sequence[Tally]) -> dict[tuple[str, str], Tally]:
    """All suites of a system together."""
    merged: dict[tuple[str, str], Tally] = {}
    for one in tallies:
        key = (one.system, str(dict(one.by)["phenomenon"]))
        if key in merged:
            both = merged[key]
            one = Tally(one.suite, one.system, one.by, both.counts + one.counts, both.held + one.held)
        merged[key] = one
    return merged
