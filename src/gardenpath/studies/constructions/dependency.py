"""The error classes of the TEPACOC tables in dependency trees: the same questions to arcs instead of brackets."""

from __future__ import annotations

from ...phrase.dependencies import SUBJECTS, Arcs
from ...phrase.tree import ROOT
from .coordination import compare_subjects, verb_pairs
from .error_classes import Comparisons, ConstructionVerdict
from .reading import Case, Reading


def judge_prepositional_arc(case: Case) -> ConstructionVerdict:
    """Table 1: the noun of this preposition, its governor, its label and the words below it."""
    gold, parse, decisions = Arcs(case.whole.tree), Arcs(case.parse.tree), case.decisions
    preposition, phenomenon = case.construction.anchor("preposition"), case.construction.phenomenon
    noun, compared = parse.governors[preposition], Comparisons()
    if parse.label(preposition) != "case" or noun == ROOT:
        compared.there("phrase", False, f"no PP of {case.whole.word(preposition)}")
        return decisions.judged(phenomenon, compared)
    wanted = gold.governors[preposition]
    here, right = (arcs.governors[arcs.lifted(head)] for arcs, head in ((parse, noun), (gold, wanted)))
    if decisions.full_verb and here != ROOT:
        here = gold.clause_of(here)  # a parser may hang it at the auxiliary of the right verb
    sites = ["nothing" if site == ROOT else case.whole.word(site) for site in (here, right)]
    compared.same("site", here == right, f"PP attached to {sites[0]}, gold {sites[1]}")
    spans = _spans(case, parse.below[noun], gold.below[wanted])
    compared.same("span", not spans, f"PP {spans}")
    label, gold_label = (arcs.label(arcs.lifted(head)) for arcs, head in ((parse, noun), (gold, wanted)))
    compared.same("function", label == gold_label, f"label {label}, gold {gold_label}")
    compared.same("noun", noun == wanted)
    return decisions.judged(phenomenon, compared)


def judge_relative_arc(case: Case) -> ConstructionVerdict:
    """Table 2: the subtree of relative word and verb: is it one, with which label, at which noun, of which words."""
    gold, parse, decisions = Arcs(case.whole.tree), Arcs(case.parse.tree), case.decisions
    anchors = [case.construction.anchor(name) for name in ("relative", "verb")]
    outside = [case.construction.anchor(name) for name in ("noun", "matrix")]
    clause, wanted = (_clause(arcs, anchors, outside) for arcs in (parse, gold))
    word, compared = case.whole.word, Comparisons()
    ours, theirs = (arcs.below[head] & case.whole.content for arcs, head in ((parse, clause), (gold, wanted)))
    spans = _spans(case, ours, theirs)
    lost = _lost(case, parse, clause, ours, theirs)
    compared.there("clause", not lost, lost)
    if lost:
        return decisions.judged("erc", compared)
    label, gold_label = parse.label(clause), gold.label(wanted)
    compared.same("relative", label == gold_label, f"clause with the label {label}, gold {gold_label}")
    here, right = parse.governors[clause], gold.governors[wanted]
    site = "nothing" if here == ROOT else word(here)
    compared.same("noun", here == right, f"relative clause attached to {site}, gold {word(right)}")
    compared.same("span", not spans, f"clause {spans}")
    return decisions.judged("erc", compared)


def _lost(case: Case, parse: Arcs, clause: int, ours: int, theirs: int) -> str:
    """Why the clause was not recognised; empty if it was."""
    anchors = [case.construction.anchor(name) for name in ("relative", "verb")]
    outside = [case.construction.anchor(name) for name in ("noun", "matrix")]
    ends = " and ".join(map(case.whole.word, anchors))
    if clause == ROOT or parse.over(*anchors) != parse.clause_of(anchors[1]):
        return f"no clause of {ends}"
    if inside := _holds(parse, clause, outside):
        return f"no clause of {ends} alone: it holds {' and '.join(map(case.whole.word, inside))}"
    overlap = (ours & theirs).bit_count() / (ours | theirs).bit_count()
    if overlap < case.decisions.overlap:
        return f"clause {_spans(case, ours, theirs)}: they share {100 * overlap:.0f} % of their words"
    return ""


