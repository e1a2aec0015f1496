"""Closed vocabulary of words, and the files of a network.

A word outside the vocabulary is known by its shape alone, as `UNK-LC-s`: case, digits, dash and ending, or script and
number of characters. Tensors are read without running anything that is in the file; JSON names its format.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from gardenpath.boundary import check_stored, file_text, read_json
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.runs import atomic_writer, digest
from gardenpath.systems import BEGIN, END, UNKNOWN

T = TypeVar("T")


def save(state: Mapping[str, Any], path: Path) -> None:
    """Tensors, numbers, texts, lists and dictionaries of them. The same content is the same bytes."""
    import torch

    with atomic_writer(path) as stream:
        torch.save(dict(state), stream)  # given a stream, torch puts no file name into it


def load(path: Path) -> dict[str, Any]:
    """What `save` wrote. A pickle that would call anything else than tensors is refused, not run."""
    import torch

    try:
        check_stored(path)
        content = torch.load(path, map_location="cpu", weights_only=True)
        if not isinstance(content, dict):
            raise ValueError("there are no tensors by name in it")
    except FileNotFoundError:
        raise InputError("there are no weights", where=str(path), todo="train the model again") from None
    except Exception as error:  # torch and pickle raise whatever the bytes make them stumble over
        reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
        what = "holds code instead of weights" if "weights_only" in str(error).lower() else f"is damaged: {reason[0]}"
        raise InputError(
            f"this file {what}; nothing of it was run", where=str(path), todo="train the model again"
        ) from error
    return content


def fill(module: Any, state: Mapping[str, Any], where: str) -> None:
    """Puts weights, all of them finite numbers, into a network; an error where they are of another one."""
    import torch

    for name, tensor in state.items():
        if not isinstance(name, str) or not isinstance(tensor, torch.Tensor):
            raise InputError(f"{name!r} is not a tensor", where=where, todo="train the model again")
        if not bool(torch.isfinite(tensor).all()):
            raise InputError(f"the weights {name!r} are not all finite numbers", where=where, todo="train it again")
    try:
        module.load_state_dict(dict(state), strict=True)
    except RuntimeError as error:
        first = " ".join(str(error).split("\n\t")[1:2]) or str(error)
        raise InputError(
            f"the weights do not fit the settings: {first.strip()}", where=where, todo="train the model again"
        ) from error


def read_text(path: Path) -> tuple[str, str]:
    """Return the text of a part of a model, and where it is."""
    return file_text(path, "a part of the model"), str(path)


def read_stored(
    text: str, where: str, format: str, make: Callable[[dict[str, Any]], T], what: str, todo: str = "train it again"
) -> T:
    """Return what `make` makes of a JSON object of this format; `what` begins the error where it is another one."""
    try:
        saved: Any = read_json(text, where)
        if not isinstance(saved, dict) or saved.pop("format", None) != format:
            raise ValueError(f"the format is not {format}")
        return make(saved)
    except (ValueError, TypeError, GardenpathError) as error:
        reason = error.what if isinstance(error, GardenpathError) else str(error)
        raise InputError(f"{what}: {reason}", where=where, todo=todo) from error


def strings(value: object, what: str) -> tuple[str, ...]:
    """Return the strings of a list in a file; an error that says `what` where it is none."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError(what)
    return tuple(value)


COARSEST = "UNK"
_ENDINGS = ("ed", "ing", "ion", "er", "est", "ly", "ity", "y", "al")
"""Of the Berkeley parser, whose classes RNNG and its successors use; the first that fits."""
_NUMERALS = frozenset("零〇一二三四五六七八九十百千万亿两萬億兩壹贰叁肆伍陆柒捌玖拾佰仟")
_BESIDE = frozenset("第点點.%·")
"""What stands in a number beside numerals: 第三, 三点五."""
_LONGEST = 4


def word_class(word: str, known: Container[str] = ()) -> str:
    """The class of a word that is not known; `known` are the words that are (of an initial capital: is it known
    without it?).

    With Han characters: `UNK-HAN-2` (two characters; 4 stands for more), `-NUM` if all are numerals or digits,
    `-MIX` if there are letters or digits among them. Without a letter or digit: `UNK-SYM`. Else the Berkeley classes.
    """
    if not word:
        return COARSEST
    if any(_is_han(char) for char in word):
        numeral = [char in _NUMERALS or char.isdigit() for char in word]
        if any(numeral) and all(is_one or char in _BESIDE for is_one, char in zip(numeral, word, strict=True)):
            return f"{COARSEST}-HAN-NUM"
        if any(char.isalnum() and not _is_han(char) for char in word):
            return f"{COARSEST}-HAN-MIX"
        return f"{COARSEST}-HAN-{min(len(word), _LONGEST)}"
    if not any(char.isalnum() for char in word):
        return f"{COARSEST}-SYM"
    return _alphabetic(word, known)


def coarser(name: str) -> str:
    """The class that holds this one: without its last part; the coarsest holds itself."""
    return name.rpartition("-")[0] or COARSEST


def _is_han(char: str) -> bool:
    return "㐀" <= char <= "鿿" or char == "〇" or (char > "￿" and unicodedata.name(char, "").startswith("CJK"))


def _alphabetic(word: str, known: Container[str]) -> str:
    capitals = sum(char.isupper() for char in word)
    digit = any(char.isdigit() for char in word)
    dash = "-" in word
    lower = word.lower()
    parts = [COARSEST]
    if word[0].isupper():
        parts += ["CAPS"] if capitals > 1 else ["INITC", "KNOWNLC"] if lower in known else ["INITC"]
    elif not word[0].isalpha() and capitals:
        parts.append("CAPS")
    elif any(char.islower() for char in word):
        parts.append("LC")
    if digit:
        parts.append("NUM")
    if dash:
        parts.append("DASH")
    if lower.endswith("s") and len(lower) >= 3:
        if lower[-2] not in "siu":
            parts.append("s")
    elif len(lower) >= 5 and not dash and not (digit and capitals):
        parts += [ending for ending in _ENDINGS if lower.endswith(ending)][:1]
    return "-".join(parts)


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
        """Return what `to_json` wrote; an error where it is something else."""

        def made(saved: dict[str, Any]) -> Vocabulary:
            none = "its words are not a list of words"
            classes, words = strings(saved.get("classes"), none), strings(saved.get("words"), none)
            if not all((*classes, *words)):
                raise ValueError(none)
            return cls(classes, words)

        return read_stored(text, where, FORMAT, made, "this is not a vocabulary", "train the model again")


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
