"""What every seed of a language model says of the sentences of a suite, in its own tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from ...errors import FailedOnInput, GardenpathError, InputError, SystemFailure
from ...runs.where import HERE, Where, Workplace
from ...systems.asking import problem_of
from ...systems.checkpoints import split_step
from ...systems.language_model import score_with
from ...systems.protocol import LanguageModel
from ...systems.running_text import Reading, RunningText, Spans, readings_with
from ...systems.surprisal_file import SurprisalFiles
from ...systems.surprisal_table import ScoredTokens
from .fit import TokenFit, fit

if TYPE_CHECKING:
    from ...systems.entrants import Entrant

NOT_SCORED = "not scored"


@dataclass(frozen=True, slots=True)
class ScoringFailure:
    """Why there is no surprisal: a kind that is counted, and the first reason, which is told."""

    kind: str
    reason: GardenpathError


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSentence:
    """What a model says of one sentence, in its own tokens."""

    tokens: tuple[str, ...]
    surprisals: NDArray[np.float64]
    oov: NDArray[np.bool_] | None
    """Which tokens it does not know, also of those that have no surprisal; None where it does not say."""
    fit: TokenFit
    """Which token is of which word of the suite."""
    place: str = ""
    """file:line, of a file."""
    running_text: bool = False
    """Did the model read text, and cut it into tokens itself?"""
    failure: ScoringFailure | None = None

    @classmethod
    def failed(cls, words: Sequence[str], failure: ScoringFailure) -> ScoredSentence:
        """A sentence of which nothing was said."""
        size = len(words)
        return cls(tuple(words), np.full(size, np.nan), np.zeros(size, bool), TokenFit.same(size), failure=failure)


@dataclass(frozen=True)
class ModelSeed:
    """One seed of a system: a model, and which of its folders where it has several seeds in files."""

    model: LanguageModel
    name: str


def model_seeds(entrant: Entrant) -> list[ModelSeed]:
    """Every seed of a system: one for each member, or for each folder of a member that is files."""
    return [
        ModelSeed(cast("LanguageModel", member), name)
        for member in entrant.members
        for name in (member.seeds if isinstance(member, SurprisalFiles) else [_seed_name(member.name)])
    ]


def seed_numbers(seeds: Sequence[ModelSeed]) -> list[int]:
    """The numbers in the names of the seeds, where they tell them apart; else 0, 1, 2."""
    digits = ["".join(char for char in seed.name if char.isdigit()) for seed in seeds]
    if all(digits) and len(set(digits)) == len(digits):
        return [int(text) for text in digits]
    return list(range(len(seeds)))


def scored_sentences(
    seed: ModelSeed,
    title: str,
    sentences: Sequence[Sequence[str]],
    texts: Sequence[str],
    where: Where | Workplace = HERE,
    *,
    by_end: bool = False,
    asked: Sequence[Spans] | None = None,
) -> list[ScoredSentence]:
    """What a seed says of the sentences of a suite, given as words and as running text.

    A token on a border is of no word; `by_end`: of the word in which it ends. Where spans are `asked`, a model that
    can leave out other tokens does.
    """
    model = seed.model
    if isinstance(model, SurprisalFiles):
        return [
            _from_file(words, answer, by_end)
            for words, answer in zip(sentences, model.of_suite(title, sentences, seed.name), strict=True)
        ]
    if isinstance(model, RunningText):
        readings, failures = readings_with(model, texts, asked=asked, where=where)
        return [
            _from_reading(words, reading, failures.get(place), by_end)
            for place, (words, reading) in enumerate(zip(sentences, readings, strict=True))
        ]
    scores = score_with(model, sentences, where=where)
    reason = SystemFailure(scores.notes[0] if scores.notes else "it failed", where=model.name)
    return [
        ScoredSentence(
            tuple(words), scores.surprisals[place], scores.oov[place], TokenFit.same(len(words)),
            failure=ScoringFailure(kind, reason) if (kind := scores.problems.get(place)) else None,
        )
        for place, words in enumerate(sentences)
    ]  # fmt: skip


def _from_file(words: Sequence[str], answer: ScoredTokens, by_end: bool) -> ScoredSentence:
    failure = None
    if np.isnan(answer.surprisals).any():
        reason = InputError(f"this sentence was not scored: {' '.join(words)}", where=answer.place)
        failure = ScoringFailure(NOT_SCORED, reason)
    fitted = fit(words, answer.tokens, by_end)
    return ScoredSentence(answer.tokens, answer.surprisals, answer.oov, fitted, answer.place, failure=failure)


def _from_reading(
    words: Sequence[str], reading: Reading, failure: FailedOnInput | None, by_end: bool
) -> ScoredSentence:
    """A reading on the words of a suite; tokens without surprisal are left out, be they unknown words or not."""
    word_of, broken = reading.word_of(words, by_end)
    kept = reading.scored
    tokens = tuple(token for token, scored in zip(reading.tokens, kept.tolist(), strict=True) if scored)
    return ScoredSentence(
        tokens, reading.surprisals[kept], reading.oov, TokenFit(word_of[kept], range(0), broken),
        running_text=True, failure=ScoringFailure(problem_of(failure), failure) if failure is not None else None,
    )  # fmt: skip


def _seed_name(name: str) -> str:
    """`seed-1` of `lstm:models/seed-1`; empty of a model that no seed is known of."""
    folder = PurePath(split_step(name.partition(":")[2].partition("#")[0])[0]).name
    return folder if folder.startswith("seed-") else ""
