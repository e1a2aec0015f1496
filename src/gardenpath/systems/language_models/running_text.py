"""Language models that read running text and cut it into tokens of their own; which token is of which word."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...errors import FailedOnInput, InputError, SystemFailure
from ...runs.work.where import HERE, Where, Workplace
from ..asking.exchange import SentenceBlock, ask_sentences, loaded
from ..asking.protocol import LANGUAGE_MODEL, Sentences
from ..asking.registry import language_model

Ids = NDArray[np.int64]
Spans = Sequence[tuple[int, int]]
"""Stretches of a text: first character, and the one after the last."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a model says of one text: its tokens, where they are, and the surprisal of each in bits."""

    text: str
    begins: Ids
    """The first character of each token that is no blank; tokens of one character have the same."""
    ends: Ids
    surprisals: NDArray[np.float64]
    """NaN of a token that has none: the first one, where nothing stands before it, and what was not asked for."""
    oov: NDArray[np.bool_]

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(self.text[begin:end] for begin, end in zip(self.begins.tolist(), self.ends.tolist(), strict=True))

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Which tokens have a surprisal."""
        return ~np.isnan(self.surprisals)

    def word_of(self, words: Sequence[str], by_end: bool = False) -> tuple[Ids, frozenset[int]]:
        """The word in which each token begins, and the words that begin inside a token.

        By its end, a token is of the word in which it ends, and no word is cut.
        """
        starts, stops = word_spans(self.text, words)
        places = np.maximum(self.begins, self.ends - 1) if by_end else self.begins
        word_numbers = np.minimum(np.searchsorted(stops, places, side="right"), max(0, len(words) - 1)).astype(np.int64)
        if by_end:
            return word_numbers, frozenset()
        inside = (self.begins[:, None] < starts[None, :]) & (starts[None, :] < self.ends[:, None])
        broken = frozenset(np.flatnonzero(inside.any(axis=0)).tolist()) if len(self.begins) else frozenset[int]()
        return word_numbers, broken


@runtime_checkable
class RunningText(Protocol):
    """A language model that reads text as it is written, without borders of words.

    A study that knows the text (with blanks or, as in Chinese, without) gives it this; words are put together from
    tokens by their characters.
    """

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...

    def readings(self, texts: Sequence[str]) -> list[Reading]:
        """One for each text; tokens in order."""


@runtime_checkable
class PartReader(RunningText, Protocol):
    """A model that is quicker where it is not asked for every token of a text."""

    def asked_readings(self, texts: Sequence[str], asked: Sequence[Spans]) -> list[Reading]:
        """As `readings`; a token that shares no character with the spans of its text has NaN."""


def placed(text: str, offsets: Spans) -> tuple[Ids, Ids]:
    """Begin and end of each token without the blanks around it; a blank alone is part of what follows."""
    begins, ends = [], []
    for begin, end in offsets:
        while begin < len(text) and text[begin].isspace():
            begin += 1
        while end > begin and text[end - 1].isspace():
            end -= 1
        begins.append(begin)
        ends.append(max(begin, end))
    return np.array(begins, dtype=np.int64), np.array(ends, dtype=np.int64)


def inside(begins: Ids, ends: Ids, spans: Spans) -> NDArray[np.bool_]:
    """Which tokens share a character with one of the spans; of an empty one the character that follows counts."""
    stops = np.maximum(ends, begins + 1)
    marks = np.zeros(len(begins), bool)
    for first, last in spans:
        marks |= (begins < last) & (first < stops)
    return marks


def word_spans(text: str, words: Sequence[str]) -> tuple[Ids, Ids]:
    """Where each word begins and ends in a text that is made of them, whatever stands between them."""
    starts, stops, at = [], [], 0
    for word in words:
        begin = text.find(word, at)
        if begin < 0 or text[at:begin].strip():
            raise SystemFailure(f"the word {word!r} is not the next one in the text: {text}")
        at = begin + len(word)
        starts.append(begin)
        stops.append(at)
    return np.array(starts, dtype=np.int64), np.array(stops, dtype=np.int64)


SAME_BITS = 1e-3
"""Surprisals that differ by less are the same: what else is in a batch changes the last places of a float."""


def same_bits(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    """Return whether two queries gave the same surprisals."""
    return first.shape == second.shape and bool(np.allclose(first, second, rtol=0, atol=SAME_BITS, equal_nan=True))


def readings_with(
    model: str | RunningText,
    texts: Sequence[str],
    *,
    asked: Sequence[Spans] | None = None,
    where: Where | Workplace = HERE,
) -> tuple[list[Reading], dict[int, FailedOnInput]]:
    """What a model says of texts, and the failures on those of which it says nothing, by their place.

    Where spans of the texts are `asked`, a model that can leave out other tokens does. What it read before comes from
    the cache, and then no model is loaded.
    """
    given = language_model(model) if isinstance(model, str) else model
    if not isinstance(given, RunningText):
        raise SystemFailure("this model reads words, not running text", where=given.name)
    sentences = [[text] for text in texts]
    if asked is not None and isinstance(given, PartReader):
        written = (",".join(f"{first}:{last}" for first, last in spans) for spans in asked)
        sentences = [[text, spans] for text, spans in zip(texts, written, strict=True)]
    ((readings, failures),) = ask_sentences([_Texts.of(sentences)], given, where)
    return readings, failures


def _spans(written: str) -> list[tuple[int, int]]:
    pairs = (span.split(":") for span in written.split(",") if span)
    return [(int(first), int(last)) for first, last in pairs]


class _Texts(SentenceBlock):
    """Texts that go out as sentences of one long word, and of a second with the spans that are asked, where not all
    of a text is."""

    label, role = "reading", LANGUAGE_MODEL

    @staticmethod
    def answer(name: str, signature: str, block: SentenceBlock) -> list[dict[str, Any]]:
        """The readings of one piece as JSON values."""
        model: RunningText = loaded(name, signature, LANGUAGE_MODEL)
        texts = [text for text, *_ in block.sentences]
        if isinstance(model, PartReader) and len(block.sentences[0]) > 1:
            readings = model.asked_readings(texts, [_spans(written) for _, written in block.sentences])
        else:
            readings = model.readings(texts)
        if len(readings) != len(texts):
            raise SystemFailure(f"readings of {len(readings)} texts for {len(texts)}", where=model.name)
        for reading in readings:
            if np.isinf(reading.surprisals).any():
                at = int(np.argmax(np.isinf(reading.surprisals)))
                value = float(reading.surprisals[at])
                what = f"the surprisal of token {at + 1}, {reading.tokens[at]!r}, is {value}: {reading.text}"
                raise FailedOnInput(what, where=model.name, todo="a model must give every token a finite surprisal")
        return [
            {
                "begins": reading.begins.tolist(),
                "ends": reading.ends.tolist(),
                "oov": np.flatnonzero(reading.oov).tolist(),
                "bits": [value if value == value else None for value in reading.surprisals.tolist()],
            }
            for reading in readings
        ]

    def same(self, first: Reading, second: Reading) -> bool:
        return same_bits(first.surprisals, second.surprisals)

    def received(self, answer: list[dict[str, Any]]) -> list[Reading]:
        readings = []
        for (text, *_), value in zip(self.sentences, answer, strict=True):
            oov = np.zeros(len(value["bits"]), dtype=bool)
            oov[value["oov"]] = True
            bits = np.array([np.nan if bits is None else bits for bits in value["bits"]], dtype=np.float64)
            begins, ends = np.array(value["begins"], np.int64), np.array(value["ends"], np.int64)
            readings.append(Reading(text, begins, ends, bits, oov))
        return readings

    def nothing(self, words: Sequence[str]) -> Reading:
        none = np.empty(0, np.int64)
        return Reading(words[0], none, none, np.empty(0), np.empty(0, dtype=bool))


class TextReader(ABC):
    """A language model that has `readings` of texts, and by them surprisals of words."""

    name: str
    joiner: str = " "
    """What stands between words where a list of words is given and no text."""
    _last: tuple[Sentences, list[Reading]] | None = None

    @abstractmethod
    def readings(self, texts: Sequence[str]) -> list[Reading]:
        """The model's own tokens of each text."""

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        """Of words: the sum over their tokens."""
        by_sentence = []
        for words, reading in zip(sentences, self._read(sentences), strict=True):
            word_of, broken = reading.word_of(words)
            if broken:
                at = min(broken)
                raise FailedOnInput(
                    f"the word {words[at]!r} begins inside a token of the model: {reading.text}",
                    where=self.name,
                    todo="its surprisal is not known; other borders of words, or a model over words, have one",
                )
            if not reading.scored.all():
                raise InputError(
                    f"nothing stands before the first token, so it has no surprisal: {reading.text}",
                    where=self.name,
                    todo="name a token that stands before every sentence, such as #bos=eos of hf: or #bos=TOKEN; "
                    "gardenpath surprisal leaves such tokens out",
                )
            bits = np.bincount(word_of, weights=reading.surprisals, minlength=len(words)).astype(np.float64)
            silent = np.setdiff1d(np.arange(len(words)), word_of)
            if len(silent):
                what = f"the model has no token for the word {words[silent[0]]!r}: {reading.text}"
                raise FailedOnInput(what, where=self.name, todo="does the tokenizer drop its characters?")
            by_sentence.append(bits[: len(words)])
        return by_sentence

    def oov(self, sentences: Sentences) -> list[NDArray[np.bool_]]:
        """Words with a token that stands for what the model does not know."""
        by_sentence = []
        for words, reading in zip(sentences, self._read(sentences), strict=True):
            marks = np.zeros(len(words), dtype=bool)
            if len(words):
                marks[reading.word_of(words)[0][reading.oov]] = True
            by_sentence.append(marks)
        return by_sentence

    def _read(self, sentences: Sentences) -> list[Reading]:
        """Whoever asks for surprisals asks for unknown words next."""
        if self._last is None or self._last[0] is not sentences:
            self._last = sentences, self.readings([self.joiner.join(words) for words in sentences])
        return self._last[1]
