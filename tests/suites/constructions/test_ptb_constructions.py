"""Constructions in English trees of the Penn Treebank's kind, by the requests of their file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from gardenpath.phrase import PhraseTree, to_notation
from gardenpath.phrase.gaps import as_shown
from gardenpath.phrase.penn import read_penn
from gardenpath.phrase.schemes.ptb import PTB
from gardenpath.phrase.source import stream
from gardenpath.phrase.traces import with_extraposed, without_traces
from gardenpath.studies.constructions.judging import judge
from gardenpath.suites.constructions.finding import find, find_in
from gardenpath.suites.constructions.model import PHENOMENA

PENN = {
    "ppn": "( (S (NP-SBJ (PRP He)) (VP (VBD bought) (NP (NP (DT a) (NN map)) (PP (IN of) (NP (NNP Rome)))))))",
    "ppv": "( (S (NP-SBJ (PRP He)) (VP (MD will) (VP (VB wait) (PP-TMP (IN for) (NP (DT a) (NN week)))))))",
    "agent": "( (S (NP-SBJ-1 (PRP He)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1)) "
    "(PP (IN by) (NP-LGS (NNP Ann)))))))",
    "erc": "( (S (NP-SBJ (NP (DT A) (NN guest)) (SBAR (-NONE- *ICH*-1))) (VP (VBD came) (SBAR-1 (WHNP-2 (WP who)) "
    "(S (NP-SBJ (-NONE- *T*-2)) (VP (VBD sang)))))))",
    "fcr": "( (S (NP-SBJ (NNP Ann)) (VP (VP (VBD came)) (CC and) (VP (VBD saw) (NP (PRP him))))))",
    "cuc": "( (S (NP-SBJ (NNP Ann)) (VP (VBZ wants) (UCP (NP (NN rest)) (CC and) (SBAR (IN that) (S (NP-SBJ (PRP he)) "
    "(VP (VBZ goes))))))))",
}


def gold(name: str) -> PhraseTree:
    return without_traces([with_extraposed(tree) for tree in read_penn(PENN[name])])[0][0]


@pytest.mark.parametrize(
    ("name", "anchors"),
    [
        ("ppn", {"preposition": "of", "noun": "Rome", "governor": "map"}),
        ("ppv", {"preposition": "for", "noun": "week", "governor": "wait"}),
        ("erc", {"relative": "who", "verb": "sang", "noun": "guest", "matrix": "came"}),
        ("fcr", {"verb1": "came", "verb2": "saw", "subject": "Ann"}),
        ("cuc", {"conjunct1": "rest", "conjunct2": "goes"}),
    ],
)
def test_each_is_found_with_its_anchors_and_gold_judged_by_itself_is_right(name: str, anchors: dict[str, str]) -> None:
    tree = gold(name)
    (construction,) = find(tree, "ptb")
    assert construction.phenomenon == name
    assert {anchor: tree.words[token] for anchor, token in construction.anchors} == anchors
    assert judge(tree, construction, tree, "ptb").right


def test_a_passive_agent_is_no_such_pp() -> None:
    assert not find(gold("agent"), "ptb")


def test_an_extraposed_clause_hangs_at_its_noun_again() -> None:
    assert to_notation(gold("erc")) == (
        "(S (NP:SBJ#1 (NP (DT A) (NN guest))) (VP (VBD came)) (NP:SBJ#1 (SBAR (WHNP (WP who)) (S (VP (VBD sang))))))"
    )


def test_wide_takes_any_two_kinds_of_conjuncts() -> None:
    (tree,) = read_penn(
        "( (S (NP-SBJ (PRP It)) (VP (VBZ is) (UCP-PRD (ADJP (JJ old)) (CC and) (NP (DT a) (NN ruin))))))"
    )
    assert not find(tree, "ptb")
    (construction,) = find(tree, "ptb", wide=True)
    assert (construction.phenomenon, construction.variant) == ("cuc", "ap+np")


def test_a_pp_at_another_word_is_class_d() -> None:
    tree = gold("ppn")
    (construction,) = find(tree, "ptb")
    (parse,) = read_penn("( (S (NP (PRP He)) (VP (VBD bought) (NP (DT a) (NN map)) (PP (IN of) (NP (NNP Rome))))))")
    assert judge(tree, construction, parse, "ptb").primary == "D"


@pytest.mark.parametrize("form", ["discontinuous", "raised"])
def test_gold_judged_by_gold_is_never_wrong_on_real_trees(file_named: Callable[[str], Path], form: str) -> None:
    read = list(islice(stream(file_named("phrase/ptb-sample/wsj-sample.mrg")), 60))
    trees, _ = without_traces([with_extraposed(tree) for tree in read])
    hits = list(find_in(trees, "ptb", tuple(PHENOMENA)))
    verdicts = Counter(
        judge(trees[number], hit, as_shown(trees[number], PTB, form), "ptb", form, functions=False).primary
        for number, hit in hits
    )
    assert len(hits) > 100
    assert verdicts.keys() <= {"right", "shown", "n/a"}
