"""What a language model says of the sentences of a suite: its tokens, their words, and the surprisal of regions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import PurePath
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ...errors import FailedOnInput, GardenpathError, InputError, SystemFailure, UsageError, unknown_name
from ...runs.work.where import HERE, Where, Workplace
from ...suites.regions.formula import ALL, atoms_of
from ...suites.regions.model import METRICS, Condition, Item, RegionSuite
from ...suites.regions.pairs import common_start
from ...systems.asking.entrants import Entrant
from ...systems.asking.exchange import problem_of
from ...systems.asking.protocol import LanguageModel
from ...systems.files.models import split_step
from ...systems.files.surprisal_file import ScoredTokens, SurprisalFiles, is_unknown, plain
from ...systems.language_models.running_text import Reading, RunningText, Spans, readings_with, word_spans
from ...systems.language_models.scoring import score_with

OTHER = -1
"""The word of a token that stands in a stretch the suite does not have."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenFit:
    """`word_of[i]` is the word in which token i begins, or ends where that is asked for."""

    word_of: NDArray[np.int64]
    lost: range
    """Words of the suite that the model did not see, because its text is another one there."""
    broken: frozenset[int]
    """Words that begin inside a token."""
    other_text: bool = False
    """Did the model see other words than those of the suite in some stretch?"""

    @classmethod
    def same(cls, size: int) -> TokenFit:
        """The tokens are the words."""
        return cls(np.arange(size), range(0), frozenset())

    def covers(self, begin: int, end: int) -> bool:
        """Are the words from begin to end all there, with borders of tokens at both ends, and nothing else inside?"""
        if begin >= end or begin in self.broken or end in self.broken:
            return False
        if len(self.lost):
            return self.lost.stop <= begin or end <= self.lost.start
        inserted = self.other_text and begin < self.lost.start < end
        return not inserted


def fit(words: Sequence[str], tokens: Sequence[str], by_end: bool = False) -> TokenFit:
    """The tokens of a model on the words of a suite."""
    size = len(words)
    same = len(tokens) == size and all(
        token == word or is_unknown(token) for token, word in zip(tokens, words, strict=True)
    )
    if same:
        return TokenFit.same(size)
    bare = [plain(token) for token in tokens]
    if "".join(bare) == "".join(words):
        return _by_characters(words, bare, by_end)
    ahead = common_start(words, tokens)
    behind = min(common_start(words[::-1], tokens[::-1]), size - ahead, len(tokens) - ahead)
    word_of = np.full(len(tokens), OTHER, dtype=np.int64)
    word_of[:ahead] = np.arange(ahead)
    if behind:
        word_of[len(tokens) - behind :] = np.arange(size - behind, size)
    return TokenFit(word_of, range(ahead, size - behind), frozenset(), True)


def _by_characters(words: Sequence[str], tokens: Sequence[str], by_end: bool) -> TokenFit:
    """A token belongs to the word in which it begins, as in SyntaxGym; or, by its end, to that in which it ends."""
    ends = list(accumulate(map(len, words)))
    borders = [0, *accumulate(map(len, tokens))]
    places = [max(begin, end - 1) for begin, end in pairwise(borders)] if by_end else borders[:-1]
    word_of = np.searchsorted(ends, places, side="right")
    at = set(borders[:-1])
    broken = frozenset(number for number, begin in enumerate([0, *ends[:-1]]) if begin not in at and not by_end)
    return TokenFit(np.minimum(word_of, len(words) - 1).astype(np.int64), range(0), broken)


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


Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LENGTHS = ("token", "character", "byte")
MISFIT = "a region does not fit the tokens"
"""The kind of failure of an item with such a region: it cannot be scored."""
_METRICS: Mapping[str, Callable[[Floats], float]] = {
    "sum": lambda values: float(values.sum()),
    "mean": lambda values: float(values.mean()),
    "median": lambda values: float(np.median(values)),
    "range": lambda values: float(values.max() - values.min()),
    "max": lambda values: float(values.max()),
    "min": lambda values: float(values.min()),
}


