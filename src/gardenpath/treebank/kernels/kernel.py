"""Partial tree, subset tree and subtree kernels, and their Gram matrices over many trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from functools import cached_property
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from ...errors import UsageError, unknown_name
from .alike import LARGEST, Alike, Deltas, Floats, closure
from .gram import Gram, collected, empty_matrix, joined
from .partial import partial_deltas
from .sharing import Forest, Ints
from .subset import inner_nodes, productions, subset_deltas

KINDS = ("partial", "subset", "subtree")
WEIGHTS = ("span", "gaps")
PAIRS = 1 << 20
"""Pairs of subtrees (and of their children) that are held at a time; one tree against all others is the least."""
COMPILED_FROM, COMPILED_TO = 1 << 13, 1 << 23
"""Pairs of subtrees with one label from which on Numba pays for its start, and which it can hold (64 MB)."""


class Numbers(NamedTuple):
    """The parameters in a type without bounds: whole numbers, or decimals."""

    decay: Any
    mu: Any
    carry: Any


@dataclass(frozen=True)
class TreeKernel:
    """K(a, b): the weighted number of fragments that two trees share, Σ Δ(u, v) over all pairs of their nodes.

    - `partial` (PTK, Moschitti 2006, Equation 3): Δ = μ (λ² + Σ λ^(d(I) + d(J)) Π Δ) over common subsequences I, J of
      children; Δ = μ λ² if one of the nodes has none. d is last minus first position; with `weight="gaps"` the
      positions skipped, as Moschitti's own program and UDon2 have it. Both are the same for λ = 1.
    - `subset` (SST): Δ = λ Π (1 + Δ) for the same production. `subtree` (ST): whole subtrees, λ^(inner nodes).

    λ is `decay`. With λ = μ = 1 values are counts, and exact whole numbers however large; without `whole` they are
    floating point there too, which is enough for normalised values and needs no numbers of hundreds of digits.
    """

    kind: str = "partial"
    decay: float = 1
    mu: float = 1
    weight: str = "span"
    whole: bool = True

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("tree kernel", self.kind, KINDS)
        if self.weight not in WEIGHTS:
            raise unknown_name("weight of subsequences", self.weight, WEIGHTS)
        for name, value in (("decay", self.decay), ("mu", self.mu)):
            if not 0 < value <= 1:
                raise UsageError(f"{name} is {value}: it must be above 0 and at most 1")
        if self.kind != "partial" and self.mu != 1:
            raise UsageError(f"mu is of the partial tree kernel alone, not of {self.kind}")

    @property
    def exact(self) -> bool:
        """Are the values whole numbers?"""
        return self.whole and self.decay == self.mu == 1

    @property
    def limit(self) -> float:
        """From here on floating point does not do: it would round, or, with decay, overflow."""
        return LARGEST if self.exact else np.inf

    @property
    def carry(self) -> float:
        """What a step to the next child costs beside the positions it skips."""
        return self.decay**2 if self.weight == "span" else 1.0

    @cached_property
    def numbers(self) -> Numbers:
        if self.exact:
            return Numbers(1, 1, 1)
        decay = Decimal(self.decay)
        return Numbers(decay, Decimal(self.mu), decay**2 if self.weight == "span" else Decimal(1))

    def gram(self, forest: Forest, *, pairs: int = PAIRS) -> Gram:
        """K of all pairs of trees. Equal subtrees are compared once, or once per block if memory asks for blocks.

        A block is some trees against all trees that follow. It holds at most about `pairs` pairs of subtrees, or
        those of one tree: memory grows with the number of different subtrees, not with its square.
        """
        roots, which = forest.different
        if self.kind == "subtree":
            return Gram(self._subtrees(forest), which, self.exact)
        if (quick := self._compiled(forest)) is not None:
            return Gram(quick, which, exact=False)
        classes = forest.labels if self.kind == "partial" else productions(forest)
        deltas: Callable[[Forest, Alike, TreeKernel], Deltas]
        deltas = partial_deltas if self.kind == "partial" else subset_deltas
        matrix = empty_matrix(len(roots), self.exact)
        with localcontext(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN):
            for first, last in _blocks(forest, classes, pairs):
                trees = np.arange(first, len(roots))
                alike = Alike(classes, closure(forest, trees[: last - first]), closure(forest, trees))
                part = collected(forest, deltas(forest, alike, self), first, last)
                matrix = joined(matrix, part, first, last)
        return Gram(matrix, which, self.exact)

    def _compiled(self, forest: Forest) -> Floats | None:
        """The partial kernel in floating point by Numba: if it is installed, pays, and nothing overflows."""
        if self.kind != "partial" or self.exact:
            return None
        alike = int((np.bincount(forest.labels).astype(np.int64) ** 2).sum())
        if not COMPILED_FROM <= alike <= COMPILED_TO or find_spec("numba") is None:
            return None
        from .compiled import partial_matrix

        every = np.arange(forest.subtrees)
        matrix = partial_matrix(forest, Alike(forest.labels, every, every), self.decay, self.mu, self.carry)
        return matrix if np.isfinite(matrix).all() else None

    def value(self, forest: Forest, a: int, b: int) -> Any:
        """K of two trees; for many, `gram` is faster."""
        return self.gram(forest).values[a, b]

    def _subtrees(self, forest: Forest) -> Any:
        """Only equal subtrees share anything: a product of counts."""
        tree, node, times = forest.counts
        size = inner_nodes(forest)
        matrix = empty_matrix(len(forest.different[0]), self.exact)
        weights = [0 if not n else 1 if self.exact else self.decay**n for n in size.tolist()]
        order = np.argsort(node, kind="stable")
        bounds = np.searchsorted(node[order], np.arange(forest.subtrees + 1)).tolist()
        for number, weight in enumerate(weights):
            if weight:
                some = order[bounds[number] : bounds[number + 1]]
                matrix[np.ix_(tree[some], tree[some])] += weight * np.outer(times[some], times[some])
        return matrix


def _blocks(forest: Forest, classes: Ints, pairs: int) -> Iterator[tuple[int, int]]:
    """Runs of different trees whose subtrees, each against all alike, are not too many."""
    labels, above, below = forest.labels, forest.parents, forest.children
    cost = np.bincount(classes)[classes]
    _, kinds, sizes = np.unique(
        classes[above] * (int(labels.max(initial=0)) + 1) + labels[below], return_inverse=True, return_counts=True
    )
    cost = cost + np.bincount(above, weights=sizes[kinds], minlength=forest.subtrees).astype(np.int64)
    tree, node, _ = forest.counts
    count = len(forest.different[0])
    if not count:
        return
    most = max(1, 4 * pairs // max(1, forest.subtrees))  # rows of a matrix with a column for each subtree
    if int(cost.sum()) <= pairs and count <= most:
        yield 0, count
        return
    costs = np.bincount(tree, weights=cost[node], minlength=count) + len(node)
    first, total = 0, 0.0
    for number, own_cost in enumerate(costs.tolist()):
        if number > first and (total + own_cost > pairs or number - first >= most):
            yield first, number
            first, total = number, 0.0
        total += own_cost
    yield first, count
