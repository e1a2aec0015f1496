"""The list that TEPACOC is published as (`tepacoc.txt`): numbers and words of sentences, no trees.

Rows are `number <TAB> <TAB> words`. A row without a number opens a category, named in its third field; a row that
begins with `TuBa` opens the half of TüBa-D/Z. The trees are in the user's own TIGER and TüBa-D/Z.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from ...boundary.texts import file_bytes
from ...errors import InputError
from ...phrase.schemes.model import TIGER, TUEBADZ
from ...phrase.tree import PhraseTree
from .finding import check_scheme, find
from .sampling import Found, is_testable

_CATEGORY = re.compile(r"CUC|ERC|FCR|SGF|PPN|PPV|\bPP\b", re.IGNORECASE)
_SPELLINGS = {
    "ä": "ae", "ö": "oe", "ü": "ue", "„": '"', "“": '"', "”": '"', "»": '"', "«": '"', "``": '"', "''": '"',
    "‚": "'", "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "-lrb-": "(", "-rrb-": ")", "*lrb*": "(",
    "*rrb*": ")",
}  # fmt: skip
"""Ways to write the same: releases of the treebanks differ in these (and in ß, which folding the case writes ss)."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of the list: the sentence's number (from 1) and words, and the phenomena its category stands for."""

    scheme: str
    category: str
    phenomena: tuple[str, ...]
    number: int
    words: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Applied:
    """What a list found in a treebank, and, row by row, what did not fit."""

    found: tuple[Found, ...]
    absent: tuple[str, ...]
    """Sentences that are not in the treebank."""
    without: tuple[str, ...]
    """Sentences that are there, but in which the rules find no such construction."""
    moved: tuple[str, ...]
    """Sentences that were found, but under another number."""


def read_list(path: str | PathLike[str]) -> list[Listed]:
    """The rows of a list file, in UTF-8 or latin-1."""
    name = str(path)
    data = file_bytes(path, "the list", "name the file tepacoc.txt")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return parse_list(text, name)


def parse_list(text: str, name: str = "tepacoc.txt") -> list[Listed]:
    scheme, category, phenomena = TIGER.name, "", tuple[str, ...]()
    rows: list[Listed] = []
    for at, line in enumerate(text.splitlines(), 1):
        fields = [field.strip() for field in line.split("\t")]
        first = fields[0]
        if _spelling(first).startswith(("tuba", "tueba")):
            scheme, category, phenomena = TUEBADZ.name, "", ()
        elif _spelling(first).startswith("tiger"):
            scheme, category, phenomena = TIGER.name, "", ()
        elif len(fields) < 3 or not fields[2]:
            continue  # titles and empty lines
        elif not first:
            category, phenomena = fields[2], _phenomena(fields[2], f"{name}:{at}")
        elif not (first.isascii() and first.isdigit()):
            raise InputError(f"{first[:20]!r} is not a number of a sentence", where=f"{name}:{at}")
        elif not category:
            raise InputError("a sentence before any category", where=f"{name}:{at}", todo="is a row missing?")
        else:
            rows.append(Listed(scheme, category, phenomena, int(first), tuple(fields[2].split()), at))
    if not rows:
        raise InputError("no sentence is listed", where=name, todo="rows are: number, tab, tab, words")
    return rows


def apply_list(rows: Sequence[Listed], trees: Sequence[PhraseTree], scheme: str) -> Applied:
    """Each listed sentence of a scheme in the user's treebank, by its number and, if its words are not there, by them.

    Of several constructions of the category in a sentence the first that makes a good item is taken; the list does
    not say which one is meant. CUC is looked for in the wide sense, since the list has chosen already.
    """
    check_scheme(scheme)
    places: dict[tuple[str, ...], int] | None = None
    hits: list[Found] = []
    absent: list[str] = []
    without: list[str] = []
    moved: list[str] = []
    for row in rows:
        if row.scheme != scheme:
            continue
        wanted = _normal(row.words)
        at: int | None = row.number - 1
        if not 0 <= row.number - 1 < len(trees) or _normal(trees[row.number - 1].words) != wanted:
            if places is None:
                places = {_normal(tree.words): number for number, tree in reversed(list(enumerate(trees)))}
            at = places.get(wanted)
            if at is not None:
                moved.append(f"{row.category} {row.number} is sentence {at + 1} here")
        if at is None:
            absent.append(f"{row.category} {row.number} is not in the treebank: {_difference(row, trees)}")
            continue
        found = find(trees[at], scheme, row.phenomena, wide=True)
        if not found:
            phenomena = " or ".join(row.phenomena)
            without.append(f"{row.category} {row.number} is sentence {at + 1}, but the rules find no {phenomena} in it")
        else:
            hits.append(Found(at, next(filter(is_testable, found), found[0])))
    return Applied(tuple(hits), tuple(absent), tuple(without), tuple(moved))


def _phenomena(category: str, where: str) -> tuple[str, ...]:
    match = _CATEGORY.search(category)
    if match is None:
        todo = "categories are named PPN, PPV, PP, ERC, FCR, SGF and CUC"
        raise InputError(f"unknown category {category[:40]!r}", where=where, todo=todo)
    name = match[0].casefold()
    return ("ppn", "ppv") if name == "pp" else (name,)


def _normal(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(_spelling, words))


def _spelling(word: str) -> str:
    text = unicodedata.normalize("NFC", word).casefold()
    for sign, variant in _SPELLINGS.items():
        text = text.replace(sign, variant)
    return text


def _difference(row: Listed, trees: Sequence[PhraseTree]) -> str:
    """Why a sentence is not the one at its number, which the whole treebank does not have elsewhere either."""
    if not 1 <= row.number <= len(trees):
        return f"the treebank has only {len(trees):,} sentences"
    words = trees[row.number - 1].words
    for at, (ours, theirs) in enumerate(zip(words, row.words, strict=False), 1):
        if _spelling(ours) != _spelling(theirs):
            return f"other words: token {at} is {ours!r}, the list has {theirs!r}"
    return f"{len(words)} tokens, the list has {len(row.words)}"
