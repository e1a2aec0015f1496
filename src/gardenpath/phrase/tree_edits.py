"""What transformations are made of: a tree with other columns, without some nodes, or without some tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from .tree import ROOT, Edge, PhraseTree, grown


def regrown(
    tree: PhraseTree,
    labels: Sequence[str],
    functions: Sequence[str],
    mothers: Sequence[int],
    secondary: Iterable[Edge] | None = None,
    tags: Sequence[str] | None = None,
) -> PhraseTree:
    """The same tokens under other nodes; secondary edges as they were unless given."""
    return grown(
        tree.words,
        tree.tags if tags is None else tags,
        labels,
        functions,
        mothers,
        tree.secondary if secondary is None else secondary,
        lemmas=tree.lemmas,
        morphs=tree.morphs,
        sent_id=tree.sent_id,
        comments=tree.comments,
    )


def spliced(
    tree: PhraseTree,
    gone: Collection[int],
    functions: Sequence[str] | None = None,
    heirs: dict[int, int] | None = None,
    labels: Sequence[str] | None = None,
) -> PhraseTree:
    """Without the inner nodes `gone`: their daughters move up to the next mother that stays.

    Secondary edges of a node that goes are taken over by its heir; where it has none, or the heir is the other end,
    they go too.
    """
    functions = tree.functions if functions is None else functions
    labels = tree.labels if labels is None else labels
    if not gone:
        return regrown(tree, labels, functions, tree.mothers)
    size = len(tree)
    kept = [node for node in range(len(tree.mothers)) if node not in gone]
    new = {ROOT: ROOT} | {old: at for at, old in enumerate(kept)}

    def mother(node: int) -> int:
        remaining = tree.mothers[node]
        while remaining in gone:
            remaining = tree.mothers[remaining]
        return new[remaining]

    def heir(node: int) -> int | None:
        while node in gone:
            if heirs is None or node not in heirs:
                return None
            node = heirs[node]
        return new[node]

    ends = [(heir(node), label, heir(to)) for node, label, to in tree.secondary]
    return regrown(
        tree,
        [labels[old - size] for old in kept[size:]],
        [functions[old] for old in kept],
        [mother(old) for old in kept],
        [
            (node, label, to)
            for node, label, to in ends
            if node is not None and to is not None and node != to and (to == ROOT or to >= size)
        ],
    )


def without_tokens(tree: PhraseTree, gone: Collection[int]) -> PhraseTree:
    """Without these tokens, the nodes that hold nothing else, and the secondary edges of both."""
    size = len(tree)
    mask = sum(1 << token for token in gone)
    kept = [node for node in range(len(tree.mothers)) if tree.masks[node] & ~mask]
    tokens = [node for node in kept if node < size]
    new = {ROOT: ROOT} | {old: at for at, old in enumerate(kept)}
    return grown(
        [tree.words[old] for old in tokens],
        [tree.tags[old] for old in tokens],
        [tree.labels[old - size] for old in kept if old >= size],
        [tree.functions[old] for old in kept],
        [new[tree.mothers[old]] for old in kept],
        [(new[node], label, new[to]) for node, label, to in tree.secondary if node in new and to in new],
        lemmas=[tree.lemmas[old] for old in tokens] if tree.lemmas else (),
        morphs=[tree.morphs[old] for old in tokens] if tree.morphs else (),
        sent_id=tree.sent_id,
        comments=tree.comments,
    )
