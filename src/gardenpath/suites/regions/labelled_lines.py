"""Labelled lines, as CLAMS has them: `True`, a tab and a sentence; the next line is its `False` one.

Plain lines, of which nothing says which are good, are read where a layout says the order of the two.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import InputError
from ...formats import Format, head
from .file_text import decoded
from .model import Item, RegionSuite
from .pair import pair_item, pair_of, pair_suite
from .pair_columns import PairColumns

FORMAT = "labelled-lines"
_GOOD = {"true": True, "false": False}


def looks_like_lines(data: bytes, _: str) -> bool:
    label, tab, sentence = head(data, 4096).split(b"\n", 1)[0].partition(b"\t")
    return label.decode("utf-8", "replace").casefold() in _GOOD and bool(tab and sentence.strip())


def from_lines(data: bytes, name: str, layout: Mapping[str, str] | None = None) -> RegionSuite:
    """Two lines are a pair, one of them good; phenomenon and paradigm are in the names of folder and file."""
    layout = layout or {}
    text = decoded(data, name, layout.get("encoding", ""))
    filled = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if order := layout.get("order"):
        labels = ("True", "False") if order == "good-bad" else ("False", "True")
        lines = [(number, labels[place % 2], line) for place, (number, line) in enumerate(filled)]
    else:
        lines = [(number, *line.partition("\t")[::2]) for number, line in filled]
    for number, label, sentence in lines:
        if label.casefold() not in _GOOD or not sentence.strip():
            raise InputError(
                "this is not a labelled line", where=f"{name}:{number}", todo="True or False, a tab, a sentence"
            )
    if len(lines) % 2:
        raise InputError(f"{len(lines)} sentences are not pairs", where=name, todo="two lines make a pair")
    items: list[Item] = []
    for (number, label, first), (second_number, its_label, second) in zip(lines[::2], lines[1::2], strict=True):
        if _GOOD[label.casefold()] == _GOOD[its_label.casefold()]:
            what, todo = f"two lines that are both {label}", "a pair has a True and a False"
            raise InputError(what, where=f"{name}:{number}-{second_number}", todo=todo)
        good = _GOOD[label.casefold()]
        texts = (first, second) if good else (second, first)
        items.append(pair_item(str(len(items) + 1), *texts, number, {} if good else {"bad_first": True}))
    return pair_suite(name, items, PairColumns(), FORMAT, {}, layout)


def to_lines(suite: RegionSuite) -> bytes:
    lines = []
    for item in suite.items:
        both = [f"{label}\t{text}\n" for label, text in zip(("True", "False"), pair_of(suite, item), strict=True)]
        lines += both[::-1] if item.extra.get("bad_first") else both
    return "".join(lines).encode("utf-8")


FORMATS = (Format(FORMAT, "lines with True or False", (), looks_like_lines, from_lines, to_lines),)
