"""CLiMP's CSV: number, class, paradigm, sentence, 1 (good) or 0 (bad); two rows are a pair. The text has no blanks."""

from __future__ import annotations

import re

from ...errors import InputError
from ...formats import Format
from .file_text import csv_bytes, csv_rows, decoded
from .model import Item, RegionSuite, title_of
from .pair import NAMES, pair_item, pair_of, pair_prediction

FORMAT = "climp"
HEADER = ["", "0", "1", "2", "3"]


def looks_like_climp(data: bytes, _: str) -> bool:
    return data.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0].strip() == ",".join(HEADER).encode()


def from_climp(data: bytes, name: str) -> RegionSuite:
    """A paradigm; a pair may have its good sentence first or second."""
    _, *rows = csv_rows(decoded(data, name), name)
    if not rows or len(rows) % 2:
        raise InputError(f"{len(rows)} sentences are not pairs", where=name, todo="two rows make a pair")
    for line, row in rows:
        if len(row) != len(HEADER) or row[4] not in ("0", "1") or not row[3].strip():
            todo = "a row has number, class, paradigm, sentence, and 1 or 0"
            raise InputError("this is not a row of CLiMP", where=f"{name}:{line}", todo=todo)
    items: list[Item] = []
    for (line, first), (second_line, second) in zip(rows[::2], rows[1::2], strict=True):
        if {first[4], second[4]} != {"0", "1"}:
            what = "two rows that are both good or both bad"
            raise InputError(what, where=f"{name}:{line}-{second_line}", todo="a pair has a 1 and a 0")
        good, bad = (first, second) if first[4] == "1" else (second, first)
        extra = {"rows": [first[0], second[0]]} | ({"bad_first": True} if first is bad else {})
        items.append(pair_item(str(len(items) + 1), good[3], bad[3], line, extra))
    paradigm = rows[0][1][2] or re.sub(r"_\d+$", "", title_of(name))
    return RegionSuite(
        name, paradigm, items, [pair_prediction(name)], NAMES, FORMAT, joiner="", segmented=False,
        properties={"class": rows[0][1][1]} if rows[0][1][1] else {},
    )  # fmt: skip


def to_climp(suite: RegionSuite) -> bytes:
    rows = [HEADER]
    for place, item in enumerate(suite.items):
        sentences = pair_of(suite, item)
        numbers = item.extra.get("rows", [str(2 * place), str(2 * place + 1)])
        both = [
            (text if not suite.segmented else _joined(suite, text), flag)
            for text, flag in zip(sentences, "10", strict=True)
        ]
        if item.extra.get("bad_first"):
            both.reverse()
        for number, (text, flag) in zip(numbers, both, strict=True):
            rows.append([str(number), suite.property_of("class"), suite.title, text, flag])
    return csv_bytes(rows)


def _joined(suite: RegionSuite, text: str) -> str:
    return suite.joiner.join(text.split())


FORMATS = (Format(FORMAT, "CLiMP's CSV", sniff=looks_like_climp, read=from_climp, write=to_climp),)
