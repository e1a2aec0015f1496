"""The text of a suite's file: UTF-8, lines, and cells of CSV, with the line of each."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from ...errors import InputError


def decoded(data: bytes, name: str) -> str:
    """UTF-8 without byte order mark, lines ended by LF."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("this is not UTF-8 text", where=f"{name}:{line}", todo="save it as UTF-8") from error


def loaded(text: str, name: str, what: str) -> Any:
    """JSON; half a character pair (\\ud800) is refused, for no file can hold it."""
    try:
        value = json.loads(text)
        if "\\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"{what} has half a character", where=name, todo="write the character itself") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{what} is no JSON: {error}", where=name) from error
    return value


def csv_rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of every row that is not empty."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    begin = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield begin, row
            begin = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"this is no CSV: {error}", where=f"{name}:{reader.line_num}") from error


def csv_bytes(rows: list[list[str]]) -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode("utf-8")
