"""Trees as grammars need them, and back: functions in labels, chains collapsed, two children, plain TIGER."""

from __future__ import annotations

from ...errors import InputError, UsageError
from ..schemes.model import Scheme
from ..schemes.tiger import TIGER
from ..tree import NO_FUNCTION, ROOT, Node, PhraseTree, regrown, spliced

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


CHAIN = "+"


def collapsed(tree: PhraseTree, separator: str = CHAIN) -> PhraseTree:
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


def expanded(tree: PhraseTree, separator: str = CHAIN) -> PhraseTree:
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
    gone: dict[int, int] = {}
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
    return spliced(tree, set(gone), functions, gone)


def _needless(label: str, child: str, function: str) -> bool:
    """Does plain TIGER have no node here? A VP over one infinitive with *zu* is such a case, too."""
    is_only_part = function in (_FUNCTIONS.head, _FUNCTIONS.noun_element)
    return (label in _PHRASES and is_only_part) or (label == "VP" and child == "VZ")
