"""Coordinated clauses that share a subject: the error classes of Table 3 (FCR) and Table 4 (SGF)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...phrase.heads import FINITE
from ...phrase.tree import Node
from ...suites.constructions.model import Construction
from .reading import CLAUSES, SUBJECT, Case, Reading
from .verdict import UNDECIDED, Verdict

_EXPECTED = {"tiger": "CS", "tuebadz": "FKOORD"}
_CONJUNCTS = {
    "tiger": frozenset({"S", "CS"}),
    "tuebadz": frozenset({"FKONJ", "SIMPX", "R-SIMPX", "P-SIMPX", "LK", "VC"}),
}
"""What a conjunct with a finite verb may be. A lone field is a conjunct itself."""
_SUBJECT_FIELDS = frozenset({"VF", "C", "MF"})
_BRACKETS = frozenset({"LK", "VC"})


@dataclass(frozen=True, slots=True)
class Coordination:
    """The node over two conjuncts that these finite verbs head, and the subjects of both."""

    node: Node
    first: Node
    second: Node
    subjects1: tuple[Node, ...]
    subjects2: tuple[Node, ...]


def judge_coordination(case: Case) -> Verdict:
    """The classes of all pairs of the first and a later conjunct, together.

    A pair that was not found (C, in SGF also E) has no subject to be right or wrong.
    """
    phenomenon = case.construction.phenomenon
    codes, flags = _codes(case, case.parse)
    if case.is_raised:
        hidden, _ = _codes(case, case.gold)  # of gold itself: what its form does not show is no error of a parse
        codes = {code: reason for code, reason in codes.items() if code not in hidden}
        if hidden and not codes:
            return Verdict((), UNDECIDED, flags, "a part of the coordination was raised out of it")
    return case.decisions.verdict(phenomenon, codes, flags)


def _codes(case: Case, parse: Reading) -> tuple[dict[str, str], tuple[str, ...]]:
    """The classes that hold, each with its reason; and flags."""
    phenomenon = case.construction.phenomenon
    codes: dict[str, str] = {}
    flags: dict[str, None] = {}
    pairs = list(verb_pairs(case.construction))
    for pair in pairs:
        if phenomenon == "sgf" and (lost := _lost_verb(parse, pair)):
            codes.setdefault("E", lost)
            continue
        found = locate(parse, *pair)
        if found is None:
            codes.setdefault("C", f"no coordination of {' and '.join(map(parse.word, pair))}")
            continue
        if found.node.label != _EXPECTED[parse.scheme]:
            flags[f"level:{found.node.label}"] = None
        for code, reason in _subject_codes(case, parse, found).items():
            codes.setdefault(code, reason)
    if phenomenon == "fcr" and parse.scheme == "tuebadz" and not codes:
        for pair in pairs:
            if reason := _other_span(case.gold, parse, pair):
                codes.setdefault("E", reason)
    return codes, tuple(flags)


def verb_pairs(construction: Construction) -> Iterator[tuple[int, int]]:
    """The first finite verb with each later one."""
    first = construction.anchor("verb1")
    for name, token in construction.anchors:
        if name.startswith("verb") and name != "verb1" and token >= 0:
            yield first, token


def locate(reading: Reading, verb1: int, verb2: int) -> Coordination | None:
    """The coordination of two clauses (or parts of one) with these finite verbs as heads; None if there is none."""
    node = next(reading.over(verb1, verb2), None)
    if node is None:
        return None
    ends = []
    for verb in (verb1, verb2):
        child = next(one for one in node.children if one.mask >> verb & 1)
        is_clause = child.label in _CONJUNCTS[reading.scheme] and reading.is_conjunct(child)
        if not is_clause or reading.head(child) != verb or reading.tree.tags[verb] not in FINITE:
            return None
        ends.append(child)
    found = (_tiger_subjects if reading.scheme == "tiger" else _tuebadz_subjects)(reading, node, ends, (verb1, verb2))
    return Coordination(node, ends[0], ends[1], *found)


def _tiger_subjects(
    reading: Reading, node: Node, ends: list[Node], verbs: tuple[int, int]
) -> tuple[tuple[Node, ...], ...]:
    """Nodes SB by their closest clause: that of the verb, also where the conjunct is a coordination again."""
    clauses = [reading.clause(reading.tree[verb]) for verb in verbs]
    return tuple(
        tuple(one for one in _subjects(reading, end) if reading.clause(one) == clause)
        for end, clause in zip(ends, clauses, strict=True)
    )


def _tuebadz_subjects(
    reading: Reading, node: Node, ends: list[Node], verbs: tuple[int, int]
) -> tuple[tuple[Node, ...], ...]:
    """Nodes ON of each conjunct; one in a field over the coordination is the first conjunct's."""
    found = [tuple(one for one in _subjects(reading, end) if _unit(reading, one, end) == end) for end in ends]
    above = node if node.label in CLAUSES["tuebadz"] else reading.clause(node, ("FKONJ",))
    if above is not None:
        shared = tuple(
            one
            for child in above.children
            if child.label in _SUBJECT_FIELDS and not reading.is_conjunct(child)
            for one in _subjects(reading, child)
            if reading.clause(one, ("FKONJ",)) == above
        )
        found[0] = (*shared, *found[0])
    return tuple(found)


