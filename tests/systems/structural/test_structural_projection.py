"""Dependencies as phrases. Oracle: the heads can be read off the phrases again."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import PhraseTree, to_notation
from gardenpath.phrase.tree import ROOT
from gardenpath.systems.structural.oracle import oracles
from gardenpath.systems.structural.projection import projected
from gardenpath.treebank import Treebank, read


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
    sentences = read(samples / "de_garden-train.conllu")
    found = projected(sentences, "leave-out")
    left = set(found.left_out)
    kept = [one for number, one in enumerate(sentences, 1) if (one.sent_id or str(number)) not in left]
    assert len(kept) == len(found.trees)
    for sentence, tree in zip(kept, found.trees, strict=True):
        if not sentence.multiword_tokens:
            assert heads_of(tree) == sentence.heads.tolist()
    assert len(oracles(found.trees).made) == len(kept)
