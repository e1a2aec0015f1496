"""PP attachment: the error classes of Table 1."""

from __future__ import annotations

from dataclasses import dataclass

from ...phrase.tree import Node
from .reading import Case, Reading
from .verdict import UNDECIDED, Verdict

_KINDS = {"N": "noun", "A": "adjective or adverb"}


@dataclass(frozen=True, slots=True)
class Site:
    """Where a PP hangs: at a noun (N), a clause (V), an adjective or adverb (A), or somewhere else (O)."""

    kind: str
    head: int
    """The token that heads what it hangs at; -1 where that cannot be said."""
    name: str = ""
    """What is known instead: the function of a noun that is not there, or a category."""


def judge_prepositional(case: Case) -> Verdict:
    """D for another site, and then D alone; at the right site A, B or C by span, function and head."""
    construction, decisions = case.construction, case.decisions
    anchor = construction.anchor("preposition")
    own = anchor >= 0
    if not own:  # annotated as a PP, without a preposition
        anchor = case.whole.head(case.node)
    found, wanted, whole = (locate(reading, anchor, own) for reading in (case.parse, case.gold, case.whole))
    if found is None:
        reason = f"no PP of {case.gold.word(anchor)}"
        return decisions.verdict(construction.phenomenon, {decisions.missing: reason}, ("missing",))
    if wanted is None or whole is None:
        return Verdict((), UNDECIDED, (), "the preposition of gold has no PP")
    one_clause = decisions.one_clause
    right, here = site(case.whole, whole, one_clause), site(case.parse, found, one_clause)
    flags = list[str]()
    if here != right:
        if here == site(case.gold, wanted, one_clause):  # raised: gold itself does not show its noun any more
            return Verdict((), UNDECIDED, (), "the PP was raised out of its noun phrase")
        sites = _shown(case.parse, here, right), _shown(case.whole, right, here, gold=True)
        return decisions.verdict(construction.phenomenon, {"D": f"PP attached to {sites[0]}, gold {sites[1]}"})
    if right.kind == "V" and site(case.parse, found, False) != site(case.whole, whole, False):
        flags.append("vp-level")
    span = case.parse.extent(found) == case.gold.extent(wanted)
    functions = [reading.function(reading.lifted(one)) for reading, one in ((case.parse, found), (case.gold, wanted))]
    spans = f"PP spans {case.parse.span(case.parse.extent(found))}, gold {case.gold.span(case.gold.extent(wanted))}"
    other = f"function {functions[0] or 'none'}, gold {functions[1] or 'none'}"
    codes: dict[str, str] = {}
    if span and functions[0] != functions[1]:
        codes["B"] = other
    elif not span and functions[0] != functions[1]:
        codes["C"] = f"{spans}; {other}"
    elif not span and case.parse.noun(found) == case.gold.noun(wanted):
        codes["A"] = spans
    elif not span:
        flags.append("head")
        codes[decisions.other_head] = spans
    return decisions.verdict(construction.phenomenon, codes, tuple(flags))


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


def site(reading: Reading, node: Node, one_clause: bool = True) -> Site:
    """Where a PP hangs; a coordinated one hangs where its coordination does."""
    unit = reading.lifted(node)
    mother = unit.mother
    if mother is None:
        return Site("O", -1, "top")
    if reading.scheme.fields is None:
        return _site_in_phrases(reading, mother, one_clause)
    return _site_in_fields(reading, unit, mother)


def _site_in_phrases(reading: Reading, mother: Node, one_clause: bool) -> Site:
    """By the category of the mother (TIGER)."""
    categories = reading.scheme.categories
    if mother.label in categories.nominal:
        return Site("N", reading.noun(mother))
    if mother.label in categories.modifying:
        return Site("A", reading.head(mother))
    verbal = categories.clauses | categories.verb_phrases
    if mother.label not in verbal:
        return Site("O", reading.head(mother), mother.label)
    complement = reading.scheme.functions.complement
    while one_clause and mother.label in categories.verb_phrases and mother.function == complement:
        above = mother.mother
        if above is None or above.label not in verbal:
            break
        mother = above
    return Site("V", reading.head(mother))


def _site_in_fields(reading: Reading, unit: Node, mother: Node) -> Site:
    """By the function of what stands in a field (TüBa-D/Z); within a phrase, by the category of that."""
    categories, functions, fields = reading.scheme.categories, reading.scheme.functions, reading.scheme.fields
    if mother.label in categories.nominal or mother.label in categories.modifying:
        head = next((sister for sister in unit.sisters if sister.function == functions.head), mother)
        return Site("N" if mother.label in categories.nominal else "A", reading.noun(head))
    if fields is None or mother.label not in fields.all:
        return Site("O", reading.head(mother), mother.label)
    if target := functions.target(reading.function(unit)):
        phrase = reading.with_function(unit, target)
        return Site("N", -1, target) if phrase is None else Site("N", reading.noun(phrase))
    clause = reading.clause_part(unit)
    return Site("V", reading.head(clause) if clause is not None else -1)


def _shown(reading: Reading, place: Site, other: Site, gold: bool = False) -> str:
    """A site in words, beside the one that it is compared with."""
    if place.kind == "V":
        return f"the clause of {reading.word(place.head)}" if other.kind == "V" else "the verb"
    if place.kind == "O":
        return f"a node {place.name}" if place.name != "top" else "nothing"
    head = reading.word(place.head) if place.head >= 0 else f"with the function {place.name}"
    return f"{'' if gold else 'the '}{_KINDS[place.kind]} {head}"
