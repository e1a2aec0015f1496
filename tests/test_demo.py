"""The demo, whole: real parsers trained on the bundled treebank, every study, one page, twice the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gardenpath.data import bundled
from gardenpath.demo import (
    GRAMMAR,
    GRAMMARS,
    LINES,
    MODELS,
    PAGE,
    PARTS,
    TRIGRAM,
    parts_here,
    run_demo,
    screen,
    summary,
)
from gardenpath.errors import UsageError
from gardenpath.library.result import StudyResult
from gardenpath.report import render
from gardenpath.runs import Run
from gardenpath.runs.result.result import Result, Verdict
from gardenpath.systems.training.training import train
from gardenpath.treebank import read

Made = tuple[Path, dict[str, StudyResult], str, list[str]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The demo with a model of one's own: its folder, its results, that model, and what it told."""
    work, told = tmp_path_factory.mktemp("work"), list[str]()
    train("ngram", bundled("en-text"), output=work / "own.npz", options={"order": "1"})
    own = f"unigram=ngram:{work / 'own.npz'}"
    return work / "demo", dict(run_demo(work / "demo", models=(own,), tell=told.append)), own, told


def test_demo(made: Made) -> None:
    folder, first, own, told = made
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
    assert first["joint"].value("effect", GRAMMAR) > 3
    assert first["joint"].value("effect", TRIGRAM) == 0
    assert not first["joint"].failures
    for part in here:
        assert Run.load(folder / part).finished
    gold = read("bundled:de-test").column("form").strings()
    trees = Run.load(folder / "evaluation").trees()
    assert all(read(path).column("form").strings() == gold for path in trees.values())
    if "surprisal" in here:
        assert_garden_path(first["surprisal"], summary(folder, first, "").tables[0].rows)
    assert_a_name_breaks_what_was_right(first["consistency"])
    assert len(summary(folder, first, "").tables) == len(here) + ("surprisal" in here)
    lines = screen(folder, first, "command:demo").splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= 100
    assert [line for line in lines if line in PARTS] == [name for name in here if first[name].verdicts]
    page = (folder / PAGE).read_bytes()
    assert len(page) < 5_000_000
    again = run_demo(folder, models=(own,), tell=told.append)
    assert {name: render(one, "json") for name, one in again.items()} == {
        name: render(one, "json") for name, one in first.items()
    }
    assert (folder / PAGE).read_bytes() == page


def assert_garden_path(result: StudyResult, rows: Sequence[Sequence[object]]) -> None:
    """The curve has each model in both conditions; at *fell* they differ for the grammar, and not for the trigram."""
    assert [(row[0], row[1]) for row in rows] == [
        (system, condition) for system in (GRAMMAR, TRIGRAM, "unigram") for condition in ("reduced", "unreduced")
    ]
    fell = {(str(row[0]), str(row[1])): float(str(row[-2])) for row in rows}
    assert fell[GRAMMAR, "reduced"] > fell[GRAMMAR, "unreduced"] + 3
    assert fell[TRIGRAM, "reduced"] == fell[TRIGRAM, "unreduced"]
    paths = [f"garden_path_{name}" for name in ("mvrr", "npz", "nps")]
    assert all(float(result.value("accuracy", GRAMMAR, suite)) >= 90 for suite in paths)
    assert {result.value("accuracy", TRIGRAM, suite) for suite in paths} == {50}


def assert_a_name_breaks_what_was_right(result: StudyResult) -> None:
    """Some originals are parsed right, and fewer of their variants: only the name is another one."""
    keys = {"perturbation": "names", "order": "surface"}
    for name in MODELS:
        shares = [result.value(measure, f"udpipe:{name}", **keys) for measure in ("original_right", "right")]
        assert 0 < shares[1] < shares[0] < 100


@pytest.mark.parametrize(("width", "height", "screens"), [(1280, 800, 6), (390, 844, 12)])
def test_the_page_of_the_demo_is_short(made: Made, browser: Any, width: int, height: int, screens: int) -> None:
    """Folded as it opens; and on the first screen of a desk every study has said something."""
    view = browser.new_page(viewport={"width": width, "height": height})
    view.goto((made[0] / PAGE).as_uri())
    view.wait_for_selector("body[data-ready=yes]", timeout=60_000)
    assert view.evaluate("document.documentElement.scrollHeight") <= screens * height
    ends = view.locator("#overview [data-verdict]").evaluate_all(
        "all => all.map(p => p.getBoundingClientRect().bottom)"
    )
    assert len(ends) == len(parts_here()[0])
    if width > 1000:
        assert max(ends) < height
    else:  # nothing that can be opened is wider than a phone
        view.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        assert view.evaluate("document.documentElement.scrollWidth") <= width
    view.close()


def test_the_screen_takes_turns_and_keeps_to_its_lines(tmp_path: Path) -> None:
    def result(*lengths: int) -> StudyResult:
        verdicts = [Verdict(" ".join(["word"] * length), "shown", ()) for length in lengths]
        return StudyResult.of(Result("", verdicts=verdicts))

    results = {"roles": result(*[30] * 50), "evaluation": result(1, 600, 1), "consistency": result()}
    lines = screen(tmp_path, results, "made").splitlines()
    assert len(lines) == LINES - 1  # the next sentence of roles has two lines
    assert lines[0] == "roles"
    # A sentence that does not fit is the end of its study: nothing lighter takes its place.
    assert lines[-4:] == ["evaluation", "- word", "", "signature: made"]


def test_failures_are_on_the_screen(tmp_path: Path) -> None:
    result = StudyResult.of(Result("", failures={"crashed": 3}))
    assert screen(tmp_path, {"surprisal": result}, "made") == "failures: surprisal: crashed 3\nsignature: made\n"


def test_a_model_that_is_none_is_told_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind of system 'nosuch'"):
        run_demo(tmp_path / "demo", models=("nosuch:x",), tell=lambda line: pytest.fail(line))
    assert not (tmp_path / "demo").exists()


def test_a_part_whose_packages_are_missing_is_left_out_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.systems.asking.registry.find_spec", lambda name: None)
    here, told = parts_here()
    assert [name for name in PARTS if name not in here] == ["surprisal", "constructions"]
    assert told == [
        f'without {name}, which needs more packages: pip install "gardenpath[pcfg]"'
        for name in ("surprisal", "constructions")
    ]
