"""The decisive arc of a sentence: what a parser must find there if it did not take the garden path.

In *While the man hunted the deer ran* it says that *deer* is the subject of *ran*. A condition of a suite may carry
one, as `"arc": {"dependent": 6, "head": 7, "labels": ["nsubj"]}`: words from 1, separated by blanks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from ...errors import InputError
from .formula import ALL, Atom, comparisons_of
from .model import Condition, Item, RegionSuite

KEY = "arc"
"""Where a condition keeps it, in JSON too."""
_TODO = 'write "arc": {"dependent": 6, "head": 7, "labels": ["nsubj"]}, words from 1'


@dataclass(frozen=True, slots=True)
class DecisiveArc:
    """Two words of a sentence, from 1, and the labels that are right between them."""

    dependent: int
    head: int
    labels: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"dependent": self.dependent, "head": self.head, "labels": list(self.labels)}


@dataclass(frozen=True, slots=True)
class Contrast:
    """A region that is compared in two conditions: where it must be more surprising, and where less."""

    region: int
    harder: str
    easier: str
    place: int
    """Which of the suite's comparisons it is, from 0."""


def contrasts_of(suite: RegionSuite) -> list[Contrast]:
    """The comparisons of the suite that compare one region in two conditions."""
    compared = [comparison for prediction in suite.predictions for comparison in comparisons_of(prediction.tree)]
    contrasts = []
    for place, comparison in enumerate(compared):
        if comparison.sign == "=":
            continue
        sides = (comparison.left, comparison.right)
        harder, easier = sides if comparison.sign == ">" else sides[::-1]
        if isinstance(harder, Atom) and isinstance(easier, Atom) and harder.region == easier.region != ALL:
            contrasts.append(Contrast(harder.region, harder.condition, easier.condition, place))
    return contrasts


def arc_of(suite: RegionSuite, item: Item, condition: Condition) -> DecisiveArc | None:
    """The decisive arc of a sentence, if it carries one; what is no arc, or leaves the sentence, is an error."""
    raw = condition.extra.get(KEY)
    if raw is None:
        return None
    where = suite.place(item, condition.name)
    if not isinstance(raw, Mapping) or raw.keys() != {"dependent", "head", "labels"}:
        raise InputError("this is not a decisive arc", where=where, todo=_TODO)
    words, labels = (raw["dependent"], raw["head"]), raw["labels"]
    if not isinstance(labels, list) or not labels or not all(isinstance(label, str) and label for label in labels):
        raise InputError("a decisive arc without labels", where=where, todo=_TODO)
    size = len(condition.words)
    if not all(type(word) is int and 1 <= word <= size for word in words) or words[0] == words[1]:
        what = f"the decisive arc {words[0]} ← {words[1]} is none between two words of a sentence of {size}"
        raise InputError(what, where=where, todo=_TODO)
    return DecisiveArc(*words, tuple(labels))


def carries_arcs(suite: RegionSuite) -> bool:
    """Does some sentence of the suite carry a decisive arc?"""
    return any(KEY in condition.extra for item in suite.items for condition in item.conditions)


def garden_path_arcs(
    construction: str, ambiguous: Sequence[str], unambiguous: Sequence[str], positions: tuple[int, int]
) -> tuple[DecisiveArc, DecisiveArc] | None:
    """The decisive arcs of a classic garden path, by rule; `positions` are those of the disambiguating word, from 1.

    NP/S and NP/Z: the word before it is its subject (*the file deserved …*). Main verb or reduced relative: its subject
    is the word after which *who was* is inserted (*the suspect (who was) sent the file deserved …*).
    """
    if construction in ("NPS", "NPZ"):
        dependents = (positions[0] - 1, positions[1] - 1)
    elif construction == "MVRR":
        shared = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(ambiguous, unambiguous, strict=False))))
        dependents = (shared, shared)
    else:
        return None
    if not all(0 < word < verb for word, verb in zip(dependents, positions, strict=True)):
        return None
    first, second = (DecisiveArc(word, verb, ("nsubj",)) for word, verb in zip(dependents, positions, strict=True))
    return first, second
