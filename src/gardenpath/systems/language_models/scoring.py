"""Surprisals of sentences by any language model, and perplexity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ...errors import FailedOnInput, SystemFailure
from ...runs.work.where import HERE, Where, Workplace
from ..asking.exchange import SentenceBlock, ask_sentences, loaded, note_on, problem_of
from ..asking.protocol import LANGUAGE_MODEL, LanguageModel, Sentences
from ..asking.registry import language_model
from ..files.surprisal_file import ROUNDING
from .running_text import same_bits


@dataclass(frozen=True)
class SurprisalScores:
    """What a model says on sentences: one array per sentence, one value per token."""

    surprisals: list[NDArray[np.float64]]
    """NaN throughout for a sentence on which the model failed."""
    oov: list[NDArray[np.bool_]]
    ends: NDArray[np.float64] | None
    """Surprisal of the end of each sentence; None of a model that does not predict it."""
    signature: str
    problems: dict[int, str] = field(default_factory=dict)
    """The kind of failure of each sentence, by its place."""
    notes: tuple[str, ...] = ()

    @property
    def failures(self) -> Counter[str]:
        """Sentences that failed, by kind."""
        return Counter(self.problems.values())


def score_with(model: str | LanguageModel, sentences: Sentences, *, where: Where | Workplace = HERE) -> SurprisalScores:
    """Surprisals and unknown words. What was scored before comes from the cache, and then no model is loaded."""
    (scores,) = score_blocks(model, [sentences], where=where)
    return scores


def score_blocks(
    model: str | LanguageModel, blocks: Iterable[Sentences], *, where: Where | Workplace = HERE
) -> Iterator[SurprisalScores]:
    """The same for an input in stretches; the model, the workers and the numbers of sentences go on."""
    given = language_model(model) if isinstance(model, str) else model

    def numbered() -> Iterator[SentenceBlock]:
        first = 1
        for sentences in blocks:
            yield _ScoringInput.of(sentences, first)
            first += len(sentences)

    for scored, failed in ask_sentences(numbered(), given, where):
        ends = [end for _, _, end in scored if end is not None]
        predicted = len(ends) == len(scored) > len(failed)
        yield SurprisalScores(
            [bits for bits, _, _ in scored],
            [marks for _, marks, _ in scored],
            np.array(ends, dtype=np.float64) if predicted else None,
            given.signature,
            {place: problem_of(failure) for place, failure in failed.items()},
            tuple(note_on(failure) for failure in list(failed.values())[:1]),
        )


def surprisals_with(
    model: str | LanguageModel, sentences: Sentences, *, where: Where | Workplace = HERE
) -> list[NDArray[np.float64]]:
    """The surprisals alone (see `score_with`), in bits: one array per sentence, one value per token."""
    return score_with(model, sentences, where=where).surprisals


_Scored = tuple[NDArray[np.float64], NDArray[np.bool_], float | None]
"""Surprisals, unknown words and the surprisal of the end of one sentence."""


class _ScoringInput(SentenceBlock):
    label, role = "scoring", LANGUAGE_MODEL

    @staticmethod
    def answer(name: str, signature: str, block: SentenceBlock) -> bytes:
        """The scores of one piece, packed."""
        model: LanguageModel = loaded(name, signature, LANGUAGE_MODEL)
        surprisals, oov = model.surprisals(block.sentences), model.oov(block.sentences)
        _check(model.name, block, surprisals, oov)
        ends = getattr(model, "end_surprisals", None)
        parts = [np.concatenate([np.empty(0), *surprisals]).astype("<f8").tobytes()]
        parts.append(np.concatenate([np.empty(0, bool), *oov]).astype("u1").tobytes())
        if ends is not None:
            parts.append(np.asarray(ends(block.sentences)).astype("<f8").tobytes())
        return b"".join(parts)

    def received(self, answer: bytes) -> list[_Scored]:
        """Return the numbers of a piece: as bytes they are surprisals, unknown words, and ends where there are some."""
        lengths = [len(words) for words in self.sentences]
        total, cuts = sum(lengths), list(accumulate(lengths))[:-1]
        values = np.frombuffer(answer, "<f8", total).astype(np.float64)
        oov = np.frombuffer(answer, "u1", total, 8 * total).astype(np.bool_)
        ends: list[float | None] = list(np.frombuffer(answer[9 * total :], "<f8").tolist())
        if len(ends) != len(lengths):
            ends = [None] * len(lengths)
        return list(zip(np.split(values, cuts), np.split(oov, cuts), ends, strict=True))

    def same(self, first: _Scored, second: _Scored) -> bool:
        return same_bits(first[0], second[0])

    def nothing(self, words: Sequence[str]) -> _Scored:
        return np.full(len(words), np.nan), np.zeros(len(words), dtype=bool), np.nan


def _check(
    name: str, block: SentenceBlock, surprisals: Sequence[NDArray[np.float64]], oov: Sequence[NDArray[np.bool_]]
) -> None:
    """One finite number for each token, or the place where there is none."""
    for what, arrays in (("surprisals", surprisals), ("marks of unknown words", oov)):
        if len(arrays) != len(block.sentences):
            raise SystemFailure(f"{what} of {len(arrays)} sentences for {len(block.sentences)}", where=name)
        for number, (sentence, values) in enumerate(zip(block.sentences, arrays, strict=True), block.first):
            if len(values) != len(sentence):
                where = f"{name}: sentence {number}"
                raise SystemFailure(f"{len(values)} {what} for {len(sentence)} tokens", where=where)
    for number, (sentence, values) in enumerate(zip(block.sentences, surprisals, strict=True), block.first):
        if (np.asarray(values) < -ROUNDING).any():
            at = int(np.argmin(values))
            raise SystemFailure(
                f"the surprisal of token {at + 1}, {sentence[at]!r}, is {float(values[at])}",
                where=f"{name}: sentence {number}",
                todo="a surprisal is -log2 p, never below 0; a log-probability has the other sign",
            )
        finite = np.isfinite(values)
        if not finite.all():
            at = int(np.argmin(finite))
            raise FailedOnInput(
                f"the surprisal of token {at + 1}, {sentence[at]!r}, is {float(values[at])}",
                where=f"{name}: sentence {number}",
                todo="a model must give every token a finite surprisal",
            )


@dataclass(frozen=True, slots=True)
class Perplexity:
    """Counts and bits, which add up over pieces of a text."""

    sentences: int = 0
    tokens: int = 0
    oov: int = 0
    bits: float = 0.0
    """Of all tokens, without the ends of sentences."""
    oov_bits: float = 0.0
    end_bits: float | None = 0.0
    """Of all ends of sentences; None of a model that does not predict them."""

    def __add__(self, other: Perplexity) -> Perplexity:
        known = self.end_bits is not None and other.end_bits is not None
        return Perplexity(
            self.sentences + other.sentences,
            self.tokens + other.tokens,
            self.oov + other.oov,
            self.bits + other.bits,
            self.oov_bits + other.oov_bits,
            (self.end_bits or 0.0) + (other.end_bits or 0.0) if known else None,
        )

    def events(self, *, oov: bool = True, ends: bool = True) -> int:
        """What a mean is over: tokens and ends of sentences."""
        return self.tokens + (self.sentences if ends else 0) - (0 if oov else self.oov)

    def value(self, *, oov: bool = True, ends: bool = True) -> float | None:
        """2 to the mean bits per event; None where there is no event, or the ends are asked for and unknown.

        With `ends` it is what KenLM's `query` prints, including (`oov`) and excluding OOVs.
        """
        if ends and self.end_bits is None:
            return None
        events = self.events(oov=oov, ends=ends)
        bits = self.bits + ((self.end_bits or 0.0) if ends else 0.0) - (0.0 if oov else self.oov_bits)
        return float(np.exp2(bits / events)) if events else None


def perplexity(scores: SurprisalScores) -> Perplexity:
    """The counts and bits of these sentences; those on which the model failed are left out."""
    kept = [place for place in range(len(scores.surprisals)) if place not in scores.problems]
    bits = np.concatenate([np.empty(0), *(scores.surprisals[place] for place in kept)])
    oov = np.concatenate([np.empty(0, np.bool_), *(scores.oov[place] for place in kept)])
    ends = float(scores.ends[kept].sum()) if scores.ends is not None else None if kept else 0.0
    return Perplexity(len(kept), len(bits), int(oov.sum()), float(bits.sum()), float(bits[oov].sum()), ends)
