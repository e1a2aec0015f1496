"""Words from running text: what a model that cuts text into tokens of its own says of each word."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import FailedOnInput, InputError
from .protocol import Sentences
from .running_text import Reading


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
