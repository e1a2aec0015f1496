"""The findings of an evaluation as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..._text import either
from ...runs.layout import Column, FindingIndex, breakdown, measured, measures_by_systems, short_names, table
from ...runs.result import Finding, Table
from ...stats.sampling import Clusters
from ...treebank.scores import METRICS

_CONFUSIONS_SHOWN = 15
_OF_GROUPS = {"uas": "UAS", "las": "LAS", "label": "label"}
_OF_LABELS = {"las_precision": "precision", "las_f1": "F1"}
_LACKING = "{} gives no {}: what it scores there, and in metrics that count them, says nothing about it."
_KEYS = {metric.lower(): metric for metric in METRICS}


def evaluation_tables(
    findings: Sequence[Finding], by: Sequence[Sequence[str]], baseline: str, clusters: Clusters,
    lacking: Mapping[str, Sequence[str]],
) -> list[Table]:  # fmt: skip
    """All metrics, differences to the baseline where there are some, and a breakdown for each grouping.

    Of each system, `lacking` has the layers that it does not give at all: their scores say nothing about it.
    """
    index = FindingIndex(findings)
    short = short_names(index.systems)
    notes = [_LACKING.format(short[name], either(layers)) for name, layers in lacking.items() if layers]
    tables = [replace(_metrics(index), note="\n".join(filter(None, [*notes, clusters.note])))]
    if any("baseline" in finding.by for finding in findings):
        from .comparison import difference_table

        tables.append(difference_table(index, _KEYS, baseline, clusters))
    for keys in by:
        if keys == ("confusion",):
            tables += [_confusions(index, system) for system in index.systems]
        else:
            shown = _OF_GROUPS | (_OF_LABELS if keys == ("label",) else {})
            tables.append(breakdown(index, keys, "las", "LAS", "words", shown))
    return tables


def _metrics(index: FindingIndex) -> Table:
    """One system: precision and recall too; several: F1 side by side."""
    suite, (first, *others) = index.findings[0].suite, index.systems
    if others:
        return table(f"F1 on {suite}", measures_by_systems(index, _KEYS, "metric"), name="metrics")

    def column(header: str, ending: str = "", *, interval: bool = False) -> list[Column]:
        return measured(header, [index.get(key + ending, first) for key in _KEYS], interval=interval)

    columns = [
        Column("metric", METRICS), *column("precision", "_precision"), *column("recall", "_recall"),
        *column("F1", interval=True), *column("aligned", "_aligned"),
    ]  # fmt: skip
    return table(f"{short_names([first])[first]} on {suite}", columns, name="metrics")


def _confusions(index: FindingIndex, system: str) -> Table:
    """The labels that are taken for others most often."""
    shares = [
        finding for finding in index.findings if finding.measure == "confusion_share" and finding.system == system
    ]
    shown = shares[:_CONFUSIONS_SHOWN]
    columns = [
        Column("gold", [share.by["label"] for share in shown]),
        Column("predicted", [share.by["predicted"] for share in shown]),
        *measured("words", [index.get("confusion", system, share.by) for share in shown]),
        *measured("% of these", shown),
    ]
    total = shares[0].n if shares else 0
    name = short_names(index.systems)[system]
    return table(f"{name}: {total} words with another label; the most frequent confusions", columns, name="confusion")
