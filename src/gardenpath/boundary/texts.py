"""Files and their names as text: UTF-8, bounded in size, and every fault of foreign content as one error."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..errors import GardenpathError, InputError, UsageError


@contextmanager
def reading(what: str, where: str, todo: str = "", kind: type[GardenpathError] = InputError) -> Iterator[None]:
    """For a block that does nothing but take apart what somebody else wrote: whatever it raises is a fault of that.

    The readers of the standard library and of NumPy raise a dozen kinds of errors on damaged files, and a value of
    JSON may have any shape.
    """
    try:
        yield
    except (GardenpathError, FileNotFoundError):
        raise
    except Exception as error:
        raise kind(f"{what}: {reason(error)}", where=where, todo=todo) from error


def reason(error: BaseException) -> str:
    """The error in a few words; a bare name or number, as KeyError has it, is told apart from a sentence."""
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    if isinstance(error, KeyError):
        return f"{error} is missing"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it is too large for the memory"
    text = " ".join(str(error).split())
    return text if " " in text else f"{type(error).__name__} {text}".strip()


LARGEST = 1 << 30
"""Bytes of a file that is read whole into text or values."""


def file_bytes(path: str | os.PathLike[str], what: str = "the file", todo: str = "", most: int = LARGEST) -> bytes:
    """The content of a file that must fit into memory; one that is not there is told as such."""
    try:
        with Path(path).open("rb") as stream:
            check_kind(stream, path)
            data = stream.read(most + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{what} cannot be read: {reason(error)}", where=printable(path), todo=todo) from error
    if len(data) > most:
        raise InputError(f"{what} is larger than {most >> 20} MB", where=printable(path), todo=todo)
    return data


def check_kind(stream: IO[bytes], path: str | os.PathLike[str]) -> None:
    """Refuses devices, of which some never end (/dev/zero); not terminals, pipes and /dev/null."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:  # a stream that is not of the system
        return
    endless = stat.S_ISCHR(status.st_mode) and not stream.isatty() and status.st_rdev != Path(os.devnull).stat().st_rdev
    if endless or stat.S_ISBLK(status.st_mode):
        raise InputError("this is a device, not a file", where=printable(path))


def utf8(data: bytes, where: str) -> str:
    """The text of a file, without a byte order mark; an error names the line."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("this is not UTF-8 text", where=f"{where}:{line}", todo="save it as UTF-8") from error


def file_text(path: str | os.PathLike[str], what: str = "the file", todo: str = "", most: int = LARGEST) -> str:
    """The text of a file in UTF-8."""
    return utf8(file_bytes(path, what, todo, most), printable(path))


def csv_rows(
    lines: Iterable[str], where: str, separator: str = ",", *, strict: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """The cells of every row of a CSV table, and the line it begins on; `strict` refuses quotes inside of cells."""
    import csv

    reader = csv.reader(lines, delimiter=separator, strict=strict)
    begin = 1
    try:
        for row in reader:
            yield begin, row
            begin = reader.line_num + 1
    except csv.Error as error:  # such as a cell of more than 131,072 characters
        raise InputError(f"this is no CSV: {error}", where=f"{where}:{reader.line_num}") from error


def printable(name: str | os.PathLike[str]) -> str:
    """A name as it can be printed and written: bytes that are not UTF-8 stand as \\xff."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def check_name(name: str | os.PathLike[str], what: str = "the name of this file") -> None:
    """Names stand in results, which are UTF-8: one that is not can be read by no one else."""
    text = os.fspath(name)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        shown = text.encode("utf-8", "backslashreplace").decode("utf-8")
        todo = "rename it, or, if it looks right to you, set PYTHONUTF8=1"
        raise UsageError(f"{what} is not UTF-8", where=shown, todo=todo) from None
