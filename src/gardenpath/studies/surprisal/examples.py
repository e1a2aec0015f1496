"""The sentences behind an accuracy: items of which a prediction holds or does not, with the bits of what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import unknown_name
from ...runs.layout import SIGNED, Column, short_names, table
from ...runs.result import Table
from ...runs.verdict import count_text
from ...suites.regions.model import RegionSuite
from .outcomes import SuiteOutcome
from .regions import AskedSuite, RegionSurprisals

if TYPE_CHECKING:
    from .study import JudgedSurprisal

WRONG, RIGHT, TIE, FAILED = "wrong", "right", "tie", "failed"
KINDS = (WRONG, RIGHT, TIE, FAILED)


@dataclass(frozen=True, slots=True)
class AskedSentence:
    """One condition of an item; regions that predictions name stand in brackets, unless the whole sentence counts."""

    condition: str
    sentence: str
    bits: float | None
    """The surprisal of these regions together."""


@dataclass(frozen=True, slots=True)
class SurprisalExample:
    """One item, as the mean over the seeds of a system."""

    suite: str
    item: str
    kind: str
    difference: float | None
    """Bits by which the comparison that fails most clearly is on the predicted side."""
    conditions: tuple[AskedSentence, ...]


def parse_wanted(suites: Sequence[RegionSuite], wanted: str) -> tuple[str, str]:
    """`KIND` or `KIND:GROUP`, where the group is a suite or a class of suites."""
    kind, _, group = wanted.partition(":")
    if kind not in KINDS:
        raise unknown_name("kind of item", kind, KINDS, where="--examples")
    groups = {name for suite in suites for name in (suite.title, suite.property_of("class")) if name}
    if group and group not in groups:
        raise unknown_name("suite or class", group, sorted(groups), where="--examples")
    return kind, group


def examples_of(judged: JudgedSurprisal, wanted: str, limit: int) -> tuple[list[dict[str, Any]], list[Table]]:
    """For each system the clearest examples of a kind: as data, and as a table."""
    kind, group = parse_wanted(judged.suites, wanted)
    details, tables = list[dict[str, Any]](), list[Table]()
    for system, short in short_names(list(judged.bits)).items():
        chosen = [
            example
            for number, asked in enumerate(judged.asked)
            if group in ("", asked.suite.title, asked.suite.property_of("class"))
            for example in _items(asked, judged.outcomes[system][number], judged.answers[system].surprisals[number])
            if example.kind == kind
        ]
        side = -1 if kind == RIGHT else 1
        chosen.sort(key=lambda example: side * example.difference if example.difference is not None else 0.0)
        details += [{"system": system, **asdict(example)} for example in chosen[:limit]]
        tables.append(_table(short, wanted, chosen[:limit], len(chosen)))
    return details, tables


def _items(
    asked: AskedSuite, outcomes: Sequence[SuiteOutcome], surprisals: Sequence[RegionSurprisals]
) -> Iterator[SurprisalExample]:
    held = np.mean([outcome.holds for outcome in outcomes], axis=0)
    tied = np.any([outcome.ties for outcome in outcomes], axis=0)
    failed = np.all([outcome.failed for outcome in outcomes], axis=0)
    difference = np.mean([outcome.differences for outcome in outcomes], axis=0).min(axis=1)
    sentences: dict[int, list[AskedSentence]] = {}
    place_of = {id(item): place for place, item in enumerate(asked.suite.items)}
    for item, condition in asked.order:
        place, name = place_of[id(item)], condition.name
        numbers = sorted(number for number, other in asked.suite.asked if other == name)
        bits = float(np.mean([sum(values.of[number, name][place] for number in numbers) for values in surprisals]))
        joiner = asked.suite.joiner
        parts = [(region.number in numbers, joiner.join(region.words)) for region in condition.regions if region.words]
        text = joiner.join(f"[{part}]" if marked else part for marked, part in parts)
        sentences.setdefault(place, []).append(AskedSentence(name, text, bits if numbers and isfinite(bits) else None))
    for place, item in enumerate(asked.suite.items):
        if failed[place]:
            kind = FAILED
        elif (held[place] == 1).all():
            kind = RIGHT
        else:
            kind = TIE if (tied[place] | (held[place] == 1)).all() else WRONG
        gap = float(difference[place]) if np.isfinite(difference[place]) else None
        yield SurprisalExample(asked.suite.title, str(item.id), kind, gap, tuple(sentences[place]))


def _table(system: str, wanted: str, shown: Sequence[SurprisalExample], total: int) -> Table:
    """A row for each condition; what is of the whole item stands in its first row."""
    rows = [(example, place, asked) for example in shown for place, asked in enumerate(example.conditions)]
    columns = [
        Column("suite", [None if place else example.suite for example, place, _ in rows]),
        Column("item", [None if place else example.item for example, place, _ in rows]),
        Column("difference", [None if place else example.difference for example, place, _ in rows], SIGNED),
        Column("condition", [asked.condition for *_, asked in rows]),
        Column("bits", [asked.bits for *_, asked in rows]),
        Column("sentence", [asked.sentence for *_, asked in rows]),
    ]
    more = f", {len(shown)} of them" if total > len(shown) else ""
    title = f"{system}: {count_text(total, 'item')} for {wanted}{more}"
    note = "difference: bits on the predicted side; bits: of the regions in brackets, or of the whole sentence"
    return table(title, columns, name="examples", note=note)
