"""Error classes of coordinations with a shared subject (Tables 3 and 4) and of unlike constituents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...phrase.schemes.model import Fields
from ...phrase.tree import Node
from ...suites.constructions.model import Construction
from .error_classes import MISSING, UNDECIDED, Comparisons, ConstructionVerdict
from .reading import Case, Reading


@dataclass(frozen=True, slots=True)
class Coordination:
    """The node over two conjuncts that these finite verbs head, and the subjects of both."""

    node: Node
    first: Node
    second: Node
    subjects1: tuple[Node, ...]
    subjects2: tuple[Node, ...]


def judge_coordination(case: Case) -> ConstructionVerdict:
    """The classes of all pairs of the first and a later conjunct, together.

    A pair that was not found (C, in SGF also E) has no subject to be right or wrong.
    """
    phenomenon = case.construction.phenomenon
    codes, flags = _codes(case, case.parse)
    if case.is_reduced:
        hidden, _ = _codes(case, case.gold)  # of gold itself: what its form does not show is no error of a parse
        if _LOST & hidden.keys():
            return ConstructionVerdict((), UNDECIDED, (), "gold has no such coordination in this form of trees")
        codes = {code: reason for code, reason in codes.items() if code not in hidden}
    return case.decisions.verdict(phenomenon, codes, flags)


_LOST = frozenset("CE")
"""No coordination, or a verb that is none; E of `fcr`, another span, cannot be where gold is compared with itself."""


def _codes(case: Case, parse: Reading) -> tuple[dict[str, str], tuple[str, ...]]:
    """The classes that hold, each with its reason; and flags."""
    located = [(pair, coordination_of(parse, *pair)) for pair in verb_pairs(case.construction)]
    compared = [_compared(case, parse, pair, coordination) for pair, coordination in located]
    codes, _ = case.decisions.held(case.construction.phenomenon, compared)
    labels = [
        coordination.node.label
        for (_, coordination), comparisons in zip(located, compared, strict=True)
        if coordination is not None and comparisons.words.get("verb") != MISSING
    ]
    usual = parse.scheme.categories.clause_coordination
    return codes, tuple(dict.fromkeys(f"level:{label}" for label in labels if label != usual))


def _compared(case: Case, parse: Reading, pair: tuple[int, int], coordination: Coordination | None) -> Comparisons:
    """One pair of verbs: are they verbs, is there a coordination of them, with which subjects and words."""
    compared, phenomenon = Comparisons(), case.construction.phenomenon
    if phenomenon == "sgf":
        lost = _lost_verb(parse, pair)
        compared.there("verb", not lost, lost)
    note = f"no coordination of {' and '.join(map(parse.word, pair))}"
    compared.there("coordination", coordination is not None, note)
    if coordination is not None:
        _compare_subjects(case, parse, coordination, compared)
        if phenomenon == "fcr" and parse.scheme.fields is not None:
            reason = _other_span(case.gold, parse, pair)
            compared.same("span", not reason, reason)
    return compared


def verb_pairs(construction: Construction) -> Iterator[tuple[int, int]]:
    """The first finite verb with each later one."""
    first = construction.anchor("verb1")
    for name, token in construction.anchors:
        if name.startswith("verb") and name != "verb1" and token >= 0:
            yield first, token


def coordination_of(reading: Reading, verb1: int, verb2: int) -> Coordination | None:
    """The coordination of two clauses (or parts of one) with these finite verbs as heads; None if there is none."""
    node = next(reading.over(verb1, verb2), None)
    if node is None:
        return None
    ends = []
    for verb in (verb1, verb2):
        child = next(one for one in node.children if one.mask >> verb & 1)
        is_clause = child.label in reading.scheme.categories.clause_conjuncts and reading.is_conjunct(child)
        if not is_clause or reading.head(child) != verb or reading.tree.tags[verb] not in reading.scheme.tags.finite:
            return None
        ends.append(child)
    fields = reading.scheme.fields
    if fields is None:
        return Coordination(node, ends[0], ends[1], *_subjects_of_clauses(reading, ends, (verb1, verb2)))
    return Coordination(node, ends[0], ends[1], *_subjects_in_fields(reading, node, ends, fields))


def _subjects_of_clauses(
    reading: Reading, ends: list[Node], verbs: tuple[int, int]
) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Subjects by their closest clause: that of the verb, also where the conjunct is a coordination again."""
    clauses = [reading.clause(reading.tree[verb]) for verb in verbs]
    first, second = (
        tuple(subject for subject in _subjects(reading, end) if reading.clause(subject) == clause)
        for end, clause in zip(ends, clauses, strict=True)
    )
    return first, second


