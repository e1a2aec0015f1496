"""`surprisals:PATH`: surprisals that another program wrote, in a file, a folder of files, or a folder per seed.

A file is LM Zoo's table (`sentence_id token_id token surprisal`), or has `token<TAB>surprisal` on a line and a blank
line after each sentence; or it is a CSV with a row a word (`word, word_pos, sum_surprisal_base2`), as the SAP Benchmark
has it. Values are taken as they are: bits, if they are to be compared with those of other systems; only the column
`sum_surprisal` of such a CSV holds nats, and is brought to bits. No surprisal is negative; a file of
log-probabilities is refused. Sentences are found by what they say, so that permuting a file never changes a number.
"""

from __future__ import annotations

import math
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...boundary.texts import csv_rows, file_text
from ...data import is_data_name, locate
from ...errors import InputError, UsageError
from ...runs.record.signatures import digest, signature
from ...treebank.trees.alignment import difference
from ..asking.protocol import Habits
from ..asking.registry import split_options

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
            if _COUNT.fullmatch(sentence) and (not before or _COUNT.fullmatch(before)):
                expected, todo = int(before or 0) + 1, "score the whole suite again"
                if not before and int(sentence) > 1:
                    raise InputError("sentence 1 is missing", where=f"{path}:{number}", todo=todo)
                if before and int(sentence) != expected:
                    what = f"sentence {expected} is missing: {sentence} comes after {before}"
                    raise InputError(what, where=f"{path}:{number}", todo=todo)
            block, before, place = [], sentence, 0
        place += 1
        given = cells[at["token_id"]] if "token_id" in at else ""
        if _COUNT.fullmatch(given) and int(given) not in (place, place - 1):  # they count from 0 or 1
            what = f"token {given} of sentence {sentence} is the {place}. that is there"
            raise InputError(what, where=f"{path}:{number}", todo="a token is missing or comes twice")
        known = None if mark is None else cells[mark].lower() in ("1", "true", "yes")
        block.append((number, cells[at["token"]], _value(cells[at["surprisal"]], path, number), known))
    if block:
        yield block


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


_NOISE = 1e-4
"""Bits that batches of other sizes leave between two readings of one sentence."""
_ORDER = "write #match=order behind the name if its sentences are in the order of the suite"


class SentenceIndex:
    """Sentences by their characters; blanks and the borders of words do not count.

    A token such as `<unk>` stands for any one word, where there are as many tokens as words and all others are equal.
    """

    def __init__(self, sentences: Sequence[ScoredTokens], where: str) -> None:
        self._sentences, self._where = sentences, where
        self._asked: set[int] = set()
        """The ids of sentences that someone asked for."""
        self._by_characters: defaultdict[str, list[ScoredTokens]] = defaultdict(list)
        self._by_known: dict[int, dict[frozenset[int], defaultdict[tuple[str, ...], list[ScoredTokens]]]] = {}
        """By number of tokens, by places of unknown ones, by the words that are known."""
        for sentence in sentences:
            tokens = sentence.tokens
            for key in dict.fromkeys(["".join(tokens), "".join(map(plain, tokens))]):
                self._by_characters[key].append(sentence)  # a mark of a tokenizer can be a letter (Ġ in Maltese)
            unknown = frozenset(place for place, token in enumerate(tokens) if is_unknown(token))
            if unknown:
                of_length = self._by_known.setdefault(len(tokens), {})
                of_length.setdefault(unknown, defaultdict(list))[_without(tokens, unknown)].append(sentence)

    @property
    def surplus(self) -> int:
        """Sentences that nobody has asked for."""
        return sum(id(sentence) not in self._asked for sentence in self._sentences)

    def found(self, asked: Sequence[Sequence[str]]) -> list[ScoredTokens]:
        """What is there for each sentence; one that is not there, or there with different values, is an error."""
        known: dict[tuple[str, ...], ScoredTokens] = {}
        for number, words in enumerate(asked, 1):
            if (key := tuple(words)) not in known:  # a sentence that is asked again is looked for once
                candidates = self._by_characters.get("".join(words)) or self._with_unknown(words)
                if not candidates:
                    raise self._missing(number, words)
                self._asked.update(map(id, candidates))
                scored = [sentence for sentence in candidates if not np.isnan(sentence.surprisals).any()] or candidates
                first = min(scored, key=lambda sentence: (sentence.tokens, sentence.surprisals.tolist()))
                for sentence in scored:
                    one, other = first.surprisals, sentence.surprisals
                    if len(one) != len(other) or not np.allclose(one, other, rtol=0, atol=_NOISE, equal_nan=True):
                        raise _ambiguous(number, words, first, sentence)
                known[key] = first
        return [known[tuple(words)] for words in asked]

    def _with_unknown(self, words: Sequence[str]) -> list[ScoredTokens]:
        """Sentences with unknown tokens that fit. A word that one of them knows is unknown to none that is meant."""
        fitting = {
            unknown: by_words[known]
            for unknown, by_words in self._by_known.get(len(words), {}).items()
            if (known := _without(words, unknown)) in by_words
        }
        least = [unknown for unknown in fitting if not any(subset < unknown for subset in fitting)]
        return [sentence for unknown in least for sentence in fitting[unknown]]

    def _missing(self, number: int, words: Sequence[str]) -> InputError:
        text = "".join(words)
        nearest = max(self._sentences, key=lambda sentence: _likeness(text, "".join(map(plain, sentence.tokens))))
        mismatch = difference(words, [plain(token) for token in nearest.tokens])
        return InputError(
            f"sentence {number} is missing: {' '.join(words)}; in the nearest one, {mismatch}",
            where=nearest.place,
            todo=f"{len(self._sentences)} sentences are in {self._where}; is it the output for this suite? {_ORDER}",
        )


