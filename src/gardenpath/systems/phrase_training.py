"""Training systems from phrase trees, and the score of a parser on dev."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeVar

from ..errors import InputError
from ..phrase.evalb import ALL, GERMAN, Parameters
from ..phrase.parseval import Matched, score_trees
from ..phrase.schemes.stts import PUNCTUATION
from ..phrase.source import files, read
from ..phrase.traces import without_traces
from ..phrase.tree import PhraseTree
from ..runs.verdict import count_text
from ..runs.where import Where
from .phrase_parsing import parse_trees_with
from .trainer import Exam, Files, Plan, Source, Sources, Tell, Trainer


class PhraseTrees(Files):
    """Files of phrase trees in any format, read when they are first needed."""

    NONE = "no trees are named", "name a file of phrase trees"
    PIPE = "a model's card says which files it was made of"

    def __init__(self, source: Sources, tell: Tell) -> None:
        super().__init__(source)
        self.tell = tell

    def files_of(self, source: Source) -> list[str]:
        return files(source)

    @cached_property
    def trees(self) -> list[PhraseTree]:
        """Those that have tokens; traces are none that a parser could see."""
        spoken, traces = without_traces(self.read())
        if traces:
            self.tell(f"{self.name}: {count_text(traces, 'trace')} left out, and the numbers of functions")
        trees = [tree for tree in spoken if len(tree)]
        if not trees:
            raise InputError("there are no trees", where=self.name, todo="name a file that has some")
        return trees

    def read(self) -> list[PhraseTree]:
        return read(self.files)

    @property
    def words(self) -> int:
        return sum(map(len, self.trees))


S = TypeVar("S")
PhrasePlan = Plan[PhraseTrees, S]


class PhraseTrainer(Trainer[PhraseTrees, S]):
    """A trainer whose models learn from phrase trees and are examined by the brackets of their parses."""

    def material(self, source: Sources, settings: S, tell: Tell) -> PhraseTrees:
        return PhraseTrees(source, tell)

    def examine(self, model: Any, dev: PhraseTrees, plan: PhrasePlan[S]) -> Exam:
        """Labelled F1 of brackets and the share of sentences with a parse, in percent."""
        gold = dev.trees
        parses = parse_trees_with(model, [tree.words for tree in gold], where=Where(cache=False, progress=False)).trees
        counts = score_trees(gold, parses, counted_as(gold))
        parsed = sum(count.parsed for count in counts)
        scores = {
            "labelled F1": f1([count.labelled for count in counts]),
            "coverage": round(100 * parsed / len(gold), 2),
        }
        return Exam(scores, len(gold), dev.words)


def counted_as(gold: Sequence[PhraseTree]) -> Parameters:
    """What of these trees counts: German ones are scored without punctuation."""
    return GERMAN if any(tag in PUNCTUATION for tree in gold for tag in tree.tags) else ALL


def f1(matched: Sequence[Matched]) -> float:
    """Of the brackets of all sentences together, in percent."""
    right, all_brackets = sum(one.right for one in matched), sum(one.gold + one.system for one in matched)
    return round(200 * right / all_brackets, 2) if all_brackets else 0.0
