"""A binarised PCFG in arrays: symbols, states between the children of a node, and chains of single children."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """Rows grouped by a key: those of key k stand at `rows[starts[k]:starts[k + 1]]`."""

    starts: Integers
    rows: Integers


@dataclass(frozen=True)
class PCFGGrammar:
    """Symbols are preterminals (tag and function) and then nodes; states are what remains of a node's children.

    A node is drawn in two steps, so that no chain of single children can turn in a circle: first the chain below
    it (none, or one of finitely many), then two or more children of the symbol at the bottom, from left to right:
    `left child + state`. A state goes on with `child + state`, or ends with a last child. Logarithms are natural.
    """

    labels: list[str]
    """The tag of each preterminal, then the category of each node."""
    functions: list[str]
    preterminals: int
    root: int
    states: int

    chain_top: Integers
    chain_bottom: Integers
    chain_score: Floats
    chain_paths: list[tuple[int, ...]]
    """The symbols from below the top down to the bottom; empty where the node itself has two or more children."""

    pair_left: Integers
    """The symbol of the left child and the state of the rest."""
    pair_right: Integers
    rule_left: Integers
    """The left-hand side: a symbol (a node), or a state, which counts from `symbols` on."""
    rule_pair: Integers
    rule_score: Floats

    last_state: Integers
    """Ends of states: the state, its last child, the score."""
    last_symbol: Integers
    last_score: Floats

    @property
    def symbols(self) -> int:
        return len(self.labels)

    @property
    def size(self) -> dict[str, int]:
        return {
            "symbols": self.symbols,
            "states": self.states,
            "rules": len(self.rule_left) + len(self.last_state),
            "chains": len(self.chain_top),
        }

    @cached_property
    def chain_starts(self) -> Integers:
        """Chains stand in the order of their bottoms; those of symbol b begin here."""
        return starts(self.chain_bottom, self.symbols)

    @cached_property
    def pair_starts(self) -> Integers:
        """Pairs stand in the order of their left children."""
        return starts(self.pair_left, self.symbols)

    @cached_property
    def rule_starts(self) -> Integers:
        """Rules stand in the order of their pairs."""
        return starts(self.rule_pair, len(self.pair_left))

    @cached_property
    def last_starts(self) -> Integers:
        """Last children stand in the order of their symbols."""
        return starts(self.last_symbol, self.symbols)

    @cached_property
    def chains_by_top(self) -> Table:
        return grouped(self.chain_top, self.symbols)

    @cached_property
    def rules_by_left(self) -> Table:
        return grouped(self.rule_left, self.symbols + self.states)

    @cached_property
    def lasts_by_state(self) -> Table:
        return grouped(self.last_state, self.states)


def starts(keys: Integers, size: int) -> Integers:
    """Where the stretch of each key begins in a sorted column, and the end of the last one."""
    begins = np.zeros(size + 1, np.int32)
    np.cumsum(np.bincount(keys, minlength=size), out=begins[1:])
    return begins


def grouped(keys: Integers, size: int) -> Table:
    """Rows by key, in their order within each."""
    return Table(starts(keys, size), np.argsort(keys, kind="stable").astype(np.int32))
