"""How often a prediction holds by chance: for a model to which all conditions are the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from ...suites.regions.formula import Arithmetic, Atom, Comparison, Formula, Number, comparisons_of

_MOST = 7
"""Sides of comparisons whose orders are gone through: 5,040."""

Terms = dict[Atom | None, float]
"""How often each region is added; the sum of numbers is under None."""


def chance_of(formula: Formula) -> float | None:
    """The probability that the formula holds if the surprisals of all regions are drawn from one distribution.

    A comparison holds in half of the cases if its difference is as likely to be above zero as below. Several are
    counted out over all orders of their sides, where these are sums of the same form and share no region. None: the
    probability depends on the distribution.
    """
    comparisons = list(comparisons_of(formula))
    sides = [_terms(side) for comparison in comparisons for side in (comparison.left, comparison.right)]
    if any(comparison.sign == "=" for comparison in comparisons) or any(side.pop(None, 0) for side in sides):
        return None
    if len(comparisons) == 1:
        left, right = sides
        factors = [left.get(atom, 0) - right.get(atom, 0) for atom in {**left, **right}]
        return 0.5 if any(factors) and sorted(factors) == sorted(-factor for factor in factors) else None
    names = [frozenset(side.items()) for side in sides]
    kinds = list(dict.fromkeys(names))
    atoms = [atom for kind in kinds for atom, _ in kind]
    forms = {tuple(sorted(factor for _, factor in kind)) for kind in kinds}
    if len(forms) > 1 or len(set(atoms)) < len(atoms) or len(kinds) > _MOST:
        return None
    orders = [dict(zip(kinds, ranks, strict=True)) for ranks in permutations(range(len(kinds)))]
    return sum(_holds(formula, iter([order[name] for name in names])) for order in orders) / len(orders)


def _terms(node: Arithmetic) -> Terms:
    if not isinstance(node, Atom | Number):
        terms, sign = _terms(node.left), 1 if node.sign == "+" else -1
        for atom, factor in _terms(node.right).items():
            terms[atom] = terms.get(atom, 0) + sign * factor
        return terms
    return {node: 1} if isinstance(node, Atom) else {None: node.value}


def _holds(formula: Formula, ranks: Iterator[int]) -> bool:
    """Does it hold, given the rank of each side of each comparison, from left to right?"""
    if isinstance(formula, Comparison):
        left, right = next(ranks), next(ranks)
        return left < right if formula.sign == "<" else left > right
    first, second = _holds(formula.left, ranks), _holds(formula.right, ranks)
    return (first and second) if formula.sign == "&" else (first or second)
