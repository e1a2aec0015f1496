"""The page over many runs: what it is made of, and in a browser with 20,000 scores."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded_run import EVIL

import gardenpath as gp
from gardenpath.errors import UsageError
from gardenpath.report.page.grid import SCRIPTS, grid_page
from gardenpath.report.page.page import assembled
from gardenpath.runs.record.run import Run

SYSTEMS, SUITES = 100, 200


def data_of(text: str) -> dict[str, Any]:
    packed = re.search(r'id="data">([^<]*)<', text)
    assert packed is not None
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return data


def scorer(number: int) -> Any:
    return lambda sentences: [[float((len(word) * number) % 7) + 0.5 for word in words] for words in sentences]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """A model with checkpoints, two others, and two parsers."""
    folder = tmp_path_factory.mktemp("grid")
    models = {"grown": {1: scorer(1), 10: scorer(3)}, "x": scorer(2), EVIL: scorer(5)}
    gp.surprisal("bundled:en-surprisal", models, run=folder / "models")
    gp.roles("bundled:de-roles", ["baseline:subject-first", "baseline:right-branching"], run=folder / "parsers")
    return [Run.load(folder / name) for name in ("models", "parsers")]


def test_scores_are_those_of_the_runs(runs: list[Run]) -> None:
    surprisal, roles = data_of(grid_page(runs))["studies"]
    assert roles["measure"]["title"] == "LAS"
    assert list(zip(roles["cells"]["value"], roles["cells"]["n"], strict=True)) == [(72.65, 4000), (0.0, 4000)]
    assert (roles["pairs"]["value"], roles["suites"]) == ([-72.65], ["de_garden-roles.conllu"])
    findings = [finding for finding in runs[0].result().findings if finding.measure == "accuracy"]
    cells = {
        (surprisal["systems"][system], surprisal["suites"][suite]): value
        for system, suite, value in zip(*(surprisal["cells"][key] for key in ("system", "suite", "value")), strict=True)
    }
    expected = {
        (finding.system, finding.suite): pytest.approx(finding.value, abs=0.01)
        for finding in findings
        if finding.suite != "9 suites" and (not finding.by or finding.by.get("step") == 10)
        and set(finding.by) <= {"step"}
    }  # fmt: skip
    assert cells == expected
    assert sorted(set(surprisal["curves"]["step"])) == [1, 10]
    assert len(surprisal["pairs"]["p"]) == 6  # two checkpoints and two models


def test_a_run_of_a_single_suite_has_one_score(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("good\tbad\nHe is .\tHe are .\nWe go .\tWe goes .\n", encoding="utf-8")
    gp.surprisal(tmp_path / "pairs.tsv", {"x": scorer(2)}, run=tmp_path / "run")
    (study,) = data_of(grid_page([Run.load(tmp_path / "run")]))["studies"]
    assert (study["systems"], len(study["cells"]["value"])) == (["x"], 1)


def test_two_runs_of_the_same_are_refused(runs: list[Run], tmp_path: Path) -> None:
    gp.roles("bundled:de-roles", ["baseline:subject-first"], run=tmp_path / "again")
    with pytest.raises(UsageError, match="two runs have baseline:subject-first"):
        grid_page([runs[1], Run.load(tmp_path / "again")])
    with pytest.raises(UsageError, match="no run"):
        grid_page([])


def seen(browser: Any, path: Path, width: int = 1200) -> Any:
    view = browser.new_context(viewport={"width": width, "height": 900}, offline=True).new_page()
    said: list[str] = []
    view.on("console", lambda message: said.append(message.text))
    view.on("pageerror", lambda error: said.append(str(error)))
    view.goto(path.as_uri())
    view.wait_for_selector("body[data-ready=yes]", timeout=60_000)
    assert said == []
    return view


def test_text_of_the_data_stays_text(browser: Any, runs: list[Run], tmp_path: Path) -> None:
    (tmp_path / "grid.html").write_text(grid_page(runs), encoding="utf-8")
    assert "<img" not in (tmp_path / "grid.html").read_text(encoding="utf-8")
    for width in (1200, 390):
        view = seen(browser, tmp_path / "grid.html", width)
        assert view.evaluate("window.evil") is None
        assert EVIL in view.locator(".two option").all_text_contents()
        assert view.evaluate("document.documentElement.scrollWidth") <= width
        view.context.close()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """100 systems × 200 suites, all pairs tested; system 7 is the best, suite 3 the hardest."""
    chance = np.random.default_rng(0)
    system, suite = (part.reshape(-1) for part in np.indices((SYSTEMS, SUITES)))
    value = np.round(50 + 40 * (system == 7) - 40 * (suite == 3) + 5 * chance.random(SYSTEMS * SUITES), 2)
    first, second = np.triu_indices(SYSTEMS, 1)
    names = [f"model-{number:03}" for number in range(SYSTEMS)]
    ones = np.ones(len(first))
    pairs = {
        "first": [names[at] for at in first], "second": [names[at] for at in second],
        "value": (-40.0 * (first == 7) + 40.0 * (second == 7)).tolist(), "low": (-ones).tolist(),
        "high": ones.tolist(), "clusters": ones.tolist(), "p": ones.tolist(),
        "p_holm": np.where((first == 7) | (second == 7), 0.001, 1.0).tolist(),
    }  # fmt: skip
    cells = {
        "system": system.tolist(), "suite": suite.tolist(), "value": value.tolist(), "low": (value - 5).tolist(),
        "high": (value + 5).tolist(), "n": [40] * len(value),
    }  # fmt: skip
    study = {
        "name": "surprisal", "title": "Surprisal", "measure": {"title": "accuracy", "meaning": "", "better": "more"},
        "systems": names, "suites": [f"suite-{number:03}" for number in range(SUITES)], "cells": cells,
        "curves": {key: [] for key in (*cells, "step")}, "pairs": pairs, "refused": [],
    }  # fmt: skip
    path = tmp_path_factory.mktemp("many") / "grid.html"
    path.write_text(assembled("many", {"version": "0", "title": "many", "studies": [study], "runs": []}, SCRIPTS))
    return path


def test_twenty_thousand_scores_are_sorted_filtered_and_told(browser: Any, many: Path) -> None:
    view = seen(browser, many)
    labels = view.locator(".heat-labels span")
    assert (labels.count(), labels.first.text_content()) == (SYSTEMS, "model-007")
    assert "99 of 4,950 pairs of systems differ." in view.content()
    canvas = view.locator("canvas")
    canvas.focus()
    view.keyboard.press("ArrowDown")
    view.keyboard.press("ArrowUp")
    status = view.locator(".status")
    assert (status.text_content() or "").startswith("model-007 on suite-003: 5")
    view.locator("input[type=search]").nth(0).fill("model-01")
    assert labels.count() == 10
    view.locator("input[type=search]").nth(1).fill("suite-05")
    assert canvas.bounding_box()["width"] == 10 * 20 + 60
    box = canvas.bounding_box()
    view.mouse.click(box["x"] + 5, box["y"] + 115)
    chosen = view.locator(".two select").evaluate_all("boxes => boxes.map((box) => box.selectedOptions[0].text)")
    assert [name[:7] for name in chosen] == ["model-0", "suite-0"]
    assert (status.text_content() or "").startswith(f"{chosen[0]} on {chosen[1]}")
    view.context.close()
