"""A plain table of pairs: columns good and bad, and any others (item, class, modifier, …) as they come."""

from __future__ import annotations

from ...errors import InputError
from ...formats import Format
from ...runs.tsv import cell, unescape
from .blimp import FIELDS
from .file_text import decoded
from .model import Item, RegionSuite, title_of
from .pair import NAMES, pair_item, pair_of, pair_prediction

FORMAT = "pairs"


def looks_like_pairs(data: bytes, _: str) -> bool:
    header = data.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace").strip("\r").split("\t")
    return len(header) > 1 and any(good in header and bad in header for good, bad in FIELDS)


def from_pairs(data: bytes, name: str) -> RegionSuite:
    """Words are separated by blanks; a suite of one class says so in the column `class`."""
    first, *rest = decoded(data, name).split("\n")
    header = [unescape(one) for one in first.split("\t")]
    good, bad = next((pair for pair in FIELDS if pair[0] in header and pair[1] in header), ("", ""))
    if not good:
        raise InputError("no columns good and bad", where=f"{name}:1", todo="the first line names the columns")
    items: list[Item] = []
    for number, line in enumerate(rest, 2):
        if not line.strip():
            continue
        row = [unescape(one) for one in line.split("\t")]
        if len(row) != len(header):
            what = f"{len(row)} cells in a table with {len(header)} columns"
            raise InputError(what, where=f"{name}:{number}", todo="cells are separated by one tab")
        cells = dict(zip(header, row, strict=True))
        for key in (good, bad):
            if not cells[key].strip():
                raise InputError(f"no sentence in the column {key}", where=f"{name}:{number}")
        extra = {"cells": {key: value for key, value in cells.items() if key not in (good, bad)}}
        items.append(pair_item(cells.get("item", "") or str(len(items) + 1), cells[good], cells[bad], number, extra))
    if not items:
        raise InputError("no pairs in this table", where=name)
    shared = {
        key: values.pop()
        for key in ("class", "modifier", "kind", "complexity")
        if len(values := {item.extra["cells"].get(key, "") for item in items}) == 1
    }
    return RegionSuite(
        name, title_of(name), items, [pair_prediction(name)], NAMES, FORMAT,
        properties={key: value for key, value in shared.items() if value}, extra={"header": header},
    )  # fmt: skip


def to_pairs(suite: RegionSuite) -> bytes:
    """The columns of the table it came from; else item, good, bad and the properties of the suite."""
    keys = [key for key, value in suite.properties.items() if value]
    header = list(suite.extra.get("header", ())) or ["item", "good", "bad", *keys]
    names = next(pair for pair in FIELDS if pair[0] in header and pair[1] in header)
    rows = [header]
    for item in suite.items:
        cells = {"item": item.id, **suite.properties, **item.extra.get("cells", {})}
        cells |= dict(zip(names, pair_of(suite, item), strict=True))
        rows.append([str(cells.get(key, "")) for key in header])
    return "".join("\t".join(map(cell, row)) + "\n" for row in rows).encode("utf-8")


FORMATS = (Format(FORMAT, "a table of pairs", (".tsv",), looks_like_pairs, from_pairs, to_pairs),)
