"""Training language models from tokenised text, and their perplexity on dev."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar, Unpack

from ..runs.where import Where
from ..treebank.source import paths
from .language_model import score_with
from .model_training import Asked, check_material, train_model
from .perplexity import Perplexity, perplexity
from .registry import TEXT
from .tokenised import Stretch, read_stretches
from .trainer import Exam, FilePlan, FileTrainer, Material, Source, Sources
from .training import Tell, Trained


class Text(Material):
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
TextPlan = FilePlan[Text, S]


class TextTrainer(FileTrainer[Text, S]):
    """A trainer whose models learn from text and are examined by their perplexity."""

    def material(self, source: Sources, settings: S, tell: Tell) -> Text:
        return Text(source)

    def examine(self, model: Any, dev: Text, plan: TextPlan[S]) -> Exam:
        found = Perplexity()
        for stretch in dev.stretches():
            found += perplexity(score_with(model, stretch.sentences(), where=Where(cache=False, progress=False)))
        return Exam(scores(found), found.sentences, found.tokens)


def train_language_model(
    kind: str, train: Sources, dev: Sources | None = None, *, resume: bool = True, **asked: Unpack[Asked]
) -> Trained:
    """Trains a language model on text: `train_model` for those kinds alone."""
    check_material(kind, TEXT)
    return train_model(kind, train, dev, resume=resume, **asked)


def scores(found: Perplexity) -> dict[str, float]:
    """Perplexities by name, those that there are: tokens and ends of sentences, or tokens alone."""
    ends = found.end_bits is not None
    named = {
        "perplexity": found.value(ends=ends),
        "perplexity without OOV": found.value(oov=False, ends=ends),
    }
    return {name: round(value, 4) for name, value in named.items() if value is not None}
