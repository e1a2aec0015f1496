"""The text of a suite's file: UTF-8, lines, and cells of CSV, with the line of each."""

from __future__ import annotations

import csv
import io
import re

from ...boundary import texts
from ...errors import InputError, UsageError


def decoded(data: bytes, name: str, encoding: str = "") -> str:
    """UTF-8, or UTF-16 where a byte order mark says so, or as named; lines ended by LF."""
    taken = encoding or ("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    try:
        return data.decode(taken).replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        todo = "save it as UTF-8; of a file of pairs say how it is written, such as --set layout=encoding=cp1251"
        raise InputError(
            f"this is not {taken.upper().removesuffix('-SIG')} text", where=f"{name}:{line}", todo=todo
        ) from error
    except (LookupError, ValueError):  # no such encoding, or one that is none of texts, such as idna
        raise UsageError(f"unknown encoding {taken!r}", where="layout", todo="such as cp1251 or latin-1") from None


def csv_rows(text: str, name: str, separator: str = ",") -> list[tuple[int, list[str]]]:
    """(line, cells) of every row that is not empty. Cells that were quoted twice, `""so, then""`, are read as meant."""
    try:
        return _csv_rows(text, name, separator)
    except InputError:
        sign = re.escape(separator)
        once = re.sub(rf'(?m)(^|{sign})""([^"\n]+)""(?={sign}|$)', r'\1"\2"', text)
        if once == text:
            raise
        return _csv_rows(once, name, separator)


def _csv_rows(text: str, name: str, separator: str) -> list[tuple[int, list[str]]]:
    rows = texts.csv_rows(io.StringIO(text, newline=""), name, separator, strict=True)
    return [(line, cells) for line, cells in rows if any(cell.strip() for cell in cells)]


def csv_bytes(rows: list[list[str]], separator: str = ",") -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=separator, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode("utf-8")
