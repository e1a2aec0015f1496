"""Governors in TüBa-D/Z, where phrases stand in topological fields: what hangs at which verb of the clause.

The subject, conjunctions and modifying clauses, PX and NX hang at the finite verb; objects, V-MOD and modifying
adverbs at the lowest verb; each verb at the one above it; X-MOD at the phrase with the function X.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .heads import FINITE, TUEBADZ, nominal_head, tree_heads
from .tree import Node, PhraseTree

FIELDS = frozenset("VF MF NF LK VC C LV KOORD PARORD MFE VCE".split())
CLAUSES = frozenset("SIMPX R-SIMPX P-SIMPX FKONJ".split())
_VERBAL = frozenset({"VXFIN", "VXINF"})
_AT_FINITE = frozenset({"ON", "ES", "ONK"})
_LOW_MODIFIERS = frozenset({"ADVX", "ADJX"})
_OBJECTS = frozenset("OA OD OG OPP FOPP OS OADVP OADJP PRED V-MOD OV OAK ODK OPPK FOPPK PREDK V-MODK".split())

Arc = tuple[int, str]


@dataclass(frozen=True)
class _Clause:
    """A clause (or a conjunct of fields) with its verbs from the highest down."""

    node: Node
    verbs: tuple[int, ...]
    outer: _Clause | None

    @property
    def finite(self) -> int | None:
        """The finite verb; in a nonfinite conjunct of fields that of the clause around it."""
        own = next((verb for verb in self.verbs if self.node.tree.tags[verb] in FINITE), None)
        if own is None and self.outer is not None:
            own = self.outer.finite
        return own if own is not None else (self.verbs[0] if self.verbs else None)

    @property
    def lowest(self) -> int | None:
        return self.verbs[-1] if self.verbs else (self.outer.lowest if self.outer is not None else None)


def through_fields(tree: PhraseTree, plain: Sequence[Arc]) -> list[Arc]:
    """The arcs of a tree: those of the projection (`plain`) but for what stands in a field or is a verb."""
    found = list(plain)
    heads = tree_heads(tree, TUEBADZ)
    for node in tree.inner:
        if node.label in CLAUSES and node.label != "FKONJ" and not _coordinated(node):
            _arrange(_Clause(node, _verbs(node, heads), None), {heads[node.number]}, heads, found)
    return found


def _coordinated(node: Node) -> bool:
    return any(child.function == "KONJ" and child.label in CLAUSES for child in node.children)


def _arrange(clause: _Clause, fixed: set[int], heads: Sequence[int], found: list[Arc]) -> None:
    """The arcs of one clause, and of the conjuncts of fields in it; those of the tokens in `fixed` stay."""
    node = clause.node
    own = _own_verbs(node, heads)
    for above, verb in pairwise(own):
        found[verb] = (above, "OV")
    for phrase in _phrases(node):
        token, governor = heads[phrase.number], _governor(phrase, clause)
        if governor is not None and governor != token and token not in fixed and token not in clause.verbs:
            found[token] = (governor, phrase.function or "--")
    for child in node.children:
        if child.label == "FKOORD":
            conjuncts = _conjuncts(child)
            for conjunct in conjuncts:  # a later one depends on what stands before it
                kept = fixed if conjunct == conjuncts[0] else fixed | {heads[conjunct.number]}
                _arrange(_Clause(conjunct, _verbs(conjunct, heads), clause), kept, heads, found)


def _conjuncts(node: Node) -> list[Node]:
    return [child for child in node.children if child.label in FIELDS | CLAUSES]


def _verbs(node: Node, heads: Sequence[int]) -> tuple[int, ...]:
    """From the finite verb down; a clause whose fields are coordinated has those of the first conjunct."""
    own = _own_verbs(node, heads)
    first = [one for child in node.children if child.label == "FKOORD" for one in _conjuncts(child)[:1]]
    return own + (_verbs(first[0], heads) if first else ())


def _own_verbs(node: Node, heads: Sequence[int]) -> tuple[int, ...]:
    fields = [node] if node.label in FIELDS else [child for child in node.children if child.label in FIELDS]
    left = [verb for field in fields if field.label == "LK" for verb in _verbal(field)]
    right = [verb for field in fields if field.label in ("VC", "VCE") for verb in _verbal(field)]
    # German verbs stack to the left: in `gekauft worden sein` each depends on the one after it.
    ranked = sorted(right, key=lambda verb: (verb.label != "VXFIN", verb.function != "HD", -verb.start))
    return tuple(heads[verb.number] for verb in [*left, *ranked])


def _verbal(field: Node) -> list[Node]:
    return [child for child in field.children if child.label in _VERBAL]


def _phrases(node: Node) -> Iterator[Node]:
    """What stands in the fields of a clause, but its verbs."""
    fields = [node] if node.label in FIELDS else node.children
    for field in fields:
        if field.label in FIELDS:
            yield from (child for child in field.children if child.label not in _VERBAL)


def _governor(phrase: Node, clause: _Clause) -> int | None:
    function, label = phrase.function, phrase.label
    if function in _AT_FINITE:
        return clause.finite
    if function == "MOD":
        return clause.lowest if label in _LOW_MODIFIERS else clause.finite
    if function == "VPT":
        return clause.verbs[0] if clause.verbs else None
    if function in _OBJECTS:
        return clause.lowest
    if function.endswith("-MOD"):
        return _modified(phrase, clause)
    return clause.finite


def _modified(phrase: Node, clause: _Clause) -> int | None:
    """The head of the phrase with the function X for X-MOD (of a PX its noun); the nearest before, else after."""
    wanted = phrase.function.removesuffix("-MOD")
    whole = clause
    while whole.outer is not None:
        whole = whole.outer
    named = [one for one in _all_phrases(whole.node) if one.function == wanted and one != phrase]
    if not named:
        return clause.lowest
    before = [one for one in named if one.start < phrase.start]
    return nominal_head((before or named)[-1 if before else 0], TUEBADZ)


def _all_phrases(node: Node) -> Iterator[Node]:
    """Also in the conjuncts of fields."""
    yield from _phrases(node)
    for child in node.children:
        if child.label in ("FKOORD", "FKONJ"):
            yield from _all_phrases(child)
