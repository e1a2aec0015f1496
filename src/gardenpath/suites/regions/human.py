"""What people achieve on published pairs, by paradigm: from a table beside the pairs, or as a paper has it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ...errors import InputError
from ...treebank.source import file_contents
from .file_text import csv_rows, decoded
from .model import RegionSuite

_PARADIGMS = ("uid", "paradigm", "condition")
_ACCURACIES = ("acc", "accuracy", "total_mean")
_OWN_FIELDS = {"UID", "linguistics_term", "simple_LM_method"}
"""A line of BLiMP has these; other files may have paradigms of the same names."""


def with_human_accuracy(suites: Sequence[RegionSuite], files: Sequence[str]) -> list[RegionSuite]:
    """The suites, with the accuracy of people in per cent where it was published; `files` lie beside them."""
    beside: dict[str, float] = {}
    for file in files:
        if "human" in Path(file).name.lower():
            beside |= _read(file)
    return [
        suite if accuracy is None else replace(suite, extra={**suite.extra, "human_accuracy": accuracy})
        for suite in suites
        for accuracy in [beside.get(suite.title, _published(suite))]
    ]


def _read(file: str) -> Mapping[str, float]:
    """Per cent by paradigm of a table with such columns, shares among 0 and 1; nothing where it is another table."""
    try:
        ((name, data),) = file_contents(file)
        (_, header), *rows = csv_rows(decoded(data, name), name)
    except (InputError, ValueError):
        return {}
    names = [column.strip().casefold() for column in header]
    paradigm = next((names.index(column) for column in _PARADIGMS if column in names), None)
    accuracy = next((names.index(column) for column in _ACCURACIES if column in names), None)
    if paradigm is None or accuracy is None:
        return {}
    try:
        return {row[paradigm]: 100 * float(row[accuracy]) for _, row in rows}
    except (ValueError, IndexError):
        return {}


def _published(suite: RegionSuite) -> float | None:
    first = suite.items[0].columns if suite.items else {}
    return _blimp().get(str(first["UID"])) if first.keys() >= _OWN_FIELDS else None


@cache
def _blimp() -> Mapping[str, float]:
    table: dict[str, float] = tomllib.loads((Path(__file__).parent / "human_blimp.toml").read_text(encoding="utf-8"))
    return table
