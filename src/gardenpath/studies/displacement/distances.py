"""How far test is from training data, how far chance alone would put it, with intervals, from counts per sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...stats.distributions import drawn_sums, percentile_interval, wasserstein, wasserstein_of_heights
from ...stats.sampling import cluster_sums
from ...treebank.format.treebank import Treebank
from ...treebank.split.deal import DocumentDeal
from ...treebank.trees.displacement import LIMIT, dependency_lengths
from ...treebank.trees.measures import Variant, morphological_complexity
from ...treebank.trees.tree import crossings, possible_crossings, tree_mask

Ints = NDArray[Any]
Floats = NDArray[np.float64]

DEPENDENCY_LENGTHS = (
    "dependency_length", "dependency_length_random", "dependency_length_random_projective",
    "dependency_length_best_projective", "dependency_length_best",
)  # fmt: skip
"""As it is; in any order by chance, in a projective one; in the best projective order, and in the best of all."""
CLASSES = 2 * LIMIT + 1
"""Displacements from -30 to 30."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The sentences of a train or test file, as numbers."""

    name: str
    edges: NDArray[np.int32]
    """(sentences × 61): how often each displacement occurs."""
    lengths: Ints
    """Words per sentence."""
    med: Floats
    """Mean edge displacement per sentence (Equation 3); NaN where a sentence has no edge."""
    outside: int
    """Edges longer than 30 words, which no distance counts."""
    documents: Ints | None = None
    """The document of each sentence; None where documents are not known."""

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def tokens(self) -> int:
        return int(self.lengths.sum())

    @property
    def histogram(self) -> Ints:
        total: Ints = self.edges.sum(axis=0, dtype=np.int64)
        return total

    def where(self, chosen: NDArray[Any]) -> Sample:
        """Some of the sentences, by mask or by number."""
        documents = None if self.documents is None else self.documents[chosen]
        return Sample(self.name, self.edges[chosen], self.lengths[chosen], self.med[chosen], 0, documents)


def sample(treebank: Treebank, name: str = "", documents: Ints | None = None) -> Sample:
    """The counts of a treebank; with fewer than two sentences or without any edge there is nothing to compare."""
    called = name or treebank.name
    if len(treebank) < 2:
        raise InputError(
            "one sentence is not a sample of a language", where=called, todo="train and test need two sentences or more"
        )
    displaced = treebank.ids.astype(np.int64) - treebank.heads
    is_edge = treebank.heads > 0
    kept = is_edge & (np.abs(displaced) <= LIMIT)
    if not kept.any():
        what = "no edge, so no distribution of displacements"
        raise InputError(what, where=called, todo=_why_no_edge(treebank, int(is_edge.sum())))
    cells = treebank.sentence_of[kept].astype(np.int64) * CLASSES + displaced[kept] + LIMIT
    counts = np.bincount(cells, minlength=len(treebank) * CLASSES).reshape(-1, CLASSES).astype(np.int32)
    number = np.bincount(treebank.sentence_of[is_edge], minlength=len(treebank))
    total = np.bincount(treebank.sentence_of[is_edge], weights=displaced[is_edge], minlength=len(treebank))
    med = np.divide(total, number, out=np.full(len(treebank), np.nan), where=number > 0)
    return Sample(called, counts, np.asarray(treebank.lengths), med, int(is_edge.sum() - kept.sum()), documents)


def _why_no_edge(treebank: Treebank, edges: int) -> str:
    if edges:
        return f"all {edges} edges are longer than {LIMIT} words"
    if (treebank.heads == 0).any():
        return "every word is a root: sentences of two words and more are needed"
    return "the column HEAD is empty: parse or annotate the sentences first"


def side_measures(treebank: Treebank, counts: Sample, variant: Variant = "text") -> dict[str, float | int | None]:
    """What one side is like, without the other: sizes, lengths, MED, crossings, morphology, dependency lengths."""
    morphology = morphological_complexity(treebank, variant)
    med = counts.med[~np.isnan(counts.med)]
    return {
        "sentences": len(counts),
        "tokens": counts.tokens,
        "length": counts.tokens / len(counts),
        "med": float(med.mean()),
        "med_sd": float(med.std(ddof=1)) if len(med) > 1 else None,
        "crossing_ratio": _crossing_ratio(treebank),
        "type_token_ratio": morphology.type_token_ratio,
        "morphological_complexity": morphology.complexity,
        "edges": int(counts.histogram.sum()),
        "outside": counts.outside,
        **_dependency_lengths(treebank),
    }


