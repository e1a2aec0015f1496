"""The scores of a system's phrase trees: every measure is a ratio of counts per sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...phrase.dependencies import single_rooted
from ...phrase.evalb import Parameters
from ...phrase.parseval import SentenceScore, score_trees
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.tree import NO_FUNCTION, PhraseTree
from ...stats.sampling import mean, share

Floats = NDArray[np.float64]

_KINDS = {"": "labelled", "unlabelled_": "unlabelled", "functions_": "functions", "discontinuous_": "discontinuous"}
MEASURES: Mapping[str, str] = {
    "f1": "labelled F1",
    "precision": "labelled precision",
    "recall": "labelled recall",
    "unlabelled_f1": "unlabelled F1",
    "unlabelled_precision": "unlabelled precision",
    "unlabelled_recall": "unlabelled recall",
    "functions_f1": "F1 with functions",
    "functions_precision": "precision with functions",
    "functions_recall": "recall with functions",
    "discontinuous_f1": "F1 of brackets with gaps",
    "discontinuous_precision": "precision of brackets with gaps",
    "discontinuous_recall": "recall of brackets with gaps",
    "exact": "exact match",
    "crossing": "crossing brackets per sentence",
    "tags": "tags",
    "leaf_ancestor": "leaf-ancestor",
    "leaf_ancestor_discodop": "leaf-ancestor as in disco-dop",
    "uas": "UAS",
    "las": "LAS",
}
"""All in per cent but `crossing`."""
WITH_FUNCTIONS = frozenset({"functions_f1", "functions_precision", "functions_recall", "las"})
WITH_GAPS = frozenset({"discontinuous_f1", "discontinuous_precision", "discontinuous_recall"})
WITH_HEADS = frozenset({"uas", "las"})


@dataclass(frozen=True)
class BracketScores:
    """Counts per sentence of one system."""

    sentences: tuple[SentenceScore, ...]
    heads: Floats | None
    """Words with the right head, with the right head and function, and words; None without a scheme."""
    functions: bool
    """Do gold and system both have functions?"""

    @property
    def measures(self) -> list[str]:
        """The measures that can be taken."""
        absent = WITH_FUNCTIONS if not self.functions else frozenset()
        absent |= WITH_HEADS if self.heads is None else frozenset()
        absent |= WITH_GAPS if not self.gaps else frozenset()
        return [name for name in MEASURES if name not in absent]

    @property
    def gaps(self) -> bool:
        """Does gold or the system have brackets with gaps?"""
        return any(sentence.discontinuous.gold + sentence.discontinuous.system for sentence in self.sentences)

    @property
    def failures(self) -> int:
        return sum(not sentence.parsed for sentence in self.sentences)

    def ratio(self, measure: str) -> tuple[Floats, Floats]:
        """Numerators and denominators per sentence."""
        if measure in WITH_HEADS:
            assert self.heads is not None
            return self.heads[:, 0 if measure == "uas" else 1], self.heads[:, 2]
        kind, _, form = measure.rpartition("_")
        if form in ("f1", "precision", "recall"):
            matched = [getattr(sentence, _KINDS[f"{kind}_" if kind else ""]) for sentence in self.sentences]
            right = np.array([one.right for one in matched], dtype=np.float64)
            gold = np.array([one.gold for one in matched], dtype=np.float64)
            system = np.array([one.system for one in matched], dtype=np.float64)
            return {"f1": (right, (gold + system) / 2), "precision": (right, system), "recall": (right, gold)}[form]
        values = np.array([float(getattr(sentence, measure)) for sentence in self.sentences])
        if measure in ("exact", "crossing"):
            return values, np.ones(len(values))
        words = np.array([float(sentence.words) for sentence in self.sentences])
        return values, (words > 0).astype(np.float64) if measure == "leaf_ancestor_discodop" else words

    def value(self, measure: str) -> float | None:
        above, below = self.ratio(measure)
        return scale(measure) * float(above.sum()) / float(below.sum()) if below.sum() else None

    def n(self, measure: str) -> int:
        """Brackets, sentences or words that the measure is over."""
        name = f"{measure.removesuffix('f1')}recall" if measure.endswith("f1") else measure
        return int(self.ratio(name)[1].sum())

    def intervals(self) -> dict[str, tuple[float | None, float | None]]:
        """Of all measures, over sentences."""
        return {name: self._interval(name) for name in self.measures} if self.sentences else {}

    def _interval(self, measure: str) -> tuple[float | None, float | None]:
        above, below = self.ratio(measure)
        if not below.sum():
            return None, None
        if measure == "crossing":
            estimate = mean(above, least=0)
            return estimate.low, estimate.high
        if measure == "leaf_ancestor_discodop":  # a mean of means varies less than a share of as many sentences
            interval = mean(above[below > 0], least=0, most=1).percent
            if interval[0] is not None:
                return interval
        return share(above, below).percent

    def only(self, kept: Sequence[bool]) -> BracketScores:
        """The same of some sentences."""
        chosen = np.flatnonzero(np.array(kept, dtype=bool))
        sentences = tuple(self.sentences[number] for number in chosen.tolist())
        return replace(self, sentences=sentences, heads=None if self.heads is None else self.heads[chosen])


def scale(measure: str) -> float:
    return 1.0 if measure == "crossing" else 100.0


def bracket_scores(
    gold: Sequence[PhraseTree], system: Sequence[PhraseTree | None], parameters: Parameters
) -> BracketScores:
    """The counts of a system, those of heads apart (see `with_heads`)."""
    functions = _have_functions(gold) and _have_functions([tree for tree in system if tree is not None])
    return BracketScores(tuple(score_trees(gold, system, parameters)), None, functions)


def with_heads(
    scores: BracketScores, gold: Sequence[PhraseTree], system: Sequence[PhraseTree | None], scheme: str
) -> BracketScores:
    """The same with the counts of heads after conversion to dependencies."""
    counts = [_heads(one, other, scheme) for one, other in zip(gold, system, strict=True)]
    return replace(scores, heads=np.array(counts, dtype=np.float64).reshape(-1, 3))


def _heads(gold: PhraseTree, system: PhraseTree | None, scheme: str) -> tuple[int, int, int]:
    """Punctuation does not count; of a sentence without a parse nothing is right."""
    marks = known_scheme(scheme).tags.punctuation
    words = [token for token, tag in enumerate(gold.tags) if tag not in marks]
    if system is None:
        return 0, 0, len(words)
    wanted, proposed = single_rooted(gold, scheme), single_rooted(system, scheme)
    uas = sum(wanted[token][0] == proposed[token][0] for token in words)
    return uas, sum(wanted[token] == proposed[token] for token in words), len(words)


def _have_functions(trees: Sequence[PhraseTree]) -> bool:
    """Of inner nodes: a parser may write functions on tags alone."""
    return any(function not in NO_FUNCTION for tree in trees for function in tree.functions[len(tree) :])
