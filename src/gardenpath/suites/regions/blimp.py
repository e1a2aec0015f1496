"""BLiMP and its sisters as JSON: an object per line, or a list of them, with a good and a bad sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...boundary.structured import read_json
from ...errors import InputError
from ...formats import Format, head
from .file_text import decoded
from .model import Item, RegionSuite
from .pair import pair_item, pair_of, pair_suite
from .pair_columns import PAIRS, bare_name, cell_text, find_columns, named_pairs, no_pairs

FORMAT = "blimp"
_TOKEN = re.compile(r'[{}\[\]]|"(?P<key>(?:[^"\\]|\\.)*)"(?=\s*:)|"(?:[^"\\]|\\.)*"?')
"""A bracket, a key, or a text, in which brackets mean nothing."""


def looks_like_blimp(data: bytes, _: str) -> bool:
    start = head(data)
    if not start.startswith((b"{", b"[")):
        return False
    return bool(named_pairs([bare_name(name) for name in _first_keys(start.decode("utf-8", "replace"))]))


def _first_keys(text: str) -> Iterator[str]:
    """The keys of the first object, without those of objects and lists in it; the text may be cut off anywhere."""
    depth = 0
    for match in _TOKEN.finditer(text, text.find("{")):
        sign, key = match[0][0], match["key"]
        depth += (sign in "{[") - (sign in "}]")
        if depth == 0:
            return
        if key is not None and depth == 1:
            yield key


def from_blimp(data: bytes, name: str, layout: Mapping[str, str] | None = None) -> RegionSuite:
    """Paradigms, one or many; all fields of a line are kept with its item."""
    layout = layout or {}
    rows = list(_objects(decoded(data, name, layout.get("encoding", "")), name))
    if not rows:
        raise InputError("the file is empty", where=name)
    first = f"{name}:{rows[0][0]}"
    columns = find_columns(rows[0][1], layout, [row for _, row in rows], first)
    if not columns.good:
        raise no_pairs(rows[0][1], first)
    items: list[Item] = []
    for number, row in rows:
        texts = [row.get(field) for field in (columns.good, columns.bad)]
        for field, text in zip((columns.good, columns.bad), texts, strict=True):
            if not (isinstance(text, str) and text.strip()):
                todo = "each line has a good and a bad sentence"
                raise InputError(f"no {field} in this pair", where=f"{name}:{number}", todo=todo)
        id = cell_text(row.get(columns.item)) or str(len(items))
        items.append(pair_item(id, str(texts[0]), str(texts[1]), number, {"row": row}))
    return pair_suite(name, items, columns, FORMAT, {"fields": [columns.good, columns.bad]}, layout)


def _objects(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, object) of every pair; of a list of objects, the number in the list."""
    numbered: Iterable[tuple[int, Any]]
    if text.lstrip().startswith("["):
        numbered = enumerate(read_json(text, name, "this"), 1)
    else:
        lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
        numbered = ((number, read_json(line, f"{name}:{number}", "this line")) for number, line in lines)
    for number, row in numbered:
        if not isinstance(row, dict):
            raise InputError("this is not a JSON object", where=f"{name}:{number}")
        yield number, row


def to_blimp(suite: RegionSuite) -> bytes:
    """One line per item; an item that came from such a file is written with all its fields."""
    fields = tuple(map(str, suite.said("fields", ()))) or PAIRS[0]
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


FORMATS = (Format(FORMAT, "BLiMP's lines of JSON", (".jsonl",), looks_like_blimp, from_blimp, to_blimp),)
