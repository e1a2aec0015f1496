"""UAS, LAS and BLEX of originals against their variants: what the paper calls minor changes, with intervals and p."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...runs.result.result import Finding, Value
from ...stats.sampling import Clusters, share, share_difference
from ...treebank.format.treebank import Treebank
from ...treebank.trees.alignment import composed
from ...treebank.trees.scores import Scores, score
from .declaration import SENTENCES, STUDY, WORD_SCORES
from .judging import VariantAnswers
from .numbers import JudgedVariants, measure_findings
from .variants import AskedVariants, bare


def word_score_findings(judged: JudgedVariants, independent: bool) -> Iterator[Finding]:
    """Yield for each system and perturbation the scores of originals and variants, and how far the latter are above.

    Each original has the mean counts of its variants beside it, so that both sides weigh the same.
    """
    asked = judged.asked
    for system, answers in judged.answers.items():
        scores = _scored(asked, answers)
        for perturbation in asked.perturbations:
            cases = [case for case in asked.cases if case.batch.perturbation == perturbation]
            originals = [case.original for case in cases]
            clusters = Clusters.independent(len(cases)) if independent else Clusters.of(original_sentence=originals)
            for metric in WORD_SCORES:
                counts = np.stack(scores.ratio(metric.upper()), axis=1)  # sentences × (correct, words)
                means = [np.average(counts[list(case.variants)], axis=0, weights=case.times) for case in cases]
                sides = [counts[originals], np.array(means)]
                if not all(side[:, 1].any() for side in sides):
                    continue
                for name, side in zip(SENTENCES, sides, strict=True):
                    by: dict[str, Value] = {"perturbation": perturbation, "sentences": name}
                    found = share(side[:, 0], side[:, 1], clusters)
                    head, (low, high) = (STUDY, asked.treebank_name, system), found.percent
                    yield Finding(*head, metric, 100 * found.value, len(cases), low, high, by)
                first, second = ((side[:, 0], side[:, 1]) for side in sides)
                test = share_difference(first, second, clusters)
                yield from measure_findings(asked.treebank_name, system, perturbation, metric, test)


def _scored(asked: AskedVariants, answers: VariantAnswers) -> Scores:
    """Score all answers of a system; what failed, or came back as another text, has words without heads."""
    gold = asked.treebank
    given = enumerate(answers.answers)
    blocks = [(answer.conllu or bare(gold.block(place))).strip(b"\n") + b"\n\n" for place, answer in given]
    pieces = iter(Treebank(b"".join(blocks)).surface.sentences())
    for place, text in enumerate(gold.surface.sentences()):
        returned = "".join(next(pieces) for _ in range(blocks[place].count(b"\n\n")))
        if composed(returned) != composed(text):
            blocks[place] = bare(gold.block(place)).strip(b"\n") + b"\n\n"
    return score(gold, Treebank(b"".join(blocks)))
