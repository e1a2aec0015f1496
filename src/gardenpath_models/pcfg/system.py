"""`pcfg:FILE`: a treebank PCFG that was trained here, or a grammar that somebody wrote."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.data import local
from gardenpath.errors import FailedOnInput, InputError
from gardenpath.phrase import PhraseTree
from gardenpath.runs import describe_input, signature
from gardenpath.systems import Habits, Sentences, other_kind

from .model import PCFG, check_kind, load
from .prefix_chart import PrefixScores
from .written import SUFFIX, read_written


class PCFGModel:
    """A phrase parser and a language model. Its file is read when it is first asked."""

    habits = Habits(chunk=100)

    def __init__(self, argument: str) -> None:
        self.path = Path(local(argument)).expanduser().resolve()
        self.name = f"pcfg:{self.path}"
        if self.path.is_dir():
            raise InputError("this is a folder, not a model file", where=str(self.path), todo=other_kind(self.path))
        self.sha256: str = describe_input(self.path)["sha256"]
        self.written = self.path.suffix == SUFFIX
        if not self.written:
            check_kind(self.path)
        self._last: tuple[Sentences, list[PrefixScores]] | None = None

    @cached_property
    def model(self) -> PCFG:
        return read_written(self.path) if self.written else load(self.path)

    @property
    def signature(self) -> str:
        return signature(("kind", "pcfg"), ("model", self.sha256[:12]))

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        """The best tree of each sentence; None where there is none, or the sentence is empty or too long."""
        return [self.model.parse(sentence) for sentence in sentences]

    def parse_tagged(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
    ) -> list[PhraseTree | None]:
        """The same with the tags of all tokens."""
        return [self.model.parse(sentence, given) for sentence, given in zip(sentences, tags, strict=True)]

    def nbest(self, sentence: Sequence[str], k: int) -> list[tuple[float, PhraseTree]]:
        """The k best trees and their log scores."""
        return self.model.nbest(sentence, k)

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        return [scores.surprisals for scores in self._scored(sentences)]

    def end_surprisals(self, sentences: Sentences) -> NDArray[np.float64]:
        """Surprisal of the end of each sentence; infinite where the grammar wants more words."""
        return np.array([scores.end for scores in self._scored(sentences)])

    def oov(self, sentences: Sentences) -> list[NDArray[np.bool_]]:
        return [~self.model.vocabulary.known(sentence) for sentence in sentences]

    def _scored(self, sentences: Sentences) -> list[PrefixScores]:
        """Words and ends come from one pass; whoever asks for one asks for the other next."""
        if self._last is None or self._last[0] is not sentences:
            self._last = sentences, [self._word_scores(*place) for place in enumerate(sentences, 1)]
        return self._last[1]

    def _word_scores(self, number: int, sentence: Sequence[str]) -> PrefixScores:
        where = f"{self.name}: sentence {number}"
        try:
            scores = self.model.word_scores(sentence)
        except FailedOnInput as failure:
            raise FailedOnInput(failure.what, where=where, todo=failure.todo) from failure
        possible = np.isfinite(scores.surprisals)
        if not possible.all():
            raise self._impossible(sentence, int(np.argmin(possible)), where)
        return scores

    def _impossible(self, sentence: Sequence[str], at: int, where: str) -> FailedOnInput:
        """The first word of a sentence that no tree of the grammar has at its place."""
        if not self.model.vocabulary.known(sentence)[at]:
            todo = "a grammar that somebody wrote knows its own words only; one that was trained has a class for others"
            return FailedOnInput(f"the grammar does not know {sentence[at]!r}, word {at + 1}", where=where, todo=todo)
        before = " ".join(sentence[:at])
        what = f"no sentence of the grammar goes on with {sentence[at]!r}" + (f" after {before!r}" if before else "")
        return FailedOnInput(what, where=where, todo="its surprisal is infinite")
