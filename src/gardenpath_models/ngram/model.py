"""A back-off model in arrays, whose scoring looks all tokens up at once, order by order, and its ARPA files.

ARPA is read strictly, with the line of every fault, and written as KenLM writes it, also packed by gzip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, repeat
from os import PathLike
from typing import IO

import numpy as np
from numpy.typing import NDArray

from gardenpath.boundary import opened
from gardenpath.errors import InputError, UsageError
from gardenpath.systems import BEGIN

from ..neural.vocabulary import Vocabulary
from .counts import BEGIN_ID, END_ID, SPECIAL, UNKNOWN_ID, word_bits

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
_BITS_OF_LOG10 = float(np.log2(10))


@dataclass(frozen=True)
class Level:
    """The n-grams of one order, sorted by key; logarithms of base 10, as in ARPA files."""

    keys: Integers
    """context << bits | word, where the context is a place in the order below; of unigrams, the words."""
    logprob: Floats
    backoff: Floats


@dataclass(frozen=True)
class BackoffModel:
    """Words by id (<unk>, <s>, </s> first), and the orders from 1 on."""

    words: list[str]
    levels: list[Level]
    classes: tuple[str, ...] = ()
    """Of unknown words, if it has any: the first words after the special ones."""

    @property
    def order(self) -> int:
        return len(self.levels)

    @property
    def counts(self) -> list[int]:
        return [len(level.keys) for level in self.levels]

    @cached_property
    def bits(self) -> int:
        return word_bits(self.words)

    @cached_property
    def lookup(self) -> dict[str, int]:
        """Ids by word. <s> is in no sentence as a word: there it is an unknown one."""
        numbers = {word: number for number, word in enumerate(self.words)}
        del numbers[BEGIN]
        return numbers

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Words and classes with the same ids, for a model with classes."""
        return Vocabulary(self.classes, tuple(self.words[len(SPECIAL) + len(self.classes) :]))

    def ids(self, sentences: Sequence[Sequence[str]]) -> Integers:
        """Return the ids of all tokens; <unk>, or their class, for unknown ones."""
        total = sum(map(len, sentences))
        tokens = chain.from_iterable(sentences)
        if self.classes:
            return self.vocabulary.encode(list(tokens))
        return np.fromiter(map(self.lookup.get, tokens, repeat(UNKNOWN_ID)), np.int64, total)

    def score(self, sentences: Sequence[Sequence[str]]) -> tuple[Floats, Floats]:
        """Surprisals in bits: of all tokens, and of the end of each sentence."""
        lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
        starts = np.concatenate([[0], np.cumsum(lengths + 2)[:-1]]) if len(sentences) else np.empty(0, np.int64)
        ids = np.empty(int((lengths + 2).sum()), np.int64)
        word = np.ones(len(ids), np.bool_)
        ends = starts + lengths + 1
        word[starts] = word[ends] = False
        ids[word], ids[starts], ids[ends] = self.ids(sentences), BEGIN_ID, END_ID
        inside = np.arange(len(ids)) - np.repeat(starts, lengths + 2)
        bits = -self._logprobs(ids, inside) * _BITS_OF_LOG10 + 0.0  # + 0.0: no negative zeros
        return bits[word], bits[ends]

    def _logprobs(self, ids: Integers, inside: Integers) -> Floats:
        """log10 p of each token after those before it; `inside` counts the tokens of the sentence before it."""
        logprobs = self.levels[0].logprob[ids]
        ranks = ids  # of the n-gram that ends here, in its order; -1: the model does not have it
        for length, level in enumerate(self.levels[1:], 2):
            below = self.levels[length - 2]
            at = np.flatnonzero(inside >= length - 1)
            contexts = ranks[at - 1]
            at, contexts = at[contexts >= 0], contexts[contexts >= 0]
            places = self._places(level, (contexts << self.bits) | ids[at])
            hit = places >= 0
            logprobs[at[hit]] = level.logprob[places[hit]]
            logprobs[at[~hit]] += below.backoff[contexts[~hit]]
            ranks = np.full(len(ids), -1, np.int64)
            ranks[at] = places
        return logprobs

    def _places(self, level: Level, keys: Integers) -> Integers:
        if not len(level.keys):
            return np.full(len(keys), -1, np.int64)
        places = np.minimum(np.searchsorted(level.keys, keys), len(level.keys) - 1)
        return np.where(level.keys[places] == keys, places, -1)


