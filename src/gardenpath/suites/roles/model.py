"""Suite of the roles study: items with order, properties and gold arcs over a treebank; minimal pairs; clusters."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import PurePath
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...stats.sampling import Clusters
from ...treebank.format.columns import Column
from ...treebank.format.treebank import Treebank
from .names import BASE, FREQUENT, has_own_names

Kind = Literal["roles", "pp"]
"""Subject and object of a clause (SORTS), or preposition and noun of a PP (PPATS)."""
SUBJECT, OBJECTS = "nsubj", ("obj", "iobj")


class Arc(NamedTuple):
    """What must hold: positions from 1; `head` is -1 where the file does not say it (TSV of SORTS)."""

    dependent: int
    head: int
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Arcs:
    """The gold arcs of all items in columns, by item and position."""

    item: NDArray[np.int64]
    dependent: NDArray[np.int64]
    head: NDArray[np.int64]
    label: Column

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence of a suite. `properties` has today's names; `marked` is (order, props) as the file has them."""

    number: int
    sent_id: str
    tokens: tuple[str, ...]
    order: str
    properties: tuple[str, ...]
    arcs: tuple[Arc, ...]
    ambiguous: bool
    marked: tuple[str, str]
    line: int

    @property
    def variations(self) -> frozenset[str]:
        """The properties that depart from the base case."""
        return frozenset(self.properties) - BASE

    @property
    def text(self) -> str:
        return " ".join(self.tokens)


@dataclass(frozen=True, eq=False)
class RoleSuite:
    """Items in columns; `items[i]` is sentence i of `treebank`, which parsers run on."""

    name: str
    kind: Kind
    language: str
    """ISO 639-1; empty where it is not known."""
    release: str
    """Whose names the file uses, 2020 or 2026; empty for PP suites, whose names never changed."""
    ambiguity: str
    """`full`: no case tells subject from object; `part`: only items with `amb`; empty where it is not known."""
    format: str
    treebank: Treebank
    orders: Sequence[str]
    """One per item, today's names; empty where there is none."""
    properties: Sequence[tuple[str, ...]]
    marked: Sequence[tuple[str, str]]
    arcs: Arcs
    lines: Sequence[int]
    """Where each item begins in its file."""
    distances: Sequence[int] = ()
    """`head_distance` of a PP suite in TSV."""
    bases: Sequence[str] = ()
    """`# base` of every item, empty where it has none: items with the same one come from one base sentence."""

    def __len__(self) -> int:
        return len(self.treebank)

    def __repr__(self) -> str:
        name = PurePath(self.name).name
        return f"<RoleSuite {name}: {len(self)} items, {self.kind}, {self.language or '?'} {self.release}>"

    # ---- columns

    @cached_property
    def tokens(self) -> list[tuple[str, ...]]:
        """The words of every item."""
        forms, offsets = self.treebank.column("form").strings(), self.treebank.offsets.tolist()
        return [tuple(forms[a:b]) for a, b in pairwise(offsets)]

    @property
    def sent_ids(self) -> list[str]:
        """`# sent_id`, or the number of the item from 1 where there is none."""
        return self.treebank.sentence_names

    @cached_property
    def variations(self) -> list[frozenset[str]]:
        """The properties of every item that depart from the base case."""
        known: dict[tuple[str, ...], frozenset[str]] = {}
        return [known.setdefault(one, frozenset(one) - BASE) for one in self.properties]

    @cached_property
    def own_names(self) -> bool:
        """Are the names of orders and properties the author's own, and not those of SORTS?"""
        return self.kind == "roles" and has_own_names(self.orders)

    @cached_property
    def ambiguous(self) -> NDArray[np.bool_]:
        """Whether case syncretism leaves subject and object open."""
        if self.ambiguity == "full":
            return np.ones(len(self), dtype=bool)
        return np.fromiter(("amb" in one for one in self.properties), dtype=bool, count=len(self))

    @cached_property
    def arc_bounds(self) -> NDArray[np.int64]:
        """Item i has the arcs from arc_bounds[i] to arc_bounds[i + 1]."""
        return np.searchsorted(self.arcs.item, np.arange(len(self) + 1))

    def arcs_of(self, number: int) -> tuple[Arc, ...]:
        a, b = self.arc_bounds[number : number + 2].tolist()
        return tuple(Arc(int(self.arcs.dependent[i]), int(self.arcs.head[i]), self.arcs.label[i]) for i in range(a, b))

    # ---- items

    def item(self, number: int) -> Item:
        """Item `number`, from 0."""
        return Item(
            number, self.sent_ids[number], self.tokens[number], self.orders[number], self.properties[number],
            self.arcs_of(number), bool(self.ambiguous[number]), self.marked[number], self.lines[number],
        )  # fmt: skip

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """All items as objects; the columns are faster for counting."""
        return tuple(self.item(number) for number in range(len(self)))

    @cached_property
    def families(self) -> list[str]:
        """For each item what it is a variant of: its base sentence, else the first item with the same words."""
        if self.bases and all(self.bases):
            return list(self.bases)
        families = [""] * len(self)
        for block in sets(self).values():
            for pair_set in block:
                for number in pair_set.items:
                    families[number] = self.sent_ids[pair_set.items[0]]
        return families

    def pairs(self) -> list[MinimalPair]:
        """The minimal pairs: items of one base sentence that differ in exactly one of order or property."""
        return minimal_pairs(self)

    # ---- counts

    def order_counts(self) -> dict[str, int]:
        return dict(Counter(order for order in self.orders if order))

    def property_counts(self) -> dict[str, int]:
        """Sentences per property, as in the paper's Tables 7 and 9."""
        return dict(Counter(name for names in self.properties for name in set(names)))


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


