"""SyntaxGym's JSON: read whole, written back as it was; what is not of the schema is kept beside."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...boundary.structured import read_json
from ...errors import InputError
from ...formats import Format
from .file_text import decoded
from .model import METRICS, OURS, Condition, Item, Prediction, Region, RegionSuite, title_of

FORMAT = "syntaxgym"
_TODO = "see the schema of SyntaxGym: meta, region_meta, predictions, items"


def looks_like_syntaxgym(data: bytes, _: str) -> bool:
    return data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"region_meta"' in data


def from_syntaxgym(data: bytes, name: str) -> RegionSuite:
    """A suite from JSON; whatever does not fit the schema is an error with its place."""
    text = decoded(data, name)
    whole = read_json(text, name, "this")
    for key, kind in (("meta", dict), ("region_meta", dict), ("predictions", list), ("items", list)):
        _need(isinstance(whole, dict) and isinstance(whole.get(key), kind), f"no {key}", name)
    meta = whole["meta"]
    ours = meta.get(OURS) if isinstance(meta.get(OURS), dict) else {}
    lines = [text.count("\n", 0, one.start()) + 1 for one in re.finditer(r'"item_number"\s*:', text)]
    exact = len(lines) == len(whole["items"])
    items = [_item(one, n, name, lines[n] if exact else 0) for n, one in enumerate(whole["items"])]
    _need(bool(items), "no items", name)
    predictions = [_prediction(one, n, name) for n, one in enumerate(whole["predictions"], 1)]
    joiner, properties = meta.get("joiner", " "), ours.get("properties")
    _need(isinstance(joiner, str), "the joiner in meta is no text", name)
    for key in whole["region_meta"]:
        fits = re.fullmatch(r"[1-9][0-9]{0,5}", key) is not None
        _need(fits, f"the region {key!r} in region_meta is not a number", name)
    return RegionSuite(
        name,
        str(meta.get("name") or title_of(name)),
        items,
        predictions,
        {int(key): str(value) for key, value in whole["region_meta"].items()},
        FORMAT,
        metric=_metric(meta.get("metric", "sum"), name),
        joiner=joiner,
        segmented=ours.get("segmented", True) is not False,
        properties={key: str(value) for key, value in properties.items()} if isinstance(properties, dict) else {},
        fixed=_fixed(ours.get("fixed"), name),
        extra={"meta": meta, **{key: value for key, value in whole.items() if key not in _TOP}},
    )


_TOP = ("meta", "region_meta", "predictions", "items")


def to_syntaxgym(suite: RegionSuite) -> bytes:
    """The suite as JSON with four blanks, as SyntaxGym writes it."""
    meta: dict[str, Any] = dict(suite.extra.get("meta", {})) or {"name": suite.title, "metric": suite.metric}
    if suite.joiner != " ":
        meta["joiner"] = suite.joiner
    ours: dict[str, Any] = {}
    if suite.properties:
        ours["properties"] = dict(suite.properties)
    if not suite.segmented:
        ours["segmented"] = False
    if suite.fixed:
        ours["fixed"] = [[number, list(names)] for number, names in suite.fixed]
    if suite.format != FORMAT:
        ours["format"] = suite.format
        ours.update({key: value for key, value in suite.extra.items() if key != "meta"})
        meta[OURS] = ours
    whole = {
        "meta": meta,
        "region_meta": {str(number): name for number, name in suite.region_names.items()},
        "predictions": [
            dict(prediction.extra) if prediction.extra else {"type": "formula", "formula": prediction.formula}
            for prediction in suite.predictions
        ],
        "items": [_item_out(item) for item in suite.items],
    }
    if suite.format == FORMAT:
        whole |= {key: value for key, value in suite.extra.items() if key != "meta"}
    return (json.dumps(whole, ensure_ascii=False, indent=4) + "\n").encode("utf-8")


def _item_out(item: Item) -> dict[str, Any]:
    number: Any = int(item.id) if re.fullmatch(r"0|[1-9][0-9]{0,17}", item.id) else item.id
    conditions = [
        {
            "condition_name": condition.name,
            "regions": [
                {"region_number": region.number, "content": region.content, **region.extra}
                for region in condition.regions
            ],
            **condition.extra,
        }
        for condition in item.conditions
    ]
    return {"item_number": number, "conditions": conditions, **item.extra}


def _item(raw: Any, place: int, name: str, line: int) -> Item:
    where = f"{name}:{line}" if line else f"{name} (item {place + 1} of the list)"
    _need(isinstance(raw, dict) and isinstance(raw.get("conditions"), list), "an item without conditions", where)
    number = raw.get("item_number", place + 1)
    _need(isinstance(number, int | str) and not isinstance(number, bool), "the item_number is not a number", where)
    conditions = []
    for condition in raw["conditions"]:
        inner = f"{where} (item {number})"
        _need(
            isinstance(condition, dict) and isinstance(condition.get("condition_name"), str),
            "a condition without name",
            inner,
        )
        inner = f"{where} (item {number}, {condition['condition_name']})"
        _need(isinstance(condition.get("regions"), list), "a condition without regions", inner)
        regions = []
        for region in condition["regions"]:
            fits = isinstance(region, dict) and isinstance(region.get("content"), str)
            _need(fits and type(region.get("region_number")) is int, "a region without number or content", inner)
            rest = _rest(region, "region_number", "content")
            regions.append(Region(region["region_number"], region["content"], rest))
        conditions.append(
            Condition(condition["condition_name"], tuple(regions), _rest(condition, "condition_name", "regions"))
        )
    return Item(str(number), tuple(conditions), line, _rest(raw, "item_number", "conditions"))


def _prediction(raw: Any, number: int, name: str) -> Prediction:
    where = f"{name} (prediction {number})"
    _need(isinstance(raw, dict), "a prediction that is not an object", where)
    if isinstance(raw.get("formula"), str):
        plain = raw.keys() == {"type", "formula"} and raw["type"] == "formula"
        return Prediction(raw["formula"], where, {} if plain else raw)
    old = ("relation", "region_number", "l_operand", "r_operand")  # of the first releases
    _need(all(key in raw for key in old), "a prediction without formula", where)
    region, left, right = raw["region_number"], raw["l_operand"], raw["r_operand"]
    return Prediction(f"({region};%{left}%) {raw['relation']} ({region};%{right}%)", where, raw)


def _metric(given: Any, name: str) -> str:
    """One metric; where a file lists several, or says all, the sum if it is among them."""
    listed: Sequence[Any] = METRICS if given == "all" else given if isinstance(given, list) else [given]
    unknown = [one for one in listed if one not in METRICS]
    if unknown or not listed:
        todo = f"known: {', '.join(METRICS)}"
        raise InputError(f"unknown metric {unknown[0] if unknown else ''!r}", where=f"{name} (meta)", todo=todo)
    return "sum" if "sum" in listed else str(listed[0])


def _rest(raw: Mapping[str, Any], *known: str) -> dict[str, Any]:
    return {key: value for key, value in raw.items() if key not in known}


def _need(holds: bool, what: str, where: str) -> None:
    if not holds:
        raise InputError(what, where=where, todo=_TODO)


def _fixed(given: Any, name: str) -> list[tuple[int, tuple[str, ...]]]:
    try:
        return [(int(number), tuple(map(str, names))) for number, names in given or ()]
    except (TypeError, ValueError):
        raise InputError("fixed is not a list of regions with their conditions", where=f"{name} (meta)") from None


FORMATS = (Format(FORMAT, "SyntaxGym's JSON", (".json",), looks_like_syntaxgym, from_syntaxgym, to_syntaxgym),)
