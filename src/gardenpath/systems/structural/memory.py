"""Rows that hypotheses share: an append-only store of tensors, of which a hypothesis holds row numbers alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .actions import Ids

if TYPE_CHECKING:
    import torch


class Memory:
    """Columns of rows. Hypotheses that branch off copy numbers and not rows; `kept` drops what none needs any more."""

    def __init__(self, first: Sequence[torch.Tensor]) -> None:
        self.columns = [column.clone() for column in first]
        self.size = len(first[0])

    def room(self, count: int) -> list[torch.Tensor]:
        """Room for so many rows at the end of each column, to be written to before anything else is added."""
        import torch

        if self.size + count > len(self.columns[0]):
            most = max(2 * len(self.columns[0]), self.size + count)
            for at, column in enumerate(self.columns):
                grown = torch.empty((most, *column.shape[1:]), dtype=column.dtype)
                grown[: self.size] = column[: self.size]
                self.columns[at] = grown
        self.size += count
        return [column[self.size - count : self.size] for column in self.columns]

    def append(self, rows: Sequence[torch.Tensor]) -> Ids:
        """Puts rows at the end; their numbers."""
        for place, new in zip(self.room(len(rows[0])), rows, strict=True):
            place.copy_(new)
        return np.arange(self.size - len(rows[0]), self.size)

    def rows(self, at: int, numbers: Ids) -> torch.Tensor:
        """Rows of one column, in the shape of `numbers`."""
        return rows_of(self.columns[at], numbers)

    def kept(self, numbers: Ids) -> Ids:
        """Keeps these rows alone; the new number of each old one (0 of those that are gone)."""
        unique = np.unique(numbers)
        renamed = np.zeros(self.size, np.int64)
        renamed[unique] = np.arange(len(unique))
        for column in self.columns:  # the room that they had is kept: as much will be needed again
            column[: len(unique)] = rows_of(column, unique)
        self.size = len(unique)
        return renamed


def rows_of(column: torch.Tensor, numbers: Ids) -> torch.Tensor:
    """Rows by their numbers, in the shape of `numbers`; indexing would do the same five times as slowly."""
    import torch

    chosen: torch.Tensor = torch.index_select(column, 0, torch.from_numpy(numbers.reshape(-1)))
    return chosen.view(*numbers.shape, *column.shape[1:])
