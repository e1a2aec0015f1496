"""Extraposed relative clauses: the error classes of Table 2."""

from __future__ import annotations

from dataclasses import replace

from ...phrase.tree import Node
from .error_classes import Comparisons
from .reading import Case, Reading
from .verdict import UNDECIDED, Verdict


def judge_relative(case: Case) -> Verdict:
    """The clause of relative word and verb: is it one, and a relative clause, at which noun, of which words."""
    construction, parse, decisions = case.construction, case.parse, case.decisions
    wanted = locate(case, case.gold) if case.is_reduced else case.node
    if wanted is None:
        return Verdict((), UNDECIDED, (), "gold has no such clause in this form of trees")
    relative = construction.anchor("relative")
    tags = [tree.tags[relative] for tree in (parse.tree, case.whole.tree)]
    flags = (f"tag:{tags[0]}",) if tags[0] != tags[1] else ()
    clause, compared = locate(case, parse), Comparisons()
    lost = _lost(case, clause, wanted)
    compared.there("clause", not lost, lost)
    if clause is None or lost:
        return decisions.judged("erc", compared, flags)
    reason = _not_relative(parse, clause)
    compared.same("relative", not reason or bool(_not_relative(case.gold, wanted)), reason)
    is_hidden = not _same_noun(replace(case, parse=case.gold), wanted)  # raised: the clause does not hang at its noun
    is_right = _same_noun(case, clause) or (is_hidden and not _shows_noun(clause, parse))
    nouns = f"{_attached_to(parse, clause)}, gold {_gold_noun(case)}"
    compared.same("noun", is_right, f"relative clause attached to {nouns}")
    ours, theirs = parse.extent(clause), case.gold.extent(wanted)
    compared.same("span", ours == theirs, f"clause spans {parse.span(ours)}, gold {case.gold.span(theirs)}")
    return decisions.judged("erc", compared, flags)


def locate(case: Case, reading: Reading) -> Node | None:
    """The smallest clause over relative word and verb; of conjuncts their coordination, if it is one of such clauses.

    A coordination that holds the head noun or the matrix verb too is no relative clause: there the conjunct is meant.
    """
    construction = case.construction
    tokens = [token for name in ("relative", "verb") if (token := construction.anchor(name)) >= 0]
    clauses = reading.scheme.categories.clauses
    clause = next((node for node in reading.over(*tokens) if node.label in clauses), None)
    while clause is not None and reading.is_conjunct(clause) and clause.mother is not None:
        if _holds(case, clause.mother):
            break
        clause = clause.mother
    return clause


def _not_relative(reading: Reading, clause: Node) -> str:
    """Why a clause is no relative clause: by its function or by its category, as the scheme has it; else empty."""
    function, categories = reading.scheme.functions.relative_clause, reading.scheme.categories.relative_clauses
    if function is not None and clause.function != function:
        return f"clause with the function {reading.function(clause) or 'none'}, gold {function}"
    if categories and clause.label not in categories:
        return f"clause is {clause.label}, gold {' or '.join(sorted(categories))}"
    return ""


def _holds(case: Case, node: Node) -> list[int]:
    """Head noun and matrix verb of gold, those that are below the node."""
    tokens = (case.construction.anchor("noun"), case.construction.anchor("matrix"))
    return [token for token in tokens if token >= 0 and node.mask >> token & 1]


def _lost(case: Case, clause: Node | None, wanted: Node) -> str:
    """Why the clause was not recognised; empty if it was."""
    gold, parse = case.gold, case.parse
    ends = " and ".join(gold.word(case.construction.anchor(name)) for name in ("relative", "verb"))
    if clause is None:
        return f"no clause over {ends}"
    inside = _holds(case, clause)
    if inside:
        return f"no clause of {ends} alone: it holds {' and '.join(map(gold.word, inside))}"
    ours, theirs = parse.extent(clause), gold.extent(wanted)
    overlap = (ours & theirs).bit_count() / (ours | theirs).bit_count()
    if overlap < case.decisions.overlap:
        spans = f"clause spans {parse.span(ours)}, gold {gold.span(theirs)}"
        return f"{spans}: they share {100 * overlap:.0f} % of their words"
    return ""


def _shows_noun(clause: Node, reading: Reading) -> bool:
    """Is there any noun beside the clause? Raising leaves none: the clause moves up, or its noun does."""
    mother, fields = clause.mother, reading.scheme.fields
    between = reading.scheme.categories.verbal | (fields.all if fields is not None else frozenset())
    return mother is not None and mother.label not in between and not clause.mask >> reading.noun(mother) & 1


def _same_noun(case: Case, clause: Node) -> bool:
    mother, noun, categories = clause.mother, case.construction.anchor("noun"), case.parse.scheme.categories
    if case.parse.scheme.fields is None:
        return mother is not None and mother.label not in categories.verbal and case.parse.noun(mother) == noun
    if mother is not None and mother.label in categories.nominal | categories.modifying:
        return _modified(case.parse, clause, mother) == noun
    return case.parse.function(clause) == case.whole.function(case.node)


def _modified(reading: Reading, node: Node, mother: Node) -> int:
    """The noun that a clause inside a phrase belongs to: that of the head beside it."""
    head = reading.scheme.functions.head
    return reading.noun(next((sister for sister in node.sisters if sister.function == head), mother))


def _gold_noun(case: Case) -> str:
    noun = case.whole.word(case.construction.anchor("noun"))
    return noun if case.whole.scheme.fields is None else f"{noun} ({case.whole.function(case.node)})"


def _attached_to(reading: Reading, node: Node) -> str:
    """What a clause was attached to, in words."""
    mother, categories, pointer = node.mother, reading.scheme.categories, reading.scheme.functions.pointer
    if reading.scheme.fields is None:
        if mother is None or mother.label in categories.verbal:
            return "a clause" if mother is not None else "nothing"
        return reading.word(reading.noun(mother)) if _shows_noun(node, reading) else "a phrase without a noun"
    if mother is not None and mother.label in categories.nominal | categories.modifying:
        return reading.word(_modified(reading, node, mother))
    function, phrase = reading.function(node), None
    if pointer is not None and function.endswith(pointer):
        phrase = reading.with_function(node, function.removesuffix(pointer))
    return f"{reading.word(reading.noun(phrase))} ({function})" if phrase is not None else f"none ({function or '-'})"
