"""Where the finite verb of a clause stands: what is before it, and whether it comes first, second or last."""

from __future__ import annotations

from .schemes.model import Scheme
from .tree import Node

V1, V2, VL = "v1", "v2", "vl"
"""Order of a clause: the finite verb first, second, last."""


def coordination(node: Node, scheme: Scheme) -> Node:
    """The topmost coordination of its own kind that a node is a conjunct of, such as the CPP of a PP; else the node."""
    mother, conjunct, label = node.mother, scheme.functions.conjunct, scheme.categories.coordination_of.get(node.label)
    while mother is not None and node.function == conjunct and mother.label == label:
        node, mother = mother, mother.mother
    return node


def clause_parts(node: Node, scheme: Scheme) -> tuple[Node, ...]:
    """Where phrases and verbs of a clause are looked for: in the node itself, or where there are fields in these."""
    if scheme.fields is None or node.label not in scheme.categories.clauses | {scheme.fields.conjunct}:
        return (node,)
    return node.children


def finite_verb(clause: Node, scheme: Scheme) -> Node | None:
    """The finite or imperative verb of a clause, or of the first clause of a coordination; with fields, that of a field
    for verbs, or of a conjunct that has one."""
    tags, categories, fields = scheme.tags.finite, scheme.categories, scheme.fields
    if fields is not None:
        brackets = (field for field in clause_parts(clause, scheme) if field.label in fields.brackets)
        return next((node for field in brackets for node in field.descendants if node.label in tags), None)
    if clause.label == categories.clause_coordination:
        clause = next((child for child in clause.children if child.label in categories.clauses), clause)
    head = scheme.functions.head
    return next((child for child in clause.children if child.function == head and child.label in tags), None)


def preverbal_units(clause: Node, verb: Node, scheme: Scheme) -> list[Node]:
    """The phrases before the verb. A VP that goes on behind it (a fronted participle, say) is looked into."""
    outside, marks = scheme.functions.outside, scheme.tags.punctuation
    units: list[Node] = []
    for child in clause.children:
        if child.start >= verb.number or child.function in outside or child.label in marks:
            continue
        if child.end > verb.number and child.label in scheme.categories.split_verb_phrases:
            units += preverbal_units(child, verb, scheme)
        else:
            units.append(child)
    return units


def verb_order(clause: Node, scheme: Scheme) -> str | None:
    """V1, V2 or VL; None where there is no finite verb. Only a clause within another one can be verb-last for having
    much before its verb."""
    verb = finite_verb(clause, scheme) if clause.label in scheme.categories.clauses else None
    if verb is None:
        return None
    if scheme.fields is not None:
        labels = {child.label for child in clause.children}
        return VL if scheme.fields.left not in labels else V2 if scheme.fields.initial in labels else V1
    functions, tags = scheme.functions, scheme.tags
    whole = coordination(clause, scheme)
    if any(child.function == functions.complementiser for child in clause.children):
        return VL
    if whole.function == functions.relative_clause and clause.tree.tags[clause.start] in tags.relative_pronouns:
        return VL
    units = preverbal_units(clause, verb, scheme)
    if whole.mother is not None and len(units) > 1:
        return VL
    return V2 if units else V1


def preverbal_count(clause: Node, scheme: Scheme) -> str | None:
    """How many phrases stand before the finite verb; None with fields, which say it themselves, and without a verb."""
    is_clause = scheme.fields is None and clause.label in scheme.categories.clauses
    verb = finite_verb(clause, scheme) if is_clause else None
    return None if verb is None else str(len(preverbal_units(clause, verb, scheme)))
