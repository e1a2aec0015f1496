"""A closed vocabulary of words. A word outside it is known by its shape alone: a fine-grained class of unknowns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...boundary.structured import read_json
from ...errors import InputError, UsageError
from ...runs.signature import digest
from ..tokenised import BEGIN, END, UNKNOWN
from .unknown_words import COARSEST, coarser, word_class

PADDING: Final = "<pad>"
PADDING_ID, BEGIN_ID, END_ID = 0, 1, 2
SPECIAL = (PADDING, BEGIN, END)
OUTPUTS_FROM = END_ID
"""What a model can predict begins here: the end of a sentence, the classes, the words."""
FORMAT = "gardenpath-vocabulary 1"


@dataclass(frozen=True)
class Vocabulary:
    """Words by number: 0 fills up, 1 begins and 2 ends a sentence; then classes of unknown words, then the words."""

    classes: tuple[str, ...]
    """`UNK` first: where a word's class was too rare in training, a coarser one stands for it."""
    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.classes[:1] != (COARSEST,):
            raise InputError(f"a vocabulary has the class {COARSEST} first")
        for what, names in (("class", self.classes), ("word", self.words)):
            if len(set(names)) != len(names):
                twice = next(name for name, count in Counter(names).items() if count > 1)
                raise InputError(f"the {what} {twice!r} is twice in the vocabulary")

    def __len__(self) -> int:
        return len(SPECIAL) + len(self.classes) + len(self.words)

    @property
    def first_word(self) -> int:
        """The id of the first known word; classes of unknown ones are below it."""
        return len(SPECIAL) + len(self.classes)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, self.first_word)}

    @cached_property
    def _class_ids(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.classes, len(SPECIAL))}

    def unknown(self, word: str) -> int:
        """The number of the finest class of a word that is known, as if the word were not."""
        name = word_class(word, self._ids) if word != UNKNOWN else COARSEST
        while name not in self._class_ids:
            name = coarser(name)
        return self._class_ids[name]

    def encode(self, sentence: Sequence[str]) -> NDArray[np.int64]:
        """One number per word, without the ends."""
        ids = self._ids
        numbers = [ids.get(word, -1) for word in sentence]
        return np.array(
            [number if number >= 0 else self.unknown(word) for number, word in zip(numbers, sentence, strict=True)],
            np.int64,
        )

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Words, with the name of the class where the word was unknown."""
        names = (*SPECIAL, *self.classes, *self.words)
        return [names[number] for number in ids]

    def oov(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these numbers are classes of unknown words."""
        return (ids >= len(SPECIAL)) & (ids < self.first_word)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of what is in it."""
        return digest(FORMAT, *self.classes, "", *self.words)

    def to_json(self) -> str:
        return json.dumps(
            {"format": FORMAT, "classes": self.classes, "words": self.words}, ensure_ascii=False, indent=0
        )

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Vocabulary:
        """What `to_json` wrote; an error where it is something else."""
        try:
            saved: Any = read_json(text, where)
            if not isinstance(saved, dict) or saved.get("format") != FORMAT:
                raise ValueError(f"its format is not {FORMAT}")
            classes, words = saved.get("classes", 0), saved.get("words", 0)
            for part in (classes, words):
                if not isinstance(part, list) or not all(isinstance(name, str) and name for name in part):
                    raise ValueError("its words are not a list of words")
            return cls(tuple(classes), tuple(words))
        except (ValueError, InputError) as error:
            what = error.what if isinstance(error, InputError) else str(error)
            raise InputError(f"this is not a vocabulary: {what}", where=where, todo="train the model again") from error


def vocabulary_of(
    sentences: Iterable[Sequence[str]], *, min_count: int = 2, size: int | None = None, where: str = ""
) -> Vocabulary:
    """The words that occur at least `min_count` times, at most the `size` most frequent of them.

    The words left out teach the model their classes. A class of fewer than `min_count` of them is not one.
    """
    return vocabulary_from(Counter(chain.from_iterable(sentences)), min_count=min_count, size=size, where=where)


def vocabulary_from(
    counts: Mapping[str, int], *, min_count: int = 2, size: int | None = None, where: str = ""
) -> Vocabulary:
    """The same from counts; more frequent words first, of equally frequent ones in the order of their letters."""
    if min_count < 1 or (size is not None and size < 1):
        raise UsageError("a vocabulary has words", where=where, todo="give a count and a size of 1 or more")
    if not counts:
        raise InputError("there is no word to learn from", where=where)
    for mark in (BEGIN, END):
        if mark in counts:
            raise InputError(f"the text has {mark} as a word, which stands for the edge of a sentence", where=where)
    frequent = [word for word, count in counts.items() if count >= min_count and word != UNKNOWN]
    words = sorted(frequent, key=lambda word: (-counts[word], word))[:size]
    if not words:
        raise UsageError(
            f"the vocabulary is empty: no word occurs {min_count} times", where=where, todo="take min_count=1"
        )
    known = frozenset(words)
    seen: Counter[str] = Counter()
    for word, count in counts.items():
        if word not in known:
            seen[word_class(word, known) if word != UNKNOWN else COARSEST] += count
    for depth in range(max((name.count("-") for name in seen), default=0), 0, -1):  # what is rare goes up
        for name in [name for name in seen if name.count("-") == depth and seen[name] < min_count]:
            seen[coarser(name)] += seen.pop(name)
    classes = sorted((name for name in seen if name != COARSEST), key=lambda name: (-seen[name], name))
    return Vocabulary((COARSEST, *classes), tuple(words))
