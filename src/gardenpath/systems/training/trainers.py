"""Trainers by what they learn from: dependency trees, text, phrase trees; and the scores of their models on dev."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...errors import InputError, SystemFailure, UsageError
from ...phrase.edits.tokens import without_traces
from ...phrase.formats.source import files, read
from ...phrase.parseval import ALL, GERMAN, Matched, Parameters, score_trees
from ...phrase.schemes.model import PUNCTUATION
from ...phrase.tree import PhraseTree
from ...runs.record.signatures import describe_input
from ...runs.result.verdict import count_text
from ...runs.work.where import Where
from ...treebank import Treebank, score, tree_mask
from ...treebank.format.reading import given_treebank, paths
from ..asking.language import profile
from ..asking.protocol import LanguageModel
from ..files.text_input import Stretch, read_stretches
from ..language_models.scoring import Perplexity, perplexity, score_with
from ..parsers.parsing import parse_with
from ..parsers.phrase_parsing import parse_trees_with
from .training import Data, Exam, Files, Material, Outcome, Plan, Source, Sources, Tell, Trainer


class DependencyTrees(Material):
    """A treebank, or files of one. A parser learns nothing from half a tree, and its C++ may crash on it."""

    def __init__(self, source: Data) -> None:
        self.treebank = given_treebank(source)
        self.name = self.treebank.name
        trees = tree_mask(self.treebank.heads, self.treebank.offsets)
        if not trees.all():
            number, count = int(np.argmin(trees)), int((~trees).sum())
            what = f"{count} sentences that are not trees" if count != 1 else "a sentence that is not a tree"
            raise UsageError(
                f"the data has {what}, the first is {self.treebank.sent_ids[number] or number + 1}",
                where=self.treebank.place(int(self.treebank.index.blocks[number])),
                todo="every word needs a head, and one word is the root; gardenpath treebank validate shows all",
            )

    @cached_property
    def _content(self) -> dict[str, Any]:
        return describe_input((self.name, self.treebank.to_bytes()))

    @property
    def sha256(self) -> str:
        return str(self._content["sha256"])

    @property
    def size(self) -> int:
        return int(self._content["size"])


S = TypeVar("S")
ParserPlan = Plan[DependencyTrees, S]
JUDGED = 100
"""Training sentences by which tools that need held-out data judge where there is no dev set."""
_ARGUMENTS = frozenset({"nsubj", "csubj", "obj", "iobj"})


def judged_by(plan: ParserPlan[Any]) -> tuple[Treebank, str]:
    """The sentences by which a tool judges its progress, and what they are called."""
    if plan.dev is not None:
        return plan.dev.treebank, "dev"
    first = plan.train.treebank[:JUDGED]
    return first, f"the first {len(first)} training sentences"


class ParserTrainer(Trainer[DependencyTrees, S]):
    """A trainer that lets another tool learn from a treebank, and examines the parser by UAS and LAS."""

    @abstractmethod
    def run_tool(self, plan: ParserPlan[S], target: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Writes a model to a path; returns all options that were in force, and the tool's log."""

    def gold_layers(self, settings: S) -> str:
        """Layers that the model needs with gold tokens (it has no tagger, or was trained on gold tags)."""
        return ""

    def material(self, source: Data, settings: S, tell: Tell) -> DependencyTrees:
        return DependencyTrees(source)

    def learn(self, plan: ParserPlan[S], target: Path) -> Outcome:
        sentences, words = len(plan.train.treebank), plan.train.treebank.word_count
        plan.tell(
            f"training {plan.kind} on {sentences} sentence{'s' * (sentences != 1)}, {words} word{'s' * (words != 1)}"
        )
        try:
            options, log = self.run_tool(plan, target)
        except (ImportError, ValueError) as error:  # a tool's own words on an option it does not know
            raise SystemFailure(f"the training of {plan.kind} failed: {error}", todo="check the options") from error
        return Outcome(options, log, sentences, words)

    def examine(self, model: Any, dev: DependencyTrees, plan: ParserPlan[S]) -> Exam:
        gold = self.gold_layers(plan.settings)
        result = parse_with(model, dev.treebank, gold=gold, where=Where(cache=False, progress=False))
        scores = score(dev.treebank, result.treebank)
        rounded = {metric: round(scores.f1(metric), 2) for metric in ("UAS", "LAS")}
        return Exam(rounded, len(dev.treebank), dev.treebank.word_count)

    def shortfall(self, model: Any, plan: ParserPlan[S]) -> str:
        """A parser that gets no subject and no object right of what it was trained on has learnt nothing."""
        gold = plan.train.treebank[:JUDGED]
        layers = self.gold_layers(plan.settings)
        parsed = parse_with(model, gold, gold=layers, where=Where(cache=False, progress=False)).treebank
        arcs = [
            (word.head, word.deprel) == (parsed_word.head, parsed_word.deprel)
            for sentence, answer in zip(gold, parsed, strict=True)
            for word, parsed_word in zip(sentence.words, answer.words, strict=True)
            if word.udeprel in _ARGUMENTS
        ]
        if any(arcs) or not arcs:
            return ""
        return f"it has learnt nothing: of {len(arcs)} subjects and objects it was trained on none is right"

    def profile(self, plan: ParserPlan[S]) -> Mapping[str, Any]:
        return profile(plan.train.treebank, plan.dev.treebank if plan.dev else None)


class Text(Files):
    """Files of tokenised text (or CoNLL-U), read as often as a trainer likes; nothing of them stays in memory."""

    NONE = "no text is named", "name a file of tokenised text"
    PIPE = "a text to train on is read more than once"

    def files_of(self, source: Source) -> list[str]:
        return paths(source)

    def stretches(self, size: int = 1 << 20) -> Iterator[Stretch]:
        return read_stretches(self.files, size)

    def sentences(self) -> Iterator[list[str]]:
        for stretch in self.stretches():
            yield from stretch.sentences()


TextPlan = Plan[Text, S]


class TextTrainer(Trainer[Text, S]):
    """A trainer whose models learn from text and are examined by their perplexity."""

    def material(self, source: Sources, settings: S, tell: Tell) -> Text:
        return Text(source)

    def examine(self, model: Any, dev: Text, plan: TextPlan[S]) -> Exam:
        measured = dev_perplexity(model, (stretch.sentences() for stretch in dev.stretches()))
        return Exam(perplexities(measured), measured.sentences, measured.tokens)


def dev_perplexity(model: LanguageModel, stretches: Iterable[list[list[str]]]) -> Perplexity:
    """The perplexity of a model on text that comes in stretches of sentences."""
    measured = Perplexity()
    for sentences in stretches:
        measured += perplexity(score_with(model, sentences, where=Where(cache=False, progress=False)))
    return measured


def perplexities(measured: Perplexity) -> dict[str, float]:
    """Perplexities by name, as far as there are any: of tokens and ends of sentences, or of tokens alone."""
    ends = measured.end_bits is not None
    named = {"perplexity": measured.value(ends=ends), "perplexity without OOV": measured.value(oov=False, ends=ends)}
    return {name: round(value, 4) for name, value in named.items() if value is not None}


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
