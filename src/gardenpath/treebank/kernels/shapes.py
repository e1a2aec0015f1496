"""Dependency trees in the shapes that kernels compare: GRCT, PCT and LCT of Croce, Moschitti and Basili (2011)."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ...errors import InputError, UsageError, unknown_name
from ..tree import depths, parents, tree_mask
from ..treebank import Treebank
from .sharing import Forest, Sharing

LEAVES = ("form", "lemma", "xpos", "feats")
ORDERS = ("surface", "udon2")
Arranged = Callable[[list[int]], tuple[int, ...]]
"""Brings the children of a node into their order."""


class Word(NamedTuple):
    """The labels of a word as numbers."""

    relation: int
    tag: int
    leaves: list[int]


Grow = Callable[[Sequence[int]], list[int]]
"""Makes the nodes of a word over the top nodes of its dependents: its own top node first."""


def _grct(sharing: Sharing, word: Word, arranged: Arranged) -> Grow:
    node, relation = sharing.node, word.relation
    ends = [node(leaf) for leaf in word.leaves]
    middle = node(word.tag, arranged(ends))
    own = [middle, *ends]
    if arranged is tuple:
        return lambda below: [node(relation, (middle, *below)), *own]
    return lambda below: [node(relation, arranged([middle, *below])), *own]


def _pct(sharing: Sharing, word: Word, arranged: Arranged) -> Grow:
    ends = [sharing.node(leaf) for leaf in word.leaves]

    def grow(below: Sequence[int]) -> list[int]:
        middle = sharing.node(word.tag, arranged([*ends, *below]))
        return [sharing.node(word.relation, (middle,)), middle, *ends]

    return grow


def _lct(sharing: Sharing, word: Word, arranged: Arranged) -> Grow:
    centre, *leaves = word.leaves
    ends = [sharing.node(label) for label in (word.relation, word.tag, *leaves)]
    return lambda below: [sharing.node(centre, arranged([*below, *ends])), *ends]


_SHAPES = {"grct": _grct, "pct": _pct, "lct": _lct}
SHAPES = tuple(_SHAPES)


def kernel_trees(
    treebank: Treebank, *, shape: str = "grct", leaves: Sequence[str] = ("feats",), order: str = "surface"
) -> Forest:
    """The sentences as trees of a shape, equal subtrees shared. All of them must be trees.

    - `grct`: relation over (tag over leaves), then the relations of the dependents.
    - `pct`: relation over tag; the tag over leaves, then the relations of the dependents.
    - `lct`: the first leaf is the centre, over the centres of the dependents, then relation, tag and other leaves.

    `order` is that of siblings: by position in the sentence, or as UDon2 stores them (for replication).
    """
    if shape not in _SHAPES:
        raise unknown_name("shape of trees", shape, SHAPES)
    if order not in ORDERS:
        raise unknown_name("order of siblings", order, ORDERS)
    if strange := [name for name in leaves if name not in LEAVES]:
        raise unknown_name("column for leaves", strange[0], LEAVES)
    if shape == "lct" and not leaves:
        raise UsageError("the shape lct needs a leaf: it is the centre of its trees", todo='e.g. leaves=("form",)')
    _check_trees(treebank)
    with _no_collection():
        return _Growth(treebank, shape, tuple(leaves), order).forest()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Thousands of small lists and tuples that all stay: looking for garbage among them takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _check_trees(treebank: Treebank) -> None:
    sound = tree_mask(treebank.heads, treebank.offsets)
    if not sound.all():
        number = int(np.argmin(sound))
        where = treebank.place(int(treebank.index.blocks[number]))
        name = treebank.sent_ids[number]
        what = f"sentence {name} is not a tree" if name else "the sentence is not a tree"
        raise InputError(what, where=where, todo="select the trees first: treebank[tree_mask(heads, offsets)]")


class _Growth:
    """Grows the trees from the deepest words up, each different sentence once."""

    def __init__(self, treebank: Treebank, shape: str, leaves: tuple[str, ...], order: str) -> None:
        self.treebank, self.shape, self.order = treebank, _SHAPES[shape], order
        self.columns = {name: treebank.column(name) for name in ("deprel", "upos", *leaves)}
        self.names = [(name, text) for name, column in self.columns.items() for text in column.values]
        self.sharing = Sharing(self.names)
        columns = list(self.columns.values())
        self.codes, words = _joint_codes([column.codes for column in columns])
        begins = np.cumsum([0, *(len(column.values) for column in columns)])
        labels = [column.codes[words] + begin for column, begin in zip(columns, begins, strict=False)]
        self.labels: list[list[int]] = np.stack(labels, axis=1).tolist()
        """For each code the labels of its words, those of a column after those of the column before."""
        self.nodes: dict[int, list[int]] = {}
        self.grow: list[Grow | None] = [None] * len(self.labels)

    def forest(self) -> Forest:
        first, which = self._different()
        offsets = self.treebank.offsets.tolist()
        tops = self._grown(np.concatenate([np.arange(offsets[n], offsets[n + 1]) for n in first]))
        roots = np.flatnonzero(self.treebank.heads == 0).tolist()
        once: dict[int, list[int]] = {}
        for number in first:
            top = tops[roots[number]]
            if top not in once:  # sentences that differ in their words may still be equal trees
                words = tops[offsets[number] : offsets[number + 1]]
                once[top] = list(chain.from_iterable(map(self.nodes.__getitem__, words)))
        different_roots = [tops[roots[number]] for number in first]
        return Forest.of(self.sharing, [different_roots[kind] for kind in which], list(once.values()))

    def _different(self) -> tuple[list[int], list[int]]:
        """The first sentence of each kind that must give the same tree, and for every sentence which of them."""
        parts = [self.treebank.heads, self.codes]
        if self.order == "udon2":
            parts.append(self.treebank.column("form").codes)
        kinds: dict[tuple[bytes, ...], int] = {}
        first: list[int] = []
        which: list[int] = []
        offsets = self.treebank.offsets.tolist()
        for number in range(len(self.treebank)):
            some = slice(offsets[number], offsets[number + 1])
            kind = kinds.setdefault(tuple(part[some].tobytes() for part in parts), len(first))
            if kind == len(first):
                first.append(number)
            which.append(kind)
        return first, which

    def _grown(self, chosen: Any) -> list[int]:
        """The top node of each chosen word; `nodes` gets what belongs to the word, by its top node."""
        kids, starts = self._dependents()
        grow, nodes = self.grow, self.nodes
        wide = np.diff(starts)
        table = [-1] * len(grow)
        for code in np.unique(self.codes[chosen[wide[chosen] == 0]]).tolist():
            own = (grow[code] or self._growth(code))([])
            table[code] = own[0]
            nodes[own[0]] = own
        tops: list[int] = np.array(table)[self.codes].tolist()  # right for words without dependents; others follow
        deep = depths(self.treebank.heads, self.treebank.offsets)
        others = chosen[wide[chosen] > 0]
        others = others[np.argsort(-deep[others], kind="stable")]
        bounds = zip(
            *(part.tolist() for part in (others, self.codes[others], starts[others], starts[others + 1])), strict=True
        )
        top, kids = tops.__getitem__, kids.tolist()
        for word, code, first, last in bounds:
            own = (grow[code] or self._growth(code))(tuple(map(top, kids[first:last])))
            tops[word] = own[0]
            nodes[own[0]] = own
        return tops

    def _growth(self, code: int) -> Grow:
        """How words of this code make their nodes."""
        relation, tag, *leaves = self.labels[code]
        arranged: Arranged = tuple if self.order == "surface" else self._arranged
        grow = self.grow[code] = self.shape(self.sharing, Word(relation, tag, leaves), arranged)
        return grow

    def _dependents(self) -> tuple[Any, Any]:
        """The dependents of all words, one word after the other, and where those of each begin."""
        heads, up = self.treebank.heads, parents(self.treebank.heads, self.treebank.offsets)
        words = np.flatnonzero(heads)
        if self.order == "udon2":  # by UPOS|DEPREL|FORM, which is by form where the rest is equal
            columns = [self.treebank.column(name).strings() for name in ("upos", "deprel", "form")]
            names = ["|".join(parts).encode() for parts in zip(*columns, strict=True)]
            words = np.array(sorted(words.tolist(), key=names.__getitem__), dtype=np.int64)
        kids = words[np.argsort(up[words], kind="stable")]
        starts = np.append(0, np.cumsum(np.bincount(up[words], minlength=len(heads))))
        return kids, starts

    def _arranged(self, nodes: list[int]) -> tuple[int, ...]:
        """UDon2 sorts the nodes of the shape once more, by label; FEATS `_` is empty there."""
        return tuple(sorted(nodes, key=lambda node: _label_bytes(*self.names[self.sharing.labels[node]])))


def _label_bytes(column: str, text: str) -> bytes:
    return b"" if column == "feats" and text == "_" else text.encode()


def _joint_codes(columns: list[Any]) -> tuple[Any, Any]:
    """One number per word for its combination of strings, and a word of each."""
    joint = columns[0].astype(np.int64)
    for codes in columns[1:]:
        joint = joint * (int(codes.max(initial=0)) + 1) + codes
        if len(columns) > 3:  # so many that their product might not fit
            _, joint = np.unique(joint, return_inverse=True)
    _, words, joint = np.unique(joint, return_index=True, return_inverse=True)
    return joint.astype(np.int64), words
