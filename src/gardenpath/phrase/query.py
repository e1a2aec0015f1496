"""What queries ask about the nodes of phrase trees, and the search in them: the language is that of treebanks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import accumulate

import numpy as np

from ..errors import UsageError
from ..treebank.format.columns import Column
from ..treebank.query.nodes import PLACE, Ints, Mask, QueryNodes, codes_of, marked_words
from ..treebank.query.request import (
    FunctionClause,
    LabelTest,
    Reference,
    SecondEdgeClause,
    SpanClause,
    SpecialPart,
    ValueTest,
    each_holds,
)
from ..treebank.query.search import Matches
from ..treebank.query.search import search as search_nodes
from .encoding import stretches
from .heads import NODE_FEATURES, NODE_FUNCTIONS
from .schemes.model import Scheme
from .schemes.registry import scheme as known_scheme
from .schemes.registry import scheme_of
from .tree import NO_FUNCTION, ROOT, Node, PhraseTree

FEATURES = (
    "form", "lemma", "pos", "morph", "cat", "label", "function", "arity", "tokens", "gap", "start", "end",
)  # fmt: skip
"""`form` to `morph` are of tokens, `cat` is of inner nodes; the others of both."""


class PhraseNodes(QueryNodes):
    """The nodes of trees in the order of the trees, each tree's tokens before its inner nodes."""

    trees: Sequence[PhraseTree]

    def __init__(
        self, trees: Sequence[PhraseTree], name: str = "phrase trees", annotated: Scheme | None = None
    ) -> None:
        """`annotated` is their scheme, where it is known; else the trees tell it when they are asked for a notion."""
        super().__init__()
        self.trees, self.name, self._annotated = trees, name, annotated
        self._given: dict[str, dict[int, int]] = {}
        """What functions give, and codes of the scheme's features, of the nodes that were asked for them."""
        self._feature_codes: dict[str, dict[int, int]] = {}
        self._feature_pools: dict[str, dict[str, int]] = {}
        sizes = [len(tree.mothers) for tree in trees]
        self.offsets = np.array([0, *accumulate(sizes)], dtype=np.int64)
        self.count, self.sentence_count = int(self.offsets[-1]), len(trees)
        self.sentence_of = np.repeat(np.arange(len(trees)), sizes)

    @cached_property
    def scheme(self) -> Scheme | None:
        return self._annotated or scheme_of(self.trees)

    @cached_property
    def governors(self) -> Ints:
        mothers = np.array([mother for tree in self.trees for mother in tree.mothers], dtype=np.int64)
        return np.where(mothers == ROOT, -1, mothers + self.offsets[self.sentence_of])

    @cached_property
    def labels(self) -> Column:
        pool: dict[str, int] = {}
        codes = codes_of((_given(name) or "" for tree in self.trees for name in tree.functions), pool)
        return Column(codes.astype(np.int32), list(pool))

    @property
    def attached(self) -> Mask:
        return np.ones(self.count, dtype=bool)

    @cached_property
    def starts(self) -> Ints:
        """The first token of each node, in its sentence."""
        return np.array([start for tree in self.trees for start in tree.starts], dtype=np.int64)

    @cached_property
    def ends(self) -> Ints:
        """One past the last token."""
        return np.array([mask.bit_length() for tree in self.trees for mask in tree.masks], dtype=np.int64)

    def encoded(self, name: str) -> tuple[Ints, list[str]]:
        pool: dict[str, int] = {}
        return codes_of((value for tree in self.trees for value in _values(tree, name)), pool), list(pool)

    def applied(self, function: str, nodes: Ints) -> Ints:
        ask, given = NODE_FUNCTIONS[function], self._given.setdefault(function, {-1: -1})
        for place, first, node in self._views_of(nodes, given):
            answer = ask(node, self._known_scheme)
            given[place] = -1 if answer is None else first + answer.number
        return np.array([given[place] for place in nodes.tolist()], dtype=np.int64)

    def is_dear(self, name: str) -> bool:
        return name in NODE_FEATURES

    def feature_at(self, name: str, places: Ints) -> tuple[Ints, list[str]]:
        if name not in NODE_FEATURES:
            return super().feature_at(name, places)
        ask, codes = NODE_FEATURES[name], self._feature_codes.setdefault(name, {})
        pool = self._feature_pools.setdefault(name, {})
        for place, _, node in self._views_of(places, codes):
            value = ask(node, self._known_scheme)
            codes[place] = -1 if value is None else pool.setdefault(value, len(pool))
        return np.array([codes[place] for place in places.tolist()], dtype=np.int64), list(pool)

    def _views_of(self, places: Ints, known: Mapping[int, int]) -> Iterator[tuple[int, int, Node]]:
        """The nodes that nothing is known of yet, each with its place and that of its tree."""
        new = np.array([place for place in dict.fromkeys(places.tolist()) if place not in known], dtype=np.int64)
        sentences = self.sentence_of[new]
        rows = zip(new.tolist(), sentences.tolist(), self.offsets[sentences].tolist(), strict=True)
        return ((place, first, Node(self.trees[sentence], place - first)) for place, sentence, first in rows)

    @property
    def _known_scheme(self) -> Scheme:
        if self.scheme is None:
            raise UsageError("these trees do not tell their annotation scheme", where=self.name, todo="name it")
        return self.scheme

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The scheme, where it was asked for anything."""
        asked = self.scheme is not None and (self._given or self._feature_codes)
        return [("scheme", self._known_scheme.name)] if asked else []

    @cached_property
    def second_labels(self) -> frozenset[str]:  # type: ignore[override]
        return frozenset(label for tree in self.trees for _, label, _ in tree.secondary)

    def second_edges(self, test: LabelTest) -> tuple[Ints, Ints]:
        """Edges to the virtual root, which is no node, are left out."""
        edges = [
            (first + mother, first + node, label)
            for tree, first in zip(self.trees, self.offsets.tolist(), strict=False)
            for node, label, mother in tree.secondary
            if mother != ROOT
        ]
        fitting = each_holds(test, (label for _, _, label in edges))
        pairs = sorted({edge[:2] for edge, fits in zip(edges, fitting, strict=True) if fits})
        columns = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]

    def gap(self, first: Ints, second: Ints) -> Ints:
        return self.starts[second] - self.ends[first] + 1

    def delta(self, first: Ints, second: Ints) -> Ints:
        return self.starts[second] - self.starts[first]

    def structured(self, structure: str) -> Mask:
        """Projective: no node has a gap; a tree: one node is at the top. They have no cycles."""
        if structure == "projective":
            return np.array([not any(node.has_gap for node in tree.inner) for tree in self.trees], dtype=bool)
        if structure == "tree":
            return np.array([len(tree.top) == 1 for tree in self.trees], dtype=bool)
        return np.full(len(self.trees), structure == "forest")

    def commented(self, test: ValueTest) -> Mask:
        """By the name of the sentence (`sent_id`), or a comment `key = value`."""
        values = [_comment(tree, test.name) for tree in self.trees]
        return np.array(each_holds(test, values), dtype=bool)

    def refused(self, part: SpecialPart, edges: Sequence[str]) -> str:
        if isinstance(part, SpanClause):
            return "this is for the edges of dependency trees: the edges of phrase trees span no words"
        if isinstance(part, SecondEdgeClause) or (isinstance(part, Reference) and part.name in edges):
            return ""
        if isinstance(part, FunctionClause):
            name, known, by_scheme = f"{part.function}(…)", [f"{name}(…)" for name in NODE_FUNCTIONS], True
        else:
            name = part.feature if isinstance(part, Reference) else part.name
            known, by_scheme = [*FEATURES, PLACE, *NODE_FEATURES], name in NODE_FEATURES
        if name not in known:
            near = get_close_matches(name, known, n=1)
            end = f"; did you mean {near[0]}?" if near else ""
            return f"phrase trees have no {name!r}: there are {', '.join(known)}{end}"
        if by_scheme and self.trees and self.scheme is None:
            return f"{name} depends on the annotation scheme, and these trees do not tell theirs"
        return ""

    def views(self, sentence: int, places: Mapping[str, int]) -> dict[str, Node]:
        first = int(self.offsets[sentence])
        return {name: Node(self.trees[sentence], place - first) for name, place in places.items()}

    def shown(self, sentence: int, views: Mapping[str, Node]) -> tuple[str, str, dict[str, str]]:
        """Tokens in « », the stretches of inner nodes in brackets with the name they have in the pattern."""
        tree = self.trees[sentence]
        words = marked_words(tree.words, (node.number for node in views.values() if node.is_token))
        inner = {name: node for name, node in views.items() if not node.is_token}
        for name, node in sorted(inner.items(), key=lambda pair: pair[1].number):  # the inner of two brackets first
            for start, end in stretches(node.mask):
                words[start] = f"[{name} {words[start]}"
                words[end] += "]"
        nodes = {name: f"{node.label} {' '.join(node.words)}" for name, node in views.items()}
        return tree.sent_id or str(sentence + 1), " ".join(words), nodes

    def to_bytes(self) -> bytes:
        return "\n".join(map(repr, self.trees)).encode()


def search(
    trees: Sequence[PhraseTree], pattern: str, name: str = "phrase trees", scheme: Scheme | str | None = None
) -> Matches:
    """All matches of a request in phrase trees; without a `scheme`, they tell it where it is needed.

    >>> from gardenpath.phrase import from_notation
    >>> trees = [from_notation("(S (NP:SB (ART das) (NN Haus)) (VVFIN:HD steht))")]
    >>> search(trees, "S [cat=S]; S -[SB]-> X; X ->> N; N [pos=NN]")[0]["N"].word
    'Haus'
    """
    annotated = known_scheme(scheme) if scheme else None
    return search_nodes(PhraseNodes(trees, name, annotated), pattern)


def _values(tree: PhraseTree, name: str) -> Sequence[str | None]:
    """A feature of every node of a tree, tokens first."""
    inner, tokens = len(tree.labels), len(tree.words)
    match name:
        case "form":
            return [*tree.words, *[None] * inner]
        case "lemma" | "morph":
            values = tree.lemmas if name == "lemma" else tree.morphs
            return [*(_given(value) for value in values or [""] * tokens), *[None] * inner]
        case "pos":
            return [*tree.tags, *[None] * inner]
        case "cat":
            return [*[None] * tokens, *tree.labels]
        case "label":
            return [*tree.tags, *tree.labels]
        case "function":
            return [_given(value) for value in tree.functions]
        case "arity":
            return [str(len(children)) for children in tree.children[:-1]]
        case "tokens":
            return [str(mask.bit_count()) for mask in tree.masks]
        case "gap":
            runs = [(mask & ~(mask << 1)).bit_count() for mask in tree.masks]
            return [str(count - 1) if count > 1 else None for count in runs]
        case "start":
            return [str(start + 1) for start in tree.starts]
        case "end":
            return [str(mask.bit_length()) for mask in tree.masks]
    return [None] * len(tree.mothers)


def _given(value: str) -> str | None:
    return None if value in NO_FUNCTION else value


def _comment(tree: PhraseTree, key: str) -> str | None:
    if key == "sent_id":
        return tree.sent_id or None
    pairs = (comment.partition("=") for comment in tree.comments)
    return next((value.strip() for name, sign, value in pairs if sign and name.strip() == key), None) or None
