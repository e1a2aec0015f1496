"""Getting at treebank bytes: files, compressed files, archives, folders, globs and standard input."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Protocol

from ..errors import InputError, UsageError
from .tolerant import repair
from .treebank import Treebank

ENDINGS = (".conllu", ".conll", ".conllx")
SUFFIXES = (*ENDINGS, *(f"{ending}{packed}" for ending in ENDINGS for packed in (".gz", ".xz")))
"""What a treebank's name ends with, in folders and archives; capitals do not matter."""
_RATIO, _HARMLESS = 200, 256 << 20
"""A file that unpacks to more than this many times its size is taken for a bomb; treebanks pack 10 to 20 times."""
_STEP = 1 << 20

Source = str | PathLike[str]


def read(source: Source | Iterable[Source], *, tolerant: bool | None = None, name: str = "") -> Treebank:
    """One treebank from a file (also .gz, .xz, .zip), `-`, a folder, a glob, or several of them.

    Strict for CoNLL-U; `tolerant` (the default for `.conll`) repairs what suites in the CoNLL-X manner
    do differently, and counts the repairs in `Treebank.repairs`.
    """
    sources = listed(source)
    files = [file for one in sources for file in open_files(one, tolerant=tolerant)]
    label = name or " + ".join(map(str, sources))
    if len(files) == 1:
        (file, data, repairs) = files[0]
        return Treebank(data, name=name or file, files=[(file, 0)], repairs=repairs)
    pieces, starts, begin, counted = [], [], 0, dict[str, int]()
    for file, data, repairs in files:
        if data.startswith(b"\xef\xbb\xbf") or not data or data.isspace():
            Treebank(data, name=file)  # raises: what a joined file would hide
        missing = b"" if data.endswith(b"\n\n") else b"\n" if data.endswith(b"\n") else b"\n\n"
        pieces.append(data + missing)
        starts.append((file, begin))
        begin += len(pieces[-1])
        for kind, count in repairs.items():
            counted[kind] = counted.get(kind, 0) + count
    return Treebank(b"".join(pieces), name=label, files=starts, repairs=counted)


def read_each(source: Source | Iterable[Source], *, tolerant: bool | None = None) -> Iterator[Treebank]:
    """A treebank per file, one at a time."""
    for one in listed(source):
        for file, data, repairs in open_files(one, tolerant=tolerant):
            yield Treebank(data, name=file, repairs=repairs)


def paths(source: Source) -> list[str]:
    """The files that a name stands for: itself, a folder's treebanks, what a glob matches, or data by name."""
    text = str(source)
    if text == "-":
        return ["-"]
    path = Path(text)
    try:
        if path.is_dir():
            return _treebanks_in(path)
        if path.exists():
            return [text]
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror or error}", where=text) from error
    if any(char in text for char in "*?["):
        from glob import glob

        if found := sorted(glob(text, recursive=True)):  # noqa: PTH207 (Path.glob takes no absolute pattern)
            return [file for one in found for file in paths(one)]
        raise InputError("no file matches", where=text)
    if text.startswith(("bundled:", "ud:")):
        from ..data import locate

        return paths(locate(text))
    raise InputError("no such file or folder", where=text, todo=_near(path))


def _treebanks_in(folder: Path) -> list[str]:
    named = (file for file in folder.rglob("*") if file.name.lower().endswith((*SUFFIXES, ".zip")))
    found = sorted(str(file) for file in named if file.is_file())
    if not found:
        todo = "expected files named *.conllu or *.conll, also .gz, .xz or .zip"
        raise InputError("no treebank in this folder", where=str(folder), todo=todo)
    return found


def open_files(source: Source, *, tolerant: bool | None = None) -> Iterator[tuple[str, bytes, dict[str, int]]]:
    """(name, bytes, repairs) of every file that a source stands for."""
    for path in paths(source):
        members = _zip_members(path) if path.lower().endswith(".zip") else [(_shown(path), _load(path))]
        for name, data in members:
            wanted = tolerant if tolerant is not None else _is_conll(name)
            if wanted:
                data, repairs = repair(data, name)
            else:
                repairs = {}
            yield name, data, repairs


def listed(source: Source | Iterable[Source]) -> list[Source]:
    sources = [source] if isinstance(source, str | PathLike) else list(source)
    if not sources:
        raise UsageError("no treebank is named", todo="name a file, a folder or a pattern")
    return sources


def _shown(path: str) -> str:
    return "<stdin>" if path == "-" else path


def _is_conll(name: str) -> bool:
    bare = name.lower()
    for suffix in (".gz", ".xz"):
        bare = bare.removesuffix(suffix)
    return bare.endswith((".conll", ".conllx"))


def _load(path: str) -> bytes:
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        if path.lower().endswith(".gz"):
            import gzip

            with gzip.open(path) as packed:
                return _unpacked(packed, path)
        if path.lower().endswith(".xz"):
            return _load_xz(path)
        return Path(path).read_bytes()
    except (EOFError, zlib.error) as error:
        raise _damaged(path, error) from error
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror or error}", where=_shown(path)) from error


def _load_xz(path: str) -> bytes:
    import lzma

    try:
        with lzma.open(path) as packed:
            return _unpacked(packed, path)
    except lzma.LZMAError as error:
        raise _damaged(path, error) from error


def _damaged(path: str, error: Exception) -> InputError:
    return InputError(f"damaged: {error}", where=path, todo="get the file again")


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _unpacked(stream: _Stream, path: str, before: int = 0) -> bytes:
    """All of it, unless it grows like a bomb; `before` bytes came out of the same file already."""
    limit = max(_HARMLESS, _RATIO * Path(path).stat().st_size)
    pieces, size = [], before
    while piece := stream.read(_STEP):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            what = f"unpacks to more than {limit >> 20} MB, {_RATIO} times its size"
            raise InputError(what, where=path, todo="if it is right, unpack it by hand")
    return b"".join(pieces)


def _zip_members(path: str) -> Iterator[tuple[str, bytes]]:
    """The treebanks in a zip archive, read in memory: nothing is ever unpacked to the disk."""
    import lzma
    import struct
    import zipfile

    faults = (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, struct.error, RuntimeError, ValueError)
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if name.lower().endswith(ENDINGS))
            if not names:
                raise InputError("no *.conllu or *.conll in this archive", where=path)
            done = 0
            for name in names:
                with archive.open(name) as stream:
                    data = _unpacked(stream, path, done)
                done += len(data)
                yield f"{path}/{name}", data
    except faults as error:
        raise _damaged(path, error) from error
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror or error}", where=path) from error


def _near(path: Path) -> str:
    from difflib import get_close_matches

    try:
        names = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
    except OSError:
        names = []
    near = get_close_matches(path.name, names, n=1, cutoff=0.6)
    return f"did you mean {path.with_name(near[0])}?" if near else ""
