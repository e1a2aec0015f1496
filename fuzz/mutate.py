"""Mutators: each changes an input a little and repairs what its format checks first, so that the damage goes deeper."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

Mutator = Callable[[bytes, Random], bytes]

NUMBERS = ("0", "-1", "1", "2", "00", "1.5", "-0", "1e999", "nan", "inf", "4294967296", "9" * 20, "9" * 5000, "٣", "²")
WORDS = (
    "",
    "_",
    "--",
    "a",
    "*",
    "é",
    "\u0301",
    "\u200b",
    "\ufeff",
    "\u2028",
    "\x85",
    "\x00",
    "𝄞",
    "|",
    "=",
    "a=b",
    "x" * 3000,
)
PIECES = (
    *NUMBERS,
    *WORDS,
    "\t",
    "\n",
    "\r\n",
    " ",
    "(",
    ")",
    "[",
    "]",
    "#",
    ":",
    ";",
    "%",
    "&",
    "<",
    ">",
    '"',
    "\\",
    "@",
)
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 1.5, "", "a", "\x00", [], {}, [[]], {"a": {}}, [None], "1", "x" * 3000,
)  # fmt: skip


def flip_bytes(data: bytes, draw: Random) -> bytes:
    """Some bytes are others."""
    changed = bytearray(data or b"x")
    for _ in range(draw.choice((1, 1, 2, 8))):
        changed[draw.randrange(len(changed))] = draw.choice((0, 9, 10, 32, 255, draw.randrange(256)))
    return bytes(changed)


def cut_and_paste(data: bytes, draw: Random) -> bytes:
    """A stretch is left out, repeated or moved."""
    size = len(data) + 1
    begin, end = sorted((draw.randrange(size), draw.randrange(size)))
    place = draw.randrange(size)
    kind = draw.randrange(4)
    if kind == 0:
        return data[:begin]
    if kind == 1:
        return data[:begin] + data[end:]
    return data[:place] + data[begin:end] * (1 if kind == 2 else draw.choice((2, 30))) + data[place:]


def insert_pieces(data: bytes, draw: Random) -> bytes:
    """Something odd stands in between."""
    place = draw.randrange(len(data) + 1)
    return data[:place] + draw.choice(PIECES).encode() + data[place:]


def change_cells(data: bytes, draw: Random) -> bytes:
    """A cell of a table is another; lines and the number of cells stay as they are, or change a little."""
    lines = data.split(b"\n")
    for _ in range(draw.choice((1, 1, 2, 5))):
        at = draw.randrange(len(lines))
        separator = b"\t" if b"\t" in lines[at] else b"," if b"," in lines[at] else b" "
        cells = lines[at].split(separator)
        place = draw.randrange(len(cells))
        kind = draw.randrange(8)
        if kind < 4:
            cells[place] = draw.choice(NUMBERS if kind < 2 else WORDS).encode()
        elif kind == 4:
            cells[place] = draw.choice(draw.choice(lines).split(separator))
        elif kind == 5:
            del cells[place]
        elif kind == 6:
            lines.insert(draw.randrange(len(lines)), lines[at])
        else:
            lines[at], lines[place % len(lines)] = lines[place % len(lines)], lines[at]
            continue
        lines[at] = separator.join(cells)
    return b"\n".join(lines)


def balance(data: bytes) -> bytes:
    """Brackets that are closed are opened, and the other way round."""
    pairs, stack, kept = {41: 40, 93: 91}, bytearray(), bytearray()
    for byte in data:
        if byte in (40, 91):
            stack.append(byte)
        elif byte in pairs:
            if not stack or stack[-1] != pairs[byte]:
                continue
            stack.pop()
        kept.append(byte)
    return bytes(kept + bytes({40: 41, 91: 93}[byte] for byte in reversed(stack)))


def change_brackets(data: bytes, draw: Random) -> bytes:
    """Parts between brackets change, and the brackets are balanced again."""
    parts = re.split(rb"([()\[\]\s])", data)
    for _ in range(draw.choice((1, 2, 6))):
        at = draw.randrange(len(parts))
        kind = draw.randrange(5)
        if kind == 0:
            parts[at] = draw.choice(PIECES).encode()
        elif kind == 1:
            parts[at] = draw.choice(parts)
        elif kind == 2:
            parts[at:at] = [b"("] * draw.choice((1, 3, 2000))
        elif kind == 3:
            del parts[at : at + draw.randrange(1, 6)]
            parts = parts or [b""]
        else:
            parts[at:at] = parts[: draw.randrange(12)]
    return balance(b"".join(parts)) if draw.random() < 0.8 else b"".join(parts)


_ATTRIBUTE = re.compile(rb'\s([\w:]+)="([^"]*)"')


def change_xml(data: bytes, draw: Random) -> bytes:
    """Attributes and elements change; the document stays well-formed unless an element was cut."""
    for _ in range(draw.choice((1, 2, 4))):
        matches = list(_ATTRIBUTE.finditer(data))
        elements = list(re.finditer(rb"<(\w+)[^<>]*/>", data))
        if not matches:
            break
        match = draw.choice(matches)
        kind = draw.randrange(6)
        if kind == 0:
            data = data[: match.start()] + data[match.end() :]
        elif kind == 1:
            text = draw.choice(PIECES).translate({34: "", 38: "", 60: "", 0: ""})
            data = data[: match.start(2)] + text.encode() + data[match.end(2) :]
        elif kind == 2:
            data = data[: match.start(2)] + draw.choice(matches)[2] + data[match.end(2) :]
        elif elements:
            element = draw.choice(elements)
            place = draw.choice(elements).start()
            if kind == 3:
                data = data[: element.start()] + data[element.end() :]
            else:
                data = data[:place] + element[0] + data[place:]
    return data


def change_value(value: Any, draw: Random) -> Any:
    """A value of JSON with one place in it changed."""
    if isinstance(value, dict) and value and draw.random() < 0.85:
        key = draw.choice(list(value))
        kind = draw.randrange(7)
        if kind == 0:
            return {name: part for name, part in value.items() if name != key}
        if kind == 1:
            return {**value, draw.choice(WORDS): draw.choice(VALUES)}
        return {**value, key: change_value(value[key], draw)}
    if isinstance(value, list) and value and draw.random() < 0.85:
        at = draw.randrange(len(value))
        kind = draw.randrange(7)
        if kind == 0:
            return value[:at] + value[at + 1 :]
        if kind == 1:
            return [*value, draw.choice(value)]
        return [*value[:at], change_value(value[at], draw), *value[at + 1 :]]
    if isinstance(value, str) and draw.random() < 0.5:
        return insert_pieces(value.encode(), draw).decode("utf-8", "ignore")
    return draw.choice((*VALUES, [value], {"a": value}))


def change_json(data: bytes, draw: Random) -> bytes:
    """One line, or the whole, with a place changed; still JSON."""
    lines = data.split(b"\n") if data.count(b"\n{") else [data]
    at = draw.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except ValueError:
        return flip_bytes(data, draw)
    for _ in range(draw.choice((1, 1, 3))):
        value = change_value(value, draw)
    lines[at] = json.dumps(value, ensure_ascii=draw.random() < 0.5).encode("utf-8", "replace")
    return b"\n".join(lines)


def change_array(data: bytes, draw: Random) -> bytes:
    """A .npy whose header or numbers change; the length of the header is repaired."""
    if not data.startswith(b"\x93NUMPY\x01") or len(data) < 12:
        return flip_bytes(data, draw)
    size = struct.unpack("<H", data[8:10])[0]
    header, body = data[10 : 10 + size], data[10 + size :]
    kind = draw.randrange(4)
    if kind == 0:
        header = re.sub(rb"\d+", lambda match: draw.choice((match[0], b"0", b"7", b"99999999999")), header)
    elif kind == 1:
        header = header.replace(b"<i", draw.choice((b"<f", b">i", b"|O", b"<U"))).replace(
            b"<f", draw.choice((b"<f", b"<c"))
        )
    elif kind == 2:
        header = insert_pieces(header, draw)[:60000]
    else:
        body = change_json(body, draw) if body[:1] == b"{" else flip_bytes(body, draw)
        if b"'|u1'" in header:
            header = re.sub(rb"\(\d+,\)", b"(%d,)" % len(body), header)
    return data[:8] + struct.pack("<H", len(header)) + header + body


def zip_mutator(inner: Mutator) -> Mutator:
    """Members change by `inner`, are left out or doubled; lengths and checksums fit again, mostly."""

    def change(data: bytes, draw: Random) -> bytes:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = [(entry.filename, archive.read(entry)) for entry in archive.infolist()]
        except Exception:  # an earlier change has broken it
            return flip_bytes(data, draw)
        at = draw.randrange(len(members))
        name, content = members[at]
        kind = draw.randrange(8)
        if kind == 0:
            del members[at]
        elif kind == 1:
            members[at] = (draw.choice((*WORDS[1:-1], "../x", "/x", "a/../../b", "C:x", "con")), content)
        elif kind == 2:
            members.append((draw.choice(members)[0], content))
        else:
            members[at] = (name, inner(content, draw))
        return _zipped(members, draw)

    return change


def _zipped(members: Sequence[tuple[str, bytes]], draw: Random) -> bytes:
    import warnings

    stream = io.BytesIO()
    packed = draw.choice((zipfile.ZIP_STORED,) * 9 + (zipfile.ZIP_DEFLATED,))
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", packed) as archive:
        warnings.simplefilter("ignore")  # a name twice
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, packed)
    whole = stream.getvalue()
    return flip_bytes(whole, draw) if draw.random() < 0.2 else whole


PLAIN: tuple[Mutator, ...] = (flip_bytes, cut_and_paste, insert_pieces)
TABLE: tuple[Mutator, ...] = (*PLAIN, change_cells, change_cells, change_cells)
BRACKETS: tuple[Mutator, ...] = (*PLAIN, change_brackets, change_brackets, change_brackets)
XML: tuple[Mutator, ...] = (*PLAIN, change_xml, change_xml, change_xml)
JSON: tuple[Mutator, ...] = (flip_bytes, cut_and_paste, change_json, change_json, change_json)
ARRAYS: tuple[Mutator, ...] = (flip_bytes, *(zip_mutator(change_array),) * 4)


def mutant(seeds: Sequence[bytes], mutators: Sequence[Mutator], draw: Random, longest: int = 1 << 16) -> bytes:
    """One of the seeds after one to three changes."""
    data = draw.choice(seeds)
    for _ in range(draw.choice((1, 1, 2, 3))):
        data = draw.choice(mutators)(data, draw)[:longest]
    return data
