"""Words over equal dependents are one: every different dependency subtree of a treebank gets one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ..tree import depths, parents
from ..treebank import Treebank
from .sharing import Ints


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
