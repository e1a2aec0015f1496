"""The registry of file formats: what a format is, and which module has it.

It names modules and loads one when a format in it is asked for, so that reading CoNLL-U loads nothing about suites.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from typing import Any

from .errors import unknown_name
from .plugins import plugins

PACKED = (".gz", ".xz")


@dataclass(frozen=True, slots=True)
class Format:
    """One format: how its files are named and how they look, and how they are read and written."""

    name: str
    about: str
    suffixes: tuple[str, ...] = ()
    """What names of files end with; the first format with a suffix is the one that a name to write stands for."""
    sniff: Callable[[bytes, str], bool] | None = None
    """Are these the (first) bytes of such a file, which has this name? None where only the suffix tells."""
    read: Callable[..., Any] | None = None
    """From bytes and a name, and what else its kind needs; a format that is a folder takes its path."""
    write: Callable[..., Any] | None = None
    by_name: bool = False
    """`sniff` looks at the name alone: the other formats are asked first."""


class Formats(Mapping[str, Format]):
    """The formats of one kind of content, by name: a module that has a format lists it in its `FORMATS`.

    Other packages add formats by entry points of the group `gardenpath.formats.KIND`, such as
    `gardenpath.formats.regions`: `name = "package.module:FORMAT"`.
    """

    def __init__(self, group: str, modules: Mapping[str, str]) -> None:
        self._group, self._modules = f"gardenpath.formats.{group}", modules
        self._loaded: dict[str, Format] = {}

    def __getitem__(self, name: str) -> Format:
        if name not in self._loaded:
            if name in self._modules:
                module = import_module(f"{__package__}.{self._modules[name]}")
                self._loaded[name] = next(format for format in module.FORMATS if format.name == name)
            else:
                self._loaded[name] = {plugin.name: plugin for plugin in plugins(self._group)}[name].load()
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._modules, *(plugin.name for plugin in plugins(self._group))))

    def __len__(self) -> int:
        return len(tuple(iter(self)))

    @property
    def writable(self) -> tuple[str, ...]:
        """Those that can be written."""
        return tuple(name for name, format in self.items() if format.write is not None)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """What names of files that can be read end with."""
        return tuple(suffix for format in self.values() if format.read is not None for suffix in format.suffixes)

    def reader(self, name: str, kind: str = "format") -> Callable[..., Any]:
        """The function that reads a format; an error names the formats there are."""
        format = self.get(name)
        if format is None or format.read is None:
            raise unknown_name(kind, name, [name for name, format in self.items() if format.read is not None])
        return format.read

    def writer(self, name: str, kind: str = "format") -> Callable[..., Any]:
        """The function that writes a format; an error names those that can be written."""
        format = self.get(name)
        if format is None or format.write is None:
            raise unknown_name(kind, name, self.writable)
        return format.write

    def by_suffix(self, name: str) -> str | None:
        """The format that a file's name tells, if any."""
        lower = name.lower()
        return next((format.name for format in self.values() if lower.endswith(format.suffixes)), None)

    def sniffed(self, data: bytes, name: str = "") -> str | None:
        """Return the format that a file's bytes tell, if any: ours in the order of the table, then added ones."""
        ours = sorted((self[name] for name in self._modules), key=lambda format: format.by_name)
        added = (self[name] for name in self if name not in self._modules)
        formats = chain(ours, added)
        return next((format.name for format in formats if format.sniff and format.sniff(data, name)), None)


def bare(name: str) -> str:
    """The name of a file in small letters, without `.gz` or `.xz`."""
    lower = name.lower()
    for packed in PACKED:
        lower = lower.removesuffix(packed)
    return lower


def head(data: bytes, size: int = 1 << 16) -> bytes:
    """The first bytes of a file, without byte order mark and white space."""
    return data[:size].removeprefix(b"\xef\xbb\xbf").lstrip()


TREEBANKS = Formats(
    "treebanks", dict.fromkeys(("conllu", "conll", "text", "tsv", "horizontal", "vertical"), "treebank.format.convert")
)
PHRASE_TREES = Formats("phrases", {
    "export": "phrase.formats.export",
    "tigerxml": "phrase.formats.xml",
    "penn": "phrase.formats.brackets",
    "discbracket": "phrase.formats.brackets",
    "exportxml": "phrase.formats.xml",
    "sinica": "phrase.formats.sinica",
})  # fmt: skip
ROLES = Formats("roles", {
    "conll": "suites.roles.conll",
    "conllu-feats": "suites.roles.conll",
    "conllu": "suites.roles.conll",
    "tsv": "suites.roles.tabular",
})  # fmt: skip
REGIONS = Formats("regions", {
    "syntaxgym": "suites.regions.syntaxgym",
    "blimp": "suites.regions.pair_files",
    "climp": "suites.regions.pair_files",
    "mandarin": "suites.regions.mandarin",
    "mandarin-csv": "suites.regions.mandarin",
    "positions": "suites.regions.positions",
    "pairs": "suites.regions.pair_files",
    "pair-rows": "suites.regions.pair_files",
    "labelled-lines": "suites.regions.pair_files",
})  # fmt: skip
CONSTRUCTIONS = Formats("constructions", {"constructions": "suites.constructions.storage"})
