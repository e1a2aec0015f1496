"""The findings of the consistency study as tables, those of the paper in its own form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from ...runs.result import Table, Value
from ...stats.resample import Paired
from .asked import Asked
from .places import Altered
from .questions import Share, Summary

if TYPE_CHECKING:
    from .study import Part

MOST_VALUES = 10
_ORDER = {"surface": "by position", "udon2": "UDon2's order"}
_KINDS = {"words_away": "words from the edit", "edges_away": "edges from the edit", "depth": "depth (1: root)"}


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Systems without the folders of their files, where that leaves them different."""
    short = {name: re.sub(r"^(\w+:)?.*[/\\]", r"\1", name) if "://" not in name else name for name in names}
    return short if len(set(short.values())) == len(short) else {name: name for name in names}


def percent(share: Share) -> str | None:
    return None if share.value is None else f"{share.value:.1f}" + _span(share.low, share.high, 1)


def _span(low: float | None, high: float | None, digits: int) -> str:
    return "" if low is None or high is None else f" [{low:.{digits}f}, {high:.{digits}f}]"


def _number(value: float, digits: int = 2) -> str:
    """Without zeros that say nothing: 2, 2.61, 0.0004."""
    return f"{value:.{4 if 0 < value < 0.01 else digits}f}".rstrip("0").rstrip(".") or "0"


def overview_table(
    asked: Asked,
    perturbation: str,
    parts: Mapping[tuple[str, str], Part],
    systems: Sequence[str],
    orders: Sequence[str],
) -> Table:
    """Table 1 of the paper, one column for each system; what depends on the order of siblings twice."""
    names, own = short_names(systems), {key: part.overview for key, part in parts.items()}
    first = orders[0]
    rows: list[list[Value]] = []

    def row(label: str, cells: Sequence[Value]) -> None:
        rows.append([label, *cells])

    def plain(label: str, name: str) -> None:
        row(label, [getattr(own[system, first], name) for system in systems])

    def shares(label: str, name: str) -> None:
        for order in orders:
            mark = f", {_ORDER[order]}" if len(orders) > 1 else ""
            found = [getattr(own[system, order], name) for system in systems]
            if name not in ("changed", "consistent"):
                row(f"{label}{mark}", [one.count for one in found])
            row(f"{label}{mark} (%)", [percent(one) for one in found])

    plain("originals in total", "originals")
    plain("wrong segmentation", "originals_segmented")
    plain("failed", "originals_failed")
    row("originals considered", [own[system, first].originals_right.total for system in systems])
    shares("originals right", "originals_right")
    plain("variants in total", "variants")
    plain("different variants", "distinct")
    plain("wrong segmentation", "variants_segmented")
    plain("failed", "variants_failed")
    row("variants considered", [own[system, first].variants_right.total for system in systems])
    shares("variants right", "variants_right")
    shares("variants with another tree than the original", "changed")
    shares("batches with one tree", "consistent")
    tally = asked.tallies[perturbation]
    note = f"Table 1 of the paper. {tally.sentences:,} sentences, {tally.batches:,} with a batch"
    left = ", ".join(f"{reason} {count:,}" for reason, count in tally.refused.most_common())
    note += f" (others: {left})." if left else "."
    skipped = ", ".join(f"{reason} {count:,}" for reason, count in tally.skipped.most_common())
    note += f" Values not used: {skipped}." if skipped else ""
    note += " [95 % intervals: batches drawn.]"
    return Table(
        f"{PurePath(asked.name).name}, {perturbation}", ["", *(names[one] for one in systems)], rows, note=note
    )


def detail_table(perturbation: str, system: str, systems: Sequence[str], parts: Mapping[str, Part]) -> Table:
    """Tables 2 to 5 of the paper: Q1 to Q5 by how the original was parsed."""
    columns, cells = [""], []
    for order, part in parts.items():
        for original, sign in (("right", "+"), ("wrong", "-")):
            columns.append(f"{sign} {order}" if len(parts) > 1 else f"original {sign}")
            cells.append(part.details[original])
    rows: list[list[Value]] = [
        ["batches considered", *(one.batches for one in cells)],
        ["completely right (Q1)", *(one.complete.count if one.batches else "NA" for one in cells)],
    ]

    def summary(label: str, found: Sequence[Summary | None], digits: int = 2) -> None:
        rows.append([f"{label}: mean (SD)", *(_mean(one, digits) for one in found)])
        rows.append([f"{label}: median (min - max)", *(_median(one, digits) for one in found)])

    summary("right within a batch (Q2)", [one.right for one in cells])
    rows.append(
        ["with consistent errors (Q3)",
         *("NA" if one.consistent_errors is None else one.consistent_errors for one in cells)]
    )  # fmt: skip
    summary("clusters (Q4)", [one.clusters for one in cells])
    summary("clusters, as published", [one.clusters_published for one in cells])
    summary("NCPTK between clusters (Q5)", [one.similarity for one in cells], 3)
    title = f"Questions 1 to 5, {perturbation}" + (f": {short_names(systems)[system]}" if len(systems) > 1 else "")
    note = (
        "As Tables 2 to 5 of the paper; +: the original was parsed right, -: wrong. Q4 and Q5: batches whose "
        "trees are not all alike. Clusters: classes of equal trees; the published count loses trees that stand alone."
    )
    return Table(title, columns, rows, note=note)


