"""JSON and tab-separated text that other programs read too."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..._text import STEERING

if TYPE_CHECKING:
    from re import Match


def to_text(value: Any, *, indent: int | None = None, sort_keys: bool = False) -> str:
    """Return a value as JSON; NumPy values are plain ones."""
    import json  # 5 ms that a table of text does not need

    return json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=sort_keys, default=_plain)


def to_document(value: Mapping[str, Any]) -> str:
    """A mapping as a file: a key a line, of a list of objects an object a line, null for NaN and infinity.

    Lines are put together here because `indent` takes the encoder that is written in Python, which is ten times slower.
    """
    return steady("{\n" + ",\n".join(f"{to_text(key)}: {_entry(item)}" for key, item in value.items()) + "\n}\n")


def steady(text: str) -> str:
    """Return a text of JSON with the codes of characters that could steer a terminal, which only strings have."""
    return STEERING.sub(_code, text)


def _entry(item: Any) -> str:
    if isinstance(item, list | tuple) and item and all(isinstance(part, Mapping) for part in item):
        return "[\n" + ",\n".join(map(to_portable_text, item)) + "\n]"
    return to_portable_text(item)


def to_portable_text(value: Any, separators: tuple[str, str] = (", ", ": ")) -> str:
    """One line, with null for NaN and infinity: they are looked for only where there is one."""
    import json

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


_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
_MEANING = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r"}
_FORMULA = ("=", "@")
"""With these a spreadsheet begins to compute."""


def _escaped(text: str) -> str:
    escaped = STEERING.sub(_code, text.translate(_ESCAPES))
    return f"\\u{ord(escaped[0]):04x}{escaped[1:]}" if len(escaped) > 1 and escaped.startswith(_FORMULA) else escaped


def _code(match: Match[str]) -> str:
    """The code of a character as in JSON, of which all that this steers have four digits."""
    return f"\\u{ord(match[0]):04x}"


def cell(value: Any) -> str:
    """Return the text of one value: nothing is empty, numbers keep all digits, control characters are escaped.

    A text that a spreadsheet would take for a formula begins with the code of its first character.
    """
    if isinstance(value, str):
        return _escaped(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else repr(float(value))
    if hasattr(value, "tolist"):  # a NumPy scalar
        return cell(value.tolist())
    return _escaped(str(value))


def cells(values: Any) -> list[str]:
    """The texts of a column; a text that comes again (and most do) is escaped once."""
    known: dict[str, str] = {}
    texts = []
    for value in values.tolist() if hasattr(values, "tolist") else values:
        if type(value) is str:
            text = known.get(value)
            if text is None:
                text = known[value] = _escaped(value)
            texts.append(text)
        else:
            texts.append(cell(value))
    return texts


def lines(header: Iterable[str], columns: Sequence[Sequence[str]]) -> str:
    """The whole table as text, from columns of cells."""
    body = ["\t".join(row) for row in zip(*columns, strict=True)]
    return "\n".join(["\t".join(cell(name) for name in header), *body]) + "\n"


def row_lines(rows: Iterable[Iterable[Any]]) -> str:
    """Rows of values as text, a line each."""
    return "".join("\t".join(map(cell, row)) + "\n" for row in rows)


def unescape(text: str) -> str:
    """What `cell` was given."""
    if "\\" not in text:
        return text
    from re import sub

    def meant(match: Match[str]) -> str:
        return chr(int(match[1], 16)) if match[1] else _MEANING[match[0]]

    return sub(r"\\(?:[\\tnr]|u([0-9a-f]{4}))", meant, text)
