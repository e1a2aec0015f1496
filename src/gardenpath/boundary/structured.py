"""JSON and TOML of strangers: nested no deeper, with numbers no larger, than the code behind it can bear."""

from __future__ import annotations

import math
import re
from typing import Any, NoReturn

from ..errors import GardenpathError, InputError
from .texts import reading, utf8

DEEPEST = 100
"""Lists and tables inside one another; ours have six."""
_DIGITS = 100  # Of a whole number, so that it can become a float; models of Hugging Face say 10³⁰ for "no limit"
_LARGEST_TOML = 16 << 20
_NOT_MARKS = bytes(set(range(256)) - set(b'"[]{}'))
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_HALF = re.compile(rb"\\u[dD]")


def read_json(
    data: bytes | str,
    where: str,
    what: str = "this",
    todo: str = "",
    *,
    finite: bool = True,
    kind: type[GardenpathError] = InputError,
) -> Any:
    """The value of a text of JSON. `finite=False` lets NaN and infinity through, which we write for ourselves.

    >>> read_json('{"a": [1, 2.5]}', "x.json")
    {'a': [1, 2.5]}
    """
    import json  # 10 ms that reading treebanks does not need

    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    with reading(f"{what} is not JSON that can be read", where, todo, kind):
        if not _within(raw, DEEPEST):
            raise ValueError(f"it is nested more than {DEEPEST} levels deep")
        value = json.loads(
            data if isinstance(data, str) else utf8(data, where),
            parse_int=_integer,
            parse_float=_finite if finite else None,
            parse_constant=_constant if finite else None,
        )
        if _HALF.search(raw):
            _check_characters(value)
    return value


def read_object(
    data: bytes | str,
    where: str,
    what: str = "this",
    todo: str = "",
    *,
    finite: bool = True,
    kind: type[GardenpathError] = InputError,
) -> dict[str, Any]:
    """The same where it must be an object."""
    value = read_json(data, where, what, todo, finite=finite, kind=kind)
    if not isinstance(value, dict):
        raise kind(f"{what} is not an object of JSON", where=where, todo=todo)
    return value


def read_toml(data: bytes, where: str, todo: str = "") -> dict[str, Any]:
    """The tables of a TOML file."""
    import tomllib

    with reading("this is not TOML", where, todo):
        if len(data) > _LARGEST_TOML:
            raise ValueError(f"it is larger than {_LARGEST_TOML >> 20} MB")
        table = tomllib.loads(utf8(data, where))
        level: list[Any] = [table]
        for _ in range(DEEPEST):
            for value in level:
                if isinstance(value, int | float) and not isinstance(value, bool):
                    _integer(str(value)) if isinstance(value, int) else _finite(str(value))
            level = [part for value in level for part in _parts(value)]
        if level:
            raise ValueError(f"it is nested more than {DEEPEST} levels deep")
    return table


def _parts(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _within(data: bytes, most: int) -> bool:
    """Whether no bracket stands deeper, in time linear in the text: strings go, then the innermost brackets, again
    and again. Brackets that do not match are left to the parser."""
    if b"\\" in data:
        data = re.sub(rb"\\.", b"", data, flags=re.DOTALL)
    marks = data.translate(_BRACKETS, _NOT_MARKS).replace(b'""', b"")
    if b'"' in marks:  # strings with brackets in them
        marks = re.sub(rb'"[^"]*"?', b"", marks)
    for _ in range(most):
        fewer = marks.replace(b"[]", b"")
        if len(fewer) == len(marks):
            return marks.count(b"[") <= most
        marks = fewer
    return not marks


def _integer(text: str) -> int:
    if len(text) > _DIGITS:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:20]} is not a number that can be computed with")
    return value


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number of JSON")


def _check_characters(value: Any) -> None:
    import json

    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("it has half a character: write the character itself") from None
