"""The finding rules for TüBa-D/Z: PPs and relative clauses, which point by their function at what they belong to."""

from __future__ import annotations

from collections.abc import Iterator

from ...phrase.heads import head_token, nominal_head
from ...phrase.schemes.tuebadz import FIELDS, TUEBADZ
from ...phrase.tree import NO_FUNCTION, Node, PhraseTree
from .clauses import coordination, nodes
from .fields import field_gaps, field_reductions, unlike_fields
from .model import Construction

_CATEGORIES, _FUNCTIONS, _TAGS = TUEBADZ.categories, TUEBADZ.functions, TUEBADZ.tags
_VERB_PP = frozenset({"OPP", "FOPP", "V-MOD", "MOD", "PRED"})
_BECOME = frozenset("werde wirst wird werden werdet wurde wurdest wurden wurdet worden würde würden".split())


def noun_pps(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """PPs that belong to a noun: beside its NX, or in a field with a function such as OA-MOD."""
    for pp, outer, mother in _pps(tree):
        if mother.label == _CATEGORIES.noun_phrase and outer.function in NO_FUNCTION:
            inner = [child for child in mother.children if child.label == _CATEGORIES.noun_phrase]
            noun = next((child for child in inner if child.function == _FUNCTIONS.head), None)
            if noun is not None:
                yield _pp("ppn", pp, outer, nominal_head(noun, TUEBADZ))
        elif mother.label in FIELDS.phrase_fields and (target := _FUNCTIONS.target(outer.function)):
            phrase = modified_phrase(outer, target)
            yield _pp("ppn", pp, outer, -1 if phrase is None else nominal_head(phrase, TUEBADZ), "moved")


def verb_pps(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """PPs that belong to a verb: in a field, as object, predicate or modifier; no passive agent, as in TIGER."""
    for pp, outer, mother in _pps(tree):
        if mother.label in FIELDS.phrase_fields and outer.function in _VERB_PP:
            clause = _clause(mother)
            if clause is not None and not _is_agent(pp, outer, clause):
                yield _pp("ppv", pp, outer, _head(clause))


def extraposed_relatives(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Relative clauses in the final field. Their function names the phrase they belong to; where the antecedent is
    inside such a phrase it is MOD, and a secondary edge `refint` joins antecedent and clause."""
    for clause in nodes(tree, *_CATEGORIES.relative_clauses):
        outer = coordination(clause, _CATEGORIES.relative_clauses, TUEBADZ)
        if outer.number != clause.number or outer.mother is None or outer.mother.label != FIELDS.final:
            continue
        target = _FUNCTIONS.target(outer.function)
        if target:
            phrase = modified_phrase(outer, target)
            yield _relative(outer, phrase, () if phrase is not None else ("unresolved",))
        elif outer.function == _FUNCTIONS.modifier and (phrase := _joined(outer)) is not None:
            yield _relative(outer, phrase, ("refint",))


RULES = {
    "ppn": noun_pps,
    "ppv": verb_pps,
    "erc": extraposed_relatives,
    "fcr": field_reductions,
    "sgf": field_gaps,
    "cuc": unlike_fields,
}


def modified_phrase(modifier: Node, function: str) -> Node | None:
    """The phrase with this function in the same clause: in its fields, through coordinations of fields."""
    clause = _clause(modifier)
    if clause is None:
        return None
    named = [phrase for phrase in _phrases(clause) if phrase.function == function and phrase.number != modifier.number]
    before = [phrase for phrase in named if phrase.start < modifier.start]
    return before[-1] if before else (named[0] if named else None)


def _clause(node: Node) -> Node | None:
    """The closest clause over a node."""
    return next((above for above in node.ancestors if above.label in _CATEGORIES.clauses), None)


def _phrases(node: Node) -> Iterator[Node]:
    """The phrases in the fields of a clause, not of clauses within it."""
    for child in node.children:
        if child.label in FIELDS.phrase_fields:
            yield from child.children
        elif child.label in (FIELDS.coordination, FIELDS.conjunct):
            yield from _phrases(child)


def _pps(tree: PhraseTree) -> Iterator[tuple[Node, Node, Node]]:
    """Each PX with a preposition of its own, itself or the PX it is a conjunct of, and the mother of that.

    A pronominal adverb (`damit`) projects a PX too; it is no PP here.
    """
    for pp in nodes(tree, _CATEGORIES.prepositional):
        if any(child.label in _TAGS.prepositions for child in pp.children):
            outer = coordination(pp, (_CATEGORIES.prepositional_coordination,), TUEBADZ)
            if outer.mother is not None:
                yield pp, outer, outer.mother


def _pp(phenomenon: str, pp: Node, outer: Node, governor: int, *more: str) -> Construction:
    preposition = next(child.number for child in pp.children if child.label in _TAGS.prepositions)
    noun = nominal_head(pp, TUEBADZ)
    flags = ["coordinated"] * (outer.number != pp.number)
    flags += ["ambiguous"] * (pp.start > 0 and pp.tree.tags[pp.start - 1] in _TAGS.attachable)
    flags += ["incomplete"] * (noun == preposition)
    anchors = (
        ("preposition", preposition),
        ("noun", noun if noun != preposition else -1),
        ("governor", governor),
    )
    return Construction(phenomenon, "", pp.number, anchors, (*flags, *more))


def _is_agent(pp: Node, outer: Node, clause: Node) -> bool:
    """Is this the `von` of a passive? TüBa-D/Z gives it FOPP, as it gives other optional prepositional objects."""
    tree = pp.tree
    if outer.function != _FUNCTIONS.agent or tree.words[pp.start].casefold() not in ("von", "vom"):
        return False
    inside = clause.positions
    passive = any(tree.words[at].casefold() in _BECOME and tree.tags[at].startswith("VA") for at in inside)
    return passive and any(tree.tags[at] == "VVPP" for at in inside)


def _relative(clause: Node, phrase: Node | None, flags: tuple[str, ...]) -> Construction:
    tree = clause.tree
    relative = next((at for at in clause.positions if tree.tags[at] in _TAGS.relative_words), clause.start)
    above = [_head(node) for node in clause.ancestors if node.label in _CATEGORIES.clauses]
    matrix = next((head for head in above if tree.tags[head] in _TAGS.finite), -1)
    anchors = (
        ("relative", relative),
        ("verb", _head(clause)),
        ("noun", -1 if phrase is None else nominal_head(phrase, TUEBADZ)),
        ("matrix", matrix),
    )
    conjuncts = sum(child.function == _FUNCTIONS.conjunct for child in clause.children)
    return Construction("erc", "", clause.number, anchors, (*flags, *("coordinated",) * (conjuncts > 1)))


def _head(clause: Node) -> int:
    return head_token(clause, TUEBADZ)


def _joined(clause: Node) -> Node | None:
    """The antecedent at the other end of a `refint` edge, whichever way the file draws it."""
    for node, label, to in clause.tree.secondary:
        if label == "refint" and clause.number in (node, to):
            return clause.tree[to if node == clause.number else node]
    return None
