"""Trees as actions and back, and dependency trees as phrases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import PhraseTree, from_notation, read, to_notation
from gardenpath.phrase.edits.splitting import raised
from gardenpath.phrase.tree import ROOT
from gardenpath.treebank import Treebank
from gardenpath.treebank import read as read_treebank
from gardenpath_models.structural.actions import (
    FIRST_NT,
    TOP,
    Inventory,
    opened,
    oracle_of,
    oracles,
    tree_of,
    unary_chains,
)
from gardenpath_models.structural.training import projected


def bare(tree: PhraseTree, *, functions: bool = False) -> PhraseTree:
    """A tree as far as a derivation knows it."""
    size = len(tree)
    kept = ("",) * size + (tree.functions[size:] if functions else ("",) * len(tree.labels))
    return replace(tree, functions=kept, secondary=(), lemmas=(), morphs=())


def test_actions_of_a_tree() -> None:
    made = oracle_of(from_notation("(S (NP:SB (D the) (N cat)) (VP (V sleeps)))"))
    assert made.words == ("the", "cat", "sleeps")
    assert made.actions == ("NT(S)", "NT(NP)", "GEN", "GEN", "REDUCE", "NT(VP)", "GEN", "REDUCE", "REDUCE")
    assert (made.open_phrases, made.run) == (2, 2)
    kept = oracle_of(from_notation("(S (NP:SB (D the)) (VP (V sleeps)))"), functions=True)
    assert [opened(action) for action in kept.actions if opened(action)] == ["S:", "NP:SB", "VP:"]


@pytest.mark.parametrize(
    "text", ["(N cat)", "(NP (N cat)) (. .)", "(S (NP (NP (N cat))))", "(S (A a) (X (B b) (C c)) (D d))"]
)
@pytest.mark.parametrize("functions", [True, False])
def test_there_and_back(text: str, functions: bool) -> None:
    tree = from_notation(text)
    made = oracle_of(tree, functions=functions)
    assert tree_of(made.actions, made.words, made.tags, functions=functions) == tree
    assert (made.actions[0] == f"NT({TOP})") == (text[:2] == "(N" and "S" not in text)


def test_functions_come_back() -> None:
    tree = from_notation("(S (NP:SB (D the) (N cat)) (VP:OC (V sleeps)))")
    made = oracle_of(tree, functions=True)
    assert tree_of(made.actions, made.words, made.tags, functions=True) == tree


def test_what_has_no_derivation_is_an_error() -> None:
    gap = from_notation("(S (VP#1 (N cat)) (V has) (VP#1 (V slept)))")
    with pytest.raises(InputError, match="the phrase VP has a gap"):
        oracle_of(gap)
    made = oracles([gap])
    assert made.raised == 1
    assert made.made[0].actions.count("GEN") == 3
    with pytest.raises(InputError, match="a tree without words"):
        oracle_of(PhraseTree((), (), (), (), ()))
    with pytest.raises(InputError, match="is reserved"):
        oracle_of(from_notation(f"({TOP} (N cat))"))


@pytest.mark.parametrize(
    ("actions", "what"),
    [
        ("GEN", "GEN is not possible as action 1"),
        ("NT(S) GEN REDUCE REDUCE", "goes on after its end"),
        ("NT(S) GEN", "ends before its phrases are closed"),
        ("NT(S) GEN GEN REDUCE", "has 2 words, the sentence 1"),
        ("NT(S) NT(X) REDUCE GEN REDUCE", "no token below"),
        ("", "ends before"),
    ],
)
def test_what_makes_no_tree_is_an_error(actions: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        tree_of(actions.split(), ["cat"])


def test_unary_chains_are_counted() -> None:
    assert unary_chains(from_notation("(S (NP (NX (N cat))) (VP (V sleeps)))")) == [2]
    assert unary_chains(from_notation("(S (VP (V sleeps)))")) == [2]
    found = oracles([from_notation("(S (VP (VX (V sleeps))))"), from_notation("(N cat)")])
    assert found.unary == {3: 1}
    assert found.topped == 1


@pytest.mark.parametrize(
    ("place", "format"),
    [
        ("bundled:de-constructions/tiger/trees.export", "export"),
        ("phrase/sinica/parsed", "sinica"),
        ("phrase/ptb-sample/wsj-sample.mrg", "penn"),
        ("phrase/tiger-pcc/syntax/maz-1*.xml", "tigerxml"),
    ],
)
def test_real_trees_come_back(file_named: Callable[[str], Path], place: str, format: str) -> None:
    trees = read(file_named(place), format)[:1000]
    trees = [tree for tree in trees if len(tree)]
    found = oracles(trees)
    assert len(found.made) == len(trees)
    assert (found.raised > 50) == (format in ("export", "tigerxml"))
    for tree, made in zip(trees, found.made, strict=True):
        assert tree_of(made.actions, made.words, made.tags, sent_id=made.sent_id) == bare(raised(tree))


def test_possible_actions() -> None:
    inventory = Inventory(("S", "NP"), max_open=2, max_run=1)
    situations = {(0, 0): "NT", (1, 1): "GEN", (1, 0): "NT GEN REDUCE", (2, 1): "GEN", (2, 0): "GEN REDUCE"}
    for (open_phrases, run), wanted in situations.items():
        row = inventory.possible(np.array([open_phrases]), np.array([run]))[0]
        names = {name.split("(")[0] for name, fine in zip(inventory.decode(range(4)), row, strict=True) if fine}
        assert names == set(wanted.split())
        assert row[FIRST_NT] == row[FIRST_NT + 1]


def test_inventory_on_disk_and_unknown_categories() -> None:
    inventory = Inventory(("S", "NP"), 9, 3, functions=True)
    assert Inventory.from_json(inventory.to_json()) == inventory
    with pytest.raises(InputError, match="the model has no action NT"):
        inventory.encode(["NT(VP)"])
    for text in ("{}", "[]", '{"format": "gardenpath-actions 1", "labels": ["S"], "max_open": "2"}'):
        with pytest.raises(InputError, match="not an inventory of actions"):
            Inventory.from_json(text)


def treebank(*rows: str) -> Treebank:
    """Rows of `id form upos head deprel`."""
    lines = []
    for row in rows:
        number, form, upos, head, deprel = row.split()
        lines.append("\t".join([number, form, "_", upos, "_", "_", head, deprel, "_", "_"]))
    return Treebank(("\n".join(lines) + "\n\n").encode())


def heads_of(tree: PhraseTree) -> list[int]:
    """The head of each word, from the phrases: a phrase's head is its token child, all others depend on it."""
    size = len(tree)
    chief = {
        node: next(child for child in tree.children[node] if child < size and tree.functions[child] == "head")
        for node in range(size, len(tree.mothers))
    }
    found = []
    for word in range(size):
        mother = tree.mothers[word]
        if mother != ROOT and chief[mother] == word:
            mother = tree.mothers[mother]
        found.append(0 if mother == ROOT else chief[mother] + 1)
    return found


