"""The error classes of the TEPACOC tables in dependency trees: the same questions to arcs instead of brackets."""

from __future__ import annotations

from ...phrase.arcs import SUBJECTS, Arcs
from ...phrase.tree import ROOT
from .coordination import verb_pairs
from .reading import Case, Reading
from .verdict import RIGHT, WRONG, Verdict


def judge_prepositional_arc(case: Case) -> Verdict:
    """Table 1: D for another governor, and then D alone; at the right governor A, B or C by words, label and noun."""
    gold, parse, decisions = Arcs(case.whole.tree), Arcs(case.parse.tree), case.decisions
    preposition, phenomenon = case.construction.anchor("preposition"), case.construction.phenomenon
    noun = parse.governors[preposition]
    if parse.label(preposition) != "case" or noun == ROOT:
        reason = f"no PP of {case.whole.word(preposition)}"
        return decisions.verdict(phenomenon, {decisions.missing: reason}, ("missing",))
    wanted = gold.governors[preposition]
    here, right = (arcs.governors[arcs.lifted(head)] for arcs, head in ((parse, noun), (gold, wanted)))
    if decisions.full_verb and here != ROOT:
        here = gold.clause_of(here)  # a parser may hang it at the auxiliary of the right verb
    if here != right:
        sites = ["nothing" if site == ROOT else case.whole.word(site) for site in (here, right)]
        return decisions.verdict(phenomenon, {"D": f"PP attached to {sites[0]}, gold {sites[1]}"})
    spans = _spans(case, parse.below[noun], gold.below[wanted])
    labels = [arcs.label(arcs.lifted(head)) for arcs, head in ((parse, noun), (gold, wanted))]
    label_note = f"label {labels[0]}, gold {labels[1]}" if labels[0] != labels[1] else ""
    if label_note:
        return decisions.verdict(phenomenon, {"C": f"PP {spans}; {label_note}"} if spans else {"B": label_note})
    if spans and noun != wanted:
        return decisions.verdict(phenomenon, {decisions.other_head: f"PP {spans}"}, ("head",))
    return decisions.verdict(phenomenon, {"A": f"PP {spans}"} if spans else {})


def judge_relative_arc(case: Case) -> Verdict:
    """Table 2: C if there is no such clause, and then C alone; else A (no relative clause), B (noun), D (words)."""
    gold, parse, decisions = Arcs(case.whole.tree), Arcs(case.parse.tree), case.decisions
    anchors = [case.construction.anchor(name) for name in ("relative", "verb")]
    outside = [case.construction.anchor(name) for name in ("noun", "matrix")]
    clause, wanted = (_clause(arcs, anchors, outside) for arcs in (parse, gold))
    word = case.whole.word
    ends = " and ".join(map(word, anchors))
    if clause == ROOT or parse.over(*anchors) != parse.clause_of(anchors[1]):
        return decisions.verdict("erc", {"C": f"no clause of {ends}"})
    if inside := _holds(parse, clause, outside):
        held = " and ".join(map(word, inside))
        return decisions.verdict("erc", {"C": f"no clause of {ends} alone: it holds {held}"})
    ours, theirs = (arcs.below[head] & case.whole.content for arcs, head in ((parse, clause), (gold, wanted)))
    spans, overlap = _spans(case, ours, theirs), (ours & theirs).bit_count() / (ours | theirs).bit_count()
    if overlap < decisions.overlap:
        return decisions.verdict("erc", {"C": f"clause {spans}: they share {100 * overlap:.0f} % of their words"})
    codes: dict[str, str] = {}
    if parse.label(clause) != gold.label(wanted):
        codes["A"] = f"clause with the label {parse.label(clause)}, gold {gold.label(wanted)}"
    here, right = parse.governors[clause], gold.governors[wanted]
    if here != right:
        codes["B"] = f"relative clause attached to {'nothing' if here == ROOT else word(here)}, gold {word(right)}"
    if spans:
        codes["D"] = f"clause {spans}"
    return decisions.verdict("erc", codes)


def judge_coordination_arcs(case: Case) -> Verdict:
    """Tables 3 and 4: all pairs of the first and a later conjunct, together."""
    parse, phenomenon = Arcs(case.parse.tree), case.construction.phenomenon
    codes: dict[str, str] = {}
    for pair in verb_pairs(case.construction):
        lost = next((reason for verb in pair if (reason := parse.lost_verb(verb))), "")
        if lost and phenomenon == "sgf":
            codes.setdefault("E", lost)
            continue
        first, second = map(parse.clause_of, pair)
        if lost or first == second or not _are_joined(parse, first, second):
            joined = " and ".join(map(case.parse.word, pair))
            codes.setdefault("C", f"no coordination of {joined}")
            continue
        for code, reason in _subject_codes(case, parse, first, second).items():
            codes.setdefault(code, reason)
    return case.decisions.verdict(phenomenon, codes)


def judge_unlike_arcs(case: Case) -> Verdict:
    """Right if the conjuncts have the same heads, and the later ones the same words.

    What depends on the first conjunct may belong to all of them, so its words are not compared.
    """
    gold, parse = Arcs(case.whole.tree), Arcs(case.parse.tree)
    heads = [token for name, token in case.construction.anchors if name.startswith("conjunct") and token >= 0]
    first, *later = heads
    for head in later:
        if not _are_joined(parse, first, head):
            words = " and ".join(map(case.whole.word, heads))
            return Verdict((WRONG,), WRONG, (), f"no coordination of {words}")
        if spans := _spans(case, _conjunct(parse, head), _conjunct(gold, head)):
            return Verdict((WRONG,), WRONG, (), f"conjunct {spans}")
    same = parse.label(first) == gold.label(first)
    return Verdict((), RIGHT, () if same else ("gf",))


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


def _subject_codes(case: Case, parse: Arcs, first: int, second: int) -> dict[str, str]:
    subject, word = case.construction.anchor("subject"), case.parse.word
    subjects, others = (parse.dependants(head, *SUBJECTS) for head in (first, second))
    extra = [token for token in subjects if token != subject]
    codes: dict[str, str] = {}
    if subject not in subjects:
        instead = f" but {parse.label(subject)}" if parse.label(subject) not in SUBJECTS else ""
        codes["B"] = f"{word(subject)} is not the subject of the first conjunct{instead}"
    if others:
        codes["A"] = f"{' and '.join(map(word, others))} taken as subject of the second conjunct"
    elif extra and subject not in subjects and case.construction.phenomenon == "fcr":
        codes["A"] = f"{word(extra[0])} taken as subject of the first conjunct"
    if extra and subject in subjects:
        codes["D"] = f"{word(extra[0])} taken as second subject of the first conjunct"
    return codes
