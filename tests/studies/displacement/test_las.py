"""Tables of scores, and names that are matched or listed, never guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import GardenpathError
from gardenpath.studies.displacement.treebank_scores import match, plain_name, read_scores


def table(folder: Path, text: str, name: str = "scores.tsv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("treebank\tuas\tlas\nA-X\t80\t70.5\nB-Y\t81\t71\n", ""),
        ("uas\tTreebank\tLAS\n80\tA-X\t70.5\n81\tB-Y\t71\n", ""),
        ("name,score\nA-X,70.5\nB-Y,71\n", ""),
        ("A-X\t70.5\n\n# a remark\nB-Y\t71\n", ""),
        ("treebank\tone\ttwo\nA-X\t1\t70.5\nB-Y\t2\t71\n", "two"),
    ],
)
def test_forms_of_tables(tmp_path: Path, text: str, column: str) -> None:
    assert read_scores(table(tmp_path, text), column).whole == {"A-X": 70.5, "B-Y": 71.0}


def test_names_of_systems(tmp_path: Path) -> None:
    path = table(tmp_path, "A\t1\n", "udpipe.tsv")
    assert read_scores(path).system == "udpipe"
    assert read_scores(f"mine={path}").system == "mine"


def test_rows_by_length(tmp_path: Path) -> None:
    found = read_scores(table(tmp_path, "treebank\tlength\tlas\nA\t\t70\nA\t3\t90\nA\t4\t80\n"))
    assert found.whole == {"A": 70}
    assert found.lengths == {"A": {3: 90, 4: 80}}


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", "", "an empty table"),
        ("treebank\tlas\n", "", "without any score"),
        ("A-X\t80\t70\nB-Y\t81\t71\n", "", "3 columns without a header"),
        ("treebank\tlas\nA\tgood\n", "", "scores.tsv:2: 'good' is not a score"),
        ("treebank\tlas\nA\tnan\n", "", "scores.tsv:2: 'nan' is not a score"),
        ("treebank\tlas\nA\n", "", "scores.tsv:2: a row of 1 cells"),
        ("treebank\tlas\nA\t1\nA\t2\n", "", "scores.tsv:3: A occurs twice"),
        ("treebank\tone\ttwo\nA\t1\t2\n", "", "which column has the scores: one, two"),
        ("treebank\tlas\nA\t1\n", "lass", "did you mean las"),
        ("treebank\tlength\tlas\nA\tx\t1\n", "", "'x' is not a sentence length"),
    ],
)
def test_bad_tables(tmp_path: Path, text: str, column: str, message: str) -> None:
    with pytest.raises(GardenpathError, match=message):
        read_scores(table(tmp_path, text), column)


def test_no_table(tmp_path: Path) -> None:
    with pytest.raises(GardenpathError, match="the table of scores cannot be read"):
        read_scores(str(tmp_path / "absent.tsv"))


@pytest.mark.parametrize("name", ["UD_Ancient_Greek-PROIEL@r2.5", "Ancient Greek-PROIEL", "ancient_greek-proiel"])
def test_plain_names(name: str) -> None:
    assert plain_name(name) == "ancient-greek-proiel"


def test_names_are_matched_exactly_then_plainly_and_else_listed() -> None:
    found = match(
        ["UD_Tamil-TTB", "Old-X", "UD_Belarusian-HSE@r2.5", "UD_Indonesian-CSUI", "UD_Manx-Cadhan"],
        ["Tamil-TTB", "Old-X", "belarusian-hse", "Indonesian-GSD", "Czech-PDT"],
    )
    assert found.rows == {"UD_Tamil-TTB": "Tamil-TTB", "Old-X": "Old-X", "UD_Belarusian-HSE@r2.5": "belarusian-hse"}
    assert found.treebanks == {"UD_Indonesian-CSUI": ["Indonesian-GSD"], "UD_Manx-Cadhan": []}
    assert found.unused == ["Indonesian-GSD", "Czech-PDT"]


def test_a_plain_name_that_two_treebanks_share_decides_nothing() -> None:
    found = match(["UD_A-X@r2.5", "UD_A-X@r2.7"], ["A-X"])
    assert found.rows == {}
    assert found.treebanks == {"UD_A-X@r2.5": ["A-X"], "UD_A-X@r2.7": ["A-X"]}
    assert match(["UD_A-X", "UD_A-X@r2.7"], ["UD_A-X"]).rows == {"UD_A-X": "UD_A-X"}


def test_the_published_tables(shared: Path) -> None:
    published = shared / "published"
    first = read_scores(str(published / "udpipe1.2_ud2.5_goldtok.tsv"))
    second = read_scores(str(published / "udpipe2_ud2.6_goldtok.tsv"))
    assert (len(first.whole), len(second.whole)) == (94, 99)
    assert second.whole["catalan-ancora"] == 92.95
    assert second.whole["marathi-ufal"] == 60.92
