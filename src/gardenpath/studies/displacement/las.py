"""Tables of scores, and which of their rows belongs to which treebank: never guessed in silence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from ...boundary.texts import csv_rows, file_text
from ...errors import InputError, UsageError, unknown_name

_NAMES = ("treebank", "name", "corpus", "suite")
"""What the column of names may be called; else it is the first."""


@dataclass(frozen=True, slots=True)
class TreebankScores:
    """The scores of one system by treebank, as its table names them; `lengths` where it has rows per length."""

    system: str
    whole: dict[str, float]
    lengths: dict[str, dict[int, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Matched:
    """Which row of a table belongs to which treebank, and what is left on both sides."""

    rows: dict[str, str]
    """Treebank to name in the table."""
    treebanks: dict[str, list[str]]
    """Treebanks without a row, with names that look alike."""
    unused: list[str]
    """Names in the table that no treebank has."""


def read_scores(given: str, column: str = "") -> TreebankScores:
    """`TABLE` or `NAME=TABLE`: a TSV or CSV file with names and scores, with or without a header."""
    system, path = named_place(given)
    lines = file_text(path, "the table of scores").splitlines()
    mark = "\t" if lines and "\t" in lines[0] else ","
    rows = ((number, [cell.strip() for cell in row]) for number, row in csv_rows(lines, str(path), mark))
    numbered = [(number, row) for number, row in rows if any(row) and not row[0].startswith("#")]
    if not numbered:
        raise InputError("an empty table", where=str(path), todo="a row needs a treebank's name and its LAS")
    header = None if len(numbered[0][1]) > 1 and _number(numbered[0][1][1]) is not None else numbered.pop(0)[1]
    if header is None and (wide := max(len(row) for _, row in numbered)) > 2:
        todo = "name the columns in a first row, such as: treebank, las"
        raise InputError(f"{wide} columns without a header: which has the scores?", where=str(path), todo=todo)
    name_at, score_at, length_at = _columns(header, column, str(path))
    scores = TreebankScores(system, {})
    for number, row in numbered:
        _add(scores, row, (name_at, score_at, length_at), f"{path}:{number}")
    if not scores.whole and not scores.lengths:
        raise InputError("a table without any score", where=str(path))
    return scores


def score_file(given: str) -> Path:
    """The file of `TABLE` or `NAME=TABLE`."""
    return named_place(given)[1]


def system_of(given: str) -> str:
    """The system of `TABLE` or `NAME=TABLE`: its name, or that of the file."""
    return named_place(given)[0]


def named_place(given: str) -> tuple[str, Path]:
    """The system and the file or folder of `PLACE` or `NAME=PLACE`; without a name it is that of the place."""
    name, equals, path = given.partition("=")
    if equals and name and not Path(given).exists():
        return name, Path(path)
    return Path(given).stem, Path(given)


def _columns(header: Sequence[str] | None, wanted: str, where: str) -> tuple[int, int, int | None]:
    if header is None:
        if wanted:
            raise UsageError(f"no column {wanted!r}: the table has no header", where=where)
        return 0, 1, None
    known = [name.lower() for name in header]
    name_at = next((known.index(name) for name in _NAMES if name in known), 0)
    length_at = known.index("length") if "length" in known else None
    if wanted:
        if wanted.lower() not in known:
            raise unknown_name("column", wanted, header, where=where)
        return name_at, known.index(wanted.lower()), length_at
    if "las" in known:
        return name_at, known.index("las"), length_at
    others = [place for place in range(len(known)) if place not in (name_at, length_at)]
    if len(others) == 1:
        return name_at, others[0], length_at
    raise UsageError(
        f"which column has the scores: {', '.join(header[place] for place in others) or 'there is none'}",
        where=where,
        todo="name it with --las-column",
    )


def _add(scores: TreebankScores, row: Sequence[str], places: tuple[int, int, int | None], where: str) -> None:
    name_at, score_at, length_at = places
    if len(row) <= max(name_at, score_at, length_at or 0):
        raise InputError(f"a row of {len(row)} cells", where=where, todo="every row needs a name and a score")
    name, value = row[name_at], _number(row[score_at])
    if value is None:
        raise InputError(f"{row[score_at]!r} is not a score", where=where, todo="leave out treebanks without a score")
    length = row[length_at] if length_at is not None else ""
    if length:
        if not length.isdecimal():
            raise InputError(f"{length!r} is not a sentence length", where=where)
        target, key = scores.lengths.setdefault(name, {}), int(length)
        if key in target:
            raise InputError(f"{name} of length {length} occurs twice", where=where)
        target[key] = value
    elif name in scores.whole:
        raise InputError(f"{name} occurs twice", where=where, todo="keep one row")
    else:
        scores.whole[name] = value


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


def plain_name(name: str) -> str:
    """`UD_Ancient_Greek-PROIEL@r2.5` and `Ancient Greek-PROIEL` are the same name."""
    short = re.sub(r"@.*$", "", name.strip()).casefold()
    return re.sub(r"[\s_-]+", "-", short.removeprefix("ud_"))


def match(treebanks: Iterable[str], names: Iterable[str]) -> Matched:
    """By exact name, then by plain name; a plain name that two treebanks or two rows share decides nothing."""
    ours, theirs = list(treebanks), list(names)
    rows = {name: name for name in ours if name in theirs}
    free_ours = [name for name in ours if name not in rows]
    free_theirs = [name for name in theirs if name not in rows]
    by_plain: dict[str, tuple[list[str], list[str]]] = {}
    for side, free in enumerate((free_ours, free_theirs)):
        for name in free:
            by_plain.setdefault(plain_name(name), ([], []))[side].append(name)
    for mine, other in by_plain.values():
        if len(mine) == 1 and len(other) == 1:
            rows[mine[0]] = other[0]
    left = [name for name in free_theirs if name not in rows.values()]
    plain = {plain_name(name): name for name in left}
    without = {
        name: [plain[near] for near in get_close_matches(plain_name(name), plain, n=3, cutoff=0.7)]
        for name in ours
        if name not in rows
    }
    return Matched(rows, without, left)
