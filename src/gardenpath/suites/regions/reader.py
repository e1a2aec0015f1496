"""Reading region suites: files told by content or name, tables and suites already in memory, human accuracy."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from os import PathLike
from os.path import commonpath
from pathlib import Path, PurePath
from typing import Any

from ...boundary.structured import read_object
from ...data import is_data_name, locate
from ...errors import GardenpathError, InputError, UsageError
from ...formats import REGIONS, bare, head
from ...treebank.format.reading import Source, file_contents, is_archive, kind_of_object, paths
from . import mandarin
from .file_text import csv_bytes, csv_rows, decoded
from .hierarchy import by_paradigm
from .model import RegionSuite
from .pair_files import from_rows, from_table
from .pairs import WRITING, find_columns, no_pairs
from .positions import CONSTRUCTION
from .positions import FORMAT as POSITIONS

FRAME = "data frame"


@dataclass(frozen=True, slots=True)
class GivenSuites:
    """Suites that are there, and the names of those that must be read."""

    suites: list[RegionSuite]
    names: list[Source]

    def __str__(self) -> str:
        return ", ".join([*(suite.name for suite in self.suites), *map(str, self.names)])


def given_suites(source: Any, layout: Mapping[str, str] | None = None) -> GivenSuites:
    """The one thing or the several that are given. `layout` names the columns of frames whose names do not tell."""
    single = isinstance(source, RegionSuite | str | PathLike | Mapping) or is_frame(source)
    parts = [source] if single or not isinstance(source, Iterable) else list(source)
    parts = [_frame_of(part) if isinstance(part, Mapping) else part for part in parts]
    frames = sum(map(is_frame, parts))
    suites, names = list[RegionSuite](), list[Source]()
    for part in parts:
        if is_frame(part):
            number = sum(suite.name.startswith(FRAME) for suite in suites) + 1
            suites.append(frame_suite(part, layout, FRAME if frames == 1 else f"{FRAME} {number}"))
        elif isinstance(part, RegionSuite):
            suites.append(part)
        elif isinstance(part, str | PathLike):
            names.append(part)
        else:
            todo = "give suites, data frames or columns of pairs, or names of files"
            raise UsageError(f"{kind_of_object(part)} is not a suite", todo=todo)
    return GivenSuites(suites, names)


def is_frame(source: Any) -> bool:
    """Is it a data frame of Polars or pandas? Neither of them is imported for it."""
    return hasattr(source, "columns") and (hasattr(source, "iter_rows") or hasattr(source, "itertuples"))


def _frame_of(columns: Mapping[str, Any]) -> Any:
    """A data frame of columns by name."""
    import polars as pl

    try:
        return pl.DataFrame(dict(columns), strict=False)
    except (pl.exceptions.PolarsError, TypeError, ValueError) as error:
        todo = 'give lists of the same length: {"good": [...], "bad": [...]}'
        raise UsageError(f"this mapping is no table of pairs: {error}", todo=todo) from None


def frame_suite(frame: Any, layout: Mapping[str, str] | None = None, name: str = FRAME) -> RegionSuite:
    """The pairs of a data frame, read as a file with these columns is: good and bad, or sentence and label.

    >>> import polars
    >>> frame = polars.DataFrame({"good": ["cats sleep"], "bad": ["cats sleeps"]})
    >>> [condition.text() for condition in frame_suite(frame).items[0].conditions]
    ['cats sleep', 'cats sleeps']
    """
    if hasattr(frame, "iter_rows"):
        rows = frame.iter_rows()
    else:
        rows = frame.astype(object).where(frame.notna(), None).itertuples(index=False, name=None)
    cells = [["" if value is None else str(value) for value in row] for row in rows]
    header = list(map(str, frame.columns))
    columns = find_columns(header, layout, where=name)
    if not columns:
        raise no_pairs(header, name)
    return (from_table if columns.good else from_rows)(csv_bytes([header, *cells]), name, layout)


_PARADIGMS = ("uid", "paradigm", "condition")
_ACCURACIES = ("acc", "accuracy", "total_mean")
_OWN_FIELDS = {"UID", "linguistics_term", "simple_LM_method"}
"""A line of BLiMP has these; other files may have paradigms of the same names."""


def with_human_accuracy(suites: Sequence[RegionSuite], files: Sequence[str]) -> list[RegionSuite]:
    """The suites, with the accuracy of people in per cent where it was published; `files` lie beside them."""
    beside: dict[str, float] = {}
    for file in files:
        if "human" in Path(file).name.lower():
            beside |= _read(file)
    return [
        suite if accuracy is None else replace(suite, extra={**suite.extra, "human_accuracy": accuracy})
        for suite in suites
        for accuracy in [beside.get(suite.title, _published(suite))]
    ]


def _read(file: str) -> Mapping[str, float]:
    """Per cent by paradigm of a table with such columns, shares among 0 and 1; nothing where it is another table."""
    try:
        ((name, data),) = file_contents(file)
        (_, header), *rows = csv_rows(decoded(data, name), name)
    except (InputError, ValueError):
        return {}
    names = [column.strip().casefold() for column in header]
    paradigm = next((names.index(column) for column in _PARADIGMS if column in names), None)
    accuracy = next((names.index(column) for column in _ACCURACIES if column in names), None)
    if paradigm is None or accuracy is None:
        return {}
    try:
        return {row[paradigm]: 100 * float(row[accuracy]) for _, row in rows}
    except (ValueError, IndexError):
        return {}


def _published(suite: RegionSuite) -> float | None:
    first = suite.items[0].columns if suite.items else {}
    return _blimp().get(str(first["UID"])) if first.keys() >= _OWN_FIELDS else None


@cache
def _blimp() -> Mapping[str, float]:
    table: dict[str, float] = tomllib.loads((Path(__file__).parent / "human_blimp.toml").read_text(encoding="utf-8"))
    return table


_SURPRISALS = (b"sentence_id\ttoken_id", b"word_pos", b"sum_surprisal")
"""What the first line of a file of surprisals has in it."""
_PAIRS = ("blimp", "pairs", "pair-rows", "labelled-lines")
"""Formats whose columns a layout may name."""
_NO_PAIRS = ("human", "readme", "license")
_TABLES = (".csv", ".tsv", ".jsonl")
_EXPECTED = (
    "expected SyntaxGym's JSON, BLiMP's lines, CLiMP's or Mandarin tables, labelled lines, sentences with the position "
    "of a word, or a table with columns good and bad (or named by --set layout)"
)


def region_format(data: bytes, name: str = "<bytes>") -> str:
    """Which of the formats it is; empty where it is none of them."""
    return REGIONS.sniffed(data, name) or ""


def read_region_suite(source: Source, layout: Mapping[str, str] | None = None) -> RegionSuite:
    """The suite in one file."""
    suites = list(read_region_suites(source, layout))
    if len(suites) != 1:
        what = f"{len(suites)} suites where one is expected"
        raise UsageError(what, where=str(source), todo="name one file")
    return suites[0]


def read_region_suites(source: Source, layout: Mapping[str, str] | None = None) -> list[RegionSuite]:
    """A suite per file; a folder with the Mandarin suites stands for the paper's 24, another one for all it has.

    Pairs that do not say their phenomenon are in the class of their folder, where there are several. `layout` says
    what the columns of files of pairs are, where their names do not.
    """
    files, plain = list[tuple[str, bytes]](), set[tuple[str, bytes]]()
    for path in sorted(region_files(source, layout), key=is_archive):
        for name, data in _contents(path, layout or {}):
            same = (PurePath(name).name, data)  # repositories often have their files in an archive, too
            if not is_archive(path):
                plain.add(same)
            elif same in plain:
                continue
            files.append((name, data))
    suites = _once([_parsed(data, name, layout or {}, alone=len(files) == 1) for name, data in files])
    folders = {PurePath(suite.name).parent for suite in suites}
    if len(folders) == 1:
        return suites
    root = commonpath(folders) if folders else ""
    return [
        replace(suite, properties={**suite.properties, "class": folder})
        if suite.format in _PAIRS
        and not suite.property_of("class")
        and (folder := PurePath(suite.name).parent.relative_to(root).as_posix()) != "."
        else suite
        for suite in suites
    ]


def _once(suites: Iterable[RegionSuite]) -> list[RegionSuite]:
    """Tables of positions that lie there in two layouts, with a row for each item and for each sentence, count once."""
    kept, seen = list[RegionSuite](), set[frozenset[object]]()
    for suite in suites:
        if suite.format == POSITIONS:
            items = frozenset(
                (item.columns[CONSTRUCTION], item.id, *(condition.words for condition in item.conditions))
                for item in suite.items
            )
            if items in seen:
                continue
            seen.add(items)
        kept.append(suite)
    return kept


def read_paradigms(sources: Iterable[Source], layout: Mapping[str, str] | None = None) -> list[RegionSuite]:
    """A suite per paradigm of all these sources, with titles that tell them apart, and what people achieve on it."""
    named = list(sources)
    suites = by_paradigm([suite for source in named for suite in read_region_suites(source, layout)])
    folders = [Path(locate(str(source)) if is_data_name(str(source)) else source) for source in named]
    beside = [str(file) for folder in folders if folder.is_dir() for file in sorted(folder.rglob("*.csv"))]
    return with_human_accuracy(suites, beside)


def region_files(source: Source, layout: Mapping[str, str] | None = None) -> list[str]:
    """The files that a name stands for: a file, a folder's suites, what a glob matches, or data by name."""
    return paths(source, lambda folder: _suites_in(folder, layout or {}))