@dataclass(frozen=True)
class AskedSuite:
    """The sentences of a suite as a model is asked them: item by item, condition by condition."""

    suite: RegionSuite
    tokens: str = ""
    """As the settings name them; empty: characters where the suite has no word borders, else its words."""
    left_out: int = 0
    """Pairs of all suites that are not asked, because no target is known of them; told with the first suite."""
    unread: tuple[str, ...] = ()
    """Tables beside all suites that are none, by name; told with the first suite."""

    @property
    def mode(self) -> str:
        return self.tokens or ("suite" if self.suite.segmented else "characters")

    @cached_property
    def order(self) -> list[tuple[Item, Condition]]:
        for item in self.suite.items:
            for name in self.suite.condition_names:
                if sum(condition.name == name for condition in item.conditions) != 1:
                    todo = f"gardenpath suite check {self.suite.name} names all such items"
                    raise InputError(f"not one condition {name}", where=self.suite.place(item), todo=todo)
        return [(item, condition) for item in self.suite.items for condition in item.conditions]

    @cached_property
    def cut(self) -> list[dict[int, tuple[str, ...]]]:
        """The tokens of every region of every sentence."""
        split = {"suite": _words, "punctuation": split_punctuation, "characters": _characters}[self.mode]
        return [{region.number: tuple(split(region.content)) for region in one.regions} for _, one in self.order]

    @cached_property
    def sentences(self) -> list[list[str]]:
        return [[token for part in regions.values() for token in part] for regions in self.cut]

    @cached_property
    def texts(self) -> list[str]:
        """The sentences as they are written, for models that read running text."""
        return [condition.text(self.suite.joiner) for _, condition in self.order]

    @cached_property
    def spans(self) -> list[list[tuple[int, int]]]:
        """Where the regions that predictions name are in each text, each from the end of the word before it on."""
        by_sentence = []
        for (_, condition), regions, words, text in zip(self.order, self.cut, self.sentences, self.texts, strict=True):
            wanted = {number for number, name in self.suite.asked if name == condition.name}
            stops = [0, *word_spans(text, words)[1].tolist()]
            spans, begin = list[tuple[int, int]](), 0
            for number, part in regions.items():
                end = begin + len(part)
                if part and (number in wanted or ALL in wanted):
                    spans.append((stops[begin], stops[end]))
                begin = end
            by_sentence.append(spans)
        return by_sentence

    def check(self) -> None:
        """Formulas that can be read, name what there is, and ask for no region without words."""
        suite = self.suite
        if not suite.predictions:
            raise InputError("this suite predicts nothing", where=suite.name, todo="add a formula to predictions")
        for prediction in suite.predictions:
            for atom in atoms_of(prediction.tree):
                if atom.condition not in suite.condition_names:
                    error = unknown_name("condition", atom.condition, suite.condition_names)
                    raise UsageError(f"{error.what} in {prediction.formula}", where=prediction.where, todo=error.todo)
                if atom.region != ALL and atom.region not in suite.region_numbers:
                    todo = f"regions are {', '.join(map(str, suite.region_numbers))}, or *"
                    what = f"no region {atom.region} in this suite: {prediction.formula}"
                    raise InputError(what, where=prediction.where, todo=todo)
        for (item, condition), regions in zip(self.order, self.cut, strict=True):
            for number, name in suite.asked:
                if name == condition.name and not (regions.get(number) if number else any(regions.values())):
                    what = "an empty region has no surprisal, and a prediction asks for it"
                    todo = f"gardenpath suite check {suite.name} names all such items"
                    raise InputError(what, where=suite.place(item, name, number), todo=todo)


@dataclass(frozen=True, eq=False)
class RegionSurprisals:
    """Surprisals by (region, condition), one per item; region 0 is the whole sentence."""

    of: Mapping[tuple[int, str], Floats]
    """NaN of items that failed."""
    lengths: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)
    """token, character, byte: by condition, one per item."""
    oov: Bools | None = None
    """Items with a token that the model does not know; None where it does not say."""
    other_text: int = 0
    """Sentences that the model saw in other words, outside the regions that count."""
    failures: Mapping[int, ScoringFailure] = field(default_factory=dict)
    """Why an item cannot be judged, by its place: a sentence that failed, or a region that does not fit."""


