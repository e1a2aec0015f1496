"""Reading files that are nearly CoNLL-U: repairs that lose nothing, each counted."""

from __future__ import annotations

from ..errors import InputError

_BOM = b"\xef\xbb\xbf"


def repair(data: bytes, name: str = "<bytes>") -> tuple[bytes, dict[str, int]]:
    """Bytes that the strict reader takes, and how often what was repaired.

    `byte order mark`, `carriage returns`, `blanks on empty lines`, `missing columns` (filled with `_` at the
    end) and `empty fields` (made `_`). Nothing is guessed: other faults stay, and the reader names them.
    """
    counts: dict[str, int] = {}
    if data.startswith(_BOM):
        data, counts["byte order mark"] = data[len(_BOM) :], 1
    if b"\r" in data:
        counts["carriage returns"] = data.count(b"\r")
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if _needs_rows(data):
        data = _repair_rows(data, counts, name)
    return data, counts


def _needs_rows(data: bytes) -> bool:
    if b"\t\t" in data or b"\t\n" in data or b"\n " in data or b"\n\t" in data:
        return True
    return any(line.count(b"\t") != 9 for line in data.split(b"\n") if line and line[:1] != b"#")


def _repair_rows(data: bytes, counts: dict[str, int], name: str) -> bytes:
    lines = data.split(b"\n")
    for number, line in enumerate(lines):
        if line[:1] == b"#" or not line:
            continue
        if not line.strip():
            lines[number] = b""
            counts["blanks on empty lines"] = counts.get("blanks on empty lines", 0) + 1
            continue
        fields = line.split(b"\t")
        if not 6 <= len(fields) <= 10:
            raise InputError(
                f"{len(fields)} column{'s' if len(fields) > 1 else ''} instead of 10",
                where=f"{name}:{number + 1}",
                todo="between 6 and 9 columns can be filled up, this line cannot",
            )
        if len(fields) < 10:
            counts["missing columns"] = counts.get("missing columns", 0) + 10 - len(fields)
            fields += [b"_"] * (10 - len(fields))
        empty = sum(not field for field in fields)
        if empty:
            counts["empty fields"] = counts.get("empty fields", 0) + empty
            fields = [field or b"_" for field in fields]
        lines[number] = b"\t".join(fields)
    return b"\n".join(lines)
