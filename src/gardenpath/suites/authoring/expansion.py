"""All items of a template, or a balanced choice of them: the word in each slot, the value of each variable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from random import Random

import numpy as np

from ...errors import InputError
from .template import Sentence, Slot, Template

MOST = 100_000
_TRIES, _POOL = 60, 5_000


@dataclass(frozen=True, slots=True)
class Filled:
    """One item: the lexeme in each slot and the value of each variable."""

    lexemes: Mapping[str, Mapping[str, str]]
    values: Mapping[str, str]

    def word(self, slot: str) -> str:
        """The first form of the word in a slot: its name."""
        return next(iter(self.lexemes[slot].values()))


def expanded(template: Template, *, size: int | None = None, seed: int | None = None) -> list[Filled]:
    """All items, or so many of them in which words and values occur equally often as far as they can.

    Two slots that take their words from one list never have the same word.
    """
    size, seed = size or template.size, template.seed if seed is None else seed
    words, values = _choices(template)
    count = prod(map(len, [*words.values(), *values.values()]))
    if size is None and count > MOST:
        todo = "say how many are wanted: size = 200 in the template, or --draw 200"
        raise InputError(f"the template has up to {count:,} items", where=template.file, todo=todo)
    draw = Random(f"{template.name}:{seed}")
    fillings = list(_all(template)) if count <= MOST else _drawn(template, max(_POOL, 20 * (size or 0)), draw)
    if size is not None and len(fillings) > size:
        fillings = _balanced(fillings, size, draw)
    if not fillings:
        raise InputError("no item is left", where=template.file, todo="add words, or take rules from exclude")
    if size is not None and len(fillings) < size:
        what = f"{size} items are asked for, and the template gives {len(fillings)}"
        raise InputError(what, where=template.file, todo="add words, or ask for fewer")
    return fillings


Lexeme = Mapping[str, str]


def _choices(template: Template) -> tuple[dict[str, Sequence[Lexeme]], dict[str, Sequence[str]]]:
    """What each slot and what each variable may be."""
    return {slot: template.words[source] for slot, source in template.slots.items()}, dict(template.vary)


def _all(template: Template) -> Iterator[Filled]:
    words, values = _choices(template)
    for lexemes in product(*words.values()):
        for combination in product(*values.values()):
            item = Filled(dict(zip(words, lexemes, strict=True)), dict(zip(values, combination, strict=True)))
            if _allowed(template, item):
                yield item


def _allowed(template: Template, item: Filled) -> bool:
    used: dict[str, list[Mapping[str, str]]] = {}
    for slot, lexeme in item.lexemes.items():
        others = used.setdefault(template.slots[slot], [])
        if lexeme in others:
            return False
        others.append(lexeme)
    return not any(
        all(slot in item.lexemes and word in item.lexemes[slot].values() for slot, word in rule.items())
        for rule in template.exclude
    )


def _drawn(template: Template, count: int, draw: Random) -> list[Filled]:
    """So many different items by chance, or fewer where most combinations are excluded."""
    words, values = _choices(template)
    fillings: dict[str, Filled] = {}
    for _ in range(_TRIES * count):
        if len(fillings) == count:
            break
        item = Filled(
            {slot: draw.choice(lexemes) for slot, lexemes in words.items()},
            {name: draw.choice(options) for name, options in values.items()},
        )
        if _allowed(template, item):
            fillings[repr(item)] = item
    return list(fillings.values())


def _balanced(items: list[Filled], size: int, draw: Random) -> list[Filled]:
    """So many of the items: the next one is always that whose words and values were used least so far.

    codes (items, names): which word a slot has; used (names, words): how often it was chosen. The cost of an item is
    the sum of the squares of its counts; of equal ones the first in a random order is taken.
    """
    items = draw.sample(items, len(items))
    texts = [[*map(repr, item.lexemes.values()), *item.values.values()] for item in items]
    columns = [np.unique(column, return_inverse=True)[1] for column in zip(*texts, strict=True)]
    codes = np.stack(columns, axis=1)
    names = np.arange(codes.shape[1])
    used = np.zeros((len(names), int(codes.max()) + 1))
    cost = np.zeros(len(items))
    chosen = []
    for _ in range(min(size, len(items))):
        best = int(np.argmin(cost))
        chosen.append(items[best])
        for name in names:
            word = codes[best, name]
            # its count goes from n to n + 1, and its square grows by 2n + 1
            cost[codes[:, name] == word] += 2 * used[name, word] + 1
            used[name, word] += 1
        cost[best] = np.inf
    return chosen


def text_of(template: Template, sentence: Sentence, item: Filled) -> str:
    """The sentence with its slots filled; blanks are single."""
    pieces = [
        item.lexemes[piece.name][piece.form_with(item.values, template.vary)] if isinstance(piece, Slot) else piece
        for piece in sentence.pieces
    ]
    return " ".join("".join(pieces).split())
