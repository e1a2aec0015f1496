"""Treebanks from files, compressed files, archives, folders, globs, standard input, or objects in memory."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, scandir
from pathlib import Path
from stat import S_ISDIR
from typing import Any

import numpy as np

from ...boundary.texts import LARGEST, check_name, reason
from ...boundary.unpacking import ARCHIVES, archive_members, file_content, opened
from ...errors import InputError, UsageError
from ...formats import PACKED, TREEBANKS, bare
from .columns import Groups, running
from .sentence import Sentence
from .treebank import Treebank, concatenate

ENDINGS = TREEBANKS.suffixes
SUFFIXES = (*ENDINGS, *(f"{ending}{packed}" for ending in ENDINGS for packed in PACKED))
"""What a treebank's name ends with, in folders and archives; capitals do not matter."""

_NOWHERE = (errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP)
"""What the system says of a name that leads nowhere; `Path.exists` passes over more, from Python 3.14 on over all."""

Source = str | PathLike[str]
_File = tuple[str, bytes, dict[str, int]]  # Its name, its bytes, and what was repaired in them


def read(source: Source | Iterable[Source], *, tolerant: bool | None = None, name: str = "") -> Treebank:
    """One treebank from a file (also .gz, .xz, .zip), `-`, a folder, a glob, or several of them.

    Strict for CoNLL-U; `tolerant` (the default for `.conll`) repairs what suites in the CoNLL-X manner
    do differently, and counts the repairs in `Treebank.repairs`. Data goes by name, too:

    >>> read("bundled:de-test")
    <Treebank de_garden-test.conllu: 100 sentences, 1078 words>
    """
    sources = listed(source)
    files = [file for one in sources for file in open_files(one, tolerant=tolerant)]
    return _joined(files, name, " + ".join(map(str, sources)))


def read_groups(sources: Iterable[Source | Iterable[Source]]) -> Groups:
    """Each source as a group of one treebank, which takes much less time than a treebank for each of many files.

    >>> read_groups(["bundled:de-dev", "bundled:de-test"]).borders.tolist()
    [0, 85, 185]
    """
    given = [listed(source) for source in sources]
    groups = [[file for one in parts for file in open_files(one)] for parts in given]
    try:
        treebank = _joined([file for group in groups for file in group], "", " + ".join(str(g[0]) for g in given))
    except InputError:
        if len(given) > 1:
            for parts in given:  # the first fault, as its file alone has it
                read(parts)
        raise
    firsts = running(np.array([len(group) for group in groups]))[:-1]
    begins = np.array([begin for _, begin in treebank.files])[firsts]
    borders = np.append(np.searchsorted(treebank.index.blocks[:-1], begins), len(treebank))
    return Groups(treebank, borders, [_repairs(group) for group in groups])


def _joined(files: Sequence[_File], name: str, label: str) -> Treebank:
    if len(files) == 1:
        (file, data, repairs) = files[0]
        return Treebank(data, name=name or file, files=[(file, 0)], repairs=repairs)
    pieces, starts, begin = [], [], 0
    for file, data, _ in files:
        if data.startswith(b"\xef\xbb\xbf") or not data or data.isspace():
            Treebank(data, name=file)  # raises: what a joined file would hide
        missing = b"" if data.endswith(b"\n\n") else b"\n" if data.endswith(b"\n") else b"\n\n"
        pieces.append(data + missing)
        starts.append((file, begin))
        begin += len(pieces[-1])
    return Treebank(b"".join(pieces), name=name or label, files=starts, repairs=_repairs(files))


