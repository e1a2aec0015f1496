"""The tokens that begin and end a text, from the header of a GGUF file: no package and no weights are read.

A header is `GGUF`, version, number of tensors, number of pairs; a pair is a key, a type and a value. Numbers are
little-endian, a string is its length and its bytes, an array its type, its length and its values.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

from ...boundary.faults import reading

_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of each type of number."""
_STRING, _ARRAY = 8, 9
_FORMATS = {4: "<I", 5: "<i", 10: "<Q", 11: "<q"}
_TOKENS = "tokenizer.ggml.tokens"
_ROLES = {f"tokenizer.ggml.{role}_token_id": role for role in ("bos", "eos")}


def special_tokens(path: Path) -> dict[str, str]:
    """The tokens of `bos` and `eos`, as far as the file names them."""
    what = "the header of this GGUF file is damaged"
    with (
        reading(what, str(path), "fetch it again"),
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        return _Header(data).special_tokens()


class _Header:
    """A place in the file that goes on with what is read."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data, self.at = data, 0

    def special_tokens(self) -> dict[str, str]:
        if self.data[:4] != b"GGUF":
            raise IndexError("no GGUF")
        self.at = 16  # behind magic (4), version (4) and number of tensors (8)
        ids: dict[str, int] = {}
        tokens: list[tuple[int, int]] = []
        for _ in range(self._number("<Q")):
            begin, end = self._string()
            key, kind = self.data[begin:end].decode("utf-8"), self._number("<I")
            if key in _ROLES and kind in _FORMATS:
                ids[_ROLES[key]] = self._number(_FORMATS[kind])
            elif key == _TOKENS and kind == _ARRAY and self._number("<I") == _STRING:
                tokens = [self._string() for _ in range(self._number("<Q"))]
            else:
                self._skip(kind)
        spans = {role: tokens[number] for role, number in ids.items() if 0 <= number < len(tokens)}
        return {role: self.data[begin:end].decode("utf-8") for role, (begin, end) in spans.items()}

    def _number(self, form: str) -> int:
        (value,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return int(value)

    def _string(self) -> tuple[int, int]:
        """Begin and end of its bytes."""
        size = self._number("<Q")
        self._jump(size)
        return self.at - size, self.at

    def _jump(self, size: int) -> None:
        self.at += size
        if self.at > len(self.data):
            raise IndexError("the file ends too early")

    def _skip(self, kind: int) -> None:
        if kind == _STRING:
            self._string()
        elif kind == _ARRAY:
            inner, count = self._number("<I"), self._number("<Q")
            if inner in _SIZES:
                self._jump(_SIZES[inner] * count)
            else:
                for _ in range(count):
                    self._skip(inner)
        elif kind in _SIZES:
            self._jump(_SIZES[kind])
        else:
            raise IndexError(f"no type {kind}")
