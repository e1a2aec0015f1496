"""Phrase-structure trees from files, folders and globs, and back into files: every format behind two functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from ..errors import InputError, unknown_name
from .brackets import Labels
from .discbracket import read_discbracket, write_discbracket
from .export import read_export, write_export
from .exportxml import read_exportxml
from .penn import read_penn, write_penn
from .sinica import read_sinica
from .tigerxml import read_tigerxml, write_tigerxml
from .tree import PhraseTree

Source = str | PathLike[str]
Notice = Callable[[str], None]
DEFAULT = Labels()
_PACKED = (".gz", ".xz")
_HEAD = 1 << 16
"""So much of a file is looked at to find out its format."""


@dataclass(frozen=True)
class Format:
    """A format of files: one line about it, how its files are named, and how it is read and written."""

    about: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, str, Reading], Iterator[PhraseTree]]
    write: Callable[[Iterable[PhraseTree], Labels], Iterator[str]] | None = None
    """Trees to pieces of a file; None for formats that are only read."""


@dataclass(frozen=True)
class Reading:
    """How files are read: the encoding of text (XML declares its own) and the labels in brackets."""

    encoding: str | None
    labels: Labels
    notice: Notice

    def text(self, data: bytes, name: str) -> str:
        """Text with the line ends of Unix."""
        return _decoded(data, self.encoding, name, self.notice).replace("\r\n", "\n")


FORMATS: dict[str, Format] = {
    "export": Format(
        "NEGRA export 3 and 4",
        (".export", ".negra"),
        lambda data, name, how: read_export(how.text(data, name), name),
        lambda trees, _: write_export(trees),
    ),
    "tigerxml": Format(
        "TIGER-XML",
        (".xml", ".tiger"),
        lambda data, name, _: read_tigerxml(data, name),
        lambda trees, _: write_tigerxml(trees),
    ),
    "penn": Format(
        "brackets as in the Penn Treebank",
        (".mrg", ".penn", ".ptb", ".brackets"),
        lambda data, name, how: read_penn(how.text(data, name), name, how.labels),
        write_penn,
    ),
    "discbracket": Format(
        "brackets with places, of disco-dop and treetools",
        (".discbracket", ".dbr"),
        lambda data, name, how: read_discbracket(how.text(data, name), name, how.labels),
        write_discbracket,
    ),
    "exportxml": Format("exportXML of TüBa-D/Z", (".exml",), lambda data, name, _: read_exportxml(data, name)),
    "sinica": Format(
        "the Sinica Treebank", (".sinica",), lambda data, name, how: read_sinica(how.text(data, name), name)
    ),
}


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
    is none, as latin-1; `notice` is told so (by default a Python warning). `labels` is for brackets.
    """
    how = Reading(encoding, labels, notice or _warn)
    if format is not None:
        named(format)
    for one in [source] if isinstance(source, str | PathLike) else source:
        for path in files(one):
            name, data = _loaded(path)
            yield from named(format or detected(data, name)).read(data, name, how)


def write(trees: Iterable[PhraseTree], path: Source, format: str | None = None, *, labels: Labels = DEFAULT) -> None:
    """Writes a file in UTF-8, whole or not at all; without `format` its name decides."""
    from ..runs.atomic import atomic_writer

    chosen = format or by_suffix(str(path))
    if chosen is None:
        todo = "name a format: " + ", ".join(WRITABLE)
        raise InputError("the name does not tell the format to write", where=str(path), todo=todo)
    pieces = written(trees, chosen, labels)
    with atomic_writer(path) as stream:
        for piece in pieces:
            stream.write(piece.encode("utf-8"))


def written(trees: Iterable[PhraseTree], format: str, labels: Labels = DEFAULT) -> Iterator[str]:
    """The text of a file in pieces."""
    if format not in WRITABLE:
        raise unknown_name("format of phrase trees that can be written", format, WRITABLE)
    writer = FORMATS[format].write
    assert writer is not None
    return writer(trees, labels)


def named(format: str) -> Format:
    if format not in FORMATS:
        raise unknown_name("format of phrase trees", format, FORMATS)
    return FORMATS[format]


WRITABLE = tuple(name for name, one in FORMATS.items() if one.write is not None)


# ---- files and formats


def files(source: Source) -> list[str]:
    """The files that a name stands for: itself, a folder's files with the suffix of a format, what a glob matches."""
    from ..treebank.source import paths

    text = str(source)
    path = Path(text)
    if path.is_dir():
        found = sorted(str(file) for file in path.rglob("*") if by_suffix(file.name) and file.is_file())
        if not found:
            endings = ", ".join(f"*{suffix}" for one in FORMATS.values() for suffix in one.suffixes)
            raise InputError("no phrase trees in this folder", where=text, todo=f"expected files named {endings}")
        return found
    if any(char in text for char in "*?[") and not path.exists():
        from glob import glob

        matched = sorted(glob(text, recursive=True))  # noqa: PTH207 (Path.glob takes no absolute pattern)
        if not matched:
            raise InputError("no file matches", where=text)
        return [file for one in matched for file in files(one)]
    return paths(source)


def by_suffix(name: str) -> str | None:
    """The format that a file's name tells, if any."""
    bare = name.lower()
    for packed in _PACKED:
        bare = bare.removesuffix(packed)
    for format, one in FORMATS.items():
        if bare.endswith(one.suffixes):
            return format
    return None


def detected(data: bytes, name: str = "") -> str:
    """The format of a file's content, else of its name."""
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        raise InputError("an empty file", where=name)
    found = by_content(head) or by_suffix(name)
    if found is None:
        todo = "say which format it is: " + ", ".join(FORMATS)
        raise InputError("not a format of phrase trees that is known", where=name, todo=todo)
    return found


def by_content(head: bytes) -> str | None:
    """The format of which these may be the first bytes."""
    if head.startswith(b"<"):
        elements = re.findall(rb"<(corpus|subcorpus|exml-doc|exml)\b", head)
        return {b"corpus": "tigerxml", b"subcorpus": "tigerxml"}.get(elements[0], "exportxml") if elements else None
    if re.match(rb"#BOS|#FORMAT|#BOT|%%", head):
        return "export"
    if re.match(rb"#[0-9:.]*\[[0-9]*\] ", head):
        return "sinica"
    leaf = re.search(rb"\([^\s()]+\s+([^\s()]+)\s*\)", head) if head.startswith(b"(") else None
    if leaf is None:
        return "penn" if re.match(rb"\(\s*\(?\s*\)", head) else None
    first, tab, _ = head.partition(b"\n")[0].partition(b"\t")
    numbers = leaf[1].isdigit() and tab and first.rstrip().endswith(b")")
    return "discbracket" if numbers or re.match(rb"[0-9]+=", leaf[1]) else "penn"


def _loaded(path: str) -> tuple[str, bytes]:
    from ..treebank.source import open_files

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
    notice(f"{name} is not UTF-8: read as latin-1")
    return data.decode("latin-1")


def _warn(text: str) -> None:
    import warnings

    warnings.warn(text, stacklevel=4)
