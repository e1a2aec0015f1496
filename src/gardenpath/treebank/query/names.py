"""Names in a request that no match can have: unknown ones are errors, valid ones that the trees lack are noted."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import PurePath

import numpy as np

from ..format.universal import RELATIONS, UNIVERSAL_FEATURES, UPOS_TAGS
from .nodes import COLUMNS, PLACE, QueryNodes, QueryWords, as_number
from .request import (
    CompareClause,
    EdgeClause,
    LabelTest,
    Reference,
    Request,
    SecondEdgeClause,
    ValueTest,
    edges_of,
    label_part,
    pointed_error,
    special_parts,
)

INSTEAD = {
    "wordform": "Grew computes it: write form, as in form=/the/i, which ignores case",
    "textform": "Grew computes it: write form, which is the form of the word, not of its multiword token",
    "phon": "write form",
    "cat": "write upos",
    "pos": "write xpos",
    "deprel": "the label is that of an edge: write Y -[label]-> X, or e: Y -> X and e.label",
    "head": "write an edge: Y -> X",
    "id": "write __id__, the place of the word in its sentence",
    "position": "write __id__, the place of the word in its sentence",
    "feats": "write the feature itself, such as Case",
    "misc": "write the attribute itself, such as SpaceAfter",
    "deps": "enhanced edges are not searched: write an edge, Y -> X",
}
"""Names that words do not have here, and what to write instead."""
_OWN_FEATURES = frozenset(
    "AdpType AdvType Clusivity ConjType Deixis DeixisRef ExtPos Hyph NameType NounClass NounType NumForm NumValue "
    "PartForm PartType PrepCase PunctSide PunctType Style Typo Variant VerbType".split()
)
"""Documented features of some languages, which a treebank may lack without a slip of the pen."""
_NEAR = 0.75
_LABEL, _PART = "edge label", "edge label part"


def feature_fault(name: str, nodes: QueryWords) -> str:
    """Return why no word can have this feature; empty where one has it, or where it is one that words may have."""
    if name in (*COLUMNS, PLACE) or nodes.feature(name)[1]:
        return ""
    if name in INSTEAD:
        return f"words have no {name!r}: {INSTEAD[name]}"
    if name in UNIVERSAL_FEATURES | _OWN_FEATURES:
        return ""
    known = {*COLUMNS, *UNIVERSAL_FEATURES, *nodes.feature_names}
    near = get_close_matches(name, sorted(known), n=3, cutoff=_NEAR)
    if near:
        return f"unknown feature {name!r}: did you mean {' or '.join(near)}?"
    if name[:1].isupper():
        return ""
    return f"unknown feature {name!r}: there are {', '.join(COLUMNS)}, FEATS such as Case, and MISC such as SpaceAfter"


def check_names(request: Request, nodes: QueryNodes) -> list[str]:
    """Return notes on valid names and values that these trees lack; an unknown name is an error."""
    notes = list[str]()
    for clauses in (request.pattern, *request.required, *request.forbidden):
        edges = {*request.edges, *edges_of(clauses)}
        for part in special_parts(clauses):
            if isinstance(part, ValueTest) or (isinstance(part, Reference) and part.name not in edges):
                notes += _of_feature(part, request, nodes)
        for clause in clauses:
            if isinstance(clause, EdgeClause | SecondEdgeClause):
                labels = nodes.labels.values if isinstance(clause, EdgeClause) else nodes.second_labels
                notes += _of_label(clause.label, labels, request, nodes)
            elif isinstance(clause, CompareClause):
                _check_numbers(clause, edges, request, nodes)
    for test in request.comments:
        if not nodes.commented(ValueTest(test.name)).any():
            notes.append(f"no sentence of {PurePath(nodes.name).name} has a comment {test.name!r}")
    return list(dict.fromkeys(notes))


def _of_feature(part: ValueTest | Reference, request: Request, nodes: QueryNodes) -> Iterator[str]:
    name = part.name if isinstance(part, ValueTest) else part.feature
    if nodes.is_dear(name):
        return
    if isinstance(nodes, QueryWords) and (fault := feature_fault(name, nodes)):
        raise pointed_error(request.text, fault, part.place, "see gardenpath treebank stats for what there is")
    there = nodes.feature(name)[1]
    if not there:
        yield lacking_feature(name, nodes)
    elif isinstance(part, ValueTest):
        known = UPOS_TAGS if isinstance(nodes, QueryWords) and name == "upos" else None
        yield from _of_values(name, part, there, known, request, nodes)


def lacking_feature(name: str, nodes: QueryNodes) -> str:
    """Return the note on a feature that no node has."""
    return f"no {nodes.unit} of {PurePath(nodes.name).name} has {name}: it is not annotated there"


def _of_label(test: LabelTest, labels: Collection[str], request: Request, nodes: QueryNodes) -> Iterator[str]:
    if test.whole is not None:
        known = {*RELATIONS, *(label_part(label, "1") or "" for label in labels)}
        yield from _of_values(_LABEL, test.whole, labels, known, request, nodes)
    for part in test.parts:
        there = {value for label in labels if (value := label_part(label, part.name)) is not None}
        closed = RELATIONS | there if part.name == "1" else None
        yield from _of_values(_PART, part, there, closed, request, nodes)


def _of_values(
    name: str, test: ValueTest, there: Collection[str], known: Collection[str] | None, request: Request,
    nodes: QueryNodes,
) -> Iterator[str]:  # fmt: skip
    """Values that no node or edge has; `known` are those that the formalism has, where it is closed."""
    absent = [value for value in test.values if value not in there]
    unknown = [value for value in absent if known is not None and (label_part(value, "1") or value) not in known]
    if isinstance(nodes, QueryWords) and unknown and len(absent) == len(test.values):
        near = get_close_matches(unknown[0], sorted({*there, *(known or ())}), n=3, cutoff=0.6)
        todo = f"did you mean {' or '.join(near)}?" if near else f"there are {_some(there)}"
        raise pointed_error(request.text, f"unknown {name} {unknown[0]!r}", test.place, todo)
    for value in absent:
        is_valid = known is not None and value not in unknown
        near = [] if is_valid else get_close_matches(value, sorted(there), n=3, cutoff=0.6)
        end = f"; did you mean {' or '.join(near)}?" if near else ""
        unit, has = ("edge", f"the {name[5:]} {value}") if name in (_LABEL, _PART) else (nodes.unit, f"{name}={value}")
        yield f"no {unit} of {PurePath(nodes.name).name} has {has}{end}"


def _some(values: Collection[str]) -> str:
    shown = sorted(values)
    return ", ".join(shown[:20]) + (", …" if len(shown) > 20 else "")


def _check_numbers(clause: CompareClause, edges: Collection[str], request: Request, nodes: QueryNodes) -> None:
    """Refuse to compare a feature that has values, none of which is a number."""
    for part in (clause.left, clause.right):
        if not isinstance(part, Reference):
            continue
        values = (nodes.edge_feature if part.name in edges else nodes.feature)(part.feature)[1]
        if values and np.isnan(list(map(as_number, values))).all():
            what = f"{clause.operator} compares numbers, and no {part.feature} is one"
            raise pointed_error(request.text, what, part.place, "ask for values with = or <>, or for places with <")
