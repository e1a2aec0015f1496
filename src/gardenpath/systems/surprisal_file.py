"""`surprisals:PATH`: surprisals that another program wrote, in a file, a folder of files, or a folder per seed.

A file is LM Zoo's table (`sentence_id token_id token surprisal`), or has `token<TAB>surprisal` on a line and a blank
line after each sentence. Values are taken as they are: bits, if they are to be compared with those of other systems.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UsageError
from ..runs.signature import digest, signature
from .protocol import Habits

HEADER = ("sentence_id", "token_id", "token", "surprisal")
_ENDINGS = (".tsv", ".txt", ".csv", ".out", ".surprisals", "")
_COUNT = re.compile(r"[0-9]{1,12}")
_OOV = ("oov", "unk", "is_oov")
_UNKNOWN = re.compile(r"<?\[?unk(nown)?([-_][^<>]*)?\]?>?", re.IGNORECASE)
_EDGE = re.compile(r"<s>|</s>|<eos>|<bos>|<pad>|<\|endoftext\|>|\[CLS\]|\[SEP\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """One sentence of a file."""

    tokens: tuple[str, ...]
    surprisals: NDArray[np.float64]
    oov: NDArray[np.bool_] | None
    """None where the file does not say which tokens the model did not know."""
    place: str
    """file:line of its first token."""


def is_unknown(token: str) -> bool:
    """Does the token stand for a word that the model does not know, as <unk> does?"""
    return _UNKNOWN.fullmatch(token) is not None


def read_surprisals(path: Path) -> list[Answer]:
    """The sentences of a file, in order; marks of a sentence's begin and end are left out."""
    try:
        lines = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror or error}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text", where=str(path), todo="save it as UTF-8") from error
    header = lines[0].split("\t")
    rows = _of_table(lines, header, path) if "sentence_id" in header else _of_blocks(lines, path)
    answers = [_answer(block, path) for block in rows]
    if not answers:
        raise InputError("no surprisals in this file", where=str(path))
    return answers


_Row = tuple[int, str, float, bool | None]


def _of_table(lines: Sequence[str], header: Sequence[str], path: Path) -> Iterator[list[_Row]]:
    """LM Zoo: a sentence goes on as long as its number is the same; a number that is left out is an error."""
    missing = [name for name in ("token", "surprisal") if name not in header]
    if missing:
        todo = f"expected the columns {', '.join(HEADER)}"
        raise InputError(f"no column {missing[0]}", where=f"{path}:1", todo=todo)
    at = {name: header.index(name) for name in header}
    mark = next((at[name] for name in _OOV if name in at), None)
    block, before, place = list[_Row](), "", 0
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        cells = line.split("\t")
        if len(cells) != len(header):
            what = f"{len(cells)} cells in a table with {len(header)} columns"
            raise InputError(what, where=f"{path}:{number}", todo="cells are separated by one tab")
        sentence = cells[at["sentence_id"]]
        if sentence != before:
            if block:
                yield block
            _check_next(before, sentence, f"{path}:{number}")
            block, before, place = [], sentence, 0
        place += 1
        _check_token(cells[at["token_id"]] if "token_id" in at else "", place, f"{path}:{number}", sentence)
        known = None if mark is None else cells[mark].lower() in ("1", "true", "yes")
        block.append((number, cells[at["token"]], _value(cells[at["surprisal"]], path, number), known))
    if block:
        yield block


def _check_next(before: str, sentence: str, where: str) -> None:
    if not _COUNT.fullmatch(sentence) or (before and not _COUNT.fullmatch(before)):
        return
    first, expected = not before, int(before) + 1 if before else 1
    if first and int(sentence) > 1:
        raise InputError("sentence 1 is missing", where=where, todo="score the whole suite again")
    if not first and int(sentence) != expected:
        what = f"sentence {expected} is missing: {sentence} comes after {before}"
        raise InputError(what, where=where, todo="score the whole suite again")


def _check_token(given: str, place: int, where: str, sentence: str) -> None:
    """Tokens count from 0 or 1."""
    if _COUNT.fullmatch(given) and int(given) not in (place, place - 1):
        what = f"token {given} of sentence {sentence} is the {place}. that is there"
        raise InputError(what, where=where, todo="a token is missing or comes twice")


