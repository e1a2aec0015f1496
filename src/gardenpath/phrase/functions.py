"""Grammatical functions dropped, or made part of the categories (`NP:SB`) as grammars without functions need them."""

from __future__ import annotations

from ..errors import InputError
from .tree import PhraseTree
from .tree_edits import regrown

SEPARATOR = ":"


def without_functions(tree: PhraseTree) -> PhraseTree:
    """The tree with categories and tags alone."""
    return regrown(tree, tree.labels, [""] * len(tree.functions), tree.mothers)


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
