"""The demo, whole: real parsers trained on the bundled treebank, every study, one page, twice the same."""

from __future__ import annotations

from pathlib import Path

from gardenpath.demo import MODELS, PAGE, PARTS, run_demo, shown_first
from gardenpath.report import render
from gardenpath.runs import Run
from gardenpath.treebank import read


def test_demo(tmp_path: Path) -> None:
    told: list[str] = []
    folder = tmp_path / "demo"
    first = run_demo(folder, tell=told.append)
    assert list(first) == list(PARTS)
    assert len(told) == len(PARTS) + 2
    scores = {f.system: f.value for f in first["evaluation"].findings if f.measure == "las" and not f.by}
    assert set(scores) == {*(f"udpipe:{name}" for name in MODELS), "baseline:right-branching"}
    assert all(float(str(scores[f"udpipe:{name}"])) > 60 for name in MODELS)
    roles = {f.system: f.value for f in first["roles"].findings if f.measure == "las" and not f.by}
    assert set(roles) == {*(f"udpipe:{name}" for name in MODELS), "baseline:subject-first"}
    for part in PARTS:
        assert Run.load(folder / part).finished
    gold = read("bundled:de-test").column("form").strings()
    trees = Run.load(folder / "evaluation").trees()
    assert all(read(path).column("form").strings() == gold for path in trees.values())
    tables = shown_first(first)
    assert len(tables) >= len(PARTS)
    page = (folder / PAGE).read_bytes()
    assert len(page) < 5_000_000
    again = run_demo(folder, tell=told.append)
    assert {name: render(one, "json") for name, one in again.items()} == {
        name: render(one, "json") for name, one in first.items()
    }
    assert (folder / PAGE).read_bytes() == page
