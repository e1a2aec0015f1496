"""The metrics of the CoNLL 2018 shared task, as counts per sentence (Zeman et al. 2018)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...stats.sampling import Clusters, shares
from ..format.columns import Column
from ..format.treebank import Treebank
from ..format.universal import CONTENT, FUNCTIONAL, UNIVERSAL_FEATURES
from .alignment import Alignment, align
from .tree import cyclic_mask, parents, root_counts, tree_mask

NOT_TREES = "system sentences that are not trees"
METRICS = (
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX",
)  # fmt: skip

GIVEN = METRICS[:3]
"""What a parser of gold tokens is given."""

Bools = NDArray[np.bool_]
Ints = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Scores:
    """Counts of every metric per gold sentence: (sentences, metrics, correct | gold | system | aligned)."""

    alignment: Alignment
    counts: NDArray[np.int64]
    words: Words
    failures: Mapping[str, int]

    def totals(self, metric: str) -> tuple[int, int, int, int]:
        """Correct, gold, system, aligned; as the shared task's script prints them."""
        correct, gold, system, aligned = self.counts[:, METRICS.index(metric)].sum(axis=0).tolist()
        return correct, gold, system, aligned

    def f1(self, metric: str) -> float:
        """Per cent."""
        correct, gold, system, _ = self.totals(metric)
        return 200 * correct / (gold + system) if gold + system else float("nan")

    def precision(self, metric: str) -> float:
        correct, _, system, _ = self.totals(metric)
        return 100 * correct / system if system else float("nan")

    def recall(self, metric: str) -> float:
        correct, gold, _, _ = self.totals(metric)
        return 100 * correct / gold if gold else float("nan")

    def aligned_accuracy(self, metric: str) -> float | None:
        correct, _, _, aligned = self.totals(metric)
        return 100 * correct / aligned if aligned else None

    def ratio(self, metric: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """F1 as a ratio of counts per sentence: correct over the mean of gold and system."""
        counts = self.counts[:, METRICS.index(metric)]
        return counts[:, 0], (counts[:, 1] + counts[:, 2]) / 2

    def intervals(self, clusters: Clusters) -> dict[str, tuple[float, float] | tuple[None, None]]:
        """95 % intervals of the F1 of all metrics, per cent; `clusters` say which sentences were sampled together.

        None for words and sentences that are those of gold, as these were given or leave nothing to estimate.
        """
        ratios = [self.ratio(metric) for metric in METRICS]
        right, asked = (np.stack([ratio[side] for ratio in ratios], axis=1) for side in (0, 1))
        estimates = zip(METRICS, shares(right, asked, clusters), strict=True)
        given = GIVEN if self.alignment.same_tokens and (self.counts[:, 1, 0] == self.counts[:, 1, 1]).all() else ()
        return {
            metric: estimate.percent for metric, estimate in estimates if estimate is not None and metric not in given
        }


@dataclass(frozen=True, eq=False)
class Words:
    """What holds of each gold word; False for words that the system does not have."""

    scored: Bools
    """Gold says what the head is (all words, but in partial gold)."""
    aligned: Bools
    uas: Bools
    las: Bools
    label: Bools
    system_deprels: Ints
    """Index into `deprels`, -1 where the system has no such word."""
    gold_deprels: Ints
    called: Ints
    """Labels of all words of the system that count, aligned or not."""
    deprels: Sequence[str]


def score(gold: Treebank, system: Treebank) -> Scores:
    """All metrics of a system's treebank against gold."""
    return _Comparison(align(gold, system)).scores()


class _Comparison:
    """The judgements on all aligned pairs of words, as columns."""

    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment
        self.gold, self.system = alignment.gold, alignment.system
        self.g, self.s = alignment.gold_words, alignment.system_words
        self.scored = self.gold.heads >= 0

    def same(self, name: str, normalise: Callable[[str], str] = str) -> Bools:
        """For each pair: does the column agree?"""
        left, right = self.alignment.pair.column(name, normalise)
        return np.equal(left.codes[self.g], right.codes[self.s])

    @cached_property
    def deprels(self) -> tuple[Column, Column]:
        """Universal relations of both sides, with shared values."""
        return self.alignment.pair.column("deprel", universal)

    @cached_property
    def same_deprel(self) -> Bools:
        return np.equal(self.deprels[0].codes[self.g], self.deprels[1].codes[self.s])

    @cached_property
    def same_head(self) -> Bools:
        """For each pair: is the system's head aligned with the gold head (or both are roots)?"""
        gold, system = self.gold, self.system
        gold_parent = np.where(gold.heads == 0, -2, parents(gold.heads, gold.offsets))
        system_parent = self.alignment.gold_of[parents(system.heads, system.offsets)]
        system_parent = np.where(system.heads == 0, -2, np.where(system.heads < 0, -3, system_parent))
        same: Bools = self.scored[self.g] & (gold_parent[self.g] == system_parent[self.s])
        return same

    @cached_property
    def same_lemma(self) -> Bools:
        """A gold lemma of `_` asks for nothing."""
        begins, ends = self.gold.field_spans("lemma")
        no_lemma = (ends - begins == 1) & (np.frombuffer(self.gold.data, dtype=np.uint8)[begins] == ord("_"))
        same: Bools = self.alignment.pair.same("lemma", self.g, self.s) | no_lemma[self.g]
        return same

    def is_one_of(self, column: Column, labels: frozenset[str]) -> Bools:
        table = np.array([value in labels for value in column.values], dtype=bool)
        result: Bools = table[column.codes]
        return result

    def scores(self) -> Scores:
        upos, xpos, feats = self.same("upos"), self.same("xpos"), self.same("feats", universal_features)
        everything = np.ones(len(self.g), dtype=bool)
        las = self.same_head & self.same_deprel
        content = tuple(self.is_one_of(column, CONTENT) for column in self.deprels)
        function_words = self.functional_children_agree(las & upos & feats)
        all_words = (np.ones(self.gold.word_count, dtype=bool), np.ones(self.system.word_count, dtype=bool))
        with_head = (self.scored, self.system_scored)
        content_words = (content[0] & self.scored, content[1] & self.system_scored)
        right = {
            "Words": (everything, all_words),
            "UPOS": (upos, all_words),
            "XPOS": (xpos, all_words),
            "UFeats": (feats, all_words),
            "AllTags": (upos & xpos & feats, all_words),
            "Lemmas": (self.same_lemma, all_words),
            "UAS": (self.same_head, with_head),
            "LAS": (las, with_head),
            "CLAS": (las, content_words),
            "MLAS": (las & upos & feats & function_words, content_words),
            "BLEX": (las & self.same_lemma, content_words),
        }
        counts = np.zeros((len(self.gold), len(METRICS), 4), dtype=np.int64)
        counts[:, 0], counts[:, 1] = self.token_counts(), self.sentence_counts()
        for metric, (correct, (gold_in, system_in)) in right.items():
            asked = gold_in[self.g]
            column = counts[:, METRICS.index(metric)]
            column[:, 0] = self.per_sentence(self.g[correct & asked])
            column[:, 1] = self.per_sentence(np.flatnonzero(gold_in))
            column[:, 2] = np.bincount(self.sentence_of_system[system_in], minlength=len(self.gold))
            if metric != "Words":  # they are what is aligned
                column[:, 3] = self.per_sentence(self.g[asked])
        return Scores(self.alignment, counts, self.judged(las), self.failures())

    def per_sentence(self, words: Ints) -> Ints:
        return np.bincount(self.gold.sentence_of[words], minlength=len(self.gold))

    @cached_property
    def system_scored(self) -> Bools:
        """Words of the system that count: all but those whose gold word has no head to compare with."""
        partner = self.alignment.gold_of
        return (partner < 0) | self.scored[partner]

    @cached_property
    def same_sentences(self) -> bool:
        """Same words in the same sentences: nothing has to be looked up by its place in the text."""
        return self.alignment.same_tokens and np.array_equal(self.gold.offsets, self.system.offsets)

    @cached_property
    def sentence_of_system(self) -> Ints:
        """The gold sentence in which each word of the system begins."""
        if self.same_sentences:
            return self.system.sentence_of
        begins = self.system.surface.starts[self.system.surface.token_of]
        numbers = np.searchsorted(self.gold.surface.sentence_spans[:, 0], begins, side="right") - 1
        return np.maximum(numbers, 0)

    def functional_children_agree(self, agrees: Bools) -> Bools:
        """For each pair: do both words have the same function words, with the same tags (MLAS)?"""
        gold_count = self.function_words(self.gold, self.deprels[0])
        system_count = self.function_words(self.system, self.deprels[1])
        good = np.zeros(self.system.word_count, dtype=bool)
        good[self.s[agrees]] = True
        good_count = self.function_words(self.system, self.deprels[1], good)
        result: Bools = (gold_count[self.g] == system_count[self.s]) & (good_count[self.s] == system_count[self.s])
        return result

    def function_words(self, treebank: Treebank, deprels: Column, only: Bools | None = None) -> Ints:
        """How many function words hang from each word."""
        chosen = self.is_one_of(deprels, FUNCTIONAL) & (treebank.heads > 0)
        if only is not None:
            chosen &= only
        return np.bincount(parents(treebank.heads, treebank.offsets)[chosen], minlength=treebank.word_count)

    def token_counts(self) -> Ints:
        if self.same_sentences:
            sizes = np.diff(np.append(self.gold.surface.token_of[self.gold.offsets[:-1]], len(self.gold.surface)))
            return np.stack([sizes, sizes, sizes, np.zeros_like(sizes)], axis=1)
        left, right = (np.stack([t.surface.starts, t.surface.ends], axis=1) for t in (self.gold, self.system))
        return _span_counts(left, right, self.gold.surface.sentence_spans[:, 0])

    def sentence_counts(self) -> Ints:
        if self.same_sentences:
            return np.tile([1, 1, 1, 0], (len(self.gold), 1))
        spans = self.gold.surface.sentence_spans
        return _span_counts(spans, self.system.surface.sentence_spans, spans[:, 0])

    def judged(self, las: Bools) -> Words:
        count = self.gold.word_count

        def of_gold(pairs: Bools) -> Bools:
            table = np.zeros(count, dtype=bool)
            table[self.g] = pairs
            return table

        partner = self.alignment.system_of
        system_deprels = np.where(partner >= 0, self.deprels[1].codes[partner], -1)
        return Words(
            self.scored,
            partner >= 0,
            of_gold(self.same_head),
            of_gold(las),
            of_gold(self.same_deprel & self.scored[self.g]),
            system_deprels,
            self.deprels[0].codes,
            self.deprels[1].codes[self.system_scored],
            self.deprels[0].values,
        )

    def failures(self) -> dict[str, int]:
        """What is wrong with the system's output, whatever its score."""
        heads, offsets = self.system.heads, self.system.offsets
        roots = root_counts(heads, offsets)
        return {
            NOT_TREES: int((~tree_mask(heads, offsets)).sum()),
            "system sentences without root": int((roots == 0).sum()),
            "system sentences with several roots": int((roots > 1).sum()),
            "system sentences with a cycle": int(cyclic_mask(heads, offsets).sum()),
            "system words without head": int((heads < 0).sum()),
            "gold words without head": int((~self.scored).sum()),
            "gold words not aligned": int(self.gold.word_count - len(self.g)),
            "system words not aligned": int(self.system.word_count - len(self.s)),
        }


def universal(deprel: str) -> str:
    """The relation without its subtype."""
    return deprel.partition(":")[0]


def universal_features(feats: str) -> str:
    """The universal ones, sorted."""
    return "|".join(sorted(pair for pair in feats.split("|") if pair.partition("=")[0] in UNIVERSAL_FEATURES))


def _span_counts(gold: Ints, system: Ints, sentence_starts: Ints) -> Ints:
    """(sentences, 4): spans of gold that the system has too, spans of gold, of the system, and no alignment."""

    def per_sentence(spans: Ints) -> Ints:
        numbers = np.maximum(np.searchsorted(sentence_starts, spans[:, 0], side="right") - 1, 0)
        return np.bincount(numbers, minlength=len(sentence_starts))

    limit = int(max(gold.max(initial=0), system.max(initial=0))) + 1
    wanted, present = gold[:, 0] * limit + gold[:, 1], system[:, 0] * limit + system[:, 1]
    place = np.minimum(np.searchsorted(present, wanted), len(present) - 1)
    same = present[place] == wanted
    columns = [per_sentence(gold[same]), per_sentence(gold), per_sentence(system), np.zeros(len(sentence_starts), int)]
    return np.stack(columns, axis=1)
