"""PARSEVAL: worked examples, brute force and PYEVALB as oracles, EVALB's files, and the leaf-ancestor measure."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gardenpath.errors import GardenpathError, InputError
from gardenpath.phrase import ROOT, PhraseTree, from_notation, grown, to_notation
from gardenpath.phrase.formats.source import read
from gardenpath.phrase.parseval import (
    ALL,
    GERMAN,
    Matched,
    brackets,
    crosses,
    lineages,
    parameters,
    score_tree,
    similarity,
)
from gardenpath.phrase.tree import positions

GOLD = "(S (NP:SB (ART das) (NN Haus)) (VVFIN steht) (PP:MO (APPR am) (NN See)))"
PARSED = "(S (NP:OA (ART das) (NN Haus)) (VP (VVFIN steht) (PP:MO (APPR am) (NE See))))"


def test_counts_of_a_worked_example() -> None:
    found = score_tree(from_notation(GOLD), from_notation(PARSED))
    assert found.labelled == Matched(3, 3, 4)
    assert found.unlabelled == Matched(3, 3, 4)
    assert found.functions == Matched(2, 3, 4)
    assert (found.crossing, found.words, found.tags, found.exact) == (0, 5, 4, False)


def test_a_tree_is_right_against_itself_and_no_tree_is_wrong_in_all() -> None:
    tree = from_notation(GOLD)
    same = score_tree(tree, tree)
    assert same.exact
    assert same.leaf_ancestor == same.tags == same.words == 5
    none = score_tree(tree, None)
    assert none.labelled == none.functions == Matched(0, 3, 0)
    assert (none.parsed, none.exact, none.leaf_ancestor, none.tags, none.words) == (False, False, 0, 0, 5)


def test_a_bracket_with_a_gap_is_a_set_of_tokens() -> None:
    gold = from_notation("(S (VP#1 (NN Brot) (VVPP gekauft)) (VAFIN hat) (PPER er) (VP#1 (ADV gestern)))")
    flat = from_notation("(S (VP (NN Brot) (VVPP gekauft)) (VAFIN hat) (PPER er) (ADV gestern))")
    assert score_tree(gold, gold).labelled == Matched(2, 2, 2)
    assert score_tree(gold, flat).labelled == Matched(1, 2, 2)
    crossing = from_notation("(S (NN Brot) (VP (VVPP gekauft) (VAFIN hat)) (PPER er) (ADV gestern))")
    assert score_tree(gold, crossing).crossing == 1


def test_equal_brackets_are_matched_one_to_one() -> None:
    gold, parsed = from_notation("(NP (NP (NP (NN Haus))))"), from_notation("(NP (NP (NN Haus)))")
    assert score_tree(gold, parsed).labelled == Matched(2, 3, 2)
    assert score_tree(parsed, gold).labelled == Matched(2, 2, 3)


def test_german_punctuation_and_roots_do_not_count() -> None:
    gold = from_notation("(VROOT (S (NN Haus) ($, ,) (VVFIN steht)) ($. .))")
    parsed = from_notation("(TOP (S (NN Haus) (NN ,) (VVFIN steht) ($. .)))")
    found = score_tree(gold, parsed, GERMAN)
    assert found.exact
    assert (found.words, found.tags, found.length) == (2, 2, 4)
    assert not score_tree(gold, parsed).exact


def test_brackets_with_gaps_alone() -> None:
    """As `discodop eval --disconly`: what is deleted makes no gap, and a gap filled wrongly is another bracket."""
    gold = from_notation("(S (VP#1 (NP (ART das) (NN Buch))) (VAFIN hat) (NP#2 (PPER er)) (VP#1 (VVPP gelesen)))")
    parse = from_notation("(S (NP (ART das) (NN Buch)) (VP#1 (VAFIN hat)) (PPER er) (VP#1 (VVPP gelesen)))")
    assert score_tree(gold, gold).discontinuous == Matched(1, 1, 1)
    assert score_tree(gold, parse).discontinuous == Matched(0, 1, 1)
    assert score_tree(gold, None).discontinuous == Matched(0, 1, 0)
    only_marks = from_notation("(S (VP#1 (ADV so)) ($, ,) (VP#1 (VVPP gelebt)) (VAFIN hat))")
    assert score_tree(only_marks, only_marks).discontinuous.gold == 1
    assert score_tree(only_marks, only_marks, GERMAN).discontinuous.gold == 0


def test_brackets_with_gaps_by_renumbering(file_named: Callable[[str], Path]) -> None:
    """Brute force: tokens that count are numbered anew, and a bracket has a gap if numbers are missing in it."""
    for tree in read(file_named("bundled:de-constructions/tiger/trees.export"))[:60]:
        counting = [token for token, tag in enumerate(tree.tags) if not tag.startswith("$")]
        numbers = [[counting.index(token) for token in node.positions if token in counting] for node in tree.inner]
        broken = sum(bool(own) and own[-1] - own[0] + 1 > len(own) for own in numbers)
        assert score_tree(tree, tree, GERMAN).discontinuous == Matched(broken, broken, broken)


def test_other_words_are_refused() -> None:
    with pytest.raises(InputError, match="token 2 is 'b' in gold and 'c'"):
        score_tree(from_notation("(S (T a) (T b))"), from_notation("(S (T a) (T c))"))
    with pytest.raises(InputError, match="1 words in the tree of the system, 2 in gold"):
        score_tree(from_notation("(S (T a) (T b))"), from_notation("(S (T a))"))


def test_parameter_files(tmp_path: Path) -> None:
    path = tmp_path / "my.prm"
    path.write_text(
        "# mine\nDEBUG 0\nMAX_ERROR 10\nCUTOFF_LEN 20\nLABELED 1\nDELETE_LABEL TOP\nDELETE_LABEL $.\n"
        "DELETE_LABEL_FOR_LENGTH $.\nEQ_LABEL ADVP PRT\nEQ_LABEL AP PRT\nEQ_WORD dass daß\n",
        encoding="utf-8",
    )
    found = parameters(str(path))
    assert (found.cutoff, found.delete_labels, found.delete_for_length) == (20, {"TOP", "$."}, {"$."})
    assert found.label("AP") == found.label("PRT") == found.label("ADVP") != found.label("NP")
    gold = from_notation("(TOP (ADVP (KOUS dass) ($. .)))")
    parsed = from_notation("(AP (KOUS daß) ($. .))")
    score = score_tree(gold, parsed, found)
    assert score.exact
    assert (score.length, score.labelled.gold) == (1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [("DELETE_LABLE TOP\n", "did you mean DELETE_LABEL"), ("EQ_LABEL ADVP\n", "has no value")],
)
def test_faults_of_parameter_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "my.prm"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GardenpathError, match=f"(?s)my.prm:1.*{message}"):
        parameters(str(path))
    with pytest.raises(GardenpathError, match="did you mean german"):
        parameters("germen")
    with pytest.raises(InputError, match="cannot be read"):
        parameters("nowhere.prm")


# ---- leaf-ancestor


def test_lineages_by_hand() -> None:
    """The example of Sampson and Babarczy (2003), worked by hand."""
    gold = from_notation("(S (N1 (T two) (N1 (T tax) (T revision)) (T bills)) (T were) (T passed))")
    assert [" ".join(line) for line in lineages(gold)] == [
        "N1 [ S", "[ N1 N1 S", "N1 ] N1 S", "N1 ] S", "S", "S ]",
    ]  # fmt: skip
    flat = from_notation("(S (N1 (T two) (T tax) (T revision) (T bills)) (T were) (T passed))")
    assert [" ".join(line) for line in lineages(flat)] == ["N1 [ S", "N1 S", "N1 S", "N1 ] S", "S", "S ]"]
    # [ N1 N1 S against N1 S: two labels less of six in both, so 1 - 2/6; the other words are alike.
    assert score_tree(gold, flat).leaf_ancestor == pytest.approx(4 + 2 * (1 - 2 / 6))


def test_leaf_ancestor_as_in_disco_dop_by_hand() -> None:
    """Its function `leafancestor` gives 0.885417 for this pair; lineages of gold and parse differ at two words."""
    gold = from_notation("(S (VP#1 (ADV So)) (VAFIN hat) (NE Anna) (VP#1 (VVPP gelebt)))")
    parse = from_notation("(S (ADV So) (VAFIN hat) (NE Anna) (VP (VVPP gelebt)))")
    assert [" ".join(line) for line in lineages(gold, gaps=True)] == ["VP } [ S", "S", "S", "{ VP S ]"]
    assert [" ".join(line) for line in lineages(parse, gaps=True)] == ["[ S", "S", "S", "[ VP S ]"]
    # So: two labels less of six; gelebt: one label replaced, of eight
    score = score_tree(gold, parse)
    assert score.leaf_ancestor_discodop == pytest.approx(((1 - 2 / 6) + 1 + 1 + (1 - 1 / 8)) / 4)
    assert score.leaf_ancestor == pytest.approx((1 - 1 / 5) + 1 + 1 + (1 - 1 / 7))
    assert score_tree(gold, gold).leaf_ancestor_discodop == 1
    assert score_tree(gold, None).leaf_ancestor_discodop == 0


def test_lineages_mark_no_gap_that_only_deleted_words_make() -> None:
    gold = from_notation("(S#1 (NP#2 (NN Haus))) ($, ,) (S#1 (NP#2 (NN Hof)) (VVFIN steht))")
    assert [" ".join(line) for line in lineages(gold, kept=0b1101, gaps=True)][::2] == ["NP [ S", "NP ] S"]
    assert [" ".join(line) for line in lineages(gold, gaps=True)][::2] == ["NP [ S }", "NP ] { S"]


def test_deleted_words_begin_and_end_nothing() -> None:
    gold = from_notation("(VROOT ($. .) (S (NN Haus) (VVFIN steht)))")
    parsed = from_notation("(S ($. .) (NN Haus) (VVFIN steht))")
    assert score_tree(gold, parsed, GERMAN).leaf_ancestor == 2


@settings(deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_similarity_is_the_edit_distance_over_both_lengths(one: list[str], other: list[str]) -> None:
    """Oracle: the textbook recursion with costs 1, 1 and 2."""

    def distance(left: list[str], right: list[str]) -> int:
        if not left or not right:
            return len(left) + len(right)
        change = distance(left[1:], right[1:]) + (0 if left[0] == right[0] else 2)
        return min(change, distance(left[1:], right) + 1, distance(left, right[1:]) + 1)

    total = len(one) + len(other)
    assert similarity(one, other) == pytest.approx(1 - distance(one, other) / total if total else 1)


# ---- oracles on many trees


@st.composite
def trees(draw: st.DrawFn, size: int, gaps: bool) -> PhraseTree:
    words = [f"w{token}" for token in range(size)]
    tags = draw(st.lists(st.sampled_from(["N", "V", "$,"]), min_size=size, max_size=size))
    tops, labels, mothers = list(range(size)), list[str](), [ROOT] * size
    for _ in range(draw(st.integers(0, size))):
        if gaps:
            below = draw(st.lists(st.sampled_from(tops), min_size=1, max_size=3, unique=True))
        else:
            begin = draw(st.integers(0, len(tops) - 1))
            below = tops[begin : draw(st.integers(begin + 1, len(tops)))]
        number = size + len(labels)
        labels.append(draw(st.sampled_from(["A", "B", "C"])))
        mothers.append(ROOT)
        for node in below:
            mothers[node] = number
        at = min(tops.index(node) for node in below)
        tops = [node for node in tops if node not in below]
        tops.insert(min(at, len(tops)), number)
    functions = draw(st.lists(st.sampled_from(["", "f", "-"]), min_size=len(mothers), max_size=len(mothers)))
    return grown(words, tags, labels, functions, mothers)


def pairs(gaps: bool) -> st.SearchStrategy[tuple[PhraseTree, PhraseTree]]:
    return st.integers(1, 7).flatmap(lambda size: st.tuples(trees(size, gaps), trees(size, gaps)))


@settings(max_examples=200, deadline=None)
@given(pairs(gaps=True))
def test_brute_force_finds_the_same(pair: tuple[PhraseTree, PhraseTree]) -> None:
    """Sets of tokens and lists from which matches are taken away one by one."""
    gold, parsed = pair
    punctuation = {token for token, tag in enumerate(gold.tags) if tag == "$,"}

    def listed(tree: PhraseTree) -> list[tuple[str, frozenset[int]]]:
        nodes = [(node.label, frozenset(node.positions) - punctuation) for node in tree.inner]
        return [(label, span) for label, span in nodes if span]

    wanted, found = listed(gold), listed(parsed)
    left, right = list(wanted), 0
    for bracket in found:
        if bracket in left:
            left.remove(bracket)
            right += 1
    score = score_tree(gold, parsed, GERMAN)
    assert score.labelled == Matched(right, len(wanted), len(found))
    spans = [span for _, span in wanted]
    assert score.crossing == sum(any(a & b and a - b and b - a for b in spans) for _, a in found)
    assert score.exact == (sorted(map(repr, wanted)) == sorted(map(repr, found)))
    assert score.functions.right <= score.labelled.right <= score.unlabelled.right
    assert score.words == len(gold) - len(punctuation)
    same = score_tree(gold, gold, GERMAN)
    assert same.exact
    assert same.leaf_ancestor == same.words


@settings(max_examples=150, deadline=None)
@given(pairs(gaps=False))
def test_pyevalb_finds_the_same(pair: tuple[PhraseTree, PhraseTree]) -> None:
    """PYEVALB 0.1.3 counts each bracket once, so only trees without the same bracket twice are asked."""
    pytest.importorskip("PYEVALB")
    from PYEVALB import parser, scorer

    gold, parsed = (from_notation(f"(R {re.sub(r':[^ ]+', '', to_notation(tree))})") for tree in pair)
    for tree in (gold, parsed):
        assume(len({bracket[:2] for bracket in brackets(tree)}) == len(tree.labels))
    plain = [to_notation(tree) for tree in (gold, parsed)]
    theirs = scorer.Scorer().score_trees(*(parser.create_from_bracket_string(line) for line in plain))
    ours = score_tree(gold, parsed)
    assert ours.labelled == Matched(theirs.matched_brackets, theirs.gold_brackets, theirs.test_brackets)
    assert ours.tags == theirs.correct_tags
    assert ours.words == theirs.words
    assert ours.crossing == theirs.cross_brackets


def test_crossing_sets() -> None:
    assert crosses(0b0110, 0b0011)
    assert not crosses(0b0110, 0b0100)
    assert not crosses(0b0110, 0b1001)
    assert positions(0b1010) == (1, 3)


@pytest.mark.parametrize(
    "name", ["bundled:de-constructions/tiger/trees.export", "phrase/tiger-pcc/syntax/maz-11280.xml"]
)
def test_counts_of_real_trees_against_themselves(name: str, file_named: Callable[[str], Path]) -> None:
    from gardenpath.phrase.formats.source import read

    for tree in read(str(file_named(name))):
        found = score_tree(tree, tree, GERMAN)
        assert found.exact
        assert found.crossing == 0
        assert found.leaf_ancestor == pytest.approx(found.words)
        assert score_tree(tree, tree, ALL).labelled.gold == len(tree.labels)
