"""The findings of the constructions study as tables for a terminal of 100 columns."""

from __future__ import annotations

from collections.abc import Sequence

from ...phrase.schemes.registry import title_of
from ...runs.layout import SIGNED, WITH_INTERVALS, Column, FindingIndex, P, measured, short_names, table, unfolded
from ...runs.result import Finding, Table
from ...stats.sampling import Clusters
from ...suites.constructions.model import PHENOMENA, table_of
from .examples import ConstructionExample
from .verdict import CLASSES, RIGHT, SHOWN, UNCLASSED

_TITLES = {
    "pp": "PP attachment (Table 1)",
    "erc": "Extraposed relative clauses (Table 2)",
    "fcr": "Forward conjunction reduction (Table 3)",
    "sgf": "Subject gap with finite/fronted verb (Table 4)",
    "cuc": "Coordination of unlike constituents",
}
_NOTE = "accuracy: per cent right; no parse is wrong, n/a is left out"
_SHOWN = "shown: right as far as such trees show it, counts as right"
_PAIRED = "On the same items, by {}; first only, this only: right by one of the two alone."

Cells = dict[tuple[str, str], Finding]
"""The accuracy of each system in each phenomenon, over all its suites."""


def finding_tables(findings: Sequence[Finding], by: Sequence[str], clusters: Clusters) -> list[Table]:
    """Systems, phenomena, differences to the first system, and the error classes of each table of the paper."""
    index = FindingIndex(findings)
    cells: Cells = {
        (finding.system, str(finding.by["phenomenon"])): finding
        for finding in findings  # those of all suites together come last
        if finding.measure == "accuracy" and set(finding.by) in ({"scheme", "phenomenon"}, {"phenomenon"})
    }
    compared = [finding for finding in findings if finding.measure == "accuracy_difference"]
    return [
        _systems_table(index, clusters),
        *unfolded([_phenomenon_table(index, cells)], "phenomenon" in by),
        *unfolded([_difference_table(index, compared, clusters)] if compared else [], "errors" in by),
        *unfolded(_class_tables(index, cells), "errors" in by),
    ]


def _classed(index: FindingIndex, measure: str, accuracy: Finding, name: str) -> Finding | None:
    """The items of a class, or their share, in the group that an accuracy is of."""
    return index.get(measure, accuracy.system, {**accuracy.by, "class": name}, accuracy.suite)


def _systems_table(index: FindingIndex, clusters: Clusters) -> Table:
    """One row per system and suite; its number stands for the system in the other tables."""
    rows = [finding for finding in index.findings if finding.measure == "accuracy" and set(finding.by) == {"scheme"}]
    names = short_names(index.systems)
    counts = {name: [_classed(index, "items", row, name) for row in rows] for name in (RIGHT, *UNCLASSED)}
    if not any(map(_value, counts[SHOWN])):
        del counts[SHOWN]
    columns = [
        Column("#", [index.systems.index(row.system) + 1 for row in rows]),
        Column("system", [names[row.system] for row in rows]),
        Column("suite", [row.suite for row in rows]),
        Column("scheme", [title_of(str(row.by["scheme"])) for row in rows]),
        *measured("items", counts[RIGHT], of="n"),
        *(column for name, findings in counts.items() for column in measured(name, findings)),
        *measured("accuracy", rows, interval=True),
    ]
    notes = [_NOTE, _SHOWN if SHOWN in counts else "", clusters.note]
    return table("Constructions", columns, note="; ".join(note for note in notes if note), name="systems")


def _phenomenon_table(index: FindingIndex, cells: Cells) -> Table:
    """Accuracy by phenomenon, a system beside the other."""
    phenomena, systems = _phenomena(cells), index.systems
    columns = [Column("phenomenon", phenomena), Column("meaning", [PHENOMENA[name] for name in phenomena])]
    for number, system in enumerate(systems, 1):
        findings = [cells.get((system, name)) for name in phenomena]
        end = f" {number}" if len(systems) > 1 else ""
        columns += measured(f"items{end}", findings, of="n")
        columns += measured(f"accuracy{end}", findings, interval=len(systems) <= WITH_INTERVALS)
    return table("By phenomenon", columns, name="phenomena")


def _class_tables(index: FindingIndex, cells: Cells) -> list[Table]:
    """For each table of the paper: classes × systems, items and per cent."""
    systems, tables = index.systems, []
    for key, title in _TITLES.items():
        phenomena = [name for name in _phenomena(cells) if table_of(name) == key]
        chosen = [cells[system, name] for system in systems for name in phenomena if (system, name) in cells]
        if not chosen:
            continue
        unclassed = [name for name in UNCLASSED if any(_value(_classed(index, "items", cell, name)) for cell in chosen)]
        classes = [RIGHT, *CLASSES[key], *unclassed]
        meanings = {**CLASSES[key], **UNCLASSED}
        columns = [Column("class", classes), Column("meaning", [meanings.get(name, "") for name in classes])]
        for cell in chosen:
            header = str(cell.by["phenomenon"]) if key == "pp" else "items"
            number = f" {systems.index(cell.system) + 1}" if len(systems) > 1 else ""
            columns += measured(header + number, [_classed(index, "items", cell, name) for name in classes])
            columns += measured("%", [_classed(index, "share", cell, name) for name in classes])
        tables.append(table(title, columns, digits=1, name=key))
    return tables


def _difference_table(index: FindingIndex, rows: Sequence[Finding], clusters: Clusters) -> Table:
    """Each system against the first, phenomenon by phenomenon."""
    names = short_names(index.systems)

    def beside(measure: str) -> list[Finding | None]:
        return [index.get(measure, row.system, row.by, row.suite) for row in rows]

    columns = [
        Column("system", [names[row.system] for row in rows]),
        Column("phenomenon", [row.by.get("phenomenon", "all") for row in rows]),
        *measured("items", rows, of="n"),
        *measured("first only", beside("baseline_only")),
        *measured("this only", beside("system_only")),
        *measured("difference", rows, interval=True, kind=SIGNED),
        *measured("p", beside("accuracy_p"), kind=P),
        *measured("p Holm", beside("accuracy_p_holm"), kind=P),
    ]
    title = f"Difference to {names[str(rows[0].by['baseline'])]}"
    return table(title, columns, note=_PAIRED.format(clusters.name), name="differences")


def example_table(wanted: str, shown: Sequence[ConstructionExample], total: int, systems: Sequence[str]) -> Table:
    """The items of a class, with the reason in words."""
    names = short_names(systems)
    more = f", the first {len(shown)}" if total > len(shown) else ""
    columns = [
        Column("item", [example.item for example in shown]),
        Column("system", [names[example.system] for example in shown]),
        Column("class", [example.outcome for example in shown]),
        Column("text", [example.text for example in shown]),
        Column("reason", [example.reason for example in shown]),
    ]
    return table(f"{total} item{'s' if total != 1 else ''}: {wanted}{more}", columns, name="examples")


def _phenomena(cells: Cells) -> list[str]:
    return [name for name in PHENOMENA if any(name == phenomenon for _, phenomenon in cells)]


def _value(finding: Finding | None) -> object:
    return None if finding is None else finding.value