def _dependency_lengths(treebank: Treebank) -> dict[str, float | None]:
    """Mean length of an edge as it is and in other orders, over the trees for which all of these are known."""
    lengths = dependency_lengths(treebank.heads, treebank.offsets)
    known = ~np.isnan(lengths.best) & (lengths.edges > 0)
    edges = int(lengths.edges[known].sum())
    sums = (
        lengths.real, lengths.random, lengths.random_projective, lengths.best_projective, lengths.best,
    )  # fmt: skip
    return {
        name: float(total[known].sum() / edges) if edges else None
        for name, total in zip(DEPENDENCY_LENGTHS, sums, strict=True)
    }


def _crossing_ratio(treebank: Treebank) -> float | None:
    """C/|Q|: the mean over trees in which edges could cross (Appendix B)."""
    heads, offsets = treebank.heads, treebank.offsets
    crossed = crossings(heads, offsets)
    possible = possible_crossings(heads, offsets)
    usable = tree_mask(heads, offsets) & ~crossed.too_long & (possible > 0)
    return float((crossed.pairs[usable] / possible[usable]).mean()) if usable.any() else None


SIDE = (
    "sentences", "tokens", "length", "med", "med_sd", "crossing_ratio", "type_token_ratio",
    "morphological_complexity", "edges", "outside", *DEPENDENCY_LENGTHS,
)  # fmt: skip
"""The measures of one side, in the order in which they are shown."""


def joined(train: Mapping[str, Any], test: Mapping[str, Any]) -> dict[str, Any]:
    """`train_tokens`, `test_tokens`, …: the measures of both sides under one name each."""
    return {f"{side}_{name}": found[name] for side, found in (("train", train), ("test", test)) for name in SIDE}


Distance = Callable[[NDArray[Any], NDArray[Any]], Floats]

OF_EDGES: dict[str, Distance] = {"edv": wasserstein, "edv_heights": wasserstein_of_heights}
DISTANCES = (*OF_EDGES, "slv")
"""`edv`: Equation 2, in tokens. `edv_heights`: as published. `slv`: the same for sentence lengths, in tokens."""
QUANTILES = (0.05, 0.5, 0.95)
_ROUNDING = 1e-12
"""Distances that differ by less are equal."""


@dataclass(frozen=True, slots=True)
class Distanced:
    """A distance and its excess over the noise floor, each with its interval; None where nothing was drawn."""

    value: float
    low: float | None = None
    high: float | None = None
    excess: float | None = None
    """The value less the mean of the noise."""
    excess_low: float | None = None
    excess_high: float | None = None
    noise_mean: float | None = None
    noise_sd: float | None = None
    noise_quantiles: tuple[float, ...] = ()
    """At 5, 50 and 95 %."""
    z: float | None = None
    """Standard deviations of the noise between its mean and the value."""
    p: float | None = None
    """Two-sided, of no excess: below 0.05 exactly where the interval of the excess leaves out zero."""


def distances(
    train: Sample, test: Sample, *, draws: int = 1000, seed: int = 0, level: float = 0.95
) -> dict[str, Distanced]:
    """All distances between two samples."""
    lengths = _length_counts(train, test)
    observed = {name: float(function(train.histogram, test.histogram)) for name, function in OF_EDGES.items()}
    observed["slv"] = float(wasserstein(*lengths))
    if draws == 0:
        return {name: Distanced(value) for name, value in observed.items()}
    if train.documents is not None and test.documents is not None:
        drawn, chance = _of_documents(train, test, draws, seed)
    else:
        drawn, chance = _of_sentences(train, test, lengths, draws, seed)
    return {name: _distanced(observed[name], drawn[name], chance[name], level) for name in DISTANCES}


Drawn = dict[str, Floats]
"""A distance in each draw, by its name."""


