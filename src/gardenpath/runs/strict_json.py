"""JSON that other programs read too: NumPy values as plain ones, no NaN where the file leaves the house."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def to_text(value: Any, *, indent: int | None = None, sort_keys: bool = False) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=sort_keys, default=_plain)


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
