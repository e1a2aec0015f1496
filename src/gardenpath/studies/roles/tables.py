"""The findings of the roles study as tables for a terminal of 100 columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from ...runs.result import Table, Value
from ...suites.model import RoleSuite
from ...suites.names import PROPERTIES
from .confusion import KINDS
from .deltas import Delta
from .examples import Example
from .groups import Groups
from .scores import Counts, Improvement, Score

_SHOWN = {"las": "LAS", "uas": "UAS", "label": "label"}
_WITH_INTERVALS = 2
"""So many systems have their intervals side by side; with more, intervals are in TSV and JSON."""
ARC_NOTES = {
    "heads": "LAS and UAS over the gold arcs; label: of the arcs with the right head, those with the right label.",
    "labels": "This suite has no gold heads: label is the share of gold words with the right label, head unseen.",
}


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Systems without the folders of their files, where that leaves them different."""
    short = {name: re.sub(r"^(\w+:)?.*[/\\]", r"\1", name) if "://" not in name else name for name in names}
    return short if len(set(short.values())) == len(short) else {name: name for name in names}


def short_order(order: str) -> str:
    """`VF[S]LK[V]MF[O]` as `S V O`: the fields without their names."""
    return " ".join(re.findall(r"\[(.*?)\]", order)) or order


def span(low: float | None, high: float | None, digits: int = 2) -> str | None:
    return None if low is None or high is None else f"[{low:.{digits}f}, {high:.{digits}f}]"


def shown_p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def systems_table(suite: RoleSuite, counts: Counts, scores: Sequence[Score], right: Mapping[str, int]) -> Table:
    """One row per system; its number stands for it in the other tables."""
    overall = {(one.system, one.measure): one for one in scores if one.group == 0}
    names, ranged = short_names(counts.systems), counts.draws > 0
    rows: list[list[Value]] = []
    for number, system in enumerate(counts.systems, 1):
        row: list[Value] = [number, names[system]]
        for measure in counts.measures:
            one = overall[system, measure]
            row += [one.value, span(one.low, one.high)] if ranged and measure == counts.measures[0] else [one.value]
        share = 100 * right[system] / len(suite) if len(suite) else None
        rows.append([*row, share])
    columns = ["#", "system"]
    for measure in counts.measures:
        columns += [_SHOWN[measure], *(["95 %"] if ranged and measure == counts.measures[0] else [])]
    what = "subject and object" if suite.kind == "roles" else "preposition and noun"
    arcs = int(counts.sums[0, 0])
    title = f"{PurePath(suite.name).name}: {what} in {len(suite):,} items ({arcs:,} gold arcs)"
    note = ARC_NOTES["labels" if counts.labels_only else "heads"]
    return Table(title, [*columns, "items right %"], rows, note=note)


def group_table(suite: RoleSuite, counts: Counts, scores: Sequence[Score], numbers: Sequence[int], title: str) -> Table:
    """One system: all measures; several: the main one side by side."""
    groups, main = counts.groups, counts.measures[0]
    cells = {(one.group, one.system, one.measure): one for one in scores}
    head, labels = _labels(suite, groups, numbers)
    sizes = [int(groups.sizes[number]) for number in numbers]
    rows: list[list[Value]] = [[*label, size] for label, size in zip(labels, sizes, strict=True)]
    columns = [*head, "items"]
    several = len(counts.systems) > 1
    for place, system in enumerate(counts.systems, 1):
        shown = _SHOWN[main] + (f" {place}" if several else "")
        with_range = counts.draws > 0 and len(counts.systems) <= _WITH_INTERVALS
        columns += [shown, "95 %"] if with_range else [shown]
        for row, number in zip(rows, numbers, strict=True):
            one = cells[number, system, main]
            row += [one.value, span(one.low, one.high)] if with_range else [one.value]
        if not several:
            for measure in counts.measures[1:]:
                columns.append(_SHOWN[measure])
                for row, number in zip(rows, numbers, strict=True):
                    row.append(cells[number, system, measure].value)
    return Table(title, columns, rows)


def cell_table(suite: RoleSuite, counts: Counts, scores: Sequence[Score], system: str) -> Table:
    """Property × order; orders are written short to stay within the width of a terminal."""
    groups, main = counts.groups, counts.measures[0]
    values = {one.group: one.value for one in scores if one.system == system and one.measure == main}
    at = {
        (groups.keys[number]["property"], groups.keys[number]["order"]): values[number]
        for number in groups.numbers("property", "order")
    }
    orders = [str(groups.keys[number]["order"]) for number in groups.numbers("order")]
    names = [str(groups.keys[number]["property"]) for number in groups.numbers("property")]
    rows = [[name, *(at.get((name, order)) for order in orders)] for name in names]
    title = f"{_SHOWN[main]} by property and order: {short_names(counts.systems)[system]}"
    note = "Orders: " + ", ".join(f"{short_order(order)} is {order}" for order in orders[:1]) + ", and so on."
    return Table(title, ["property", *map(short_order, orders)], rows, note=note if orders else "")


