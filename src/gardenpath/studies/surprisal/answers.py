"""What a language model says of all suites, seed by seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import FailedOnInput
from ...systems.asking.entrants import Entrant
from ...systems.asking.exchange import problem_of
from ...systems.files.surprisal_file import SurprisalFiles
from ..engine.study import Work
from .asking import (
    AskedSuite,
    Floats,
    ModelSeed,
    RegionSurprisals,
    ScoredSentence,
    ScoringFailure,
    measured,
    model_seeds,
    scored_sentences,
    seed_numbers,
)
from .declaration import ASKED, SurprisalSettings
from .outcomes import word_bits
from .scores import seed_mean


@dataclass(frozen=True, eq=False)
class ScoredSystem:
    """What the seeds of one system say of all suites."""

    seeds: Sequence[int]
    surprisals: Sequence[Sequence[RegionSurprisals]]
    """By suite and seed."""
    words: Sequence[Sequence[Sequence[Floats]]]
    """The bits of every word: by suite, seed and sentence."""
    surplus: int = 0
    """Sentences of its files that no suite has."""
    axis: str = ""
    """The system of which this is one checkpoint."""
    step: int | None = None

    @property
    def bits(self) -> list[list[Floats]]:
        """Of every word: by suite and sentence, mean over seeds."""
        return [[seed_mean(by_seed) for by_seed in zip(*of_suite, strict=True)] for of_suite in self.words]


def ask_model(
    material: Sequence[AskedSuite], entrant: Entrant, settings: SurprisalSettings, work: Work
) -> ScoredSystem:
    """All seeds of a system on all suites; items on which it fails are counted, all of them are an error."""
    seeds = model_seeds(entrant)
    surprisals, words = list[list[RegionSurprisals]](), list[list[list[Floats]]]()
    answered: set[int] = set()
    for asked in material:
        by_seed, bits = list[RegionSurprisals](), list[list[Floats]]()
        for number, seed in enumerate(seeds):
            sentences = _sentences(asked, seed, settings, work, tolerant=number in answered)
            answered.add(number)
            by_seed.append(measured(asked, sentences, settings.metric or asked.suite.metric))
            bits.append(word_bits(asked, sentences))
        surprisals.append(by_seed)
        words.append(bits)
    failures = [failure for by_seed in surprisals for values in by_seed for failure in values.failures.values()]
    if failures and len(failures) == len(seeds) * sum(len(asked.suite) for asked in material):
        raise failures[0].reason
    if failures:
        count = "an item" if len(failures) == 1 else f"{len(failures)} items"
        work.tell(f"{entrant.name}: failed on {count}; the first reason: {failures[0].reason}")
    files = {id(seed.model): seed.model for seed in seeds if isinstance(seed.model, SurprisalFiles)}
    if entrant.axis:  # one checkpoint is in memory at a time
        for seed in seeds:
            if (release := getattr(seed.model, "release", None)) is not None:
                release()
    surplus = sum(model.surplus for model in files.values())
    return ScoredSystem(seed_numbers(seeds), surprisals, words, surplus, entrant.axis, entrant.step)


def _sentences(
    asked: AskedSuite, seed: ModelSeed, settings: SurprisalSettings, work: Work, *, tolerant: bool
) -> list[ScoredSentence]:
    """What a seed says of a suite. That it fails on all of it is tolerated where it did well on another one."""
    try:
        return scored_sentences(
            seed, asked.suite.title, asked.sentences, asked.texts, work.place, by_end=settings.border == "end",
            asked=asked.spans if settings.words == ASKED else None,
        )  # fmt: skip
    except FailedOnInput as error:
        if not tolerant:
            raise
        failure = ScoringFailure(problem_of(error), error)
        return [ScoredSentence.failed(words, failure) for words in asked.sentences]
