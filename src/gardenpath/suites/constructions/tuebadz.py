"""The finding rules for TüBa-D/Z: PPs and relative clauses, which point by their function at what they belong to."""

from __future__ import annotations

from collections.abc import Iterator

from ...phrase.heads import FINITE, PREPOSITIONS, head_token, nominal_head
from ...phrase.tree import NO_FUNCTION, Node, PhraseTree
from .clauses import coordination, nodes
from .fields import field_gaps, field_reductions, unlike_fields
from .model import Construction
from .tiger import AMBIGUOUS_AFTER, RELATIVE_WORDS

FIELDS = frozenset("LV VF C MF MFE NF".split())
"""Topological fields that hold phrases with functions."""
_CLAUSES = frozenset({"SIMPX", "R-SIMPX", "P-SIMPX"})
_VERB_PP = frozenset({"OPP", "FOPP", "V-MOD", "MOD", "PRED"})
_BECOME = frozenset("werde wirst wird werden werdet wurde wurdest wurden wurdet worden würde würden".split())


def noun_pps(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """PPs that belong to a noun: beside its NX, or in a field with a function such as OA-MOD."""
    for pp, outer, mother in _pps(tree):
        if mother.label == "NX" and outer.function in NO_FUNCTION:
            noun = next((one for one in mother.children if one.function == "HD" and one.label == "NX"), None)
            if noun is not None:
                yield _pp("ppn", pp, outer, nominal_head(noun, "tuebadz"))
        elif mother.label in FIELDS and (target := target_function(outer.function)):
            phrase = modified_phrase(outer, target)
            yield _pp("ppn", pp, outer, -1 if phrase is None else nominal_head(phrase, "tuebadz"), "moved")


def verb_pps(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """PPs that belong to a verb: in a field, as object, predicate or modifier; no passive agent, as in TIGER."""
    for pp, outer, mother in _pps(tree):
        if mother.label in FIELDS and outer.function in _VERB_PP:
            clause = next((one for one in mother.ancestors if one.label in _CLAUSES), None)
            if clause is not None and not _is_agent(pp, outer, clause):
                yield _pp("ppv", pp, outer, head_token(clause, "tuebadz"))


def extraposed_relatives(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Relative clauses in the final field. Their function names the phrase they belong to; where the antecedent is
    inside such a phrase it is MOD, and a secondary edge `refint` joins antecedent and clause."""
    for clause in nodes(tree, "R-SIMPX"):
        outer = coordination(clause, "R-SIMPX", function="KONJ")
        if outer.number != clause.number or outer.mother is None or outer.mother.label != "NF":
            continue
        target = target_function(outer.function)
        if target:
            phrase = modified_phrase(outer, target)
            yield _relative(outer, phrase, () if phrase is not None else ("unresolved",))
        elif outer.function == "MOD" and (phrase := _joined(outer)) is not None:
            yield _relative(outer, phrase, ("refint",))


RULES = {
    "ppn": noun_pps,
    "ppv": verb_pps,
    "erc": extraposed_relatives,
    "fcr": field_reductions,
    "sgf": field_gaps,
    "cuc": unlike_fields,
}


def target_function(function: str) -> str:
    """What a modifier function points at: OA of OA-MOD; empty for the verb (V-MOD), a modifier, and all others."""
    target, dash, last = function.rpartition("-")
    return target if dash and last == "MOD" and target not in ("", "V", "MOD") else ""


def modified_phrase(modifier: Node, function: str) -> Node | None:
    """The phrase with this function in the same clause: in its fields, through coordinations of fields."""
    clause = next((one for one in modifier.ancestors if one.label in _CLAUSES), None)
    if clause is None:
        return None
    found = [one for one in _phrases(clause) if one.function == function and one.number != modifier.number]
    before = [one for one in found if one.start < modifier.start]
    return before[-1] if before else (found[0] if found else None)


def _phrases(node: Node) -> Iterator[Node]:
    """The phrases in the fields of a clause, not of clauses within it."""
    for child in node.children:
        if child.label in FIELDS:
            yield from child.children
        elif child.label in ("FKOORD", "FKONJ"):
            yield from _phrases(child)


def _pps(tree: PhraseTree) -> Iterator[tuple[Node, Node, Node]]:
    """Each PX with a preposition of its own, itself or the PX it is a conjunct of, and the mother of that.

    A pronominal adverb (`damit`) projects a PX too; it is no PP here.
    """
    for pp in nodes(tree, "PX"):
        if any(child.label in PREPOSITIONS for child in pp.children):
            outer = coordination(pp, "PX", function="KONJ")
            if outer.mother is not None:
                yield pp, outer, outer.mother


def _pp(phenomenon: str, pp: Node, outer: Node, governor: int, *more: str) -> Construction:
    preposition = next(child.number for child in pp.children if child.label in PREPOSITIONS)
    noun = nominal_head(pp, "tuebadz")
    flags = ["coordinated"] * (outer.number != pp.number)
    flags += ["ambiguous"] * (pp.start > 0 and pp.tree.tags[pp.start - 1] in AMBIGUOUS_AFTER)
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
    if outer.function != "FOPP" or tree.words[pp.start].casefold() not in ("von", "vom"):
        return False
    inside = clause.positions
    passive = any(tree.words[at].casefold() in _BECOME and tree.tags[at].startswith("VA") for at in inside)
    return passive and any(tree.tags[at] == "VVPP" for at in inside)


def _relative(clause: Node, phrase: Node | None, flags: tuple[str, ...]) -> Construction:
    tree = clause.tree
    relative = next((at for at in clause.positions if tree.tags[at] in RELATIVE_WORDS), clause.start)
    matrix = next((head for one in clause.ancestors if one.label in _CLAUSES and _finite(head := _head(one), tree)), -1)
    anchors = (
        ("relative", relative),
        ("verb", _head(clause)),
        ("noun", -1 if phrase is None else nominal_head(phrase, "tuebadz")),
        ("matrix", matrix),
    )
    conjuncts = sum(child.function == "KONJ" for child in clause.children)
    return Construction("erc", "", clause.number, anchors, (*flags, *("coordinated",) * (conjuncts > 1)))


def _head(clause: Node) -> int:
    return head_token(clause, "tuebadz")


def _finite(token: int, tree: PhraseTree) -> bool:
    return tree.tags[token] in FINITE


def _joined(clause: Node) -> Node | None:
    """The antecedent at the other end of a `refint` edge, whichever way the file draws it."""
    for node, label, to in clause.tree.secondary:
        if label == "refint" and clause.number in (node, to):
            return clause.tree[to if node == clause.number else node]
    return None
