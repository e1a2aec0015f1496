"""Phrase trees made ready for another program: several transformations in the one order that makes sense."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import UsageError, unknown_name
from ..schemes.model import Scheme
from ..schemes.registry import scheme as known_scheme
from ..schemes.registry import scheme_of
from ..tree import PhraseTree
from .gaps import as_raised
from .grammar import plain as made_plain
from .grammar import without_functions
from .splitting import split as in_pieces
from .tokens import lowered

FUNCTIONS = ("keep", "drop")


def converted(
    trees: Iterable[PhraseTree],
    *,
    raise_: bool = False,
    split: bool = False,
    functions: str = "keep",
    plain: bool = False,
    sent_ids: str | None = None,
    scheme: Scheme | str | None = None,
) -> Iterator[PhraseTree]:
    """The trees with some things changed, one after the other.

    `plain`: deepened TIGER made plain; `raise_` or `split`: no gaps, punctuation lowered first; what is raised leaves
    the head where it is, by the rules of `scheme` (or of the scheme that the trees show); `functions`: keep or drop;
    `sent_ids`: named anew, this prefix and a number from 1.
    """
    if functions not in FUNCTIONS:
        raise unknown_name("treatment of functions", functions, FUNCTIONS)
    if raise_ and split:
        raise UsageError("gaps are either raised or split", todo="choose one of the two")
    if sent_ids is not None and len(f"{sent_ids}1".split()) != 1:
        raise UsageError(f"a sent_id cannot hold white space: {sent_ids!r}", todo="choose another prefix")
    if raise_ and not scheme:
        trees = list(trees)
        scheme = scheme_of(trees)
    annotated = known_scheme(scheme) if scheme else None

    def changed(tree: PhraseTree, number: int) -> PhraseTree:
        if plain:
            tree = made_plain(tree)
        if raise_:
            tree = as_raised(tree, annotated)
        elif split:
            tree = in_pieces(lowered(tree))
        if functions == "drop":
            tree = without_functions(tree)
        return tree if sent_ids is None else tree.named(f"{sent_ids}{number}")

    return (changed(tree, number) for number, tree in enumerate(trees, 1))


def losses(trees: Iterable[PhraseTree], format: str) -> dict[str, int]:
    """What a format has no place for, and how much of it these trees have."""
    if format not in ("penn", "discbracket"):
        return {}
    counts = {"sentence ids": 0, "secondary edges": 0, "lemmas": 0, "morphology": 0}
    for tree in trees:
        counts["sentence ids"] += bool(tree.sent_id)
        counts["secondary edges"] += len(tree.secondary)
        counts["lemmas"] += sum(map(bool, tree.lemmas))
        counts["morphology"] += sum(map(bool, tree.morphs))
    return {what: count for what, count in counts.items() if count}
