"""`reproduce mandarin --ctb`: from a folder like the Chinese Treebank to the paper's tables, on a small stand-in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ctb_like import write_ctb
from gardenpath.cli.main import run_command
from gardenpath.data import bundled
from gardenpath.phrase import read, without_functions
from gardenpath_papers.mandarin_pipeline import KINDS, MandarinPlan


@pytest.fixture(scope="module")
def ctb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred sentences of the bundled text with the trees of the grammar that they are drawn from."""
    pytest.importorskip("numba", reason="the extra pcfg is not installed")
    place = tmp_path_factory.mktemp("ctb")
    lines = bundled("zh-text").read_text(encoding="utf-8").splitlines()
    (place / "text.txt").write_text("\n".join(lines[:100]) + "\n", encoding="utf-8")
    (place / "xinhua.txt").write_text("".join(line.replace(" ", "") for line in lines[100:130]), encoding="utf-8")
    grammar = "pcfg:bundled:zh-grammar"
    assert run_command(["parse", grammar, str(place / "text.txt"), "-o", str(place / "trees.mrg"), "--quiet"]) == 0
    return write_ctb(place, [without_functions(tree) for tree in read(place / "trees.mrg")], files=20)


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All modifiers of two classes, one syntactic and one semantic."""
    place = tmp_path_factory.mktemp("suites")
    for name in ("mobj", "vo"):
        for path in bundled("zh-surprisal").rglob(f"{name}_*"):
            shutil.copy(path, place)
    return place


def test_the_plan_trains_every_model_on_both_data_and_makes_every_table(tmp_path: Path) -> None:
    trees = tmp_path / "trees.mrg"
    trees.write_text("( (NP (NN 书)) )\n", encoding="utf-8")
    steps = list(MandarinPlan(str(trees), tmp_path / "study", "xinhua.txt", "ctb").steps())
    trained = [step.arguments[1] for step in steps if step.arguments[0] == "train"]
    assert sorted(trained) == sorted(["udpipe", "chart", *KINDS.values(), *KINDS.values()])
    assert [step.name for step in steps][-6:] == ["suites", "figures", "table1", "figure6", "size", "table5"]
    assert len({step.name for step in steps}) == len(steps)
    (surprisal,) = (step for step in steps if step.name == "suites")
    assert sum("=" in word for word in surprisal.arguments) == 10
    alone = list(MandarinPlan(str(trees), tmp_path / "study").steps())
    assert not [step for step in alone if "Xinhua" in step.command or step.name in ("size", "table5")]


def test_only_the_plan(ctb: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "study"
    call = ["reproduce", "mandarin", "--ctb", str(ctb), "--set", f"folder={study}", "--set", "preset=tiny"]
    assert run_command([*call, "--set", "only_plan=yes"]) == 0
    assert "each says how long it takes" in capsys.readouterr().err
    assert len((study / "plan.sh").read_text(encoding="utf-8").splitlines()) == 18
    assert not list((study / "steps").iterdir())
    assert run_command([*call, "--set", "seeds=2"]) == 2
    assert "this folder has another plan" in capsys.readouterr().err
    assert run_command(["reproduce", "sorts", "--ctb", str(ctb)]) == 2
    assert run_command(["reproduce", "mandarin", "--set", "xinhua=x.txt"]) == 2
    assert "xinhua needs --ctb" in capsys.readouterr().err


def test_from_the_folder_to_the_tables(
    ctb: Path, suites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in ("torch", "mixedlm", "ufal.udpipe"):
        pytest.importorskip(package)
    study, xinhua = tmp_path / "study", ctb.parent / "xinhua.txt"
    settings = (f"xinhua={xinhua}", "segmenter=ctb", f"folder={study}", "preset=tiny", "seeds=1", f"suites={suites}")
    call = ["reproduce", "mandarin", "--ctb", str(ctb), *(word for text in settings for word in ("--set", text))]
    call += ["-f", "json"]
    (study / "steps").mkdir(parents=True)
    assert run_command(call) == 0
    first = capsys.readouterr()
    result = json.loads(first.out)
    assert "[35/35]" in first.err
    parts = {name: read(study / f"ctb-{name}.mrg") for name in ("train", "dev", "test")}
    assert {name: len(trees) for name, trees in parts.items()} == {"train": 80, "dev": 10, "test": 10}
    names = {f"{name}{size}" for name in KINDS for size in ("", "-Xinhua")}
    whole = [one for one in result["findings"] if one["measure"] == "accuracy" and one["suite"] == "8 suites"]
    assert {one["system"] for one in whole if "class" not in one} == names
    assert "".join(word for tree in read(study / "xinhua.mrg") for word in tree.words) == xinhua.read_text("utf-8")
    for table in ("table1", "table5", "figure6", "size"):
        assert f"mandarin:{table}" in (study / "tables" / f"{table}.txt").read_text(encoding="utf-8")
    # Called again, nothing is done twice: the result is that of the finished run.
    (study / "steps" / "table1").unlink()
    assert run_command([*call[:-1], "table"]) == 0
    second = capsys.readouterr()
    assert second.err.count("] gardenpath ") == 1
    assert "Perplexity and labelled F1 on the test part" in second.out
    assert "Missing Object" in second.out
