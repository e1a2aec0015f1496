"""The surface of a treebank: its tokens (multiword tokens as one) and where they stand in the text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .index import MULTIWORD
from .pool import Column, encode

if TYPE_CHECKING:
    from .treebank import Treebank

SPACES = dict.fromkeys([0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000])
"""Unicode category Zs: these characters do not count when texts are compared."""


class Surface:
    """Tokens in the order of the text; positions count characters without blanks, over the whole treebank."""

    def __init__(self, treebank: Treebank) -> None:
        self._treebank = treebank
        index, count = treebank.index, treebank.word_count
        self.ranges: NDArray[np.int64] = np.zeros((0, 2), dtype=np.int64)
        """First and last word of each multiword token."""
        self.multiword = np.zeros(count, dtype=bool)
        """For each word: is it part of a multiword token?"""
        begins_token = np.ones(count, dtype=bool)
        self._token_rows = treebank.word_rows
        if index.seconds:
            rows = np.flatnonzero(index.kinds == MULTIWORD)
            begins = treebank.offsets[np.searchsorted(index.rows, rows, side="right") - 1] - 1
            firsts = begins + index.numbers[rows]
            lasts = begins + np.array([index.seconds[row] for row in rows.tolist()], dtype=np.int64)
            self.ranges = np.stack([firsts, lasts], axis=1)
            border = np.zeros(count + 1, dtype=np.int64)
            border[firsts] += 1
            np.add.at(border, lasts + 1, -1)
            self.multiword = np.cumsum(border[:-1]) > 0
            begins_token = ~self.multiword
            begins_token[firsts] = True
            token_rows = treebank.word_rows.copy()
            token_rows[firsts] = rows
            self._token_rows = token_rows[begins_token]
        self.token_of: NDArray[np.int64] = np.cumsum(begins_token) - 1
        """The token that each word belongs to."""

    def __len__(self) -> int:
        return len(self._token_rows)

    @cached_property
    def forms(self) -> Column:
        """Of each token, blanks left out."""
        if len(self.ranges):
            places = self._treebank.index.separators[self._token_rows]
            forms = encode(self._treebank.data, places[:, 0] + 1, places[:, 1])
        else:
            forms = self._treebank.column("form")
        every = "".join(forms.values)
        has_spaces = not every.isascii() or " " in every
        return forms.mapped(lambda form: form.translate(SPACES)) if has_spaces else forms

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Where each token ends, in characters."""
        sizes = np.array([len(form) for form in self.forms.values], dtype=np.int64)
        return np.cumsum(sizes[self.forms.codes])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where each token starts, in characters."""
        return np.concatenate([[0], self.ends[:-1]])

    @cached_property
    def sentence_spans(self) -> NDArray[np.int64]:
        """(sentences, 2): where the characters of each sentence begin and end."""
        offsets = self._treebank.offsets
        return np.stack([self.starts[self.token_of[offsets[:-1]]], self.ends[self.token_of[offsets[1:] - 1]]], axis=1)

    def sentences(self) -> list[str]:
        """The characters of each sentence, blanks left out."""
        text = self.text()
        return [text[begin:end] for begin, end in self.sentence_spans.tolist()]

    def text(self) -> str:
        """All characters of the treebank, blanks left out."""
        return "".join(self.forms.strings())

    def range_forms(self) -> list[str]:
        """The forms of the multiword tokens as they stand in the file."""
        rows = np.flatnonzero(self._treebank.index.kinds == MULTIWORD)
        places = self._treebank.index.separators[rows, :2]
        return [self._treebank.data[a + 1 : b].decode("utf-8") for a, b in places.tolist()]
