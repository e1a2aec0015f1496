"""`gardenpath parse` with a phrase parser: one tree a sentence, what has no parse counted, read back by `trees:`."""

from __future__ import annotations

from pathlib import Path

import pytest

from calls import Capture
from calls import call as run
from gardenpath.phrase import from_notation, read, write
from gardenpath.systems.files.tree_file import flat_tree, is_no_parse
from gardenpath.systems.parsers.phrase_parsing import parse_trees_with

pytest.importorskip("numba")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pcfg")
    lines = [
        "(S (NP:SB (ART:NK der) (NN:NK Hund)) (VVFIN:HD bellt)) ($. .)",
        "(S (NP:SB (ART:NK die) (NN:NK Katze)) (VVFIN:HD schläft)) ($. .)",
    ]
    write([from_notation(line, str(number)) for number, line in enumerate(lines, 1)], folder / "train.export", "export")
    assert run("train", "pcfg", folder / "train.export", "-o", folder / "m.npz", "--preset", "tiny") == 0
    return folder / "m.npz"


def test_trees_come_in_the_format_of_the_ending(model: Path, tmp_path: Path) -> None:
    text = tmp_path / "in.txt"
    text.write_text("der Hund schläft .\ndie Katze bellt .\n", encoding="utf-8")
    for name in ("out.export", "out.xml", "out.mrg"):
        assert run("parse", f"pcfg:{model}", text, "-o", tmp_path / name) == 0
        found = read(tmp_path / name)
        assert [tree.words for tree in found] == [("der", "Hund", "schläft", "."), ("die", "Katze", "bellt", ".")]
        assert all("NP" in tree.labels for tree in found)
    assert run("parse", f"pcfg:{model}", tmp_path / "out.export", "-o", tmp_path / "again.export") == 0
    assert read(tmp_path / "again.export") == read(tmp_path / "out.export")


def test_a_sentence_without_a_parse_is_a_flat_tree_and_counted(model: Path, tmp_path: Path, capsys: Capture) -> None:
    text = tmp_path / "in.txt"
    text.write_text("der Hund bellt .\n" + "Hund " * 300 + "\n", encoding="utf-8")
    assert run("parse", f"pcfg:{model}", text, "-o", tmp_path / "out.export") == 0
    assert "without a parse: 1" in capsys.readouterr().err
    first, second = read(tmp_path / "out.export")
    assert not is_no_parse(first)
    assert is_no_parse(second)
    assert second == flat_tree(second.words)
    again = parse_trees_with(f"trees:{tmp_path / 'out.export'}", [first.words, second.words]).trees
    assert [tree is None for tree in again] == [False, True]


def test_gold_tags_come_from_trees(model: Path, tmp_path: Path, capsys: Capture) -> None:
    gold, parsed = tmp_path / "gold.export", tmp_path / "parsed.export"
    write([from_notation("(S (NP (ART der) (NN bellt)) (VVFIN Hund)) ($. .)", "1")], gold)
    assert run("parse", f"pcfg:{model}", gold, "-o", parsed, "--gold", "tags") == 0
    assert read(parsed)[0].tags == ("ART", "NN", "VVFIN", "$.")
    text = tmp_path / "in.txt"
    text.write_text("der Hund bellt .\n", encoding="utf-8")
    assert run("parse", f"pcfg:{model}", text, "--gold", "tags") == 2
    assert "there are no gold tags in it" in capsys.readouterr().err


def test_a_tree_that_the_format_cannot_hold_is_flat_and_counted(tmp_path: Path, capsys: Capture) -> None:
    """Brackets cannot hold a gap; the other trees are written."""
    solid = from_notation("(S (NP (ART der) (NN Hund)) (VVFIN schläft))", "1")
    gap = from_notation("(S (VP#1 (NN Hunde)) (VAFIN hat) (PPER er) (VP#1 (VVPP gesehen)))", "2")
    write([solid, gap], tmp_path / "made.export")
    text = tmp_path / "in.txt"
    text.write_text("der Hund schläft\nHunde hat er gesehen\n", encoding="utf-8")
    assert run("parse", f"trees:{tmp_path / 'made.export'}", text, "-o", tmp_path / "out.mrg") == 0
    assert "failures: 1 tree that penn cannot hold" in capsys.readouterr().err
    first, second = read(tmp_path / "out.mrg")
    assert first.labels == solid.labels
    assert is_no_parse(second)
    assert second.words == gap.words
    assert run("parse", f"trees:{tmp_path / 'made.export'}", text, "-o", tmp_path / "out.export") == 0
    assert "cannot hold" not in capsys.readouterr().err
