"""Data by name or by place: one way to turn what a user wrote into a path."""

from __future__ import annotations

from pathlib import Path

from .record import Record
from .registry import is_data_name, records
from .store import fetch


def local(name: str) -> str:
    """The path of data by name, brought here first if it has to be; any other name as it is."""
    return str(fetch(name).path) if is_data_name(name) else name


def data_called(name: str = "") -> list[Record] | Path:
    """All records of public data; or the place of one, fetched if it is not here."""
    return Path(local(name)) if name else records()
