"""Functions of phrase trees dropped, conjuncts marked, and deepened TIGER trees made plain."""

from __future__ import annotations

from collections.abc import Sequence

from ..schemes.model import TIGER, Scheme
from ..tree import NO_FUNCTION, ROOT, Node, PhraseTree, regrown


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


_CATEGORIES, _FUNCTIONS = TIGER.categories, TIGER.functions
_PHRASES = frozenset({"NP", "AP", "AVP"})
_HEADS = {_CATEGORIES.noun_phrase: _FUNCTIONS.noun_element, _CATEGORIES.prepositional: _FUNCTIONS.preposition}
"""What plain TIGER calls the child that deepened trees call the head."""


def plain(tree: PhraseTree) -> PhraseTree:
    """Phrases of one child dissolved, NP in PP dissolved, HD of NP called NK and HD of PP called AC.

    The only child takes over the function and the secondary edges of its phrase, the PP those of its NP.
    """
    size = len(tree)
    functions = list(tree.functions)
    labels = (*tree.tags, *tree.labels)
    gone: dict[int, int] = {}  # nodes that plain TIGER does not have, and the node that takes over their edges
    for node in range(len(tree.mothers) - 1, size - 1, -1):  # mothers first: functions are handed down
        children, label, mother = tree.children[node], labels[node], tree.mothers[node]
        only = children[0] if len(children) == 1 else None
        if only is not None and _needless(label, labels[only], tree.functions[only]):
            functions[only] = functions[node]
            gone[node] = only
            continue
        in_phrase = functions[node] == _FUNCTIONS.noun_element and mother != ROOT
        if in_phrase and label == _CATEGORIES.noun_phrase and labels[mother] == _CATEGORIES.prepositional:
            gone[node] = mother
        head = _HEADS.get(label)
        for child in children:
            if head is not None and tree.functions[child] == _FUNCTIONS.head:
                functions[child] = head

    def remaining(node: int, heirs: Sequence[int] | dict[int, int]) -> int:
        while node in gone:
            node = heirs[node]
        return new[node]

    kept = [node for node in range(len(tree.mothers)) if node not in gone]
    new = {ROOT: ROOT} | {old: at for at, old in enumerate(kept)}
    ends = [(remaining(node, gone), label, remaining(to, gone)) for node, label, to in tree.secondary]
    return regrown(
        tree,
        [labels[old] for old in kept[size:]],
        [functions[old] for old in kept],
        [remaining(tree.mothers[old], tree.mothers) for old in kept],
        [(node, label, to) for node, label, to in ends if node != to and (to == ROOT or to >= size)],
    )


def _needless(label: str, child: str, function: str) -> bool:
    """Does plain TIGER have no node here? A VP over one infinitive with *zu* is such a case, too."""
    is_only_part = function in (_FUNCTIONS.head, _FUNCTIONS.noun_element)
    return (label in _PHRASES and is_only_part) or (label == "VP" and child == "VZ")