def _without(words: Sequence[str], places: frozenset[int]) -> tuple[str, ...]:
    return tuple(word for place, word in enumerate(words) if place not in places)


def _ambiguous(number: int, words: Sequence[str], first: ScoredTokens, second: ScoredTokens) -> InputError:
    """The first token that has other values, or other borders, in two answers to the same sentence."""
    pairs = zip(first.tokens, first.surprisals.tolist(), second.tokens, second.surprisals.tolist(), strict=False)
    mismatch = next(
        (f"{a!r} has {x:g} bits at {first.place} and {b!r} {y:g} at {second.place}" for a, x, b, y in pairs
         if len(a) != len(b) or abs(x - y) > _NOISE),
        f"{len(first.tokens)} tokens at {first.place} and {len(second.tokens)} at {second.place}",
    )  # fmt: skip
    what = f"sentence {number} has answers that differ: {' '.join(words)}: {mismatch}"
    return InputError(what, where=first.place, todo=f"a model says the same of the same words; {_ORDER}")


def _likeness(first: str, second: str) -> int:
    """Characters at the begin and at the end that are the same."""
    return sum(
        sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
        for a, b in ((first, second), (first[::-1], second[::-1]))
    )


CHOICES = {"match": ("content", "order")}
"""The values of each option behind the path, its default first."""
_ENDINGS = (".tsv", ".txt", ".csv", ".out", ".surprisals", "")