MISSING_UNKNOWN = -100.0
"""log10 p(<unk>) of a model that has no <unk>, as in KenLM."""
_COUNT = re.compile(rb"ngram\s+(\d{1,2})\s*=\s*(\d{1,12})")
_LINES = 1 << 16


def write_arpa(model: BackoffModel, stream: IO[bytes]) -> None:
    """The model as text. Numbers are rounded to single precision, in the fewest digits that tell them apart."""
    if model.classes:
        raise UsageError("ARPA has no classes of unknown words", todo="write the model as .npz, or leave out min_count")
    blank = next((word for word in model.words if not word or re.search(r"\s", word)), None)
    if blank is not None:
        raise UsageError(
            f"the word {blank!r} has a blank, and ARPA separates words by blanks", todo="write the model as .npz"
        )
    counts = "".join(f"ngram {order}={size}\n" for order, size in enumerate(model.counts, 1))
    stream.write(f"\\data\\\n{counts}".encode())
    mask = (1 << model.bits) - 1
    texts: list[str] = []
    for order, level in enumerate(model.levels, 1):
        words = [model.words[word] for word in (level.keys & mask).tolist()]
        contexts = (level.keys >> model.bits).tolist() if order > 1 else []
        texts = [f"{texts[at]} {word}" for at, word in zip(contexts, words, strict=True)] if order > 1 else words
        stream.write(f"\n\\{order}-grams:\n".encode())
        logprob = _digits(level.logprob)
        if order == model.order:
            lines = [f"{p}\t{text}\n" for p, text in zip(logprob, texts, strict=True)]
        else:
            backoff = _digits(level.backoff)
            lines = [f"{p}\t{text}\t{b}\n" for p, text, b in zip(logprob, texts, backoff, strict=True)]
        stream.write("".join(lines).encode("utf-8"))
    stream.write(b"\n\\end\\\n")


def _digits(values: NDArray[np.float64]) -> list[str]:
    """Each different number is written once: discounts make few of them."""
    different, places = np.unique(values.astype(np.float32), return_inverse=True)
    texts = [str(value).removesuffix(".0") if value else "0" for value in different]
    return [texts[place] for place in places.tolist()]


def read_arpa(path: str | PathLike[str]) -> BackoffModel:
    """The model of an ARPA file (also .gz or .xz). A line that is not as it must be is an error with its number."""
    with opened(str(path)) as stream:
        return _Reader(str(path), stream).model()


