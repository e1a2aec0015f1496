"""The trees of the systems under test: read from a file, or parsed now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..runs.signature import digest
from ..runs.where import Where
from ..treebank.source import paths, read
from ..treebank.treebank import Treebank

if TYPE_CHECKING:
    from ..systems.protocol import Parser


@dataclass(frozen=True)
class Entrant:
    """One system by the name the user gave: a file (also `conllu:FILE`), or `kind:argument`."""

    name: str

    @property
    def file(self) -> str:
        """The file it stands for; empty for a parser."""
        kind, colon, argument = self.name.partition(":")
        if colon and kind == "conllu":
            return argument
        return self.name if not colon or kind in ("bundled", "ud") or Path(self.name).exists() else ""

    @cached_property
    def parser(self) -> Parser:
        from ..systems.registry import system

        return system(self.name)

    @cached_property
    def _read(self) -> Treebank:
        return read(self.file)

    @property
    def files(self) -> list[str]:
        return paths(self.file) if self.file else []

    @property
    def signature(self) -> str:
        """What decides its trees: the bytes of the file, or the parser's own signature."""
        if self.file:
            return f"{PurePath(self.file).name}#{digest(self._read.to_bytes())[:8]}"
        return self.parser.signature

    def trees(
        self,
        gold: Treebank,
        *,
        mode: str = "tokens",
        layers: Sequence[str] = (),
        jobs: int = 1,
        cluster: str | None = None,
        any_language: bool = False,
    ) -> Trees:
        if self.file:
            return Trees(self._read)
        from ..systems.parsing import parse_with

        parsed = parse_with(
            self.name,
            gold,
            mode=mode,
            gold=layers,
            any_language=any_language or None,
            where=Where(jobs=jobs, cluster=cluster),
        )
        return Trees(parsed.treebank, dict(parsed.failures))


@dataclass(frozen=True, slots=True)
class Trees:
    """What a system made of the gold sentences, and what went wrong on the way."""

    treebank: Treebank
    failures: Mapping[str, int] = field(default_factory=dict)


def entrants(names: Sequence[str]) -> list[Entrant]:
    """The systems by name; none twice, for a system is not compared with itself."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"named twice: {', '.join(twice)}", todo="name each system once")
    return [Entrant(name) for name in names]
