"""The items of the joint study, as sentences and as trees, and what the judgements come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...runs.result.result import Finding, Value
from ...stats.sampling import Clusters, GroupComparison, compare_groups, shares
from ...suites.regions.model import Condition, Item, RegionSuite
from ...suites.regions.positions import Contrast, DecisiveArc, arc_of, carries_arcs, contrasts_of
from ...treebank.format.columns import Column
from ...treebank.format.treebank import Treebank
from ...treebank.trees.scores import universal
from ..engine.grouping import ColumnGroups
from ..roles.arcs import GoldArcs, JudgedArcs, judge
from ..surprisal.asking import AskedSuite, split_punctuation
from ..surprisal.outcomes import mean_difference
from .declaration import STUDY

Bools = NDArray[np.bool_]
PATHS = ("right", "garden path", "wrong in both", "right when ambiguous alone")
"""What a parser made of an item, by its two sentences."""
RIGHT, ASTRAY, BOTH_WRONG, ODD = range(4)
_TODO = 'see "Decisive arcs" in the documentation of suites; gardenpath suite new surprisal writes a suite with them'


@dataclass(frozen=True, eq=False)
class JointMaterial:
    """Suites whose items all have two decisive arcs; arrays run over the items of all suites."""

    asked: Sequence[AskedSuite]
    contrasts: Sequence[Contrast]
    """One for each suite."""
    left_out: Mapping[str, int]

    @cached_property
    def items(self) -> list[tuple[RegionSuite, Contrast, Item]]:
        return [
            (asked.suite, contrast, item)
            for asked, contrast in zip(self.asked, self.contrasts, strict=True)
            for item in asked.suite.items
        ]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def suites(self) -> list[RegionSuite]:
        return [asked.suite for asked in self.asked]

    @property
    def title(self) -> str:
        return self.suites[0].title if len(self.asked) == 1 else f"{len(self.asked)} suites"

    @cached_property
    def constructions(self) -> list[str]:
        """The class of each item's suite, or the suite itself."""
        return [suite.property_of("class") or suite.title for suite, _, _ in self.items]

    @cached_property
    def sentences(self) -> list[tuple[RegionSuite, Item, Condition, DecisiveArc]]:
        """Two for each item: the harder and the easier one."""
        sentences = []
        for suite, contrast, item in self.items:
            for name in (contrast.harder, contrast.easier):
                condition = item.condition(name)
                arc = arc_of(suite, item, condition) if condition is not None else None
                assert condition is not None
                assert arc is not None
                sentences.append((suite, item, condition, arc))
        return sentences

    @cached_property
    def sentence_ids(self) -> list[str]:
        """What each sentence is called in the treebank."""
        names = (f"{suite.title}-{item.id}-{condition.name}" for suite, item, condition, _ in self.sentences)
        return [name.replace(" ", "_") for name in names]

    @cached_property
    def arcs(self) -> GoldArcs:
        """The decisive arcs over a treebank that says nothing else: one of each sentence."""
        text, words, heads = list[str](), list[int](), list[int]()
        size = 0
        for name, (suite, _, condition, arc) in zip(self.sentence_ids, self.sentences, strict=True):
            tokens, starts = _tokens(condition)
            dependent, head = starts[arc.dependent - 1], starts[arc.head - 1]
            words.append(size + dependent)
            heads.append(size + head)
            size += len(tokens)
            text.append(_conllu(name, tokens, dependent, head, arc.labels[0], suite.joiner))
        labels = [universal(arc.labels[0]) for *_, arc in self.sentences]
        values = list(dict.fromkeys(labels))
        codes = np.array([values.index(label) for label in labels], dtype=np.int32)
        gold = Treebank("".join(text).encode("utf-8"), name=self.title)
        return GoldArcs(gold, np.arange(len(words)), np.array(words), np.array(heads), Column(codes, values))

    def paths(self, judged: JudgedArcs) -> NDArray[np.int64]:
        """What a parser made of every item: an index into PATHS. An arc that is not found is wrong."""
        wanted = [frozenset(map(universal, arc.labels)) for *_, arc in self.sentences]
        labelled = [label in labels for label, labels in zip(judged.predicted.strings(), wanted, strict=True)]
        right: Bools = (judged.head_right & np.array(labelled)).reshape(-1, 2)
        harder, easier = right[:, 0], right[:, 1]
        return np.select([harder & easier, ~harder & easier, ~harder & ~easier], [RIGHT, ASTRAY, BOTH_WRONG], ODD)

    def judge(self, trees: Treebank) -> JudgedArcs:
        return judge(self.arcs, trees)


