"""Minimal pairs: which items are variants of one base sentence, and differ in exactly one of order or property.

A *set* is one sentence in its orders: items with the same properties and the same words, where case, the final
mark, and the word that an order adds in front (the adverb of VF[ADV], the conjunction before MF) do not count.
Two sets come from one base sentence when the properties of one are those of the other and one more, and each is
the other's best match by the words that tell it from the other sets with its properties; a word is known by its
first four letters, so that inflection does not hide it; articles, pronouns and the like do not count. Sets that
share no word are no pair.

Where every item says its base sentence (`# base`), nothing is guessed: a set is the items of one base sentence with
the same properties, and sets match when their base sentence is the same.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from .clues import FREQUENT

if TYPE_CHECKING:
    from .model import RoleSuite

_STEM = 4
FINAL = frozenset([".", "?", "!", "…"])


class MinimalPair(NamedTuple):
    """Two item numbers. `order`: the same properties in another order; `property`: the second has one more."""

    first: int
    second: int
    kind: Literal["order", "property"]
    change: str
    """The property that the second item has and the first has not; `ORDER > ORDER` for orders."""


class Set(NamedTuple):
    """One sentence in its orders."""

    items: tuple[int, ...]
    words: tuple[str, ...]


def sets(suite: RoleSuite) -> dict[frozenset[str], list[Set]]:
    """The sets by their variations, each in the order of the file."""
    by_words: dict[tuple[frozenset[str], tuple[str, ...]], list[int]] = {}
    for number, (tokens, order) in enumerate(zip(suite.tokens, suite.orders, strict=True)):
        words = [token.casefold() for token in tokens]
        if len(words) > 1 and words[-1] in FINAL:
            words.pop()
        if len(words) > 1 and order.startswith(("VF[ADV]", "MF")):
            del words[0]
        by_words.setdefault((suite.variations[number], tuple(sorted(words))), []).append(number)
    blocks: dict[frozenset[str], list[Set]] = {}
    for (variations, key), numbers in by_words.items():
        blocks.setdefault(variations, []).append(Set(tuple(numbers), key))
    return blocks


def sets_by_base(suite: RoleSuite) -> dict[frozenset[str], list[Set]]:
    """The sets by their variations, where every item says its base sentence."""
    by_base: dict[tuple[frozenset[str], str], list[int]] = {}
    for number, base in enumerate(suite.bases):
        by_base.setdefault((suite.variations[number], base), []).append(number)
    blocks: dict[frozenset[str], list[Set]] = {}
    for (variations, base), numbers in by_base.items():
        blocks.setdefault(variations, []).append(Set(tuple(numbers), (base,)))
    return blocks


def minimal_pairs(suite: RoleSuite) -> list[MinimalPair]:
    """All pairs, those of order first, each kind in the order of the file."""
    has_bases = bool(suite.bases) and all(suite.bases)
    blocks, orders = sets_by_base(suite) if has_bases else sets(suite), suite.orders
    pairs = [
        MinimalPair(a, b, "order", f"{orders[a]} > {orders[b]}")
        for block in blocks.values()
        for pair_set in block
        for a, b in combinations(pair_set.items, 2)
        if orders[a] != orders[b]
    ]
    frequent = FREQUENT.get(suite.language, frozenset())
    stems = {
        variations: {pair_set.words[0]: at for at, pair_set in enumerate(block)}
        if has_bases
        else _telling(block, frequent)
        for variations, block in blocks.items()
    }
    for more, block in blocks.items():
        for change in sorted(more):
            less = more - {change}
            if less not in blocks:
                continue
            for a, b in _matches(stems[less], stems[more]):
                ordered = {orders[number]: number for number in reversed(blocks[less][a].items)}
                pairs += [
                    MinimalPair(ordered[orders[number]], number, "property", change)
                    for number in block[b].items
                    if orders[number] in ordered
                ]
    return pairs


def words_changed(suite: RoleSuite, pairs: Sequence[MinimalPair]) -> list[int]:
    """In how many words the two items of each pair differ: those that one has and the other lacks, whichever are more.

    Words are compared by lemma, or by their beginnings where the suite has no lemmas; articles, pronouns and the like
    do not count.
    """
    frequent, forms = FREQUENT.get(suite.language, frozenset()), suite.treebank.column("form")
    lemmas = suite.treebank.column("lemma")
    keys = [lemma.casefold() for lemma in lemmas.strings()]
    if "_" in lemmas.values:
        keys = forms.mapped(lambda form: form if form.casefold() in frequent else _stem(form.casefold())).strings()
    bounds = suite.treebank.offsets.tolist()
    words = [content_words(keys[a:b], frequent) for a, b in pairwise(bounds)]
    return [changed_words(words[pair.first], words[pair.second]) for pair in pairs]


def content_words(words: Iterable[str], frequent: frozenset[str]) -> Counter[str]:
    """How often each word occurs, but for articles, pronouns, final marks and the like."""
    return Counter(word for word in words if word.casefold() not in frequent and word not in FINAL)


def changed_words(first: Counter[str], second: Counter[str]) -> int:
    """In how many words two sentences differ: those that one has and the other lacks, whichever are more."""
    return max((first - second).total(), (second - first).total())


def _telling(block: list[Set], frequent: frozenset[str]) -> dict[str, int]:
    """The beginnings of words that occur in one set of the block alone, with the number of the set."""
    seen = [{_stem(word) for word in one.words if word not in frequent} for one in block]
    counts = Counter(stem for stems in seen for stem in stems)
    return {stem: number for number, stems in enumerate(seen) for stem in stems if counts[stem] == 1}


def _stem(word: str) -> str:
    plain = "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
    return plain[:_STEM]


def _matches(less: dict[str, int], more: dict[str, int]) -> list[tuple[int, int]]:
    """Sets that are each other's best match; among equals the one that stands at the same place."""
    shared: Counter[tuple[int, int]] = Counter((less[stem], more[stem]) for stem in less.keys() & more.keys())
    best: dict[tuple[str, int], tuple[int, int, int]] = defaultdict(lambda: (0, 0, 0))
    for (a, b), count in sorted(shared.items()):
        for side, place in (("less", a), ("more", b)):
            rank = (count, -abs(a - b), -(b if side == "less" else a))
            best[side, place] = max(best[side, place], rank) if (side, place) in best else rank
    return [
        (a, b)
        for (a, b), count in sorted(shared.items())
        if best["less", a] == (count, -abs(a - b), -b) and best["more", b] == (count, -abs(a - b), -a)
    ]
