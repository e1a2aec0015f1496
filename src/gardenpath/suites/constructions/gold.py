"""The gold trees that constructions are looked for in: phrase trees, or dependency trees written as phrases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.tree import PhraseTree


def gold_files(source: Any, scheme: str) -> list[str]:
    """The files of a treebank in this scheme."""
    if known_scheme(scheme).arcs:
        from ...treebank.source import paths

        return paths(source)
    from ...phrase.source import files

    return files(source)


def gold_trees(
    source: str | Sequence[str], scheme: str, notice: Callable[[str], None] | None = None
) -> list[PhraseTree]:
    """The trees of a treebank in this scheme, without traces, which no parser sees; `notice` is told what was odd in
    files of phrase trees."""
    if known_scheme(scheme).arcs:
        from ...phrase.dependency_phrases import from_sentence
        from ...treebank import read as read_treebank

        return list(map(from_sentence, read_treebank(source)))
    from ...phrase.source import read
    from ...phrase.traces import with_extraposed, without_traces

    trees = read(source) if notice is None else read(source, notice=notice)
    return without_traces([with_extraposed(tree) for tree in trees])[0]
