"""The productions of a grammar with subsymbols: a tensor of probabilities for each, all in one column.

A *unit* is what is split: a tag (whatever the function of its tokens), a node symbol, a state, each into `sizes[unit]`
subsymbols. A production A → B C has the tensor p(B_j C_k | A_i), [i, j, k] in the order of rows; A → B has [i, j];
a word has [i]. A node draws a chain, and the symbol at its end its children: two distributions, two *draws*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..grammar import Floats, Integers, PCFGGrammar

NONE = -1
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Productions:
    """Chains, then rules, then last children, then words; `draw` says with which of them each one competes."""

    unit: Integers
    """Of the left-hand side."""
    left: Integers
    """The units of the children, NONE where there is none."""
    right: Integers
    draw: Integers
    diagonal: NDArray[np.bool_]
    """A node without a chain keeps its subsymbol: only [i, i] is not 0."""
    fixed: NDArray[np.bool_]
    """Of each unit: it is not split. The root is not."""
    sizes: Integers
    """Subsymbols of each unit."""
    values: Floats

    @property
    def starts(self) -> Places:
        """Where the tensor of each production begins, and the end of the last one."""
        wide = np.append(self.sizes, 1).astype(np.int64)  # NONE has one subsymbol
        places = np.zeros(len(self.unit) + 1, np.int64)
        np.cumsum(wide[self.unit] * wide[self.left] * wide[self.right], out=places[1:])
        return places

    def with_values(self, values: Floats) -> Productions:
        return replace(self, values=values)


def unsplit(grammar: PCFGGrammar, word_tags: Integers, words: Floats, tags: Integers) -> Productions:
    """The productions of a grammar whose units have one subsymbol each.

    `tags` is the tag of each preterminal, `word_tags` and `words` are the tag and p(word | tag) of each lexeme.
    Units are the tags, then the nodes, then the states.
    """
    units = unit_of(grammar, tags)
    count = int(units.max()) + 1
    top, bottom = units[grammar.chain_top], units[grammar.chain_bottom]
    rule_unit = units[grammar.rule_left]
    left, right = units[grammar.pair_left], units[grammar.symbols + grammar.pair_right]
    last_unit, last_child = units[grammar.symbols + grammar.last_state], units[grammar.last_symbol]
    none = np.full(len(top) + len(last_unit) + 2 * len(words), NONE, np.int32)
    draws = [top, count + rule_unit, count + last_unit, count + word_tags]
    fixed = np.zeros(count, bool)
    fixed[units[grammar.root]] = True
    return Productions(
        np.concatenate([top, rule_unit, last_unit, word_tags]).astype(np.int32),
        np.concatenate([bottom, left[grammar.rule_pair], last_child, none[: len(words)]]).astype(np.int32),
        np.concatenate([none[: len(top)], right[grammar.rule_pair], none[: len(last_unit)], none[: len(words)]]).astype(
            np.int32
        ),
        np.concatenate(draws).astype(np.int32),
        np.concatenate(
            [[not path for path in grammar.chain_paths], np.zeros(len(rule_unit) + len(last_unit) + len(words), bool)]
        ).astype(bool),
        fixed,
        np.ones(count, np.int32),
        np.concatenate([np.exp(grammar.chain_score), np.exp(grammar.rule_score), np.exp(grammar.last_score), words]),
    )


def unit_of(grammar: PCFGGrammar, tags: Integers) -> Integers:
    """The unit of each symbol and then of each state."""
    first = int(tags.max()) + 1
    others = np.arange(grammar.symbols - grammar.preterminals + grammar.states, dtype=np.int32)
    return np.concatenate([tags, first + others]).astype(np.int32)
