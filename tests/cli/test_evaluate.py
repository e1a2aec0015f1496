"""`gardenpath evaluate` as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from calls import Capture
from calls import call as call_program
from gardenpath.runs import Run
from gardenpath.treebank import read, score
from spoil import spoiled


@pytest.fixture(scope="module")
def files(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, str]:
    """Gold and two systems, the second better."""
    folder = tmp_path_factory.mktemp("evaluate")
    gold = read(samples / "de_garden-test.conllu")
    for name, share in (("a", 0.3), ("b", 0.1)):
        spoiled(gold, 1, labels=share).write(folder / f"{name}.conllu")
    return str(samples / "de_garden-test.conllu"), str(folder / "a.conllu"), str(folder / "b.conllu")


call = partial(call_program, "evaluate")


def test_table(files: tuple[str, str, str], capsys: Capture) -> None:
    assert call(files[0], files[1], "--by", "label", "--examples", "nsubj") == 0
    shown = capsys.readouterr().out
    las = score(read(files[0]), read(files[1])).f1("LAS")
    assert f"{las:.2f}" in shown
    assert "By label" in shown
    assert "«" in shown
    assert "signature: study:evaluation|gold:de_garden-test.conllu#" in shown


def test_json_has_full_precision(files: tuple[str, str, str], capsys: Capture) -> None:
    assert call(*files, "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result) == {"signature", "verdicts", "findings", "failures"}
    assert "clusters:" in result["signature"]
    values = {f["system"]: f["value"] for f in result["findings"] if f["measure"] == "las"}
    assert values == {name: score(read(files[0]), read(name)).f1("LAS") for name in files[1:]}
    assert any(f["measure"] == "las_difference" and f["baseline"] == files[1] for f in result["findings"])


def test_output_file_and_folder_of_the_run(files: tuple[str, str, str], tmp_path: Path) -> None:
    target, folder = tmp_path / "out.tsv", tmp_path / "run"
    for _ in range(2):  # the second time the run is there already
        assert call(*files[:2], "--format", "tsv", "-o", str(target), "--run", str(folder)) == 0
    header, *rows = target.read_text(encoding="utf-8").splitlines()
    assert header.split("\t")[:3] == ["study", "suite", "system"]
    assert len(rows) > 50
    run = Run.load(folder)
    assert run.finished
    assert len(run.observations()) == read(files[0]).word_count
    assert (folder / "tables").is_dir()


def test_conditions(files: tuple[str, str, str], capsys: Capture) -> None:
    assert call_program("check", files[0], files[0], "--min", "evaluation.las>=99") == 0
    capsys.readouterr()
    assert call_program("check", *files[:2], "--min", "evaluation.uas>=50", "--min", "evaluation.las>=99") == 1
    told = capsys.readouterr().err
    assert "evaluation.las>=99 fails with" in told
    assert "uas" not in told
    for condition, message in (("evaluation.lsa>=3", "did you mean las"), ("evaluation.las>=x", "not a number")):
        assert call_program("check", *files[:2], "--min", condition) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--examples", "nsubjx"], "did you mean nsubj"),
        (["--by", "lable"], "did you mean label"),
        (["--set", "max_length=x"], "write a number"),
        (["--labels", "stric"], "did you mean strict"),
    ],
)
def test_bad_calls(arguments: list[str], message: str, files: tuple[str, str, str], capsys: Capture) -> None:
    assert call(files[0], files[1], *arguments) == 2
    assert message in capsys.readouterr().err


def test_other_text_is_refused(files: tuple[str, str, str], samples: Path, capsys: Capture) -> None:
    assert call(files[0], str(samples / "en_garden-test.conllu")) == 2
    assert "the texts differ" in capsys.readouterr().err


def test_unknown_kind_of_system(files: tuple[str, str, str], capsys: Capture) -> None:
    assert call(files[0], "udpip:model") == 2
    assert "did you mean udpipe" in capsys.readouterr().err


def test_baseline_parser(files: tuple[str, str, str], capsys: Capture) -> None:
    assert call(files[0], "baseline:right-branching", files[2]) == 0
    assert "baseline:right-branching" in capsys.readouterr().out


def test_a_system_named_twice_is_refused(files: tuple[str, str, str], capsys: Capture) -> None:
    assert call(files[0], files[1], files[1]) == 2
    assert "named twice" in capsys.readouterr().err


def test_a_run_is_known_by_its_work_not_by_its_call(files: tuple[str, str, str], tmp_path: Path) -> None:
    """Other formats and folders are the same run; another model behind the same name is another run."""
    system = tmp_path / "system.conllu"
    system.write_bytes(Path(files[1]).read_bytes())
    one, two = tmp_path / "one", tmp_path / "two"
    assert call(files[0], str(system), "--run", str(one), "-o", str(tmp_path / "a")) == 0
    assert call(files[0], str(system), "--run", str(two), "--format", "json", "-o", str(tmp_path / "b")) == 0
    assert Run.load(one).id == Run.load(two).id
    assert call(files[0], str(system), "--run", str(one), "-o", str(tmp_path / "c")) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "c").read_bytes()
    system.write_bytes(Path(files[2]).read_bytes())
    assert call(files[0], str(system), "--run", str(one)) == 2


def test_data_by_name(capsys: Capture) -> None:
    assert call("bundled:de-test", "conllu:bundled:de-test", "--format", "tsv") == 0
    assert "\tlas\t100.0\t" in capsys.readouterr().out


def test_an_output_that_cannot_be_written_is_found_before_the_work(
    files: tuple[str, str, str], tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert call(files[0], files[1], "-o", str(tmp_path / "file" / "out")) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_examples_in_json_name_the_system(files: tuple[str, str, str], capsys: Capture) -> None:
    assert call(*files, "--examples", "nsubj", "--format", "json") == 0
    shown = json.loads(capsys.readouterr().out)["examples"]
    assert {one["system"] for one in shown} <= set(files[1:])
    assert all(one["gold"].startswith("nsubj") and "←" in one["predicted"] for one in shown)


def test_a_run_has_its_page(files: tuple[str, str, str], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert call(*files[:2], "--run", str(folder), "-o", str(tmp_path / "scores")) == 0
    page = folder / "report.html"
    assert page.read_text("utf-8").lstrip().lower().startswith("<!doctype html>")
    page.unlink()  # a finished run is not done again, but a page that is gone is written again
    assert call(*files[:2], "--run", str(folder), "-o", str(tmp_path / "scores")) == 0
    assert page.is_file()
