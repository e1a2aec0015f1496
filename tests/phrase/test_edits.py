"""Transformations of phrase trees, traces, kinds of gaps."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from random_trees import trees

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.phrase import PUNCTUATION, ROOT, PhraseTree, from_notation, grown, merged, raised, to_notation
from gardenpath.phrase.edits.grammar import (
    plain,
    without_functions,
)
from gardenpath.phrase.edits.splitting import joined, split
from gardenpath.phrase.edits.tokens import at_root, lowered, without_traces
from gardenpath.phrase.formats.brackets import Labels, read_penn
from gardenpath.phrase.formats.source import stream, write
from gardenpath.phrase.parseval import GERMAN, gap_brackets, gap_kind, kept_tokens, score_tree
from gardenpath.phrase.tree import Node, regrown, without_tokens
from gardenpath.systems import train

ERC = (
    "(S (NP:SB (ART:NK Der) (NN:NK Verein)) (VAFIN:HD hat) (VP:OC (NP:OA#1 (ART:NK einen) (NN:NK Trainer)) "
    "(VVPP:HD gefunden) (NP:OA#1 (S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat)))))"
)
VORFELD = "(S (VP:OC#1 (ADV:MO So)) (VAFIN:HD hat) (PPER:SB er) (VP:OC#1 (ADV:MO nie) (VVPP:HD gelebt)))"


def has_gap(tree: PhraseTree) -> bool:
    return any(node.has_gap for node in tree.inner)


def spoken(tree: PhraseTree) -> PhraseTree:
    return without_tokens(tree, [at for at, tag in enumerate(tree.tags) if tag in PUNCTUATION])


# ---- raising


def test_the_longest_piece_stays_or_the_one_with_the_head() -> None:
    tree = from_notation(ERC)
    assert to_notation(raised(tree)) == (
        "(S (NP:SB (ART:NK Der) (NN:NK Verein)) (VAFIN:HD hat) (VP:OC (ART:NK einen) (NN:NK Trainer) "
        "(VVPP:HD gefunden) (NP:OA (S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat)))))"
    )

    def noun(node: Node) -> Node | None:
        return next((child for child in node.children if child.label == "NN"), None)

    assert "(NP:OA (ART:NK einen) (NN:NK Trainer)) (VVPP:HD gefunden) (S:RC " in to_notation(raised(tree, noun))


def test_raising_goes_on_until_nothing_crosses() -> None:
    assert to_notation(raised(from_notation(VORFELD))) == (
        "(S (ADV:MO So) (VAFIN:HD hat) (PPER:SB er) (VP:OC (ADV:MO nie) (VVPP:HD gelebt)))"
    )


@given(trees())
def test_raised_trees_have_no_gaps_and_the_same_nodes(tree: PhraseTree) -> None:
    found = raised(tree)
    assert not has_gap(found)
    assert sorted(found.labels) == sorted(tree.labels)
    assert sorted(found.functions) == sorted(tree.functions)
    assert found == tree or has_gap(tree)


# ---- splitting


def test_pieces_are_marked() -> None:
    pieces = split(from_notation(VORFELD))
    assert to_notation(pieces) == (
        "(S (VP*:OC (ADV:MO So)) (VAFIN:HD hat) (PPER:SB er) (VP*:OC (ADV:MO nie) (VVPP:HD gelebt)))"
    )
    assert merged(pieces) == from_notation(VORFELD)


def test_two_split_nodes_of_one_mother_are_told_apart() -> None:
    tree = from_notation("(S (X#1 (T a)) (X#2 (T b)) (X#1 (T c)) (X#2 (T d)))")
    assert to_notation(split(tree)) == "(S (X*2 (T a)) (X* (T b)) (X*2 (T c)) (X* (T d)))"
    assert merged(split(tree)) == tree
    with pytest.raises(InputError, match=r"X\* looks split already"):
        split(regrown(tree, ["X*", "X", "S"], tree.functions, tree.mothers))


@given(trees())
def test_merging_is_the_inverse_of_splitting(tree: PhraseTree) -> None:
    assert not has_gap(split(tree))
    assert merged(split(tree)) == tree
    assert merged(tree) == tree


def test_unmarked_pieces_below_one_mother_or_higher_up() -> None:
    bare = from_notation("(S (VP:OC (ADV:MO So)) (VAFIN:HD hat) (PPER:SB er) (VP:OC (ADV:MO nie) (VVPP:HD gelebt)))")
    assert joined(bare) == from_notation(VORFELD)
    risen = from_notation(
        "(S (NP:SB (ART:NK Der) (NN:NK Verein)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK einen) (NN:NK Trainer)) "
        "(VVPP:HD gefunden)) (NP:OA (S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat))))"
    )
    found = joined(risen)
    assert [node.words for node in found.inner if node.function == "OA"] == [
        ("einen", "Trainer", "der", "Geduld", "hat")
    ]


def test_what_a_clause_may_have_twice_is_not_joined() -> None:
    for text in (
        "(S (PP:MO (APPR:AC in) (NE:NK Ulm)) (VVFIN:HD las) (PP:MO (APPR:AC um) (CARD:NK acht)))",
        "(S (NP:OA (NN:NK Brot)) (NP:OA (NN:NK Wein)))",
        "(CS (S:CJ (NP:SB (NN:NK a))) (KON:CD und) (S:CJ (NP:SB (NN:NK b))))",
    ):
        assert joined(from_notation(text)) == from_notation(text)


# ---- punctuation


def test_punctuation_goes_where_its_neighbours_meet() -> None:
    tree = grown(
        ["»", "Anna", ",", "die", "liest", ",", "lacht", "."],
        ["$(", "NE", "$,", "PRELS", "VVFIN", "$,", "VVFIN", "$."],
        ["S", "NP", "S"],
        ["", "NK", "", "SB", "HD", "", "HD", "", "RC", "SB", ""],
        [-1, 9, -1, 8, 8, -1, 10, -1, 9, 10, -1],
    )
    low = lowered(tree)
    assert to_notation(low) == (
        "($-LRB- ») (S (NP:SB (NE:NK Anna) ($, ,) "
        "(S:RC (PRELS:SB die) (VVFIN:HD liest))) ($, ,) (VVFIN:HD lacht)) ($. .)"
    )
    assert not has_gap(low)
    assert at_root(low) == tree
    assert spoken(tree).words == ("Anna", "die", "liest", "lacht")
    assert spoken(low) == spoken(tree)


def test_marks_alone_stay() -> None:
    only = from_notation("(NP ($. .)) (NN x)")
    assert at_root(only) == only
    assert lowered(from_notation("($. .)")).words == (".",)


@given(trees())
@example(grown(["w0", "w1", "w2"], ["$,", "$,", "$,"], ["S"], ["", "", "", ""], [3, -1, 3, -1]))
def test_lowering_and_raising_punctuation(tree: PhraseTree) -> None:
    assert at_root(lowered(tree)) == at_root(tree)
    assert spoken(lowered(tree)) == spoken(tree)
    roots = at_root(tree)
    if all(roots.mothers[at] == ROOT for at, tag in enumerate(roots.tags) if tag == "$,"):
        assert has_gap(lowered(roots)) == has_gap(spoken(tree))


# ---- functions


def test_functions_dropped() -> None:
    tree = from_notation(ERC)
    assert set(without_functions(tree).functions) == {""}


# ---- deepened TIGER


def test_the_model_analysis_of_both_kinds() -> None:
    # The same sentence in deepened TIGER (as SQUOIA and SMULTRON have it) and in plain TIGER.
    deep = (
        "(S (NP:SB (ART:NK Die) (NN:HD Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:HD Haus) (PP:MNR "
        "(APPRART:HD am) (NP:NK (NN:HD See)))) (PP:MO (APPR:HD mit) (NP:NK (ART:NK einem) (NN:HD Kredit))) "
        "(VVPP:HD gekauft)))"
    )
    flat = (
        "(S (NP:SB (ART:NK Die) (NN:NK Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:NK Haus) (PP:MNR "
        "(APPRART:AC am) (NN:NK See))) (PP:MO (APPR:AC mit) (ART:NK einem) (NN:NK Kredit)) (VVPP:HD gekauft)))"
    )
    assert to_notation(plain(from_notation(deep))) == flat
    assert plain(from_notation(flat)) == from_notation(flat)


def test_a_phrase_of_one_word_leaves_its_function_and_edges() -> None:
    tree = grown(["er", "kam"], ["PPER", "VVFIN"], ["NP", "S"], ["HD", "HD", "SB", ""], [2, 3, 3, -1], [(2, "SB", 3)])
    assert plain(tree) == grown(["er", "kam"], ["PPER", "VVFIN"], ["S"], ["SB", "HD", ""], [2, 2, -1], [(0, "SB", 2)])


PENN = """( (S (NP-SBJ-1 (NNP Rudolph)) (VP (VBD was) (VP (VBN named) (S (NP-SBJ (-NONE- *-1)) (NP-PRD (NN chief)))))
  (. .)))
