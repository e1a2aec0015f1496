"""The layouts of the Mandarin suites (Wang, Hu, Levy and Qian 2021): segmented lines, and CSV of 2 or 4 conditions.

`<class>_<modifier>_txt.txt` has one sentence per line, the conditions of an item one after the other; the class says
in which order, and where the target is. `*_tkd.csv` has a column per condition, segmented, other CSV the same raw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ...errors import InputError
from ...formats import Format
from .file_text import csv_bytes, csv_rows, decoded
from .model import Condition, Item, Prediction, Region, RegionSuite, title_of

LINES, TABLE = "mandarin", "mandarin-csv"
NAMES = {1: "stimulus", 2: "target", 3: "rest"}


@dataclass(frozen=True, slots=True)
class Paradigm:
    """One class of suites: the order of its lines, its target, what is compared."""

    title: str
    folder: str
    kind: str
    conditions: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    """(worse, better): the first must have the greater surprisal at the target."""
    size: int = 1
    """Tokens of the target."""
    after: int = 0
    """Tokens behind the target; -1: the target is the last 的."""
    modifiers: tuple[str, ...] = ("none", "adj", "obj", "sub")
    ordered: bool = False
    """The modifiers are in the order of their complexity."""


_TWO, _SIMPLE = ("good", "bad"), (("bad", "good"),)
CLASSES = {
    "cls": Paradigm(
        "Classifier-Noun", "Classifier", "semantic", ("good1", "bad1", "good2", "bad2"),
        (("bad1", "good1"), ("bad2", "good2"), ("bad2", "good1"), ("bad1", "good2")), size=2,
    ),
    "gpo": Paradigm("Garden Path Object", "GP_obj", "hybrid", _TWO, _SIMPLE, after=3),
    "gps": Paradigm("Garden Path Subject", "GP_sub", "hybrid", _TWO, _SIMPLE, after=-1),
    "vo": Paradigm("Verb-Noun", "Verb_Noun", "semantic", _TWO, _SIMPLE, size=2),
    "mobj": Paradigm(
        "Missing Object", "Missing_Object", "syntactic", ("bad", "good"), _SIMPLE,
        modifiers=("none", "sub", "sub2", "subh"), ordered=True,
    ),
    "sd": Paradigm("Subordination", "Subordination", "syntactic", _TWO, _SIMPLE),
}  # fmt: skip
PAPER = tuple(f"{name}_{modifier}" for name, one in CLASSES.items() for modifier in one.modifiers)
"""The 24 suites of the paper; others of the repository (`gps_adj_pp`, `vo_none2`, `cls_total`) are not in it."""
_FILE = re.compile(rf"({'|'.join(CLASSES)})_(\w+?)(_txt\.txt|_tkd\.csv)(?:\.gz|\.xz)?")
_RAW = {one.folder.lower(): name for name, one in CLASSES.items()} | {"mobj": "mobj", "vo": "vo", "sd": "sd"}
_COLUMN = re.compile(r"(grammatical|ungrammatical)(?:_([12]))?")


def class_of(name: str) -> tuple[str, str]:
    """Class and modifier by the name of a file; both empty where it is none of these layouts."""
    bare = PurePath(name).name
    if match := _FILE.fullmatch(bare.lower()):
        return match[1], match[2]
    stem = title_of(bare.lower())
    for prefix, suite_class in _RAW.items():
        if bare.lower().endswith(".csv") and stem.startswith(f"{prefix}_"):
            modifier = stem[len(prefix) + 1 :].removesuffix("_clause")
            return suite_class, modifier
    return "", ""


def is_paper(name: str) -> bool:
    """Is this file one of the paper's 24 suites, in its segmented form?"""
    match = _FILE.fullmatch(PurePath(name).name.lower())
    return match is not None and match[3] == "_txt.txt" and f"{match[1]}_{match[2]}" in PAPER


def looks_like_lines(_: bytes, name: str) -> bool:
    return class_of(name)[0] != "" and ".txt" in PurePath(name).name.lower()


def looks_like_table(data: bytes, name: str) -> bool:
    header = data[:2000].lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace").strip().lower()
    return class_of(name)[0] != "" and header.startswith("id,") and "ungrammatical" in header


def from_lines(data: bytes, name: str) -> RegionSuite:
    """Segmented lines; each item has as many as its class has conditions."""
    key, modifier = class_of(name)
    paradigm = CLASSES[key]
    lines = [(number, line) for number, line in enumerate(decoded(data, name).split("\n"), 1) if line.strip()]
    size = len(paradigm.conditions)
    if not lines or len(lines) % size:
        todo = f"an item of {paradigm.title} has the lines {', '.join(paradigm.conditions)}"
        raise InputError(f"{len(lines)} sentences are not whole items", where=name, todo=todo)
    items: list[Item] = []
    for begin in range(0, len(lines), size):
        conditions = [
            _condition(condition, text, paradigm, f"{name}:{number}")
            for condition, (number, text) in zip(paradigm.conditions, lines[begin : begin + size], strict=True)
        ]
        items.append(Item(str(len(items) + 1), tuple(conditions), lines[begin][0]))
    return _suite(name, key, modifier, items, LINES)


