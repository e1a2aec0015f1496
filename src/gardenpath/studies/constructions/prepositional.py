"""PP attachment: the error classes of Table 1."""

from __future__ import annotations

from dataclasses import dataclass

from ...phrase.tree import Node
from .reading import FIELDS, Case, Reading
from .verdict import UNDECIDED, Verdict

_NOMINAL = frozenset({"NP", "PP", "PN", "CNP", "CPP", "NM", "NX", "PX"})
_ADJUNCT = frozenset({"AP", "AVP", "CAP", "CAVP", "AA", "ADJX", "ADVX"})
_VERBAL = frozenset({"S", "VP"})
_SAYS = {"N": "noun", "A": "adjective or adverb"}


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
        told = f"no PP of {case.gold.word(anchor)}"
        return decisions.verdict(construction.phenomenon, {decisions.missing: told}, ("missing",))
    if wanted is None or whole is None:
        return Verdict((), UNDECIDED, (), "the preposition of gold has no PP")
    one_clause = decisions.one_clause
    right, here = site(case.whole, whole, one_clause), site(case.parse, found, one_clause)
    flags = list[str]()
    if here != right:
        if here == site(case.gold, wanted, one_clause):  # raised: gold itself does not show its noun any more
            return Verdict((), UNDECIDED, (), "the PP was raised out of its noun phrase")
        told = f"PP attached to {_told(case.parse, here, right)}, gold {_told(case.whole, right, here, gold=True)}"
        return decisions.verdict(construction.phenomenon, {"D": told})
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
    if not own:
        return next((one for one in reading.tree[preposition].ancestors if one.label in ("PP", "PX")), None)
    mother = reading.tree[preposition].mother
    if mother is not None and mother.label == "CAC":  # coordinated prepositions
        mother = mother.mother
    return mother if mother is not None and mother.label in ("PP", "PX") else None


def site(reading: Reading, node: Node, one_clause: bool = True) -> Site:
    """Where a PP hangs; a coordinated one hangs where its coordination does."""
    unit = reading.lifted(node)
    mother = unit.mother
    if mother is None:
        return Site("O", -1, "top")
    return _tiger(reading, mother, one_clause) if reading.scheme == "tiger" else _tuebadz(reading, unit, mother)


def _tiger(reading: Reading, mother: Node, one_clause: bool) -> Site:
    if mother.label in _NOMINAL:
        return Site("N", reading.noun(mother))
    if mother.label in _ADJUNCT:
        return Site("A", reading.head(mother))
    if mother.label not in _VERBAL:
        return Site("O", reading.head(mother), mother.label)
    while one_clause and mother.label == "VP" and mother.function == "OC":
        above = mother.mother
        if above is None or above.label not in _VERBAL:
            break
        mother = above
    return Site("V", reading.head(mother))


def _tuebadz(reading: Reading, unit: Node, mother: Node) -> Site:
    if mother.label in _NOMINAL or mother.label in _ADJUNCT:
        head = next((one for one in unit.sisters if one.function == "HD"), mother)
        return Site("N" if mother.label in _NOMINAL else "A", reading.noun(head))
    if mother.label not in FIELDS:
        return Site("O", reading.head(mother), mother.label)
    modified, dash, last = reading.function(unit).rpartition("-")
    if dash and last == "MOD" and modified not in ("V", "MOD"):
        phrase = reading.with_function(unit, modified)
        return Site("N", -1, modified) if phrase is None else Site("N", reading.noun(phrase))
    clause = reading.clause(unit, ("FKONJ",))
    return Site("V", reading.head(clause) if clause is not None else -1)


def _told(reading: Reading, one: Site, other: Site, gold: bool = False) -> str:
    if one.kind == "V":
        return f"the clause of {reading.word(one.head)}" if other.kind == "V" else "the verb"
    if one.kind == "O":
        return f"a node {one.name}" if one.name != "top" else "nothing"
    told = reading.word(one.head) if one.head >= 0 else f"with the function {one.name}"
    return f"{'' if gold else 'the '}{_SAYS[one.kind]} {told}"