def _of_sentences(
    train: Sample, test: Sample, lengths: tuple[Ints, Ints], draws: int, seed: int
) -> tuple[Drawn, Drawn]:
    """Over bootstrap samples, and over random splits."""
    seeds = np.random.SeedSequence(seed).generate_state(6)
    resampled = [drawn_sums(one.edges, draws, int(own)) for one, own in zip((train, test), seeds, strict=False)]
    drawn = {name: function(*resampled) for name, function in OF_EDGES.items()}
    drawn["slv"] = wasserstein(*_drawn_lengths(lengths, draws, int(seeds[2])))
    split = _random_splits(train, test, draws, int(seeds[3]))
    chance = {name: function(*split) for name, function in OF_EDGES.items()}
    chance["slv"] = wasserstein(*_split_lengths(lengths, draws, int(seeds[4])))
    return drawn, chance


def _of_documents(train: Sample, test: Sample, draws: int, seed: int) -> tuple[Drawn, Drawn]:
    """The same with whole documents, dealt out at random so that both sides keep their sizes.

    A side of one document says nothing about others, so nothing is drawn from it and there is no interval.
    counts: (documents × (61 + lengths)) displacements, then sentence lengths.
    """
    longest = int(max(train.lengths.max(), test.lengths.max())) + 1
    counts, sentences = list[Ints](), list[Ints]()
    for side in (train, test):
        lengths = np.zeros((len(side), longest), dtype=np.int64)
        lengths[np.arange(len(side)), side.lengths] = 1
        _, codes = np.unique(np.asarray(side.documents), return_inverse=True)
        counts.append(cluster_sums(np.concatenate([side.edges, lengths], axis=1), codes))
        sentences.append(np.bincount(codes))
    seeds = np.random.SeedSequence(seed).generate_state(3)
    if min(map(len, counts)) > 1:
        resampled = [drawn_sums(side, draws, int(own)) for side, own in zip(counts, seeds, strict=False)]
    else:
        resampled = [side.sum(axis=0, keepdims=True) for side in counts]
    together = np.concatenate(counts)
    is_test = _dealt(sentences, draws, int(seeds[2]))
    tests = is_test @ together
    return _all_distances(*resampled), _all_distances(together.sum(axis=0) - tests, tests)


def _dealt(sentences: list[Ints], draws: int, seed: int) -> Floats:
    """(draws × documents): which documents are test in deals by chance; the one there is where no other is found."""
    train, test = (int(side.sum()) for side in sentences)
    shares = {"train": train / (train + test), "test": test / (train + test)}
    deal = DocumentDeal.of(np.concatenate(sentences), shares)
    try:
        part_of = deal.random(draws, np.random.default_rng(seed))
    except InputError:  # no way to meet the sizes was found
        part_of = np.repeat([0, 1], [len(side) for side in sentences])[None]
    return np.asarray(part_of == 1, dtype=np.float64)


def _all_distances(train: Floats, test: Floats) -> Drawn:
    """Of counts of displacements with counts of lengths behind them."""
    of_edges = {name: function(train[:, :CLASSES], test[:, :CLASSES]) for name, function in OF_EDGES.items()}
    return {**of_edges, "slv": wasserstein(train[:, CLASSES:], test[:, CLASSES:])}


def _distanced(value: float, drawn: Floats, chance: Floats, level: float) -> Distanced:
    """The raw interval is the bootstrap's spread about the value: the draws themselves lie above it."""
    spread, noise = (np.sort(draws[~np.isnan(draws)]) for draws in (drawn, chance))
    spread, mean = spread - spread.mean(), float(noise.mean())
    below, above = percentile_interval(spread, level)
    sd = float(noise.std(ddof=1)) if np.ptp(noise) > _ROUNDING else None
    p = _two_sided(noise, value)
    low, high = _excess_interval(value - mean, percentile_interval(noise - mean, level), above, p < round(1 - level, 9))
    quantiles = np.interp(np.array(QUANTILES) * (len(noise) - 1), np.arange(len(noise)), noise)
    # Where all draws are the same, nothing can be said about how sure the value is.
    ends = (max(0.0, value + below), value + above) if above > below else (None, None)
    around = (low, high) if sd and above > below else (None, None)
    excess = value - mean if abs(value - mean) > _ROUNDING else 0.0
    z = excess / sd if sd else None
    return Distanced(value, ends[0], ends[1], excess, around[0], around[1], mean, sd, tuple(quantiles.tolist()), z, p)


