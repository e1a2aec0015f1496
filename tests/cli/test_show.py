"""`gardenpath show`: trees on the terminal, as SVG and LaTeX, and what differs."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from gardenpath.cli.main import main
from gardenpath.data import bundled
from gardenpath.treebank import read

TEST = "bundled:de-test"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["show", *arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


@pytest.fixture
def parsed(tmp_path: Path) -> Path:
    """The first ten sentences, with one label changed in the fourth and no sent_id."""
    text = "".join(sentence.to_conllu() for sentence in list(read(bundled("de-test")))[:10])
    blocks = text.split("\n\n")
    blocks[3] = blocks[3].replace("\tnsubj\t", "\tobj\t", 1)
    kept = ["\n".join(line for line in block.split("\n") if not line.startswith("#")) for block in blocks]
    path = tmp_path / "parsed.conllu"
    path.write_text("\n\n".join(kept), encoding="utf-8")
    return path


def test_by_number_and_by_id_is_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    first = run(capsys, TEST, "--sentence", "3")
    second = run(capsys, TEST, "-s", "de-test-garten-003")
    assert first == second
    assert first[0] == 0
    assert "├┴► Rosen     NOUN  obj" in first[1]


def test_some_sentences_where_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, TEST, "--limit", "2")[1].count("\n# ") == 1


def test_only_what_differs_is_shown(capsys: pytest.CaptureFixture[str], parsed: Path) -> None:
    code, out, err = run(capsys, TEST, str(parsed))
    assert (code, err) == (0, "1 of 10 sentences differ, 90 are not there\n")
    assert out.count("≠") == 1
    assert "1 of " in out


def test_a_parser_draws_only_what_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, TEST, "-s", "1", "baseline:right-branching")
    assert code == 0
    assert "words differ" in out


def test_svg_goes_to_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, parsed: Path) -> None:
    target = tmp_path / "tree.svg"
    assert run(capsys, TEST, "-s", "4", str(parsed), "-f", "svg", "-o", str(target))[0] == 0
    root = ElementTree.fromstring(target.read_text("utf-8"))
    assert sum(group.get("class") == "d" for group in root.iter("{http://www.w3.org/2000/svg}g")) == 2


def test_conllu_is_the_sentence_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, TEST, "-s", "2", "-f", "conllu")[1] == read(bundled("de-test"))[1].to_conllu()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([TEST, "-s", "nobody"], "unknown sentence"),
        ([TEST, "-s", "0"], "unknown sentence"),
        ([TEST, "-f", "svg"], "holds one sentence, not 5"),
        (["nowhere.conllu"], "nowhere.conllu"),
        ([TEST, "bundled:en-test"], "another text"),
    ],
)
def test_bad_calls(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err


PHRASES = "bundled:de-constructions/tiger"


def test_phrase_trees_are_known_by_their_content(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, PHRASES, "--sentence", "51")
    assert code == 0
    assert "SB NP ⌇ 5–6, 10–14" in out
    path = tmp_path / "trees.txt"
    path.write_text("(S (NP (NN Hunde)) (VVFIN bellen))\n", encoding="utf-8")
    assert "╰ VVFIN   2 bellen" in run(capsys, str(path))[1]


def test_the_differences_of_phrase_trees(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.export", tmp_path / "parsed.export"
    assert run(capsys, PHRASES, "-s", "1", "-s", "51", "-f", "export", "-o", str(gold))[0] == 0
    parsed.write_text(gold.read_text("utf-8").replace("\tRC\t", "\tMO\t"), encoding="utf-8")
    code, out, err = run(capsys, str(gold), str(parsed))
    assert (code, err) == (0, "1 of 2 sentences differ\n")
    assert out.count("≠") == 2
    code, out, _ = run(capsys, str(gold), "-s", "51", str(parsed), "--format", "svg")
    assert code == 0
    assert ElementTree.fromstring(out).tag.endswith("svg")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [((PHRASES, "-s", "51x"), "unknown sentence"), ((PHRASES, "--format", "svg"), "an SVG file holds one sentence")],
)
def test_formats_of_the_other_kind_of_trees(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert told in err


def test_phrase_trees_as_latex_and_notation(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\\begin{tikzpicture}" in run(capsys, PHRASES, "-s", "1", "-f", "latex")[1]
    assert run(capsys, PHRASES, "-s", "1", "-f", "notation")[1].startswith("(S (NP:SB (ART:NK Die)")
