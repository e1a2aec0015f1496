"""What became of the predictions: does each hold for each item, how far are the two sides apart, is it a tie?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...suites.regions.formula import Arithmetic, Atom, Comparison, Formula, Number, comparisons_of
from ...suites.regions.model import RegionSuite
from .regions import LENGTHS, Bools, Floats, RegionSurprisals

RELATIVE, ABSOLUTE = 1e-5, 1e-3
"""How far the two sides of `=` may be apart."""
SAME = 1e-9
"""Bits that adding up in another order may leave between two sides that are the same."""


@dataclass(frozen=True, eq=False)
class SuiteOutcome:
    """One suite by one seed. Arrays are items × predictions, differences items × comparisons."""

    holds: Floats
    """1, 0, or what a tie is worth; 0 of an item that failed."""
    ties: Bools
    """A comparison with < or > whose sides are the same."""
    differences: Floats
    """Greater side minus lesser side, as predicted: positive where the prediction holds; NaN of a failed item."""
    normalised: Mapping[str, Floats]
    """For pairs of sentences: `holds` with surprisal per token, per character, per byte."""
    oov: Bools | None
    failed: Bools
    """Items that could not be judged."""


def suite_outcome(suite: RegionSuite, values: RegionSurprisals, ties: str = "half", seed: int = 0) -> SuiteOutcome:
    """The predictions of a suite on the surprisals of its regions."""
    holds, tied, differences = _judge(suite, values.of, ties, seed)
    normalised = {}
    for kind in LENGTHS if values.lengths else ():
        shares = {key: value / values.lengths[kind][key[1]] for key, value in values.of.items()}
        normalised[kind] = _judge(suite, shares, ties, seed)[0]
    failed = np.zeros(len(suite.items), dtype=bool)
    failed[list(values.failures)] = True
    return SuiteOutcome(holds, tied, differences, normalised, values.oov, failed)


def _judge(
    suite: RegionSuite, of: Mapping[tuple[int, str], Floats], ties: str, seed: int
) -> tuple[Floats, Bools, Floats]:
    coin = np.random.default_rng([seed, *suite.title.encode("utf-8")])
    count = len(suite.items)
    holds, tied, differences = [], [], []
    for prediction in suite.predictions:
        sides = [(_value(one.left, of, count), _value(one.right, of, count)) for one in comparisons_of(prediction.tree)]
        signs = [one.sign for one in comparisons_of(prediction.tree)]
        equal = [_ties(sign, *pair) for sign, pair in zip(signs, sides, strict=True)]
        chances = iter([_chance(sign, *pair, ties, coin) for sign, pair in zip(signs, sides, strict=True)])
        holds.append(_truth(prediction.tree, chances))
        tied.append(np.any(equal, axis=0))
        differences += [
            right - left if sign == "<" else left - right for sign, (left, right) in zip(signs, sides, strict=True)
        ]
    return np.stack(holds, axis=1), np.stack(tied, axis=1), np.stack(differences, axis=1)


def _value(node: Arithmetic, of: Mapping[tuple[int, str], Floats], count: int) -> Floats:
    if isinstance(node, Atom):
        return of[node.region, node.condition]
    if isinstance(node, Number):
        return np.full(count, node.value)
    left, right = _value(node.left, of, count), _value(node.right, of, count)
    return left + right if node.sign == "+" else left - right


def _ties(sign: str, left: Floats, right: Floats) -> NDArray[np.bool_]:
    """Sides of < and > that differ by no more than rounding does."""
    return np.zeros(len(left), dtype=bool) if sign == "=" else np.abs(left - right) < SAME


def _chance(sign: str, left: Floats, right: Floats, ties: str, coin: np.random.Generator) -> Floats:
    """How sure it is that the comparison holds: 0 or 1, and half where a coin would decide."""
    if sign == "=":
        return (np.abs(left - right) <= ABSOLUTE + RELATIVE * np.abs(right)).astype(np.float64)
    holds = (left < right if sign == "<" else left > right).astype(np.float64)
    same = _ties(sign, left, right)
    holds[same] = 0.0
    if ties == "half":
        holds[same] = 0.5
    elif ties == "coin":
        holds[same] = coin.integers(0, 2, size=int(same.sum()))
    return holds


def _truth(node: Formula, chances: Iterator[Floats]) -> Floats:
    """Both sides of & must hold, one of |; a tie is a coin flip of its own for each comparison."""
    if isinstance(node, Comparison):
        return next(chances)
    left = _truth(node.left, chances)
    right = _truth(node.right, chances)
    return left * right if node.sign == "&" else 1 - (1 - left) * (1 - right)


def chance_of(suite: RegionSuite) -> float:
    """The accuracy of a model for which every comparison is a coin flip of its own; sides are never equal by chance."""
    values = []
    for prediction in suite.predictions:
        coins = [np.full(1, 0.0 if comparison.sign == "=" else 0.5) for comparison in comparisons_of(prediction.tree)]
        values.append(float(_truth(prediction.tree, iter(coins))[0]))
    return sum(values) / len(values)


def comparison_names(suite: RegionSuite) -> list[tuple[int, int, bool]]:
    """(prediction, comparison, is it one with < or >) of every column of `differences`, from 1."""
    return [
        (number, place, comparison.sign != "=")
        for number, prediction in enumerate(suite.predictions, 1)
        for place, comparison in enumerate(comparisons_of(prediction.tree), 1)
    ]
