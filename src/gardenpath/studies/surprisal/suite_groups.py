"""Suites that are reported together, and classes whose modifiers grow more complex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...runs.result import Value
from ...suites.regions.model import RegionSuite


@dataclass(frozen=True, slots=True)
class SuiteGroup:
    """Suites that are reported together."""

    by: Mapping[str, Value]
    places: tuple[int, ...]


def groups_of(suites: Sequence[RegionSuite]) -> list[SuiteGroup]:
    """By class, modifier, class and modifier, complexity, kind, and kind with and without modifier."""
    groups: list[SuiteGroup] = []
    for keys in (("class",), ("modifier",), ("class", "modifier"), ("kind",)):
        values: dict[tuple[str, ...], list[int]] = {}
        for place, suite in enumerate(suites):
            key = tuple(suite.property_of(name) for name in keys)
            if all(key):
                values.setdefault(key, []).append(place)
        groups += [SuiteGroup(dict(zip(keys, key, strict=True)), tuple(places)) for key, places in values.items()]
    modified: dict[tuple[str, str], list[int]] = {}
    for place, suite in enumerate(suites):
        kind, modifier = suite.property_of("kind"), suite.property_of("modifier")
        if kind and modifier:
            modified.setdefault((kind, "no" if modifier == "none" else "yes"), []).append(place)
    groups += [SuiteGroup({"kind": kind, "modified": word}, tuple(places)) for (kind, word), places in modified.items()]
    return groups


def ladders_of(suites: Sequence[RegionSuite]) -> dict[str, list[tuple[float, int]]]:
    """Classes whose modifiers have a known complexity: (complexity, suite), from the least to the most."""
    by_class: dict[str, list[tuple[float, int]]] = {}
    for place, suite in enumerate(suites):
        try:
            step = float(suite.property_of("complexity"))
        except ValueError:
            continue
        by_class.setdefault(suite.property_of("class"), []).append((step, place))
    return {name: sorted(steps) for name, steps in by_class.items() if len({step for step, _ in steps}) > 1}
