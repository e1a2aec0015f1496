"""The demo, whole: real parsers trained on the bundled treebank, every study, one page, twice the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.demo import GRAMMARS, MODELS, PAGE, PARTS, parts_here, run_demo, shown_first
from gardenpath.report import render
from gardenpath.runs import Run
from gardenpath.treebank import read


def test_demo(tmp_path: Path) -> None:
    told: list[str] = []
    folder = tmp_path / "demo"
    first = run_demo(folder, tell=told.append)
    here, left_out = parts_here()
    assert list(first) == list(here)
    assert len(told) == len(here) + 2 + len(left_out)
    scores = {f.system: f.value for f in first["evaluation"].findings if f.measure == "las" and not f.by}
    assert set(scores) == {*(f"udpipe:{name}" for name in MODELS), "baseline:right-branching"}
    assert all(float(str(scores[f"udpipe:{name}"])) > 60 for name in MODELS)
    roles = {f.system: f.value for f in first["roles"].findings if f.measure == "las" and not f.by}
    assert set(roles) == {*(f"udpipe:{name}" for name in MODELS), "baseline:subject-first"}
    if "constructions" in here:
        right = {f.system: f.value for f in first["constructions"].findings if f.measure == "accuracy" and not f.by}
        assert set(right) == {f"pcfg:{name}" for name in GRAMMARS}
        assert all(float(str(value)) > 40 for value in right.values())
        assert len(Run.load(folder / "constructions").observations()) == 2 * 148
    for part in here:
        assert Run.load(folder / part).finished
    gold = read("bundled:de-test").column("form").strings()
    trees = Run.load(folder / "evaluation").trees()
    assert all(read(path).column("form").strings() == gold for path in trees.values())
    tables = shown_first(first)
    assert len(tables) >= len(here)
    page = (folder / PAGE).read_bytes()
    assert len(page) < 5_000_000
    again = run_demo(folder, tell=told.append)
    assert {name: render(one, "json") for name, one in again.items()} == {
        name: render(one, "json") for name, one in first.items()
    }
    assert (folder / PAGE).read_bytes() == page


def test_a_part_whose_packages_are_missing_is_left_out_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.systems.registry.find_spec", lambda name: None)
    here, told = parts_here()
    assert [name for name in PARTS if name not in here] == ["constructions"]
    assert told == ['without constructions, which needs more packages: pip install "gardenpath[pcfg]"']
