"""Grammars of both schemes for the paper on TEPACOC: trained on generated sentences, judged on the parallel suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ...errors import InputError
from ...phrase.evalb import GERMAN
from ...phrase.tree import PhraseTree
from ...suites.constructions.model import ConstructionSuite
from ...suites.generate.constructions.treebank import generate
from ...systems.pcfg.model import learn
from ...systems.pcfg.preparation import Preparation
from ..brackets.scores import BracketScores, bracket_scores, with_heads
from ..brackets.study import formed
from ..constructions.judged import JudgedConstructions, judge_trees
from ..constructions.verdict import UNDECIDED
from .tepacoc_results import SISTERS, SPLIT, TIGER, TUEBADZ, named


@dataclass(frozen=True, slots=True)
class TrainedGrammar:
    """How a grammar is made: its scheme, what becomes of gaps in training, and the form of its parses."""

    scheme: str
    gaps: str
    form: str


GRAMMARS: Mapping[str, TrainedGrammar] = {
    TIGER: TrainedGrammar("tiger", "raise", "raised"),
    SPLIT: TrainedGrammar("tiger", "split", "discontinuous"),
    TUEBADZ: TrainedGrammar("tuebadz", "raise", "discontinuous"),
}
"""TüBa-D/Z has no gaps, so its trees are learnt and judged as they are."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One grammar, trained once, on the suite."""

    judged: JudgedConstructions
    scores: BracketScores
    rules: int
    """Different rules in its training trees, as it learns them, without functions."""

    def outcomes(self, phenomenon: str, in_full: bool = False) -> Counter[str]:
        """How many items of the phenomenon are of each class; `in_full`: of those that its form of trees shows."""
        pairs = zip(self.judged.suite.items, self.judged.verdicts, strict=True)
        verdicts = [verdict for item, verdict in pairs if item.construction.phenomenon == phenomenon]
        return Counter(
            verdict.primary
            for verdict in verdicts
            if not (in_full and (verdict.hidden or verdict.primary == UNDECIDED))
        )


def training_trees(sentences: int, seed: int, suite: ConstructionSuite) -> dict[str, list[PhraseTree]]:
    """Generated sentences in both schemes, without those of the suite."""
    known = {item.tree.words for item in suite.items}
    kept = [sentence for sentence in generate(sentences, seed).sentences if sentence.tiger.words not in known]
    return {scheme: [one.tree(scheme) for one in kept] for scheme in ("tiger", "tuebadz")}


def tried(
    suites: Mapping[str, ConstructionSuite], training: Iterable[Mapping[str, list[PhraseTree]]]
) -> dict[str, list[Tried]]:
    """Each grammar, with each number of sisters, trained anew with the trees of each training set, by scheme."""
    by_grammar: dict[str, list[Tried]] = {named(name, sisters): [] for sisters in SISTERS for name in GRAMMARS}
    for trees in training:
        for (name, grammar), sisters in product(GRAMMARS.items(), SISTERS):
            suite = suites[grammar.scheme]
            if {tree.words for tree in trees[grammar.scheme]} & {item.tree.words for item in suite.items}:
                raise InputError("a sentence of the suite is in the training data", where=suite.name)
            model = learn(
                trees[grammar.scheme], functions=True, horizontal=sisters, gaps=grammar.gaps, scheme=grammar.scheme
            )
            gold = [item.tree for item in suite.items]
            parses = [model.parse(tree.words) for tree in gold]
            shown, whole = formed(gold, {name: parses}, grammar.form, grammar.scheme)
            scores = with_heads(bracket_scores(shown, whole[name], GERMAN), gold, whole[name], grammar.scheme)
            judged = judge_trees(suite, name, parses, form=grammar.form)
            by_grammar[named(name, sisters)].append(Tried(judged, scores, _rules(trees[grammar.scheme], grammar)))
    return by_grammar


def _rules(trees: Sequence[PhraseTree], grammar: TrainedGrammar) -> int:
    """How many different ways there are to write a category as those of its children."""
    preparation = Preparation(grammar.gaps, grammar.scheme)
    prepared = map(preparation.prepared, trees)
    return len({(node.label, *(child.label for child in node.children)) for tree in prepared for node in tree.inner})