def measured(asked: AskedSuite, sentences: Sequence[ScoredSentence], metric: str) -> RegionSurprisals:
    """The asked regions of a suite from what a model said of its sentences."""
    if metric not in METRICS:
        raise unknown_name("metric", metric, METRICS)
    suite, count = asked.suite, len(asked.suite.items)
    names = suite.condition_names
    wanted = {name: frozenset(number for number, other in suite.asked if other == name) for name in names}
    of = {key: np.full(count, np.nan) for key in suite.asked}
    lengths = {kind: {name: np.empty(count) for name in names} for kind in LENGTHS}
    unknown, says_oov, other_text = np.zeros(count, dtype=bool), True, 0
    failures: dict[int, ScoringFailure] = {}
    place_of = {id(item): place for place, item in enumerate(suite.items)}
    for (item, condition), regions, sentence in zip(asked.order, asked.cut, sentences, strict=True):
        place, name = place_of[id(item)], condition.name
        try:
            for number, value in _asked_regions(suite, item, condition, regions, sentence, metric, wanted[name]):
                of[number, name][place] = value
            other_text += sentence.fit.other_text
        except _FailedItemError as failed:
            failures.setdefault(place, failed.failure)
        text = condition.text(suite.joiner)
        sizes = (len(sentence.tokens), len(text), len(text.encode("utf-8")))
        for kind, size in zip(LENGTHS, sizes, strict=True):
            lengths[kind][name][place] = size
        if sentence.oov is None:
            says_oov = False
        else:
            unknown[place] |= bool(sentence.oov.any())
    for values in of.values():
        values[list(failures)] = np.nan
    oov = unknown if says_oov or unknown.any() else None
    return RegionSurprisals(of, lengths if suite.is_pairs else {}, oov, other_text, failures)


class _FailedItemError(Exception):
    """A sentence that predictions ask for has no surprisal where they need it."""

    def __init__(self, failure: ScoringFailure) -> None:
        self.failure = failure


def _asked_regions(
    suite: RegionSuite, item: Item, condition: Condition, regions: Mapping[int, Sequence[str]],
    sentence: ScoredSentence, metric: str, wanted: frozenset[int],
) -> Iterator[tuple[int, float]]:  # fmt: skip
    """The surprisal of each region that is asked for; SyntaxGym's `*` (ALL) is the sum over the regions."""
    if wanted and sentence.failure is not None:
        raise _FailedItemError(sentence.failure)
    values = _regions(regions, sentence, metric, wanted)

    def value_of(number: int) -> float:
        value = values.get(number)
        if value is None:
            error = _misfit(suite, item, condition.name, number, " ".join(regions[number]), sentence)
            raise _FailedItemError(ScoringFailure(MISFIT, error))
        return value

    for number in wanted:
        if number == ALL and sentence.running_text and metric == "sum":
            yield number, float(sentence.surprisals.sum())  # also where borders of regions are inside tokens
        else:
            yield number, sum(map(value_of, values)) if number == ALL else value_of(number)


def _regions(
    regions: Mapping[int, Sequence[str]], sentence: ScoredSentence, metric: str, wanted: frozenset[int]
) -> dict[int, float | None]:
    """The surprisal of each region with words that is asked for; None of one that does not fit."""
    values: dict[int, float | None] = {}
    begin, fitted = 0, sentence.fit
    for number, part in regions.items():
        end = begin + len(part)
        if part and (number in wanted or ALL in wanted):
            inside = (fitted.word_of >= begin) & (fitted.word_of < end)
            fits = fitted.covers(begin, end) and bool(inside.any())
            values[number] = _METRICS[metric](sentence.surprisals[inside]) if fits else None
        begin = end
    return values


def _misfit(
    suite: RegionSuite, item: Item, condition: str, number: int, text: str, sentence: ScoredSentence
) -> InputError:
    what = f"region {number}, {text!r}, does not fit the model's tokens: {' '.join(sentence.tokens)}"
    by = f"; the model's are at {sentence.place}" if sentence.place else ""
    todo = f"score the sentences of this suite again{by}"
    if sentence.running_text:
        todo = (
            "a border of the region is inside a token (--set border=end gives it to the region in which it ends), or "
            "the region is the first token, with nothing before it"
            if sentence.fit.broken
            else "no token of its own has a surprisal: it is part of a token that ends in the next region, or the "
            "first token, with nothing before it"
        )
    return InputError(what, where=suite.place(item, condition, number), todo=todo)


def _words(text: str) -> list[str]:
    return text.split()


def split_punctuation(text: str) -> list[str]:
    """Words with the punctuation at their ends as tokens of their own, as treebanks and word models have it."""
    import re

    return [part for word in text.split() for part in re.findall(r"\w[\w'’.-]*\w|\w|[^\w\s]", word)]


def _characters(text: str) -> list[str]:
    return [char for char in text if not char.isspace()]