def test_a_phrase_over_each_head() -> None:
    found = projected(treebank("1 the DET 2 det", "2 cat NOUN 3 nsubj", "3 sleeps VERB 0 root", "4 now ADV 3 advmod"))
    (tree,) = found.trees
    assert to_notation(tree) == (
        "(VERBP:root (NOUNP:nsubj (DET:det the) (NOUN:head cat)) (VERB:head sleeps) (ADV:advmod now))"
    )


def test_crossing_edges_are_lifted_or_left_out() -> None:
    crossing = treebank("1 what PRON 4 obj", "2 do AUX 3 aux", "3 want VERB 0 root", "4 see VERB 3 xcomp")
    twisted = treebank("1 a X 3 dep", "2 b X 4 dep", "3 c X 0 root", "4 d X 3 dep")
    assert projected(crossing).lifted == 1
    found = projected(twisted)
    assert (found.lifted, heads_of(found.trees[0])) == (1, [3, 3, 0, 3])
    both = Treebank(twisted.to_bytes() + treebank("1 yes INTJ 0 root").to_bytes())
    left = projected(both, "leave-out")
    assert (left.left_out, len(left.trees)) == (("1",), 1)
    with pytest.raises(InputError, match="no sentence is left"):
        projected(twisted, "leave-out")
    with pytest.raises(UsageError, match="not a way with non-projective"):
        projected(both, "forget")


def test_a_multiword_token_is_one_word() -> None:
    found = projected(
        treebank("1 er PRON 2 nsubj", "2 geht VERB 0 root", "3-4 zum _ _ _", "3 zu ADP 5 case", "4 dem DET 5 det",
                 "5 Haus NOUN 2 obl")
    )  # fmt: skip
    assert found.joined == 1
    assert found.trees[0].words == ("er", "geht", "zum", "Haus")
    assert heads_of(found.trees[0]) == [2, 0, 4, 2]


def test_no_tree_is_an_error() -> None:
    with pytest.raises(InputError, match="sentence 1 is not a tree"):
        projected(treebank("1 a X 2 dep", "2 b X 1 dep"))


def test_projective_heads_come_back(samples: Path) -> None:
    sentences = read_treebank(samples / "de_garden-train.conllu")
    found = projected(sentences, "leave-out")
    left = set(found.left_out)
    kept = [one for number, one in enumerate(sentences, 1) if (one.sent_id or str(number)) not in left]
    assert len(kept) == len(found.trees)
    for sentence, tree in zip(kept, found.trees, strict=True):
        if not sentence.multiword_tokens:
            assert heads_of(tree) == sentence.heads.tolist()
    assert len(oracles(found.trees).made) == len(kept)
