"""The tables and verdicts of the roles study."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...errors import unknown_name
from ...runs.result.layout import (
    ORDERED,
    SIGNED,
    WITH_INTERVALS,
    Column,
    FindingIndex,
    P,
    group_columns,
    groups_by_systems,
    measured,
    short_names,
    systems_by_measures,
    table,
    unfolded,
    worst_first,
)
from ...runs.result.result import Finding, Table, Value, Verdict
from ...runs.result.verdict import (
    MEASURED,
    NOT_SHOWN,
    clusters_text,
    count_text,
    difference_text,
    loss_text,
    score_text,
)
from ...stats.sampling import Clusters
from ...suites.roles.model import RoleSuite
from ...suites.roles.names import ORDERS, PP_PROPERTIES, PROPERTIES, ROLE_PROPERTIES
from ..engine.grouping import ColumnGroups, column_table
from ..engine.verdicts import MeasureWords, comparisons_text, effect_of, score_verdicts, surest
from .arcs import NOT_FOUND, OUTCOMES, JudgedArcs
from .declaration import COMBINATION, GROUPINGS
from .scores import FLIPS, KINDS, item_kinds, kind_name, kinds_for

if TYPE_CHECKING:
    pass

Group = Mapping[str, Value]
MEASURES = {"attachment": "attached", "las": "LAS", "uas": "UAS", "label": "label"}
_TITLES = {
    "order": "By order",
    "property": "By property (all items that carry it)",
    "variations": "By number of variations from the base sentence",
    "ambiguous": "By ambiguity (case leaves subject and object open)",
}
_ARC_NOTES = {
    "attachment": "attached: PPs with the right head, whatever their label. The others over both gold arcs.",
    "las": "Per cent of the gold arcs: with the right head and label, the right head, the right label.",
    "label": "This suite has no gold heads: label is the share of gold words with the right label, head unseen.",
}


class RoleTables:
    """The tables of a study on a suite (`kind`: roles or pp), each made from its findings."""

    def __init__(self, findings: Sequence[Finding], kind: str, clusters: Clusters) -> None:
        self.index, self.kind, self.clusters = FindingIndex(findings), kind, clusters
        self.systems = self.index.systems
        self.short = short_names(self.systems)
        self.shown = {key: MEASURES[key] for key in MEASURES if self.index.get(key, self.systems[0])}
        self.main = next(iter(self.shown))

    def all(
        self, by: Sequence[str], baseline: str, by_column: ColumnGroups | None = None, *, usual: bool = True
    ) -> list[Table]:
        """The systems, improvements over the baseline if there is one, and all groups, folded if nobody asks for them.

        The `usual` two that are open where nobody asks: the systems, and the improvements or the scores by order; a
        suite without orders has properties instead.
        """
        asked: Sequence[str] = by or (() if by_column else ("order",))
        if set(asked) == {"order"} and not self._groups("order"):
            asked = ("property",)
        tables = [self._systems(), *(self._improvements(baseline, asked) if baseline else [])]
        if by_column:
            more = {measure: heading for measure, heading in self.shown.items() if measure != self.main}
            if COMBINATION in by_column.names:
                by_column = replace(by_column, groups=worst_first(self.index, by_column.groups, self.main))
            tables.append(column_table(self.index, by_column, self.main, self.shown[self.main], "arcs", more=more))
        for name in GROUPINGS:
            tables += unfolded(self._of(name), name in asked and bool(by or (usual and not baseline)))
        return tables

    def _of(self, grouping: str) -> Iterator[Table]:
        """The tables of one grouping; none where the suite has no such groups."""
        if grouping in _TITLES and (groups := self._groups(grouping)):
            yield self._scores(groups, _TITLES[grouping])
        elif grouping == "property-order" and self._groups("property", "order"):
            yield from map(self._cells, self.systems)
        elif grouping == "confusion":
            yield self._kinds()
            yield from map(self._kinds_of_groups, self.systems)
        elif grouping == "pairs":
            for system in self.systems:
                for pair in ("property", "order"):
                    yield from self._deltas(system, pair)
                    yield from self._flips(system, pair)

    def _groups(self, *keys: str) -> list[dict[str, Value]]:
        return self.index.groups(*keys, measure="size")

    def _items(self, groups: Sequence[Group]) -> list[Column]:
        return measured("items", [self.index.get("size", "", group) for group in groups])

    def _systems(self) -> Table:
        """One row per system; its number stands for it in the other tables."""
        index = self.index
        first = index.get("las", self.systems[0]) or index.get(self.main, self.systems[0])
        columns = systems_by_measures(index, self.shown, intervals=[self.main])
        right = [index.get("items_share", system, {"kind": "right"}) for system in self.systems]
        what = "subject and object" if self.kind == "roles" else "preposition and noun"
        size = index.get("size")
        assert first is not None
        assert size is not None
        title = f"{first.suite}: {what} in {size.value:,} items ({first.n:,} gold arcs)"
        note = "\n".join(part for part in (_ARC_NOTES[self.main], self.clusters.note) if part)
        return table(title, [*columns, *measured("items right %", right)], note=note, name="systems")

    def _scores(self, groups: Sequence[Group], title: str) -> Table:
        """One system: all measures; several: the main one side by side."""
        if not set(groups[0]) & set(ORDERED):
            groups = worst_first(self.index, groups, self.main)
        columns = group_columns(groups)
        if "property" in groups[0]:
            columns.append(Column("meaning", [self._meaning(group["property"]) for group in groups]))
        columns += self._items(groups)
        for measure, header in self.shown.items():
            if measure == self.main:
                columns += groups_by_systems(self.index, groups, measure, header)
            elif len(self.systems) == 1:
                columns += measured(header, [self.index.get(measure, self.systems[0], group) for group in groups])
        return table(title, columns, name=f"by-{next(iter(groups[0]))}")

    def _cells(self, system: str) -> Table:
        """Property × order; orders are written short to stay within the width of a terminal."""
        orders = [group["order"] for group in self._groups("order")]
        names = self._groups("property")
        columns = group_columns(names)
        for order in orders:
            scores = [self.index.get(self.main, system, {**name, "order": order}) for name in names]
            columns += measured(short_order(str(order)), scores)
        title = f"{self.shown[self.main]} by property and order: {self.short[system]}"
        note = f"Orders: {short_order(str(orders[0]))} is {orders[0]}, and so on."
        return table(title, columns, note=note, name="by-property-order")

    def _named_groups(
        self, of: Sequence[str] = ("order", "property"), rank: Callable[[Group], float] | None = None
    ) -> tuple[list[Group], list[Column]]:
        """All items, the orders and the properties, with their names and sizes; each kind by `rank` if there is one."""
        kinds = [self._groups(key) for key in ("order", "property") if key in of]
        groups: list[Group] = [{}, *(group for kind in kinds for group in (sorted(kind, key=rank) if rank else kind))]
        names = [next(iter(group.values()), "all") for group in groups]
        return groups, [Column("group", names), *self._items(groups)]

    def _improvements(self, baseline: str, asked: Sequence[str]) -> Iterator[Table]:
        """Differences in the main measure; p is corrected over all groups, also those that nobody asked for."""
        yield self._improvement(baseline, asked)
        if not {"order", "property"} <= set(asked):
            yield from unfolded([self._improvement(baseline, ("order", "property"))], asked=False)

    def _improvement(self, baseline: str, of: Sequence[str]) -> Table:
        others = [system for system in self.systems if system != baseline]
        measure, by = f"{self.main}_difference", {"baseline": baseline}

        def loss(group: Group) -> float:
            finding = self.index.get(measure, others[0], {**group, **by})
            return float("inf") if finding is None or finding.value is None else float(finding.value)

        groups, columns = self._named_groups(of, loss if others else None)
        for system in others:
            keys = [{**group, **by} for group in groups]
            differences = [self.index.get(measure, system, key) for key in keys]
            ps = [self.index.get(f"{self.main}_p_holm", system, key) for key in keys]
            header = f"{self.shown[self.main]} {self.systems.index(system) + 1}"
            columns += measured(header, differences, interval=len(others) <= WITH_INTERVALS, kind=SIGNED)
            columns += measured("p Holm", ps, kind=P)
        title = f"Improvement over {self.short[baseline]}, paired by {self.clusters.name}"
        return table(title, columns, name="improvement")

    def _used_kinds(self, systems: Sequence[str], groups: Sequence[Group]) -> list[str]:
        """The kinds that some system has in some group."""
        counted = [
            (kind, self.index.get("items", system, {**group, "kind": kind}))
            for kind in KINDS
            for system in systems
            for group in groups
        ]
        return list(dict.fromkeys(kind for kind, items in counted if items is not None and items.value))

    def _kinds(self) -> Table:
        """How many items of each kind every system has."""
        used = self._used_kinds(self.systems, [{}])
        columns = [Column("kind", used)]
        if len(self.systems) <= WITH_INTERVALS:
            columns.append(Column("meaning", [KINDS[kind] for kind in used]))
        for number, system in enumerate(self.systems, 1):
            header = f"items {number}" if len(self.systems) > 1 else "items"
            columns += measured(header, [self.index.get("items", system, {"kind": kind}) for kind in used])
            columns += measured("%", [self.index.get("items_share", system, {"kind": kind}) for kind in used])
        return table("What was made of the items", columns, name="kinds")

    def _kinds_of_groups(self, system: str) -> Table:
        """Per cent of the items of each order and property that are of each kind."""
        groups, columns = self._named_groups()
        for kind in self._used_kinds([system], groups):
            shares = [self.index.get("items_share", system, {**group, "kind": kind}) for group in groups]
            columns += measured(kind, shares)
        return table(f"Kinds of items, per cent: {self.short[system]}", columns, digits=1, name="kinds-by-group")

    def _deltas(self, system: str, pair: str) -> Iterator[Table]:
        """What a change does, the most harmful first; no table where no pair shows it."""
        measure = f"{self.main}_delta"
        deltas = [
            finding
            for finding in self.index.findings
            if finding.measure == measure
            and finding.system == system
            and finding.by["pair"] == pair
            and finding.value is not None
        ]
        if not deltas:
            return
        deltas.sort(key=lambda delta: float(delta.value or 0))
        tests = [self.index.get(f"{measure}_p", system, delta.by) for delta in deltas]
        corrected = [self.index.get(f"{measure}_p_holm", system, delta.by) for delta in deltas]
        columns = [
            Column(pair, [self._change(delta.by["change"]) for delta in deltas]),
            *measured("pairs", deltas, of="n"), *self._several_words(deltas), *measured("clusters", tests, of="n"),
            *measured(f"Δ {self.shown[self.main]}", deltas, interval=True, kind=SIGNED),
            *measured("p", tests, kind=P), *measured("p Holm", corrected, kind=P),
        ]  # fmt: skip
        what = "adding one property" if pair == "property" else "another order"
        title = f"What {what} changes, all else equal: {self.short[system]}"
        note = f"Mean over minimal pairs; clusters: {self.clusters.name}."
        yield table(title, columns, note=note, name=f"pairs-{pair}")

    def _flips(self, system: str, pair: str) -> Iterator[Table]:
        """How often a change changes the analysis, in each direction; no table where no pair shows it."""
        flips = [
            finding
            for finding in self.index.findings
            if finding.measure == FLIPS[0] and finding.system == system and finding.by["pair"] == pair
        ]
        if not flips:
            return
        flips.sort(key=lambda finding: -float(finding.value or 0))
        columns = [
            Column(pair, [self._change(flip.by["change"]) for flip in flips]),
            *measured("pairs", flips, of="n"),
        ]
        for measure, header in zip(FLIPS, ("changed %", "lost %", "gained %"), strict=True):
            columns += measured(header, [self.index.get(measure, system, flip.by) for flip in flips], interval=True)
        what = "one more property" if pair == "property" else "another order"
        title = f"How often {what} changes the analysis: {self.short[system]}"
        note = "Changed: another label, or a head right in one item alone. Lost: right before; gained: right after."
        yield table(title, columns, note=note, name=f"flips-{pair}")

    def _several_words(self, deltas: Sequence[Finding]) -> list[Column]:
        """In how many of the pairs more than one word differs; pairs by order have the same words."""
        mixed = [self.index.get("several_words", "", delta.by) for delta in deltas]
        return measured(">1 word", mixed) if any(mixed) else []

    def _meaning(self, name: Value) -> str:
        return PROPERTIES[self.kind].get(str(name), "")

    def _change(self, name: Value) -> str:
        """A property with its meaning; a change of order as it is."""
        meaning = self._meaning(name)
        return f"{name}: {meaning}" if meaning else str(name)


def short_order(order: str) -> str:
    """`VF[S]LK[V]MF[O]` as `S V O`: the fields without their names."""
    return " ".join(re.findall(r"\[(.*?)\]", order)) or order


def example_table(system: str, wanted: str, shown: Sequence[RoleExample], total: int) -> Table:
    """Items with what gold says and what the system says."""
    columns = [Column("item", [example.item for example in shown])]
    if any(example.order for example in shown):
        columns.append(Column("order", [short_order(example.order) for example in shown]))
    columns.append(Column("props", [example.props for example in shown]))
    columns.append(Column("gold", [example.marked for example in shown]))
    columns.append(Column("predicted", [example.predicted for example in shown]))
    more = f", the first {len(shown)}" if total > len(shown) else ""
    title = f"{system}: {count_text(total, 'item')} for {wanted}{more}"
    return table(title, columns, name="examples")


_NAMES = {"las": "LAS", "uas": "UAS", "label": "label accuracy", "attachment": "attachment accuracy"}


def role_verdicts(findings: Sequence[Finding], measure: str, baseline: str, cluster: str) -> Iterator[Verdict]:
    """Scores and differences of the systems; then of each but the baseline the order and property that cost most."""
    yield from score_verdicts(findings, MeasureWords(measure, _NAMES[measure], "arc", cluster), baseline)
    index = FindingIndex(findings)
    for system in index.systems:
        if system == baseline:
            continue
        for pair in ("order", "property"):
            changes = [
                finding
                for finding in findings
                if finding.measure == f"{measure}_delta" and finding.system == system and finding.by["pair"] == pair
            ]
            yield from _costliest(index, measure, system, changes)


def order_verdicts(findings: Sequence[Finding], cluster: str, missing: Sequence[str] = ()) -> Iterator[Verdict]:
    """Which order of a treebank is the most frequent, how often nothing but order tells who acts; then the systems."""
    index = FindingIndex(findings)
    for lead in [finding for finding in findings if finding.measure == "share_lead"]:
        effect = effect_of(index, "share_lead", "share_lead_p", "", lead.by)
        first, second = (index.get("share", "", {"order": lead.by[key]}) for key in ("order", "than"))
        if effect is None or first is None or second is None:
            continue
        names = f"{lead.by['order']} {score_text(first)} %, {lead.by['than']} {score_text(second)} %"
        size = f"{names}; {difference_text(lead)} points, {count_text(lead.n, 'clause')}, "
        size += clusters_text(effect.p, cluster)
        if effect.sure == NOT_SHOWN:
            text = f"No order is shown to be the most frequent in {lead.suite}: {size}."
        else:
            text = f"{lead.by['order']} is the most frequent order in {lead.suite} ({effect.sure}): {size}."
        yield Verdict(text, effect.sure, (*effect.rests_on, first, second), weight=100.0)
    left_open = index.get("share", "", {"clue": "open"})
    if left_open is not None and left_open.value is not None:
        text = f"Case, adpositions and agreement leave subject and object open in {score_text(left_open)} % of "
        text += f"{count_text(left_open.n, 'clause')} of {left_open.suite}."
        yield Verdict(text, MEASURED, (left_open,))
    unknown = index.get("share", "", {"clue": "not annotated"})
    if unknown is not None and unknown.value is not None:
        text = f"{' and '.join(missing)}: not annotated in {unknown.suite}. What is annotated does not tell subject "
        text += f"from object in {score_text(unknown)} % of {count_text(unknown.n, 'clause')}."
        yield Verdict(text, MEASURED, (unknown,))
    if index.systems:
        words = MeasureWords("las", "LAS", "arc", cluster)
        yield from score_verdicts(findings, words, "", [("order",), ("clue",)])


def _costliest(index: FindingIndex, measure: str, system: str, changes: Sequence[Finding]) -> Iterator[Verdict]:
    """The change that costs most, where its cost is shown or suggested."""
    costs = surest(effect_of(index, f"{measure}_delta", f"{measure}_delta_p", system, delta.by) for delta in changes)
    costly = [cost for cost in costs if cost.size < 0]
    if not costly:
        return
    cost = costly[0]
    by = cost.finding.by
    change, name, rests_on, tail = str(by["change"]), short_names(index.systems)[system], list(cost.rests_on), ""
    if by["pair"] == "order":
        orders = change.split(" > ")
        where = f"when the order changes from {_explained(orders[0], ORDERS)} to {_explained(orders[1], ORDERS)}"
        scores = [score for order in orders if (score := index.get(measure, system, {"order": order}))]
        if len(scores) == len(orders):
            rests_on += scores
            tail = f"; over all items of these orders, {_NAMES[measure]} {' and '.join(map(score_text, scores))}"
    else:
        where = f"when a sentence gets the property {_explained(change, {**ROLE_PROPERTIES, **PP_PROPERTIES})}"
        mixed = index.get("several_words", "", by)
        if mixed is not None and mixed.value:
            rests_on.append(mixed)
            tail = f"; more than one word changes in {mixed.value:,} of {count_text(mixed.n, 'pair')}"
    compared = comparisons_text(cost)
    text = f"{name} {loss_text(cost.finding)} {where}, {count_text(cost.finding.n, 'pair')}"
    text += f"{compared} ({cost.sure}){tail}."
    yield Verdict(text, cost.sure, tuple(rests_on), weight=abs(cost.size), examples="wrong")


def _explained(code: str, meanings: Mapping[str, str]) -> str:
    """A code of the suite after what it means: `“verb second, object first” (VF[O]LK[V]MF[S])`."""
    meaning = meanings.get(code, "")
    if not meaning:
        return code
    abbreviation = meaning.split()[0].isupper()
    return f"“{meaning if abbreviation else meaning[0].lower() + meaning[1:]}” ({code})"


@dataclass(frozen=True, slots=True)
class RoleExample:
    """One item with its tested words."""

    item: str
    place: str
    order: str
    props: str
    kind: str
    marked: str
    """The sentence with the gold label after each tested word, as in Hunde/nsubj."""
    gold: str
    predicted: str
    outcome: str


def parse_wanted(suite: RoleSuite, wanted: str) -> tuple[str, str]:
    """`KIND` or `KIND:GROUP`, where the group is an order or a property of the suite."""
    kind, _, group = wanted.partition(":")
    known = kinds_for(suite.kind)
    if kind not in (*known, "wrong"):
        raise unknown_name("kind of item", kind, (*known, "wrong"), where="--examples")
    groups = {*suite.order_counts(), *suite.property_counts()}
    if group and group not in groups:
        raise unknown_name("order or property", group, sorted(groups), where="--examples")
    return kind, group


def find_examples(suite: RoleSuite, judged: JudgedArcs, wanted: str, limit: int = 10) -> tuple[list[RoleExample], int]:
    """The first `limit` items of a kind (`wrong`: all that are not right), and how many there are."""
    kind, group = parse_wanted(suite, wanted)
    codes = item_kinds(judged, suite.kind).tolist()
    numbers = [
        number
        for number, code in enumerate(codes)
        if (kind_name(code) == kind or (kind == "wrong" and kind_name(code) not in ("right", "")))
        and (not group or group == suite.orders[number] or group in suite.properties[number])
    ]
    return [_example(suite, judged, number, kind_name(codes[number])) for number in numbers[:limit]], len(numbers)


def _example(suite: RoleSuite, judged: JudgedArcs, number: int, kind: str) -> RoleExample:
    arcs, gold = judged.arcs, suite.treebank
    begin, end = np.searchsorted(arcs.item, [number, number + 1]).tolist()
    words = list(suite.tokens[number])
    offset = int(gold.offsets[number])
    gold_arcs, answers = [], []
    for arc in range(begin, end):
        label, place = arcs.label[arc], int(arcs.word[arc]) - offset
        form, head = words[place], int(arcs.head[arc])
        gold_arcs.append(f"{label} ← {suite.tokens[number][head - offset]}" if head >= 0 else label)
        answers.append(_said(judged, arc))
        words[place] = f"{form}/{label}"
    outcome = ", ".join(OUTCOMES[int(code)] for code in judged.outcome[begin:end])
    return RoleExample(
        suite.sent_ids[number], f"{suite.name}:{suite.lines[number]}", suite.orders[number],
        "-".join(suite.properties[number]), kind, " ".join(words), ", ".join(gold_arcs), ", ".join(answers), outcome,
    )  # fmt: skip


def _said(judged: JudgedArcs, arc: int) -> str:
    """The system's label and head."""
    if int(judged.outcome[arc]) == NOT_FOUND:
        return "(other tokens)"
    system, word = judged.alignment.system, int(judged.partner[arc])
    head, label = int(system.heads[word]), judged.predicted[arc]
    if judged.arcs.labels_only:
        return label
    if head < 0:
        return f"{label} (no head)"
    if head == 0:
        return f"{label} ← ROOT"
    first = int(system.offsets[int(system.sentence_of[word])])
    return f"{label} ← {system.column('form')[first + head - 1]}"