def from_table(data: bytes, name: str) -> RegionSuite:
    """CSV: ID, Grammatical, Ungrammatical (or _1 and _2 of each), perhaps Notes and others, which are kept."""
    key, modifier = class_of(name)
    paradigm = CLASSES[key]
    (_, header), *rows = csv_rows(decoded(data, name), name)
    columns = {}
    for place, column in enumerate(header):
        if match := _COLUMN.fullmatch(column.strip().lower()):
            columns[("good" if match[1] == "grammatical" else "bad") + (match[2] or "")] = place
    missing = [condition for condition in paradigm.conditions if condition not in columns]
    if missing:
        todo = f"{paradigm.title} needs {', '.join(paradigm.conditions)}: Grammatical_1 is good1, Ungrammatical bad"
        raise InputError(f"no column for {', '.join(missing)}", where=f"{name}:1", todo=todo)
    segmented = "_tkd." in PurePath(name).name.lower()
    items: list[Item] = []
    for line, row in rows:
        if len(row) < len(header):
            what = f"{len(row)} cells in a table with {len(header)} columns"
            raise InputError(what, where=f"{name}:{line}", todo="a row has a cell for each column")
        conditions = [
            _condition(c, row[columns[c]], paradigm, f"{name}:{line}", segmented) for c in paradigm.conditions
        ]
        cells = {column: row[place] for place, column in enumerate(header) if place not in (0, *columns.values())}
        items.append(
            Item(row[0].strip() or str(len(items) + 1), tuple(conditions), line, {"cells": cells} if cells else {})
        )
    if not items:
        raise InputError("no items in this table", where=name)
    order = sorted(paradigm.conditions, key=lambda one: columns[one])
    return _suite(name, key, modifier, items, TABLE, segmented, {"columns": order})


def _suite(
    name: str, key: str, modifier: str, items: Sequence[Item], format: str, segmented: bool = True,
    extra: Mapping[str, Any] | None = None,
) -> RegionSuite:  # fmt: skip
    paradigm = CLASSES[key]
    region = 2 if segmented else 0
    shown = region or "*"
    predictions = [
        Prediction(f"({shown};%{worse}%) > ({shown};%{better}%)", f"{name} (prediction {number})")
        for number, (worse, better) in enumerate(paradigm.pairs, 1)
    ]
    properties = {"class": paradigm.title, "modifier": modifier, "kind": paradigm.kind, "paradigm": key}
    if paradigm.ordered and modifier in paradigm.modifiers:
        properties["complexity"] = str(paradigm.modifiers.index(modifier))
    fixed = [(2, ("good1", "bad1")), (2, ("good2", "bad2"))] if key == "cls" else [(2, paradigm.conditions)]
    return RegionSuite(
        name, f"{key}_{modifier}", items, predictions, NAMES if segmented else {1: "sentence"}, format, joiner="",
        segmented=segmented, properties=properties, fixed=fixed if segmented else (), extra=extra or {},
    )  # fmt: skip


def _condition(name: str, text: str, paradigm: Paradigm, where: str, segmented: bool = True) -> Condition:
    words = text.split()
    if not words:
        raise InputError(f"no sentence for the condition {name}", where=where)
    if not segmented:
        return Condition(name, (Region(1, text.strip()),))
    if paradigm.after < 0:
        places = [place for place, word in enumerate(words) if word == "的"]
        if not places:
            raise InputError("no 的 in this sentence, which is the target", where=where)
        begin = places[-1]
    else:
        begin = len(words) - paradigm.after - paradigm.size
    if begin < 1:
        raise InputError(f"{len(words)} words are too few for the target of {paradigm.title}", where=where)
    end = begin + paradigm.size
    parts = [words[:begin], words[begin:end], words[end:]]
    return Condition(name, tuple(Region(number, " ".join(part)) for number, part in enumerate(parts, 1)))


def to_lines(suite: RegionSuite) -> bytes:
    """One segmented sentence per line, in the order of the class."""
    lines = [" ".join(one.words) for item in suite.items for one in _ordered(suite, item)]
    return ("\n".join(lines) + "\n").encode("utf-8")


def to_table(suite: RegionSuite) -> bytes:
    """ID and a column per condition, then what else the table had."""
    conditions = _paradigm(suite).conditions
    kept = suite.extra.get("columns", conditions)
    conditions = tuple(kept) if sorted(kept) == sorted(conditions) else conditions
    more = list(dict.fromkeys(key for item in suite.items for key in item.extra.get("cells", {})))
    rows = [["ID", *(_column(condition) for condition in conditions), *more]]
    for item in suite.items:
        by_name = {one.name: one for one in _ordered(suite, item)}
        texts = [
            " ".join(by_name[condition].words) if suite.segmented else by_name[condition].text("")
            for condition in conditions
        ]
        rows.append([item.id, *texts, *(str(item.extra.get("cells", {}).get(key, "")) for key in more)])
    return csv_bytes(rows)


def _column(condition: str) -> str:
    name, number = condition.rstrip("12"), condition[-1] if condition[-1] in "12" else ""
    return ("Grammatical" if name == "good" else "Ungrammatical") + (f"_{number}" if number else "")


def _paradigm(suite: RegionSuite) -> Paradigm:
    key = suite.property_of("paradigm")
    if key in CLASSES:
        return CLASSES[key]
    if suite.condition_names == ("bad", "good"):
        return CLASSES["mobj"]
    if set(suite.condition_names) == set(_TWO):
        return CLASSES["sd"]
    names = ", ".join(suite.condition_names)
    what = f"these layouts have the conditions good and bad, or good1 bad1 good2 bad2; here are {names}"
    raise InputError(what, where=suite.name, todo="keep the suite as SyntaxGym's JSON")


def _ordered(suite: RegionSuite, item: Item) -> Iterator[Condition]:
    for name in _paradigm(suite).conditions:
        condition = item.condition(name)
        if condition is None:
            raise InputError(f"no condition {name} in this item", where=suite.place(item))
        yield condition


FORMATS = (
    Format(LINES, "Mandarin lines", ("_txt.txt",), looks_like_lines, from_lines, to_lines, by_name=True),
    Format(TABLE, "Mandarin CSV", ("_tkd.csv",), looks_like_table, from_table, to_table),
)
