"""Suites in TSV: one sentence a line. SORTS counts positions from 1, PPATS from 0; each has its own header."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import InputError
from ...formats import Format
from ...treebank.format.columns import Column
from ...treebank.format.treebank import Treebank, first_bad_utf8
from .conll import assemble
from .model import OBJECTS, SUBJECT, Arcs, RoleSuite
from .names import HEADERS, PP_HEADER, ROLES_HEADER, first_line
from .reader import Written, head_distance

TSV = "tsv"
Row = tuple[int, list[str], tuple[str, ...]]
"""Line, fields, tokens."""


def from_tsv(
    data: bytes, name: str, *, positions: int | None = None, release: str = "", language: str = ""
) -> RoleSuite:
    """A suite from bytes. The header says where positions begin; a position that contradicts it is an error."""
    header, rows = _rows(data, name)
    kind = "pp" if header == PP_HEADER else "roles"
    places = (2, 3) if kind == "roles" else (2, 3, 4)
    numbers = [[_number(row, place, name) for place in places] for row in rows]
    base = int(kind == "roles") if positions is None else positions
    _check_base(rows, numbers, base, name)
    shifted = [[None if one is None else one + 1 - base for one in some] for some in numbers]
    arcs: list[list[tuple[int | None, int | None, str]]] = []
    marked, distances = list[tuple[str, str]](), list[int | None]()
    for row, some in zip(rows, shifted, strict=True):
        fields = row[1]
        if kind == "roles":
            marked.append((fields[0], fields[1]))
            arcs.append([(some[0], None, "nsubj"), (some[1], None, "obj")])
        else:
            marked.append(("", fields[0]))
            arcs.append([(some[0], some[1], "case"), (some[1], some[2], fields[5])])
            distances.append(_number(row, 1, name))
    given = [
        sorted((at, -1 if head is None else head, label) for at, head, label in some if at is not None) for some in arcs
    ]
    treebank = Treebank(_conll(rows, marked, given, name).encode("utf-8"), name=name)
    return assemble(
        name, "roles" if kind == "roles" else "pp", "tsv", treebank, marked, _arcs(given), [row[0] for row in rows],
        release, language, [-1 if distance is None else distance for distance in distances],
    )  # fmt: skip


def _rows(data: bytes, name: str) -> tuple[tuple[str, ...], list[Row]]:
    """The header and the lines with their tokens."""
    if (bad := first_bad_utf8(data)) is not None:
        where = f"{name}:{data.count(10, 0, bad) + 1}"
        raise InputError(f"byte 0x{data[bad]:02x} is not UTF-8", where=where, todo="convert the file to UTF-8")
    lines = data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    start = next(number for number, line in enumerate(lines) if line.strip() and line[0] != "#")
    header = _header(lines[start])
    assert header is not None
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


def _header(line: str) -> tuple[str, ...] | None:
    """The header that a line is; capitals do not matter."""
    fields = [field.strip().casefold() for field in line.split("\t")]
    return next((header for header in HEADERS if [*map(str.casefold, header)] == fields), None)


def _number(row: Row, place: int, name: str) -> int | None:
    """A position; None where the field is empty."""
    text = row[1][place].strip()
    if text in ("", "_"):
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise InputError(f"{text[:40]!r} is not a position", where=f"{name}:{row[0]}", todo="write a whole number")
    return int(text)


def _check_base(rows: Sequence[Row], numbers: Sequence[Sequence[int | None]], base: int, name: str) -> None:
    """0 cannot be where counting begins with 1; the number of words cannot be where it begins with 0."""
    for (line, _, tokens), some in zip(rows, numbers, strict=True):
        wrong = 0 if base else len(tokens)
        if wrong in some:
            what = f"position {wrong} in a sentence of {len(tokens)} words, where positions count from {base}"
            todo = f"if this file counts from {1 - base}, say so: --set positions={1 - base}"
            raise InputError(what, where=f"{name}:{line}", todo=todo)


def _conll(
    rows: Sequence[Row],
    marked: Sequence[tuple[str, str]],
    given: Sequence[Sequence[tuple[int, int, str]]],
    name: str,
) -> str:
    """The same in CoNLL; what stands outside the sentence has no row there (a check names it)."""
    pieces, nothing = [], "_\t_"
    for (line, _, tokens), (order, props), arcs in zip(rows, marked, given, strict=True):
        if not props or any(char in order + props for char in " |=:"):
            what = f"order {order!r} and properties {props!r} cannot be"
            raise InputError(what, where=f"{name}:{line}", todo="blanks and the signs | = : have no place in them")
        feats = f"order:{order}|props:{props}" if order else f"props:{props}"
        ends = {at: f"{'_' if head < 0 else head}\t{label}" for at, head, label in arcs}
        pieces += [
            f"{at}\t{token}\t_\t_\t_\t{feats}\t{ends.get(at, nothing)}\t_\t_\n" for at, token in enumerate(tokens, 1)
        ]
        pieces.append("\n")
    return "".join(pieces)


def _arcs(given: Sequence[Sequence[tuple[int, int, str]]]) -> Arcs:
    flat = [(item, *arc) for item, arcs in enumerate(given) for arc in arcs]
    pool: dict[str, int] = {}
    codes = [pool.setdefault(label, len(pool)) for *_, label in flat]
    numbers = np.array([arc[:3] for arc in flat], dtype=np.int64).reshape(-1, 3)
    label = Column(np.array(codes, dtype=np.int32), tuple(pool))
    return Arcs(numbers[:, 0].copy(), numbers[:, 1].copy(), numbers[:, 2].copy(), label)


# ---- writing


def to_tsv(suite: RoleSuite, marked: Sequence[tuple[str, str]], **_: bool) -> Written:
    """The suite as a table: gold arcs and nothing else."""
    row = _roles_row if suite.kind == "roles" else _pp_row
    header = ROLES_HEADER if suite.kind == "roles" else PP_HEADER
    rows: list[tuple[str, ...]] = [header]
    for number, mark in enumerate(marked):
        tokens = suite.tokens[number]
        if any(" " in token for token in tokens):
            what, todo = "a word with a blank in it cannot be written in TSV", "keep the suite in CoNLL"
            raise InputError(what, where=_place(suite, number), todo=todo)
        rows.append((*row(suite, number, mark), " ".join(tokens)))
    data = "".join("\t".join(fields) + "\n" for fields in rows).encode("utf-8")
    return Written(data, tuple(_what_tsv_drops(suite)))


def _place(suite: RoleSuite, number: int) -> str:
    return f"{suite.name}:{suite.lines[number]}"


def _one(suite: RoleSuite, number: int, labels: Sequence[str], what: str) -> tuple[int, int, str]:
    arcs = [arc for arc in suite.arcs_of(number) if arc.label.partition(":")[0] in labels]
    if len(arcs) != 1:
        todo = "TSV has room for exactly one; gardenpath suite check lists all such items"
        raise InputError(f"{len(arcs) or 'no'} {what} in this item", where=_place(suite, number), todo=todo)
    return arcs[0]


def _roles_row(suite: RoleSuite, number: int, mark: tuple[str, str]) -> tuple[str, ...]:
    subject, object = _one(suite, number, (SUBJECT,), "subject"), _one(suite, number, OBJECTS, "object")
    return (*mark, str(subject[0]), str(object[0]))


def _pp_row(suite: RoleSuite, number: int, mark: tuple[str, str]) -> tuple[str, ...]:
    preposition = _one(suite, number, ("case",), "preposition")
    noun, head, label = _one(suite, number, ("obl", "nmod"), "noun of the PP")
    if preposition[1] != noun:
        todo = "TSV writes the noun once; gardenpath suite check lists all such items (loose-preposition)"
        raise InputError("the preposition is not at the noun of its PP", where=_place(suite, number), todo=todo)
    if head < 1:
        raise InputError("the noun of the PP has no head", where=_place(suite, number), todo="TSV needs one")
    distance = suite.distances[number] if suite.distances else head_distance(suite, number)
    return (mark[1], *map(str, (distance, preposition[0] - 1, noun - 1, head - 1)), label)


def _what_tsv_drops(suite: RoleSuite) -> list[str]:
    """What of a CoNLL file has no column in TSV."""
    if suite.format == TSV:
        return []
    treebank, losses = suite.treebank, []
    given = int(np.count_nonzero(treebank.heads >= 0))
    kept = len(suite.arcs) if suite.kind == "pp" else 0
    if given > kept:
        what = "heads of subject, object and verb, and all other arcs" if suite.kind == "roles" else "other arcs"
        losses.append(f"{what}: {given - kept:,}")
    indirect = sum(label == "iobj" for label in suite.arcs.label.strings())
    if indirect:
        losses.append(f"iobj, which is written as object: {indirect:,}")
    for name in ("lemma", "upos", "xpos", "deps", "misc"):
        counts = treebank.column(name).counts()
        if filled := sum(counts.values()) - counts.get("_", 0):
            losses.append(f"{name.upper()}: {filled:,}")
    others = {
        part.partition("=" if "=" in feats else ":")[0] for feats in treebank.column("feats").values
        for part in feats.split("|")
    } - {"order", "props", "_"}  # fmt: skip
    if others:
        losses.append(f"FEATS {', '.join(sorted(others))}")
    if comments := sum(line.startswith(b"#") for line in treebank.data.split(b"\n")):
        losses.append(f"comments: {comments:,}")
    return losses


def looks_like_tsv(data: bytes, _: str) -> bool:
    """Is the first line one of the headers?"""
    return _header(first_line(data)[2]) is not None


FORMATS = (Format(TSV, "a table, one sentence a line", (".tsv",), looks_like_tsv, from_tsv, to_tsv),)
