"""The surprisal of every region that a suite asks for, by one seed of a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError, unknown_name
from ...suites.regions.formula import ALL, atoms_of
from ...suites.regions.model import METRICS, Condition, Item, RegionSuite
from .entrants import Said
from .fit import Fit, fit

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

TOKENS = ("suite", "punctuation", "characters")
"""What a token is: a word of the suite; the same with punctuation split off; a character."""
LENGTHS = ("token", "character", "byte")
_METRICS: Mapping[str, Callable[[Floats], float]] = {
    "sum": lambda values: float(values.sum()),
    "mean": lambda values: float(values.mean()),
    "median": lambda values: float(np.median(values)),
    "range": lambda values: float(values.max() - values.min()),
    "max": lambda values: float(values.max()),
    "min": lambda values: float(values.min()),
}


@dataclass(frozen=True)
class Asked:
    """The sentences of a suite as a model is asked them: item by item, condition by condition."""

    suite: RegionSuite
    tokens: str = ""
    """One of TOKENS; empty: characters where the suite has no word borders, else its words."""

    @property
    def mode(self) -> str:
        return self.tokens or ("suite" if self.suite.segmented else "characters")

    @cached_property
    def order(self) -> list[tuple[Item, Condition]]:
        for item in self.suite.items:
            for name in self.suite.condition_names:
                if sum(one.name == name for one in item.conditions) != 1:
                    todo = f"gardenpath suites check {self.suite.name} names all such items"
                    raise InputError(f"not one condition {name}", where=self.suite.place(item), todo=todo)
        return [(item, one) for item in self.suite.items for one in item.conditions]

    @cached_property
    def cut(self) -> list[dict[int, tuple[str, ...]]]:
        """The tokens of every region of every sentence."""
        split = {"suite": _words, "punctuation": _split_punctuation, "characters": _characters}[self.mode]
        return [{region.number: tuple(split(region.content)) for region in one.regions} for _, one in self.order]

    @cached_property
    def sentences(self) -> list[list[str]]:
        return [[token for part in regions.values() for token in part] for regions in self.cut]

    @cached_property
    def texts(self) -> list[str]:
        """The sentences as they are written, for models that read running text."""
        return [condition.text(self.suite.joiner) for _, condition in self.order]

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
class Values:
    """Surprisals by (region, condition), one per item; region 0 is the whole sentence."""

    of: Mapping[tuple[int, str], Floats]
    lengths: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)
    """token, character, byte: by condition, one per item."""
    oov: Bools | None = None
    """Items with a token that the model does not know; None where it does not say."""
    other_text: int = 0
    """Sentences that the model saw in other words, outside the regions that count."""


def measured(asked: Asked, said: Sequence[Said], metric: str) -> Values:
    """The asked regions of a suite from what a model said; a region that does not fit its tokens is an error."""
    if metric not in METRICS:
        raise unknown_name("metric", metric, METRICS)
    suite, count = asked.suite, len(asked.suite.items)
    names = suite.condition_names
    wanted = {name: frozenset(number for number, other in suite.asked if other == name) for name in names}
    of = {key: np.empty(count) for key in suite.asked}
    lengths = {kind: {name: np.empty(count) for name in names} for kind in LENGTHS}
    unknown, told, other = np.zeros(count, dtype=bool), True, 0
    place_of = {id(item): place for place, item in enumerate(suite.items)}
    for (item, condition), regions, words, one in zip(asked.order, asked.cut, asked.sentences, said, strict=True):
        place = place_of[id(item)]
        matched = one.fit or fit(words, one.tokens)
        other += matched.other_text
        name, numbers = condition.name, wanted.get(condition.name, frozenset())
        found = _regions(regions, matched, one, metric, numbers)
        for number in numbers:
            if number == ALL and one.fit is not None and metric == "sum":
                of[number, name][place] = one.surprisals.sum()  # also where borders of regions are inside tokens
            elif number == ALL:
                of[number, name][place] = _whole(suite, item, condition, found, regions, one)
            else:
                of[number, name][place] = _one(suite, item, condition, number, found, one, regions)
        text = condition.text(suite.joiner)
        sizes = (len(one.tokens), len(text), len(text.encode("utf-8")))
        for kind, size in zip(LENGTHS, sizes, strict=True):
            lengths[kind][condition.name][place] = size
        if one.oov is None:
            told = False
        else:
            unknown[place] |= bool(one.oov.any())
    return Values(of, lengths if suite.is_pairs else {}, unknown if told or unknown.any() else None, other)


def _regions(
    regions: Mapping[int, Sequence[str]], matched: Fit, one: Said, metric: str, wanted: frozenset[int]
) -> dict[int, float | None]:
    """The surprisal of each region with words that is asked for; None of one that does not fit."""
    found: dict[int, float | None] = {}
    begin = 0
    for number, part in regions.items():
        end = begin + len(part)
        if part and (number in wanted or ALL in wanted):
            inside = (matched.word_of >= begin) & (matched.word_of < end)
            fits = matched.covers(begin, end) and bool(inside.any())
            found[number] = _METRICS[metric](one.surprisals[inside]) if fits else None
        begin = end
    return found


def _one(
    suite: RegionSuite, item: Item, condition: Condition, number: int, found: Mapping[int, float | None], one: Said,
    regions: Mapping[int, Sequence[str]],
) -> float:  # fmt: skip
    value = found.get(number)
    if value is None:
        raise _misfit(suite, item, condition.name, number, " ".join(regions[number]), one)
    return value


def _whole(
    suite: RegionSuite, item: Item, condition: Condition, found: Mapping[int, float | None],
    regions: Mapping[int, Sequence[str]], one: Said,
) -> float:  # fmt: skip
    """SyntaxGym's `*`: the sum over the regions."""
    return sum(_one(suite, item, condition, number, found, one, regions) for number in found)


def _misfit(suite: RegionSuite, item: Item, condition: str, number: int, text: str, one: Said) -> InputError:
    what = f"region {number}, {text!r}, does not fit the model's tokens: {' '.join(one.tokens)}"
    by = f"; the model's are at {one.place}" if one.place else ""
    todo = f"score the sentences of this suite again{by}"
    if one.fit is not None:
        todo = "a border of the region is inside a token, or the region is the first token, with nothing before it"
    return InputError(what, where=suite.place(item, condition, number), todo=todo)


def _words(text: str) -> list[str]:
    return text.split()


def _split_punctuation(text: str) -> list[str]:
    """Words with the punctuation at their ends as tokens of their own, as treebanks and word models have it."""
    import re

    return [part for word in text.split() for part in re.findall(r"\w[\w'’.-]*\w|\w|[^\w\s]", word)]


def _characters(text: str) -> list[str]:
    return [char for char in text if not char.isspace()]
