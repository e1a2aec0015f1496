"""Mutators: each changes an input a little and repairs what its format checks first, so that the damage goes deeper."""

from __future__ import annotations

import io
import json
import re
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

Mutator = Callable[[bytes, Random], bytes]

NUMBERS = ("0", "-1", "1", "2", "00", "1.5", "-0", "1e999", "nan", "inf", "4294967296", "9" * 20, "٣", "²")
WORDS = ("", "_", "--", "a", "*", "é", "\u0301", "\u200b", "\ufeff", "\u2028", "\x85", "\x00", "𝄞", "|", "=", "a=b")
MARKS = (*'\t\n ()[]#:;%&<>"\\@', "\r\n")
LONG = ("9" * 5000, "x" * 3000)
"""Once in a while: long inputs take long, and what they find they find early."""
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 1.5, "", "a", "\x00", [], {}, [[]], {"a": {}}, [None], "1",
)  # fmt: skip


def piece(draw: Random, among: Sequence[str] = (*NUMBERS, *WORDS, *MARKS)) -> bytes:
    """Something odd, rarely something long."""
    return draw.choice(LONG if draw.random() < 0.01 else among).encode()


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
    return data[:place] + piece(draw) + data[place:]


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
            cells[place] = piece(draw, NUMBERS if kind < 2 else WORDS)
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


_BRACKET = re.compile(rb"[()\[\]]")
_CLOSING = {b"(": b")", b"[": b"]"}


def balance(data: bytes) -> bytes:
    """Brackets that are closed are opened, and the other way round."""
    missing, kept, done = list[bytes](), list[bytes](), 0
    for match in _BRACKET.finditer(data):
        bracket = match[0]
        if bracket in _CLOSING:
            missing.append(_CLOSING[bracket])
        elif missing and missing[-1] == bracket:
            missing.pop()
        else:
            kept.append(data[done : match.start()])
            done = match.end()
    return b"".join((*kept, data[done:], *reversed(missing)))


def change_brackets(data: bytes, draw: Random) -> bytes:
    """Parts between brackets change, and the brackets are balanced again."""
    parts = re.split(rb"([()\[\]\s])", data)
    for _ in range(draw.choice((1, 2, 6))):
        at = draw.randrange(len(parts))
        kind = draw.randrange(5)
        if kind == 0:
            parts[at] = piece(draw)
        elif kind == 1:
            parts[at] = draw.choice(parts)
        elif kind == 2:
            parts[at:at] = [b"("] * (2000 if draw.random() < 0.01 else draw.choice((1, 3, 20)))
        elif kind == 3:
            del parts[at : at + draw.randrange(1, 6)]
            parts = parts or [b""]
        else:
            parts[at:at] = parts[: draw.randrange(12)]
    return balance(b"".join(parts)) if draw.random() < 0.8 else b"".join(parts)


_TOKEN = re.compile(rb'\([0-9*]+;%[^%]*%\)|\]?->+|-\[|<<|"[^"]*"|\w+|\s+|.', re.DOTALL)


def token_mutator(vocabulary: Sequence[bytes]) -> Mutator:
    """One token is another of the language, or of the same text: much of what comes out is a sentence of it."""

    def change(data: bytes, draw: Random) -> bytes:
        tokens = _TOKEN.findall(data) or [b""]
        at, kind = draw.randrange(len(tokens)), draw.randrange(6)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens[at:at] = [draw.choice(vocabulary)]
        elif kind == 2:
            begin = draw.randrange(len(tokens))
            tokens[at:at] = tokens[begin : begin + draw.choice((1, 3, 8))]
        else:
            tokens[at] = draw.choice(tokens if kind == 3 else vocabulary)
        return b"".join(tokens)

    return change


_ATTRIBUTE = re.compile(rb'\s([\w:]+)="([^"]*)"')
_ELEMENT = re.compile(rb"<\w+[^<>]*/>")


