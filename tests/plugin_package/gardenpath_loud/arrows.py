"""Pairs as lines with an arrow: `the good sentence > the bad one`."""

from __future__ import annotations

from typing import Any

from gardenpath.errors import InputError
from gardenpath.formats import REGIONS, Format
from gardenpath.suites import RegionSuite


def looks_like_arrows(data: bytes, name: str) -> bool:
    return name.lower().endswith(".arrows")


def from_arrows(data: bytes, name: str) -> Any:
    """Read as our own tables of pairs are, a row each."""
    rows = ["good\tbad"]
    for number, line in enumerate(data.decode("utf-8").splitlines(), 1):
        good, arrow, bad = line.partition(" > ")
        if not arrow:
            raise InputError("no arrow in this line", where=f"{name}:{number}", todo="write GOOD > BAD")
        rows.append(f"{good}\t{bad}")
    return REGIONS.reader("pairs")("\n".join(rows).encode("utf-8"), name)


def to_arrows(suite: RegionSuite) -> bytes:
    pairs = ({condition.name: condition.text() for condition in item.conditions} for item in suite.items)
    return "".join(f"{pair['good']} > {pair['bad']}\n" for pair in pairs).encode("utf-8")


ARROWS = Format("arrows", "lines with an arrow", (".arrows",), looks_like_arrows, from_arrows, to_arrows)
