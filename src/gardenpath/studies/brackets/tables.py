"""The findings of an evaluation of phrase trees as tables."""

from __future__ import annotations

from collections.abc import Sequence

from ...runs.layout import Column, FindingIndex, breakdown, measured, measures_by_systems, short_names, table
from ...runs.result import Finding, Table
from ...stats.sampling import Clusters
from ..evaluation.comparison import difference_table
from .scores import MEASURES

_OF_GROUPS = {"precision": "precision", "recall": "recall", "f1": "F1"}
_OF_PARTS = {"f1": "labelled F1", "precision": "precision", "recall": "recall", "exact": "exact match", "las": "LAS"}


def bracket_tables(findings: Sequence[Finding], by: Sequence[str], baseline: str, clusters: Clusters) -> list[Table]:
    """All measures, those of some sentences apart, differences to the baseline, and a breakdown for each grouping."""
    index = FindingIndex(findings)
    tables = [_measures(index, clusters)]
    if parts := [finding for finding in findings if finding.measure == "exact" and "sentences" in finding.by]:
        tables.append(_parts(index, parts))
    if any("baseline" in finding.by for finding in findings):
        tables.append(difference_table(index, MEASURES, baseline, clusters))
    return [*tables, *(breakdown(index, (grouping,), "f1", "F1", "brackets", _OF_GROUPS) for grouping in by)]


def _measures(index: FindingIndex, clusters: Clusters) -> Table:
    suite, systems = index.findings[0].suite, index.systems
    title = f"{short_names(systems)[systems[0]]} on {suite}" if len(systems) == 1 else f"Brackets on {suite}"
    note = f"{clusters.count:,} sentences" + (f"; {clusters.note}" if clusters.note else "")
    return table(title, measures_by_systems(index, MEASURES), note=note, name="measures")


def _parts(index: FindingIndex, parts: Sequence[Finding]) -> Table:
    """`parts` are the exact matches: they are over sentences."""
    short = short_names(index.systems)
    columns = [
        Column("system", [short[part.system] for part in parts]),
        Column("sentences", [part.by["sentences"] for part in parts]),
        *measured("number", parts, of="n"),
    ]
    for measure, header in _OF_PARTS.items():
        columns += measured(header, [index.get(measure, part.system, part.by) for part in parts])
    return table("Some of the sentences", columns, name="parts")
