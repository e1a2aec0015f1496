"""Chains of inner nodes with one child each collapsed to one node, `S+VP`, and back."""

from __future__ import annotations

from ..errors import InputError
from .tree import PhraseTree
from .tree_edits import regrown, spliced

SEPARATOR = "+"


def collapsed(tree: PhraseTree, separator: str = SEPARATOR) -> PhraseTree:
    """Inner nodes over nothing but one inner node become one with it; functions are joined alike, `OC+HD`.

    A lower node that has a part in secondary edges stays, so that `expanded` is exactly the inverse.
    """
    size = len(tree)
    bound = {end for node, _, to in tree.secondary for end in (node, to)}
    chain: dict[int, list[int]] = {}
    gone: dict[int, int] = {}
    for node in range(size, len(tree.mothers)):  # the lowest first
        (child, *more) = tree.children[node]
        chain[node] = [node]
        if not more and child >= size and child not in bound:
            chain[node] += chain.pop(child)
            gone[child] = node
    labels, functions = list(tree.labels), list(tree.functions)
    for node, links in chain.items():
        names = [tree.labels[link - size] for link in links]
        if any(separator in name for name in names):
            where = f"sentence {tree.sent_id}" if tree.sent_id else ""
            what = f"the category {'/'.join(names)} holds {separator!r} already"
            raise InputError(what, where=where, todo="choose another separator")
        if len(links) > 1:
            labels[node - size] = separator.join(names)
            functions[node] = _joined([tree.functions[link] for link in links], separator, tree.sent_id)
    return spliced(tree, set(gone), functions, gone, labels)


def _joined(functions: list[str], separator: str, sent_id: str) -> str:
    """The function of the top node, or all of them if a lower one has a function too."""
    if any(separator in function for function in functions):
        where = f"sentence {sent_id}" if sent_id else ""
        what = f"the function {'/'.join(functions)} holds {separator!r} already"
        raise InputError(what, where=where, todo="choose another separator")
    return separator.join(functions) if any(functions[1:]) else functions[0]


def expanded(tree: PhraseTree, separator: str = SEPARATOR) -> PhraseTree:
    """The inverse of `collapsed`."""
    size = len(tree)
    labels, functions, mothers = list(tree.labels), list(tree.functions), list(tree.mothers)
    for node in range(size, len(tree.mothers)):
        names = tree.labels[node - size].split(separator)
        if len(names) == 1 or not all(names):
            continue
        given = tree.functions[node].split(separator)
        each = given if len(given) == len(names) else [tree.functions[node], *[""] * (len(names) - 1)]
        labels[node - size], functions[node] = names[0], each[0]
        place = node
        for name, function in zip(names[1:], each[1:], strict=True):
            labels.append(name)
            functions.append(function)
            mothers.append(place)
            place = size + len(labels) - 1
        for child in tree.children[node]:
            mothers[child] = place
    return regrown(tree, labels, functions, mothers)
