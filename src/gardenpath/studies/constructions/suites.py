"""The suites that are judged, and the columns by which their items are grouped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from ...errors import InputError, UsageError
from ...formats import CONSTRUCTIONS
from ...suites.constructions.finding import gold_files, gold_trees, misgivings
from ...suites.constructions.model import ConstructionSuite
from ...suites.constructions.sampling import as_suite, find_all, is_testable
from .declaration import FORMAT, ConstructionsSettings, _place, is_suite


def check_source(source: Any, settings: ConstructionsSettings) -> None:
    """A suite has its scheme: only a treebank needs to be told."""
    for part in _parts(source):
        is_a_suite = isinstance(part, ConstructionSuite) or is_suite(str(part))
        if settings.scheme and is_a_suite:
            todo = "leave out --scheme, or name a treebank"
            raise UsageError("this is a suite, which says its scheme itself", where=_name(part), todo=todo)


def files_of(source: Any, settings: ConstructionsSettings) -> list[str]:
    """The folders of suites, or the files of a treebank; nothing of what is given as objects."""
    places = [part for part in _parts(source) if not isinstance(part, ConstructionSuite)]
    if settings.scheme:
        return [file for part in places for file in gold_files(part, settings.scheme)]
    return [str(_place(part)) for part in places]


def suites_of(source: Any, settings: ConstructionsSettings) -> list[ConstructionSuite]:
    """All suites with the items that are asked for; each has a name or a scheme of its own."""
    suites = [suite for part in _parts(source) for suite in _chosen(part, settings)]
    if not suites:
        raise UsageError("no suite to judge", todo="name a suite of constructions")
    keys = [(suite.name, suite.scheme) for suite in suites]
    twice = next((name for name, scheme in keys if keys.count((name, scheme)) > 1), None)
    if twice is not None:
        raise UsageError(f"two suites are called {twice}", todo="name each suite once")
    return suites


def shown_source(source: Any) -> str:
    """The source as messages name it."""
    return ", ".join(map(_name, _parts(source)))


def _parts(source: Any) -> list[Any]:
    single = isinstance(source, str | PathLike | ConstructionSuite) or not isinstance(source, Iterable)
    return [source] if single else list(source)


def _name(part: Any) -> str:
    return part.name if isinstance(part, ConstructionSuite) else str(part)


def _chosen(part: Any, settings: ConstructionsSettings) -> Iterable[ConstructionSuite]:
    """The suites of one part of a source, with the phenomena that are asked for."""
    for suite in _read(part, settings):
        if settings.phenomena:
            wanted = [item for item in suite.items if item.construction.phenomenon in settings.phenomena]
            left_out = {name: count for name, count in suite.left_out.items() if name in settings.phenomena}
            suite = replace(suite, items=wanted, left_out=left_out)
        if not suite.items:
            todo = "gardenpath suite make constructions counts what is in a treebank"
            raise InputError("no such construction is here", where=_name(part), todo=todo)
        yield suite


def _read(part: Any, settings: ConstructionsSettings) -> Sequence[ConstructionSuite]:
    """One suite, the two of a parallel one, or all that is found in a treebank."""
    if isinstance(part, ConstructionSuite):
        return [part]
    if not settings.scheme:
        suites = CONSTRUCTIONS.reader(FORMAT)(_place(part))
        return [suites] if isinstance(suites, ConstructionSuite) else suites
    trees = gold_trees(part, settings.scheme)
    found = list(find_all(trees, settings.scheme))
    hits = [hit for hit in found if is_testable(hit.construction)]
    left_out = Counter(hit.construction.phenomenon for hit in found if not is_testable(hit.construction))
    if not hits and (doubt := misgivings(trees, settings.scheme)):
        raise InputError(f"no construction is here: {doubt}", where=_name(part), todo="name the scheme of the trees")
    suite = as_suite(trees, hits, name=Path(part).name, release="", scheme=settings.scheme)
    return [replace(suite, left_out=left_out)]
