"""Scores of phrase trees: brackets, leaf-ancestor, dependencies, overall and by category, function, length and gap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import unknown_name
from ...phrase.dependencies import single_rooted
from ...phrase.parseval import Bracket, Parameters, SentenceScore, brackets, gap_brackets, kept_tokens, score_trees
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.tree import NO_FUNCTION, PhraseTree
from ...stats.sampling import Clusters, Estimate, SeedSpread, mean, share, weighted_share
from .declaration import PHRASE_GROUPINGS

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
    """Counts per sentence of one system; of a model with several seeds those of each seed, one after the other."""

    sentences: tuple[SentenceScore, ...]
    heads: Floats | None
    """Words with the right head, with the right head and function, and words; None without a scheme."""
    functions: bool
    """Do gold and system both have functions?"""
    seeds: int = 1

    @classmethod
    def of_seeds(cls, seeds: Sequence[BracketScores]) -> BracketScores:
        """Return the counts of all seeds of a model as those of one system."""
        heads = [scores.heads for scores in seeds if scores.heads is not None]
        return cls(
            tuple(sentence for scores in seeds for sentence in scores.sentences),
            np.concatenate(heads) if heads else None,
            all(scores.functions for scores in seeds),
            len(seeds),
        )

    @property
    def size(self) -> int:
        """Number of gold sentences."""
        return len(self.sentences) // self.seeds

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
        """Return numerators and denominators per sentence: their means over the seeds."""
        above, below = (part.reshape(self.seeds, -1).mean(axis=0) for part in self.counts(measure))
        return above, below

    def seed_spread(self, measure: str) -> SeedSpread | None:
        """Return what another seed would change in the measure, from its linear approximation at every sentence."""
        above, below = (part.reshape(self.seeds, -1) for part in self.counts(measure))
        return _spread_of_seeds(above, below)

    def counts(self, measure: str) -> tuple[Floats, Floats]:
        """Return numerators and denominators per seed and sentence."""
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
            estimate = mean(above, least=0, seeds=self.seed_spread(measure))
            return estimate.low, estimate.high
        if measure == "leaf_ancestor_discodop":  # a mean of means varies less than a share of as many sentences
            interval = mean(above[below > 0], least=0, most=1, seeds=self.seed_spread(measure)).percent
            if interval[0] is not None:
                return interval
        estimate = share_over_seeds(*(part.reshape(self.seeds, -1) for part in self.counts(measure)))
        return estimate.percent

    def only(self, kept: Sequence[bool]) -> BracketScores:
        """Return the scores of some sentences."""
        chosen = np.flatnonzero(np.tile(np.array(kept, dtype=bool), self.seeds))
        sentences = tuple(self.sentences[number] for number in chosen.tolist())
        return replace(self, sentences=sentences, heads=None if self.heads is None else self.heads[chosen])


def share_over_seeds(above: Floats, below: Floats) -> Estimate:
    """Return Σ above / Σ below with its interval over sentences and seeds; both are seeds × sentences."""
    if len(above) == 1:
        return share(above[0], below[0])
    right, asked = above.mean(axis=0), below.mean(axis=0)
    kept, total = asked > 0, asked.sum()
    value = float(right.sum() / total)
    changes = (right - value * asked)[kept] / total
    clusters = Clusters.independent(int(kept.sum()))
    return weighted_share(
        value, changes, asked[kept] / total, asked[kept], clusters, seeds=_spread_of_seeds(above, below)
    )


def _spread_of_seeds(above: Floats, below: Floats) -> SeedSpread | None:
    """Return the spread of Σ above / Σ below over seeds, from its linear approximation at every sentence."""
    value, asked = above.sum() / max(1.0, below.sum()), below.sum() / len(below)
    return SeedSpread.of((above - value * below) * above.shape[1] / asked + value) if asked else None


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


_LENGTHS = (5, 10, 20, 30, 40, 60)


@dataclass(frozen=True, slots=True)
class BracketGroup:
    """Precision, recall and F1 over the brackets of one group, per cent, F1 with its interval."""

    grouping: str
    name: str
    gold: int
    precision: float | None
    recall: float | None
    f1: float | None
    low: float | None = None
    high: float | None = None


def by_group(
    gold: Sequence[PhraseTree],
    system: Sequence[PhraseTree | None],
    scores: BracketScores,
    parameters: Parameters,
    grouping: str,
    scheme: str = "",
) -> list[BracketGroup]:
    """Return the scores of each group; but for lengths the most frequent first. The scheme tells the heads of gaps.

    Of several seeds, `system` has the trees of all, one after the other.
    """
    gold = [*gold] * scores.seeds
    if grouping == "length":
        return _by_length(scores)
    if grouping not in PHRASE_GROUPINGS:
        raise unknown_name("grouping", grouping, PHRASE_GROUPINGS)
    if grouping == "gap":
        counts, names = _tabled(_by_gap(gold, system, parameters, scheme), 2)
    else:
        column = 1 if grouping == "label" else 2
        counts, names = _tabled(_by_name(gold, system, parameters, column), column)
    groups = []
    for place, name in enumerate(names):
        right, wanted, proposed = counts[:, place].sum(axis=0).tolist()
        by_seed = (
            counts[:, place].astype(np.float64).reshape(scores.seeds, -1, 3)
        )  # seeds × sentences × right, gold, system
        ends = share_over_seeds(by_seed[..., 0], (by_seed[..., 1] + by_seed[..., 2]) / 2).percent
        groups.append(_group(grouping, name, right, wanted, proposed, scores.seeds, *ends))
    return sorted(groups, key=lambda group: (-group.gold, group.name))


Parts = tuple[Counter[Bracket], Counter[Bracket], Counter[Bracket]]
"""The brackets of a sentence that are right, those of gold, and those of the system."""


def _tabled(
    by_tree: Sequence[Parts], column: int
) -> tuple[np.ndarray[tuple[int, int, int], np.dtype[np.int64]], list[str]]:
    """(sentences × groups × right, gold, system), and the groups, which this column of the brackets names."""
    names = sorted({str(bracket[column]) for part in by_tree for counter in part for bracket in counter} - {""})
    places = {name: place for place, name in enumerate(names)}
    counts = np.zeros((len(by_tree), len(names), 3), dtype=np.int64)
    for number, parts in enumerate(by_tree):
        for which, counter in enumerate(parts):
            for bracket, times in counter.items():
                if (name := str(bracket[column])) in places:
                    counts[number, places[name], which] += times
    return counts, names


def _by_name(
    gold: Sequence[PhraseTree], system: Sequence[PhraseTree | None], parameters: Parameters, column: int
) -> list[Parts]:
    """By category, or by functions of labelled brackets."""
    by_tree = []
    for gold_tree, system_tree in zip(gold, system, strict=True):
        kept = kept_tokens(gold_tree, parameters)
        wanted = _counted(brackets(gold_tree, parameters, kept), column)
        there = (
            _counted(brackets(system_tree, parameters, kept), column) if system_tree is not None else Counter[Bracket]()
        )
        by_tree.append((wanted & there, wanted, there))
    return by_tree


def _by_gap(
    gold: Sequence[PhraseTree], system: Sequence[PhraseTree | None], parameters: Parameters, scheme: str
) -> list[Parts]:
    """Brackets with gaps by what stands apart in them. A right one is of the kind that it is in gold."""
    by_tree = []
    for gold_tree, system_tree in zip(gold, system, strict=True):
        kept = kept_tokens(gold_tree, parameters)
        wanted = gap_brackets(gold_tree, parameters, kept, scheme)
        own = gap_brackets(system_tree, parameters, kept, scheme) if system_tree is not None else []
        waiting = list(wanted)
        right, there = Counter[Bracket](), Counter[Bracket]()
        for bracket in own:
            match = next((each for each in waiting if each[:2] == bracket[:2]), None)
            if match is not None:
                waiting.remove(match)
                right[match] += 1
            there[match or bracket] += 1
        by_tree.append((right, Counter(wanted), there))
    return by_tree


def _counted(listed: Sequence[Bracket], column: int) -> Counter[Bracket]:
    """By category the function does not count; by function the category counts too."""
    return Counter((mask, label, function if column == 2 else "") for mask, label, function in listed)


def _by_length(scores: BracketScores) -> list[BracketGroup]:
    groups, low = [], 1
    lengths = [sentence.length for sentence in scores.sentences[: scores.size]]
    for bound in (*_LENGTHS, None):
        part = scores.only([length >= low and (bound is None or length <= bound) for length in lengths])
        if part.sentences:
            name = f"{low}–{bound}" if bound is not None else f"{low}+"
            right, wanted, proposed = (
                sum(getattr(sentence.labelled, column) for sentence in part.sentences)
                for column in ("right", "gold", "system")
            )
            ends = part.intervals().get("f1", (None, None))
            groups.append(_group("length", name, right, wanted, proposed, scores.seeds, *ends))
        low = (bound or 0) + 1
    return groups


def _group(
    grouping: str, name: str, right: int, gold: int, system: int, seeds: int, low: float | None, high: float | None
) -> BracketGroup:
    precision = 100 * right / system if system else None
    recall = 100 * right / gold if gold else None
    f1 = 200 * right / (gold + system) if gold + system else None
    return BracketGroup(grouping, name, gold // seeds, precision, recall, f1, low, high)
