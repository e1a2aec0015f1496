"""What a gap comes from: worked examples, and every bracket with a gap has a kind and no other has one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_trees import trees

from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.phrase.evalb import GERMAN
from gardenpath.phrase.gap_kinds import gap_kind
from gardenpath.phrase.parseval import gap_brackets, kept_tokens, score_tree

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
