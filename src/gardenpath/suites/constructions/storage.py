"""A suite of constructions on disk: a folder with `suite.toml`, `items.tsv` and the trees.

Phrase trees are in `trees.export`, dependency trees in `trees.conllu`. A parallel suite, the same items in several
schemes, is a folder with such a folder for each (`tiger`, `tuebadz`, `ud`).
Tokens are counted from 1 in the files. A node is written as its category and its tokens: `NP 3-4,7`.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from ...boundary.structured import read_toml
from ...boundary.texts import file_bytes, file_text
from ...errors import InputError, UsageError
from ...formats import Format
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.tree import PhraseTree
from .finding import RULES_VERSION, check_scheme
from .gold import gold_trees
from .items_table import items_text, read_items
from .model import SCHEMES, ConstructionSuite

SUITE, TREES, ARCS, ITEMS = "suite.toml", "trees.export", "trees.conllu", "items.tsv"


def write_constructions(suite: ConstructionSuite | Sequence[ConstructionSuite], path: str | PathLike[str]) -> None:
    """Writes a suite, or those of a parallel one: whole or not at all. Another suite at this place is replaced."""
    from ...runs.atomic import cannot_write, workplace
    from ...runs.replacing import replace_folder

    target = Path(path).expanduser().resolve()
    check_target(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with workplace(target, folder=True) as workshop:
            made = workshop / "suite"
            made.mkdir()
            if isinstance(suite, ConstructionSuite):
                _write(suite, made)
            else:
                for half in suite:
                    (made / half.scheme).mkdir()
                    _write(half, made / half.scheme)
            replace_folder(made, target)
    except OSError as error:
        raise cannot_write(error, target) from error


def read_constructions(path: str | PathLike[str], scheme: str | None = None) -> ConstructionSuite:
    """The suite in a folder; of a parallel suite the half in this scheme. An InputError says what is wrong where."""
    folder = Path(path)
    if scheme is not None:
        check_scheme(scheme)
    if (folder / SUITE).is_file():
        suite = _read(folder)
        if scheme not in (None, suite.scheme):
            what = f"this suite is in the scheme {suite.scheme}, not {scheme}"
            raise UsageError(what, where=str(folder), todo=f"say {suite.scheme}")
        return suite
    halves = schemes_of(folder)
    if not halves:
        todo = f"a suite of constructions is a folder with {SUITE}, {TREES} (or {ARCS}) and {ITEMS}"
        raise InputError("no suite of constructions is here", where=str(folder), todo=todo)
    if scheme is None and len(halves) > 1:
        what = f"this suite is in {len(halves)} schemes"
        raise UsageError(what, where=str(folder), todo=f"say which: {' or '.join(halves)}")
    if scheme is not None and scheme not in halves:
        raise UsageError(f"this suite has no {scheme}", where=str(folder), todo=f"say {halves[0]}")
    return _read(folder / (scheme or halves[0]))


def read_parallel(path: str | PathLike[str]) -> dict[str, ConstructionSuite]:
    """All schemes of a suite; where there are several, the same items with the same words are in each."""
    folder = Path(path)
    names = schemes_of(folder)
    if not names:
        suite = read_constructions(folder)
        return {suite.scheme: suite}
    halves = {name: read_constructions(folder, name) for name in names}
    first, *others = halves.values()
    known = {item.item: item for item in first.items}
    for part in others:
        if missing := known.keys() ^ {item.item for item in part.items}:
            what = f"item {min(missing)} is in one scheme only"
            raise InputError(what, where=str(folder), todo="a parallel suite has the same items in each")
        for item in part.items:
            twin = known[item.item]
            if twin.construction.phenomenon != item.construction.phenomenon or twin.tree.words != item.tree.words:
                raise InputError(f"item {item.item} is not the same in all schemes", where=str(folder))
    return halves


def read_suites(path: str | PathLike[str]) -> ConstructionSuite | tuple[ConstructionSuite, ...]:
    """What is in a folder, as `write_constructions` takes it: a suite, or those of a parallel one."""
    suites = read_parallel(path)
    return tuple(suites.values()) if schemes_of(path) else next(iter(suites.values()))


def schemes_of(path: str | PathLike[str]) -> tuple[str, ...]:
    """The schemes that a parallel suite has; none if the folder is not one."""
    return tuple(name for name in SCHEMES if (Path(path) / name / SUITE).is_file())


def is_constructions(path: str | PathLike[str]) -> bool:
    """Is there a suite of constructions at this place?"""
    return (Path(path) / SUITE).is_file() or bool(schemes_of(path))


def check_target(target: Path) -> None:
    """Fails where a suite could not be written, or would take the place of something else."""
    if target.is_dir():
        if any(target.iterdir()) and not is_constructions(target):
            what = "this folder holds something that is not a suite of constructions"
            raise UsageError(what, where=str(target), todo="choose a new folder")
    elif target.exists():
        raise UsageError("a suite of constructions is a folder, this is a file", where=str(target))


def _write(suite: ConstructionSuite, folder: Path) -> None:
    check_scheme(suite.scheme)
    trees = suite.trees
    settings = (("name", suite.name), ("release", suite.release), ("scheme", suite.scheme), ("rules", RULES_VERSION))
    lines = "".join(f"{key} = {_toml(value)}\n" for key, value in settings)
    (folder / SUITE).write_text(lines, encoding="utf-8")
    _write_trees(trees, folder, suite.scheme)
    (folder / ITEMS).write_text(items_text(suite.items, trees), encoding="utf-8")


def _toml(text: str) -> str:
    """A TOML string, which is a JSON string but for one character."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read(folder: Path) -> ConstructionSuite:
    settings = _settings(folder / SUITE)
    for name in (trees_name(settings["scheme"]), ITEMS):
        if not (folder / name).is_file():
            raise InputError(f"{name} is missing", where=str(folder), todo=f"a suite has {SUITE}, trees and {ITEMS}")
    trees = _read_trees(folder, settings["scheme"])
    items = read_items(file_text(folder / ITEMS), trees, str(folder / ITEMS))
    return ConstructionSuite(settings["name"], settings["release"], settings["scheme"], items)


def trees_name(scheme: str) -> str:
    """The file of the trees of a suite in this scheme."""
    return ARCS if known_scheme(scheme).arcs else TREES


def _write_trees(trees: Sequence[PhraseTree], folder: Path, scheme: str) -> None:
    place = folder / trees_name(scheme)
    if place.name == ARCS:
        from ...phrase.dependency_phrases import to_treebank

        place.write_bytes(to_treebank(trees).to_bytes())
    else:
        from ...phrase.source import write

        write(trees, place, "export")


def _read_trees(folder: Path, scheme: str) -> list[PhraseTree]:
    place = folder / trees_name(scheme)
    if place.name == ARCS:
        return gold_trees(str(place), scheme)
    from ...phrase.source import read

    return read(place, "export")


def _settings(path: Path) -> dict[str, str]:
    table = read_toml(file_bytes(path), str(path))
    for key in ("name", "release", "scheme"):
        if not isinstance(table.get(key), str):
            raise InputError(f"{key} is missing or no text", where=str(path), todo=f'write {key} = "…"')
    try:
        check_scheme(table["scheme"])
    except UsageError as error:
        raise InputError(error.what, where=str(path), todo=error.todo) from None
    return table


FORMATS = (
    Format(
        "constructions",
        f"a folder with {SUITE}, {TREES} (or {ARCS}) and {ITEMS}",
        sniff=lambda _, path: is_constructions(path),
        read=read_suites,
        write=write_constructions,
        by_name=True,
    ),
)
