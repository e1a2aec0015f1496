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
    code, out, err = run(capsys, TEST, "--diff", str(parsed))
    assert (code, err) == (0, "1 of 10 sentences differ, 90 are not there\n")
    assert out.count("≠") == 1
    assert "1 of " in out


def test_a_parser_draws_only_what_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, TEST, "-s", "1", "--diff", "baseline:right-branching")
    assert code == 0
    assert "words differ" in out


def test_svg_goes_to_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, parsed: Path) -> None:
    target = tmp_path / "tree.svg"
    assert run(capsys, TEST, "-s", "4", "--diff", str(parsed), "-f", "svg", "-o", str(target))[0] == 0
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
        ([TEST, "--diff", "bundled:en-test"], "another text"),
    ],
)
def test_bad_calls(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
