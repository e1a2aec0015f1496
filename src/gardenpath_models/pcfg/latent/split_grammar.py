"""Grammar with subsymbols, and the tree of a sentence whose rules are likeliest one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..chart import Chart, Edge, Floats, Hypergraph, Integers, Item, Layer, PCFGGrammar, Table, chart_of, grouped, kept
from ..lexicon import LEAST, Lexicon, beginnings, shares_of_tags

NONE = -1
Places = NDArray[np.int64]

_ENTRY = np.dtype([("made", np.int64), ("left", np.int64), ("right", np.int64), ("value", np.float64)])
LEAST_RULE = 1e-12
"""Entries of tensors that are less likely than this are no rules of the expanded grammar."""


@dataclass(frozen=True)
class SplitGrammar:
    """Tensors of chains, rules and last children, one after the other, as `productions` describes them."""

    grammar: PCFGGrammar
    sizes: Integers
    """Subsymbols of each symbol and then of each state."""
    emission_at: Integers
    """Where the subtags of each preterminal begin among those of the lexicon."""
    values: Floats

    @cached_property
    def starts(self) -> Places:
        """Where the tensor of each chain, rule and last child begins, and the end of the last one."""
        grammar, sizes = self.grammar, self.sizes.astype(np.int64)
        pair = np.diff(self.pair_at)
        widths = [
            sizes[grammar.chain_top] * sizes[grammar.chain_bottom],
            sizes[grammar.rule_left] * pair[grammar.rule_pair],
            sizes[grammar.symbols + grammar.last_state] * sizes[grammar.last_symbol],
        ]
        return np.concatenate([[0], np.cumsum(np.concatenate(widths))])

    @cached_property
    def pair_at(self) -> Places:
        """Where the matrix of each pair begins among those of all pairs."""
        grammar, sizes = self.grammar, self.sizes.astype(np.int64)
        pair = sizes[grammar.pair_left] * sizes[grammar.symbols + grammar.pair_right]
        return np.concatenate([[0], np.cumsum(pair)])

    @cached_property
    def subtags(self) -> Places:
        """The subtag of each subsymbol of a preterminal, as the lexicon numbers them."""
        own = self.sizes[: self.grammar.preterminals]
        return np.concatenate(
            [
                np.arange(first, first + size)
                for first, size in zip(self.emission_at.tolist(), own.tolist(), strict=True)
            ]
        ).astype(np.int64)

    @cached_property
    def subtag_sums(self) -> Floats:
        """Subtags × preterminals: 1 where a subtag is of the preterminal's tag."""
        result = np.zeros((int(self.subtags.max()) + 1, self.grammar.preterminals))
        tags = np.arange(self.grammar.preterminals)
        result[self.subtags, np.repeat(tags, self.sizes[: len(tags)])] = 1
        return result

    @cached_property
    def expanded(self) -> PCFGGrammar:
        """The same distribution of sentences as an ordinary grammar, whose symbols are the subsymbols."""
        grammar = self.grammar
        first = np.concatenate([[0], np.cumsum(self.sizes, dtype=np.int64)])  # of each symbol, then of each state
        symbols = int(first[grammar.symbols])
        chains, rules, lasts = self._entries(first)
        chains, lasts = (rows[np.argsort(rows["left"], kind="stable")] for rows in (chains, lasts))
        names = np.repeat(np.arange(grammar.symbols), self.sizes[: grammar.symbols]).tolist()
        pairs, rule_pair = np.unique(rules[["left", "right"]], return_inverse=True)  # in the order of left children
        order = np.argsort(rule_pair, kind="stable")
        return PCFGGrammar(
            [grammar.labels[symbol] for symbol in names],
            [grammar.functions[symbol] for symbol in names],
            int(first[grammar.preterminals]),
            int(first[grammar.root]),
            int(first[-1]) - symbols,
            _column(chains["made"]),
            _column(chains["left"]),
            np.log(chains["value"]),
            [()] * len(chains),
            _column(pairs["left"]),
            _column(pairs["right"] - symbols),
            _column(rules["made"][order]),
            _column(rule_pair[order]),
            np.log(rules["value"][order]),
            _column(lasts["made"] - symbols),
            _column(lasts["left"]),
            np.log(lasts["value"]),
        )

    def _entries(self, first: Places) -> list[Any]:
        """The entries of all chains, rules and last children that are not 0: what is made of what, and how likely."""
        grammar, symbols = self.grammar, self.grammar.symbols
        none = np.full(len(self.starts), NONE)
        pair_left, pair_right = grammar.pair_left[grammar.rule_pair], symbols + grammar.pair_right[grammar.rule_pair]
        kinds = (
            (grammar.chain_top, grammar.chain_bottom, none),
            (grammar.rule_left, pair_left, pair_right),
            (symbols + grammar.last_state, grammar.last_symbol, none),
        )
        result, number = [], 0
        for made, left, right in kinds:
            parts = []
            for row in zip(made.tolist(), left.tolist(), right.tolist(), strict=False):
                shape = tuple(1 if name == NONE else int(self.sizes[name]) for name in row)
                tensor = self.values[self.starts[number] : self.starts[number + 1]].reshape(shape)
                places = np.nonzero(tensor > LEAST_RULE)
                part = np.empty(len(places[0]), _ENTRY)
                for name, symbol, place in zip(("made", "left", "right"), row, places, strict=True):
                    part[name] = NONE if symbol == NONE else first[symbol] + place
                part["value"] = tensor[places]
                parts.append(part)
                number += 1
            result.append(np.concatenate(parts) if parts else np.empty(0, _ENTRY))
        return result


