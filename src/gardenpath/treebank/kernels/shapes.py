"""Dependency trees in the shapes that kernels compare: GRCT, PCT and LCT of Croce, Moschitti and Basili (2011)."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from ...errors import InputError, UsageError, unknown_name
from ..format.columns import ranges
from ..format.treebank import Treebank
from ..trees.tree import depths, parents, tree_mask
from .forest import Forest, Ints, Sharing


@dataclass(frozen=True, slots=True)
class EqualWords:
    """Kinds of words, numbered with dependents before heads: two words are of one kind if their subtrees are equal."""

    codes: Ints
    """For each kind what its word is: its combination of labels."""
    starts: Ints
    """Kind k has dependents of the kinds `dependents[starts[k]:starts[k + 1]]`, in the order of siblings."""
    dependents: Ints
    of_word: Ints
    """The kind of each chosen word; anything for the others."""


def joint_codes(columns: Sequence[Any]) -> tuple[Ints, Ints]:
    """One number per word for its combination of strings, and a word of each."""
    joint = columns[0].astype(np.int64)
    for codes in columns[1:]:
        joint = joint * (int(codes.max(initial=0)) + 1) + codes
        if len(columns) > 3:  # so many that their product might not fit
            _, joint = np.unique(joint, return_inverse=True)
    _, words, joint = np.unique(joint, return_index=True, return_inverse=True)
    return joint.astype(np.int64), words


def equal_words(treebank: Treebank, codes: Ints, chosen: Ints, order: str) -> EqualWords:
    """The kinds of the chosen words, from the deepest up; with a word all that is below it must be chosen."""
    kids, starts = _dependents(treebank, order)
    wide = np.diff(starts)[chosen]
    bare = np.unique(codes[chosen[wide == 0]])
    kind_of_code = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    kind_of_code[bare] = np.arange(len(bare))
    kinds: list[int] = kind_of_code[codes].tolist()  # right for words without dependents; others follow
    others = chosen[wide > 0]
    others = others[np.argsort(-depths(treebank.heads, treebank.offsets)[others], kind="stable")]
    bounds = (part.tolist() for part in (others, codes[others], starts[others], starts[others + 1]))
    numbers: dict[tuple[int, ...], int] = {}
    kind_of, kids = kinds.__getitem__, kids.tolist()
    fresh = len(bare)
    for word, code, first, last in zip(*bounds, strict=True):
        number = kinds[word] = numbers.setdefault((code, *map(kind_of, kids[first:last])), fresh)
        fresh += number == fresh
    sizes = np.fromiter(map(len, numbers), np.int64, count=len(numbers))
    flat = np.fromiter(chain.from_iterable(numbers), np.int64, count=int(sizes.sum()))
    firsts = np.cumsum(sizes) - sizes
    ends = np.concatenate([np.zeros(len(bare) + 1, dtype=np.int64), np.cumsum(sizes - 1)])
    return EqualWords(np.concatenate([bare, flat[firsts]]), ends, np.delete(flat, firsts), np.array(kinds, np.int64))


def _dependents(treebank: Treebank, order: str) -> tuple[Any, Any]:
    """The dependents of all words, one word after the other, and where those of each begin."""
    heads, up = treebank.heads, parents(treebank.heads, treebank.offsets)
    words = np.flatnonzero(heads)
    if order == "udon2":  # by UPOS|DEPREL|FORM, which is by form where the rest is equal
        columns = [treebank.column(name).strings() for name in ("upos", "deprel", "form")]
        names = ["|".join(parts).encode() for parts in zip(*columns, strict=True)]
        words = np.array(sorted(words.tolist(), key=names.__getitem__), dtype=np.int64)
    kids = words[np.argsort(up[words], kind="stable")]
    starts = np.append(0, np.cumsum(np.bincount(up[words], minlength=len(heads))))
    return kids, starts


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
    return lambda below: [node(relation, arranged([middle, *below])), middle, *ends]


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
    """Grows the trees of different sentences: first the kinds of equal words, then the nodes of each kind."""

    def __init__(self, treebank: Treebank, shape: str, leaves: tuple[str, ...], order: str) -> None:
        self.treebank, self.shape, self.order = treebank, shape, order
        self.columns = {name: treebank.column(name) for name in ("deprel", "upos", *leaves)}
        self.names = [(name, text) for name, column in self.columns.items() for text in column.values]
        columns = list(self.columns.values())
        self.codes, words = joint_codes([column.codes for column in columns])
        begins = np.cumsum([0, *(len(column.values) for column in columns)])
        labels = [column.codes[words] + begin for column, begin in zip(columns, begins, strict=False)]
        self.labels: Ints = np.stack(labels, axis=1)
        """For each code the labels of its words, those of a column after those of the column before."""

    def forest(self) -> Forest:
        first, which = self._different()
        offsets = self.treebank.offsets
        chosen = _ranges(offsets, first)
        words = equal_words(self.treebank, self.codes, chosen, self.order)
        quick = self.shape == "grct" and self.order == "surface"
        labels, starts, children, own = self._in_arrays(words) if quick else self._one_by_one(words)
        tops = own[words.of_word[np.flatnonzero(self.treebank.heads == 0)[first]], 0]
        once = np.sort(np.unique(tops, return_index=True)[1])  # sentences of other words may still be equal trees
        nodes = own[words.of_word[_ranges(offsets, first[once])]]
        trees = np.repeat(np.arange(len(once)), np.diff(offsets)[first[once]] * own.shape[1])
        return Forest.of(self.names, labels, starts, children, tops[which], trees, nodes.reshape(-1))

    def _different(self) -> tuple[Ints, Ints]:
        """The first sentence of each kind that must give the same tree, and for every sentence which of them."""
        parts: list[Any] = [self.treebank.heads, self.codes]
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
        return np.array(first, dtype=np.int64), np.array(which, dtype=np.int64)

    def _one_by_one(self, words: EqualWords) -> tuple[Ints, Ints, Ints, Ints]:
        """Labels, starts and children of all nodes, and the nodes of each kind of words, its top first."""
        sharing = Sharing(self.names)
        shape, labels = _SHAPES[self.shape], self.labels.tolist()

        def arranged(nodes: list[int]) -> tuple[int, ...]:
            """UDon2 sorts the nodes of the shape once more, by label; FEATS `_` is empty there."""
            return tuple(sorted(nodes, key=lambda node: _label_bytes(*self.names[sharing.labels[node]])))

        grow: list[Grow | None] = [None] * len(labels)
        own: list[list[int]] = []
        dependents = words.dependents.tolist()
        for code, (begin, end) in zip(words.codes.tolist(), pairwise(words.starts.tolist()), strict=True):
            grown = grow[code]
            if grown is None:
                relation, tag, *leaves = labels[code]
                ordered: Arranged = tuple if self.order == "surface" else arranged
                grown = grow[code] = shape(sharing, Word(relation, tag, leaves), ordered)
            own.append(grown([own[kind][0] for kind in dependents[begin:end]]))
        return *sharing.arrays(), np.array(own, dtype=np.int64)

    def _in_arrays(self, words: EqualWords) -> tuple[Ints, Ints, Ints, Ints]:
        """The same for GRCT in surface order, without a step per node: leaves, then tags over them, then relations.

        A code is a relation over a tag over leaves, and kinds are codes over kinds, so no two relations are equal.
        """
        relations, tags, leaves = self.labels[:, 0], self.labels[:, 1], self.labels[:, 2:]
        leaf_labels, ends = np.unique(leaves, return_inverse=True)
        ends = ends.reshape(leaves.shape)
        middles, first = joint_codes([tags, *ends.T])
        inner, wide = len(leaf_labels) + len(first), leaves.shape[1]
        middles = middles + len(leaf_labels)
        labels = np.concatenate([leaf_labels, tags[first], relations[words.codes]])
        begins = words.starts[:-1] + np.arange(len(words.codes))
        below = np.insert(words.dependents + inner, words.starts[:-1], middles[words.codes])
        starts = np.concatenate([
            np.zeros(len(leaf_labels), dtype=np.int64), np.arange(len(first)) * wide, begins + len(first) * wide,
            [len(first) * wide + len(below)],
        ])  # fmt: skip
        own = np.column_stack([np.arange(len(words.codes)) + inner, middles[words.codes], ends[words.codes]])
        return labels, starts, np.concatenate([ends[first].reshape(-1), below]), own


def _ranges(offsets: Ints, sentences: Ints) -> Ints:
    """The words of these sentences."""
    return ranges(offsets[sentences], np.diff(offsets)[sentences])


def _label_bytes(column: str, text: str) -> bytes:
    return b"" if column == "feats" and text == "_" else text.encode()