def _excess_interval(excess: float, noise: tuple[float, float], above: float, is_shown: bool) -> tuple[float, float]:
    """Which true excesses d fit the one that was found; zero is one of them unless the random splits say otherwise.

    The upper arm of the distance grows from that of random splits (d = 0), a₀, to that of the bootstrap (d = excess),
    a₁: a(d) = a₀ + (a₁ - a₀) d / excess. The lower end solves excess = d + a(d).
    """
    below, first = noise
    last = max(above, first)
    low, high = excess - first, excess - below
    if low > 0:
        low *= excess / (excess + last - first)
    if high >= 0:
        high = excess + max(above, -below)
    return (low, high) if is_shown else (min(low, 0.0), max(high, 0.0))


def _two_sided(drawn: Floats, value: float) -> float:
    """Twice the share of draws that are as far out on the value's side, the value among them; never zero."""
    beyond = min(int((drawn >= value - _ROUNDING).sum()), int((drawn <= value + _ROUNDING).sum()))
    return min(1.0, 2 * (beyond + 1) / (len(drawn) + 1))


def _random_splits(train: Sample, test: Sample, draws: int, seed: int) -> tuple[Ints, Ints]:
    """Histograms of both sides of each random split: only the smaller side is added up, the other is the rest."""
    together = np.concatenate([train.edges, test.edges])
    total = together.sum(axis=0, dtype=np.int64)
    smaller = min(len(train), len(test))
    drawn = np.stack(
        [together[pick].sum(axis=0, dtype=np.int64) for pick in _picks(len(together), smaller, draws, seed)]
    )
    return (total - drawn, drawn) if len(test) <= len(train) else (drawn, total - drawn)


def _picks(items: int, chosen: int, draws: int, seed: int) -> Iterator[Ints]:
    generator = np.random.default_rng(seed)
    for _ in range(draws):
        yield generator.choice(items, chosen, replace=False, shuffle=False)


def _length_counts(train: Sample, test: Sample) -> tuple[Ints, Ints]:
    longest = int(max(train.lengths.max(), test.lengths.max())) + 1
    return np.bincount(train.lengths, minlength=longest), np.bincount(test.lengths, minlength=longest)


def _drawn_lengths(counts: tuple[Ints, Ints], draws: int, seed: int) -> list[Ints]:
    """Sentences of one length are alike here, so a draw of sentences is a draw of lengths."""
    generator = np.random.default_rng(seed)
    return [generator.multinomial(int(one.sum()), one / one.sum(), size=draws) for one in counts]


def _split_lengths(counts: tuple[Ints, Ints], draws: int, seed: int) -> tuple[Ints, Ints]:
    generator = np.random.default_rng(seed)
    together = counts[0] + counts[1]
    test = generator.multivariate_hypergeometric(together, int(counts[1].sum()), size=draws, method="marginals")
    return together - test, test


LENGTHS = range(3, 31)
"""Sentence length bins (Section 3.3): with two tokens there is one edge, and beyond 30 too few sentences."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The distances between the sentences of one length."""

    length: int
    train: int
    test: int
    distances: dict[str, Distanced]


def by_length(train: Sample, test: Sample, *, draws: int = 0, seed: int = 0) -> list[Bin]:
    """Bins that have edges on both sides; intervals and noise floors where there are two sentences at least."""
    bins = []
    for length in LENGTHS:
        sides = [one.where(np.flatnonzero(one.lengths == length)) for one in (train, test)]
        if any(len(one) == 0 or not one.edges.any() for one in sides):
            continue
        wanted = draws if min(len(one) for one in sides) > 1 else 0
        measured = distances(sides[0], sides[1], draws=wanted, seed=seed)
        del measured["slv"]  # zero by construction
        bins.append(Bin(length, len(sides[0]), len(sides[1]), measured))
    return bins


def subsamples(
    train: Sample, test: Sample, sizes: tuple[int, ...], *, times: int = 20, seed: int = 0
) -> dict[int, dict[str, Floats]]:
    """EDV between test and `times` random parts of the training data of each size (Appendix D).

    Only sizes up to half of the training data: larger parts would mostly be the same sentences.
    """
    by_size = {}
    for size in sizes:
        if 2 * size > len(train):
            continue
        parts = [train.edges[pick].sum(axis=0, dtype=np.int64) for pick in _picks(len(train), size, times, seed + size)]
        both = np.stack(parts), np.broadcast_to(test.histogram, (times, len(test.histogram)))
        by_size[size] = {name: function(*both) for name, function in OF_EDGES.items()}
    return by_size
