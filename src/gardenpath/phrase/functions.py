"""Grammatical functions dropped, or made part of the categories (`NP:SB`) as grammars without functions need them."""

from __future__ import annotations

from ..errors import InputError
from .schemes.model import Scheme
from .tree import NO_FUNCTION, Node, PhraseTree
from .tree_edits import regrown

SEPARATOR = ":"


def without_functions(tree: PhraseTree) -> PhraseTree:
    """The tree with categories and tags alone."""
    return regrown(tree, tree.labels, [""] * len(tree.functions), tree.mothers)


def has_functions(tree: PhraseTree) -> bool:
    """Has any node of the tree a function?"""
    return any(function not in NO_FUNCTION for function in tree.functions)


def with_conjuncts_alone(tree: PhraseTree, scheme: Scheme) -> PhraseTree:
    """Without functions but that of conjuncts, which categories and conjunctions tell too."""
    conjuncts = {child.number for node in tree.inner for child in _conjuncts(node, scheme)}
    named = [scheme.functions.conjunct if node in conjuncts else "" for node in range(len(tree.mothers))]
    return regrown(tree, tree.labels, named, tree.mothers)


def _conjuncts(node: Node, scheme: Scheme) -> list[Node]:
    """What is coordinated below a node, by its category or by the conjunction there; conjunctions and marks are not."""
    tags, coordinations = scheme.tags, scheme.categories.coordinations
    joins = [child.is_token and child.label in tags.conjunctions for child in node.children]
    if not (node.label in coordinations if coordinations else any(joins)):
        return []
    joined = [child for child, is_conjunction in zip(node.children, joins, strict=True) if not is_conjunction]
    parts = [child for child in joined if not (child.is_token and child.label in tags.punctuation)]
    return parts if len(parts) > 1 else []


def functions_in_labels(tree: PhraseTree, separator: str = SEPARATOR) -> PhraseTree:
    """Tags and categories carry the function behind them; `functions_from_labels` is the inverse."""
    size = len(tree)
    names = []
    for node, function in enumerate(tree.functions):
        label = tree.node_label(node)
        name = f"{label}{separator}{function}" if function else label
        if _parted(name, separator) != (label, function):
            raise InputError(
                f"{label!r} and {function!r} cannot be told apart in {name!r}",
                where=f"sentence {tree.sent_id}" if tree.sent_id else "",
                todo="choose a separator that is in no label",
            )
        names.append(name)
    return regrown(tree, names[size:], [""] * len(names), tree.mothers, tags=names[:size])


def functions_from_labels(tree: PhraseTree, separator: str = SEPARATOR) -> PhraseTree:
    """What stands behind the last separator of a tag or category is its function."""
    size = len(tree)
    parts = [_parted(tree.node_label(node), separator) for node in range(len(tree.mothers))]
    labels, functions = [label for label, _ in parts], [function for _, function in parts]
    return regrown(tree, labels[size:], functions, tree.mothers, tags=labels[:size])


def _parted(name: str, separator: str) -> tuple[str, str]:
    label, _, function = name.rpartition(separator)
    return (label, function) if label and function else (name, "")
