"""Counting and drawing constructions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees_to_find import CUC_AP, ERC, FCR_V2, FCR_VL, PP, SGF

from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.suites.constructions.sampling import Found, as_suite, count, find_all, is_short, is_testable, sample


def trees(copies: int = 6) -> list[PhraseTree]:
    lines = [PP, ERC, FCR_V2, FCR_VL, FCR_V2, SGF, CUC_AP]
    made = [from_notation(one["tiger"]) for one in lines for _ in range(copies)]
    return [tree.named(f"s{number}") for number, tree in enumerate(made, 1)]


def test_counts_are_of_items_sentences_and_short_sentences() -> None:
    long = from_notation(f"(CS (S:CJ (PPER:SB Er) (VVFIN:HD kam)) (S:CJ (VVFIN:HD sah)) {'(KON:CD und) ' * 40})")
    line = "(CS (S:CJ (PPER:SB Er) (VVFIN:HD kam)) (S:CJ (VVFIN:HD sah)) (KON:CD und) (S:CJ (VVFIN:HD ging)))"
    both = [from_notation(line), long]
    (one,) = count(both, find_all(both, "tiger"))
    assert (one.phenomenon, one.variant, one.items, one.sentences, one.short) == ("fcr", "v2", 3, 2, 1)
    (one,) = count(both, find_all(both, "tiger"), max_length=100)
    assert one.short == 2


def test_punctuation_counts_unless_it_is_left_out() -> None:
    tree = from_notation("(S (PPER:SB Er) (VVFIN:HD kam)) ($. .)")
    assert is_short(tree, 3)
    assert not is_short(tree, 2)
    assert is_short(tree, 2, punctuation=False)
    assert not is_short(tree, 1, punctuation=False)


def test_variants_are_drawn_evenly_and_no_sentence_twice() -> None:
    some = trees()
    drawn = sample(some, find_all(some, "tiger"), 6, seed=3)
    kinds = Counter((one.construction.phenomenon, one.construction.variant) for one in drawn)
    assert kinds == {
        ("ppn", ""): 3, ("ppv", ""): 3, ("erc", ""): 6, ("fcr", "v2"): 3, ("fcr", "vl"): 3, ("sgf", ""): 6,
        ("cuc", "vp+ap"): 6,
    }  # fmt: skip
    assert len({one.tree for one in drawn}) == len(drawn)


def test_what_there_is_too_little_of_is_filled_up_with_the_other_variant() -> None:
    some = [from_notation(FCR_VL["tiger"])] + [from_notation(FCR_V2["tiger"]) for _ in range(9)]
    drawn = sample(some, find_all(some, "tiger"), 5)
    assert Counter(one.construction.variant for one in drawn) == {"v2": 4, "vl": 1}
    assert len(sample(some, find_all(some, "tiger"), 50)) == 10


@pytest.fixture(scope="module")
def few_trees() -> tuple[list[PhraseTree], list[Found]]:
    some = trees(3)
    return some, find_all(some, "tiger")


@given(seed=st.integers(0, 2**32), size=st.integers(1, 8))
def test_a_draw_is_repeatable_and_part_of_what_was_found(
    few_trees: tuple[list[PhraseTree], list[Found]], seed: int, size: int
) -> None:
    some, found = few_trees
    drawn = sample(some, found, size, seed=seed)
    assert drawn == sample(some, found, size, seed=seed)
    assert set(drawn) <= set(found)
    groups = Counter(one.construction.phenomenon[:2] for one in drawn)
    assert all(number <= size for number in groups.values())


def test_seeds_differ() -> None:
    some = trees(20)
    found = find_all(some, "tiger")
    assert sample(some, found, 5, seed=0) != sample(some, found, 5, seed=1)


@pytest.mark.parametrize(
    ("line", "good"),
    [
        (PP["tiger"], [True, True]),
        ("(S (PPER:SB Er) (VVFIN:HD lief) (PP:MO (APPR:AC ohne) (NN:NK Hut)))", [False]),
        ("(CS (S:CJ (PPER:SB Er) (VVFIN:HD kam)) (KON:CD und) (S:CJ (VVFIN:HD sah)))", [False]),
    ],
)
def test_only_good_items_are_drawn(line: str, good: list[bool]) -> None:
    found = find_all([from_notation(line)], "tiger")
    assert [is_testable(one.construction) for one in found] == good


def test_items_are_numbered_within_their_variant() -> None:
    some = trees(2)
    suite = as_suite(some, find_all(some, "tiger", ["fcr", "cuc"]), name="mine", release="1", scheme="tiger")
    assert [item.item for item in suite.items] == [
        "fcr-v2-001", "fcr-v2-002", "fcr-vl-001", "fcr-vl-002", "fcr-v2-003", "fcr-v2-004", "cuc-vp+ap-001",
        "cuc-vp+ap-002",
    ]  # fmt: skip
    assert suite.items[0].node.label == "CS"


def test_a_real_treebank_gives_twenty_of_each_but_the_rarest(shared: Path) -> None:
    from gardenpath.phrase.source import read

    real = read(shared / "phrase/tiger-squoia/*_DE.xml")
    drawn = sample(real, find_all(real, "tiger"), 20)
    assert Counter(one.construction.phenomenon for one in drawn) == {
        "ppn": 10, "ppv": 10, "erc": 20, "fcr": 20, "sgf": 20, "cuc": 3,
    }  # fmt: skip
    assert all(len(real[one.tree]) <= 40 for one in drawn)
