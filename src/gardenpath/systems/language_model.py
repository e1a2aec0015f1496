"""Surprisals of sentences by any language model: the exchange of words and numbers, and what comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import FailedOnInput, SystemFailure
from ..runs.where import HERE, Where, Workplace
from .asking import ask, note_on, problem_of
from .protocol import LANGUAGE_MODEL, LanguageModel, Sentences
from .registry import language_model
from .sentences import OfSentences, SentenceBlock
from .surprisal_table import ROUNDING


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
            yield SentenceBlock.of(sentences, first)
            first += len(sentences)

    for answers in ask(_Scoring(), given, numbered(), where):
        yield _joined([piece for _, piece in answers], given.signature)


def surprisals_with(
    model: str | LanguageModel, sentences: Sentences, *, where: Where | Workplace = HERE
) -> list[NDArray[np.float64]]:
    """The surprisals alone (see `score_with`), in bits: one array per sentence, one value per token."""
    return score_with(model, sentences, where=where).surprisals


@dataclass(frozen=True, slots=True)
class _Scored:
    """The numbers of one piece."""

    surprisals: list[NDArray[np.float64]]
    oov: list[NDArray[np.bool_]]
    ends: NDArray[np.float64] | None
    failure: FailedOnInput | None = None


class _Scoring(OfSentences[_Scored]):
    """Words out, numbers back as bytes: surprisals, marks of unknown words, surprisals of ends where there are some."""

    label = "scoring"
    role = LANGUAGE_MODEL

    @property
    def answer(self) -> Callable[[Any, Any], Any]:
        return score_sentences

    def received(self, units: SentenceBlock, answer: bytes, first: int) -> _Scored:
        lengths = [len(words) for words in units.sentences]
        total, cuts = sum(lengths), list(accumulate(lengths))[:-1]
        values = np.frombuffer(answer, "<f8", total).astype(np.float64)
        oov = np.frombuffer(answer, "u1", total, 8 * total).astype(np.bool_)
        ends = np.frombuffer(answer[9 * total :], "<f8").astype(np.float64)
        return _Scored(np.split(values, cuts), np.split(oov, cuts), ends if len(ends) == len(lengths) else None)

    def lost(self, units: SentenceBlock, failure: FailedOnInput, first: int) -> _Scored:
        lengths = [len(words) for words in units.sentences]
        nothing = [np.full(length, np.nan) for length in lengths]
        unknown = [np.zeros(length, dtype=bool) for length in lengths]
        return _Scored(nothing, unknown, np.full(len(lengths), np.nan), failure)


def score_sentences(model: LanguageModel, block: SentenceBlock) -> bytes:
    """The scores of one piece, packed."""
    surprisals, oov = model.surprisals(block.sentences), model.oov(block.sentences)
    _check(model.name, block, surprisals, oov)
    ends = getattr(model, "end_surprisals", None)
    parts = [np.concatenate([np.empty(0), *surprisals]).astype("<f8").tobytes()]
    parts.append(np.concatenate([np.empty(0, bool), *oov]).astype("u1").tobytes())
    if ends is not None:
        parts.append(np.asarray(ends(block.sentences)).astype("<f8").tobytes())
    return b"".join(parts)


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


def _joined(pieces: Sequence[_Scored], signature: str) -> SurprisalScores:
    problems, notes = dict[int, str](), list[str]()
    at = 0
    for piece in pieces:
        if piece.failure is not None:
            problems |= dict.fromkeys(range(at, at + len(piece.surprisals)), problem_of(piece.failure))
            notes = notes or [note_on(piece.failure)]
        at += len(piece.surprisals)
    known = [piece.ends for piece in pieces if piece.ends is not None]
    predicted = len(known) == len(pieces) and any(piece.failure is None for piece in pieces)
    return SurprisalScores(
        [values for piece in pieces for values in piece.surprisals],
        [marks for piece in pieces for marks in piece.oov],
        np.concatenate(known) if predicted else None,
        signature,
        problems,
        tuple(notes),
    )