def _subjects_in_fields(
    reading: Reading, node: Node, ends: list[Node], fields: Fields
) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Subjects of each conjunct; one in a field over the coordination is the first conjunct's."""
    first, second = (
        tuple(subject for subject in _subjects(reading, end) if _unit(reading, subject, end) == end) for end in ends
    )
    above = node if node.label in reading.scheme.categories.clauses else reading.clause_part(node)
    if above is None:
        return first, second
    holders = (fields.initial, fields.complementiser, fields.middle)
    shared = tuple(
        subject
        for child in above.children
        if child.label in holders and not reading.is_conjunct(child)
        for subject in _subjects(reading, child)
        if reading.clause_part(subject) == above
    )
    return (*shared, *first), second


def _unit(reading: Reading, node: Node, end: Node) -> Node | None:
    """The closest conjunct of fields or clause over a node, the conjunct in question among them."""
    return next((above for above in node.ancestors if above == end or above.label in reading.clause_labels), None)


def _subjects(reading: Reading, below: Node) -> Iterator[Node]:
    return (node for node in below.descendants if node.function == reading.scheme.functions.subject)


def _compare_subjects(case: Case, parse: Reading, coordination: Coordination, compared: Comparisons) -> None:
    subject = case.construction.anchor("subject")
    is_right = any(_is_headed(parse, node, subject) for node in coordination.subjects1)
    more = [parse.noun(node) for node in coordination.subjects1 if not _is_headed(parse, node, subject)]
    second = [parse.noun(node) for node in coordination.subjects2]
    compare_subjects(compared, parse.word, subject, is_right, _instead(parse, subject), more, second)


def compare_subjects(
    compared: Comparisons,
    word: Callable[[int], str],
    subject: int,
    is_right: bool,
    instead: str,
    more: Sequence[int],
    second: Sequence[int],
) -> None:
    """Is gold's subject one of the first conjunct, or what `instead`; which `more` has it, and which has the second?"""
    note = f"{word(subject)} is not the subject of the first conjunct{instead}"
    compared.there("subject", is_right, note)
    words = " and ".join(map(word, second))
    compared.there("second", bool(second), f"{words} taken as subject of the second conjunct")
    role = "second subject" if is_right else "subject"
    compared.there("more", bool(more), f"{word(more[0])} taken as {role} of the first conjunct" if more else "")


def _is_headed(reading: Reading, node: Node, token: int) -> bool:
    return token in (reading.head(node), reading.noun(node))


def _instead(reading: Reading, subject: int) -> str:
    """What the phrase that this word heads was taken for."""
    functions = reading.scheme.functions
    for node in (reading.tree[subject], *reading.tree[subject].ancestors):
        if not _is_headed(reading, node, subject):
            break
        function = reading.function(node)
        if function and function != functions.subject and function not in functions.headlike:
            return f" but {function}"
    return ""


def _lost_verb(reading: Reading, verbs: tuple[int, int]) -> str:
    """Why one of the verbs is none here; empty if both are."""
    scheme = reading.scheme
    for verb in verbs:
        token = reading.tree[verb]
        if token.label not in scheme.tags.finite:
            return f"{reading.word(verb)} is tagged {token.label}"
        mother = token.mother
        if scheme.fields is None:
            in_clause = mother is not None and mother.label in scheme.categories.clauses
            if not in_clause or reading.function(token) not in ("", scheme.functions.head):
                return f"{reading.word(verb)} is not the head of a clause"
        elif mother is None or not _in_bracket(mother, scheme.fields):
            return f"{reading.word(verb)} stands in no verbal field"
    return ""


def _in_bracket(phrase: Node, fields: Fields) -> bool:
    """Is this the phrase of a finite verb, in one of the fields that such verbs stand in?"""
    return phrase.label == fields.finite_verb and any(above.label in fields.brackets for above in phrase.ancestors)


