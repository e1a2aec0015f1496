"""Trees in which a node has at most two children, with Markov labels, and exactly back.

`(S a b c d)` becomes, to the right, `(S a (S|<b-c-d> b (S|<c-d> c d)))`; with `horizontal=1` the new nodes tell only
the next label, `S|<b>`. `vertical=2` adds the mother to a category, `NP^<S>`, and so on upwards.
"""

from __future__ import annotations

from ..errors import InputError, UsageError
from .tree import ROOT, PhraseTree
from .tree_edits import regrown, spliced

_NEW, _ABOVE = "|<", "^<"


def binarised(tree: PhraseTree, *, left: bool = False, horizontal: int | None = None, vertical: int = 1) -> PhraseTree:
    """Two children a node at most. `horizontal` labels of sisters are kept (None: all), `vertical - 1` of mothers.

    The virtual root is not a node and keeps its children.
    """
    if vertical < 1 or (horizontal is not None and horizontal < 0):
        todo = "vertical is 1 or more (1: no mothers), horizontal 0 or more (None: all sisters)"
        raise UsageError("no such Markov order", todo=todo)
    size = len(tree)
    for label in tree.labels:
        if _NEW in label or _ABOVE in label:
            where = f"sentence {tree.sent_id}" if tree.sent_id else ""
            raise InputError(f"the category {label} looks binarised already", where=where, todo="undo it first")
    labels = [_annotated(tree, node, vertical) for node in range(size, len(tree.mothers))]
    functions, mothers = list(tree.functions), list(tree.mothers)
    for node in range(size, len(tree.mothers)):
        children = list(tree.children[node])
        base, place = labels[node - size], node
        while len(children) > 2:
            single = children.pop() if left else children.pop(0)
            mothers[single] = place
            shown = [tree.node_label(child) for child in children]
            if horizontal is not None:  # those next to the child that was just cut off
                shown = shown[max(0, len(shown) - horizontal) :] if left else shown[:horizontal]
            labels.append(f"{base}{_NEW}{'-'.join(shown)}>")
            functions.append("")
            mothers.append(place)
            place = size + len(labels) - 1
        for child in children:
            mothers[child] = place
    return regrown(tree, labels, functions, mothers)


def _annotated(tree: PhraseTree, node: int, vertical: int) -> str:
    label, above = tree.node_label(node), list[str]()
    mother = tree.mothers[node]
    while mother != ROOT and len(above) < vertical - 1:
        above.append(tree.node_label(mother))
        mother = tree.mothers[mother]
    return f"{label}{_ABOVE}{'-'.join(above)}>" if above else label


def unbinarised(tree: PhraseTree) -> PhraseTree:
    """Without the nodes and marks of `binarised`, whatever its settings were."""
    size = len(tree)
    gone = {node for node in range(size, len(tree.mothers)) if _NEW in tree.labels[node - size]}
    return spliced(tree, gone, labels=[label.partition(_ABOVE)[0] for label in tree.labels])
