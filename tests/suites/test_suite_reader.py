"""Reading suites: formats by content, positions, names of releases, and errors with a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.suites import read_suite
from gardenpath.suites.model import Arc
from gardenpath.suites.names import split_properties
from gardenpath.suites.reader import detect

CASES = Path(__file__).parent / "cases"
HEADER = "Word Order\tOther Properties\tSubject Position\tObject Position\tSentence\n"


def write(folder: Path, text: str, name: str = "suite.tsv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_formats_are_told_by_content_not_by_name(tmp_path: Path) -> None:
    for name, format in (("perfect.tsv", "tsv"), ("perfect.conll", "conll"), ("pp-perfect.tsv", "tsv")):
        data = (CASES / name).read_bytes()
        assert detect(data) == format
        other = tmp_path / "suite.txt"
        other.write_bytes(data)
        assert read_suite(other).format == format
    equals = (CASES / "perfect.conll").read_bytes().replace(b"order:", b"order=").replace(b"props:", b"props=")
    assert detect(b"# text = x\n" + equals) == "conllu-feats"


def test_an_item() -> None:
    suite = read_suite(CASES / "perfect.conll")
    item = suite.items[1]
    assert item.tokens == ("Einen", "Knochen", "sucht", "der", "Hund", ".")
    assert (item.order, item.properties, item.variations) == ("VF[O]LK[V]MF[S]", ("acc",), frozenset())
    assert item.arcs == (Arc(2, 3, "obj"), Arc(5, 3, "nsubj"))
    assert (item.sent_id, item.line, item.ambiguous) == ("2", 8, False)
    assert (suite.kind, suite.language, len(suite)) == ("roles", "de", 10)
    assert suite.treebank[1].text == "Einen Knochen sucht der Hund ."


def test_tsv_has_the_same_but_for_heads() -> None:
    conll, tsv = read_suite(CASES / "perfect.conll"), read_suite(CASES / "perfect.tsv")
    assert [item.tokens for item in tsv.items] == [item.tokens for item in conll.items]
    assert [item.properties for item in tsv.items] == [item.properties for item in conll.items]
    assert {arc.head for item in tsv.items for arc in item.arcs} == {-1}
    assert [[(arc.dependent, arc.label) for arc in item.arcs] for item in tsv.items] == [
        [(arc.dependent, arc.label) for arc in item.arcs] for item in conll.items
    ]


def test_pp_positions_count_from_0() -> None:
    for name in ("pp-perfect.tsv", "pp-perfect.conll"):
        suite = read_suite(CASES / name)
        assert suite.kind == "pp"
        assert suite.items[0].arcs == (Arc(5, 7, "case"), Arc(7, 2, "obl"))
        assert suite.items[2].arcs == (Arc(1, 3, "case"), Arc(3, 4, "obl"))


def test_where_all_heads_are_given_the_first_pp_is_the_one(tmp_path: Path) -> None:
    rows = [(2, "nsubj"), (0, "root"), (5, "case"), (5, "det"), (2, "obl"), (8, "case"), (8, "det"), (5, "nmod")]
    words = "Sie geht auf den Berg hinter dem Haus".split()
    text = "".join(
        f"{at}\t{word}\t_\t_\t_\tprops:1head-pppp\t{head}\t{label}\t_\t_\n"
        for at, (word, (head, label)) in enumerate(zip(words, rows, strict=True), 1)
    )
    assert read_suite(write(tmp_path, text + "\n", "a.conll")).items[0].arcs == (Arc(3, 5, "case"), Arc(5, 2, "obl"))


def test_names_of_2020_become_todays_and_are_kept() -> None:
    suite = read_suite(CASES / "old-names.tsv")
    assert suite.release == "2020"
    assert (suite.orders[2], suite.orders[3]) == ("VF[ADV]LK[V]MF[SO]", "LK[V]MF[SO]")
    assert suite.marked[2] == ("LK[V]MF[SO]", "base-sinst")
    assert set(suite.properties) == {("regpol",)}


def test_names_of_two_releases_are_refused(tmp_path: Path) -> None:
    text = HEADER + "LK[V]MF[SO]Q\tbase-regpol\t2\t3\tSucht er ihn ?\n"
    with pytest.raises(InputError, match="names of two releases"):
        read_suite(write(tmp_path, text))
    with pytest.raises(UsageError, match="unknown release '2021'"):
        read_suite(write(tmp_path, text), release="2021")


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("VF[S]LK[V]MF[O]\tbase-acc\t0\t2\tEr sucht ihn .", "position 0 in a sentence of 4 words"),
        ("VF[S]LK[V]MF[O]\tbase-acc\tone\t2\tEr sucht ihn .", "'one' is not a position"),
        ("VF[S]LK[V]MF[O]\tbase-acc\t1\tEr sucht ihn .", "4 columns instead of 5"),
        ("VF[S]LK[V]MF[O]\tbase-acc\t1\t3\tEr sucht  ihn .", "two blanks"),
        ("VF[S]LK[V]MF[O]\tbase=acc\t1\t3\tEr sucht ihn .", "cannot be"),
    ],
)
def test_a_bad_line_of_tsv_is_named(tmp_path: Path, row: str, what: str) -> None:
    path = write(tmp_path, f"{HEADER}{row}\n")
    with pytest.raises(InputError, match=what) as caught:
        read_suite(path)
    assert caught.value.where == f"{path}:2"


def test_positions_from_0_have_to_be_said(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "VF[S]LK[V]MF[O]\tbase-acc\t0\t2\tEr sucht ihn .\n")
    assert read_suite(path, positions=0).items[0].arcs == (Arc(1, -1, "nsubj"), Arc(3, -1, "obj"))
    with pytest.raises(UsageError):
        read_suite(path, positions=2)
    pp = (CASES / "pp-perfect.tsv").read_text("utf-8").replace("\t4\t6\t1\t", "\t5\t8\t2\t")
    with pytest.raises(InputError, match="position 8 in a sentence of 8 words, where positions count from 0"):
        read_suite(write(tmp_path, pp))


@pytest.mark.parametrize("text", ["", "a\tb\n", "1\tEr\t_\t_\t_\t_\t0\troot\t_\t_\n\n", HEADER])
def test_what_is_no_suite_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        read_suite(write(tmp_path, text, "a.conll"))


def test_a_folder_of_suites_is_not_one_suite() -> None:
    with pytest.raises(UsageError, match="one suite is expected"):
        read_suite(str(CASES / "perfect.*"))


def test_joined_properties() -> None:
    assert split_properties("base-acc") == ("acc",)
    assert split_properties("aux-syn") == ("aux", "syn")
    assert split_properties("base") == split_properties("") == ()


def test_ambiguity_by_property_then_by_name(tmp_path: Path) -> None:
    text = (CASES / "perfect.tsv").read_text("utf-8")
    assert read_suite(write(tmp_path, text, "german_amb_gold.tsv")).ambiguity == "full"
    assert read_suite(write(tmp_path, text, "german_part-ambiguous.tsv")).ambiguity == "part"
    assert read_suite(write(tmp_path, text, "example.tsv")).ambiguity == ""
    suite = read_suite(write(tmp_path, text.replace("base-aux", "amb-aux"), "german_amb.tsv"))
    assert (suite.ambiguity, int(suite.ambiguous.sum())) == ("part", 5)