def kind_table(counts: Counts, kinds: Mapping[str, Sequence[int]], known: Sequence[str]) -> Table:
    """How many items of each kind every system has; kinds that no system has are left out."""
    total = int(counts.groups.sizes[0])
    code = {name: list(KINDS).index(name) for name in known}
    used = [name for name in known if any(one[code[name]] for one in kinds.values())]
    explained = len(counts.systems) <= _WITH_INTERVALS
    columns = ["kind", *(["meaning"] if explained else [])]
    rows: list[list[Value]] = [[name, *([KINDS[name]] if explained else [])] for name in used]
    for place, system in enumerate(counts.systems, 1):
        columns += [f"items {place}" if len(counts.systems) > 1 else "items", "%"]
        for row, name in zip(rows, used, strict=True):
            found = kinds[system][code[name]]
            row += [found, 100 * found / total]
    return Table("What was made of the items", columns, rows)


def kind_group_table(
    suite: RoleSuite, groups: Groups, kinds: Sequence[Sequence[int]], known: Sequence[str], title: str
) -> Table:
    """Per cent of the items of each order and property that are of each kind (`kinds`: groups × kinds)."""
    numbers = [0, *groups.numbers("order"), *groups.numbers("property")]
    codes = [list(KINDS).index(name) for name in known]
    used = [code for code in codes if any(kinds[number][code] for number in numbers)]
    rows: list[list[Value]] = []
    for number in numbers:
        size = int(groups.sizes[number])
        key = groups.keys[number]
        name = str(key.get("order") or key.get("property") or "all")
        rows.append([name, size, *(100 * kinds[number][code] / size for code in used)])
    return Table(title, ["group", "items", *(list(KINDS)[code] for code in used)], rows, digits=1)


def improvement_table(suite: RoleSuite, counts: Counts, found: Sequence[Improvement], baseline: str) -> Table:
    """Differences in the main measure; p is corrected."""
    main = counts.measures[0]
    cells = {(one.group, one.system): one for one in found if one.measure == main}
    numbers = list(dict.fromkeys(one.group for one in found))
    systems = [name for name in counts.systems if name != baseline]
    groups = counts.groups
    ranged = counts.draws > 0 and len(systems) <= _WITH_INTERVALS
    rows: list[list[Value]] = []
    for number in numbers:
        key = groups.keys[number]
        row: list[Value] = [str(key.get("order") or key.get("property") or "all"), int(groups.sizes[number])]
        for system in systems:
            one = cells[number, system]
            row += [f"{one.value:+.2f}", *([span(one.low, one.high)] if ranged else []), shown_p(one.p_holm)]
        rows.append(row)
    columns = ["group", "items"]
    for system in systems:
        columns += [f"{_SHOWN[main]} {counts.systems.index(system) + 1}", *(["95 %"] if ranged else []), "p Holm"]
    title = f"Improvement over {short_names(counts.systems)[baseline]}, paired by item"
    return Table(title, columns, rows)


def delta_tables(suite: RoleSuite, counts: Counts, deltas: Sequence[Delta]) -> list[Table]:
    """What a change does, the most harmful first, for each system."""
    tables = []
    names = short_names(counts.systems)
    for system in counts.systems:
        for pair in ("property", "order"):
            found = [one for one in deltas if (one.system, one.pair) == (system, pair) and one.value is not None]
            found.sort(key=lambda one: one.value or 0)
            if not found:
                continue
            rows = [
                (
                    _change(one, suite), one.pairs, one.sets, f"{one.value:+.2f}", span(one.low, one.high),
                    shown_p(one.p), shown_p(one.p_holm),
                )
                for one in found
            ]  # fmt: skip
            columns = (pair, "pairs", "sets", f"Δ {_SHOWN[counts.measures[0]]}", "95 %", "p", "p Holm")
            what = "adding one property" if pair == "property" else "another order"
            note = "Mean over minimal pairs; sets (one sentence in its orders, or one base sentence) are drawn anew."
            tables.append(Table(f"What {what} changes, all else equal: {names[system]}", columns, rows, note=note))
    return tables


def _change(delta: Delta, suite: RoleSuite) -> str:
    if delta.pair == "property":
        meaning = PROPERTIES[suite.kind].get(delta.change, "")
        return f"{delta.change}: {meaning}" if meaning else delta.change
    return delta.change


def example_table(system: str, wanted: str, shown: Sequence[Example], total: int) -> Table:
    rows = [(one.item, one.order, one.props, one.marked, one.predicted) for one in shown]
    more = f", the first {len(shown)}" if total > len(shown) else ""
    title = f"{system}: {total:,} item{'' if total == 1 else 's'} for {wanted}{more}"
    if not any(one.order for one in shown):
        return Table(title, ("item", "props", "gold", "predicted"), [(row[0], *row[2:]) for row in rows])
    short = [(row[0], short_order(row[1]), *row[2:]) for row in rows]
    return Table(title, ("item", "order", "props", "gold", "predicted"), short)


def _labels(suite: RoleSuite, groups: Groups, numbers: Sequence[int]) -> tuple[list[str], list[list[Value]]]:
    """The columns that name a group, and their cells."""
    keys = [groups.keys[number] for number in numbers]
    names = list(keys[0]) if keys else []
    if names == ["property"]:
        meanings = PROPERTIES[suite.kind]
        return ["property", "meaning"], [[key["property"], meanings.get(str(key["property"]), "")] for key in keys]
    return names, [[key[name] for name in names] for key in keys]
