"""`gardenpath constructions sheet`, from a run to the judgement of people."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from calls import Capture, call
from gardenpath.phrase.formats.source import write
from gardenpath_generate.constructions.treebank import generate


@pytest.fixture
def run(tmp_path: Path) -> tuple[str, ...]:
    """A treebank, a file of parses (the same trees) and a run of them: the words of the call without the run."""
    trees = generate(20, seed=2).trees("tiger")
    write(trees, tmp_path / "gold.export", "export")
    write(trees, tmp_path / "parsed.export", "export")
    words = ("constructions", str(tmp_path / "gold.export"), str(tmp_path / "parsed.export"), "--scheme", "tiger")
    assert call(*words, "--run", tmp_path / "run") == 0
    return words


def test_from_a_run_to_the_judgement_of_people(run: tuple[str, ...], tmp_path: Path, capsys: Capture) -> None:
    anna = tmp_path / "anna.tsv"
    assert call("constructions", "sheet", tmp_path / "run", "-o", anna, "--seed", 1) == 0
    rows = list(csv.DictReader(anna.open(encoding="utf-8", newline=""), delimiter="\t"))
    assert {row["class"] for row in rows} == {""}
    assert call("constructions", "sheet", tmp_path / "run", "-o", anna) == 2
    assert "already exists" in capsys.readouterr().err
    with anna.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0], delimiter="\t")
        writer.writeheader()
        writer.writerows({**row, "class": "wrong" if row["phenomenon"] == "cuc" else "right"} for row in rows)
    assert call(*run, "--judgements", anna, "-f", "json") == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    overall = next(f for f in found if f["measure"] == "accuracy" and "scheme" not in f)
    right = sum(row["phenomenon"] != "cuc" for row in rows)
    assert overall["value"] == pytest.approx(100 * right / len(rows))
    assert call("constructions", "sheet", tmp_path / "run", anna, "-o", tmp_path / "final.tsv", "--quiet") == 0
    final = list(csv.DictReader((tmp_path / "final.tsv").open(encoding="utf-8", newline=""), delimiter="\t"))
    assert all(row["class"] and row["others"] == f"anna: {row['class']}" for row in final)


def test_what_is_no_run_of_constructions(tmp_path: Path, samples: Path, capsys: Capture) -> None:
    assert call("constructions", "sheet", tmp_path, "-o", tmp_path / "x.tsv") == 2
    assert "holds no run" in capsys.readouterr().err
    gold = samples / "de_garden-test.conllu"
    assert call("evaluate", gold, "baseline:nearest-head", "--gold", "tags", "--run", tmp_path / "other") == 0
    capsys.readouterr()
    assert call("constructions", "sheet", tmp_path / "other", "-o", tmp_path / "x.tsv") == 2
    assert "not a run of constructions" in capsys.readouterr().err
    assert not (tmp_path / "x.tsv").exists()