def change_xml(data: bytes, draw: Random) -> bytes:
    """Attributes and elements change; the document stays well-formed unless an element was cut."""
    for _ in range(draw.choice((1, 2, 4))):
        kind = draw.randrange(6)
        matches = list((_ATTRIBUTE if kind < 3 else _ELEMENT).finditer(data))
        if not matches:
            break
        match, second = draw.choice(matches), draw.choice(matches)
        if kind == 0:
            data = data[: match.start()] + data[match.end() :]
        elif kind == 1:
            text = piece(draw).translate(None, b'"&<\0')
            data = data[: match.start(2)] + text + data[match.end(2) :]
        elif kind == 2:
            data = data[: match.start(2)] + second[2] + data[match.end(2) :]
        elif kind == 3:
            data = data[: match.start()] + data[match.end() :]
        else:
            data = data[: second.start()] + match[0] + data[second.start() :]
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


def change_toml(data: bytes, draw: Random) -> bytes:
    """A place changed; still TOML, written in one line a key."""
    try:
        table = tomllib.loads(data.decode())
    except ValueError:
        return flip_bytes(data, draw)
    changed = change_value(table, draw)
    if not isinstance(changed, dict):
        changed = {"a": changed}
    return "".join(f"{json.dumps(key)} = {_toml(value)}\n" for key, value in changed.items()).encode()


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps("" if value is None else value)


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
        members = list(_members(data))
        if not members:  # an earlier change has broken it
            return flip_bytes(data, draw)
        at = draw.randrange(len(members))
        name, content = members[at]
        kind = draw.randrange(8)
        if kind == 0:
            del members[at]
        elif kind == 1:
            members[at] = (draw.choice((*WORDS[1:], "../x", "/x", "a/../../b", "C:x", "con")), content)
        elif kind == 2:
            members.append((draw.choice(members)[0], content))
        else:
            members[at] = (name, inner(content, draw))
        whole = zipped(members, packed=draw.random() < 0.1)
        return flip_bytes(whole, draw) if draw.random() < 0.2 else whole

    return change


@lru_cache(16)
def _members(data: bytes) -> tuple[tuple[str, bytes], ...]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return tuple((entry.filename, archive.read(entry)) for entry in archive.infolist())
    except Exception:  # whatever a broken archive raises
        return ()


def zipped(members: Sequence[tuple[str, bytes]], packed: bool = False) -> bytes:
    """An archive with these members; put together here, as the standard library takes ten times as long."""
    entries, directory, at = list[bytes](), list[bytes](), 0
    for name, content in members:
        raw, stored = name.encode(), content
        if packed:
            packer = zlib.compressobj(1, zlib.DEFLATED, -15)
            stored = packer.compress(content) + packer.flush()
        about = struct.pack(
            "<5H3L2H", 20, 0x800, 8 * packed, 0, 33, zlib.crc32(content), len(stored), len(content), len(raw), 0
        )
        directory.append(struct.pack("<4sH", b"PK\1\2", 20) + about + struct.pack("<3H2L", 0, 0, 0, 0, at) + raw)
        entries.append(b"PK\3\4" + about + raw + stored)
        at += len(entries[-1])
    size = sum(map(len, directory))
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(members), len(members), size, at, 0)
    return b"".join((*entries, *directory, end))


PLAIN: tuple[Mutator, ...] = (flip_bytes, cut_and_paste, insert_pieces)
TABLE: tuple[Mutator, ...] = (*PLAIN, change_cells, change_cells, change_cells)
BRACKETS: tuple[Mutator, ...] = (*PLAIN, change_brackets, change_brackets, change_brackets)
XML: tuple[Mutator, ...] = (*PLAIN, change_xml, change_xml, change_xml)
JSON: tuple[Mutator, ...] = (flip_bytes, cut_and_paste, change_json, change_json, change_json)
TOML: tuple[Mutator, ...] = (*PLAIN, *(change_toml,) * 5)
PACKED_JSON: tuple[Mutator, ...] = (flip_bytes, *(zip_mutator(change_json),) * 3)
ARRAYS: tuple[Mutator, ...] = (flip_bytes, *(zip_mutator(change_array),) * 4)


def mutant(seeds: Sequence[bytes], mutators: Sequence[Mutator], draw: Random, longest: int = 1 << 16) -> bytes:
    """One of the seeds after one to three changes."""
    data = draw.choice(seeds)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        data = draw.choice(mutators)(data, draw)[:longest]
    return data