class SurprisalFiles:
    """A file, a folder with a file per suite, or a folder of such folders, one for each seed of a model."""

    habits = Habits(chunk=None, cached=False, repeatable=True)

    def __init__(self, argument: str) -> None:
        path, options = split_options("surprisals", argument, CHOICES)
        self.path = (locate(path) if is_data_name(path) else Path(path).expanduser()).resolve()
        self.match = options.get("match", "content")
        """How sentences are found: by what they say, or by their order in the file."""
        self.name = f"surprisals:{self.path}" + (f"#match={self.match}" if self.match != "content" else "")
        if not path or not self.path.exists():
            raise InputError("no such file or folder", where=argument, todo="name what another program wrote")
        self._read: dict[Path, list[ScoredTokens]] = {}
        self._indexed: dict[tuple[Path, ...], SentenceIndex] = {}

    @cached_property
    def seeds(self) -> dict[str, list[Path]]:
        """The files of each seed, by the name of its folder; one nameless seed where there are no folders."""
        if self.path.is_file():
            return {"": [self.path]}
        files = _files_in(self.path)
        if files:
            return {"": files}
        folders = sorted((one for one in self.path.iterdir() if one.is_dir()), key=lambda one: _natural(one.name))
        by_folder = {folder.name: files for folder in folders if (files := _files_in(folder))}
        if not by_folder:
            todo = "expected files of surprisals, or a folder of them for each seed"
            raise InputError("no files in this folder", where=str(self.path), todo=todo)
        return by_folder

    @cached_property
    def signature(self) -> str:
        parts = [part for files in self.seeds.values() for file in files for part in (file.name, file.read_bytes())]
        match = self.match if self.match != "content" else None
        return signature(
            ("kind", "surprisals"), ("files", digest(*parts)[:12]), ("seeds", len(self.seeds)), ("match", match)
        )

    @property
    def answer_files(self) -> list[str]:
        return [str(file) for files in self.seeds.values() for file in files]

    def of_suite(self, title: str, sentences: Sequence[Sequence[str]], seed: str = "") -> list[ScoredTokens]:
        """What the file for this suite says of its sentences: found by their words, or with `match=order` by order.

        By order, a sentence may have other words; which regions still fit is for the study to say.
        """
        if self.match == "content" and all(map(holds_words, self.seeds[seed])):
            return self._index(self.seeds[seed]).found(sentences)  # such files hold several suites
        path = self._file_of(title, seed)
        if self.match == "content":
            return self._index([path]).found(sentences)
        there = self._sentences(path)
        if len(there) != len(sentences):
            what = f"{len(there)} sentences in the file and {len(sentences)} in {title}: their order says nothing"
            raise InputError(what, where=str(path), todo="leave out #match=order: sentences are found by their words")
        return there

    @property
    def surplus(self) -> int:
        """Sentences of the files read so far that nobody asked for."""
        return sum(index.surplus for index in self._indexed.values())

    def surprisals(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """By the words of each sentence, in whichever file it is."""
        return [sentence.surprisals for sentence in self._found(sentences)]

    def oov(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.bool_]]:
        """All False where the files do not say it."""
        return [
            sentence.oov if sentence.oov is not None else np.zeros(len(sentence.tokens), dtype=bool)
            for sentence in self._found(sentences)
        ]

    def _found(self, sentences: Sequence[Sequence[str]]) -> list[ScoredTokens]:
        if self.match == "order":
            todo = "leave out #match=order: sentences are found by their words"
            raise UsageError("the order of a file is that of a suite, and this is none", where=self.name, todo=todo)
        if len(self.seeds) > 1:
            todo = f"name one of its folders: {', '.join(self.seeds)}"
            raise UsageError(f"{len(self.seeds)} seeds, and one is asked", where=self.name, todo=todo)
        answers = self._index(next(iter(self.seeds.values()))).found(sentences)
        for asked, answer in zip(sentences, answers, strict=True):
            if len(asked) != len(answer.tokens):
                what = f"{len(answer.tokens)} tokens for {len(asked)} words: {' '.join(asked)}"
                raise InputError(what, where=answer.place, todo="surprisals of other tokens fit suites of regions only")
        return answers

    def _index(self, files: Sequence[Path]) -> SentenceIndex:
        """The sentences of these files, which are read once."""
        key = tuple(files)
        if key not in self._indexed:
            there = [sentence for path in files for sentence in self._sentences(path)]
            self._indexed[key] = SentenceIndex(there, str(files[0] if len(files) == 1 else self.path))
        return self._indexed[key]

    def _sentences(self, path: Path) -> list[ScoredTokens]:
        if path not in self._read:
            self._read[path] = read_surprisals(path)
        return self._read[path]

    def _file_of(self, title: str, seed: str) -> Path:
        files = self.seeds[seed]
        if len(files) == 1 and self.path.is_file():
            return files[0]
        pattern = re.compile(rf"(?:.*[-_.])?{re.escape(title)}(?:[-_.](?:surprisals?|outputs?))?", re.IGNORECASE)
        matching = [file for file in files if pattern.fullmatch(_stem(file))]
        exact = [one for one in matching if _stem(one).lower() == title.lower()]
        # `x_sub` also ends with `sub`; the file with the least before the name is the one that is meant.
        matching = exact or [one for one in matching if len(_stem(one)) == min(len(_stem(two)) for two in matching)]
        if len(matching) > 1:
            names = ", ".join(one.name for one in matching)
            raise InputError(
                f"{len(matching)} files for {title}: {names}", where=str(matching[0].parent), todo="keep one"
            )
        if not matching:
            from difflib import get_close_matches

            near = get_close_matches(title, [_stem(file) for file in files], n=1, cutoff=0.3)
            todo = f"the nearest is {near[0]}" if near else "name files after their suites, as surprisals_cls_adj.tsv"
            where = str(files[0].parent)
            raise InputError(f"no file with the surprisals of {title}", where=where, todo=todo)
        return matching[0]


def _files_in(folder: Path) -> list[Path]:
    return sorted(
        file
        for file in folder.iterdir()
        if file.is_file() and not file.name.startswith(".") and file.suffix.lower() in _ENDINGS
    )


def _stem(path: Path) -> str:
    return path.stem if path.suffix.lower() in _ENDINGS else path.name


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """trial2 comes before trial10."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name))
