"""Suites of regions in another form: what the form can hold is kept; what it cannot is listed, or is an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...errors import GardenpathError
from ...formats import REGIONS
from ..conversion import Written
from . import mandarin
from .model import RegionSuite


def convert_regions(suite: RegionSuite, to: str) -> Written:
    """The suite as `syntaxgym`, `blimp`, `climp`, `mandarin` (lines), `mandarin-csv`, or one of the tables of pairs.

    What is lost is found by reading the result again.
    """
    data = REGIONS.writer(to, "format of suites of regions")(suite)
    return Written(data, tuple(_losses(suite, data, to)))


def _losses(suite: RegionSuite, data: bytes, to: str) -> Iterator[str]:
    ending = REGIONS[to].suffixes[0] if to in (mandarin.LINES, mandarin.TABLE) else ""
    if ending == "_tkd.csv" and not suite.segmented:
        ending = ".csv"
    key = suite.property_of("paradigm")
    name = f"{key or 'sd'}_{suite.property_of('modifier') or 'none'}{ending}" if ending else suite.title
    try:
        if REGIONS.sniffed(data, name) != to:
            yield "the form: it cannot be told from the file alone"
            return
        back = REGIONS.reader(to)(data, name)
    except GardenpathError as error:
        yield f"a suite that can be read again ({error.what})"
        return
    yield from _differences(suite, back)


def _differences(suite: RegionSuite, back: RegionSuite) -> Iterator[str]:
    if suite.title != back.title:
        yield f"the name of the suite, {suite.title}"
    pairs = list(zip(suite.items, back.items, strict=False))
    if renumbered := sum(one.id != two.id for one, two in pairs):
        yield f"numbers of items: {renumbered:,}"
    regions = sum(
        [region.words for region in condition.regions] != [region.words for region in two.regions]
        for item, again in pairs
        for condition in item.conditions
        if (two := again.condition(condition.name)) is not None
    )
    if regions:
        yield f"borders of regions, in sentences: {regions:,}"
    if dict(suite.region_names) != dict(back.region_names):
        yield f"names of regions: {', '.join(suite.region_names.values())}"
    lost = [
        prediction.formula
        for prediction in suite.predictions
        if prediction.formula not in {two.formula for two in back.predictions}
    ]
    if lost:
        yield f"predictions: {'; '.join(lost)}"
    gone = [f"{key} {value}" for key, value in suite.properties.items() if back.properties.get(key) != value]
    if gone:
        yield f"properties: {', '.join(gone)}"
    if (suite.metric, suite.joiner, suite.segmented) != (back.metric, back.joiner, back.segmented):
        yield f"how words are joined and summed: metric {suite.metric}, joiner {suite.joiner!r}"
    marks = sum(
        dict(one.extra) != dict(two.extra) for one, two in pairs if one.extra and not _keeps(one.extra, two.extra)
    )
    if marks:
        yield f"further fields of items: {marks:,}"
    meta = suite.extra.get("meta")
    again = back.extra.get("meta")
    if isinstance(meta, dict) and not (isinstance(again, dict) and meta.items() <= again.items()):
        fields = ", ".join(key for key in meta if key not in ("name", "metric") and meta[key])
        if fields:
            yield f"fields of meta: {fields}"


def _keeps(before: Mapping[str, object], after: Mapping[str, object]) -> bool:
    return all(key in after and after[key] == value for key, value in before.items())
