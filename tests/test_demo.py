"""The demo, whole: real parsers trained on the bundled treebank, everything written, twice the same."""

from __future__ import annotations

from pathlib import Path

from gardenpath.demo import MODELS, run_demo, shown_first
from gardenpath.report import render
from gardenpath.runs import Run
from gardenpath.treebank import read


def test_demo(tmp_path: Path) -> None:
    told: list[str] = []
    folder = tmp_path / "demo"
    first = run_demo(folder, tell=told.append)
    assert len(told) == 4
    values = {f.system: f.value for f in first.findings if f.measure == "las" and not f.by}
    assert set(values) == {*(f"udpipe:{name}" for name in MODELS), "baseline:right-branching"}
    assert all(float(str(values[f"udpipe:{name}"])) > 60 for name in MODELS)
    assert Run.load(folder).finished
    assert len(shown_first(first)) == 3
    gold = read("bundled:de-test")
    for file in (folder / "parsed").iterdir():
        parsed = read(file)
        assert parsed.column("form").strings() == gold.column("form").strings()
    again = run_demo(folder, tell=told.append)
    assert render(again, "json") == render(first, "json")
