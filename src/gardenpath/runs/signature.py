"""Signatures in the manner of sacreBLEU: ordered `key:value` pairs that make a number repeatable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePath

from .._version import __version__


def signature(*pairs: tuple[str, object]) -> str:
    """`key:value|key:value|…|version:…`; values of None are left out, lists are joined by commas."""
    parts = [f"{key}:{_clean(value)}" for key, value in pairs if value is not None]
    return "|".join([*parts, f"version:{__version__}"])


def _clean(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return re.sub(r"[\t\r\n]", " ", value.replace("|", "/"))
    if isinstance(value, Iterable):
        return ",".join(_clean(item) for item in value)
    return str(value)


def digest(*parts: str | bytes) -> str:
    """A SHA-256 over parts whose borders count: ("ab", "c") and ("a", "bc") differ."""
    import hashlib  # 5 ms that only some commands need

    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8") if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "big"))
        whole.update(data)
    return whole.hexdigest()


def with_hash(name: str, *contents: str | bytes) -> str:
    """A file's name without its folder, and the start of a hash over what it holds: `de_gsd-test.conllu#1f2e3d4c`."""
    return f"{PurePath(name).name}#{digest(*contents)[:8]}"


def short(long: str) -> str:
    """A signature in ten characters: equal for equal signatures, and for a table's foot short enough."""
    return digest(long)[:10]


def pairs_of(long: str) -> dict[str, str]:
    """The `key:value` pairs of a signature."""
    return {key: value for key, _, value in (part.partition(":") for part in long.split("|"))}