def _other_span(gold: Reading, parse: Reading, pair: tuple[int, int]) -> str:
    """Where coordination or conjuncts reach too far or not far enough; empty if all is right."""
    wanted, located = coordination_of(gold, *pair), coordination_of(parse, *pair)
    if wanted is None or located is None:
        return ""
    for name, part in (("first", "first conjunct"), ("second", "later conjunct"), ("node", "coordination")):
        ours, theirs = parse.extent(getattr(located, name)), gold.extent(getattr(wanted, name))
        if ours != theirs:
            return f"{part} spans {parse.span(ours)}, gold {gold.span(theirs)}"
    return ""


class Conjunct(NamedTuple):
    """What must be the same: the words, and the head (of a field without a verb: the heads inside)."""

    extent: int
    heads: frozenset[int]


def judge_unlike(case: Case) -> ConstructionVerdict:
    """Right or wrong; labels, categories and functions are flags only."""
    wanted = _in_gold(case) if case.is_reduced else case.node
    if wanted is None:
        return ConstructionVerdict((), UNDECIDED, (), "gold has no such coordination in this form of trees")
    gold, parse, by_phrase = case.gold, case.parse, case.decisions.field_heads
    goal = [conjunct(gold, one, by_phrase) for one in gold.conjuncts(wanted)]
    best: tuple[int, Node | None] = (-1, None)
    compared = Comparisons()
    for node in parse.tree.inner:
        conjuncts = parse.conjuncts(node)
        if len(conjuncts) < 2 and not (conjuncts and len(goal) < 2):
            continue
        have = [conjunct(parse, one, by_phrase) for one in conjuncts]
        if sorted(one.extent for one in have) == sorted(one.extent for one in goal) and set(have) == set(goal):
            compared.same("conjuncts", True)
            return case.decisions.judged("cuc", compared, _flags(case, wanted, node))
        shared = sum(one in goal for one in have)
        covers = (parse.extent(node) & gold.extent(wanted)).bit_count()
        if (score := 1000 * shared + covers) > best[0] and covers:
            best = (score, node)
    compared.same("conjuncts", False, _reason(case, wanted, best[1]))
    return case.decisions.judged("cuc", compared)


def conjunct(reading: Reading, node: Node, by_phrase: bool = True) -> Conjunct:
    """A conjunct as it is compared."""
    fields = reading.scheme.fields
    if by_phrase and fields is not None and (node.label in fields.verbless or node.label == fields.conjunct):
        inside = node.children if node.label == fields.conjunct else (node,)
        if not any(field.label in fields.verb_fields for field in inside):
            phrases = [phrase for field in inside for phrase in (field.children or (field,))]
            heads = frozenset(reading.head(one) for one in phrases if reading.extent(one))
            return Conjunct(reading.extent(node), heads)
    return Conjunct(reading.extent(node), frozenset([reading.head(node)]))


def _in_gold(case: Case) -> Node | None:
    """The coordination in gold as the form of trees shows it, by the heads of its conjuncts."""
    heads = [token for name, token in case.construction.anchors if name.startswith("conjunct") and token >= 0]
    node = next(case.gold.over(*heads), None) if heads else None
    return node if node is not None and len(case.gold.conjuncts(node)) > 1 else None


def _flags(case: Case, wanted: Node, node: Node) -> tuple[str, ...]:
    gold, parse = case.gold, case.parse
    pairs = list(zip(parse.conjuncts(node), gold.conjuncts(wanted), strict=True))
    inner = [(one, two) for ours, theirs in pairs for one, two in zip(ours.children, theirs.children, strict=False)]
    same = {
        "label": node.label == wanted.label,
        "cat": all(one.label == two.label for one, two in pairs),
        "gf": all(parse.function(one) == gold.function(two) for one, two in [(node, wanted), *pairs, *inner]),
    }
    return tuple(name for name, holds in same.items() if not holds)


def _reason(case: Case, wanted: Node, node: Node | None) -> str:
    gold, parse = case.gold, case.parse
    theirs = gold.conjuncts(wanted)
    spans = " and ".join(gold.span(gold.extent(one)) for one in theirs)
    if node is None:
        return f"no coordination of {spans}"
    ours = parse.conjuncts(node)
    if sorted(map(parse.extent, ours)) == sorted(map(gold.extent, theirs)):
        return f"{spans}: other heads"
    return f"conjuncts {' and '.join(parse.span(parse.extent(one)) for one in ours)}, gold {spans}"
