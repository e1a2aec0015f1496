"""Real treebanks, read and written again in every format that can hold them; their counts are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gardenpath.phrase import PhraseTree, merged, raised, read
from gardenpath.phrase.brackets import Labels
from gardenpath.phrase.discbracket import read_discbracket, write_discbracket
from gardenpath.phrase.export import read_export, write_export
from gardenpath.phrase.gaps import as_raised
from gardenpath.phrase.heads import tree_heads
from gardenpath.phrase.penn import read_penn, write_penn
from gardenpath.phrase.plain_tiger import plain
from gardenpath.phrase.punctuation import lowered
from gardenpath.phrase.raising import marked_head
from gardenpath.phrase.splitting import split
from gardenpath.phrase.tigerxml import read_tigerxml, write_tigerxml

COUNTS = {
    "tiger-pcc/syntax": (2194, 33230, 13811, 310, 655),
    "tiger-squoia": (4166, 78059, 53705, 490, 796),
    "tiger-smultron/smultron_de_banana.xml": (86, 1906, 1303, 10, 22),
}
"""Trees, tokens, inner nodes, secondary edges, trees with a gap that is not of punctuation."""
OTHERS = [
    "bundled:de-constructions/tiger/trees.export",
    "bundled:de-constructions/tuebadz/trees.export",
    "tiger-smultron/smultron_en_banana.xml",
    "ptb-sample/wsj-sample.mrg",
    "sinica/parsed",
    "formats/discodop_alpinosample.export",
    "formats/treetools_discontinuous.export",
    "formats/discoursegraphs_tueba_exportxml-example.xml",
]
_READ: dict[str, list[PhraseTree]] = {}


def trees(file_named: Callable[[str], Path], name: str) -> list[PhraseTree]:
    """All trees of the TIGER treebanks; of the two large ones without gaps every eighth, to save time."""
    if name not in _READ:
        read_trees = read(file_named(name if name.startswith("bundled:") else f"phrase/{name}"))
        _READ[name] = read_trees[::8] if len(read_trees) > 3000 and name not in COUNTS else read_trees
    return _READ[name]


def has_gap(tree: PhraseTree) -> bool:
    return any(node.has_gap for node in tree.inner)


@pytest.mark.parametrize("name", COUNTS)
def test_counts(file_named: Callable[[str], Path], name: str) -> None:
    treebank = trees(file_named, name)
    gaps = sum(has_gap(lowered(tree)) for tree in treebank)
    counts = (sum(len(tree) for tree in treebank), sum(len(tree.labels) for tree in treebank))
    assert (len(treebank), *counts, sum(len(tree.secondary) for tree in treebank), gaps) == COUNTS[name]


@pytest.mark.parametrize("name", [*COUNTS, *OTHERS])
def test_export_and_tiger_xml_hold_everything(file_named: Callable[[str], Path], name: str) -> None:
    treebank = trees(file_named, name)
    by_export = list(read_export("".join(write_export(treebank))))
    by_xml = list(read_tigerxml("".join(write_tigerxml(by_export)).encode()))
    assert by_export == treebank
    assert by_xml == treebank
    if name in COUNTS:
        assert [tree.sent_id for tree in by_xml] == [tree.sent_id for tree in treebank]


@pytest.mark.parametrize("name", [*COUNTS, *OTHERS])
def test_brackets_hold_trees_and_functions(file_named: Callable[[str], Path], name: str) -> None:
    treebank = [replace(tree, secondary=(), lemmas=(), morphs=()) for tree in trees(file_named, name)[::4]]
    for labels in (Labels(), Labels(":")):
        assert list(read_discbracket("".join(write_discbracket(treebank, labels)), "", labels)) == treebank
        flat = [tree for tree in treebank if not has_gap(tree)]
        assert list(read_penn("".join(write_penn(flat, labels)), "", labels)) == flat


@pytest.mark.parametrize("name", [*COUNTS, *OTHERS])
def test_without_gaps_in_two_ways(file_named: Callable[[str], Path], name: str) -> None:
    for tree in trees(file_named, name)[::4]:
        assert not has_gap(raised(lowered(tree)))
        pieces = split(tree)
        assert not has_gap(pieces)
        assert merged(pieces) == tree


def test_raised_trees_keep_the_heads_of_their_scheme(file_named: Callable[[str], Path]) -> None:
    """By the rules of treetools, 12 of the 2,194 trees are raised otherwise: where it takes no PH for a head."""
    changed = 0
    for tree in trees(file_named, "tiger-pcc/syntax")[::4]:
        up = as_raised(tree, "tiger")
        assert not has_gap(up)
        assert heads(up) == heads(lowered(tree))
        changed += up != raised(lowered(tree), marked_head)
    assert changed > 40


def heads(tree: PhraseTree) -> list[tuple[str, str, int]]:
    """Category, function and head of every node."""
    tokens = tree_heads(tree, "tiger")
    return sorted((node.label, node.function, tokens[node.number]) for node in tree.inner)


def test_deepened_trees_become_like_plain_ones(file_named: Callable[[str], Path]) -> None:
    treebank = [plain(tree) for tree in trees(file_named, "tiger-squoia")]
    below = [child for tree in treebank for node in tree.inner if node.label in ("NP", "PP") for child in node.children]
    assert [child for child in below if child.function == "HD"] == []
    assert sum(child.function == "AC" for child in below) > 8000
    single = [node for tree in treebank for node in tree.inner if len(node.children) == 1]
    assert len(single) < 200  # of 15,586
    assert [tree.words for tree in treebank] == [tree.words for tree in trees(file_named, "tiger-squoia")]
