"""Suites of constructions on disk: what is read is what was written, and what is wrong is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from trees_to_find import CUC_AP, ERC, FCR_V2, PP, SGF

from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import from_notation
from gardenpath.suites.constructions.items_table import node_text
from gardenpath.suites.constructions.model import ConstructionSuite
from gardenpath.suites.constructions.sampling import as_suite, find_all
from gardenpath.suites.constructions.storage import (
    is_constructions,
    read_constructions,
    read_parallel,
    write_constructions,
)


def suite(scheme: str = "tiger") -> ConstructionSuite:
    trees = [from_notation(one[scheme], f"s{at}") for at, one in enumerate((PP, ERC, FCR_V2, SGF, CUC_AP), 7)]
    found = [one for one in find_all(trees, scheme) if one.tree in (0, 4) or one.construction.phenomenon[:2] != "pp"]
    return as_suite(trees, found, name="eigene „Sätze“", release="2026", scheme=scheme)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    write_constructions(suite(), tmp_path / "suite")
    return tmp_path / "suite"


def edited(folder: Path, name: str, old: str, new: str) -> Path:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def test_what_is_read_is_what_was_written(written: Path) -> None:
    assert read_constructions(written) == suite()
    assert read_constructions(written, "tiger") == suite()
    assert sorted(path.name for path in written.iterdir()) == ["items.tsv", "suite.toml", "trees.export"]
    assert [path.name for path in written.parent.iterdir()] == ["suite"]


def test_items_of_a_sentence_share_its_tree(written: Path) -> None:
    items = read_constructions(written).items
    assert items[0].tree is items[1].tree
    assert len({id(item.tree) for item in items}) == 5


def test_the_table_is_for_people(written: Path) -> None:
    rows = (written / "items.tsv").read_text(encoding="utf-8").splitlines()
    assert rows[1] == "ppn-001\t1\tppn\t\tPP 6-7\tpreposition=6 noun=7 governor=5\tambiguous"
    assert rows[3] == "erc-001\t2\terc\t\tS 7-9\trelative=7 verb=9 noun=5 matrix=3\t"


def test_a_suite_is_replaced_but_nothing_else(written: Path) -> None:
    write_constructions(suite("tuebadz"), written)
    assert read_constructions(written).scheme == "tuebadz"
    other = written.parent / "thesis"
    other.mkdir()
    (other / "chapter.tex").write_text("x")
    with pytest.raises(UsageError, match="holds something that is not a suite"):
        write_constructions(suite(), other)
    with pytest.raises(UsageError, match="this is a file"):
        write_constructions(suite(), other / "chapter.tex")
    assert (other / "chapter.tex").read_text() == "x"


def test_a_parallel_suite_has_a_folder_for_each_scheme(tmp_path: Path) -> None:
    both = [suite("tiger"), suite("tuebadz")]
    write_constructions(both, tmp_path / "both")
    assert is_constructions(tmp_path / "both")
    assert read_parallel(tmp_path / "both") == {"tiger": both[0], "tuebadz": both[1]}
    assert read_constructions(tmp_path / "both", "tuebadz") == both[1]
    with pytest.raises(UsageError, match=r"in 2 schemes\n  say which: tiger or tuebadz"):
        read_constructions(tmp_path / "both")
    edited(tmp_path / "both" / "tiger", "items.tsv", "sgf-001", "sgf-002")
    with pytest.raises(InputError, match="item sgf-001 is in one scheme only"):
        read_parallel(tmp_path / "both")


def test_a_single_suite_is_a_parallel_one_with_one_scheme(written: Path) -> None:
    assert read_parallel(written) == {"tiger": suite()}


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        ("suite.toml", 'scheme = "tiger"', 'scheme = "tigger"', r"unknown annotation scheme 'tigger'\n  did you mean"),
        ("suite.toml", "release", "relase", "release is missing"),
        ("suite.toml", "name =", "name", "this is not TOML"),
        ("items.tsv", "item\t", "items\t", r"items.tsv:1: not a table of items"),
        ("items.tsv", "erc-001", "ppn-001", r"items.tsv:4: the item 'ppn-001' is there twice"),
        ("items.tsv", "\terc\t", "\trec\t", "items.tsv:4: unknown phenomenon 'rec'"),
        ("items.tsv", "\t2\terc", "\t6\terc", r"there is no sentence '6'\n  sentences are 1 to 5"),
        ("items.tsv", "matrix=3", "matrix=30", r"there is no token '30' in the sentence\n  tokens are 1 to 9"),
        ("items.tsv", "matrix=3", "", "the anchor matrix is missing"),
        ("items.tsv", "matrix=3", "matrx=3", "not an anchor of erc: 'matrx=3'"),
        ("items.tsv", "PP 6-7", "PP 6-8", "the tree has no node PP 6-8"),
        ("items.tsv", "PP 6-7", "PP 6-7 /2", "the tree has no node"),
        ("items.tsv", "PP 6-7", "PP", "not a node: 'PP'"),
        ("items.tsv", "ambiguous", "ambiguous\tx", "8 cells instead of 7"),
        ("trees.export", "#EOS", "#EOX", r"trees.export"),
    ],
)
def test_what_is_wrong_is_named(written: Path, name: str, old: str, new: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_constructions(edited(written, name, old, new))


@pytest.mark.parametrize("name", ["trees.export", "items.tsv"])
def test_a_missing_file_is_named(written: Path, name: str) -> None:
    (written / name).unlink()
    with pytest.raises(InputError, match=f"{name} is missing"):
        read_constructions(written)


def test_a_place_without_a_suite_is_told(written: Path) -> None:
    with pytest.raises(InputError, match="no suite of constructions is here"):
        read_constructions(written.parent)
    with pytest.raises(UsageError, match="in the scheme tiger, not tuebadz"):
        read_constructions(written, "tuebadz")
    with pytest.raises(UsageError, match="unknown annotation scheme"):
        read_constructions(written, "negra")


def test_nodes_over_the_same_tokens_are_told_apart() -> None:
    tree = from_notation("(NP (NP:HD (NN:HD Hunde)))")
    assert [node_text(tree, number) for number in (1, 2)] == ["NP 1", "NP 1 /2"]


def test_missing_anchors_survive(tmp_path: Path) -> None:
    trees = [from_notation("(S (PPER:SB Er) (VVFIN:HD kam) (PP:MO (NP:NK (NN:HD Montag))))")]
    made = as_suite(trees, find_all(trees, "tiger"), name="n", release="1", scheme="tiger")
    write_constructions(made, tmp_path / "s")
    assert "preposition=-" in (tmp_path / "s" / "items.tsv").read_text()
    assert read_constructions(tmp_path / "s") == made


@pytest.mark.parametrize(
    "name", ["bundled:de-constructions/tiger/trees.export", "phrase/tiger-squoia/FOCUS_SQUOIA_DE.xml"]
)
def test_a_real_treebank_survives(name: str, file_named: Callable[[str], Path], tmp_path: Path) -> None:
    from gardenpath.phrase.source import read

    trees = read(file_named(name))
    made = as_suite(trees, find_all(trees, "tiger", wide=True), name="focus", release="1", scheme="tiger")
    write_constructions(made, tmp_path / "s")
    back = read_constructions(tmp_path / "s")
    assert [item.construction for item in back.items] == [item.construction for item in made.items]
    assert [item.tree.words for item in back.items] == [item.tree.words for item in made.items]
