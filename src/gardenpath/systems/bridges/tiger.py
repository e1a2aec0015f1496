"""TIGER's trees as dependencies, which spaCy's German models draw, as Universal Dependencies.

There prepositions, auxiliaries and copulas head their phrase, and a conjunct depends on the conjunction, which depends
on the conjunct before; here they depend on what they go with, and on the first conjunct.
"""

from __future__ import annotations

from .bridge import FINAL, NOMINAL, ArcTree, hang_punctuation

_SEIN = frozenset("sein bin bist ist sind seid war warst waren wart wäre wären wärst gewesen sei seien seist".split())
_WERDEN = frozenset(
    "werden werde wirst wird werdet wurde wurdest wurden wurdet würde würdest würden würdet worden geworden".split()
)

PASSIVE_SUBJECT = "sb:pass"
"""Ours, for the table: TIGER has one label for both."""


def redraw(tree: ArcTree) -> None:
    """Who depends on whom as in Universal Dependencies; labels that are still TIGER's are left to the table."""
    _coordinations(tree)
    _prepositions(tree)
    _auxiliaries(tree)
    _copulas(tree)
    _clauses(tree)
    hang_punctuation(tree, "punct")


def _coordinations(tree: ArcTree) -> None:
    """All conjuncts below the first; a conjunction below the conjunct that depended on it."""
    conjuncts = [word for word in tree.labelled("cj") if tree.heads[word]]
    conjunctions = {tree.heads[word]: word for word in conjuncts if tree.labels[tree.heads[word]] == "cd"}
    for word in conjuncts:
        while tree.labels[tree.heads[word]] in ("cj", "cd"):
            tree.attach(word, tree.heads[tree.heads[word]])
    for conjunction, conjunct in conjunctions.items():
        tree.attach(conjunction, conjunct)


def _prepositions(tree: ArcTree) -> None:
    """The noun takes the place of its preposition, from the innermost on."""
    for word in tree.bottom_up():
        if tree.upos[word] == "ADP" and tree.labels[word] not in ("svp", "ac"):
            inside = tree.children(word, "nk")
            nouns = [child for child in inside if tree.upos[child] in NOMINAL - {"DET"}] or inside
            if nouns:
                tree.promote(nouns[0], FINAL + "case")


def _auxiliaries(tree: ArcTree) -> None:
    """The full verb takes the place of its auxiliaries, from the innermost on."""
    for word in tree.bottom_up():
        verbs = [child for child in tree.children(word, "oc") if tree.upos[child] in ("VERB", "AUX")]
        verbs = [child for child in verbs if not tree.children(child, "cp", "sb", "pm")]
        if tree.upos[word] != "AUX" or not verbs:
            continue
        participle = tree.xpos[verbs[0]] == "VVPP" or "VerbForm=Part" in tree.feats[verbs[0]].split("|")
        passive = tree.forms[word] in _WERDEN and participle
        for subject in tree.children(word, "sb") if passive else ():
            tree.labels[subject] = PASSIVE_SUBJECT
        tree.promote(verbs[0], FINAL + ("aux:pass" if passive else "aux"))


def _copulas(tree: ArcTree) -> None:
    """What is said of the subject takes the place of `sein`; in `ein Wagnis und kaum zu bezahlen` it is called OC."""
    for word in tree.words:
        if tree.forms[word] in _SEIN:
            nominal = [child for child in tree.children(word, "oc") if tree.upos[child] not in ("VERB", "AUX")]
            for predicate in (tree.children(word, "pd") or nominal)[:1]:
                tree.promote(predicate, FINAL + "cop")


def _clauses(tree: ArcTree) -> None:
    """A clause that is an object has a subject or a conjunction of its own (ccomp), or it has not (xcomp); what has a
    conjunction is a clause whatever heads it: *obwohl die Küche klein war*."""
    for word in tree.labelled("mo"):
        if tree.children(word, "cp"):
            tree.labels[word] = FINAL + "advcl"
    for word in tree.labelled("oc"):
        if tree.upos[tree.heads[word]] not in NOMINAL:
            own = tree.children(word, "cp", "sb", PASSIVE_SUBJECT, "ep")
            tree.labels[word] = FINAL + ("ccomp" if own else "xcomp")
