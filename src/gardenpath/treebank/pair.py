"""Two treebanks side by side: their columns in one numbering, so that equal strings have equal codes."""

from __future__ import annotations

from functools import cached_property

from .pool import Column, encode_together
from .treebank import Treebank


class Pair:
    """Columns of two treebanks, encoded together: comparing words is comparing integers."""

    def __init__(self, left: Treebank, right: Treebank) -> None:
        self.left, self.right = left, right
        self._columns: dict[str, tuple[Column, Column]] = {}

    @cached_property
    def _data(self) -> bytes:
        return self.left.data + self.right.data

    def column(self, name: str) -> tuple[Column, Column]:
        """A column of both; the two share their values."""
        if name not in self._columns:
            ours, theirs = self.left.field_spans(name), self.right.field_spans(name)
            shift = len(self.left.data)
            columns = encode_together(self._data, [ours, (theirs[0] + shift, theirs[1] + shift)])
            self._columns[name] = (columns[0], columns[1])
        return self._columns[name]
