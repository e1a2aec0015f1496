"""Arrays in a .npz file: stored as they are, so that a file never becomes more than it is."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .faults import reading
from .structured import read_object

ABOUT = "about"
"""The array with an object of JSON that says what the others are."""


def read_arrays(path: Path, format: str, what: str, todo: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What the file says of itself, if it is of this format, and its arrays by name."""
    with reading(what, str(path), todo):
        check_stored(path)
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = read_object(arrays.pop(ABOUT).tobytes(), str(path), what, todo)
        if about.get("format") != format:
            raise ValueError(f"its format is {str(about.get('format'))[:60]}")
    return about, arrays


def check_stored(path: Path) -> None:
    """Raises where members of a zip file are packed, or claim more bytes together than the file has."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise ValueError("its parts are packed")
    if sum(member.file_size for member in members) > path.stat().st_size:
        raise ValueError("its parts are larger than the file")


def text_array(text: str) -> NDArray[np.generic]:
    """A text as bytes, to be stored among arrays."""
    return np.frombuffer(text.encode("utf-8"), np.uint8)