( (SBARQ (WHNP=2 (WP What)) (SQ (VBZ is) (NP (-NONE- *T*-2)) (NP-SBJ (PRP it)))))
"""


def test_traces_go_with_the_nodes_that_hold_nothing_else() -> None:
    trees, count = without_traces(list(read_penn(PENN)))
    assert count == 2
    assert list(map(to_notation, trees)) == [
        "(S (NP:SBJ (NNP Rudolph)) (VP (VBD was) (VP (VBN named) (S (NP:PRD (NN chief))))) (. .))",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP:SBJ (PRP it))))",
    ]
    assert trees == list(read_penn(PENN, labels=Labels(empty=False, indices=False)))


def test_without_traces_numbers_stay() -> None:
    trees = list(read_penn("( (S (NP-SBJ-1 (NN dog)) (VP (VBZ barks))))"))
    assert without_traces(trees) == (trees, 0)


def test_the_reader_that_leaves_them_out_agrees_on_real_trees(file_named: Callable[[str], Path]) -> None:
    path = file_named("phrase/ptb-sample/wsj-sample.mrg")
    trees, count = without_traces(list(islice(stream(path), 150)))
    assert trees == list(islice(stream(path, labels=Labels(empty=False, indices=False)), 150))
    assert count > 100


def test_parsers_learn_without_traces_and_say_how_many_there_were(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="the extra pcfg is not installed")
    lines: list[str] = []
    (tmp_path / "wsj.mrg").write_text(PENN)
    trained = train("pcfg", tmp_path / "wsj.mrg", output=tmp_path / "m.npz", progress=lines.append)
    assert lines[0].endswith("wsj.mrg: 2 traces left out, and the numbers of functions")
    assert trained.card["train"]["words"] == 8


def test_evaluation_leaves_traces_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    gold, bare = tmp_path / "wsj.mrg", tmp_path / "bare.mrg"
    gold.write_text(PENN)
    write(without_traces(list(read_penn(PENN)))[0], bare, "penn")
    for parses in (gold, bare):
        result = gp.evaluate(gold, str(parses), parameters="all")
        assert {one.measure: one.value for one in result.findings}["f1"] == 100
        assert "|traces:left out=2|" in str(result.signature)
    kept = gp.evaluate(gold, str(gold), parameters="all", traces=True)
    assert "|traces:yes|" in str(kept.signature)
    words = [next(one.n for one in scored.findings if one.measure == "tags") for scored in (result, kept)]
    assert words == [8, 10]


RELATIVE = "(S (NP:OA#1 (NN:NK Leute)) (VVFIN:HD sieht) (NP:OA#1 (S:RC (PRELS:SB die) (VVFIN:HD gehen))))"


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        (RELATIVE, ["NP: RC after"]),
        ("(S (VP:OC#1 (NN:OA Leute)) (VAFIN:HD hat) (PPER:SB er) (VP:OC#1 (VVPP:HD gesehen)))", ["VP: OA before"]),
        # Of two parts the one further from the head counts.
        ("(S (VP:OC#1 (ADV:MO heute)) (VAFIN:HD hat) (VP:OC#1 (NN:OA Leute)) (PPER:SB er) (VP:OC#1 (VVPP:HD gesehen)))",
         ["VP: MO before"]),
        # Mother and daughter have the same gap, and each its own name for it.
        ("(S (VP:OC#1 (VP:OC#2 (NN:OA Leute))) (VMFIN:HD will) (PPER:SB er) "
         "(VP:OC#1 (VP:OC#2 (VVPP:HD gesehen)) (VAINF:HD haben)))", ["VP: OA before", "VP: OC before"]),
        # The daughter with the gap is the head itself: the part that stands apart is hers.
        ("(S (NP:OA#1 (NP:HD#2 (NN:NK Leute))) (VVFIN:HD sieht) (NP:OA#1 (NP:HD#2 (S:RC (PRELS:SB die)))))",
         ["NP: RC after", "NP: RC after"]),
        # Without functions a part has its category.
        ("(S (NP#1 (ART die) (NN Leute)) (VVFIN sieht) (NP#1 (S (PRELS die))))", ["NP: S after"]),
        # Punctuation makes no gap.
        ("(S (NP#1 (NN Leute)) ($, ,) (NP#1 (NN Hunde)))", []),
    ],
)  # fmt: skip
def test_worked_examples(line: str, kinds: list[str]) -> None:
    tree = from_notation(line)
    kept = kept_tokens(tree, GERMAN)
    assert sorted(kind for _, _, kind in gap_brackets(tree, GERMAN, kept, "tiger")) == kinds


@given(trees(), st.sampled_from(["", "tiger"]))
def test_a_kind_for_every_gap(tree: PhraseTree, scheme: str) -> None:
    kept = kept_tokens(tree, GERMAN)
    score = score_tree(tree, tree, GERMAN)
    assert len(gap_brackets(tree, GERMAN, kept, scheme)) == score.discontinuous.gold
    for node in tree.inner:
        kind = gap_kind(node, kept, scheme)
        assert not kind or kind.endswith((" before", " after"))


def test_without_a_scheme_the_longest_stretch_has_the_head() -> None:
    tree = from_notation(RELATIVE)
    assert [gap_kind(node, kept_tokens(tree, GERMAN)) for node in tree.inner if node.has_gap] == ["NP: NK before"]
