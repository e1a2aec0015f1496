"""How trees show nodes with gaps: as they are, in pieces, or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...errors import UsageError

if TYPE_CHECKING:
    from ..schemes.model import Scheme
    from ..tree import PhraseTree

FORMS = {
    "discontinuous": "as they are",
    "split": "a node with a gap is in pieces with marks (NP*), which are put together first",
    "unmarked": "a node with a gap is in pieces without marks: which belong together is guessed",
    "raised": "no gaps: gold is raised too, its nodes stay with their heads",
    "raised-longest": "the same, but nodes stay with their longest stretch of words",
}
"""How parses show nodes with gaps."""
AUTO = "auto"
"""The form that the parses themselves show."""


def form_of(parses: Iterable[PhraseTree | None], gold: Iterable[PhraseTree], scheme: Scheme, asked: str = AUTO) -> str:
    """Return the form in which these parses show gaps; an error if they contradict the form that was asked for.

    Marked pieces are `split`. Trees without gaps are `raised` if gold has gaps. Pieces without marks cannot be told
    from raised trees, nor stretches of words from heads: `unmarked` and `raised-longest` must be asked for.
    """
    from .splitting import is_piece

    there = [parse for parse in parses if parse is not None]
    if any(is_piece(label) for parse in there for label in parse.labels):
        shown = "split"
    elif has_gaps(there, scheme) or not has_gaps(gold, scheme):
        shown = "discontinuous"
    else:
        shown = "raised"
    if asked == AUTO:
        return shown
    if shown == "split" != asked:
        raise UsageError(f"the form is {asked}, but the trees have marked pieces (NP*)", todo="--set form=split")
    if asked != "discontinuous" and has_gaps(there, scheme):
        raise UsageError(f"the form is {asked}, but the trees have gaps", todo="--set form=discontinuous")
    return asked


def has_gaps(trees: Iterable[PhraseTree], scheme: Scheme) -> bool:
    """Return whether a node of these trees has a gap; punctuation makes none."""
    from .tokens import lowered

    return any(node.has_gap for tree in trees for node in lowered(tree, scheme.tags.punctuation).inner)


def whole_nodes(parse: PhraseTree, form: str) -> PhraseTree:
    """The parse with the pieces of its nodes put together, where the form has pieces."""
    from .splitting import joined, merged

    if form == "split":
        return merged(parse)
    return joined(parse) if form == "unmarked" else parse


def as_shown(gold: PhraseTree, scheme: Scheme | str, form: str) -> PhraseTree:
    """Gold as a parser that makes no mistake shows it in a form, pieces put together as they are in its parses."""
    from .splitting import split, unmarked
    from .tokens import lowered

    if form.startswith("raised"):
        return as_raised(gold, scheme, form)
    return whole_nodes(unmarked(split(lowered(gold))), form) if form == "unmarked" else gold


def as_raised(gold: PhraseTree, scheme: Scheme | str | None, form: str = "raised") -> PhraseTree:
    """Gold without gaps, as the trees were that a parser of raised trees learnt from.

    Heads are those of the scheme's rules; without a scheme, the children whose function says so (HD).
    """
    from ..heads import head_child
    from ..schemes.registry import scheme as known_scheme
    from .splitting import marked_head, raised
    from .tokens import lowered

    if not scheme:
        return raised(lowered(gold), None if form == "raised-longest" else marked_head)
    annotated = known_scheme(scheme)
    inside = lowered(gold, annotated.tags.punctuation)
    return raised(inside, None if form == "raised-longest" else lambda node: head_child(node, annotated))
