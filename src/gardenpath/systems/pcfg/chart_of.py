"""A chart and what can be asked of it: the score of an item, and the ways to make it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import SystemFailure
from .derivations import Edge, Item, kept
from .grammar import Floats, PCFGGrammar

ENTRIES = 60_000_000
"""So many entries a chart may have: 0.7 GB."""


@dataclass(frozen=True)
class Chart:
    """Lists of what stands over each span, with the best score of each (see `chart.fill`)."""

    grammar: PCFGGrammar
    emissions: Floats
    cells: Any
    whole: tuple[Any, Any]
    bare: tuple[Any, Any]
    state: tuple[Any, Any]

    @property
    def size(self) -> int:
        return len(self.emissions)

    @property
    def root(self) -> Item:
        return Item("whole", 0, self.size, self.grammar.root)

    @property
    def entries(self) -> int:
        return int(self.cells[:, [1, 3, 5]].max(axis=0).sum())

    def score(self, item: Item) -> float:
        from .chart import score_at

        cell = self.cells[item.begin * (self.size + 1) + item.end]
        symbols, scores = getattr(self, item.layer)
        at = {"whole": 0, "bare": 2, "state": 4}[item.layer]
        return float(score_at(symbols, scores, cell[at], cell[at + 1], item.symbol))

    def edges(self, item: Item, most: int) -> list[Edge]:
        """The best ways to make an item."""
        if item.symbol < self.grammar.preterminals and item.layer != "state":
            return [Edge(float(self.emissions[item.begin, item.symbol]), ())]
        if item.layer == "whole":
            return self._chains(item, most)
        edges = self._splits(item, most)
        if item.layer == "state":
            edges += self._lasts(item)
        return edges

    def _chains(self, item: Item, most: int) -> list[Edge]:
        grammar = self.grammar
        table = grammar.chains_by_top
        edges = []
        for chain in table.rows[table.starts[item.symbol] : table.starts[item.symbol + 1]].tolist():
            tail = Item("bare", item.begin, item.end, int(grammar.chain_bottom[chain]))
            if self.score(tail) > -np.inf:
                edges.append(Edge(float(grammar.chain_score[chain]), (tail,), chain))
        return edges

    def _splits(self, item: Item, most: int) -> list[Edge]:
        from .chart import splits

        grammar, table = self.grammar, self.grammar.rules_by_left
        target = item.symbol + (grammar.symbols if item.layer == "state" else 0)
        rules, middles, scores = splits(
            item.begin, item.end, self.size, target, self.cells, *self.whole, *self.state,
            table.starts, table.rows, grammar.rule_pair, grammar.rule_score, grammar.pair_left, grammar.pair_right,
        )  # fmt: skip
        edges = []
        for at in kept(scores, most).tolist():
            rule, middle = int(rules[at]), int(middles[at])
            pair = int(grammar.rule_pair[rule])
            left = Item("whole", item.begin, middle, int(grammar.pair_left[pair]))
            right = Item("state", middle, item.end, int(grammar.pair_right[pair]))
            edges.append(Edge(float(grammar.rule_score[rule]), (left, right)))
        return edges

    def _lasts(self, item: Item) -> list[Edge]:
        grammar, table = self.grammar, self.grammar.lasts_by_state
        edges = []
        for last in table.rows[table.starts[item.symbol] : table.starts[item.symbol + 1]].tolist():
            tail = Item("whole", item.begin, item.end, int(grammar.last_symbol[last]))
            if self.score(tail) > -np.inf:
                edges.append(Edge(float(grammar.last_score[last]), (tail,)))
        return edges


class ChartTooLarge(SystemFailure):
    """The chart of a sentence would need more memory than it may have."""


def chart_of(grammar: PCFGGrammar, emissions: Floats, entries: int = ENTRIES) -> Chart:
    """Fills the chart of a sentence: `emissions` has a row per token, with the score of each preterminal."""
    from .chart import fill

    whole, cells, *lists = fill(
        emissions, grammar.symbols, grammar.states, entries,
        grammar.chain_starts, grammar.chain_top, grammar.chain_score, grammar.pair_starts, grammar.pair_right,
        grammar.rule_starts, grammar.rule_left, grammar.rule_score,
        grammar.last_starts, grammar.last_state, grammar.last_score,
    )  # fmt: skip
    if not whole:
        raise ChartTooLarge(
            f"the chart of a sentence of {len(emissions)} tokens has more than {entries} entries",
            todo="leave out so long sentences",
        )
    return Chart(grammar, emissions, cells, (lists[0], lists[1]), (lists[2], lists[3]), (lists[4], lists[5]))
