"""The parallel suite that comes with gardenpath: complete, balanced, and what the finding rules say."""

from __future__ import annotations

from collections import Counter

import pytest

from gardenpath.data import bundled
from gardenpath.suites.constructions.finding import find_in
from gardenpath.suites.constructions.model import PHENOMENA
from gardenpath.suites.constructions.storage import read_parallel
from gardenpath.treebank import read
from gardenpath.treebank.validate.report import validate_bytes

FOLDER = bundled("de-constructions")
SUITES = read_parallel(FOLDER)


def test_all_schemes_have_enough_items_of_each_phenomenon() -> None:
    assert set(SUITES) == {"tiger", "tuebadz", "ud"}
    for suite in SUITES.values():
        counts = Counter(item.construction.phenomenon for item in suite.items)
        assert set(counts) == set(PHENOMENA)
        assert min(counts.values()) >= 24
        variants = Counter((item.construction.phenomenon, item.construction.variant) for item in suite.items)
        assert variants["fcr", "v2"] == variants["fcr", "vl"] == 12
        assert [variants["cuc", name] for name in ("vp+ap", "vp+np", "s+np")] == [8, 8, 8]
        plans = Counter(item.item.rpartition("-")[0] for item in suite.items)
        assert len(plans) == 30  # variants of the generator
        assert min(plans.values()) >= 3


def test_every_item_is_found_by_rule_and_no_sentence_comes_twice() -> None:
    for scheme, suite in SUITES.items():
        assert len({item.tree.words for item in suite.items}) == len(suite.items)
        trees = [item.tree for item in suite.items]
        hits = {
            (number, hit.phenomenon, hit.variant, hit.node, hit.anchors)
            for number, hit in find_in(trees, scheme, tuple(PHENOMENA))
        }
        for number, item in enumerate(suite.items):
            one = item.construction
            assert (number, one.phenomenon, one.variant, one.node, one.anchors) in hits
            if one.phenomenon in ("ppn", "ppv"):
                assert "ambiguous" in one.flags
            assert len(item.tree) <= 40


@pytest.mark.parametrize("scheme", ["tuebadz", "ud"])
def test_anchors_are_the_same_in_all_schemes(scheme: str) -> None:
    for first, second in zip(SUITES["tiger"].items, SUITES[scheme].items, strict=True):
        assert first.item == second.item
        assert first.tree.words == second.tree.words
        phenomenon = first.construction.phenomenon
        if (scheme, phenomenon) == ("ud", "cuc"):
            continue  # there content words head clauses
        for name, token in first.construction.anchors:
            if (phenomenon, name) != ("ppv", "governor"):
                assert second.construction.anchor(name) == token


def test_the_ud_trees_are_valid_and_have_the_same_words() -> None:
    path = FOLDER / "ud" / "trees.conllu"
    assert [str(one) for one in validate_bytes(path.read_bytes())] == []
    forms = [tuple(word.form for word in sentence) for sentence in read(path)]
    assert forms == [item.tree.words for item in SUITES["tiger"].items]


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 450_000
