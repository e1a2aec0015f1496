"""Grammars of PCFGs: every distribution sums to 1, chains do not turn in circles, parses equal plain enumeration."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from pcfg_oracle import TooMany, all_derivations

from gardenpath.phrase import PhraseTree, from_notation, grown
from gardenpath.systems.pcfg import PCFG, learn
from gardenpath.systems.pcfg.chart_of import chart_of
from gardenpath.systems.pcfg.derivations import Forest
from gardenpath.systems.pcfg.model import tree_of

pytest.importorskip("numba", reason="the extra pcfg is not installed")

AMBIGUOUS = [
    "(S (NP:SB (PPER:HD sie)) (VVFIN:HD sah) (NP:OA (ART:NK den) (NN:NK Mann) (PP:MNR (APPR:AC mit) (NN:NK Hut))))",
    "(S (NP:SB (NE:HD Anna)) (VVFIN:HD sah) (NN:OA Hut) (PP:MO (APPR:AC mit) (NP:NK (NN:HD Glas))))",
    "(S (NP:SB (NP:CJ (NN:HD Mann)) (KON:CD und) (NP:CJ (NN:HD Frau))) (VVFIN:HD sah))",
    "(NP (NP (NN Mann)) (PP (APPR mit) (NP (NN Hut))))",
]


def trees(lines: list[str] = AMBIGUOUS) -> list[PhraseTree]:
    return [from_notation(line) for line in lines]


def assert_sums(model: PCFG) -> None:
    grammar = model.grammar
    chains, lefts = defaultdict(float), defaultdict(float)
    for top, score in zip(grammar.chain_top.tolist(), grammar.chain_score.tolist(), strict=True):
        chains[top] += np.exp(score)
    for left, score in zip(grammar.rule_left.tolist(), grammar.rule_score.tolist(), strict=True):
        lefts[left] += np.exp(score)
    for state, score in zip(grammar.last_state.tolist(), grammar.last_score.tolist(), strict=True):
        lefts[grammar.symbols + state] += np.exp(score)
    assert chains.keys() == set(range(grammar.preterminals, grammar.symbols))
    assert list(chains.values()) == pytest.approx([1.0] * len(chains))
    assert list(lefts.values()) == pytest.approx([1.0] * len(lefts))
    assert lefts.keys() >= set(range(grammar.symbols, grammar.symbols + grammar.states))


@pytest.mark.parametrize("functions", [False, True])
@pytest.mark.parametrize("horizontal", [0, 1, 2])
@pytest.mark.parametrize("vertical", [1, 2, 3])
def test_the_rules_of_every_left_hand_side_sum_to_one(vertical: int, horizontal: int, functions: bool) -> None:
    model = learn(trees(), vertical=vertical, horizontal=horizontal, functions=functions)
    assert_sums(model)


def test_what_is_left_out_is_given_to_the_rest() -> None:
    whole, cut = learn(trees(), least=0.0), learn(trees(), least=0.1)
    assert cut.grammar.size["rules"] < whole.grammar.size["rules"]
    assert_sums(cut)


def random_trees(draw: st.DrawFn) -> list[PhraseTree]:
    return [_random_tree(draw) for _ in range(draw(st.integers(1, 3)))]


def _random_tree(draw: st.DrawFn) -> PhraseTree:
    """A continuous tree over a few words, with chains of single children also of equal names."""
    size = draw(st.integers(1, 4))
    words = [draw(st.sampled_from("ab")) for _ in range(size)]
    tags = [draw(st.sampled_from("xy")) for _ in range(size)]
    labels: list[str] = []
    mothers = [-1] * size
    level = list(range(size))
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, len(level) - 1))
        end = draw(st.integers(begin + 1, len(level)))
        labels.append(draw(st.sampled_from("XY")))
        mothers.append(-1)
        node = size + len(labels) - 1
        for child in level[begin:end]:
            mothers[child] = node
        level[begin:end] = [node]
    return grown(words, tags, labels, [""] * len(mothers), mothers)


@settings(max_examples=60, deadline=None)
@given(
    st.composite(random_trees)(),
    st.integers(1, 3),
    st.integers(0, 2),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=4),
)
def test_best_and_next_best_are_those_of_plain_enumeration(
    treebank: list[PhraseTree], vertical: int, horizontal: int, sentence: list[str]
) -> None:
    model = learn(treebank, vertical=vertical, horizontal=horizontal)
    chart = model.chart(sentence)
    try:
        expected = all_derivations(model.grammar, chart.emissions)
    except TooMany:
        reject()
    forest = Forest(chart, 20)
    found = []
    for rank in range(20):
        one = forest.derivation(chart.root, rank)
        if one is None:
            break
        found.append(one.score)
    assert found == pytest.approx([score for score, _ in expected[:20]])
    if expected:
        drawn = [tree_of(forest, sentence, rank) for rank in range(len(found))]
        assert len(set(drawn)) == len(drawn), "two derivations of one tree"
        assert chart.score(chart.root) == pytest.approx(expected[0][0])
        assert tree_of(Forest(chart), sentence) == drawn[0]
    else:
        assert model.parse(sentence) is None


def test_the_enumeration_has_no_derivation_twice() -> None:
    model = learn(trees(), functions=True)
    found = all_derivations(model.grammar, model.chart("Anna sah Hut".split()).emissions)
    assert len(found) > 20
    assert len({drawn for _, drawn in found}) == len(found)


def test_fifty_best_of_an_ambiguous_sentence() -> None:
    model = learn(trees())
    sentence = "Anna sah Hut".split()
    chart = model.chart(sentence)
    expected = all_derivations(model.grammar, chart.emissions)
    assert len(expected) > 50
    found = model.nbest(sentence, 50)
    assert [score for score, _ in found] == pytest.approx([score for score, _ in expected[:50]])
    assert found[0][1] == model.parse(sentence)


def test_a_chain_never_comes_back_to_a_symbol() -> None:
    model = learn(trees(["(X (Y (X (Y (a a)))))", "(X (X (X (b b) (b b))))", "(Y (X (Y (b b))))"]))
    for top, path in zip(model.grammar.chain_top.tolist(), model.grammar.chain_paths, strict=True):
        assert len({top, *path}) == 1 + len(path)


def test_an_entry_too_many_is_a_clear_failure() -> None:
    from gardenpath.errors import SystemFailure

    model = learn(trees())
    with pytest.raises(SystemFailure, match="a sentence of 3 tokens has more than 5 entries"):
        chart_of(model.grammar, model.chart(["Anna", "sah", "Hut"]).emissions, entries=5)
