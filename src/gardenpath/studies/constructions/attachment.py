"""Error classes of PP attachment (Table 1) and of extraposed relative clauses (Table 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...phrase.heads import full_verbs
from ...phrase.tree import Node
from .error_classes import UNDECIDED, Comparisons, ConstructionVerdict
from .reading import Case, Reading

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


def judge_prepositional(case: Case) -> ConstructionVerdict:
    """The PP of this preposition: its site, its words, its function and its noun."""
    construction, decisions = case.construction, case.decisions
    anchor = construction.anchor("preposition")
    own = anchor >= 0
    if not own:  # annotated as a PP, without a preposition
        anchor = case.whole.head(case.node)
    parsed_phrase, wanted, whole = (
        prepositional_phrase(reading, anchor, own) for reading in (case.parse, case.gold, case.whole)
    )
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


def prepositional_phrase(reading: Reading, preposition: int, own: bool = True) -> Node | None:
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


def judge_relative(case: Case) -> ConstructionVerdict:
    """The clause of relative word and verb: is it one, and a relative clause, at which noun, of which words."""
    construction, parse, decisions = case.construction, case.parse, case.decisions
    wanted = relative_clause(case, case.gold) if case.is_reduced else case.node
    if wanted is None:
        return ConstructionVerdict((), UNDECIDED, (), "gold has no such clause in this form of trees")
    relative = construction.anchor("relative")
    tags = [tree.tags[relative] for tree in (parse.tree, case.whole.tree)]
    flags = (f"tag:{tags[0]}",) if tags[0] != tags[1] else ()
    clause, compared = relative_clause(case, parse), Comparisons()
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


def relative_clause(case: Case, reading: Reading) -> Node | None:
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
