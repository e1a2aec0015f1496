"""Mixed models of judgements: the paper's fits from its surprisals, and formulas that cannot be right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import UsageError
from gardenpath.runs.result.observations import Observations
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.models import checked_formula, modelled, parsed_marks
from gardenpath.studies.surprisal.outcomes import observations
from gardenpath.studies.surprisal.study import judged_suites
from gardenpath.suites.regions.reader import read_region_suite

TABLE1 = "outcome ~ syntax + (1|modifier) + (1|item) + (1|seed)"


def judgements() -> Observations:
    """Two systems, three seeds, four suites of ten items; the second system is right more often."""
    draw = np.random.default_rng(1)
    rows = [
        (suite, str(item), system, seed)
        for suite in ("a", "b", "c", "d")
        for item in range(10)
        for system in ("plain", "tree")
        for seed in range(3)
    ]
    suite, item, system, seed = (list(column) for column in zip(*rows, strict=True))
    right = draw.random(len(rows)) < np.where(np.array(system) == "tree", 0.8, 0.5)
    outcome = np.where(right, "right", "wrong").tolist()
    outcome[0] = "tie"
    return Observations(
        {
            "study": "surprisal", "suite": suite, "item": item, "condition": "c", "system": system, "seed": seed,
            "unit": "prediction 1", "outcome": outcome, "value": right.astype(float).tolist(), "class": "X",
            "modifier": suite, "kind": None, "complexity": None, "difference": None, "oov": None,
        }
    )  # fmt: skip


def test_table_1_of_the_paper_from_its_surprisals(shared: Path) -> None:
    """lme4: 0.5066 (0.1953), p .0095; seeds by their names are those of the paper in this class."""
    place = shared / "surprisal" / "mandarin"
    suites = [
        read_region_suite(place / "test_suites" / "Verb_Noun" / f"vo_{one}_txt.txt")
        for one in ("none", "adj", "obj", "sub")
    ]
    systems = {
        name: f"surprisals:{place / 'surprisals'}/{name.lower()}_outputs#match=order" for name in ("LSTM", "RNNG")
    }
    observed = observations(judged_suites(suites, systems))
    findings, tables, failures = modelled(observed, [TABLE1], "vo", by="class", marks={"syntax": ["RNNG"]})
    of = {one.measure: one.value for one in findings if one.by.get("effect") == "syntax"}
    assert of["estimate"] == pytest.approx(0.5066, abs=0.005)
    assert of["se"] == pytest.approx(0.1953, rel=0.03)
    assert of["p"] == pytest.approx(0.0095, abs=0.0005)
    assert {one.by["class"] for one in findings} == {"Verb-Noun"}
    assert tables[0].title.startswith("Verb-Noun: outcome ~ syntax")
    assert "models that did not converge" not in failures


def test_a_tie_is_left_out_of_a_binomial_model_and_counted() -> None:
    findings, _, failures = modelled(judgements(), ["outcome ~ system + (1|item)"], "made")
    assert failures["ties left out of models"] == 1
    assert {one.n for one in findings if one.measure == "estimate"} == {239}
    tree = next(one for one in findings if one.by.get("effect") == "system=tree" and one.measure == "estimate")
    assert tree.value is not None
    assert tree.value > 0


def test_accuracy_is_that_of_a_suite_by_a_seed() -> None:
    findings, _, _ = modelled(judgements(), ["accuracy ~ system + (1|suite)"], "made")
    estimate = next(one for one in findings if one.by.get("effect") == "system=tree" and one.measure == "estimate")
    assert estimate.n == 24  # 4 suites, 2 systems, 3 seeds
    frame = judgements().frame()
    means = {name: frame.filter(frame["system"] == name)["value"].mean() for name in ("plain", "tree")}
    assert estimate.value == pytest.approx(means["tree"] - means["plain"])  # balanced: the difference of the means


def test_marks_name_systems() -> None:
    assert parsed_marks(["syntax=tree, other"], ["plain", "tree", "other"]) == {"syntax": ["tree", "other"]}
    with pytest.raises(UsageError, match="did you mean tree"):
        parsed_marks(["syntax=tre"], ["plain", "tree"])
    with pytest.raises(UsageError, match="marks nothing"):
        parsed_marks(["syntax"], ["plain"])


def test_a_formula_is_read_before_anything_is_scored() -> None:
    assert checked_formula(TABLE1, ["syntax"]).response == "outcome"
    with pytest.raises(UsageError, match="unknown column 'syntax'"):
        checked_formula(TABLE1)
    with pytest.raises(UsageError, match="unknown model by 'clas'"):
        SurprisalSettings(model=(TABLE1,), model_by="clas")
    with pytest.raises(UsageError, match="say how to fit a model, and there is none"):
        SurprisalSettings(mark=("syntax=tree",))
    with pytest.raises(UsageError, match="no suite has a kind"):
        modelled(judgements(), ["outcome ~ system + (1|item)"], "made", by="kind")
