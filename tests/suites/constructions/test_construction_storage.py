"""Suites of constructions: drawn, stored, and taken from the published list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees_to_find import CUC_AP, ERC, FCR_V2, FCR_VL, PP, SGF

from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.suites.constructions.model import ConstructionSuite
from gardenpath.suites.constructions.sampling import (
    Found,
    apply_list,
    as_suite,
    count,
    find_all,
    is_short,
    is_testable,
    parse_list,
    read_list,
    sample,
)
from gardenpath.suites.constructions.storage import (
    is_constructions,
    node_text,
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
    from gardenpath.phrase.formats.source import read

    trees = read(file_named(name))
    made = as_suite(trees, find_all(trees, "tiger", wide=True), name="focus", release="1", scheme="tiger")
    write_constructions(made, tmp_path / "s")
    back = read_constructions(tmp_path / "s")
    assert [item.construction for item in back.items] == [item.construction for item in made.items]
    assert [item.tree.words for item in back.items] == [item.tree.words for item in made.items]


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
        ("(S (PPER:SB Er) (VVFIN:HD lief) (PP:MO (APPR:AC ohne) (NN:NK Hut)))", [True]),
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
    from gardenpath.phrase.formats.source import read

    real = read(shared / "phrase/tiger-squoia/*_DE.xml")
    drawn = sample(real, find_all(real, "tiger"), 20)
    assert Counter(one.construction.phenomenon for one in drawn) == {
        "ppn": 10, "ppv": 10, "erc": 20, "fcr": 20, "sgf": 20, "cuc": 3,
    }  # fmt: skip
    assert all(len(real[one.tree]) <= 40 for one in drawn)


LIST = """TEPACOC\t

\t\tPPN
1\t\tDie Familie hat das Haus am See mit einem Kredit gekauft
\t\tERC
2\t\tDer Verein hat einen Trainer gefunden der Geduld hat
\t\tFCR
4\t\tDie Nachbarin oeffnete das Fenster und rief ihren Hund
\t\tSGF
3\t\tAbends schloß der Wirt die Tür und löschte das Licht
\t\tCUC VP/AP
5\t\tDer Saal war prächtig und mit Blumen geschmückt
\t\tCUC VP/NP
2\t\tDer Verein hat einen Trainer gefunden der Geduld hat
9\t\tNie gesehen
TuBa\t\t
\t\tERC
1\t\tDer Verein hat einen Trainer gefunden der Geduld hat
\t\tSGF
2\t\tAbends schloss der Wirt die Tor und löschte das Licht
"""
TIGER = [from_notation(one["tiger"]) for one in (PP, ERC, FCR_V2, SGF, CUC_AP)]
TUEBADZ = [from_notation(one["tuebadz"]) for one in (ERC, SGF)]


def test_rows_are_in_their_category_and_half() -> None:
    rows = parse_list(LIST)
    assert [(row.scheme, row.phenomena, row.number) for row in rows] == [
        ("tiger", ("ppn",), 1), ("tiger", ("erc",), 2), ("tiger", ("fcr",), 4), ("tiger", ("sgf",), 3),
        ("tiger", ("cuc",), 5), ("tiger", ("cuc",), 2), ("tiger", ("cuc",), 9), ("tuebadz", ("erc",), 1),
        ("tuebadz", ("sgf",), 2),
    ]  # fmt: skip
    assert rows[0].words[:2] == ("Die", "Familie")
    assert parse_list("\t\tPP attachment\n3\t\tEr kam\n")[0].phenomena == ("ppn", "ppv")


def test_sentences_are_found_by_number_or_words_and_misfits_are_named() -> None:
    applied = apply_list(parse_list(LIST), TIGER, "tiger")
    assert [(one.tree, one.construction.phenomenon) for one in applied.found] == [
        (0, "ppn"),
        (1, "erc"),
        (2, "fcr"),
        (3, "sgf"),
        (4, "cuc"),
    ]
    assert applied.moved == ("FCR 4 is sentence 3 here", "SGF 3 is sentence 4 here")
    assert applied.without == ("CUC VP/NP 2 is sentence 2, but the rules find no cuc in it",)
    assert applied.absent == ("CUC VP/NP 9 is not in the treebank: the treebank has only 5 sentences",)


def test_the_other_half_is_for_the_other_treebank() -> None:
    applied = apply_list(parse_list(LIST), TUEBADZ, "tuebadz")
    assert [(one.tree, one.construction.phenomenon) for one in applied.found] == [(0, "erc")]
    assert applied.absent == ("SGF 2 is not in the treebank: other words: token 6 is 'Tür', the list has 'Tor'",)
    assert applied.without == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("\t\tXYZ\n", "list.txt:1: unknown category 'XYZ'"),
        ("\t\tERC\nx1\t\tEr kam\n", "list.txt:2: 'x1' is not a number of a sentence"),
        ("1\t\tEr kam\n", "list.txt:1: a sentence before any category"),
        ("nothing here\n", "no sentence is listed"),
    ],
)
def test_what_is_wrong_in_a_list_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "list.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        read_list(path)


def test_lists_in_latin_1_are_read_and_missing_ones_told(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(LIST.encode("latin-1"))
    assert read_list(path) == parse_list(LIST)
    with pytest.raises(InputError, match="cannot be read"):
        read_list(tmp_path / "other.txt")
