"""The variables of a collection of treebanks: one column per measure, one row per treebank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


LABELS = {
    "las": "LAS",
    "train_tokens": "train tokens",
    "train_sentences": "train sentences",
    "train_length": "train length",
    "test_tokens": "test tokens",
    "test_sentences": "test sentences",
    "test_length": "test length",
    "slv": "SLV",
    "edv": "EDV",
    "edv_heights": "EDV heights",
    "edv_excess": "EDV excess",
    "train_crossing_ratio": "C/|Q|",
    "train_type_token_ratio": "type–token ratio",
    "train_morphological_complexity": "complexity",
    "log_train_tokens": "log train tokens",
}
"""How tables and figures call them; all but the last are columns that correlations may name."""


OF_EDV = ("edv", "edv_heights", "edv_excess")


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """Some treebanks and what was measured on them; NaN where a measure is not defined."""

    names: tuple[str, ...]
    columns: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> Floats:
        return self.columns[name]

    def where(self, mask: NDArray[np.bool_]) -> Data:
        kept = tuple(name for name, chosen in zip(self.names, mask.tolist(), strict=True) if chosen)
        return Data(kept, {name: column[mask] for name, column in self.columns.items()})

    def known(self, names: Sequence[str]) -> Data:
        """The treebanks that have all of these measures."""
        defined = [~np.isnan(self.columns[name]) for name in names]
        return self.where(np.logical_and.reduce(defined))


def gathered(measured: Mapping[str, Mapping[str, Any]], las: Mapping[str, float] | None = None) -> Data:
    """The columns of these treebanks, or with `las` of those that have a score."""
    names = tuple(name for name in measured if las is None or name in las)
    columns: dict[str, list[float | None]] = {}
    for name in names:
        pair = measured[name]
        row = dict(pair["measures"])
        for distance, measured_distance in pair["distances"].items():
            row[distance] = measured_distance["value"]
        row["edv_excess"] = pair["distances"]["edv"]["excess"]
        if las is not None:
            row["las"] = las[name]
        for key in LABELS:
            if key in row:
                columns.setdefault(key, []).append(row[key])
    found_columns = {key: np.array(values, dtype=np.float64) for key, values in columns.items()}
    return Data(names, {key: column for key, column in found_columns.items() if not np.isnan(column).all()})
