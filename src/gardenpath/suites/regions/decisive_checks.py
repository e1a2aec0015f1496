"""What can be wrong in sentences that say which word disambiguates them, and which arc is decisive."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import InputError
from ..registry import Hit, check_of_regions
from .decisive import KEY, arc_of, carries_arcs
from .model import RegionSuite
from .pair_columns import bare_name
from .positions import FORMAT


@check_of_regions(
    "two-positions", "a column of positions from 0 that contradicts the one from 1, which is taken",
    "see which word is meant, and correct the other column", level="warning",
)  # fmt: skip
def two_positions(suite: RegionSuite) -> Iterator[Hit]:
    for place, item in enumerate(suite.items if suite.format == FORMAT else ()):
        column = next((name for name in item.columns if bare_name(name).endswith("_0idx")), None)
        words = item.conditions[0].words
        before = len(item.conditions[0].regions[0].words)
        cell = str(item.columns[column]).partition(".")[0] if column else ""
        if cell.isdigit() and int(cell) != before:
            meant = words[int(cell)] if int(cell) < len(words) else "no word"
            yield Hit(place, f"{column} is {cell}, {meant!r}; the position from 1 is {before + 1}, {words[before]!r}")


@check_of_regions("wrong-arc", "a decisive arc that cannot be read, or leaves its sentence", "correct it")
def wrong_arcs(suite: RegionSuite) -> Iterator[Hit]:
    for place, item in enumerate(suite.items):
        for condition in item.conditions:
            try:
                arc_of(suite, item, condition)
            except InputError as error:
                yield Hit(place, f"{condition.name}: {error.what}", todo=error.todo)


@check_of_regions(
    "missing-arc", "a sentence without a decisive arc, though others of the suite have one",
    "add it: the joint study leaves the item out", level="warning",
)  # fmt: skip
def missing_arcs(suite: RegionSuite) -> Iterator[Hit]:
    for place, item in enumerate(suite.items if carries_arcs(suite) else ()):
        for condition in item.conditions:
            if KEY not in condition.extra:
                yield Hit(place, f"no decisive arc in {condition.name}")
