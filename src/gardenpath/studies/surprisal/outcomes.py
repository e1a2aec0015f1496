"""Whether predictions hold, item by item, by how much, and how often by chance; as observations and as curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...boundary.structured import read_object
from ...boundary.texts import file_bytes, reading
from ...runs.result.encoding import to_text
from ...runs.result.observations import Observations
from ...runs.result.result import Finding, Value
from ...stats.sampling import Clusters, Difference, SeedSpread, spread_of
from ...suites.regions.formula import Arithmetic, Atom, Comparison, Formula, Number, comparisons_of
from ...suites.regions.hierarchy import item_clusters
from ...suites.regions.model import RegionSuite
from .asking import LENGTHS, OTHER, AskedSuite, Bools, Floats, RegionSurprisals, ScoredSentence
from .declaration import STEP, STUDY

if TYPE_CHECKING:
    from .study import JudgedSurprisal


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


def suite_chance(suite: RegionSuite) -> float:
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


_MOST = 7
"""Sides of comparisons whose orders are gone through: 5,040."""

Terms = dict[Atom | None, float]
"""How often each region is added; the sum of numbers is under None."""


def formula_chance(formula: Formula) -> float | None:
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


_NOTHING = 1e-9
"""A spread in bits that rounding alone leaves."""


@dataclass(frozen=True, slots=True)
class SurprisalDifference:
    """The mean with its test against 0, which is None where all items are the same, or are one cluster."""

    mean: float | None
    """None where there is no item."""
    n: int
    test: Difference | None = None
    t: float | None = None

    @property
    def p(self) -> float | None:
        return None if self.test is None else self.test.p

    def findings(self, head: tuple[str, str, str], measure: str, by: Mapping[str, Value]) -> Iterator[Finding]:
        """Yield the mean with its interval, and its p; `head` is study, suite and system."""
        low, high = (None, None) if self.test is None else (self.test.low, self.test.high)
        yield Finding(*head, measure, self.mean, self.n, low, high, by)
        if self.test is not None:
            p, effective = self.test.p, self.test.effective
            yield Finding(*head, f"{measure}_p", p, self.test.clusters, by=by, effective=effective)


def mean_difference(
    values: Floats, clusters: Clusters | None = None, by_seed: Floats | None = None
) -> SurprisalDifference:
    """Return the mean with a t-test over items, as in the paper's Figure 4; items without a value are left out.

    With clusters, over these; `by_seed` (seeds × items) has the value of each seed, for the variance between seeds. An
    item without a value for some seed does not count in that variance.
    """
    there = ~np.isnan(values)
    kept, n = values[there], int(there.sum())
    value = float(kept.mean()) if n else None
    if value is None or n < 2 or float(kept.std(ddof=1)) < _NOTHING:
        return SurprisalDifference(value, n)
    groups = Clusters.independent(n) if clusters is None else clusters.at(there)
    spread = spread_of(value, (kept - value) / n, np.full(n, 1 / n), groups)
    if by_seed is not None:
        spread = spread.plus(SeedSpread.of(by_seed[:, ~np.isnan(by_seed).any(axis=0)]))
    if not spread.error > 0:  # one cluster
        return SurprisalDifference(value, n)
    return SurprisalDifference(value, n, spread.difference(), value / spread.error)


PROPERTIES = ("class", "modifier", "kind", "complexity")


def observations(judged: JudgedSurprisal, independent: bool = False, coin: bool = False) -> Observations:
    """One row per item, prediction, system and seed: does it hold (`value`), and by how many bits (`difference`)?

    The difference is empty for predictions with more than one comparison, and for items that failed. `weight` makes
    every suite count alike, as the study's scores do; `cluster` is what an item was sampled in; a checkpoint has its
    `step`. With `coin` ties have been decided and are right or wrong.
    """
    codes = item_clusters(judged.suites, independent).codes[0]
    clusters = dict(zip([id(item) for suite in judged.suites for item in suite.items], codes.tolist(), strict=True))
    parts = []
    for system, by_suite in judged.outcomes.items():
        step = judged.answers[system].step
        for suite, outcomes in zip(judged.suites, by_suite, strict=True):
            names = comparison_names(suite)
            single = {
                number: at
                for at, (number, _, directed) in enumerate(names)
                if directed and sum(name[0] == number for name in names) == 1
            }
            for seed, outcome in zip(judged.seeds[system], outcomes, strict=True):
                for number, prediction in enumerate(suite.predictions, 1):
                    holds, ties = outcome.holds[:, number - 1], outcome.ties[:, number - 1]
                    words = np.where(ties & (not coin), "tie", np.where(holds == 1, "right", "wrong"))
                    words = np.where(outcome.failed, "failed", words)
                    columns: dict[str, Any] = {
                        "study": STUDY, "suite": suite.title, "item": [item.id for item in suite.items],
                        "condition": " ".join(prediction.formula.split()), "system": system, "seed": seed,
                        "cluster": [clusters[id(item)] for item in suite.items],
                        "unit": f"prediction {number}", "outcome": words.tolist(), "value": holds.tolist(),
                        "weight": 1 / (len(suite.items) * len(suite.predictions)),
                        **{key: suite.property_of(key) or None for key in PROPERTIES},
                        "difference": _present(outcome.differences[:, single[number]]) if number in single else None,
                        **({} if step is None else {STEP: step}),
                        "oov": None if outcome.oov is None else outcome.oov.tolist(),
                    }  # fmt: skip
                    parts.append(Observations(columns))
    return Observations.joined(parts)


def _present(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]


SURPRISALS = "surprisals.jsonl"
"""The name of the file in the folder of a run."""
_DIGITS = 3


@dataclass(frozen=True)
class Curves:
    """One item. `conditions` are (name, words, the region of each word); bits are by system and condition.

    A word that the model did not see as such (other text) has no bits.
    """

    suite: str
    item: str
    joiner: str
    regions: Mapping[int, str]
    asked: tuple[tuple[int, str], ...]
    """(region, condition) that the predictions speak of; region 0 is the whole sentence."""
    conditions: tuple[tuple[str, tuple[str, ...], tuple[int, ...]], ...]
    bits: Mapping[str, tuple[tuple[float | None, ...], ...]]


def word_bits(asked: AskedSuite, sentences: Sequence[ScoredSentence]) -> list[Floats]:
    """The bits of each word of each sentence: the sum over its tokens; NaN for a word that was not seen or scored."""
    by_sentence = []
    for words, sentence in zip(asked.sentences, sentences, strict=True):
        if sentence.failure is not None:
            by_sentence.append(np.full(len(words), np.nan))
            continue
        there = sentence.fit.word_of != OTHER
        word_of = sentence.fit.word_of[there]
        bits = np.bincount(word_of, sentence.surprisals[there], minlength=len(words)).astype(np.float64)
        bits[np.bincount(word_of, minlength=len(words)) == 0] = np.nan
        bits[list(sentence.fit.broken)] = np.nan
        by_sentence.append(bits)
    return by_sentence


def attached(judged: JudgedSurprisal) -> bytes:
    """The file: one item a line, bits to three digits, mean over the seeds of a system."""
    lines, by_system = [], judged.bits
    for number, asked in enumerate(judged.asked):
        names = {str(region): name for region, name in asked.suite.region_names.items()}
        head: dict[str, Any] = {"suite": asked.suite.title, "joiner": asked.suite.joiner, "regions": names}
        head["asked"] = sorted([region, name] for region, name in asked.suite.asked)
        rows: dict[int, list[int]] = {}
        for row, (item, _) in enumerate(asked.order):
            rows.setdefault(id(item), []).append(row)
        for item in asked.suite.items:
            own = rows[id(item)]
            conditions = [[asked.order[row][1].name, asked.sentences[row], _regions(asked.cut[row])] for row in own]
            bits = {name: [_rounded(by_suite[number][row]) for row in own] for name, by_suite in by_system.items()}
            value = {**head, "item": item.id, "conditions": conditions, "bits": bits}
            lines.append(to_text(value).encode("utf-8") + b"\n")
    return b"".join(lines)


def read_curves(path: str | PathLike[str]) -> Iterator[Curves]:
    """The items of a file, checked: as many regions and bits as words."""
    place = Path(path)
    for number, line in enumerate(file_bytes(place).split(b"\n"), 1):
        if not line.strip():
            continue
        where, todo = f"{place}:{number}", "make the run again"
        with reading("these are not surprisals", where, todo):
            curves = _curves(read_object(line, where, "these are not surprisals: the line", todo))
        yield curves


def _curves(value: dict[str, Any]) -> Curves:
    conditions = tuple(
        (str(name), tuple(map(str, words)), tuple(map(int, regions))) for name, words, regions in value["conditions"]
    )
    bits = {
        str(system): tuple(tuple(None if one is None else float(one) for one in row) for row in rows)
        for system, rows in value["bits"].items()
    }
    lengths = [len(words) for _, words, _ in conditions]
    rows = [[len(regions) for _, _, regions in conditions], *([len(row) for row in by] for by in bits.values())]
    if any(row != lengths for row in rows):
        raise ValueError("not as many numbers as words")
    return Curves(
        str(value["suite"]), str(value["item"]), str(value["joiner"]),
        {int(region): str(name) for region, name in value["regions"].items()},
        tuple((int(region), str(name)) for region, name in value["asked"]), conditions, bits,
    )  # fmt: skip


def _regions(cut: Mapping[int, Sequence[str]]) -> list[int]:
    return [region for region, words in cut.items() for _ in words]


def _rounded(bits: Floats) -> list[float | None]:
    return [None if np.isnan(bit) or np.isinf(bit) else round(float(bit), _DIGITS) for bit in bits]