def _of_blocks(lines: Sequence[str], path: Path) -> Iterator[list[_Row]]:
    block = list[_Row]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            if block:
                yield block
            block = []
            continue
        cells = line.split("\t")
        if number == 1 and len(cells) >= 2 and cells[1].strip().lower() == "surprisal":
            continue
        if len(cells) != 2:
            todo = f"expected the columns {', '.join(HEADER)}, or lines of token, tab and surprisal"
            raise InputError("this is no line of surprisals", where=f"{path}:{number}", todo=todo)
        block.append((number, cells[0], _value(cells[1], path, number), None))
    if block:
        yield block


def _value(text: str, path: Path, number: int) -> float:
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"the surprisal {text!r} is no number", where=f"{path}:{number}") from None
    if not math.isfinite(value):
        todo = "a model must give every token a finite surprisal"
        raise InputError(f"the surprisal is {text.strip()}", where=f"{path}:{number}", todo=todo)
    return value


def _answer(block: Sequence[_Row], path: Path) -> Answer:
    kept = list(block)
    while kept and _EDGE.fullmatch(kept[0][1]):
        kept.pop(0)
    while kept and _EDGE.fullmatch(kept[-1][1]):
        kept.pop()
    if not kept:
        raise InputError("a sentence without words", where=f"{path}:{block[0][0]}")
    tokens = tuple(row[1] for row in kept)
    marks = [row[3] for row in kept]
    unknown = [is_unknown(token) for token in tokens]
    oov = None
    if any(unknown) or not any(mark is None for mark in marks):
        oov = np.array([bool(mark) or other for mark, other in zip(marks, unknown, strict=True)], dtype=bool)
    return Answer(tokens, np.array([row[2] for row in kept], dtype=np.float64), oov, f"{path}:{kept[0][0]}")


class SurprisalFiles:
    """A file, a folder with a file per suite, or a folder of such folders, one for each seed of a model."""

    habits = Habits(chunk=None, cached=False)

    def __init__(self, argument: str) -> None:
        self.path = Path(argument).expanduser().resolve()
        self.name = f"surprisals:{self.path}"
        if not self.path.exists():
            raise InputError("no such file or folder", where=argument, todo="name what another program wrote")
        self._read: dict[Path, list[Answer]] = {}

    @cached_property
    def seeds(self) -> dict[str, list[Path]]:
        """The files of each seed, by the name of its folder; one nameless seed where there are no folders."""
        if self.path.is_file():
            return {"": [self.path]}
        files = _files_in(self.path)
        if files:
            return {"": files}
        folders = sorted((one for one in self.path.iterdir() if one.is_dir()), key=lambda one: _natural(one.name))
        found = {one.name: files for one in folders if (files := _files_in(one))}
        if not found:
            todo = "expected files of surprisals, or a folder of them for each seed"
            raise InputError("no files in this folder", where=str(self.path), todo=todo)
        return found

    @cached_property
    def signature(self) -> str:
        parts = [part for files in self.seeds.values() for one in files for part in (one.name, one.read_bytes())]
        return signature(("kind", "surprisals"), ("files", digest(*parts)[:12]), ("seeds", len(self.seeds)))

    @property
    def files(self) -> list[str]:
        return [str(one) for files in self.seeds.values() for one in files]

    def of_suite(self, title: str, sentences: Sequence[Sequence[str]], seed: str = "") -> list[Answer]:
        """What the file for this suite says of its sentences: by order where there are as many, else by their words."""
        path = self._file_of(title, seed)
        answers = self._answers(path)
        if len(answers) == len(sentences):
            same = sum(_same(asked, found.tokens) for asked, found in zip(sentences, answers, strict=True))
            if 2 * same >= len(sentences):
                return answers
        return _by_words(sentences, answers, str(path))

    def surprisals(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """By the words of each sentence, in whichever file it is."""
        return [one.surprisals for one in self._found(sentences)]

    def oov(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.bool_]]:
        """All False where the files do not say it."""
        return [
            one.oov if one.oov is not None else np.zeros(len(one.tokens), dtype=bool) for one in self._found(sentences)
        ]

    def _found(self, sentences: Sequence[Sequence[str]]) -> list[Answer]:
        if len(self.seeds) > 1:
            todo = f"name one of its folders: {', '.join(self.seeds)}"
            raise UsageError(f"{len(self.seeds)} seeds, and one is asked", where=self.name, todo=todo)
        files = next(iter(self.seeds.values()))
        answers = [answer for path in files for answer in self._answers(path)]
        found = _by_words(sentences, answers, str(self.path))
        for asked, answer in zip(sentences, found, strict=True):
            if len(asked) != len(answer.tokens):
                what = f"{len(answer.tokens)} tokens for {len(asked)} words: {' '.join(asked)}"
                raise InputError(what, where=answer.place, todo="surprisals of other tokens fit suites of regions only")
        return found

    def _answers(self, path: Path) -> list[Answer]:
        if path not in self._read:
            self._read[path] = read_surprisals(path)
        return self._read[path]

    def _file_of(self, title: str, seed: str) -> Path:
        files = self.seeds[seed]
        if len(files) == 1 and self.path.is_file():
            return files[0]
        pattern = re.compile(rf"(?:.*[-_.])?{re.escape(title)}(?:[-_.](?:surprisals?|outputs?))?", re.IGNORECASE)
        found = [one for one in files if pattern.fullmatch(_stem(one))]
        exact = [one for one in found if _stem(one).lower() == title.lower()]
        # `x_sub` also ends with `sub`; the file with the least before the name is the one that is meant.
        found = exact or [one for one in found if len(_stem(one)) == min(len(_stem(two)) for two in found)]
        if len(found) > 1:
            told = ", ".join(one.name for one in found)
            raise InputError(f"{len(found)} files for {title}: {told}", where=str(found[0].parent), todo="keep one")
        if not found:
            from difflib import get_close_matches

            near = get_close_matches(title, [_stem(one) for one in files], n=1, cutoff=0.3)
            todo = f"the nearest is {near[0]}" if near else "name files after their suites, as surprisals_cls_adj.tsv"
            where = str(files[0].parent)
            raise InputError(f"no file with the surprisals of {title}", where=where, todo=todo)
        return found[0]


