"""One side of a split as counts per sentence: all that distances, intervals and noise floors are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...treebank.displacement import LIMIT
from ...treebank.linearisation import dependency_lengths
from ...treebank.morphology import Variant, morphological_complexity
from ...treebank.tree import crossings, possible_crossings, tree_mask
from ...treebank.treebank import Treebank

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
    """The document of each sentence, where sentences were sampled by documents."""

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
