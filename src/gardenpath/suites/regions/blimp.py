"""BLiMP and its sisters: one JSON object per line, with a good and a bad sentence under one of several names."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ...errors import InputError
from ...formats import Format
from .file_text import decoded, loaded
from .model import Item, RegionSuite, title_of
from .pair import NAMES, pair_item, pair_of, pair_prediction

FORMAT = "blimp"
FIELDS = (
    ("sentence_good", "sentence_bad"),
    ("good_sentence", "bad_sentence"),
    ("sen", "wrong_sen"),
    ("source_sentence", "target_sentence"),
    ("sentence_acceptable", "sentence_unacceptable"),
    ("grammatical", "ungrammatical"),
    ("acceptable", "unacceptable"),
    ("correct", "incorrect"),
    ("good", "bad"),
)
"""The names of the good and the bad sentence, as the sisters of BLiMP have them."""
_IDS = ("pairID", "pair_id", "pairId", "item", "idx", "id", "ID")
_CLASSES = ("linguistics_term", "phenomenon", "category", "field")
_TITLES = ("UID", "paradigm", "uid")
_KINDS = {"syntax": "syntactic", "semantics": "semantic", "syntax_semantics": "hybrid", "syntax/semantics": "hybrid"}


def looks_like_blimp(data: bytes, _: str) -> bool:
    head = data[:65536].lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
    return head.startswith(b"{") and any(f'"{good}"'.encode() in head for good, _ in FIELDS)


def from_blimp(data: bytes, name: str) -> RegionSuite:
    """A paradigm; all fields of a line are kept with its item."""
    items, first, fields = list[Item](), dict[str, Any](), ("", "")
    for number, line in enumerate(decoded(data, name).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        row = loaded(line, where, "this line")
        if not isinstance(row, dict):
            raise InputError("this line is no JSON object", where=where)
        if not items:
            first, fields = row, _fields(row, where)
        texts = [row.get(field) for field in fields]
        if not all(isinstance(one, str) and one.strip() for one in texts):
            missing = next(
                field for field, one in zip(fields, texts, strict=True) if not (one and isinstance(one, str))
            )
            raise InputError(f"no {missing} in this pair", where=where, todo="each line has a good and a bad sentence")
        id = next((str(row[key]) for key in _IDS if key in row), str(len(items)))
        items.append(pair_item(id, str(texts[0]), str(texts[1]), number, {"row": row}))
    if not items:
        raise InputError("the file is empty", where=name)
    field = str(first.get("field", ""))
    properties = {
        "class": next((str(first[key]) for key in _CLASSES if first.get(key)), ""),
        "kind": _KINDS.get(field, ""),
    }
    unsegmented = _without_blanks("".join(one.conditions[0].regions[0].content for one in items[:20]))
    return RegionSuite(
        name, next((str(first[key]) for key in _TITLES if first.get(key)), title_of(name)), items,
        [pair_prediction(name)], NAMES, FORMAT, joiner="" if unsegmented else " ", segmented=not unsegmented,
        properties={key: value for key, value in properties.items() if value}, extra={"fields": list(fields)},
    )  # fmt: skip


def to_blimp(suite: RegionSuite) -> bytes:
    """One line per item; an item that came from such a file is written with all its fields."""
    fields = tuple(map(str, suite.extra.get("fields") or _ours(suite).get("fields") or ()))
    fields = fields if fields in FIELDS else FIELDS[0]
    lines = []
    for item in suite.items:
        good, bad = pair_of(suite, item)
        kept = item.extra.get("row")
        row: dict[str, Any] = dict(kept) if isinstance(kept, dict) else {}
        if not row:
            row = {fields[0]: good, fields[1]: bad, "UID": suite.title, "pairID": item.id}
            if term := suite.property_of("class"):
                row["linguistics_term"] = term
        row[fields[0]], row[fields[1]] = good, bad
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8")


def _fields(row: Mapping[str, Any], where: str) -> tuple[str, str]:
    for good, bad in FIELDS:
        if good in row and bad in row:
            return good, bad
    known = "; ".join(f"{good} and {bad}" for good, bad in FIELDS)
    raise InputError("no good and bad sentence in this line", where=where, todo=f"known names: {known}")


def _ours(suite: RegionSuite) -> Mapping[str, Any]:
    meta = suite.extra.get("meta")
    ours = meta.get("gardenpath") if isinstance(meta, dict) else None
    return ours if isinstance(ours, dict) else {}


def _without_blanks(text: str) -> bool:
    """Mostly characters of scripts that are written without blanks, and no blanks."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and " " not in text.strip() and len(re.findall(r"[぀-ヿ㐀-鿿]", text)) > len(letters) / 2


FORMATS = (Format(FORMAT, "BLiMP's lines of JSON", (".jsonl",), looks_like_blimp, from_blimp, to_blimp),)
