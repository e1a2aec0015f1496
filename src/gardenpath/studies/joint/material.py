"""The items that both sorts of systems are asked about: sentences for models, and a treebank with decisive arcs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...suites.regions.decisive import Contrast, DecisiveArc, arc_of, carries_arcs, contrasts_of
from ...suites.regions.model import Condition, Item, RegionSuite
from ...treebank.pool import Column
from ...treebank.scores import universal
from ...treebank.treebank import Treebank
from ..roles.arcs import GoldArcs, JudgedArcs, judge
from ..surprisal.regions import AskedSuite, split_punctuation

Bools = NDArray[np.bool_]
PATHS = ("right", "garden path", "wrong in both", "right when ambiguous alone")
"""What a parser made of an item, by its two sentences."""
RIGHT, ASTRAY, BOTH_WRONG, ODD = range(4)
_TODO = 'see "Decisive arcs" in the documentation of suites; gardenpath suites new surprisal writes a suite with them'


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
