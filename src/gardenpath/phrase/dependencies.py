"""Phrase trees as dependency trees: every phrase comes down to its head, and functions become relations.

The head of each other child depends on the head of the phrase; in schemes with topological fields, these are looked
through (see `fields`). In a coordination each conjunct depends on the conjunction before it, and that on
the conjunct before. Punctuation depends on the root, which is the head of the largest tree below the virtual root.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..treebank import Draft, Treebank, Word, from_drafts
from .heads import head_child, head_token, tree_heads
from .schemes.model import Scheme
from .schemes.registry import scheme as known_scheme
from .tree import ROOT, Node, PhraseTree

Arc = tuple[int, str]
"""The governor of a token (its number, or ROOT) and the function."""

NO_LABEL = "--"
"""Of arcs without a function, as export files write it."""


def to_dependencies(trees: Iterable[PhraseTree], scheme: Scheme | str, *, name: str = "<dependencies>") -> Treebank:
    """A treebank with a tree for each phrase tree: one root, no circle, functions as deprel and tags as XPOS."""
    annotated = known_scheme(scheme)
    return from_drafts((_draft(tree, annotated) for tree in trees), name=name)


def single_rooted(tree: PhraseTree, scheme: Scheme | str) -> list[Arc]:
    """As `arcs`, with one root: what else hangs at the virtual root depends on the head of the largest tree there."""
    annotated = known_scheme(scheme)
    marks = annotated.tags.punctuation
    rooted = arcs(tree, annotated)
    tops = [node for node in tree.top if not _is_punctuation(node, annotated)] or list(tree.top)
    main = max(tops, key=lambda node: (node.mask.bit_count(), -node.start))
    root = head_token(main, annotated)
    governing = {governor for governor, _ in rooted}
    for token, (governor, label) in enumerate(rooted):
        if token == root:
            rooted[token] = (ROOT, "root")
        elif tree.tags[token] in marks and token not in governing:
            rooted[token] = (root, "punct")
        elif governor == ROOT:
            rooted[token] = (root, label)
    return rooted


def arcs(tree: PhraseTree, scheme: Scheme | str) -> list[Arc]:
    """The governor of every token and the function; ROOT for each head of what hangs at the virtual root."""
    annotated = known_scheme(scheme)
    plain = _projected(tree, annotated)
    if annotated.fields is None:
        return plain
    from .fields import through_fields

    return _without_circles(through_fields(tree, plain, annotated), plain)


def chained(children: Sequence[Node], scheme: Scheme) -> list[tuple[Node, Node]]:
    """Pairs of a conjunct or conjunction and what it depends on: the one before it. Empty if nothing is coordinated."""
    functions, tags = scheme.functions, scheme.tags
    if sum(child.function == functions.conjunct for child in children) < 2:
        return []
    links: list[tuple[Node, Node]] = []
    before: Node | None = None
    for child in children:
        joins = child.function == functions.conjunction or (child.is_token and child.label in tags.conjunctions)
        if child.function == functions.conjunct or (joins and before is not None):
            if before is not None:
                links.append((child, before))
            before = child
    return links


def _projected(tree: PhraseTree, scheme: Scheme) -> list[Arc]:
    """Each token depends on the head of the lowest phrase that it does not head itself."""
    heads = tree_heads(tree, scheme)
    projected: list[Arc] = [(ROOT, NO_LABEL)] * len(tree)
    for node in tree.top:
        projected[heads[node.number]] = (ROOT, node.function or NO_LABEL)
    for node in tree.inner:
        children, head = node.children, head_child(node, scheme)
        before = {child.number: other.number for child, other in chained(children, scheme)}
        for child in children:
            if child != head:
                governor = before.get(child.number, head.number)
                projected[heads[child.number]] = (heads[governor], child.function or NO_LABEL)
    return projected


def _without_circles(arcs: list[Arc], plain: Sequence[Arc]) -> list[Arc]:
    """Where arcs through fields run in a circle (in odd trees of parsers), those of the projection stand for them."""
    while circle := _circle(arcs):
        for token in circle:
            arcs[token] = plain[token]
    return arcs


def _circle(arcs: Sequence[Arc]) -> list[int]:
    done: set[int] = set()
    for token in range(len(arcs)):
        path: list[int] = []
        while token != ROOT and token not in done:
            if token in path:
                return path[path.index(token) :]
            path.append(token)
            token = arcs[token][0]
        done.update(path)
    return []


def _is_punctuation(node: Node, scheme: Scheme) -> bool:
    return all(node.tree.tags[token] in scheme.tags.punctuation for token in node.positions)


def _draft(tree: PhraseTree, scheme: Scheme) -> Draft:
    words = []
    lemmas = tree.lemmas or ("_",) * len(tree)
    for token, (governor, label) in enumerate(single_rooted(tree, scheme)):
        lemma = lemmas[token] or "_"
        word = Word(tree.words[token], lemma, xpos=tree.tags[token] or "_", head=governor + 1, deprel=label)
        words.append(word)
    comments = [f"sent_id = {tree.sent_id}"] if tree.sent_id else []
    return Draft(words, comments=comments)
