"""A file of surprisals: the sentences that are in it.

It is LM Zoo's table (`sentence_id token_id token surprisal`), or has `token<TAB>surprisal` on a line and a blank
line after each sentence; or it is a CSV with a row a word (`word, word_pos, sum_surprisal_base2`), as the SAP Benchmark
has it. Values are taken as they are: bits, if they are to be compared with those of other systems; only the column
`sum_surprisal` of such a CSV holds nats, and is brought to bits. No surprisal is negative; a file of
log-probabilities is refused.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...boundary.texts import csv_rows, file_text
from ...errors import InputError

HEADER = ("sentence_id", "token_id", "token", "surprisal")
_WORD, _BITS, _NATS = "word_pos", "sum_surprisal_base2", "sum_surprisal"
_COUNT = re.compile(r"[0-9]{1,12}")
_OOV = ("oov", "unk", "is_oov")
_UNKNOWN = re.compile(r"<?\[?unk(nown)?([-_][^<>]*)?\]?>?", re.IGNORECASE)
ROUNDING = 1e-4
"""How far below 0 the surprisal of a certain word may come out in single precision."""
_IMPLAUSIBLE = 40.0
"""Bits or nats: a uniform guess among a trillion words has no more, so a mean above it is in another unit."""
_EDGE = re.compile(r"<s>|</s>|<eos>|<bos>|<pad>|<\|endoftext\|>|\[CLS\]|\[SEP\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredTokens:
    """One sentence of a file."""

    tokens: tuple[str, ...]
    surprisals: NDArray[np.float64]
    """NaN in a sentence that was not scored."""
    oov: NDArray[np.bool_] | None
    """None where the file does not say which tokens the model did not know."""
    place: str
    """file:line of its first token."""


def is_unknown(token: str) -> bool:
    """Does the token stand for a word that the model does not know, as <unk> does?"""
    return _UNKNOWN.fullmatch(token) is not None


def holds_words(path: Path) -> bool:
    """Is this a CSV with a row a word? Its sentences are of as many suites as there are in the table it was made of."""
    with path.open("rb") as file:
        return _WORD.encode() in file.readline()


def read_surprisals(path: Path) -> list[ScoredTokens]:
    """The sentences of a file, in order; marks of a sentence's begin and end are left out."""
    lines = file_text(path).replace("\r\n", "\n").split("\n")
    header = lines[0].split("\t")
    if "sentence_id" in header:
        rows = _of_table(lines, header, path)
    else:
        rows = _of_words(lines, path) if _WORD in lines[0] else _of_blocks(lines, path)
    sentences = [_tokens(block, path) for block in rows]
    if not sentences:
        raise InputError("no surprisals in this file", where=str(path))
    _check_unit(sentences, path)
    return sentences


def _check_unit(sentences: Sequence[ScoredTokens], path: Path) -> None:
    """Raises where a value is no surprisal, and warns where the values can be neither bits nor nats."""
    values = np.concatenate([sentence.surprisals for sentence in sentences])
    negative = values < -ROUNDING
    if not negative.any():
        if np.isfinite(values).any() and (mean := float(np.nanmean(values))) > _IMPLAUSIBLE:
            what = f"{path}: the mean surprisal is {mean:.1f}, too much for bits or nats; are these perplexities?"
            warnings.warn(what, stacklevel=2)
        return
    if bool((values[~np.isnan(values)] <= 0).all()):
        todo = "write -log2 of each probability: the values with the sign turned, natural logarithms also times 1.4427"
        raise InputError("no value is above 0: these are log-probabilities, not surprisals", where=str(path), todo=todo)
    sentence = next(sentence for sentence in sentences if (sentence.surprisals < -ROUNDING).any())
    at = int(np.argmax(sentence.surprisals < -ROUNDING))
    what = (
        f"a negative surprisal, {sentence.surprisals[at]:g} of {sentence.tokens[at]!r}: {int(negative.sum())} of "
        f"{len(values)} values are below 0"
    )
    todo = "a surprisal is -log2 p, never less than 0; score the sentences again"
    raise InputError(what, where=sentence.place, todo=todo)


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


def _of_words(lines: Sequence[str], path: Path) -> Iterator[list[_Row]]:
    """A row a word, in CSV; a sentence begins where positions begin anew. Bits, or nats where there are no bits."""
    reader = csv_rows(lines, str(path))
    _, header = next(reader)
    at = {name: number for number, name in reversed(list(enumerate(header)))}
    if not {"word", _WORD} <= at.keys() or not {_BITS, _NATS} & at.keys():
        todo = f"expected the columns word, {_WORD} and {_BITS} (or {_NATS}, in nats)"
        raise InputError("no column with words, or none with surprisals", where=f"{path}:1", todo=todo)
    block, first = list[_Row](), 0
    for number, cells in reader:
        if not cells:
            continue
        if len(cells) != len(header) or not _COUNT.fullmatch(position := cells[at[_WORD]]):
            raise InputError("this is not a row of a word with its position", where=f"{path}:{number}")
        if block and int(position) <= first:
            yield block
            block = []
        if not block:
            first = int(position)
        if first > 1 or int(position) != first + len(block):
            what = f"word {position} comes after {len(block)} words of its sentence"
            raise InputError(what, where=f"{path}:{number}", todo="a word is missing or comes twice")
        value = _value(cells[at[_BITS if _BITS in at else _NATS]], path, number)
        block.append((number, cells[at["word"]], value if _BITS in at else value / math.log(2), None))
    if block:
        yield block


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
            raise InputError("this is not a line of surprisals", where=f"{path}:{number}", todo=todo)
        block.append((number, cells[0], _value(cells[1], path, number), None))
    if block:
        yield block


def _value(text: str, path: Path, number: int) -> float:
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"the surprisal {text!r} is not a number", where=f"{path}:{number}") from None
    if math.isinf(value):
        todo = "a model must give every token a finite surprisal; nan is for sentences that were not scored"
        raise InputError(f"the surprisal is {text.strip()}", where=f"{path}:{number}", todo=todo)
    return value


def _tokens(block: Sequence[_Row], path: Path) -> ScoredTokens:
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
        oov = np.array([bool(mark) or is_unk for mark, is_unk in zip(marks, unknown, strict=True)], dtype=bool)
    return ScoredTokens(tokens, np.array([row[2] for row in kept], dtype=np.float64), oov, f"{path}:{kept[0][0]}")


def plain(token: str) -> str:
    """A sub-word without the marks that tokenizers write for blanks and for pieces of a word."""
    bare = token.replace("Ġ", "").replace("▁", "")
    bare = bare.removeprefix("##") if len(bare) > 2 else bare
    return bare.removesuffix("@@") if len(bare) > 2 else bare
