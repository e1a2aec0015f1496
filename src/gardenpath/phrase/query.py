"""What queries ask about the nodes of phrase trees, and the search in them: the language is that of treebanks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np

from ..treebank.pool import Column
from ..treebank.query.nodes import Ints, Mask, QueryNodes, codes_of, marked_words
from ..treebank.query.request import Reference, SpanClause, ValueTest, each_holds
from ..treebank.query.search import Matches
from ..treebank.query.search import search as search_nodes
from .drawing.layout import stretches
from .encoding import NO_FUNCTION, ROOT
from .tree import Node, PhraseTree

FEATURES = (
    "form", "lemma", "pos", "morph", "cat", "label", "function", "arity", "tokens", "gap", "start", "end",
)  # fmt: skip
"""`form` to `morph` are of tokens, `cat` is of inner nodes; the others of both."""


class PhraseNodes(QueryNodes):
    """The nodes of trees in the order of the trees, each tree's tokens before its inner nodes."""

    trees: Sequence[PhraseTree]

    def __init__(self, trees: Sequence[PhraseTree], name: str = "phrase trees") -> None:
        super().__init__()
        self.trees, self.name = trees, name
        sizes = [len(tree.mothers) for tree in trees]
        self.offsets = np.array([0, *accumulate(sizes)], dtype=np.int64)
        self.count, self.sentence_count = int(self.offsets[-1]), len(trees)
        self.sentence_of = np.repeat(np.arange(len(trees)), sizes)

    @cached_property
    def governors(self) -> Ints:
        mothers = np.array([mother for tree in self.trees for mother in tree.mothers], dtype=np.int64)
        return np.where(mothers == ROOT, -1, mothers + self.offsets[self.sentence_of])

    @cached_property
    def labels(self) -> Column:
        pool: dict[str, int] = {}
        codes = codes_of((name for tree in self.trees for name in map(_function, tree.functions)), pool)
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

    def refused(self, part: ValueTest | Reference | SpanClause, edges: Sequence[str]) -> str:
        if isinstance(part, SpanClause):
            return "this is for the edges of dependency trees: the edges of phrase trees span no words"
        if isinstance(part, Reference) and part.name in edges:
            return ""
        name = part.feature if isinstance(part, Reference) else part.name
        return "" if name in FEATURES else f"phrase trees have no {name!r}: there are {', '.join(FEATURES)}"

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


def search(trees: Sequence[PhraseTree], pattern: str, name: str = "phrase trees") -> Matches:
    """All matches of a request in phrase trees.

    >>> from gardenpath.phrase import from_notation
    >>> trees = [from_notation("(S (NP:SB (ART das) (NN Haus)) (VVFIN:HD steht))")]
    >>> search(trees, "S [cat=S]; S -[SB]-> X; X ->> N; N [pos=NN]")[0]["N"].word
    'Haus'
    """
    return search_nodes(PhraseNodes(trees, name), pattern)


def _function(name: str) -> str:
    return "" if name in NO_FUNCTION else name


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
