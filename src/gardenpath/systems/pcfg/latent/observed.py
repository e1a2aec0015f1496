"""Trees as derivations of a grammar: which production stands at each node, the children before their mothers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ....phrase.tree import ROOT, PhraseTree
from ..counts import VIRTUAL_ROOT, Annotation, Child
from ..estimate import Estimator
from ..grammar import Integers, PCFGGrammar

NONE = -1


class Step(NamedTuple):
    """A production and the steps that made its children; NONE where there is none. A word has its position as its
    production, and a preterminal as its symbol."""

    kind: str
    production: int
    left: int = NONE
    right: int = NONE


@dataclass
class Derivations:
    """Finds the derivation of a tree in the grammar that an estimator made of it and of others."""

    estimator: Estimator
    grammar: PCFGGrammar

    def __post_init__(self) -> None:
        grammar = self.grammar
        tops, rules = grammar.chain_top.tolist(), grammar.rule_pair.tolist()
        pairs = list(zip(grammar.pair_left.tolist(), grammar.pair_right.tolist(), strict=True))
        self.chains = {(top, path): at for at, (top, path) in enumerate(zip(tops, grammar.chain_paths, strict=True))}
        self.rules = {
            (left, *pairs[pair]): at
            for at, (left, pair) in enumerate(zip(grammar.rule_left.tolist(), rules, strict=True))
        }
        lasts = zip(grammar.last_state.tolist(), grammar.last_symbol.tolist(), strict=True)
        self.lasts = {key: at for at, key in enumerate(lasts)}

    def of(self, tree: PhraseTree) -> list[Step] | None:
        """The steps of a tree, the root last; None where the grammar left out a chain of it."""
        steps: list[Step] = []
        try:
            self._whole(tree, Annotation(VIRTUAL_ROOT, "", ()), ROOT, steps)
        except (KeyError, RecursionError):
            return None
        return steps

    def _whole(self, tree: PhraseTree, node: Annotation, number: int, steps: list[Step]) -> int:
        """Steps of a node with the chain below it; trees are no deeper than Python's stack."""
        numbers, counts = self.estimator.numbers, self.estimator.counts
        top, path = numbers[False, node], list[int]()
        children = tree.children[number]
        while len(children) == 1:
            child = counts.child(tree, children[0])
            path.append(self._symbol(node, child))
            if child.token:
                below = self._word(children[0], path[-1], steps)
                return self._add(steps, Step("chain", self.chains[top, tuple(path)], below))
            node = self.estimator.below(node, child)
            children = tree.children[children[0]]
        below = self._children(tree, node, children, steps)
        return self._add(steps, Step("chain", self.chains[top, tuple(path)], below))

    def _children(self, tree: PhraseTree, node: Annotation, numbers: Sequence[int], steps: list[Step]) -> int:
        """Steps of two or more children: a rule of the node, rules of states, and a last child, from the right on."""
        counts, estimator = self.estimator.counts, self.estimator
        grammar, states = self.grammar, estimator.tables.states
        lefts, symbols = [estimator.numbers[False, node]], list[int]()
        context, owner = counts.begin(node), node
        made = []
        for place, number in enumerate(numbers):
            child = counts.child(tree, number)
            symbols.append(self._symbol(owner, child))
            made.append(
                self._word(number, symbols[-1], steps)
                if child.token
                else self._whole(tree, estimator.below(owner, child), number, steps)
            )
            if place < len(numbers) - 1:
                known = estimator.known(counts.after(context, child))
                assert known is not None
                context, owner = known, known.node
                lefts.append(grammar.symbols + states[known])
        last = self.lasts[lefts[-1] - grammar.symbols, symbols[-1]]
        rest = self._add(steps, Step("last", last, made[-1]))
        for place in range(len(numbers) - 2, -1, -1):
            rule = self.rules[lefts[place], symbols[place], lefts[place + 1] - grammar.symbols]
            rest = self._add(steps, Step("rule", rule, made[place], rest))
        return rest

    def _symbol(self, node: Annotation, child: Child) -> int:
        if child.token:
            return self.estimator.numbers[True, Annotation(child.label, child.function, ())]
        return self.estimator.numbers[False, self.estimator.below(node, child)]

    def _word(self, place: int, symbol: int, steps: list[Step]) -> int:
        return self._add(steps, Step("word", place, symbol))

    def _add(self, steps: list[Step], step: Step) -> int:
        steps.append(step)
        return len(steps) - 1


@dataclass(frozen=True)
class Observed:
    """All derivations in columns: of each step its production and the steps of its children."""

    production: Integers
    left: Integers
    right: Integers
    ends: Integers
    """Behind the last step of each tree, which is its root."""


def flattened(derivations: Sequence[Sequence[tuple[int, int, int]]]) -> Observed:
    """Derivations of (production, left, right), numbered within each, one after the other."""
    rows = np.array([step for steps in derivations for step in steps], np.int32).reshape(-1, 3)
    sizes = np.array([len(steps) for steps in derivations], np.int32)
    shift = np.repeat(np.cumsum(sizes) - sizes, sizes)
    left, right = (np.where(rows[:, at] == NONE, NONE, rows[:, at] + shift).astype(np.int32) for at in (1, 2))
    return Observed(rows[:, 0].copy(), left, right, np.cumsum(sizes).astype(np.int32))
