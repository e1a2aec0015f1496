"""Clauses of TIGER trees: the finite verb, what stands before it, and coordinations that share their subject."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from ...phrase.schemes.model import Scheme
from ...phrase.schemes.tiger import TIGER
from ...phrase.tree import Node, PhraseTree

V1, V2, VL = "v1", "v2", "vl"
"""Order of a clause: the finite verb first, second, last."""
_CATEGORIES, _FUNCTIONS, _TAGS = TIGER.categories, TIGER.functions, TIGER.tags
_NO_UNITS = frozenset({"JU", _FUNCTIONS.conjunction})
_VERB_PHRASES = _CATEGORIES.verb_phrases | {"CVP"}
_CLAUSES, _COORDINATION = _CATEGORIES.clauses, _CATEGORIES.clause_coordination


def nodes(tree: PhraseTree, *labels: str) -> Iterator[Node]:
    """The inner nodes of these categories."""
    size = len(tree)
    return (Node(tree, size + at) for at, label in enumerate(tree.labels) if label in labels)


def coordination(node: Node, labels: Collection[str], scheme: Scheme) -> Node:
    """The topmost coordination of these categories that a node is a conjunct of; else the node itself."""
    mother, conjunct = node.mother, scheme.functions.conjunct
    while mother is not None and node.function == conjunct and mother.label in labels:
        node, mother = mother, mother.mother
    return node


def finite_verb(clause: Node) -> Node | None:
    """The finite or imperative verb that heads an S."""
    head, tags = _FUNCTIONS.head, _TAGS.finite
    return next((child for child in clause.children if child.function == head and child.label in tags), None)


def preverbal_units(clause: Node, verb: Node) -> list[Node]:
    """The phrases before the verb. A VP that goes on behind it (a fronted participle, say) is looked into."""
    units: list[Node] = []
    for child in clause.children:
        if child.start >= verb.number or child.function in _NO_UNITS or child.label in _TAGS.punctuation:
            continue
        if child.end > verb.number and child.label in _VERB_PHRASES:
            units += preverbal_units(child, verb)
        else:
            units.append(child)
    return units


def verb_order(clause: Node, verb: Node) -> str:
    """V1, V2 or VL. Only a clause within another one can be verb-last for having much before its verb."""
    whole = coordination(clause, (_COORDINATION,), TIGER)
    if any(child.function == "CP" for child in clause.children):
        return VL
    if whole.function == _FUNCTIONS.relative_clause and clause.tree.tags[clause.start] in _TAGS.relative_pronouns:
        return VL
    units = preverbal_units(clause, verb)
    if whole.mother is not None and len(units) > 1:
        return VL
    return V2 if units else V1


@dataclass(frozen=True, slots=True)
class SharedSubject:
    """A coordination of clauses, the first of which has a subject that a later one lacks."""

    coordination: Node
    first: Node
    later: Node
    subject: Node
    verb1: Node
    verb2: Node
    order: str
    """Of the first clause."""
    interrupted: bool
    """Has a clause between the two a subject of its own, which the later one may rather share?"""

    @property
    def verb_first(self) -> bool:
        """Does the later clause begin with its verb?"""
        return not preverbal_units(self.later, self.verb2)

    @property
    def bare(self) -> bool:
        """Is the later clause a lone verb?"""
        tags = self.later.tree.tags
        return all(at == self.verb2.number or tags[at] in _TAGS.punctuation for at in self.later.positions)

    @property
    def confirmed(self) -> bool:
        """Does a secondary edge lead from the subject, or something in it, to the later clause?"""
        inside = self.subject.mask
        masks = self.later.tree.masks
        return any(
            label == _FUNCTIONS.subject and to == self.later.number and not masks[node] & ~inside
            for node, label, to in self.later.tree.secondary
        )


def shared_subjects(tree: PhraseTree) -> Iterator[SharedSubject]:
    """Every pair of a first and a later conjunct, both finite, where only the first has a subject of its own.

    The subject stands left of the later conjunct: one at the right end of the coordination is shared otherwise.
    """
    subjects = (_FUNCTIONS.subject, _FUNCTIONS.expletive)
    for whole in nodes(tree, _COORDINATION):
        conjuncts = [child for child in whole.children if child.function == _FUNCTIONS.conjunct]
        clauses = [child for child in conjuncts if child.label in _CLAUSES]
        if len(clauses) < 2:
            continue
        first = clauses[0]
        verb1 = finite_verb(first)
        subject = next((child for child in first.children if child.function == _FUNCTIONS.subject), None)
        if verb1 is None or subject is None:
            continue
        order = verb_order(first, verb1)
        interrupted = False
        for later in clauses[1:]:
            verb2 = finite_verb(later)
            has_subject = any(child.function in subjects for child in later.children)
            if verb2 is not None and not has_subject and subject.start < later.start:
                yield SharedSubject(whole, first, later, subject, verb1, verb2, order, interrupted)
            interrupted = interrupted or has_subject


def subject_object_order(trees: Iterable[PhraseTree]) -> tuple[int, int]:
    """Of the clauses (S) with a subject and an accusative object: how many have which one first.

    Of two that are both marked OA (a reflexive, and the object proper) the last one counts.
    """
    subject_first = object_first = 0
    for tree in trees:
        for clause in nodes(tree, *_CLAUSES):
            starts = {child.function: child.start for child in clause.children}
            subject, object_ = starts.get(_FUNCTIONS.subject), starts.get(_FUNCTIONS.object)
            if subject is not None and object_ is not None:
                subject_first += subject < object_
                object_first += subject > object_
    return subject_first, object_first