def sets(suite: RoleSuite, by_base: bool = False) -> dict[frozenset[str], list[Set]]:
    """The sets by their variations, each in the order of the file: the same words, or the base sentence said."""
    together: dict[tuple[frozenset[str], tuple[str, ...]], list[int]] = {}
    for number, (tokens, order) in enumerate(zip(suite.tokens, suite.orders, strict=True)):
        words = [suite.bases[number]] if by_base else [token.casefold() for token in tokens]
        if len(words) > 1 and words[-1] in FINAL:
            words.pop()
        if len(words) > 1 and order.startswith(("VF[ADV]", "MF")):
            del words[0]
        together.setdefault((suite.variations[number], tuple(sorted(words))), []).append(number)
    blocks: dict[frozenset[str], list[Set]] = {}
    for (variations, key), numbers in together.items():
        blocks.setdefault(variations, []).append(Set(tuple(numbers), key))
    return blocks


def minimal_pairs(suite: RoleSuite) -> list[MinimalPair]:
    """All pairs, those of order first, each kind in the order of the file."""
    has_bases = bool(suite.bases) and all(suite.bases)
    blocks, orders = sets(suite, has_bases), suite.orders
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


def suite_clusters(suite: RoleSuite, independent: bool = False) -> Clusters:
    """Base sentence and subject noun; in a PP suite the PP's noun and its head. One of them where it holds the other.

    Pronouns are no sample of words: the cluster of an item with a pronoun as its subject is its base sentence.
    """
    if independent:
        return Clusters.independent(len(suite))
    if suite.kind == "pp":
        return _crossed(noun=_words(suite, ("obl", "nmod")), head=_words(suite, ("obl", "nmod"), heads=True))
    pronouns = FREQUENT.get(suite.language, frozenset())
    subjects = [
        f"\t{base}" if word in pronouns or not word or "spron" in properties else word
        for word, base, properties in zip(_words(suite, (SUBJECT,)), suite.families, suite.properties, strict=True)
    ]
    return _crossed(base_sentence=suite.families, subject_noun=subjects)


def _words(suite: RoleSuite, labels: tuple[str, ...], *, heads: bool = False) -> list[str]:
    """The word of each item that has one of these labels (or its head), by lemma where there are any, else by form."""
    lemmas = suite.treebank.column("lemma")
    words = (suite.treebank.column("form") if "_" in lemmas.values else lemmas).mapped(str.casefold)
    chosen = [""] * len(suite)
    places = suite.treebank.offsets[suite.arcs.item] + (suite.arcs.head if heads else suite.arcs.dependent) - 1
    inside = (suite.arcs.head if heads else suite.arcs.dependent) > 0
    for item, place, label, known in zip(
        suite.arcs.item.tolist(), places.tolist(), suite.arcs.label.strings(), inside.tolist(), strict=True
    ):
        if known and label.partition(":")[0] in labels and not chosen[item]:
            chosen[item] = words[place]
    return chosen


def _crossed(**named: list[str]) -> Clusters:
    """Both ways, or the coarser one where each cluster of one lies within a cluster of the other."""
    clusters = Clusters.of(**named)
    first, second = clusters.codes
    cells = len(np.unique(first * (int(second.max(initial=0)) + 1) + second))
    for number, codes in enumerate((second, first)):
        if cells == len(np.unique(codes)):  # finer than the other
            return Clusters((clusters.units[number],), (clusters.codes[number],))
    return clusters