def _unit(reading: Reading, node: Node, end: Node) -> Node | None:
    """The closest conjunct of fields or clause over a node, the conjunct in question among them."""
    labels = CLAUSES["tuebadz"] | {"FKONJ"}
    return next((one for one in node.ancestors if one == end or one.label in labels), None)


def _subjects(reading: Reading, below: Node) -> Iterator[Node]:
    return (one for one in below.descendants if one.function == SUBJECT[reading.scheme])


def _subject_codes(case: Case, parse: Reading, found: Coordination) -> dict[str, str]:
    phenomenon, subject = case.construction.phenomenon, case.construction.anchor("subject")
    is_right = any(_is_headed(parse, one, subject) for one in found.subjects1)
    extra = [one for one in found.subjects1 if not _is_headed(parse, one, subject)]
    codes: dict[str, str] = {}
    if not is_right:
        codes["B"] = f"{parse.word(subject)} is not the subject of the first conjunct{_instead(parse, subject)}"
    if found.subjects2:
        words = " and ".join(parse.word(parse.noun(one)) for one in found.subjects2)
        codes["A"] = f"{words} taken as subject of the second conjunct"
    elif extra and not is_right and phenomenon == "fcr":
        codes["A"] = f"{parse.word(parse.noun(extra[0]))} taken as subject of the first conjunct"
    if extra and is_right:
        codes["D"] = f"{parse.word(parse.noun(extra[0]))} taken as second subject of the first conjunct"
    return codes


def _is_headed(reading: Reading, node: Node, token: int) -> bool:
    return token in (reading.head(node), reading.noun(node))


def _instead(reading: Reading, subject: int) -> str:
    """What the phrase that this word heads was taken for."""
    for node in (reading.tree[subject], *reading.tree[subject].ancestors):
        if not _is_headed(reading, node, subject):
            break
        function = reading.function(node)
        if function not in ("", "HD", "NK", "PNC", SUBJECT[reading.scheme]):
            return f" but {function}"
    return ""


def _lost_verb(reading: Reading, verbs: tuple[int, int]) -> str:
    """Why one of the verbs is none here; empty if both are."""
    for verb in verbs:
        token = reading.tree[verb]
        if token.label not in FINITE:
            return f"{reading.word(verb)} is tagged {token.label}"
        mother = token.mother
        if reading.scheme == "tiger":
            if mother is None or mother.label != "S" or token.function != "HD":
                return f"{reading.word(verb)} is not the head of a clause"
        elif mother is None or mother.label != "VXFIN" or not any(one.label in _BRACKETS for one in mother.ancestors):
            return f"{reading.word(verb)} stands in no verbal field"
    return ""


def _other_span(gold: Reading, parse: Reading, pair: tuple[int, int]) -> str:
    """Where coordination or conjuncts reach too far or not far enough; empty if all is right."""
    wanted, found = locate(gold, *pair), locate(parse, *pair)
    if wanted is None or found is None:
        return ""
    for name in ("first", "second", "node"):
        one, two = getattr(found, name), getattr(wanted, name)
        if parse.extent(one) != gold.extent(two):
            said = {"first": "first conjunct", "second": "later conjunct", "node": "coordination"}[name]
            return f"{said} spans {parse.span(parse.extent(one))}, gold {gold.span(gold.extent(two))}"
    return ""
