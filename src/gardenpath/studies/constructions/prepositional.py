"""PP attachment: the error classes of Table 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...phrase.heads import full_verbs
from ...phrase.tree import Node
from .error_classes import Comparisons
from .reading import Case, Reading
from .verdict import Verdict

_KINDS = {"N": "noun", "A": "adjective or adverb"}


@dataclass(frozen=True, slots=True)
class Site:
    """What a PP hangs at. Two sites are the same if their governor is, whatever node the PP hangs under."""

    governor: int
    """The token that heads what it hangs at; -1 where that cannot be said."""
    name: str
    """What is known instead: the function of a noun that is not there, or a category."""
    kind: str = field(compare=False)
    """A noun (N), a verb (V), an adjective or adverb (A), or something else (O)."""
    node: int = field(compare=False)
    """The head of the very node, where `governor` is the full verb of an auxiliary or modal."""


def judge_prepositional(case: Case) -> Verdict:
    """The PP of this preposition: its site, its words, its function and its noun."""
    construction, decisions = case.construction, case.decisions
    anchor = construction.anchor("preposition")
    own = anchor >= 0
    if not own:  # annotated as a PP, without a preposition
        anchor = case.whole.head(case.node)
    parsed_phrase, wanted, whole = (locate(reading, anchor, own) for reading in (case.parse, case.gold, case.whole))
    compared = Comparisons()
    if parsed_phrase is None or wanted is None or whole is None:
        compared.there("phrase", False, f"no PP of {case.gold.word(anchor)}")
        return decisions.judged(construction.phenomenon, compared)
    verbs = full_verbs(case.whole.tree, case.whole.scheme) if decisions.full_verb else {}
    right, shown = site(case.whole, whole, verbs), site(case.gold, wanted, verbs)
    here = site(case.parse, parsed_phrase, verbs)
    sites = _shown(case.parse, here, right), _shown(case.whole, right, here, gold=True)
    is_right = here in (right, shown)  # they differ where the form of trees does not show the governor
    compared.same("site", is_right, f"PP attached to {sites[0]}, gold {sites[1]}")
    ours, theirs = case.parse.extent(parsed_phrase), case.gold.extent(wanted)
    compared.same("span", ours == theirs, f"PP spans {case.parse.span(ours)}, gold {case.gold.span(theirs)}")
    function, gold_function = (
        reading.function(reading.lifted(node)) for reading, node in ((case.parse, parsed_phrase), (case.gold, wanted))
    )
    note = f"function {function or 'none'}, gold {gold_function or 'none'}"
    compared.same("function", function == gold_function, note)
    compared.same("noun", case.parse.noun(parsed_phrase) == case.gold.noun(wanted))
    is_lower = is_right and right.kind == "V" and here.node not in (right.node, shown.node)
    return decisions.judged(construction.phenomenon, compared, ("vp-level",) * is_lower)


def locate(reading: Reading, preposition: int, own: bool = True) -> Node | None:
    """The PP whose own preposition this is; not `own`: the lowest PP over any token."""
    categories = reading.scheme.categories
    if not own:
        above = reading.tree[preposition].ancestors
        return next((node for node in above if node.label == categories.prepositional), None)
    mother = reading.tree[preposition].mother
    if mother is not None and mother.label in categories.preposition_coordinations:
        mother = mother.mother
    return mother if mother is not None and mother.label == categories.prepositional else None


def site(reading: Reading, node: Node, verbs: Mapping[int, int]) -> Site:
    """Where a PP hangs; a coordinated one hangs where its coordination does, one that heads its phrase where that does.

    `verbs` are the full verbs of gold's auxiliaries and modals: what hangs at one of these belongs to the full verb.
    """
    unit = reading.lifted(node)
    while unit.mother is not None:
        kind, head, name = _place(reading, unit, unit.mother)
        if head < 0 or not unit.mask >> head & 1:
            return Site(verbs.get(head, head), name, kind, head)
        unit = unit.mother
    return Site(-1, "top", "O", -1)


def _place(reading: Reading, unit: Node, mother: Node) -> tuple[str, int, str]:
    """Kind and head of what a phrase hangs at, and what is known where there is no head."""
    categories, functions, fields = reading.scheme.categories, reading.scheme.functions, reading.scheme.fields
    if mother.label in categories.nominal | categories.modifying:
        kind = "N" if mother.label in categories.nominal else "A"
        if fields is None:
            return kind, reading.noun(mother), ""
        head = next((sister for sister in unit.sisters if sister.function == functions.head), mother)
        return kind, reading.noun(head), ""
    if fields is None or mother.label not in fields.all:
        return "V" if mother.label in categories.verbal else "O", reading.head(mother), ""
    if target := functions.target(reading.function(unit)):
        phrase = reading.with_function(unit, target)
        return ("N", -1, target) if phrase is None else ("N", reading.noun(phrase), "")
    clause = reading.clause_part(unit)
    return ("V", reading.head(clause), "") if clause is not None else ("V", -1, mother.label)


def _shown(reading: Reading, place: Site, beside: Site, gold: bool = False) -> str:
    """A site in words, beside the one that it is compared with."""
    if place.governor < 0 and place.kind != "N":
        return "nothing"
    word = reading.word(place.governor) if place.governor >= 0 else f"with the function {place.name}"
    if place.kind == "V":
        return f"{'' if gold else 'the '}verb {word}" if beside.kind == "V" else "the verb"
    return word if place.kind == "O" else f"{'' if gold else 'the '}{_KINDS[place.kind]} {word}"
