"""A grammar with subsymbols: the unsplit grammar, and a tensor of probabilities for each of its rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..grammar import Floats, Integers, PCFGGrammar
from .productions import NONE, Places

_ENTRY = np.dtype([("made", np.int64), ("left", np.int64), ("right", np.int64), ("value", np.float64)])
LEAST = 1e-12
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
                places = np.nonzero(tensor > LEAST)
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
