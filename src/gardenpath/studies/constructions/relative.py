"""Extraposed relative clauses: the error classes of Table 2."""

from __future__ import annotations

from ...phrase.tree import Node
from .reading import CLAUSES, Case, Reading
from .verdict import UNDECIDED, Verdict

_CLAUSAL = frozenset({"S", "VP", "CS", "CVP", "CO", "DL", "VZ", "CVZ"})
_PHRASES = frozenset({"NX", "PX", "ADJX", "ADVX"})


def judge_relative(case: Case) -> Verdict:
    """C if there is no such clause, and then C alone; else A (no relative clause), B (head noun), D (boundaries)."""
    construction, parse, decisions = case.construction, case.parse, case.decisions
    wanted = case.node if not case.is_raised else locate(case, case.gold)
    if wanted is None:
        return Verdict((), UNDECIDED, (), "the raised gold tree has no such clause")
    relative = construction.anchor("relative")
    tags = [tree.tags[relative] for tree in (parse.tree, case.whole.tree)]
    flags = (f"tag:{tags[0]}",) if tags[0] != tags[1] else ()
    found = locate(case, parse)
    lost = _lost(case, found, wanted)
    if found is None or lost:
        return decisions.verdict("erc", {"C": lost}, flags)
    codes: dict[str, str] = {}
    if parse.scheme == "tiger" and found.function != "RC":
        codes["A"] = f"clause with the function {parse.function(found) or 'none'}, gold RC"
    elif parse.scheme == "tuebadz" and found.label != "R-SIMPX":
        codes["A"] = f"clause is {found.label}, gold R-SIMPX"
    undecided = False
    if not _same_noun(case, found):
        if case.is_raised and not _shows_noun(found, case.parse) and not _shows_noun(wanted, case.gold):
            undecided = True
        else:
            codes["B"] = f"relative clause attached to {_told(parse, found)}, gold {_gold_noun(case)}"
    if parse.extent(found) != case.gold.extent(wanted):
        spans = [one.span(one.extent(node)) for one, node in ((parse, found), (case.gold, wanted))]
        codes["D"] = f"clause spans {spans[0]}, gold {spans[1]}"
    if undecided and not codes:
        return Verdict((), UNDECIDED, flags, "the clause was raised out of its noun phrase")
    return decisions.verdict("erc", codes, flags)


def locate(case: Case, reading: Reading) -> Node | None:
    """The smallest clause over relative word and verb; of conjuncts their coordination, if it is one of such clauses.

    A coordination that holds the head noun or the matrix verb too is no relative clause: there the conjunct is meant.
    """
    construction = case.construction
    tokens = [token for name in ("relative", "verb") if (token := construction.anchor(name)) >= 0]
    found = next((one for one in reading.over(*tokens) if one.label in CLAUSES[reading.scheme]), None)
    while found is not None and reading.is_conjunct(found) and found.mother is not None:
        if _holds(case, found.mother):
            break
        found = found.mother
    return found


def _holds(case: Case, node: Node) -> list[int]:
    """Head noun and matrix verb of gold, those that are below the node."""
    tokens = (case.construction.anchor("noun"), case.construction.anchor("matrix"))
    return [token for token in tokens if token >= 0 and node.mask >> token & 1]


def _lost(case: Case, found: Node | None, wanted: Node) -> str:
    """Why the clause was not recognised; empty if it was."""
    gold, parse = case.gold, case.parse
    ends = " and ".join(gold.word(case.construction.anchor(name)) for name in ("relative", "verb"))
    if found is None:
        return f"no clause over {ends}"
    inside = _holds(case, found)
    if inside:
        return f"no clause of {ends} alone: it holds {' and '.join(map(gold.word, inside))}"
    one, two = parse.extent(found), gold.extent(wanted)
    overlap = (one & two).bit_count() / (one | two).bit_count()
    if overlap < case.decisions.overlap:
        return f"clause spans {parse.span(one)}, gold {gold.span(two)}: they share {100 * overlap:.0f} % of their words"
    return ""


def _shows_noun(clause: Node, reading: Reading) -> bool:
    """Is there any noun beside the clause? Raising leaves none: the clause moves up, or its noun does."""
    mother = clause.mother
    return mother is not None and mother.label not in _CLAUSAL and not clause.mask >> reading.noun(mother) & 1


def _same_noun(case: Case, found: Node) -> bool:
    mother, noun = found.mother, case.construction.anchor("noun")
    if case.parse.scheme == "tiger":
        return mother is not None and mother.label not in _CLAUSAL and case.parse.noun(mother) == noun
    if mother is not None and mother.label in _PHRASES:
        return _modified(case.parse, found, mother) == noun
    return case.parse.function(found) == case.whole.function(case.node)


def _modified(reading: Reading, node: Node, mother: Node) -> int:
    """The noun that a clause inside a phrase of TüBa-D/Z belongs to: that of the head beside it."""
    return reading.noun(next((one for one in node.sisters if one.function == "HD"), mother))


def _gold_noun(case: Case) -> str:
    told = case.whole.word(case.construction.anchor("noun"))
    return told if case.whole.scheme == "tiger" else f"{told} ({case.whole.function(case.node)})"


def _told(reading: Reading, node: Node) -> str:
    """What a clause was attached to."""
    mother = node.mother
    if reading.scheme == "tiger":
        if mother is None or mother.label in _CLAUSAL:
            return "a clause" if mother is not None else "nothing"
        return reading.word(reading.noun(mother)) if _shows_noun(node, reading) else "a phrase without a noun"
    if mother is not None and mother.label in _PHRASES:
        return reading.word(_modified(reading, node, mother))
    function = reading.function(node)
    phrase = reading.with_function(node, function.removesuffix("-MOD")) if function.endswith("-MOD") else None
    return f"{reading.word(reading.noun(phrase))} ({function})" if phrase is not None else f"none ({function or '-'})"
