"""Tables of a TOML file, checked as they are read: an error names the file, the place and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gardenpath.boundary import file_bytes, read_toml
from gardenpath.errors import InputError, unknown_name

Entry = Mapping[str, Any]


def load_toml(path: Path, kind: str, page: str) -> tuple[bytes, dict[str, Any]]:
    """The bytes and the tables of a file; `kind` and `page` are what errors call it and where an example is."""
    data = file_bytes(path, todo=f"name a {kind} in TOML")
    return data, read_toml(data, str(path), f"see {page} for an example")


class CheckedFile:
    """What readers of grammars and lexicons share: fields that must be texts, lists, or one of some names."""

    page = "docs/grammars.md"

    def __init__(self, name: str) -> None:
        self.name = name

    def error(self, what: str, at: str, todo: str) -> InputError:
        return InputError(what, where=f"{self.name}: {at}" if at else self.name, todo=todo)

    def text(self, entry: Entry, key: str, at: str, *, needed: bool = True) -> str:
        value = entry.get(key, "")
        if not isinstance(value, str) or any(char in value for char in "\t\n\r") or value != value.strip():
            raise self.error(f"{key} is {value!r}", at, "write one text without tabs, line ends and |")
        if needed and not value:
            raise self.error(f"{key} is missing", at, f'add {key} = "…" to this entry')
        return value

    def word(self, entry: Entry, key: str, at: str, *, needed: bool = True) -> str:
        """A text that goes into a column of CoNLL-U."""
        value = self.text(entry, key, at, needed=needed)
        if "|" in value:
            raise self.error(f"{key} is {value!r}", at, "write one text without tabs, line ends and |")
        return value

    def strings(self, value: Any, at: str) -> list[str]:
        if not isinstance(value, list) or any(not isinstance(text, str) or not text.strip() for text in value):
            raise self.error("must be a list of texts", at, 'write ["…", "…"]')
        return value

    def table(self, entry: Entry, key: str, at: str = "", *, needed: bool = False) -> Entry:
        value = entry.get(key, {})
        where = f"{at}.{key}" if at else key
        if not isinstance(value, dict):
            raise self.error("is not a table", where, f"{self.page} has an example")
        if needed and not value:
            raise self.error(f"{key} is missing", at, f"add [{where}]; {self.page} has an example")
        return value

    def one_of(self, entry: Entry, key: str, known: Iterable[str], at: str) -> str:
        value = self.text(entry, key, at)
        if value not in known:
            raise self.unknown(key, value, known, at)
        return value

    def known(self, entry: Any, known: Iterable[str], at: str) -> None:
        if not isinstance(entry, dict):
            raise self.error("is not a table", at, f"{self.page} has an example")
        for key in entry:
            if key not in known:
                raise self.unknown("field", key, known, at)

    def unknown(self, kind: str, name: str, known: Iterable[str], at: str) -> InputError:
        error = unknown_name(kind, name, known)
        return self.error(error.what, at, error.todo)