def with_arcs(material: Sequence[AskedSuite]) -> JointMaterial:
    """The items that can be asked of both; suites without decisive arcs and items that lack one are counted."""
    asked, contrasts = list[AskedSuite](), list[Contrast]()
    suites = items = 0
    for part in material:
        if not carries_arcs(part.suite):
            suites += 1
            continue
        contrast = _contrast(part.suite)
        kept = [item for item in part.suite.items if _has_both(part.suite, item, contrast)]
        items += len(part.suite) - len(kept)
        if kept:
            asked.append(replace(part, suite=replace(part.suite, items=kept)))
            contrasts.append(contrast)
    if not asked:
        where = ", ".join(part.suite.name for part in material[:3])
        raise InputError("no suite here says which arcs are decisive", where=where, todo=_TODO)
    counted = {"suites without decisive arcs, left out": suites, "items without a decisive arc, left out": items}
    return JointMaterial(asked, contrasts, {kind: count for kind, count in counted.items() if count})


def _contrast(suite: RegionSuite) -> Contrast:
    contrasts = contrasts_of(suite)
    if len(contrasts) != 1:
        what = f"{len(contrasts)} predictions compare a region in two conditions, and a parser is judged by one"
        raise InputError(what, where=suite.name, todo="keep the one whose sentences carry the decisive arcs")
    return contrasts[0]


def _has_both(suite: RegionSuite, item: Item, contrast: Contrast) -> bool:
    conditions = [item.condition(name) for name in (contrast.harder, contrast.easier)]
    return all(condition is not None and arc_of(suite, item, condition) is not None for condition in conditions)


def _tokens(condition: Condition) -> tuple[list[tuple[str, bool]], list[int]]:
    """(token, does its word go on?) of a sentence, and for each word the place of its token with a letter or digit."""
    tokens, starts = list[tuple[str, bool]](), list[int]()
    for word in condition.words:
        parts = split_punctuation(word) or [word]
        core = next((place for place, part in enumerate(parts) if any(map(str.isalnum, part))), 0)
        starts.append(len(tokens) + core)
        tokens += [(part, place < len(parts) - 1) for place, part in enumerate(parts)]
    return tokens, starts


def _conllu(name: str, tokens: Sequence[tuple[str, bool]], dependent: int, head: int, label: str, joiner: str) -> str:
    """A sentence with one arc."""

    def lines() -> Iterator[str]:
        written = "".join(form + ("" if goes_on else joiner) for form, goes_on in tokens).rstrip()
        yield f"# sent_id = {name}\n# text = {written}"
        for place, (form, goes_on) in enumerate(tokens):
            arc = f"{head + 1}\t{label}" if place == dependent else "_\t_"
            yield f"{place + 1}\t{form}\t_\t_\t_\t_\t{arc}\t_\t{'SpaceAfter=No' if goes_on or not joiner else '_'}"

    return "\n".join(lines()) + "\n\n"


Floats = NDArray[np.float64]
ITEMS = 500
"""Of so many items each is a finding of its own; of more there are observations."""
CONDITIONS = {"ambiguous": (RIGHT, ODD), "unambiguous": (RIGHT, ASTRAY)}
"""The two sentences of an item, and what a parser made of items in which its arc is right there."""


