"""Two treebanks side by side: their columns in one numbering, so that equal strings have equal codes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .pool import Column, encode_together, same_strings
from .treebank import Treebank

Ints = NDArray[Any]


class Pair:
    """Columns of two treebanks, encoded together: comparing words is comparing integers."""

    def __init__(self, left: Treebank, right: Treebank) -> None:
        self.left, self.right = left, right
        self._columns: dict[str, tuple[Column, Column]] = {}

    def same(self, name: str, ours: Ints, theirs: Ints) -> NDArray[np.bool_]:
        """Have these words of the left and those of the right, pair by pair, the same string in a column?"""
        (begins, ends), (starts, stops) = self.left.field_spans(name), self.right.field_spans(name)
        left, right = (begins[ours], ends[ours]), (starts[theirs], stops[theirs])
        return same_strings(self.left.data, left, self.right.data, right)

    def column(self, name: str) -> tuple[Column, Column]:
        """A column of both; the two share their values."""
        if name not in self._columns:
            self._columns[name] = self.column_at(name, slice(None), slice(None))
        return self._columns[name]

    def column_at(self, name: str, ours: Ints | slice, theirs: Ints | slice) -> tuple[Column, Column]:
        """The same of these words of the left and those of the right."""
        (begins, ends), (starts, stops) = self.left.field_spans(name), self.right.field_spans(name)
        shift = len(self.left.data)
        left, right = (begins[ours], ends[ours]), (starts[theirs] + shift, stops[theirs] + shift)
        first, second = encode_together(self._data, [left, right])
        return first, second

    @cached_property
    def _data(self) -> bytes:
        return self.left.data + self.right.data
