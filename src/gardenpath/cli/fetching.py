"""Data on its way to this machine, shown to the person who waits for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .output import message

if TYPE_CHECKING:
    from ..data import Progress


def fetched(name: str) -> Path:
    """Where the data is; brought here first, with a bar, if it has to be."""
    from ..data import fetch

    with download_bar(name) as progress:
        stored = fetch(name, progress)
    if stored.origin == "download":
        message(f"{name}: fetched")
    return stored.path


def bring(source: Any) -> None:
    """Brings the data that a source names to this machine; files and objects are here already."""
    from ..data import is_data_name

    for name in source if isinstance(source, list | tuple) else [source]:
        if isinstance(name, str) and is_data_name(name):
            fetched(name)


@contextmanager
def download_bar(name: str) -> Iterator[Progress | None]:
    """A bar on standard error, where a person looks at it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(name, total=None, start=True)
        yield lambda done, total: bars.update(task, completed=done, total=total)
