"""The published form of TEPACOC on a list and treebanks of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from trees_to_find import CUC_AP, ERC, FCR_V2, PP, SGF

from gardenpath.errors import InputError
from gardenpath.phrase import from_notation
from gardenpath.suites.constructions.tepacoc_list import apply_list, parse_list, read_list

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
