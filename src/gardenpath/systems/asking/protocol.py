"""The protocols: what a parser, a phrase parser and a language model can do, and how each wants to be called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...phrase.tree import PhraseTree
    from ...treebank import Treebank
    from .request import Request

PARSER, LANGUAGE_MODEL, PHRASE_PARSER, JUDGE = "parser", "language model", "phrase parser", "chat model"
"""The roles that a system can play."""
Sentences = Sequence[Sequence[str]]


class System(Protocol):
    """Any system: it has a name to make it again from, and a signature to know it by."""

    @property
    def name(self) -> str:
        """`kind:argument`; paths in it are absolute, so that a worker elsewhere finds them."""

    @property
    def signature(self) -> str:
        """Short `key:value` facts: kind, the start of the model's SHA-256, versions. Asking for it loads no model."""


@runtime_checkable
class Parser(System, Protocol):
    """A system that draws dependency trees. Made by `system("kind:argument")` from the argument alone."""

    @property
    def modes(self) -> tuple[str, ...]:
        """Which of the modes it can do."""

    def parse(self, request: Request) -> Treebank | str:
        """A sentence for each one asked, in order; text is CoNLL-U as a tool printed it, faults and all."""


@runtime_checkable
class LanguageModel(System, Protocol):
    """A system that expects words. Made by `language_model("kind:argument")` from the argument alone.

    Surprisal is -log2 p(word | the words before it in the sentence), in bits: the unit of SyntaxGym, of LM Zoo
    and of the published Mandarin surprisals (2 to the power of their n-gram values are seven-digit probabilities).
    A model that also predicts where a sentence ends may have `end_surprisals(sentences)`, one value per sentence.
    """

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        """One value per token, in bits."""

    def oov(self, sentences: Sentences) -> list[NDArray[np.bool_]]:
        """Which tokens the model does not know."""


@runtime_checkable
class PhraseParser(System, Protocol):
    """A system that draws phrase trees over words alone. Made by `phrase_parser("kind:argument")`.

    A system whose trees are in a file may have `found(sentences, ids)`, which uses sentence ids where there are some.
    """

    def parse_trees(self, sentences: Sentences) -> list[PhraseTree | None]:
        """A tree over the words of each sentence; None where there is no parse."""


@runtime_checkable
class ChatModel(System, Protocol):
    """A system that answers questions. Made by `chat_model("kind:argument")`."""

    def replies(self, questions: Sequence[str]) -> list[str]:
        """An answer to each question, whatever was asked before; empty where it says nothing."""


@dataclass(frozen=True)
class Habits:
    """How a system wants to be called; a class without `habits` has these."""

    chunk: int | None = 250
    """Sentences per call; None: all at once, in this process."""
    cached: bool = True
    """May a result be kept? Not if the signature does not decide it."""
    needs: frozenset[str] = frozenset()
    """Layers of gold it always sees (baselines: `heads`)."""
    partial: bool = False
    """Words without a head are no failure."""
    repeatable: bool = False
    """Is it known to return the same output for the same input? Else a sample is queried twice."""
    own_limit: bool = False
    """Does it keep the time limit of a request itself, as what starts programs or calls servers does?"""


def habits_of(system: object) -> Habits:
    habits = getattr(system, "habits", None)
    return habits if isinstance(habits, Habits) else Habits()
