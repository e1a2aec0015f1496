"""The findings of the consistency study as tables, those of the paper among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...runs.layout import SIGNED, Column, FindingIndex, P, measured, short_names, table, unfolded
from ...runs.result import Finding, Table, Value
from .asked import AskedVariants
from .change_tables import ORIGINALS, ChangeTables
from .columns import column_groups_of
from .parts import COMPARED
from .settings import PerturbedSettings

_DIFFERENCES = {
    "right": "variants right",
    "changed": "variants with another tree",
    "consistent": "batches with one tree",
}
_OF_KINDS = {
    "right": "variants right",
    "changed": "another tree",
    "consistent": "one tree",
}


def consistency_tables(
    asked: AskedVariants, findings: Sequence[Finding], systems: Sequence[str], settings: PerturbedSettings,
    *, first: bool = True,
) -> list[Table]:  # fmt: skip
    """All tables, folded but for what `by` names and, where they come `first`, Table 1 and stages or differences.

    Of several kinds of change, one table of all of them stands for Table 1.
    """
    index = FindingIndex(finding for finding in findings if finding.suite == asked.treebank_name)
    by_column = column_groups_of(asked, settings)
    views = [ChangeTables(index, asked, perturbation, systems, settings) for perturbation in asked.perturbations]
    several, wanted = len(views) > 1, "perturbation" in settings.tables
    tables = unfolded([_kinds(views, index, systems, settings)] if several else [], first or wanted)
    tables += unfolded((view.overview() for view in views), wanted or (first and not several))
    stages = [shown for view in views for shown in view.stages()]
    tables += unfolded(_differences(views), wanted or (first and not stages))
    tables += unfolded(stages, wanted or not several)
    return [*tables, *(shown for view in views for shown in view.tables(settings.tables, by_column))]


def _kinds(
    views: Sequence[ChangeTables], index: FindingIndex, systems: Sequence[str], settings: PerturbedSettings
) -> Table:
    """A row for each kind of change and system, what changes most trees on top."""
    order: dict[str, Value] = {"order": settings.orders[0]}
    rows = [(view.by | order, system) for view in views for system in systems]

    def changed(row: tuple[dict[str, Value], str]) -> float:
        finding = index.get("changed", row[1], row[0])
        return float("inf") if finding is None or finding.value is None else -float(finding.value)

    rows.sort(key=changed)
    names = short_names(systems)
    columns = [Column("change", [by["perturbation"] for by, _ in rows])]
    if len(systems) > 1:
        columns.append(Column("system", [names[system] for _, system in rows]))

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, system, by) for by, system in rows]

    columns += measured("variants", of("changed"), of="n")
    for measure, header in _OF_KINDS.items():
        if any(of(measure)):
            columns += measured(header, of(measure), interval=measure == "changed")
    asked = views[0].asked
    note = (
        "another tree: variants whose tree is not the original's (%); one tree: sentences whose variants all have the "
        "same tree (%)"
    )
    note += "; variants right: with the gold tree (%)." if asked.has_gold else "."
    clusters = asked.clusters(settings.independent)
    note += f" 95 %: by {clusters.name}{'; ' if clusters.note else ''}{clusters.note}."
    return table(f"{asked.treebank_name}, {len(views)} kinds of change", columns, digits=1, note=note, name="changes")


def _differences(views: Sequence[ChangeTables]) -> Iterator[Table]:
    """Differences to the first system, in all kinds of change."""
    rows = [
        (view, system, measure)
        for view in views
        for system in view.systems[1:]
        for measure in COMPARED
        if view.get(f"{measure}_difference", system) is not None
    ]
    if not rows:
        return

    def of(ending: str) -> list[Finding | None]:
        return [view.get(f"{measure}_{ending}", system) for view, system, measure in rows]

    view, several = views[0], len(views) > 1
    columns = [Column("change", [view.perturbation for view, _, _ in rows])] if several else []
    columns += [
        Column("system", [view.names[system] for view, system, _ in rows]),
        Column("measure", [_DIFFERENCES[measure] for _, _, measure in rows]),
        *measured("difference", of("difference"), interval=True, kind=SIGNED),
        *measured("p", of("p"), kind=P), *measured("p Holm", of("p_holm"), kind=P),
    ]  # fmt: skip
    unit = view.asked.clusters(view.independent, "" if several else view.perturbation).name
    note = f"Percentage points above {view.names[view.systems[0]]} on the same batches, paired by {unit}."
    yield table("Differences" if several else f"Differences, {view.perturbation}", columns, note=note)


def constant_table(
    asked: AskedVariants, findings: Sequence[Finding], system: str, token: str, settings: PerturbedSettings
) -> Table:
    """Table 7 of the paper: the sentences with the constant in place, as the parser that was trained so does them."""
    index = FindingIndex(finding for finding in findings if finding.suite == asked.treebank_name)
    perturbation = asked.perturbations[0]
    view = ChangeTables(index, asked, perturbation, [system], settings)
    title = f"{asked.treebank_name}, {token} in place of {perturbation}"
    return table(title, view.by_systems(view.rows(ORIGINALS)), digits=1, note="As Table 7 of the paper.")
