"""Prefix probabilities of a PCFG: how likely each word is after those before it, summed over all trees.

The forward probabilities of Stolcke (1995), with left recursion solved as by Jelinek and Lafferty (1991); surprisal is
that of Hale (2001). A mother is drawn before her daughters, from left to right, so that after some words a derivation
has reached exactly one place in each tree that is begun: the *forward mass* of a symbol at a place is the sum of the
probabilities of all derivations that have made the words before it and come to this symbol next.

    whole symbols   w = w0 + w C R      w0: expected by a state (or the root, at the beginning)
    bare symbols    b = w C             C: chains of single children; R: the first of several children
    next word       p = sum over preterminals of b * p(word | preterminal)

All masses are divided by the probability of the words so far, so that long sentences do not underflow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gardenpath.errors import InputError, TooLong

from .chart import ENTRIES, Floats, PCFGGrammar


@dataclass(frozen=True)
class PrefixScores:
    """−log2 p of every word after those before it, and of the end after all words; infinite where p is 0."""

    surprisals: Floats
    end: float


@dataclass(frozen=True)
class PrefixGrammar:
    """A grammar in probabilities, with its left recursion solved once."""

    grammar: PCFGGrammar

    @cached_property
    def tables(self) -> tuple[Any, ...]:
        """What `prefix.add_column` is told of the rules."""
        grammar = self.grammar
        return (
            grammar.chain_starts, grammar.chain_top, np.exp(grammar.chain_score),
            grammar.pair_starts, grammar.pair_right,
            grammar.rule_starts, grammar.rule_left, np.exp(grammar.rule_score),
            grammar.last_starts, grammar.last_state, np.exp(grammar.last_score),
        )  # fmt: skip

    @cached_property
    def chains(self) -> Any:
        """C, whole × bare symbols; a preterminal is its own chain."""
        from scipy.sparse import csr_array

        grammar = self.grammar
        tags = np.arange(grammar.preterminals)
        rows, columns = np.append(grammar.chain_top, tags), np.append(grammar.chain_bottom, tags)
        values = np.append(np.exp(grammar.chain_score), np.ones(len(tags)))
        return csr_array((values, (rows, columns)), shape=(grammar.symbols, grammar.symbols))

    @cached_property
    def children(self) -> Any:
        """Symbols and states × symbols: p of the next child. The rows of symbols are R, those of states make w0."""
        from scipy.sparse import csr_array

        grammar = self.grammar
        rows = np.append(grammar.rule_left, grammar.last_state + grammar.symbols)
        columns = np.append(grammar.pair_left[grammar.rule_pair], grammar.last_symbol)
        values = np.exp(np.append(grammar.rule_score, grammar.last_score))
        return csr_array((values, (rows, columns)), shape=(grammar.symbols + grammar.states, grammar.symbols))

    @cached_property
    def next_symbols(self) -> Any:
        """Symbols × states: the rows of `children` that make w0, transposed once and not for each word."""
        return self.children[self.grammar.symbols :].T

    @cached_property
    def wholes(self) -> Any:
        """Cᵀ, bare × whole symbols."""
        return self.chains.T

    @cached_property
    def left_corners(self) -> Any:
        """(I − C R)ᵀ, factorised: solving it for w0 gives w. Pivots stay on the diagonal: nothing is subtracted."""
        from scipy.sparse import csc_array, eye_array
        from scipy.sparse.linalg import splu

        size = self.grammar.symbols
        matrix = csc_array(eye_array(size) - (self.chains @ self.children[:size]).T)
        try:
            return splu(matrix, "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        except RuntimeError as error:
            raise InputError(
                "the grammar never comes to a word: its left recursion does not end",
                todo="give the symbols that begin with themselves another alternative",
            ) from error

    def scores(self, probabilities: Floats) -> PrefixScores:
        """Of a sentence: `probabilities` has a row per word, p(word | preterminal)."""
        chart = PrefixChart.begun(self, len(probabilities))
        surprisals = np.full(len(probabilities), np.inf)
        for place, row in enumerate(probabilities):
            likely = chart.add(row)
            if not likely > 0:
                return PrefixScores(surprisals, np.inf)
            surprisals[place] = max(0.0, -np.log2(likely))
        end = chart.end
        return PrefixScores(surprisals, max(0.0, -float(np.log2(end))) if end > 0 else np.inf)


@dataclass
class PrefixChart:
    """The words so far; all masses are divided by their probability. Shapes: see `prefix.add_column`."""

    grammar: PrefixGrammar
    forward: Floats
    awaited: Floats
    expected: Floats
    cells: Any
    symbols: Any
    values: Any
    size: int = 0
    """Words so far."""

    @classmethod
    def begun(cls, grammar: PrefixGrammar, words: int) -> PrefixChart:
        """Before the first word, with room for so many."""
        rules, places = grammar.grammar, words + 1
        if places * (rules.symbols + rules.states + len(rules.pair_left)) > ENTRIES:
            raise TooLong(f"a sentence of {words} tokens is too long for so large a grammar", todo="leave it out")
        chart = cls(
            grammar,
            np.zeros((places, rules.symbols + rules.states)),
            np.zeros((places, rules.symbols)),
            np.zeros((places, len(rules.pair_left))),
            np.zeros((places, places, 2), np.int64),
            np.empty(1024, np.int32),
            np.empty(1024),
        )
        root = np.zeros(rules.symbols)
        root[rules.root] = 1.0
        chart._expect(root)
        return chart

    @property
    def next_tags(self) -> Floats:
        """p(preterminal of the next word | the words so far); with the end it sums to 1."""
        tags: Floats = self.forward[self.size, : self.grammar.grammar.preterminals]
        return tags

    @property
    def end(self) -> float:
        """p(the sentence ends here | the words so far): what the root makes of all of them."""
        from .kernels import score_at

        begin, end = self.cells[0, self.size]
        return max(0.0, float(score_at(self.symbols, self.values, begin, end, self.grammar.grammar.root)))

    def add(self, probabilities: Floats) -> float:
        """p(the next word | the words so far), from its p(word | preterminal); 0 if it cannot be."""
        from .kernels import add_column

        likely = float(self.next_tags @ probabilities)
        if not likely > 0:
            return 0.0
        self.size += 1
        self.symbols, self.values, states = add_column(
            self.size, probabilities / likely, self.forward, self.awaited, self.expected, self.cells,
            self.symbols, self.values, *self.grammar.tables,
        )  # fmt: skip
        rules = self.grammar.grammar
        self.forward[self.size, rules.symbols :] = states
        self._expect(self.grammar.next_symbols @ states)
        return likely

    def _expect(self, awaited: Floats) -> None:
        """Fills the row of the next word: from the symbols that states expect to all that can begin here."""
        rules, at = self.grammar.grammar, self.size
        solved = np.maximum(self.grammar.left_corners.solve(awaited), 0.0)
        self.awaited[at] = solved
        self.forward[at, : rules.symbols] = self.grammar.wholes @ solved
        likely = self.forward[at, rules.rule_left] * self.grammar.tables[7]
        self.expected[at] = np.bincount(rules.rule_pair, likely, len(rules.pair_left))