def _column(values: Places) -> Integers:
    return values.astype(np.int32)


WIDTH = 9.0
"""What is worse than the best tree by more than this, in the unsplit grammar, is left out (natural logarithm)."""
_LAYERS: tuple[Layer, Layer, Layer] = ("whole", "bare", "state")


@dataclass(frozen=True)
class PosteriorChart:
    """Edges with logarithms of posterior probabilities (see `rule_posteriors`), between entries of three layers."""

    grammar: PCFGGrammar
    size: int
    entries: dict[Item, int]
    items: list[Item]
    edge_rows: Any
    logs: Floats
    best: Floats

    @property
    def root(self) -> Item:
        return Item("whole", 0, self.size, self.grammar.root)

    def score(self, item: Item) -> float:
        entry = self.entries.get(item)
        return -np.inf if entry is None else float(self.best[entry])

    @cached_property
    def _by_entry(self) -> Table:
        return grouped(self.edge_rows[:, 2], len(self.items))

    def edges(self, item: Item, most: int) -> list[Edge]:
        """The best ways to make an item."""
        table, entry = self._by_entry, self.entries[item]
        rows = table.rows[table.starts[entry] : table.starts[entry + 1]]
        ends = self.edge_rows[rows, 3:]
        scores = self.logs[rows] + np.where(ends >= 0, self.best[ends], 0.0).sum(axis=1)
        rows, ends, scores = rows[scores > -np.inf], ends[scores > -np.inf], scores[scores > -np.inf]
        return [
            Edge(
                float(self.logs[rows[at]]),
                tuple(self.items[tail] for tail in ends[at].tolist() if tail >= 0),
                int(self.edge_rows[rows[at], 1]),
            )
            for at in kept(scores, most).tolist()
        ]


