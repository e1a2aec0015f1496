"""Sentences of a treebank in groups that follow each other, such as the files that were read into it.

What is measured of each group is computed for all groups at once, and is the same as of a treebank of that group alone:
codes of strings are numbered anew in every group, so that nothing depends on what else was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .pool import numbered
from .treebank import Treebank

Ints = NDArray[Any]


class GroupStrings(NamedTuple):
    """A string column in which no two groups share a code; each group counts up from its first word."""

    codes: Ints
    """(words,)"""
    borders: Ints
    """(groups + 1,): group g has the codes from borders[g] to borders[g + 1]."""
    column_codes: Ints
    """(codes,): the same string's code in the column of the whole treebank."""

    @property
    def kinds(self) -> Ints:
        """How many different strings each group has."""
        return np.diff(self.borders)


class Groups:
    """A treebank and where its groups begin: group g has the sentences from borders[g] to borders[g + 1]."""

    def __init__(
        self, treebank: Treebank, borders: Ints | None = None, repairs: Sequence[Mapping[str, int]] = ()
    ) -> None:
        self.treebank = treebank
        self.borders: Ints = np.array([0, len(treebank)]) if borders is None else borders
        self.repairs = tuple(repairs) or (treebank.repairs,)
        self._strings: dict[str, GroupStrings] = {}

    def __len__(self) -> int:
        return len(self.borders) - 1

    @cached_property
    def word_borders(self) -> Ints:
        """Group g has the words from word_borders[g] to word_borders[g + 1]."""
        return self.treebank.offsets[self.borders]

    @cached_property
    def group_of_word(self) -> Ints:
        return np.repeat(np.arange(len(self)), np.diff(self.word_borders))

    def strings(self, name: str) -> GroupStrings:
        """A string column of the treebank with codes for each group."""
        if name not in self._strings:
            self._strings[name] = self._encoded(name)
        return self._strings[name]

    def _encoded(self, name: str) -> GroupStrings:
        column = self.treebank.column(name)
        kinds = len(column.values)
        if len(self) == 1:
            return GroupStrings(column.codes, np.array([0, kinds]), np.arange(kinds))
        # Groups follow each other, so codes by first occurrence of (group, string) do too.
        codes, first = numbered((self.group_of_word * kinds + column.codes).astype(np.uint64))
        return GroupStrings(codes, np.searchsorted(first, self.word_borders), column.codes[first])

    def counts(self, name: str) -> list[dict[str, int]]:
        """How often each string occurs in each group, most frequent first."""
        strings, values = self.strings(name), self.treebank.column(name).values
        counts = np.bincount(strings.codes, minlength=len(strings.column_codes)).tolist()
        pairs = [(values[code], count) for code, count in zip(strings.column_codes.tolist(), counts, strict=True)]
        return [
            dict(sorted(pairs[begin:end], key=lambda pair: (-pair[1], pair[0])))
            for begin, end in pairwise(strings.borders.tolist())
        ]
