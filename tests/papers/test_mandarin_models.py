"""The mixed models of the paper on Mandarin, planned for a run by name. Oracle: lme4 on published outcomes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import GardenpathError
from gardenpath.runs.record.run import Run
from gardenpath.studies.engine.mixed_models import mixed_models
from gardenpath.studies.engine.study import run as carry_out
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.suites import CLASSES as PARADIGMS
from gardenpath.suites.regions.reader import read_region_suites
from gardenpath_papers.mandarin import OUTPUTS
from gardenpath_papers.mandarin_models import SUPERVISED
from gardenpath_papers.paper import published

pytest.importorskip("mixedlm")
CLASSES = {key: paradigm.title for key, paradigm in PARADIGMS.items()}


@pytest.fixture(scope="module")
def run(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = shared / "surprisal" / "mandarin"
    systems = {
        name: f"surprisals:{place / 'surprisals' / folder}#match=order"
        for name, folder in OUTPUTS.items()
        if not name.startswith("n-gram")
    }
    folder = tmp_path_factory.mktemp("mandarin") / "run"
    carry_out(SURPRISAL, list(read_region_suites(place / "test_suites")), systems, folder=folder)
    return folder


def cells(run: Path, table: str, effect: str) -> dict[tuple[str, str], dict[str, Any]]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in mixed_models(run, f"mandarin:{table}").findings:
        if str(one.by.get("effect", "")).startswith(effect):
            row = str(one.by["effect"]).partition("=")[2] or str(one.by["row"])
            found.setdefault((row, str(one.by["model"])), {})[one.measure] = one.value
    return found


def test_table_1_is_that_of_lme4(run: Path) -> None:
    """24 models: estimates within .005 and standard errors within 3 % of lme4's, the same marks but one."""
    found = cells(run, "table1", "syntax")
    assert len(found) == 24
    rows = list(dict.fromkeys(row for row, _ in found))
    assert rows == list(CLASSES.values())
    for supervised, expected in published("mandarin")["table1"].items():
        better, _, data = supervised.partition("-")
        label = f"{better} against {SUPERVISED[better]}" + (f", {data}" if data else "")
        for key, title in CLASSES.items():
            cell = found[title, label]
            assert cell["estimate"] == pytest.approx(float(expected[key][0]), abs=0.005)
            assert cell["se"] == pytest.approx(float(expected[key][1]), rel=0.03)


def test_data_size_and_kinds_are_those_of_lme4(run: Path) -> None:
    section = published("mandarin")["section4"]
    for (_, model), cell in cells(run, "size", "size").items():
        assert cell["estimate"] == pytest.approx(float(section["size"][model][0]), abs=0.002)
        assert cell["se"] == pytest.approx(float(section["size"][model][1]), rel=0.03)
    rows = {"all": "all", "no modifier": "none", "modifiers": "some"}
    found = cells(run, "figure6", "syntactic")
    assert {row for row, _ in found} == set(rows)
    for (row, _), cell in found.items():
        assert cell["estimate"] == pytest.approx(float(section["kinds"][rows[row]][0]), abs=0.002)
        assert cell["se"] == pytest.approx(float(section["kinds"][rows[row]][1]), rel=0.03)


def test_table_5_to_the_printed_digits(run: Path) -> None:
    found = cells(run, "table5", "modifier")
    for model, printed in published("mandarin")["table5"].items():
        for step, text in zip(("sub", "sub2", "subh"), printed, strict=False):
            places = len(text.partition(".")[2])
            assert found[step, model]["estimate"] == pytest.approx(float(text), abs=10.0**-places)


def test_the_table_has_marks(run: Path) -> None:
    (table,) = mixed_models(run, "mandarin:table1").tables
    shown = {row[0]: row[1:] for row in table.rows}
    assert shown["Verb-Noun"][0] == "+0.507 ✓**"
    assert shown["Missing Object"][3].endswith("✗**")


def test_items_of_unrelated_suites_are_different_items(run: Path) -> None:
    """Items of one number are one item only in suites of the same sentences: those that differ in a modifier, and the
    31 of both garden path classes."""
    frame = Run.load(run).observations()
    result = mixed_models(run, "value ~ kind + (1|item)", family="gaussian")
    levels = next(one.n for one in result.findings if one.measure == "variance" and one.by["group"] == "item")
    assert levels == frame.select("class", "item", "unit").unique().height - 31
    assert levels >= 2 * frame.select("item", "unit").unique().height


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models with ties on the bundled suites, decided by a coin."""

    def lengths(sentences: Any) -> list[list[float]]:
        return [[float(len(word)) for word in words] for words in sentences]

    folder = tmp_path_factory.mktemp("small") / "run"
    settings = SurprisalSettings(ties="coin")
    carry_out(
        SURPRISAL, "bundled:zh-surprisal", {"LSTM": lengths, "RNNG": lambda s: lengths(s)}, settings, folder=folder
    )
    return folder


def test_a_coin_gives_outcomes_that_a_binomial_model_takes(small: Path) -> None:
    frame = Run.load(small).observations()
    assert set(frame["outcome"]) == {"right", "wrong"}
    assert set(frame["value"]) == {0.0, 1.0}
    result = mixed_models(small, "outcome ~ system + (1|item)")
    assert "ties left out of models" not in result.failures
    assert result.details["warnings"] is not None
    assert next(one.n for one in result.findings if one.measure == "estimate") == len(frame)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("mandarin:table2", "unknown table of mandarin 'mandarin:table2'|unknown table of mandarin 'table2'"),
        ("sorts:table1", "unknown paper with mixed models 'sorts'"),
        ("mandarin:size", "no system of the run is called Xinhua"),
    ],
)
def test_what_no_table_can_be_made_of(small: Path, formula: str, message: str) -> None:
    with pytest.raises(GardenpathError, match=message):
        mixed_models(small, formula)
    with pytest.raises(GardenpathError, match="says which models are fitted"):
        mixed_models(small, formula, by="class")
