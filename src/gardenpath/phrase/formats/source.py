"""Phrase-structure trees from files, folders and globs, and back into files: every format behind two functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path, PurePath

from ...errors import InputError
from ...formats import PHRASE_TREES, bare, head
from ...treebank.format.reading import Source, paths
from ..tree import PhraseTree
from .brackets import Labels

Notice = Callable[[str], None]
DEFAULT = Labels()
FORMATS = PHRASE_TREES


@dataclass(frozen=True)
class Reading:
    """How files are read: the encoding of text (XML declares its own) and the labels in brackets."""

    encoding: str | None
    labels: Labels
    notice: Notice

    def text(self, data: bytes, name: str) -> str:
        """Text with the line ends of Unix."""
        return _decoded(data, self.encoding, name, self.notice).replace("\r\n", "\n")


def read(
    source: Source | Iterable[Source],
    format: str | None = None,
    encoding: str | None = None,
    *,
    labels: Labels = DEFAULT,
    notice: Notice | None = None,
) -> list[PhraseTree]:
    """All trees of a file (also .gz, .xz), `-`, a folder, a glob, or several of them; see `stream`."""
    return list(stream(source, format, encoding, labels=labels, notice=notice))


def stream(
    source: Source | Iterable[Source],
    format: str | None = None,
    encoding: str | None = None,
    *,
    labels: Labels = DEFAULT,
    notice: Notice | None = None,
) -> Iterator[PhraseTree]:
    """The trees one after the other, a file at a time. Their sent_ids are those of the files.

    Without `format` each file's content decides, then its name. Without `encoding` text is read as UTF-8 or, if it
    is none, as GB18030 or latin-1; `notice` is told so (by default a Python warning). `labels` is for brackets.
    """
    how = Reading(encoding, labels, notice or _warn)
    reader = None if format is None else FORMATS.reader(format, "format of phrase trees")
    for each in [source] if isinstance(source, str | PathLike) else source:
        for path in files(each):
            name, data = _loaded(path)
            yield from (reader or FORMATS.reader(detected(data, name)))(data, name, how)


def read_spoken(source: Source | Iterable[Source], traces: bool) -> tuple[list[PhraseTree], int]:
    """All trees as parsers see them: without traces, unless they are asked for; and how many were left out."""
    from ..edits.tokens import without_traces

    trees = read(source)
    return (trees, 0) if traces else without_traces(trees)


def write(trees: Iterable[PhraseTree], path: Source, format: str | None = None, *, labels: Labels = DEFAULT) -> None:
    """Writes a file in UTF-8, whole or not at all; without `format` its name decides."""
    from ...runs.record.writing import atomic_writer

    chosen = format or by_suffix(str(path))
    if chosen is None:
        todo = "name a format: " + ", ".join(FORMATS.writable)
        raise InputError("the name does not tell the format to write", where=str(path), todo=todo)
    pieces = written(trees, chosen, labels)
    with atomic_writer(path) as stream:
        for piece in pieces:
            stream.write(piece.encode("utf-8"))


def written(trees: Iterable[PhraseTree], format: str, labels: Labels = DEFAULT) -> Iterator[str]:
    """The text of a file in pieces."""
    pieces: Iterator[str] = FORMATS.writer(format, "format of phrase trees that can be written")(trees, labels)
    return pieces


# ---- files and formats


def files(source: Source) -> list[str]:
    """The files that a name stands for: itself, a folder's files with the suffix of a format, what a glob matches."""
    return paths(source, _phrase_trees_in)


def _phrase_trees_in(folder: Path) -> list[str]:
    names = sorted(str(file) for file in folder.rglob("*") if by_suffix(file.name) and file.is_file())
    if not names:
        endings = ", ".join(f"*{suffix}" for suffix in FORMATS.suffixes)
        raise InputError("no phrase trees in this folder", where=str(folder), todo=f"expected files named {endings}")
    return names


def formats_of(source: Source, format: str | None = None) -> set[str]:
    """The formats of the files that a name stands for."""
    return {format} if format is not None else {detected(data, name) for name, data in map(_loaded, files(source))}


_CTB = re.compile(r"(chtb_\d+)\.(fid|nw|mz|bn|bc|wb|cs|df|sc)")
"""A file of the Chinese Treebank: its number, and its genre (`fid` up to release 6)."""


def by_suffix(name: str) -> str | None:
    """The format that a file's name tells, if any."""
    return FORMATS.by_suffix(bare(name)) or ("penn" if _CTB.fullmatch(PurePath(bare(name)).name) else None)


def document_of(path: str) -> tuple[str, str]:
    """Return the document that a file of a collection is, and its genre in the Chinese Treebank.

    >>> document_of("ctb/bracketed/chtb_0931.nw"), document_of("news/a.mrg")
    (('chtb_0931', 'nw'), ('a', ''))
    """
    name = bare(PurePath(path).name)
    known = _CTB.fullmatch(name)
    return (known[1], known[2]) if known else (name.rpartition(".")[0] or name, "")


def detected(data: bytes, name: str = "") -> str:
    """The format of a file's content, else of its name."""
    begin = head(data)
    if not begin:
        raise InputError("an empty file", where=name)
    format = by_content(begin) or by_suffix(name)
    if format is None:
        todo = "say which format it is: " + ", ".join(FORMATS)
        raise InputError("not a format of phrase trees that is known", where=name, todo=todo)
    return format


def by_content(begin: bytes) -> str | None:
    """The format of which these may be the first bytes."""
    return FORMATS.sniffed(begin)


def _loaded(path: str) -> tuple[str, bytes]:
    from ...treebank.format.reading import open_files

    if path.lower().endswith(".zip"):
        raise InputError("phrase trees are not read from archives", where=path, todo="unpack it and name the folder")
    ((name, data, _),) = open_files(path, tolerant=False)
    return name, data


def _decoded(data: bytes, encoding: str | None, name: str, notice: Notice) -> str:
    try:
        return data.decode(encoding or "utf-8-sig")
    except LookupError as error:
        raise InputError(f"unknown encoding {encoding!r}", where=name, todo="such as utf-8 or latin-1") from error
    except UnicodeDecodeError as error:
        if encoding is not None:
            line = data.count(b"\n", 0, error.start) + 1
            raise InputError(f"not {encoding}", where=f"{name}:{line}", todo="name another encoding") from error
    guessed = _guessed(data, name)
    notice(f"{name} is not UTF-8: read as {guessed}")
    return data.decode(guessed)


_SINGLE = re.compile(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])")
"""A letter with an accent between others, as in latin-1; encodings of Chinese have mostly pairs."""
_FREQUENT = frozenset("的一是在不了有和人这，。")


def _guessed(data: bytes, name: str) -> str:
    """Return latin-1 or gb18030, whichever text looks like; an error where it looks like neither."""
    high = len(data.translate(None, bytes(range(0x80))))
    if len(_SINGLE.findall(data)) > 0.4 * high:
        return "latin-1"
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        text = ""
    foreign = [char for char in text if char > "\x7f"]
    if foreign and sum(char in _FREQUENT for char in foreign) > len(foreign) / 50:
        return "gb18030"
    todo = f"convert it: gardenpath treebank convert {name} --encoding NAME -o utf8.mrg"
    raise InputError("the text is neither UTF-8, GB18030 nor latin-1", where=name, todo=todo)


def _warn(text: str) -> None:
    import warnings

    warnings.warn(text, stacklevel=4)
