"""What a scheme knows about a node beside its labels: functions that give another node, and features.

Queries call them: `V = verb(C)`, `C [order=vl]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from .heads import head_token, nominal_head
from .schemes.model import Scheme
from .tree import NO_FUNCTION, Node
from .verb_order import clause_parts, coordination, finite_verb, preverbal_count, verb_order


def closest_clause(node: Node, scheme: Scheme) -> Node | None:
    """The closest clause over a node."""
    return next((above for above in node.ancestors if above.label in scheme.categories.clauses), None)


def outermost(phrase: Node, scheme: Scheme) -> Node:
    """The topmost of the nominal, prepositional, adjective and adverb phrases that a phrase is in; else itself."""
    for above in phrase.ancestors:
        if above.label not in scheme.categories.nominal | scheme.categories.modifying:
            break
        phrase = above
    return phrase


def preposition(phrase: Node, scheme: Scheme) -> Node | None:
    """The preposition of a PP; of coordinated ones the first."""
    if phrase.label != scheme.categories.prepositional:
        return None
    labels = scheme.tags.prepositions | scheme.categories.preposition_coordinations
    first = next((child for child in phrase.children if child.label in labels), None)
    return None if first is None else first.tree[first.start]


def pronominal_adverb(phrase: Node, scheme: Scheme) -> Node | None:
    """The pronominal adverb in a phrase: *damit* in *damit, dass …*."""
    return next((child for child in phrase.children if child.label in scheme.tags.pronominal_adverbs), None)


def complement(phrase: Node, scheme: Scheme) -> Node | None:
    """The noun of a PP; nothing where its preposition stands alone, or a pronominal adverb stands for both."""
    if phrase.label != scheme.categories.prepositional:
        return None
    first, noun = preposition(phrase, scheme), phrase.tree[nominal_head(phrase, scheme)]
    if first is None:
        return noun if pronominal_adverb(phrase, scheme) is None else None
    return noun if noun != first else None


def relative_word(clause: Node, scheme: Scheme) -> Node:
    """The first relative word of a clause; without any, its first word."""
    tags = clause.tree.tags
    words = (at for at in clause.positions if tags[at] in scheme.tags.relative_words)
    return clause.tree[next(words, clause.start)]


def matrix_verb(node: Node, scheme: Scheme) -> Node | None:
    """The finite verb of the closest clause over a node that has one."""
    for above in node.ancestors:
        if above.label in scheme.categories.clauses and (verb := _clause_verb(above, scheme)) is not None:
            return verb
    return None


def _clause_verb(clause: Node, scheme: Scheme) -> Node | None:
    """The finite verb of a clause; where fields are conjoined, that of the first conjunct."""
    if scheme.fields is None:
        return finite_verb(clause, scheme)
    head = clause.tree[head_token(clause, scheme)]
    return head if head.label in scheme.tags.finite else None


def subject(clause: Node, scheme: Scheme) -> Node | None:
    """The first subject of a clause, of a conjunct of fields, or in a field."""
    wanted = scheme.functions.subject
    parts = clause_parts(clause, scheme)
    if scheme.fields is not None and parts == (clause,) and clause.label not in scheme.fields.fields:
        return None
    return next((phrase for part in parts for phrase in part.children if phrase.function == wanted), None)


def modified(modifier: Node, scheme: Scheme) -> Node | None:
    """The phrase that the function of a modifier points at, the OA of an OA-MOD: in the fields of the same clause, the
    closest before the modifier, or else any."""
    target, clause = scheme.functions.target(modifier.function), closest_clause(modifier, scheme)
    if clause is None or not target:
        return None
    named = [phrase for phrase in field_phrases(clause, scheme) if phrase.function == target and phrase != modifier]
    before = [phrase for phrase in named if phrase.start < modifier.start]
    return before[-1] if before else (named[0] if named else None)


def field_phrases(node: Node, scheme: Scheme) -> Iterator[Node]:
    """The phrases in the fields of a clause, not of clauses within it."""
    fields = scheme.fields
    if fields is None:
        return
    for child in node.children:
        if child.label in fields.phrase_fields:
            yield from child.children
        elif child.label in (fields.coordination, fields.conjunct):
            yield from field_phrases(child, scheme)


def kind(node: Node, scheme: Scheme) -> str | None:
    """s, vp, ap, pp, np or avp: what a node is as a conjunct. A field is what its verb, else its main phrase, is."""
    kinds, fields, functions = scheme.categories.kinds, scheme.fields, scheme.functions
    if fields is None or node.is_token:
        return kinds.get(node.label)
    if node.label in (fields.conjunct, fields.right):
        return "vp" if any(field.label == fields.right for field in clause_parts(node, scheme)) else None
    if node.label == fields.middle:
        main = [child for child in node.children if child.function not in NO_FUNCTION | functions.weak] or list(
            node.children
        )
        return kinds.get(main[-1].label)
    return kinds.get(node.label)


def field(node: Node, scheme: Scheme) -> str | None:
    """The closest topological field over a node."""
    labels = scheme.fields.fields if scheme.fields is not None else frozenset[str]()
    return next((above.label for above in node.ancestors if above.label in labels), None)


NODE_FUNCTIONS: Mapping[str, Callable[[Node, Scheme], Node | None]] = {
    "head": lambda node, scheme: node.tree[head_token(node, scheme)],
    "noun": lambda node, scheme: node.tree[nominal_head(node, scheme)],
    "coordination": coordination,
    "clause": closest_clause,
    "verb": finite_verb,
    "matrix": matrix_verb,
    "subject": subject,
    "preposition": preposition,
    "adverb": pronominal_adverb,
    "complement": complement,
    "relative": relative_word,
    "outermost": outermost,
    "modified": modified,
}
"""What `Y = NAME(X)` in a query gives; nothing where a scheme, or a node, has none."""
NODE_FEATURES: Mapping[str, Callable[[Node, Scheme], str | None]] = {
    "kind": kind,
    "order": verb_order,
    "preverbal": preverbal_count,
    "field": field,
    "target": lambda node, scheme: scheme.functions.target(node.function) or None,
}
"""Features beside those of the trees themselves, by the scheme."""
