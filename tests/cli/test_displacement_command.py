"""`gardenpath displacement` as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from calls import call as call_program
from gardenpath.runs import Run

PAIR = ("bundled:de-train", "bundled:de-test")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


call = partial(call_program, "displacement")


@pytest.fixture(scope="module")
def treebanks(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six treebanks cut from the bundled one, and their scores."""
    place = tmp_path_factory.mktemp("cut")
    data = (samples / "de_garden-train.conllu").read_text(encoding="utf-8").strip("\n").split("\n\n")
    for number in range(6):
        folder = place / "ud" / f"UD_Cut-{number}"
        folder.mkdir(parents=True)
        begin = 60 * number
        for split, part in (("train", data[begin : begin + 30 + 4 * number]), ("test", data[begin + 40 : begin + 60])):
            (folder / f"x-ud-{split}.conllu").write_text("\n\n".join(part) + "\n\n", encoding="utf-8")
    rows = "".join(f"cut-{number}\t{60 + 7 * number % 11}\n" for number in range(6))
    (place / "las.tsv").write_text("treebank\tlas\n" + rows, encoding="utf-8")
    return place


def test_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("vl_convert")
    assert call(*PAIR, "--by", "length", "--set", "draws=100", "--run", str(tmp_path / "run")) == 0
    shown = capsys.readouterr().out
    for part in ("Distance of de_garden-test.conllu", "edv_heights", "slv", "By sentence length", "draws:100|seed:0"):
        assert part in shown
    assert call_program("report", tmp_path / "run", "--to", "figures", "-o", tmp_path / "figures") == 0
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {"distributions", "over-chance", "edv-by-length"}


def test_pair_in_json_has_both_distributions(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*PAIR, "--set", "draws=0", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    shares = [one for one in found if one["measure"] == "share"]
    assert len(shares) == 2 * 61
    assert sum(one["value"] for one in shares if one["split"] == "train") == pytest.approx(1)
    (edv,) = [one for one in found if one["measure"] == "edv"]
    assert edv["low"] is None


def test_pair_with_a_record(tmp_path: Path) -> None:
    for _ in range(2):  # the second time it is read
        assert call(*PAIR, "--set", "draws=20", "--run", str(tmp_path / "run"), "-o", str(tmp_path / "out.txt")) == 0
    run = Run.load(tmp_path / "run")
    assert run.finished
    assert len(run.observations()) == 513


def test_collection(treebanks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(treebanks / "ud"), "--scores", f"mine={treebanks / 'las.tsv'}", "--set", "draws=30"]
    assert call(*arguments, "--run", str(tmp_path / "run")) == 0
    shown = capsys.readouterr().out
    assert "Correlation with LAS (EDV paper: Table 2): mine" in shown
    assert "collection:ud#" in shown
    assert call(*arguments, "--run", str(tmp_path / "run")) == 0
    assert capsys.readouterr().out == shown


def test_collection_without_scores(treebanks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(str(treebanks / "ud"), "--set", "draws=0", "--set", "subsamples=10", "--format", "tsv") == 0
    shown = capsys.readouterr().out
    assert shown.count("\tedv_heights\t") > 6
    assert "\tlas\t" not in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Usage"),
        (["bundled:de-train"], "bundled:de-train: no test data to compare with"),
        (["a", "b", "c"], "a: 3 names, where two are expected"),
        (["--set", "draws=0"], "0 names, where two are expected"),
        (["-", "-"], "both sides from standard input"),
        (["nowhere"], "nowhere: no such"),
        ([".", "--set", "subsamples=2k"], "'2k' does not fit"),
        ([".", "--set", "subsamples=0"], "0 is not a number of sentences"),
        ([".", "--scores", "absent.tsv"], "the table of scores cannot be read"),
    ],
)
def test_bad_calls(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = call(*arguments)
    shown = capsys.readouterr()
    assert message in shown.err + shown.out
    assert code == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n", "one sentence is not a sample"),
        ("1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n" * 2, "every word is a root"),
        ("1\ta\ta\tX\t_\t_\t_\t_\t_\t_\n\n" * 2, "the column HEAD is empty"),
        ("", "empty"),
    ],
)
def test_bad_test_data(tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "test.conllu"
    path.write_text(text, encoding="utf-8")
    assert call("bundled:de-train", str(path)) == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert str(path) in shown


def test_too_few_treebanks(treebanks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = tmp_path / "few.tsv"
    few.write_text("cut-1\t50\ncut-2\t60\n", encoding="utf-8")
    assert call(str(treebanks / "ud"), "--scores", str(few), "--set", "draws=0") == 2
    assert "few: 2 of 6 treebanks have a score, too few for a correlation" in capsys.readouterr().err
