"""What a span parser can say, by number: tags, chains of categories, functions; and the characters it can read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...boundary.structured import read_json
from ...errors import InputError
from .lessons import GAPS, Chain, Lesson, Numbers

FORMAT = "gardenpath-chart-inventory 4"
_BEGIN, _END, _UNKNOWN = 1, 2, 3
"""Stand for the characters of the edges of a sentence, and for those that were not learned; 0 fills up."""
_FIRST = 4
_BEGINNINGS, _ENDINGS = 3, 5
"""The longest affixes, in characters."""
_FEW = 0.05
"""The share of phrases of a category that may have one child by mistake."""


@dataclass(frozen=True)
class PretrainedText:
    """What a pretrained model is built from, besides its weights."""

    task: str
    """`masked` or `causal`."""
    config: str
    """JSON, as is the tokenizer."""
    tokenizer: str
    longest: int
    """Pieces that it reads at once."""


@dataclass(frozen=True)
class Inventory:
    """All names of a model, in the order of their numbers."""

    tags: tuple[str, ...]
    chains: tuple[Chain, ...]
    """The first is empty: no phrase."""
    functions: tuple[str, ...]
    characters: tuple[str, ...]
    affixes: tuple[str, ...]
    """Beginnings and endings of words, as `ver-` and `-ung`."""
    at_root: tuple[str, ...]
    """Tags of punctuation that hangs at the virtual root."""
    single: tuple[str, ...]
    """Categories of phrases that may have one child only."""
    gaps: str
    """How it was taught nodes with gaps: one of `GAPS`."""
    pretrained: PretrainedText | None = None
    """The model of Transformers that reads the words too, if there is one."""

    @cached_property
    def names(self) -> dict[str, int]:
        """Tags and categories by number; the empty name is that of the virtual root."""
        return {name: number for number, name in enumerate(sorted({"", *self.tags, *_categories(self.chains)}))}

    @cached_property
    def _characters(self) -> dict[str, int]:
        return {sign: number for number, sign in enumerate(self.characters, _FIRST)}

    @cached_property
    def _affixes(self) -> dict[str, int]:
        return {affix: number for number, affix in enumerate(self.affixes, 1)}

    @property
    def spellings(self) -> int:
        """How many numbers there are for characters."""
        return _FIRST + len(self.characters)

    def spelled(self, word: str) -> list[int]:
        """The characters of a word; of an empty one a character that is unknown."""
        return [self._characters.get(sign, _UNKNOWN) for sign in word] or [_UNKNOWN]

    def affixed(self, word: str) -> list[int]:
        """The beginnings and endings of a word, from short to long; 0 for those that are not known."""
        return [self._affixes.get(affix, 0) for affix in _affixes_of(word)]

    @property
    def edges(self) -> tuple[list[int], list[int]]:
        """The spelling of the begin and of the end of a sentence."""
        return [_BEGIN], [_END]

    def named(self, names: Iterable[str]) -> Numbers:
        return np.array([self.names[name] for name in names], np.int64)

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, indent=0)

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Inventory:
        """What `to_json` wrote; an error where it is something else."""
        try:
            saved: Any = read_json(text, where)
            if not isinstance(saved, dict) or saved.pop("format", None) != FORMAT:
                raise ValueError(f"its format is not {FORMAT}")
            gaps = saved.get("gaps")
            if gaps not in GAPS:
                raise ValueError("it does not say what it does with gaps")
            chains = tuple(_strings(chain) for chain in _listed(saved.get("chains")))  # (NP, NP) is one, too
            parts = ("tags", "functions", "characters", "affixes", "at_root", "single")
            tags, functions, characters, affixes, at_root, single = (_different(saved.get(part)) for part in parts)
            if chains[:1] != ((),) or not all(chains[1:]) or not tags or not functions:
                raise ValueError("it has no tags, functions or chains")
            if len(set(chains)) != len(chains):
                raise ValueError("it has a chain twice")
            return cls(tags, chains, functions, characters, affixes, at_root, single, gaps, _pretrained(saved))
        except (ValueError, TypeError, InputError) as error:
            what = error.what if isinstance(error, InputError) else str(error)
            raise InputError(
                f"this is not an inventory of a chart parser: {what}", where=where, todo="train it again"
            ) from error


def inventory_of(
    lessons: Sequence[Lesson], at_root: Iterable[str], *, gaps: str, pretrained: PretrainedText | None = None
) -> Inventory:
    """All that is in the lessons; a character that occurs once, or an affix of a single word, is an unknown one."""
    signs = Counter(sign for lesson in lessons for word in lesson.words for sign in word)
    words = {word for lesson in lessons for word in lesson.words}
    affixes = Counter(affix for word in words for affix in _affixes_of(word))
    return Inventory(
        tuple(sorted({tag for lesson in lessons for tag in lesson.tree.names[: lesson.tree.tokens]})),
        ((), *sorted({chain for lesson in lessons for _, _, chain in lesson.chains})),
        tuple(sorted({function for lesson in lessons for function in lesson.functions})),
        tuple(sorted(sign for sign, count in signs.items() if count > 1)),
        tuple(sorted(affix for affix, count in affixes.items() if count > 1)),
        tuple(sorted(at_root)),
        _single(lessons),
        gaps,
        pretrained,
    )


def _single(lessons: Iterable[Lesson]) -> tuple[str, ...]:
    """Categories of which a phrase has one child in more than a few cases, which may be errors."""
    counts: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for lesson in lessons:
        tree = lesson.tree
        children = np.bincount(lesson.mothers, minlength=tree.root)[tree.tokens : tree.root]
        names = tree.names[tree.tokens : tree.root]
        counts.update(names)
        alone.update(name for name, number in zip(names, children.tolist(), strict=True) if number == 1)
    return tuple(sorted(name for name, number in alone.items() if number > _FEW * counts[name]))


def _pretrained(saved: dict[str, Any]) -> PretrainedText | None:
    stored = saved.get("pretrained")
    if stored is None:
        return None
    text = PretrainedText(**stored)
    named = isinstance(text.config, str) and isinstance(text.tokenizer, str) and text.task in ("masked", "causal")
    if not named or type(text.longest) is not int or text.longest < 1:
        raise ValueError("its pretrained model is none")
    return text


def _affixes_of(word: str) -> list[str]:
    beginnings = [f"{word[:size]}-" for size in range(1, min(_BEGINNINGS, len(word)) + 1)]
    return beginnings + [f"-{word[-size:]}" for size in range(1, min(_ENDINGS, len(word)) + 1)]


def _categories(chains: Iterable[Chain]) -> set[str]:
    return {name for chain in chains for name in chain}


def _listed(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("its names are not lists")
    return value


def _strings(value: object) -> tuple[str, ...]:
    names = _listed(value)
    if not all(isinstance(name, str) for name in names):
        raise ValueError("its names are not lists of names")
    return tuple(map(str, names))


def _different(value: object) -> tuple[str, ...]:
    names = _strings(value)
    if len(set(names)) != len(names):
        raise ValueError("its names are not lists of different names")
    return names
