"""Heads of phrases by the rules of their scheme, and the token that a node comes down to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .schemes.model import Rule, Scheme
from .schemes.registry import scheme as known_scheme
from .tree import Node, PhraseTree


def head_child(node: Node, scheme: Scheme | str) -> Node:
    """The child that a phrase has its head from; of a token, itself."""
    annotated = known_scheme(scheme)
    if node.is_token:
        return node
    children = _candidates(node, annotated)
    rules = (*annotated.heads.of(node.label), annotated.heads.fallback)
    return _chosen(rules, children, annotated) or children[0]


def head_token(node: Node, scheme: Scheme | str) -> int:
    """The number of the token that heads a node: of a PP the preposition, of a clause its finite verb."""
    while not node.is_token:
        node = head_child(node, scheme)
    return node.number


def nominal_head(node: Node, scheme: Scheme | str) -> int:
    """As `head_token`, but of a PP the noun (or whatever stands with the preposition)."""
    annotated = known_scheme(scheme)
    while not node.is_token:
        is_pp = node.label == annotated.categories.prepositional
        complement = _complement(node, annotated) if is_pp else None
        node = complement or head_child(node, annotated)
    return node.number


def tree_heads(tree: PhraseTree, scheme: Scheme | str) -> tuple[int, ...]:
    """The head token of every node of a tree, by number."""
    heads = list(range(len(tree)))
    for node in tree.inner:  # daughters come before their mothers
        heads.append(heads[head_child(node, scheme).number])
    return tuple(heads)


def full_verbs(tree: PhraseTree, scheme: Scheme | str) -> dict[int, int]:
    """For each auxiliary and modal the full verb of its chain: of *hat* and *werden* in *hat verkauft werden müssen*.

    A chain ends at an infinitive with *zu*, and goes through complements and predicates (*ist vertan*) only.
    """
    annotated = known_scheme(scheme)
    verbs: dict[int, int] = {}
    for node in tree.inner:  # daughters first: the chain below is known already
        auxiliary = head_token(node, annotated)  # also that of a VZ: *getan zu haben*
        if tree.tags[auxiliary] in annotated.tags.auxiliaries:
            for verb in _helped_verbs(node, annotated):
                verbs.setdefault(auxiliary, verbs.get(verb, verb))
    return verbs


def _helped_verbs(node: Node, scheme: Scheme) -> Iterator[int]:
    """The heads of the participles and bare infinitives beside the head, complements before predicates."""
    tags, categories = scheme.tags, scheme.categories
    phrases = categories.verbal - categories.clauses - {categories.clause_coordination}
    head = head_child(node, scheme)
    for function in (scheme.functions.complement, scheme.functions.predicate):
        for child in node.children:
            if child == head or child.function != function or not (child.is_token or child.label in phrases):
                continue
            verb = node.tree[head_token(child, scheme)]
            with_zu = verb.label in tags.zu_infinitives or any(sister.label in tags.zu for sister in verb.sisters)
            if verb.label in tags.nonfinite and not with_zu:
                yield verb.number


def _candidates(node: Node, scheme: Scheme) -> tuple[Node, ...]:
    """Children but punctuation, which heads a phrase only if there is nothing else, or if a parser drew such an arc."""
    children = node.children
    if scheme.arcs:
        return children
    marks = scheme.tags.punctuation
    return tuple(child for child in children if not (child.is_token and child.label in marks)) or children


def _chosen(rules: Iterable[Rule], children: Sequence[Node], scheme: Scheme) -> Node | None:
    return next((child for rule in rules if (child := _among(rule, children, scheme)) is not None), None)


def _among(rule: Rule, children: Sequence[Node], scheme: Scheme) -> Node | None:
    if rule.beside and not any(child.label in rule.beside for child in children):
        return None
    for child in reversed(children) if rule.last else children:
        if (
            (not rule.functions or child.function in rule.functions)
            and (not rule.labels or child.label in rule.labels)
            and child.label not in rule.but
            and (not rule.finite or child.tree.tags[head_token(child, scheme)] in scheme.tags.finite)
        ):
            return child
    return None


def _complement(node: Node, scheme: Scheme) -> Node | None:
    """What stands with the preposition of a PP; None if it stands alone or there is no preposition."""
    children = [child for child in _candidates(node, scheme) if not _is_preposition(child, scheme)]
    if not children or len(children) == len(node.children):
        return None
    return _chosen(scheme.heads.complement, children, scheme)


def _is_preposition(child: Node, scheme: Scheme) -> bool:
    """Is this the preposition of its PP, or several of them coordinated?"""
    return (
        child.function == scheme.functions.preposition
        or child.label in scheme.categories.preposition_coordinations
        or child.label in scheme.tags.prepositions
    )
