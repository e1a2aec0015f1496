"""Suites in TSV: one sentence a line. SORTS counts positions from 1, PPATS from 0; each has its own header."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..treebank.pool import Column
from ..treebank.treebank import Treebank, first_bad_utf8
from .model import Arcs, RoleSuite

ROLES_HEADER = ("Word Order", "Other Properties", "Subject Position", "Object Position", "Sentence")
PP_HEADER = ("features", "head_distance", "prep_position", "prep_obj_position", "head_pos", "relation", "sentence")
HEADERS = (ROLES_HEADER, PP_HEADER)
FIRST = {"roles": 1, "pp": 0}
"""Where positions begin, by the header."""
Row = tuple[int, list[str], tuple[str, ...]]
"""Line, fields, tokens."""


def from_tsv(
    data: bytes, name: str, *, positions: int | None = None, release: str = "", language: str = ""
) -> RoleSuite:
    """A suite from bytes. The header says where positions begin; a position that contradicts it is an error."""
    from .conll import assemble

    header, rows = _rows(data, name)
    kind = "roles" if header == ROLES_HEADER else "pp"
    places = (2, 3) if kind == "roles" else (2, 3, 4)
    numbers = [[_number(row, place, name) for place in places] for row in rows]
    base = FIRST[kind] if positions is None else positions
    _check_base(rows, numbers, base, name)
    shifted = [[None if one is None else one + 1 - base for one in some] for some in numbers]
    found: list[list[tuple[int | None, int | None, str]]]
    distances: list[int | None]
    if kind == "roles":
        marked = [(fields[0], fields[1]) for _, fields, _ in rows]
        found = [[(some[0], None, "nsubj"), (some[1], None, "obj")] for some in shifted]
        distances = []
    else:
        marked = [("", fields[0]) for _, fields, _ in rows]
        labels = [fields[5] for _, fields, _ in rows]
        found = [
            [(some[0], some[1], "case"), (some[1], some[2], label)] for some, label in zip(shifted, labels, strict=True)
        ]
        distances = [_number(row, 1, name) for row in rows]
    given = [
        sorted((at, -1 if head is None else head, label) for at, head, label in some if at is not None)
        for some in found
    ]
    treebank = Treebank(_conll(rows, marked, given, name).encode("utf-8"), name=name)
    return assemble(
        name, "roles" if kind == "roles" else "pp", "tsv", treebank, marked, _arcs(given), [row[0] for row in rows],
        release, language, [-1 if one is None else one for one in distances],
    )  # fmt: skip


def _rows(data: bytes, name: str) -> tuple[tuple[str, ...], list[Row]]:
    """The header and the lines with their tokens."""
    if (bad := first_bad_utf8(data)) is not None:
        where = f"{name}:{data.count(10, 0, bad) + 1}"
        raise InputError(f"byte 0x{data[bad]:02x} is not UTF-8", where=where, todo="convert the file to UTF-8")
    lines = data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    start = next(number for number, line in enumerate(lines) if line.strip() and line[0] != "#")
    first = tuple(field.strip().casefold() for field in lines[start].split("\t"))
    header = next(one for one in HEADERS if tuple(map(str.casefold, one)) == first)
    rows: list[Row] = []
    for number, line in enumerate(lines[start + 1 :], start + 2):
        if not line.strip():
            continue
        fields = line.split("\t")
        where = f"{name}:{number}"
        if len(fields) != len(header):
            raise InputError(f"{len(fields)} columns instead of {len(header)}", where=where, todo=" / ".join(header))
        tokens = tuple(fields[-1].strip(" ").split(" "))
        if "" in tokens or any(not token.strip() for token in tokens):
            raise InputError("no sentence, or two blanks in it", where=where, todo="write words with one blank between")
        rows.append((number, fields, tokens))
    if not rows:
        raise InputError("a header and no sentence", where=name)
    return header, rows


def _number(row: Row, place: int, name: str) -> int | None:
    """A position; None where the field is empty."""
    text = row[1][place].strip()
    if text in ("", "_"):
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise InputError(f"{text[:40]!r} is no position", where=f"{name}:{row[0]}", todo="write a whole number")
    return int(text)


def _check_base(rows: Sequence[Row], numbers: Sequence[Sequence[int | None]], base: int, name: str) -> None:
    """0 cannot be where counting begins with 1; the number of words cannot be where it begins with 0."""
    for (line, _, tokens), some in zip(rows, numbers, strict=True):
        wrong = 0 if base else len(tokens)
        if wrong in some:
            what = f"position {wrong} in a sentence of {len(tokens)} words, where positions count from {base}"
            todo = f"if this file counts from {1 - base}, say so: --positions {1 - base}"
            raise InputError(what, where=f"{name}:{line}", todo=todo)


def _conll(
    rows: Sequence[Row],
    marked: Sequence[tuple[str, str]],
    given: Sequence[Sequence[tuple[int, int, str]]],
    name: str,
) -> str:
    """The same in CoNLL; what stands outside the sentence has no row there (a check names it)."""
    pieces = []
    for (line, _, tokens), (order, props), arcs in zip(rows, marked, given, strict=True):
        if not props or any(char in order + props for char in " |=:"):
            what = f"order {order!r} and properties {props!r} cannot be"
            raise InputError(what, where=f"{name}:{line}", todo="blanks and the signs | = : have no place in them")
        feats = f"order:{order}|props:{props}" if order else f"props:{props}"
        ends = {at: f"{'_' if head < 0 else head}\t{label}" for at, head, label in arcs}
        pieces += [
            f"{at}\t{token}\t_\t_\t_\t{feats}\t{ends.get(at) or _NOTHING}\t_\t_\n" for at, token in enumerate(tokens, 1)
        ]
        pieces.append("\n")
    return "".join(pieces)


_NOTHING = "_\t_"


def _arcs(given: Sequence[Sequence[tuple[int, int, str]]]) -> Arcs:
    flat = [(item, *arc) for item, arcs in enumerate(given) for arc in arcs]
    pool: dict[str, int] = {}
    codes = [pool.setdefault(label, len(pool)) for *_, label in flat]
    numbers = np.array([arc[:3] for arc in flat], dtype=np.int64).reshape(-1, 3)
    label = Column(np.array(codes, dtype=np.int32), tuple(pool))
    return Arcs(numbers[:, 0].copy(), numbers[:, 1].copy(), numbers[:, 2].copy(), label)