def _suites_in(folder: Path, layout: Mapping[str, str]) -> list[str]:
    endings = _endings()
    inside = sorted(file for file in folder.rglob("*") if file.is_file())
    files = [file for file in inside if is_archive(file.name) or bare(file.name).endswith(endings)]
    paper = [file for file in files if mandarin.is_paper(file.name)]
    if paper:
        order = {title: place for place, title in enumerate(mandarin.PAPER)}
        return [str(file) for file in sorted(paper, key=lambda file: order["_".join(mandarin.class_of(file.name))])]
    formats = [
        str(file) for file in files if any(_format(data, name, layout) for name, data in _contents(str(file), layout))
    ]
    if not formats:
        for file in files:  # a table whose columns are not known: asked for, not passed over
            for name, data in _contents(str(file), layout):
                if columns := _columns(data, name):
                    raise no_pairs(columns, f"{name}:1")
        raise InputError("no suite of regions in this folder", where=str(folder), todo=_EXPECTED)
    return formats


def unread_files(source: Source, layout: Mapping[str, str] | None = None) -> list[str]:
    """The tables and JSON lines of a folder or archive that are no suites, by name: something may be missing there."""
    path = Path(locate(str(source)) if is_data_name(str(source)) else source)
    if not path.is_dir() and not is_archive(str(path)):
        return []
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    if any(mandarin.is_paper(file.name) for file in files):
        return []
    members = (
        member
        for file in files
        if is_archive(file.name) or bare(file.name).endswith(_TABLES)
        for member in file_contents(str(file), _TABLES)
    )
    names = ((PurePath(name).name, data) for name, data in members)
    return [
        name
        for name, data in names
        if not _format(data, name, layout or {})
        and not name.lower().startswith(_NO_PAIRS)
        and not _holds_surprisals(data)
    ]


