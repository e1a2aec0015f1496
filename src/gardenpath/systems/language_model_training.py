"""Training language models from tokenised text, and their perplexity on dev."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from ..runs.where import Where
from ..treebank.source import paths
from .language_model import score_with
from .perplexity import Perplexity, perplexity
from .protocol import LanguageModel
from .tokenised import Stretch, read_stretches
from .trainer import Exam, Files, Plan, Source, Sources, Tell, Trainer


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


S = TypeVar("S")
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
    named = {
        "perplexity": measured.value(ends=ends),
        "perplexity without OOV": measured.value(oov=False, ends=ends),
    }
    return {name: round(value, 4) for name, value in named.items() if value is not None}
