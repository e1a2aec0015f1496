"""A mistake made by rule in both trees of a parallel pair has the same class in both, whatever the sentence."""

from __future__ import annotations

import pytest
from construction_trees import MODELS
from tree_corruptions import CORRUPTIONS, Corruption

from gardenpath.data.catalogue import bundled
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.studies.constructions.judging import judge
from gardenpath.suites.constructions.finding import find
from gardenpath.suites.constructions.model import Construction
from gardenpath.suites.constructions.storage import read_parallel
from gardenpath_generate.constructions.treebank import generate

Pair = dict[str, tuple[PhraseTree, Construction]]
CASES = [(phenomenon, *case) for phenomenon, cases in CORRUPTIONS.items() for case in cases]


def model_pairs(phenomenon: str) -> list[Pair]:
    """The constructions of the model trees, in both schemes."""
    pairs = []
    for trees in MODELS.values():
        found = {scheme: from_notation(trees[scheme]) for scheme in ("tiger", "tuebadz")}
        hits = {scheme: find(tree, scheme, [phenomenon]) for scheme, tree in found.items()}
        for one, two in zip(hits["tiger"], hits["tuebadz"], strict=True):
            pairs.append({"tiger": (found["tiger"], one), "tuebadz": (found["tuebadz"], two)})
    return pairs


@pytest.fixture(scope="module", params=["generated", "bundled"])
def pairs(request: pytest.FixtureRequest) -> dict[str, list[Pair]]:
    """Sentences that two programs realised in the two schemes, by phenomenon."""
    if request.param == "generated":
        halves = {suite.scheme: suite for suite in generate(300, seed=11).suites}
    else:
        halves = read_parallel(bundled("de-constructions"))
    found: dict[str, list[Pair]] = {}
    twins = {item.item: item for item in halves["tuebadz"].items}
    for one in halves["tiger"].items:
        two = twins[one.item]
        pair = {"tiger": (one.tree, one.construction), "tuebadz": (two.tree, two.construction)}
        found.setdefault(one.construction.phenomenon, []).append(pair)
    return found


def check(pairs: list[Pair], corrupt: Corruption, code: str) -> int:
    """How many pairs had room for the mistake; each must have the class in both schemes."""
    tried = 0
    for pair in pairs:
        spoiled = {scheme: corrupt(*pair[scheme], scheme) for scheme in pair}
        if None in spoiled.values():
            continue
        tried += 1
        for scheme, (tree, construction) in pair.items():
            parse = spoiled[scheme]
            assert parse is not None
            assert parse.words == tree.words
            verdict = judge(tree, construction, parse, scheme)
            assert verdict.primary == code, (scheme, " ".join(tree.words), verdict)
    return tried


@pytest.mark.parametrize(("phenomenon", "corrupt", "code"), CASES)
def test_model_trees(phenomenon: str, corrupt: Corruption, code: str) -> None:
    assert check(model_pairs(phenomenon), corrupt, code) >= 1


@pytest.mark.parametrize(("phenomenon", "corrupt", "code"), CASES)
def test_parallel_sentences(pairs: dict[str, list[Pair]], phenomenon: str, corrupt: Corruption, code: str) -> None:
    assert check(pairs[phenomenon], corrupt, code) >= 8


def test_gold_is_right_by_itself(pairs: dict[str, list[Pair]]) -> None:
    for found in pairs.values():
        for pair in found:
            for scheme, (tree, construction) in pair.items():
                assert judge(tree, construction, tree, scheme).primary == "right"
