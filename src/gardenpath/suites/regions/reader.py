"""Reading suites of regions: what a file is, is decided by its content (the Mandarin layouts also by their names)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...data import is_data_name, locate
from ...errors import InputError, UsageError
from ...formats import REGIONS, bare
from ...treebank.source import Source, open_files, paths
from . import mandarin
from .model import RegionSuite

_SURPRISALS = b"sentence_id\ttoken_id"


def region_format(data: bytes, name: str = "<bytes>") -> str:
    """Which of the formats it is; empty where it is none of them."""
    return REGIONS.sniffed(data, name) or ""


def read_region_suite(source: Source) -> RegionSuite:
    """The suite in one file."""
    suites = list(read_region_suites(source))
    if len(suites) != 1:
        what = f"{len(suites)} suites where one is expected"
        raise UsageError(what, where=str(source), todo="name one file")
    return suites[0]


def read_region_suites(source: Source) -> Iterator[RegionSuite]:
    """A suite per file; a folder with the Mandarin suites stands for the paper's 24, another one for all it has."""
    for path in region_files(source):
        for name, data, _ in open_files(path, tolerant=False):
            yield _parsed(data, name)


def region_files(source: Source) -> list[str]:
    """The files that a name stands for: a file, a folder's suites, what a glob matches, or data by name."""
    if is_data_name(str(source)):
        source = locate(str(source))
    return paths(source, _suites_in)


def _suites_in(folder: Path) -> list[str]:
    endings = tuple("." + suffix.rpartition(".")[2] for suffix in REGIONS.suffixes)
    files = sorted(file for file in folder.rglob("*") if bare(file.name).endswith(endings) and file.is_file())
    paper = [file for file in files if mandarin.is_paper(file.name)]
    if paper:
        order = {title: place for place, title in enumerate(mandarin.PAPER)}
        return [str(file) for file in sorted(paper, key=lambda file: order["_".join(mandarin.class_of(file.name))])]
    found = [str(file) for file in files if region_format(_head(file), file.name)]
    if not found:
        todo = "expected SyntaxGym's JSON, BLiMP's lines, CLiMP's or Mandarin tables, or a table of pairs"
        raise InputError("no suite of regions in this folder", where=str(folder), todo=todo)
    return found


def holds_regions(source: Source) -> bool:
    """Is this a suite of regions, or a folder of them? By its first bytes; what cannot be read is none."""
    path = Path(source)
    try:
        if path.is_dir():
            return bool(region_files(path))
        return path.is_file() and bool(region_format(_head(path), path.name))
    except (InputError, OSError):
        return False


def _parsed(data: bytes, name: str) -> RegionSuite:
    if format := region_format(data, name):
        suite: RegionSuite = REGIONS.reader(format)(data, name)
        return suite
    if not data.strip():
        raise InputError("the file is empty", where=name)
    if data[:200].lstrip(b"\xef\xbb\xbf").startswith(_SURPRISALS):
        raise InputError("this is a file of surprisals, no suite", where=name, todo=f"write surprisals:{name}")
    todo = "expected SyntaxGym's JSON, BLiMP's lines, CLiMP's or Mandarin tables, or a table with columns good and bad"
    raise InputError("this is no suite of regions", where=name, todo=todo)


def _head(path: Path) -> bytes:
    """Enough of a file to tell its format; of JSON all, for its keys come in any order."""
    for _, data, _ in open_files(str(path), tolerant=False):
        return data
    return b""
