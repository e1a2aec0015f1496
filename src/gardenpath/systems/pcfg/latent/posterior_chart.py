"""A sentence under a split grammar: the chart from which the tree is taken whose rules are likeliest one by one.

The best tree of a split grammar would be the best choice of subsymbols too, of which a tree has very many; so trees are
scored by the product of the posterior probabilities of their rules, summed over subsymbols (Petrov and Klein 2007,
MAX-RULE-PRODUCT). What the unsplit grammar finds too bad is left out before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..chart_of import Chart
from ..derivations import Edge, Item, Layer, kept
from ..grammar import Floats, PCFGGrammar, Table, grouped
from .split_grammar import SplitGrammar

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
    from .fine import inside_values, value_starts
    from .rule_posteriors import best_scores, posteriors

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
    from .pruning import outside_scores, pruned

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