def judge_coordination_arcs(case: Case) -> ConstructionVerdict:
    """Tables 3 and 4: all pairs of the first and a later conjunct, together."""
    parse, phenomenon = Arcs(case.parse.tree), case.construction.phenomenon
    pairs = verb_pairs(case.construction)
    codes, _ = case.decisions.held(phenomenon, [_compared(case, parse, pair) for pair in pairs])
    return case.decisions.verdict(phenomenon, codes)


def _compared(case: Case, parse: Arcs, pair: tuple[int, int]) -> Comparisons:
    """One pair of verbs: are they verbs, are they joined, and which are their subjects."""
    compared = Comparisons()
    lost = next((reason for verb in pair if (reason := parse.lost_verb(verb))), "")
    compared.there("verb", not lost, lost)
    first, second = map(parse.clause_of, pair)
    is_joined = not lost and first != second and _are_joined(parse, first, second)
    compared.there("coordination", is_joined, f"no coordination of {' and '.join(map(case.parse.word, pair))}")
    if is_joined:
        subject = case.construction.anchor("subject")
        subjects, others = (parse.dependants(head, *SUBJECTS) for head in (first, second))
        instead = f" but {parse.label(subject)}" if parse.label(subject) not in SUBJECTS else ""
        more = [token for token in subjects if token != subject]
        compare_subjects(compared, case.parse.word, subject, subject in subjects, instead, more, others)
    return compared


def judge_unlike_arcs(case: Case) -> ConstructionVerdict:
    """Right if the conjuncts have the same heads, and the later ones the same words.

    What depends on the first conjunct may belong to all of them, so its words are not compared.
    """
    gold, parse = Arcs(case.whole.tree), Arcs(case.parse.tree)
    heads = [token for name, token in case.construction.anchors if name.startswith("conjunct") and token >= 0]
    first, *later = heads
    compared = Comparisons()
    for head in later:
        if not _are_joined(parse, first, head):
            compared.same("conjuncts", False, f"no coordination of {' and '.join(map(case.whole.word, heads))}")
            return case.decisions.judged("cuc", compared)
        if spans := _spans(case, _conjunct(parse, head), _conjunct(gold, head)):
            compared.same("conjuncts", False, f"conjunct {spans}")
            return case.decisions.judged("cuc", compared)
    is_same = parse.label(first) == gold.label(first)
    return case.decisions.judged("cuc", compared, () if is_same else ("gf",))


def _spans(case: Case, ours: int, theirs: int) -> str:
    """Both yields in words, where they differ."""
    reading: Reading = case.whole
    ours, theirs = ours & reading.content, theirs & reading.content
    return "" if ours == theirs else f"spans {reading.span(ours)}, gold {reading.span(theirs)}"


def _clause(arcs: Arcs, anchors: list[int], outside: list[int]) -> int:
    """The head of the smallest subtree over relative word and verb; of conjuncts the first, unless it holds the noun
    or the matrix verb: then the conjunct itself is meant."""
    clause = arcs.over(*anchors)
    while clause != ROOT and arcs.label(clause) == "conj" and not _holds(arcs, arcs.governors[clause], outside):
        clause = arcs.governors[clause]
    return clause


def _holds(arcs: Arcs, head: int, tokens: list[int]) -> list[int]:
    return [token for token in tokens if token >= 0 and arcs.below[head] >> token & 1]


def _are_joined(arcs: Arcs, first: int, later: int) -> bool:
    """Is the later word a conjunct of the first, at once or through conjuncts between them?"""
    while arcs.label(later) == "conj":
        later = arcs.governors[later]
        if later == first:
            return True
    return False


def _conjunct(arcs: Arcs, head: int) -> int:
    """The words of a later conjunct, without its conjunction."""
    return arcs.below[head] & ~sum(1 << word for word in arcs.dependants(head, "cc"))