def _files_in(folder: Path) -> list[Path]:
    return sorted(
        one
        for one in folder.iterdir()
        if one.is_file() and not one.name.startswith(".") and one.suffix.lower() in _ENDINGS
    )


def _stem(path: Path) -> str:
    return path.stem if path.suffix.lower() in _ENDINGS else path.name


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """trial2 comes before trial10."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name))


def _same(asked: Sequence[str], tokens: Sequence[str]) -> bool:
    return "".join(asked) == "".join(tokens) or len(asked) == len(tokens)


def _by_words(sentences: Sequence[Sequence[str]], answers: Sequence[Answer], where: str) -> list[Answer]:
    """Each sentence is found by its characters; blanks and the borders of words do not count."""
    places: dict[str, list[Answer]] = {}
    for answer in answers:
        for key in dict.fromkeys(["".join(answer.tokens), "".join(map(plain, answer.tokens))]):
            places.setdefault(key, []).append(answer)  # a mark of a tokenizer can be a letter of a word (Ġ in Maltese)
    found = []
    for number, asked in enumerate(sentences, 1):
        there = places.get("".join(asked))
        if not there:
            what = f"sentence {number} is missing: {' '.join(asked)}"
            raise InputError(
                what, where=where, todo=f"{len(answers)} sentences are there; is it the output for this suite?"
            )
        found.append(there.pop(0) if len(there) > 1 else there[0])
    return found


def plain(token: str) -> str:
    """A sub-word without the marks that tokenizers write for blanks and for pieces of a word."""
    bare = token.replace("Ġ", "").replace("▁", "")
    bare = bare.removeprefix("##") if len(bare) > 2 else bare
    return bare.removesuffix("@@") if len(bare) > 2 else bare


def to_lm_zoo(sentences: Sequence[Sequence[str]], surprisals: Sequence[Sequence[float]]) -> str:
    """The table of LM Zoo, counted from 1, as `gardenpath score` and `surprisals:` have it."""
    lines = ["\t".join(HEADER)]
    for number, (tokens, values) in enumerate(zip(sentences, surprisals, strict=True), 1):
        lines += [
            f"{number}\t{place}\t{token}\t{float(value)!r}"
            for place, (token, value) in enumerate(zip(tokens, values, strict=True), 1)
        ]
    return "\n".join(lines) + "\n"
