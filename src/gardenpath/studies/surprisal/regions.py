"""The surprisal of every region that a suite asks for, by one seed of a system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError, unknown_name
from ...suites.regions.formula import ALL, atoms_of
from ...suites.regions.model import METRICS, Condition, Item, RegionSuite
from ...systems.running_text import word_spans
from .asking import ScoredSentence, ScoringFailure

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
                    todo = f"gardenpath suites check {self.suite.name} names all such items"
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
                    todo = f"gardenpath suites check {suite.name} names all such items"
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
            "a border of the region is inside a token (--border end gives it to the region in which it ends), or "
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
