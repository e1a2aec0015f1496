"""Nodes that queries are about, as arrays: features, edges, order and families; and the words of a treebank."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..format.columns import Column
from ..format.fields import parse_pairs
from ..trees.tree import cyclic_mask, projective_mask, tree_mask
from .request import FunctionClause, LabelTest, SecondEdgeClause, SpecialPart, ValueTest, each_holds, label_part

if TYPE_CHECKING:
    from ..format.sentence import Node
    from ..format.treebank import Treebank


Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?", re.ASCII)
_FEW = 3  # Codes that are compared one by one
EDGE_FEATURES = ("label", "1", "2", "deep", "length", "delta")
PLACE = "__id__"
"""The feature of every node that numbers it in its sentence, for comparisons."""


class QueryNodes(ABC):
    """The nodes of all sentences, numbered through. Each has one edge to its governor, so an edge is its dependant."""

    trees: Any
    """What was read: a treebank, or a list of phrase trees."""
    name: str
    unit: ClassVar[str] = "node"
    """What one of them is called."""
    second_labels: Collection[str] = ()
    """Labels of secondary edges."""
    count: int
    sentence_count: int
    sentence_of: Ints
    offsets: Ints
    """The first node of each sentence, and the end of the last one."""

    def __init__(self) -> None:
        self._features: dict[str, tuple[Ints, list[str]]] = {}

    # ---- what the two kinds of trees answer each in its own way

    @property
    @abstractmethod
    def governors(self) -> Ints:
        """The number of each node's governor; -1 where it is not a node."""

    @property
    @abstractmethod
    def labels(self) -> Column:
        """Of each node's edge."""

    @property
    @abstractmethod
    def attached(self) -> Mask:
        """Has a node an edge at all? That of the root is one."""

    @abstractmethod
    def encoded(self, name: str) -> tuple[Ints, list[str]]:
        """A feature of each node as code and values; -1 where there is none."""

    @abstractmethod
    def gap(self, first: Ints, second: Ints) -> Ints:
        """How far second begins behind the end of first: 1 if it comes next, 0 or less if it is not behind it."""

    @abstractmethod
    def delta(self, first: Ints, second: Ints) -> Ints:
        """How far second begins behind the beginning of first."""

    @abstractmethod
    def structured(self, structure: str) -> Mask:
        """For each sentence: is it a tree, projective, …"""

    @abstractmethod
    def commented(self, test: ValueTest) -> Mask:
        """For each sentence: is its comment so?"""

    @abstractmethod
    def refused(self, part: SpecialPart, edges: Sequence[str]) -> str:
        """Why these trees cannot be asked this; empty where they can. `edges` are the names of edges."""

    def applied(self, function: str, nodes: Ints) -> Ints:
        """What a function gives for each of these nodes; -1 for nothing, as where trees have no functions."""
        return np.full(len(nodes), -1, dtype=np.int64)

    def second_edges(self, test: LabelTest) -> tuple[Ints, Ints]:
        """The second mother and the node of each secondary edge with such a label, each pair once; here none."""
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)

    @abstractmethod
    def views(self, sentence: int, places: Mapping[str, int]) -> dict[str, Any]:
        """The nodes of one match as objects for people."""

    @abstractmethod
    def shown(self, sentence: int, views: Mapping[str, Any]) -> tuple[str, str, dict[str, str]]:
        """The name of the sentence, its text with the nodes of a match marked, and each node in short."""

    @abstractmethod
    def to_bytes(self) -> bytes:
        """The content, for the signature."""

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What else decided the answers, for the signature."""
        return []

    # ---- values

    def feature(self, name: str) -> tuple[Ints, list[str]]:
        if name not in self._features:
            self._features[name] = self._places() if name == PLACE else self.encoded(name)
        return self._features[name]

    def _places(self) -> tuple[Ints, list[str]]:
        places = np.arange(self.count) - np.asarray(self.offsets)[self.sentence_of]
        return places, [str(place) for place in range(1, int(places.max(initial=-1)) + 2)]

    def edge_feature(self, name: str) -> tuple[Ints, list[str]]:
        """`label`, a part of it, `length` or `delta` of each node's edge, in the same form."""
        pool: dict[str, int] = {}
        if name in ("length", "delta"):
            dependants = np.flatnonzero(self.governors >= 0)
            delta = np.zeros(self.count, dtype=np.int64)
            delta[dependants] = self.delta(self.governors[dependants], dependants)
            distances, places = np.unique(np.abs(delta) if name == "length" else delta, return_inverse=True)
            return places.astype(np.int64), [str(distance) for distance in distances.tolist()]
        parts = ((value if name == "label" else label_part(value, name)) or None for value in self.labels.values)
        table = codes_of(parts, pool)
        return table[self.labels.codes], list(pool)

    # ---- tests, one answer for every node

    def feature_at(self, name: str, places: Ints) -> tuple[Ints, list[str]]:
        """The same of these nodes alone."""
        codes, values = self.feature(name)
        return codes[places], values

    def is_dear(self, name: str) -> bool:
        """Is a feature better asked of few nodes, since each is thought about by itself?"""
        return False

    def tested(self, test: ValueTest, among: Mask) -> Mask:
        """Those among these nodes for which a test holds."""
        if not self.is_dear(test.name):
            codes, values = self.feature(test.name)
            return among & _looked_up(each_holds(test, [*values, None]), codes)
        places = np.flatnonzero(among)
        codes, values = self.feature_at(test.name, places)
        mask = np.zeros(self.count, dtype=bool)
        mask[places] = _looked_up(each_holds(test, [*values, None]), codes)
        return mask

    def any_of(self, alternatives: Iterable[Iterable[ValueTest]], among: Mask) -> Mask:
        """Those among these nodes of which all tests of some alternative hold."""
        mask = np.zeros(self.count, dtype=bool)
        for tests in alternatives:
            own = among
            for test in sorted(tests, key=lambda test: self.is_dear(test.name)):
                own = self.tested(test, own)
            mask |= own
        return mask

    def labelled(self, test: LabelTest) -> Mask:
        """Nodes whose edge has such a label; the root's edge is one too."""
        mask = _looked_up(each_holds(test, self.labels.values), self.labels.codes)
        return mask if self._all_attached else mask & self.attached

    @cached_property
    def _all_attached(self) -> bool:
        return bool(self.attached.all())

    # ---- kin

    @cached_property
    def governed(self) -> Mask:
        """Is the governor a node?"""
        mask: Mask = self.governors >= 0
        return mask

    @cached_property
    def families(self) -> Ints:
        """The same number for nodes at one governor; those at the root of a sentence are a family too, -1 is none."""
        roots = self.count + self.sentence_of
        return np.where(self.governors >= 0, self.governors, np.where(self.attached, roots, -1))

    def ancestors(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Which of the nodes, and an ancestor of it, for all its ancestors; in a cycle each but itself once.

        Climbs from all nodes at once. A way up is shorter than its sentence has nodes; one that is not is in a cycle.
        """
        which, above = np.arange(len(nodes)), self.governors[nodes]
        sizes = np.bincount(self.sentence_of, minlength=self.sentence_count)[self.sentence_of[nodes]]
        pairs: list[tuple[Ints, Ints]] = []
        cyclic, steps = False, 0
        while True:
            alive = (above >= 0) & (sizes[which] > steps)
            cyclic |= bool(((above >= 0) & ~alive).any())
            which, above = which[alive], above[alive]
            if not len(which):
                break
            pairs.append((which, above))
            above, steps = self.governors[above], steps + 1
        if not pairs:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        rows, nodes_above = (np.concatenate(column) for column in zip(*pairs, strict=True))
        if cyclic:
            rows, nodes_above = np.unique(np.stack([rows, nodes_above]), axis=1)
        return rows, nodes_above


def _looked_up(answers: Sequence[bool], codes: NDArray[Any]) -> Mask:
    """The answer for each code; -1 is the last one. Where few are yes, comparing is quicker than looking up."""
    table = np.array(answers, dtype=bool)
    right = np.flatnonzero(table).tolist()
    if not 0 < len(right) <= _FEW:
        looked_up: Mask = table[codes]
        return looked_up
    last = len(table) - 1
    mask: Mask = codes == right[0]
    for code in right[1:]:
        mask |= codes == code
    return mask | (codes == -1) if table[last] else mask


def edge_fault(feature: str) -> str:
    """Why an edge cannot be asked for this feature; empty where it can."""
    return "" if feature in EDGE_FEATURES else f"an edge has no {feature!r}: there are {', '.join(EDGE_FEATURES)}"


def as_number(value: str) -> float:
    """The value as a number, NaN where it is none."""
    return float(value) if _NUMBER.fullmatch(value) else np.nan


def codes_of(values: Iterable[str | None], pool: dict[str, int]) -> Ints:
    """The number of each value in the pool, which grows by those that are new; -1 for None."""
    return np.array([-1 if value is None else pool.setdefault(value, len(pool)) for value in values], dtype=np.int64)


def marked_words(forms: Sequence[str], marked: Iterable[int]) -> list[str]:
    """The words, with « » around some of them."""
    chosen = set(marked)
    return [f"«{form}»" if place in chosen else form for place, form in enumerate(forms)]


COLUMNS = ("form", "lemma", "upos", "xpos")


class QueryWords(QueryNodes):
    """The words of a treebank."""

    trees: Treebank
    unit = "word"

    def __init__(self, treebank: Treebank) -> None:
        super().__init__()
        self.trees, self.name = treebank, treebank.name
        self.count, self.sentence_count = treebank.word_count, len(treebank)
        self.sentence_of, self.offsets = treebank.sentence_of, treebank.offsets

    @cached_property
    def governors(self) -> Ints:
        heads = self.trees.heads.astype(np.int64)
        begins = np.repeat(self.trees.offsets[:-1], self.trees.lengths)
        return np.where(heads > 0, begins + heads - 1, -1)

    @cached_property
    def labels(self) -> Column:
        return self.trees.column("deprel")

    @cached_property
    def attached(self) -> Mask:
        mask: Mask = self.trees.heads >= 0
        return mask

    # ---- values

    def encoded(self, name: str) -> tuple[Ints, list[str]]:
        """FEATS come before MISC."""
        pool: dict[str, int] = {}
        if name in COLUMNS:
            column = self.trees.column(name)
            table = codes_of((None if value == "_" and name != "form" else value for value in column.values), pool)
            return table[column.codes], list(pool)
        name = re.sub(r"(?<=\w)__(\w+)$", r"[\1]", name)  # Number__psor of Grew is Number[psor]
        codes = np.full(self.count, -1, dtype=np.int64)
        for field in ("misc", "feats"):
            column = self.trees.column(field)
            table = codes_of((parse_pairs(value).get(name) for value in column.values), pool)
            known = table[column.codes]
            codes = np.where(known >= 0, known, codes)
        return codes, list(pool)

    @cached_property
    def feature_names(self) -> frozenset[str]:
        """Every name in FEATS and MISC."""
        cells = (cell for field in ("feats", "misc") for cell in self.trees.column(field).values)
        return frozenset(name for cell in cells for name in parse_pairs(cell))

    def gap(self, first: Ints, second: Ints) -> Ints:
        return second - first

    delta = gap

    # ---- sentences

    def structured(self, structure: str) -> Mask:
        """For each sentence: is it a tree, projective, …"""
        heads, offsets = self.trees.heads, self.trees.offsets
        if structure == "projective":
            return projective_mask(heads, offsets)
        if structure == "tree":
            return tree_mask(heads, offsets)
        cyclic = cyclic_mask(heads, offsets)
        return cyclic if structure == "cyclic" else ~cyclic

    def commented(self, test: ValueTest) -> Mask:
        """For each sentence: is its comment so?"""
        texts = self.trees.comment_values(test.name)
        return np.array(each_holds(test, [text or None for text in texts]), dtype=bool)

    # ---- matches for people

    def refused(self, part: SpecialPart, edges: Sequence[str]) -> str:
        """FEATS and MISC may hold anything."""
        if isinstance(part, FunctionClause):
            return f"{part.function}(…) is for phrase trees: words have no such function"
        return "secondary edges are for phrase trees" if isinstance(part, SecondEdgeClause) else ""

    def views(self, sentence: int, places: Mapping[str, int]) -> dict[str, Node]:
        words, first = self.trees[sentence].words, int(self.trees.offsets[sentence])
        return {name: words[place - first] for name, place in places.items()}

    def shown(self, sentence: int, views: Mapping[str, Node]) -> tuple[str, str, dict[str, str]]:
        tree = self.trees[sentence]
        words = marked_words([word.form for word in tree.words], (node.ord - 1 for node in views.values()))
        nodes = {name: f"{node.ord} {node.form}" for name, node in views.items()}
        return tree.sent_id or str(sentence + 1), " ".join(words), nodes

    def to_bytes(self) -> bytes:
        return self.trees.to_bytes()
