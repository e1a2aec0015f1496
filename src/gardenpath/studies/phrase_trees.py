"""The phrase trees of the systems under test: read from a file, or parsed now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..phrase.source import by_content, by_suffix
from ..phrase.tree import PhraseTree
from ..runs.where import Where

if TYPE_CHECKING:
    from ..systems.protocol import PhraseParser

_HEAD = 1 << 12


@dataclass(frozen=True)
class PhraseEntrant:
    """One system by the name the user gave: a file of trees (also `trees:FILE`), or `kind:argument`."""

    name: str

    @property
    def system(self) -> str:
        is_file = ":" not in self.name or Path(self.name).exists()
        return f"trees:{self.name}" if is_file else self.name

    @cached_property
    def parser(self) -> PhraseParser:
        from ..systems.registry import phrase_parser

        return phrase_parser(self.system)

    @property
    def files(self) -> list[str]:
        """The files that its trees are read from; a run depends on them."""
        return [str(file) for file in getattr(self.parser, "files", ())] if hasattr(self.parser, "found") else []

    @property
    def signature(self) -> str:
        return self.parser.signature

    def trees(
        self, gold: Sequence[PhraseTree], *, jobs: int = 1, cluster: str | None = None
    ) -> list[PhraseTree | None]:
        """A tree over the words of each gold tree; None where there is no parse."""
        from ..systems.phrase_parsing import parse_trees_with

        # What is in a file is read once; other systems are named, so that other processes can make them too.
        given = self.parser if hasattr(self.parser, "found") else self.system
        ids = [tree.sent_id for tree in gold]
        return parse_trees_with(
            given, [tree.words for tree in gold], ids=ids, where=Where(jobs=jobs, cluster=cluster)
        ).trees


def phrase_entrants(names: Sequence[str]) -> list[PhraseEntrant]:
    """The systems by name; none twice, for a system is not compared with itself."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"named twice: {', '.join(twice)}", todo="name each system once")
    return [PhraseEntrant(name) for name in names]


def holds_phrases(source: str) -> bool:
    """Is a file (or the first file of a folder or glob) one of phrase trees, by its name or its first bytes?"""
    path = Path(source)
    if path.is_dir():
        return any(by_suffix(file.name) is not None for file in path.rglob("*") if file.is_file())
    if not path.exists():
        matched = sorted(glob(source, recursive=True)) if any(sign in source for sign in "*?[") else []  # noqa: PTH207
        return bool(matched) and holds_phrases(matched[0])
    if by_suffix(path.name) is not None:
        return True
    with path.open("rb") as stream:
        head = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
    return by_content(head) is not None
