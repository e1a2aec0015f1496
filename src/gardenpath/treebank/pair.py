"""Two treebanks side by side: their columns in one numbering, so that equal strings have equal codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .pool import Column, same_strings
from .treebank import Treebank

Ints = NDArray[Any]


class Pair:
    """Columns of two treebanks: comparing words is comparing integers."""

    def __init__(self, left: Treebank, right: Treebank) -> None:
        self.left, self.right = left, right

    def same(self, name: str, ours: Ints, theirs: Ints) -> NDArray[np.bool_]:
        """Have these words of the left and those of the right, pair by pair, the same string in a column?

        For columns of many different strings (forms, lemmas): no codes are made for them.
        """
        (begins, ends), (starts, stops) = self.left.field_spans(name), self.right.field_spans(name)
        left, right = (begins[ours], ends[ours]), (starts[theirs], stops[theirs])
        return same_strings(self.left.data, left, self.right.data, right)

    def column(self, name: str, label: Callable[[str], str] = str) -> tuple[Column, Column]:
        """A column of both, of what `label` makes of each string; the two share their values."""
        numbers: dict[str, int] = {}
        codes = []
        for column in (self.left.column(name), self.right.column(name)):
            table = np.array([numbers.setdefault(label(value), len(numbers)) for value in column.values], np.int32)
            codes.append(table[column.codes])
        values = tuple(numbers)
        return Column(codes[0], values), Column(codes[1], values)