def holds_regions(source: Source, layout: Mapping[str, str] | None = None) -> bool:
    """Is this a suite of regions, or a folder or archive of them? What cannot be read is none."""
    try:
        path = Path(locate(str(source)) if is_data_name(str(source)) else source)
        if path.is_dir():
            return bool(region_files(path, layout))
        return path.is_file() and any(
            _format(data, name, layout or {}) for name, data in _contents(str(path), layout or {})
        )
    except (GardenpathError, OSError):
        return False


def _endings() -> tuple[str, ...]:
    return tuple(dict.fromkeys("." + suffix.rpartition(".")[2] for suffix in REGIONS.suffixes))


def _contents(path: str, layout: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of a file; of an archive, of its suites, and of all members where there is none."""
    members = list(file_contents(path, _endings()))
    suites = [(name, data) for name, data in members if _format(data, name, layout)] if is_archive(path) else members
    yield from suites or members


def _format(data: bytes, name: str, layout: Mapping[str, str]) -> str:
    """The format by the content; with a layout also a table or lines of JSON whose columns it names."""
    if (format := region_format(data, name)) or not layout:
        return format
    start = head(data)
    if start.startswith((b"{", b"[")):
        return "blimp"
    named = [value for key, value in layout.items() if key not in WRITING]
    if "order" in layout:
        return "" if PurePath(name).name.lower().startswith(_NO_PAIRS) else "labelled-lines"
    line = start.split(b"\n", 1)[0].decode(layout.get("encoding", "utf-8"), "replace")
    if all(column in line for column in named):
        return "pair-rows" if "label" in layout or "sentence" in layout else "pairs"
    return ""


def _parsed(data: bytes, name: str, layout: Mapping[str, str], *, alone: bool) -> RegionSuite:
    format = _format(data, name, layout)
    if format in _PAIRS:
        pairs: RegionSuite = REGIONS.reader(format)(data, name, layout)
        return pairs
    if format and layout and alone:
        raise UsageError(f"a layout is for pairs, and this is {REGIONS[format].about}", where=name)
    if format:
        suite: RegionSuite = REGIONS.reader(format)(data, name)
        return suite
    if not data.strip():
        raise InputError("the file is empty", where=name)
    if _holds_surprisals(data):
        raise InputError("this is a file of surprisals, no suite", where=name, todo=f"write surprisals:{name}")
    if columns := _columns(data, name):
        raise no_pairs(columns, f"{name}:1")
    raise InputError("this is not a suite of regions", where=name, todo=_EXPECTED)


def _holds_surprisals(data: bytes) -> bool:
    line = head(data).split(b"\n", 1)[0]
    return any(mark in line for mark in _SURPRISALS)


def _columns(data: bytes, name: str) -> list[str]:
    """The names of the columns of a table or of lines of JSON whose names tell nothing; none of another file."""
    line = head(data).split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    if bare(name).endswith(".jsonl") and line.startswith("{"):
        try:
            return list(read_object(line, name))
        except InputError:
            return []
    separator = max("\t,;|", key=line.count)
    return line.split(separator) if bare(name).endswith(_TABLES) and separator in line else []