def posterior_chart(split: SplitGrammar, coarse: Chart, emissions: Floats) -> PosteriorChart:
    """The chart of a sentence of which the unsplit grammar has a tree: `emissions` has p(word | subtag), row by row."""
    from .posteriors import best_scores, inside_values, posteriors, value_starts

    grammar, size = split.grammar, coarse.size
    cells, layers = _within_reach(coarse)
    starts = [
        value_starts(symbols, split.sizes, shift)
        for symbols, shift in zip(layers, (0, 0, grammar.symbols), strict=True)
    ]
    lists = [column for pair in zip(layers, starts, strict=True) for column in pair]
    # Every word is scaled so that the sentence has about probability 1, and no product gets too small for a float.
    highest = emissions.max(axis=1, keepdims=True)
    rest = coarse.score(coarse.root) - float(np.log(highest).sum())
    scaled = emissions / highest * np.exp(-rest / size)
    first_rule, first_last = len(grammar.chain_top), len(grammar.chain_top) + len(grammar.rule_left)
    tensors = split.values, split.starts, first_rule, first_last
    insides = inside_values(
        size, grammar.symbols, grammar.states, grammar.preterminals, split.sizes, scaled, split.emission_at, cells,
        *lists, grammar.chain_starts, grammar.chain_top, grammar.pair_starts, grammar.pair_right, split.pair_at,
        grammar.rule_starts, grammar.rule_left, grammar.last_starts, grammar.last_state, *tensors,
    )  # fmt: skip
    by_left = grammar.rules_by_left
    edges, logs = posteriors(
        size, grammar.root, grammar.symbols, grammar.states, grammar.preterminals, split.sizes, cells, *lists, *insides,
        grammar.chain_starts, grammar.chain_top, grammar.pair_starts, grammar.pair_right, split.pair_at,
        by_left.starts, by_left.rows, grammar.rule_starts, grammar.rule_left, grammar.rule_pair,
        grammar.last_starts, grammar.last_state, *tensors,
    )  # fmt: skip
    items = _items(cells, layers, size)
    best = best_scores(len(items), edges, logs)
    return PosteriorChart(grammar, size, {item: at for at, item in enumerate(items)}, items, edges, logs, best)


def _within_reach(coarse: Chart) -> tuple[Any, list[Any]]:
    """The cells and lists of a chart without what is too far from its best tree."""
    from .posteriors import outside_scores, pruned

    grammar, size = coarse.grammar, coarse.size
    by_left = grammar.rules_by_left
    *outside, least = outside_scores(
        size, grammar.root, grammar.symbols, grammar.states, WIDTH, coarse.cells,
        *coarse.whole, *coarse.bare, *coarse.state,
        grammar.chain_starts, grammar.chain_top, grammar.chain_score, grammar.pair_starts, grammar.pair_right,
        by_left.starts, by_left.rows, grammar.rule_pair, grammar.rule_score,
        grammar.last_starts, grammar.last_state, grammar.last_score,
    )  # fmt: skip
    cells = np.zeros_like(coarse.cells)
    layers = [
        pruned(size, coarse.cells, *lists, scores, least, 2 * number, cells)
        for number, (lists, scores) in enumerate(zip((coarse.whole, coarse.bare, coarse.state), outside, strict=True))
    ]
    return cells, layers


def _items(cells: Any, layers: list[Any], size: int) -> list[Item]:
    """All entries, layer by layer."""
    items: list[Item] = []
    for number, (layer, symbols) in enumerate(zip(_LAYERS, layers, strict=True)):
        names, part = symbols.tolist(), [Item(layer, 0, 0, 0)] * len(symbols)
        starts, ends = cells[:, 2 * number].tolist(), cells[:, 2 * number + 1].tolist()
        for cell in np.flatnonzero(cells[:, 2 * number] < cells[:, 2 * number + 1]).tolist():
            begin, end = divmod(cell, size + 1)
            for entry in range(starts[cell], ends[cell]):
                part[entry] = Item(layer, begin, end, names[entry])
        items += part
    return items


def split_chart(
    split: SplitGrammar, lexicon: Lexicon, sentence: Sequence[str], tags: Sequence[str] | None
) -> Hypergraph:
    """The chart of the split grammar; where it has no tree, that of the unsplit one. `tags` come with the words."""
    shares = np.array(
        [lexicon.tag_shares(word, begins) for word, begins in zip(sentence, beginnings(sentence), strict=True)]
    )
    labels = split.grammar.labels[: split.grammar.preterminals]
    shares = shares_of_tags(shares, lexicon.priors, split.subtag_sums, labels, tags)
    whole = shares @ split.subtag_sums
    whole[whole < LEAST] = 0.0
    with np.errstate(divide="ignore"):  # log p(word | tag) of each preterminal
        emissions = np.ascontiguousarray(np.log(whole) - np.log(lexicon.priors @ split.subtag_sums))
    coarse = chart_of(split.grammar, emissions)
    if coarse.score(coarse.root) == -np.inf:
        return coarse
    fine = posterior_chart(split, coarse, shares / lexicon.priors)
    return coarse if fine.score(fine.root) == -np.inf else fine
