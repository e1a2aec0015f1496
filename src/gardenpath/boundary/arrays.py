"""Arrays in a .npz file: stored as they are, so that a file never becomes more than it is."""

from __future__ import annotations

import math
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .structured import read_object
from .texts import reading

ABOUT = "about"
"""The array with an object of JSON that says what the others are."""
_HEADER = re.compile(
    rb"\{'descr': '([<>|][biufU?]\d{1,9})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,15}, ?)*\d{0,15})\), \} *\n"
)
"""As NumPy writes it for numbers and text; whatever else could stand there is none of ours."""
_STEP = 1 << 20


def read_arrays(path: Path, format: str, what: str, todo: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What the file says of itself, if it is of this format, and its arrays by name."""
    with reading(what, str(path), todo), zipfile.ZipFile(path) as archive:
        parts = {member.filename.removesuffix(".npy"): member for member in _stored(archive, path)}
        text = _array(archive, parts.pop(ABOUT)).tobytes()
        about = read_object(text, str(path), f"{what}: its part {ABOUT!r}", todo)
        if about.get("format") != format:
            raise ValueError(f"its format is {str(about.get('format'))[:60]}")
        return about, {name: _array(archive, member) for name, member in parts.items()}


def check_stored(path: Path) -> None:
    """Raises where members of a zip file are packed, or claim more bytes together than the file has."""
    with zipfile.ZipFile(path) as archive:
        _stored(archive, path)


def _stored(archive: zipfile.ZipFile, path: Path) -> list[zipfile.ZipInfo]:
    members = archive.infolist()
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise ValueError("its parts are packed")
    if sum(member.file_size for member in members) > path.stat().st_size:
        raise ValueError("its parts are larger than the file")
    return members


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """The array of a .npy file (versions 1 to 3), read by its header alone: nothing in it is evaluated or unpickled."""
    with archive.open(member) as stream:
        start = stream.read(8)
        size = stream.read(2 if start[6:7] == b"\x01" else 4)
        match = _HEADER.fullmatch(stream.read(int.from_bytes(size, "little")))
        if start[:6] != b"\x93NUMPY" or match is None:
            raise ValueError(f"{member.filename[:60]!r} is no array of numbers or text")
        kind = np.dtype(match[1].decode())
        shape = tuple(int(length) for length in match[3].decode().split(",") if length.strip())
        if math.prod(shape) * kind.itemsize > member.file_size:
            raise ValueError(f"{member.filename[:60]!r} is cut off")
        array = np.empty(shape, kind, order="F" if match[2] == b"True" else "C")
        content = array.reshape(-1, order="A").view(np.uint8)
        for begin in range(0, len(content), _STEP):
            part = stream.read(min(_STEP, len(content) - begin))
            content[begin : begin + len(part)] = np.frombuffer(part, np.uint8)
        if stream.read(1):
            raise ValueError(f"{member.filename[:60]!r} has more in it than its array")
    return array


def text_array(text: str) -> NDArray[np.generic]:
    """A text as bytes, to be stored among arrays."""
    return np.frombuffer(text.encode("utf-8"), np.uint8)