def _mean(one: Summary | None, digits: int) -> str:
    return "NA" if one is None else f"{_number(one.mean, digits)} ({_number(one.sd, digits)})"


def _median(one: Summary | None, digits: int) -> str:
    if one is None:
        return "NA"
    return f"{_number(one.median, digits)} ({_number(one.least, digits)} - {_number(one.most, digits)})"


def comparison_table(perturbation: str, pairs: Mapping[tuple[str, str, str], Paired], systems: Sequence[str]) -> Table:
    """Differences to the first system."""
    names, shown = (
        short_names(systems),
        {
            "right": "variants right",
            "changed": "variants with another tree",
            "consistent": "batches with one tree",
        },
    )
    rows: list[list[Value]] = [
        [names[system], shown[measure], 100 * one.difference, _span(100 * one.low, 100 * one.high, 1).strip(),
         f"{one.p:.4f}"]
        for (system, _, measure), one in pairs.items()
    ]  # fmt: skip
    note = f"Percentage points above {names[systems[0]]} on the same batches; paired bootstrap over batches."
    return Table(f"Differences, {perturbation}", ["system", "measure", "difference", "95 %", "p"], rows, note=note)


def group_table(perturbation: str, parts: Mapping[str, Part], systems: Sequence[str]) -> list[Table]:
    """By group of values, such as the century: all measures of one system, or one measure of several."""
    found = {(system, one.measure, one.key): one for system in systems for one in parts[system].groups}
    keys = sorted({key for _, _, key in found})
    if len(keys) < 2:
        return []
    labels = {
        "differs_from_majority": "not the majority's (%)", "differs_from_original": "not the original's (%)",
        "value_right": "right (%)",
    }  # fmt: skip
    several, names = len(systems) > 1, short_names(systems)
    chosen = list(labels)[: 1 if several else 3]
    columns = ["group", "variants"]
    columns += [names[system] if several else labels[measure] for system in systems for measure in chosen]
    rows: list[list[Value]] = []
    for key in keys:
        cells = [found.get((system, measure, key)) for system in systems for measure in chosen]
        rows.append([key, max(one.n for one in cells if one), *(one.value if one else None for one in cells)])
    note = "Variants whose tree is not that of the largest cluster of its batch (%)." if several else ""
    return [Table(f"By group of values, {perturbation}", columns, rows, digits=1, note=note)]


def value_table(perturbation: str, parts: Mapping[str, Part], systems: Sequence[str]) -> list[Table]:
    """The values that break the parser most often."""
    names, tables = short_names(systems), []
    for system in systems:
        by_measure: dict[str, dict[str, float]] = {}
        ranked = sorted(
            (one for one in parts[system].values if one.measure == "differs_from_majority"),
            key=lambda one: (-one.value, one.key),
        )
        for one in parts[system].values:
            by_measure.setdefault(one.measure, {})[one.key] = one.value
        worst = [one for one in ranked if one.value > 0][:MOST_VALUES]
        if not worst:
            continue
        rows: list[list[Value]] = [
            [one.key, one.n, f"{one.value:.1f}" + _span(one.low, one.high, 1),
             by_measure["differs_from_original"][one.key], by_measure["value_right"][one.key]]
            for one in worst
        ]  # fmt: skip
        title = f"Values whose tree is most often another, {perturbation}"
        title += f": {names[system]}" if len(systems) > 1 else ""
        columns = ["value", "batches", "not the majority's (%)", "not the original's (%)", "right (%)"]
        count = sum(one.value > 0 for one in ranked)
        note = f"{len(ranked)} values, {count} of them with such a batch; all are in TSV and JSON."
        tables.append(Table(title, columns, rows, digits=1, note=note))
    return tables


def change_tables(perturbation: str, found: Mapping[str, Altered | None], systems: Sequence[str]) -> list[Table]:
    """What the other clusters change of the largest one, and where."""
    seen = {system: one for system, one in found.items() if one is not None and one.clusters}
    if not seen:
        return []
    names = short_names(systems)
    labels = {"head": "a head", "deprel": "a label", "upos": "UPOS", "feats": "FEATS"}
    rows: list[list[Value]] = [
        ["clusters beside the largest", *(one.clusters for one in seen.values())],
        ["another root (%)", *(percent(one.root) for one in seen.values())],
        ["the edited word changes (%)", *(percent(one.edited) for one in seen.values())],
        ["another word changes (%)", *(percent(one.beyond) for one in seen.values())],
    ]
    for part, label in labels.items():
        rows.append([f"{label} changes (%)", *(percent(one.parts[part]) for one in seen.values())])
    rows.append(["changed words per cluster", *(f"{one.words / one.clusters:.2f}" for one in seen.values())])
    columns = ["", *(names[system] for system in seen)]
    note = "Each cluster beside the largest of its batch, counted once."
    tables = [Table(f"What changes between clusters, {perturbation}", columns, rows, note=note)]
    for system, one in seen.items():
        cells: list[list[Value]] = []
        for kind, label in _KINDS.items():
            cells += [[label, key, share.count, share.total, percent(share)] for key, share in one.places[kind].items()]
        title = f"Where trees change, {perturbation}" + (f": {names[system]}" if len(systems) > 1 else "")
        tables.append(Table(title, ["distance", "", "changed words", "words", "changed (%)"], cells))
    return tables
