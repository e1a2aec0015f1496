"""JSON that other programs read too: NumPy values as plain ones, no NaN where the file leaves the house."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import partial
from typing import Any


def to_text(value: Any, *, indent: int | None = None, sort_keys: bool = False) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=sort_keys, default=_plain)


def to_document(value: Mapping[str, Any]) -> str:
    """A mapping as a file: a key a line, of a list of objects an object a line, null for NaN and infinity.

    Lines are put together here because `indent` takes the encoder that is written in Python, which is ten times slower.
    """
    return "{\n" + ",\n".join(f"{to_text(key)}: {_entry(item)}" for key, item in value.items()) + "\n}\n"


def _entry(item: Any) -> str:
    if isinstance(item, list | tuple) and item and all(isinstance(part, Mapping) for part in item):
        return "[\n" + ",\n".join(map(to_portable_text, item)) + "\n]"
    return to_portable_text(item)


def to_portable_text(value: Any, separators: tuple[str, str] = (", ", ": ")) -> str:
    """One line, with null for NaN and infinity: they are looked for only where there is one."""
    encoded = partial(json.dumps, ensure_ascii=False, allow_nan=False, separators=separators, default=_plain)
    try:
        return encoded(value)
    except ValueError:
        return encoded(portable(value))


def portable(value: Any) -> Any:
    """The same value with null for NaN and infinity, which JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: portable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [portable(item) for item in value]
    return portable(value.tolist()) if hasattr(value, "tolist") else value


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # a NumPy scalar or array
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not a JSON value")
