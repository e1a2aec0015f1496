"""Sentences and words of two treebanks matched: sentences by content, words as in the CoNLL 2018 shared task."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import eq
from typing import Any
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..format.columns import Column, same_strings
from ..format.treebank import Treebank

Ints = NDArray[Any]


class Pair:
    """Columns of two treebanks: comparing words is comparing integers."""

    def __init__(self, left: Treebank, right: Treebank) -> None:
        self.left, self.right = left, right

    def same(self, name: str, ours: Ints, theirs: Ints) -> NDArray[np.bool_]:
        """Have these words of the left and those of the right, pair by pair, the same string in a column?

        For columns of many different strings (forms, lemmas): no codes are made for them.
        """
        (begins, ends), (starts, stops) = self.left.field_spans(name), self.right.field_spans(name)
        left, right = (begins[ours], ends[ours]), (starts[theirs], stops[theirs])
        return same_strings(self.left.data, left, self.right.data, right)

    def column(self, name: str, label: Callable[[str], str] = str) -> tuple[Column, Column]:
        """A column of both, of what `label` makes of each string; the two share their values."""
        numbers: dict[str, int] = {}
        codes = []
        for column in (self.left.column(name), self.right.column(name)):
            table = np.array([numbers.setdefault(label(value), len(numbers)) for value in column.values], np.int32)
            codes.append(table[column.codes])
        values = tuple(numbers)
        return Column(codes[0], values), Column(codes[1], values)


@dataclass(frozen=True, slots=True)
class SentenceKey:
    """By what a sentence is found: its content (tokens or characters) and its id."""

    content: Hashable
    sent_id: str = ""


def composed(text: str) -> str:
    """In composed characters (NFC): servers normalise, and that makes no other token."""
    return text if is_normalized("NFC", text) else normalize("NFC", text)


def match(asked: Sequence[SentenceKey], returned: Sequence[SentenceKey], *, near: bool = False) -> list[int | None]:
    """For each asked sentence the number of the returned one with the same content.

    Where the same content comes more than once, ids tell them apart, else the order in which they come. With `near`,
    what is left is paired by id, and then, where the counts agree, by place: a system that changed the tokens of a
    sentence answered it all the same.
    """
    if len(asked) == len(returned) and all(a == b for a, b in zip(asked, returned, strict=True)):
        return list(range(len(asked)))
    partners: list[int | None] = [None] * len(asked)
    passes: list[Callable[[SentenceKey], Hashable | None]] = [
        lambda key: (key.content, key.sent_id) if key.sent_id and key.content is not None else None,
        lambda key: (key.content,) if key.content is not None else None,
    ]
    passes += [lambda key: key.sent_id or None] if near else []
    for name_of in passes:
        _paired(partners, [name_of(key) for key in asked], [name_of(key) for key in returned])
    if near and len(asked) == len(returned):
        for number in sorted(set(range(len(returned))) - set(partners)):
            if partners[number] is None:
                partners[number] = number
    return partners


def _paired(partners: list[int | None], mine: Sequence[Hashable | None], theirs: Sequence[Hashable | None]) -> None:
    """Pairs what has no partner yet and the same name, in the order in which they come; None is no name."""
    taken = set(partners)
    places: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for number, name in enumerate(theirs):
        if name is not None and number not in taken:
            places[name].append(number)
    for number, name in enumerate(mine):
        if partners[number] is None and name is not None and places[name]:
            partners[number] = places[name].popleft()


def in_order_of(gold: Treebank, system: Treebank) -> Treebank | None:
    """The system's sentences in the order of gold, found by their characters; None where these are others.

    Ids tell sentences of the same characters apart, if all ids that both have stand with the same characters: others
    were given anew. Then the same words do, then the order in which they come.
    """
    if len(gold) != len(system):
        return None
    mine, theirs = ([composed(text) for text in treebank.surface.sentences()] for treebank in (gold, system))
    if mine == theirs and len(set(mine)) == len(mine):
        return system
    if Counter(mine) != Counter(theirs):
        return None
    partners: list[int | None] = [None] * len(mine)
    by_id = dict(zip(gold.sent_ids, mine, strict=True))
    if all(by_id.get(sent_id, text) == text for sent_id, text in zip(system.sent_ids, theirs, strict=True) if sent_id):
        _paired(partners, _with_ids(gold, mine), _with_ids(system, theirs))
    _paired(partners, _joined_words(gold), _joined_words(system))
    _paired(partners, mine, theirs)
    places = [place for place in partners if place is not None]
    return system if places == list(range(len(places))) else system[places]


def _with_ids(treebank: Treebank, texts: Sequence[str]) -> list[tuple[str, str] | None]:
    return [(text, sent_id) if sent_id else None for text, sent_id in zip(texts, treebank.sent_ids, strict=True)]


def _joined_words(treebank: Treebank) -> list[tuple[str, ...]]:
    forms = treebank.column("form").strings()
    return [tuple(forms[begin:end]) for begin, end in pairwise(treebank.offsets.tolist())]


def difference(mine: Sequence[str], theirs: Sequence[str], there: str = "the file") -> str:
    """The first words in which two sentences differ, with those before them; empty where they are the same."""
    pairs = enumerate(zip(mine, theirs, strict=False))
    at = next((number for number, (a, b) in pairs if a != b), min(len(mine), len(theirs)))
    if at == len(mine) == len(theirs):
        return ""
    before = " ".join(mine[max(0, at - 3) : at])
    ours, others = (" ".join(words[at : at + 3]) or "(end)" for words in (mine, theirs))
    sides = f"the input has {ours!r}, {there} {others!r}"
    return f"after {before!r} {sides}" if before else sides


_CELLS = 4_000_000
"""Pairs of words in one stretch that are compared; language has no multiword tokens of thousands of words."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """Pairs of words (index in gold, index in system) that are the same word of the same text."""

    pair: Pair
    gold_words: NDArray[np.int64]
    system_words: NDArray[np.int64]
    same_tokens: bool
    """Both have the same tokens and words throughout."""

    @property
    def gold(self) -> Treebank:
        return self.pair.left

    @property
    def system(self) -> Treebank:
        return self.pair.right

    @cached_property
    def gold_of(self) -> NDArray[np.int64]:
        """For each word of the system the word of gold, or -1."""
        return self._inverse(self.system.word_count, self.system_words, self.gold_words)

    @cached_property
    def system_of(self) -> NDArray[np.int64]:
        """For each word of gold the word of the system, or -1."""
        return self._inverse(self.gold.word_count, self.gold_words, self.system_words)

    @staticmethod
    def _inverse(size: int, words: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
        table = np.full(size, -1, dtype=np.int64)
        table[words] = values
        return table


def align(gold: Treebank, system: Treebank) -> Alignment:
    """Aligns two treebanks over the same text; raises InputError at the first character that differs.

    Sentences that come in another order are found by their content: `Alignment.system` has them in that of gold.
    """
    pair = Pair(gold, system)
    same_tokens = _same_tokens(pair)
    if not (same_tokens and _same_places(gold, system)) and (moved := in_order_of(gold, system)) is not None:
        pair = Pair(gold, moved)
        same_tokens = _same_tokens(pair)
    if same_tokens:
        everything = np.arange(gold.word_count)
        return Alignment(pair, everything, everything, True)
    text, system_text = gold.surface.text(), pair.right.surface.text()
    if text != system_text:
        raise _difference(gold, system, text, system_text)
    words = np.array(_walk(_Words.of(gold), _Words.of(pair.right)), dtype=np.int64).reshape(-1, 2)
    return Alignment(pair, words[:, 0], words[:, 1], False)


def _same_places(gold: Treebank, system: Treebank) -> bool:
    """Of the same words in the same order: has each sentence its place, by where it ends and by its id?"""
    if not np.array_equal(gold.offsets, system.offsets):
        return False
    # The same comments have the same ids, and are quicker compared than read.
    if all(map(eq, gold.comment_blocks(), system.comment_blocks())) or gold.sent_ids == system.sent_ids:
        return True
    place = {sent_id: number for number, sent_id in enumerate(gold.sent_ids) if sent_id}
    return all(place.get(sent_id, number) == number for number, sent_id in enumerate(system.sent_ids))


def _same_tokens(pair: Pair) -> bool:
    """The usual case, without a walk: the same words, in the same multiword tokens."""
    words = np.arange(pair.left.word_count)
    if len(words) != pair.right.word_count or not pair.same("form", words, words).all():
        return False
    ours, theirs = pair.left.surface, pair.right.surface
    return np.array_equal(ours.ranges, theirs.ranges) and ours.range_forms() == theirs.range_forms()


@dataclass(slots=True, eq=False)
class _Words:
    """Words as plain lists: a walk over them looks at each once."""

    start: list[int]
    end: list[int]
    multiword: list[bool]
    form: list[str]

    @classmethod
    def of(cls, treebank: Treebank) -> _Words:
        surface = treebank.surface
        token = surface.token_of
        forms = treebank.column("form").mapped(str.lower).strings()
        return cls(surface.starts[token].tolist(), surface.ends[token].tolist(), surface.multiword.tolist(), forms)

    def __len__(self) -> int:
        return len(self.start)

    def is_beyond(self, i: int, end: int) -> bool:
        """Does word i lie after a stretch that ends at `end`? A multiword token only if it starts there."""
        if i >= len(self.start):
            return True
        return self.start[i] >= end if self.multiword[i] else self.end[i] > end


def _walk(gold: _Words, system: _Words) -> list[tuple[int, int]]:
    """Single words match by their place in the text; stretches with multiword tokens by longest common forms."""
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold.multiword[g] or system.multiword[s]:
            g, s, g_end, s_end = _stretch(gold, system, g, s)
            common = _common_forms(gold.form[g:g_end], system.form[s:s_end])
            pairs += [(g + i, s + j) for i, j in common]
            g, s = g_end, s_end
        elif (gold.start[g], gold.end[g]) == (system.start[s], system.end[s]):
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif gold.start[g] <= system.start[s]:
            g += 1
        else:
            s += 1
    return pairs


def _stretch(gold: _Words, system: _Words, g: int, s: int) -> tuple[int, int, int, int]:
    """The smallest stretch of words on both sides that no multiword token leaves."""
    if gold.multiword[g]:
        end = gold.end[g]
        if not system.multiword[s] and system.start[s] < gold.start[g]:
            s += 1
    else:
        end = system.end[s]
        if not gold.multiword[g] and gold.start[g] < system.start[s]:
            g += 1
    first_g, first_s = g, s
    while not (gold.is_beyond(g, end) and system.is_beyond(s, end)):
        take_gold = g < len(gold) and (s >= len(system) or gold.start[g] <= system.start[s])
        words, i = (gold, g) if take_gold else (system, s)
        if words.multiword[i]:
            end = max(end, words.end[i])
        g, s = (g + 1, s) if take_gold else (g, s + 1)
    return first_g, first_s, g, s


def _common_forms(left: list[str], right: list[str]) -> list[tuple[int, int]]:
    """A longest common subsequence; of several the one that the shared task's script takes."""
    if left == right:
        return [(i, i) for i in range(len(left))]
    if len(left) * len(right) > _CELLS:
        what = f"a multiword token stands against {max(len(left), len(right))} words"
        raise InputError(what, todo="such a long stretch cannot be aligned; is a range wrong?")
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            same = best[i + 1][j + 1] + 1 if left[i] == right[j] else 0
            best[i][j] = max(same, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _difference(gold: Treebank, system: Treebank, text: str, other: str) -> InputError:
    """Names the first character that differs, with its sentence and what stands there on both sides."""
    limit = min(len(text), len(other))
    low, high = 0, limit
    while low < high:  # bisection: comparing slices is much faster than comparing characters
        middle = (low + high + 1) // 2
        low, high = (middle, high) if text[low:middle] == other[low:middle] else (low, middle - 1)
    if low == limit:
        longer, shorter = (gold, system) if len(text) > len(other) else (system, gold)
        what = f"{shorter.name} ends where {longer.name} goes on"
    else:
        what = f"the texts differ: gold has {text[low : low + 20]!r}, {system.name} has {other[low : low + 20]!r}"
    surface = gold.surface
    token = int(np.searchsorted(surface.ends, min(low, max(len(text) - 1, 0)), side="right"))
    word = int(np.searchsorted(surface.token_of, min(token, len(surface.ends) - 1)))
    number = int(gold.sentence_of[word])
    row = gold.word_rows[word]
    sent_id = gold.sent_ids[number]
    place = gold.place(int(gold.index.starts[row]))
    where = f"{place} (sentence {sent_id or number + 1})"
    todo = "gold and system must have the same characters, blanks aside; was another file or release parsed?"
    return InputError(what, where=where, todo=todo)