@dataclass(frozen=True, eq=False)
class JointCounts:
    """What every system made of every item; arrays run over items."""

    suite: str
    names: Sequence[str]
    """Of items."""
    constructions: NDArray[np.str_]
    clusters: Clusters
    paths: Mapping[str, NDArray[np.int64]]
    """By parser: index into PATHS."""
    effects: Mapping[str, Floats]
    """By model: bits, harder minus easier; NaN where it could not be scored."""
    by_column: ColumnGroups | None = None

    @property
    def groups(self) -> list[tuple[dict[str, Value], Bools]]:
        """All items, then those of each construction, where there are several."""
        whole: list[tuple[dict[str, Value], Bools]] = [({}, np.ones(len(self.names), dtype=bool))]
        named = list(dict.fromkeys(self.constructions.tolist()))
        parts = [({"construction": name}, self.constructions == name) for name in named]
        return [*whole, *((dict(by), chosen) for by, chosen in parts)]

    def findings(self) -> Iterator[Finding]:
        """Systems one by one, then pairs of a parser and a model, then item by item."""
        columns = self.by_column
        named = (
            [(dict(by), chosen) for by, chosen in zip(columns.groups, columns.members, strict=True)] if columns else []
        )
        for parser, by_chosen in product(self.paths, [*self.groups, *named]):
            yield from self._parser(parser, *by_chosen)
        for level in (self.groups[:1], self.groups[1:], named):
            yield from self._models(level)
            yield from self._pairs(level)
        if len(self.names) <= ITEMS:
            yield from self._items()

    def _finding(
        self, system: str, measure: str, value: float | int | str | None, n: int | None, by: Mapping[str, Value],
        ends: tuple[float | None, float | None] = (None, None),
    ) -> Finding:  # fmt: skip
        return Finding(STUDY, self.suite, system, measure, value, n, *ends, by)

    def _parser(self, parser: str, by: Mapping[str, Value], chosen: Bools) -> Iterator[Finding]:
        """How often it takes the garden path, and finds the arc of each sentence, in per cent of all items."""
        paths, size = self.paths[parser][chosen], int(chosen.sum())
        counted = {("astray", ""): (ASTRAY,), **{("arcs_right", name): kinds for name, kinds in CONDITIONS.items()}}
        right = np.stack([np.isin(paths, kinds) for kinds in counted.values()], axis=1)
        estimates = shares(right, np.ones_like(right), self.clusters.at(chosen))
        for (measure, condition), estimate in zip(counted, estimates, strict=True):
            assert estimate is not None
            keys = {**by, **({"condition": condition} if condition else {})}
            yield self._finding(parser, measure, 100 * estimate.value, size, keys, estimate.percent)

    def _models(self, level: Sequence[tuple[dict[str, Value], Bools]]) -> Iterator[Finding]:
        """The mean effect of every model, with the p of no effect."""
        for model, (by, chosen) in product(self.effects, level):
            test = mean_difference(self.effects[model][chosen], self.clusters.at(chosen))
            yield from test.findings((STUDY, self.suite, model), "effect", by)

    def _pairs(self, level: Sequence[tuple[dict[str, Value], Bools]]) -> Iterator[Finding]:
        """Where the parser errs against where it does not; over all items also without regard to constructions."""
        for parser, model, (by, chosen) in product(self.paths, self.effects, level):
            there = chosen & ~np.isnan(self.effects[model])
            values, astray = self.effects[model][there], self.paths[parser][there] == ASTRAY
            keys: dict[str, Value] = {**by, "parser": parser}
            for measure, group in (("effect_astray", values[astray]), ("effect_elsewhere", values[~astray])):
                if len(group):
                    yield self._finding(model, measure, float(group.mean()), len(group), keys)
            clusters = self.clusters.at(there)
            within = compare_groups(values, astray, clusters, self.constructions[there])
            if within is not None:
                yield from self._compared(model, keys, within)
                if (gap := within.gap).low is not None:
                    yield Finding(
                        STUDY, self.suite, model, "effect_gap_p", gap.p, gap.clusters, by=keys, effective=gap.effective
                    )
            pooled = compare_groups(values, astray, clusters) if not by else None
            if pooled is not None:
                yield from self._compared(model, keys, pooled, "_pooled")

    def _compared(
        self, model: str, keys: Mapping[str, Value], compared: GroupComparison, ending: str = ""
    ) -> Iterator[Finding]:
        for measure, difference in (("effect_gap", compared.gap), ("rank_biserial", compared.dominance)):
            ends = difference.low, difference.high
            yield self._finding(model, f"{measure}{ending}", difference.value, compared.items, keys, ends)

    def _items(self) -> Iterator[Finding]:
        for place, (item, construction) in enumerate(zip(self.names, self.constructions.tolist(), strict=True)):
            by: dict[str, Value] = {"construction": construction, "item": item}
            for parser, paths in self.paths.items():
                yield self._finding(parser, "item_path", PATHS[int(paths[place])], None, by)
            for model, effects in self.effects.items():
                effect = float(effects[place])
                yield self._finding(model, "item_effect", None if np.isnan(effect) else effect, None, by)