class _Reader:
    """Reads section after section; `line` is the number of the line read last."""

    def __init__(self, name: str, stream: IO[bytes]) -> None:
        self.name, self.stream, self.line = name, stream, 0
        self.words: dict[bytes, int] = {}
        self.seen: set[bytes] = set()

    def model(self) -> BackoffModel:
        counts = self._header()
        levels: list[Level] = []
        for order, size in enumerate(counts, 1):
            self._expect(f"\\{order}-grams:")
            level = self._section(order, size, levels, last=order == len(counts))
            levels.append(level)
        self._expect("\\end\\")
        for line in self.stream:
            self.line += 1
            if line.strip():
                raise self._fault(f"after \\end\\ there is {_shown(line.strip())}")
        return BackoffModel([word.decode("utf-8") for word in self.words], levels)

    def _fault(self, what: str, todo: str = "", line: int | None = None) -> InputError:
        return InputError(what, where=f"{self.name}:{self.line if line is None else line}", todo=todo)

    def _next(self) -> bytes:
        line = self.stream.readline()
        if not line:
            raise self._fault("the file ends here, before \\end\\", "get or make it again")
        self.line += 1
        return line.strip()

    def _filled(self) -> bytes:
        while not (line := self._next()):
            pass
        return line

    def _expect(self, mark: str) -> None:
        line = self._filled()
        if line != mark.encode():
            more = " (more n-grams than the header says?)" if not line.startswith(b"\\") else ""
            raise self._fault(f"expected {mark} and found {_shown(line)}{more}")

    def _header(self) -> list[int]:
        for line in islice(self.stream, 1000):  # some tools write a comment first
            self.line += 1
            if line.strip() == b"\\data\\":
                break
        else:
            raise self._fault("this is no ARPA file: there is no \\data\\ in its first lines")
        counts: list[int] = []
        line = self._filled()
        while match := _COUNT.fullmatch(line):
            if int(match[1]) != len(counts) + 1:
                raise self._fault(f"expected the number of {len(counts) + 1}-grams and found {_shown(line)}")
            counts.append(int(match[2]))
            line = self._next()
        if not counts or line:
            raise self._fault(f"expected 'ngram {len(counts) + 1}=…' or an empty line and found {_shown(line)}")
        if len(counts) > 10:
            raise self._fault(f"a model of order {len(counts)}", "models have up to 10 orders")
        return counts

    def _section(self, order: int, size: int, levels: list[Level], last: bool) -> Level:
        rows: list[NDArray[np.int64]] = []
        logprobs: list[NDArray[np.float64]] = []
        backoffs: list[NDArray[np.float64]] = []
        begin = self.line
        for lines in self._lines(size):
            fields = order + (1 if last else 2)
            cells = _regular(lines, fields) or self._one_by_one(lines, order, last)
            words, logprob, backoff = self._converted(cells, lines, order, last)
            rows.append(words)
            logprobs.append(logprob)
            backoffs.append(backoff)
        ids = np.concatenate([np.empty((0, order), np.int64), *rows])
        logprob, backoff = (np.concatenate([np.empty(0), *parts]) for parts in (logprobs, backoffs))
        if order == 1:
            return self._unigrams(ids[:, 0], logprob, backoff)
        return self._sorted(ids, logprob, backoff, levels, begin + 1)

    def _lines(self, size: int) -> Iterator[list[bytes]]:
        while size:
            wanted = min(size, _LINES)
            lines = list(islice(self.stream, wanted))
            size -= wanted
            self.line += len(lines)
            if len(lines) < wanted:
                raise self._fault("the file ends here, before \\end\\", "get or make it again")
            yield lines

    def _one_by_one(self, lines: list[bytes], order: int, last: bool) -> list[list[bytes]]:
        """The slow way, for files whose lines are not all alike: a back-off weight of 0 may be left out."""
        columns: list[list[bytes]] = [[] for _ in range(order + 2)]
        for number, line in enumerate(lines, self.line - len(lines) + 1):
            cells = line.split()
            if not cells or line.startswith(b"\\"):
                raise self._fault(f"the header says that there are more {order}-grams than these", line=number)
            if len(cells) == order + 1:
                cells.append(b"0")
            elif len(cells) != order + 2 or last:
                what = f"{len(cells)} fields: a {order}-gram has a probability, {order} word{'s' * (order != 1)}"
                raise self._fault(what + ("" if last else " and maybe a back-off weight"), line=number)
            for column, cell in zip(columns, cells, strict=True):
                column.append(cell)
        return columns[: order + 1] if last else columns

    def _converted(
        self, columns: list[list[bytes]], lines: list[bytes], order: int, last: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        first = self.line - len(lines) + 1
        logprob = self._numbers(columns[0], first, "probability")
        above = np.flatnonzero(logprob > 0)
        if len(above):
            raise self._fault(
                f"the logarithm of a probability cannot be {logprob[above[0]]:g}", line=first + int(above[0])
            )
        backoff = np.zeros(len(lines)) if last else self._numbers(columns[-1], first, "back-off weight")
        if order == 1:
            self._learn(columns[1], first)
        ids = np.empty((len(lines), order), np.int64)
        for place in range(order):
            for_words = columns[1 + place]
            try:
                ids[:, place] = np.fromiter(map(self.words.__getitem__, for_words), np.int64, len(for_words))
            except KeyError:
                at = next(at for at, word in enumerate(for_words) if word not in self.words)
                raise self._fault(f"{_shown(for_words[at])} is not among the 1-grams", line=first + at) from None
        return ids, logprob, backoff

    def _numbers(self, cells: list[bytes], first: int, what: str) -> NDArray[np.float64]:
        try:
            numbers = np.array(cells).astype(np.float64)
        except ValueError:
            numbers = np.full(len(cells), np.nan)
            for at, cell in enumerate(cells):
                try:
                    numbers[at] = float(cell)
                except ValueError:
                    break
        finite = np.isfinite(numbers)
        if not finite.all():
            at = int(np.argmin(finite))
            raise self._fault(f"{_shown(cells[at])} is not a {what}", line=first + at)
        return numbers

    def _learn(self, words: list[bytes], first: int) -> None:
        if not self.words:
            self.words = {word.encode(): number for number, word in enumerate(SPECIAL)}
        for number, word in enumerate(words, first):
            named = b"<unk>" if word == b"<UNK>" else word
            if named in self.seen:
                raise self._fault(f"the 1-gram {_shown(word)} comes a second time", line=number)
            self.seen.add(named)
            try:
                word.decode("utf-8")
            except UnicodeDecodeError:
                raise self._fault(f"{_shown(word)} is not UTF-8", line=number) from None
            self.words.setdefault(named, len(self.words))
        if b"<UNK>" in words:
            self.words[b"<UNK>"] = UNKNOWN_ID

    def _unigrams(self, ids: NDArray[np.int64], logprob: NDArray[np.float64], backoff: NDArray[np.float64]) -> Level:
        self.words.pop(b"<UNK>", None)
        for number in (BEGIN_ID, END_ID):
            if SPECIAL[number].encode() not in self.seen:
                raise self._fault(f"there is no {SPECIAL[number]} among the 1-grams", "a model of sentences needs it")
        probabilities, weights = np.full(len(self.words), MISSING_UNKNOWN), np.zeros(len(self.words))
        probabilities[ids], weights[ids] = logprob, backoff
        return Level(np.arange(len(self.words)), probabilities, weights)

    def _sorted(
        self,
        ids: NDArray[np.int64],
        logprob: NDArray[np.float64],
        backoff: NDArray[np.float64],
        levels: list[Level],
        first: int,
    ) -> Level:
        bits = word_bits(list(SPECIAL) + [""] * (len(self.words) - len(SPECIAL)))
        places = ids[:, 0]
        for at in range(1, ids.shape[1]):
            keys = (places << bits) | ids[:, at]
            if at == ids.shape[1] - 1:
                break
            level = levels[at]
            places = np.minimum(np.searchsorted(level.keys, keys), max(0, len(level.keys) - 1))
            known = level.keys[places] == keys if len(level.keys) else np.zeros(len(keys), np.bool_)
            if not known.all():
                line = first + int(np.argmin(known))
                raise self._fault(f"the first {at + 1} words of this n-gram are no n-gram themselves", line=line)
        order = np.argsort(keys, kind="stable")
        again = np.flatnonzero(keys[order][1:] == keys[order][:-1])
        if len(again):
            raise self._fault("this n-gram comes a second time", line=first + int(order[again[0] + 1]))
        return Level(keys[order], logprob[order], backoff[order])


def _regular(lines: list[bytes], fields: int) -> list[list[bytes]] | None:
    """Columns, if every line has the same number of fields and one separator between them; else None."""
    data = b"".join(lines)
    characters = np.frombuffer(data, np.uint8)
    separators = np.flatnonzero((characters == 32) | (characters == 9))
    ends = np.cumsum([len(line) for line in lines])
    per_line = np.diff(np.searchsorted(separators, ends), prepend=0)
    cells = data.split()
    if len(cells) != fields * len(lines) or not (per_line == fields - 1).all():
        return None
    return [cells[column::fields] for column in range(fields)]


def _shown(text: bytes) -> str:
    return repr(text[:60].decode("utf-8", "replace"))


def is_arpa(begin: bytes) -> bool:
    """Does a file that begins so look like ARPA?"""
    return b"\\data\\" in begin
