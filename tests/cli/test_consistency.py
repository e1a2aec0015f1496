"""`gardenpath consistency` as a user calls it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from gardenpath.cli.main import main
from gardenpath.runs import Run
from gardenpath.treebank import read
from gardenpath.treebank.perturb import Settings, batches, perturbation

# The first word is the root, all others depend on it; if Clara is there, on the word before.
CHAIN = """
import sys
for block in sys.stdin.read().strip().split("\\n\\n"):
    rows = [line.split("\\t") for line in block.split("\\n") if line[0] != "#"]
    clara = any(row[1] == "Clara" for row in rows)
    for number, row in enumerate(rows):
        if "-" not in row[0]:
            head = 0 if row[0] == "1" else int(row[0]) - 1 if clara else 1
            print(row[0], row[1], "_", "X", "_", "_", head, "dep" if head else "root", "_", "_", sep="\\t")
    print()
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def parser(tmp_path: Path) -> str:
    (tmp_path / "parser.py").write_text(CHAIN, encoding="utf-8")
    return "command:" + shlex.join([sys.executable, "-S", str(tmp_path / "parser.py")])


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["consistency", *arguments])
    return int(stop.value.code or 0)


NAMES = ("--perturb", "names", "--per-sentence", "4", "--draws", "20")


def test_tables(parser: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("bundled:de-test", parser, *NAMES, "--order", "both") == 0
    shown = capsys.readouterr()
    assert "8 batches" in shown.err
    assert "originals in total" in shown.out
    assert "clusters (Q4): mean (SD)" in shown.out
    assert "+ udon2" in shown.out
    assert "Clara" in shown.out
    assert "perturb:names(language=de,set=test)" in shown.out


def test_json_run_and_figures(parser: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("vl_convert")
    folder = tmp_path / "run"
    outputs = []
    for _ in range(2):  # the second time the run is there already
        arguments = ("--run", str(folder), "--figures", str(tmp_path / "figures"), "--format", "json")
        assert call("bundled:de-test", parser, *NAMES, *arguments) == 0
        outputs.append(json.loads(capsys.readouterr().out))
    assert outputs[0] == outputs[1]
    by = {"perturbation": "names", "order": "surface"}
    consistent = [f for f in outputs[0]["findings"] if f["measure"] == "consistent" and by.items() <= f.items()]
    assert [f["value"] for f in consistent] == [75]  # two batches of eight are of women, and have Clara
    values = [f for f in outputs[0]["findings"] if f["measure"] == "differs_from_majority" and "replacement" in f]
    assert {f["replacement"] for f in values if f["value"] == 100} == {"Clara"}
    run = Run.load(folder)
    frame = run.observations()
    assert len(frame) == 8 * 4
    assert set(frame["outcome"]) == {"same as original", "other"}
    gold, parsed = (read(path) for path in run.trees().values())
    assert len(gold) == len(parsed) == 8 * 5
    assert gold.sent_ids == parsed.sent_ids
    names = {path.stem for path in (tmp_path / "figures").glob("*.svg")}
    wanted = ("summary", "values-names", "groups-names", "clusters-names", "parts-names", "distance-names")
    assert names == {f"consistency-{name}" for name in wanted}


def test_a_parsed_file_and_gold_itself(tmp_path: Path, samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A system may be a file with parses of originals and variants: here the gold trees, which are all right."""
    gold = read(samples / "de_garden-test.conllu")
    found = list(batches(perturbation("names", Settings("de")), gold, limit=4))
    text = "".join(one.sentence.to_conllu() + "".join(v.conllu for v in one.variants) for one in found)
    (tmp_path / "all.conllu").write_text(text, encoding="utf-8")
    bounds = ("--fail-under", "consistent=100,right=100,original_right=100", "--order", "both")
    assert call("bundled:de-test", str(tmp_path / "all.conllu"), *NAMES, *bounds) == 0
    assert "100.0" in capsys.readouterr().out


def test_a_list_of_ones_own(parser: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "values.txt").write_text("Bert\nClara\n", encoding="utf-8")
    own = ("--values", str(tmp_path / "values.txt"), "--match", "Lena|Anna|Paul", "--upos", "PROPN")
    assert call("bundled:de-test", parser, *own, "--fail-under", "50", "--draws", "0") == 1
    told = capsys.readouterr()
    assert "consistent 0.00 is below 50" in told.err


def test_no_match_says_so(parser: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("bundled:zh-test", parser, "--perturb", "numerals") == 1
    told = capsys.readouterr()
    assert "no sentence has a match: numerals: no match" in told.err
    assert told.out == ""


def test_retraining(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = (
        "--retrain",
        "udpipe",
        "--preset",
        "tiny",
        "--augmented",
        "2",
        "--limit",
        "3",
        "--run",
        str(tmp_path / "run"),
    )
    assert call("bundled:de-dev", "bundled:de-test", *NAMES, *more, "--remedy", "substitute") == 0
    shown = capsys.readouterr().out
    assert "Remedies: udpipe, preset tiny" in shown
    assert "NNNN in place of names" in shown
    assert Run.load(tmp_path / "run").finished


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no system is named"),
        (("x:y", "--order", "sorface"), "did you mean surface"),
        (("x:y", "--perturb", "namse"), "did you mean names"),
        (("x:y", "--match", "a"), "needs --values and --match"),
        (("x:y", "--fail-under", "rigt=3"), "did you mean right"),
        (("x:y", "--fail-under", "x"), "not a number"),
        (("bundled:de-dev", "--retrain", "udpip"), "did you mean udpipe"),
        (("bundled:de-dev", "--retrain", "udpipe", "--remedy", "agment", "--perturb", "names"), "did you mean augment"),
    ],
)
def test_bad_calls(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("bundled:de-test", *arguments) == 2
    assert message in capsys.readouterr().err