def _repairs(files: Iterable[_File]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for _, _, repairs in files:
        for kind, count in repairs.items():
            counted[kind] = counted.get(kind, 0) + count
    return counted


def read_each(source: Source | Iterable[Source], *, tolerant: bool | None = None) -> Iterator[Treebank]:
    """A treebank per file, one at a time.

    >>> [len(treebank) for treebank in read_each(["bundled:de-dev", "bundled:de-test"])]
    [85, 100]
    """
    for part in listed(source):
        for file, data, repairs in open_files(part, tolerant=tolerant):
            yield Treebank(data, name=file, repairs=repairs)


def paths(source: Source, folder: Callable[[Path], list[str]] | None = None) -> list[str]:
    """The files that a name stands for: itself, a folder's treebanks, what a glob matches, or data by name.

    `folder` says which files of a folder are meant, where they are not treebanks.
    """
    names = _paths(named(source), folder)
    for name in names:
        check_name(name)
    return names


def _paths(text: str, folder: Callable[[Path], list[str]] | None) -> list[str]:
    if text == "-":
        return ["-"]
    path = Path(text)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno not in _NOWHERE:
            raise InputError(f"cannot read: {reason(error)}", where=text) from error
    else:
        return _files_in(path, folder or _treebanks_in) if S_ISDIR(mode) else [text]
    from ...data import is_data_name, locate

    if is_data_name(text):
        return _paths(str(locate(text)), folder)
    if any(char in text for char in "*?["):
        from glob import glob

        if matched := sorted(glob(text, recursive=True)):  # noqa: PTH207 (Path.glob takes no absolute pattern)
            return [file for each in matched for file in _paths(each, folder)]
        raise InputError("no file matches", where=text)
    raise InputError("no such file or folder", where=text, todo=_near(path))


def _files_in(path: Path, files: Callable[[Path], list[str]]) -> list[str]:
    try:
        return files(path)
    except OSError as error:  # such as a folder that may not be read
        raise InputError(f"cannot read: {reason(error)}", where=str(path)) from error


def _treebanks_in(folder: Path) -> list[str]:
    files = sorted(_named_files(folder))
    if not files:
        todo = "expected files named *.conllu or *.conll, also .gz, .xz, or in a .zip or .tar.gz"
        raise InputError("no treebank in this folder", where=str(folder), todo=todo)
    return files


def _named_files(folder: Path) -> Iterator[str]:
    """The files of a folder and those in it that are named like treebanks; links to folders are not followed."""
    folders = [str(folder)]
    while folders:
        with scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name.lower().endswith((*SUFFIXES, *ARCHIVES)) and entry.is_file():
                    yield entry.path


def open_files(source: Source, *, tolerant: bool | None = None) -> Iterator[_File]:
    """(name, bytes, repairs) of every file that a source stands for."""
    for path in paths(source):
        for name, data in file_contents(path):
            wanted = tolerant if tolerant is not None else _is_conll(name)
            yield name, *TREEBANKS.reader("conll" if wanted else "conllu")(data, name)


def file_contents(path: str, endings: tuple[str, ...] = ENDINGS) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of a file, unpacked, or of the members of an archive whose names end so."""
    yield from archive_files(path, endings) if is_archive(path) else [(_shown(path), file_content(path))]


def is_archive(path: str) -> bool:
    """Is this a zip or tar archive, by its name?"""
    return path.lower().endswith(ARCHIVES)


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a file that ends where a sentence ends."""

    name: str
    data: bytes
    lines_before: int = 0
    repairs: Mapping[str, int] = field(default_factory=dict)


def blocks(source: Source, size: int, end: Callable[[bytes], bytes] = lambda _: b"\n\n") -> Iterator[Block]:
    """The files of a source in stretches of about `size` bytes, read one after the other.

    `end` says from its first bytes what a stretch of a file ends with. Archives and files that need repairs
    are read whole.
    """
    for path in paths(source):
        if is_archive(path) or _is_conll(path):
            yield from (Block(name, data, repairs=repairs) for name, data, repairs in open_files(path))
            continue
        rest, lines, last, filled = bytearray(), 0, b"", False
        with opened(path) as stream:
            while more := stream.read(size):
                seen = len(rest)
                rest += more
                last = last or end(bytes(rest))
                filled = filled or not more.isspace()
                # Only what is new is looked at: a sentence that never ends takes no more than linear time.
                cut = rest.rfind(last, max(0, seen - len(last))) + len(last)
                if len(rest) - cut > LARGEST:
                    raise InputError(f"a part of more than {LARGEST >> 20} MB without an end", where=_shown(path))
                if filled and cut >= len(last) and (block := bytes(rest[:cut])).strip():
                    yield Block(_shown(path), block, lines)
                    lines += block.count(b"\n")
                    del rest[:cut]
                    filled = bool(rest.strip())
        if rest.strip() or not lines:
            yield Block(_shown(path), bytes(rest), lines)


def named(source: object) -> str:
    """The name of a file as text; an error where somebody gives something else."""
    if isinstance(source, str | PathLike):
        return str(source)
    todo = "give a path, a pattern such as de/*.conllu, or data by name"
    raise UsageError(f"{kind_of_object(source)} is not the name of a file", todo=todo)


def kind_of_object(source: object) -> str:
    """What somebody gave, for messages: `a DataFrame`, `an int`, `nothing`."""
    if source is None:
        return "nothing"
    name = type(source).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def listed(source: Source | Iterable[Source]) -> list[Source]:
    sources = [source] if isinstance(source, str | PathLike) or not isinstance(source, Iterable) else list(source)
    if not sources:
        raise UsageError("no treebank is named", todo="name a file, a folder or a pattern")
    return sources


def _shown(path: str) -> str:
    return "<stdin>" if path == "-" else path


def _is_conll(name: str) -> bool:
    return TREEBANKS.by_suffix(bare(name)) == "conll"


def archive_files(path: str, endings: tuple[str, ...] = ENDINGS) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of the files in a zip or tar archive whose names end so, read in memory: nothing is unpacked."""
    files = sorted(
        (f"{path}/{member.name}", member.stream.read())
        for member in archive_members(Path(path))
        if member.stream is not None
        and member.name.lower().endswith(endings)
        and not member.name.rpartition("/")[2].startswith("._")  # (of macOS)
    )
    if not files:
        raise InputError(f"no {' or '.join(f'*{ending}' for ending in endings)} in this archive", where=path)
    yield from files


def _near(path: Path) -> str:
    from difflib import get_close_matches

    try:
        names = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
    except OSError:
        names = []
    near = get_close_matches(path.name, names, n=1, cutoff=0.6)
    return f"did you mean {path.with_name(near[0])}?" if near else ""


def given_treebank(source: Any) -> Treebank:
    """The treebank itself, one of some sentences, what is in the files that are named, or several of these in one.

    >>> whole = given_treebank("bundled:de-test")
    >>> given_treebank([sentence for sentence in whole if len(sentence) == 12])
    <Treebank de_garden-test.conllu: 10 sentences, 120 words>
    """
    if isinstance(source, Treebank):
        return source
    if isinstance(source, Sentence):
        return source.treebank[[source.number]]
    if isinstance(source, str | PathLike):
        return read(source)
    if not isinstance(source, Iterable):
        todo = "give a treebank, sentences of one, or names of files"
        raise UsageError(f"{kind_of_object(source)} is not a treebank", todo=todo)
    parts = list(source)
    sentences = [part for part in parts if isinstance(part, Sentence)]
    if sentences and len(sentences) == len(parts):
        names = list(dict.fromkeys(sentence.treebank.name for sentence in sentences))
        blocks = [sentence.treebank.block(sentence.number) for sentence in sentences]
        return Treebank(b"".join(blocks), name=" + ".join(names))
    if any(map(_is_there, parts)):
        return concatenate([given_treebank(part) for part in parts])
    return read(parts)


def given_files(source: Any) -> list[str]:
    """The files that must be read for it; none of what is there already."""
    if isinstance(source, str | PathLike):
        return paths(source)
    if _is_there(source) or not isinstance(source, Iterable):
        return []
    return [file for part in source for file in given_files(part)]


def given_name(source: Any) -> str:
    """What it is called: the name that is given, or that of the treebank."""
    return str(source) if isinstance(source, str | PathLike) else given_treebank(source).name


def _is_there(source: Any) -> bool:
    return isinstance(source, Treebank | Sentence)
