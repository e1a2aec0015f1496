"""Constructions found by rule in gold trees, whatever their scheme, and the gold trees of a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..._text import either
from ...errors import UsageError, unknown_name
from ...phrase.schemes.model import Scheme
from ...phrase.schemes.registry import SCHEMES as KNOWN
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.schemes.registry import scheme_of
from ...phrase.tree import NO_FUNCTION, PhraseTree
from .model import PHENOMENA, SCHEMES, Construction

RULES_VERSION = "1"
"""Of the finding rules: part of every suite and signature, because other rules find other items."""


def find(
    tree: PhraseTree, scheme: str, phenomena: Iterable[str] = tuple(PHENOMENA), wide: bool = False
) -> list[Construction]:
    """All constructions of these phenomena in a tree, phenomenon by phenomenon and from low nodes to high.

    `wide` takes any two unlike categories for a coordination of unlike constituents, not only the paper's three.
    """
    return [construction for _, construction in find_in([tree], scheme, tuple(phenomena), wide)]


def find_in(
    trees: Sequence[PhraseTree], scheme: str, phenomena: Sequence[str], wide: bool = False
) -> Iterator[tuple[int, Construction]]:
    """The same of many trees, each construction with the number (from 0) of its tree, tree by tree."""
    for phenomenon in phenomena:
        if phenomenon not in PHENOMENA:
            raise unknown_name("phenomenon", phenomenon, PHENOMENA)
    annotated = known_scheme(check_scheme(scheme))
    if annotated.arcs and wide:
        raise UsageError("wide is for phrase trees", todo="leave it out: dependency trees have no such categories")
    from .queries import find_by_requests

    yield from find_by_requests(trees, annotated, phenomena, wide)


def check_scheme(name: str) -> str:
    """The name, or an error if there is no such scheme, or no rules for it."""
    if name in SCHEMES:
        return name
    if name in KNOWN:
        todo = f"take {either(SCHEMES)}"
        raise UsageError(f"no constructions are known in the annotation scheme {name!r}", todo=todo)
    raise unknown_name("annotation scheme", name, SCHEMES)


def check_phenomena(names: Sequence[str]) -> tuple[str, ...]:
    """The names, `all` being every one; an error for what is no phenomenon."""
    for name in names:
        if name not in (*PHENOMENA, "all"):
            raise unknown_name("phenomenon", name, (*PHENOMENA, "all"), where="--phenomena")
    return tuple(PHENOMENA) if "all" in names else tuple(names)


def misgivings(trees: Sequence[PhraseTree], scheme: str) -> str:
    """Why trees do not look like this scheme, if they do not: the rules would find nothing and not say why."""
    annotated = known_scheme(scheme)
    tags, functions = annotated.tags, Counter(one for tree in trees for one in tree.functions if one not in NO_FUNCTION)
    if not annotated.bare:
        if not functions:
            return f"the trees have no functions ({_some(annotated.functions.all)} …), which the rules go by"
        if doubt := _none_of("functions", annotated.functions.all, functions, annotated):
            return doubt
    shown = scheme_of(trees)
    if shown is not None and shown.name != scheme:
        return f"the trees look like {shown.name}, not {scheme}"
    labels = Counter(one for tree in trees for one in tree.labels)
    return _none_of("categories", annotated.categories.known_by, labels, annotated) or _none_of(
        "tags", tags.finite | tags.prepositions, Counter(one for tree in trees for one in tree.tags), annotated
    )


def _none_of(kind: str, known: frozenset[str], there: Counter[str], scheme: Scheme) -> str:
    """That none of the labels of a scheme occurs, and which do; empty where one does."""
    if known & there.keys():
        return ""
    most = ", ".join(name for name, _ in there.most_common(4))
    return f"none of the {kind} of {scheme.title} ({_some(known)} …) occurs in the trees; they have {most} …"


def _some(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)[:4])


def gold_files(source: Any, scheme: str) -> list[str]:
    """The files of a treebank in this scheme."""
    if known_scheme(scheme).arcs:
        from ...treebank.format.reading import paths

        return paths(source)
    from ...phrase.formats.source import files

    return files(source)


def gold_trees(
    source: str | Sequence[str], scheme: str, notice: Callable[[str], None] | None = None
) -> list[PhraseTree]:
    """The trees of a treebank in this scheme, without traces, which no parser sees; `notice` is told what was odd in
    files of phrase trees."""
    if known_scheme(scheme).arcs:
        from ...phrase.arcs import from_sentence
        from ...treebank import read as read_treebank

        return list(map(from_sentence, read_treebank(source)))
    from ...phrase.edits.tokens import with_extraposed, without_traces
    from ...phrase.formats.source import read

    trees = read(source) if notice is None else read(source, notice=notice)
    return without_traces([with_extraposed(tree) for tree in trees])[0]
