"""Acquisition: accuracies over checkpoints, chance, and when a class is learned, against values by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
import pytest

from gardenpath.errors import UsageError
from gardenpath.report.figures import figures_of
from gardenpath.report.formats import render
from gardenpath.report.page.contents import contents
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Finding, Result, Value
from gardenpath.runs.result.verdict import NOT_SHOWN, SUGGESTED
from gardenpath.stats.sampling import Estimate, wilson_bounds
from gardenpath.studies.engine.corrections import corrected
from gardenpath.studies.engine.mixed_models import mixed_models
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.acquisition import ABOVE_CHANCE, acquisition_verdicts, learned_from, reached_from
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.outcomes import SURPRISALS, read_curves, suite_chance
from gardenpath.studies.surprisal.scores import SuiteScore
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from gardenpath.systems.asking.entrants import entrants_of, system_signatures
from verdict_checks import check_verdicts, unfounded

Model = Callable[[list[list[str]]], list[list[float]]]
RIGHT = {1: (6, 10), 10: (10, 11), 100: (12, 12), 1000: (5, 12)}
"""Of each step: how many of the 12 items of either suite are right."""


def suite(title: str, formula: str = "(2;%bad%) > (2;%good%)", properties: dict[str, str] | None = None) -> RegionSuite:
    made = [
        Item(str(number), tuple(
            Condition(name, (Region(1, f"{title}-{number}"), Region(2, f"{name}"))) for name in ("good", "bad")
        ))
        for number in range(12)
    ]  # fmt: skip
    names = {1: "noun", 2: "verb"}
    return RegionSuite(title, title, made, [Prediction(formula)], names, "syntaxgym", properties=properties or {})


def model(step: int) -> Model:
    """Prefers the good word in the first so many items of a suite."""

    def scored(sentences: list[list[str]]) -> list[list[float]]:
        rows = []
        for noun, word in sentences:
            title, number = noun.split("-")
            right = int(number) < RIGHT[step][title == "late"]
            rows.append([1.0, 3.0 if (word == "bad") == right else 2.0])
        return rows

    return scored


SUITES = [suite("early"), suite("late")]
SYSTEMS = {"m": {step: model(step) for step in RIGHT}}


@pytest.fixture(scope="module")
def result() -> Result:
    return run(SURPRISAL, SUITES, SYSTEMS)


def of(result: Result, measure: str, suite: str, **by: object) -> Finding:
    (finding,) = [
        finding
        for finding in result.findings
        if (finding.measure, finding.suite, dict(finding.by)) == (measure, suite, by)
    ]
    return finding


@pytest.mark.parametrize(("place", "title"), [(0, "early"), (1, "late")])
@pytest.mark.parametrize("step", RIGHT)
def test_accuracies_and_their_intervals(result, place, title, step):
    finding = of(result, "accuracy", title, step=step)
    share = RIGHT[step][place] / 12
    assert (finding.system, finding.n) == ("m", 12)
    assert finding.value == pytest.approx(100 * share)
    assert (finding.low, finding.high) == pytest.approx([100 * end for end in wilson_bounds(share, 12)])


def test_the_mean_over_the_suites(result):
    assert of(result, "accuracy", "2 suites", step=10).value == pytest.approx(100 * (10 / 12 + 11 / 12) / 2)
    assert of(result, "seeds", "2 suites").value == 1


def test_when_each_is_learned(result):
    """By Wilson: 6 of 12 is [25, 75], 10 of 12 is [55, 95], 11 of 12 is [65, 99]; `early` is lost again."""
    assert of(result, "step_above_chance", "early").value is None
    assert of(result, "step_above_threshold", "early").value is None
    assert of(result, "step_above_chance", "late").value == 1
    assert of(result, "step_above_threshold", "late").value == 1
    assert of(result, "step_above_chance", "late").n == 12
    higher = run(SURPRISAL, SUITES, SYSTEMS, SurprisalSettings(threshold=90))
    assert of(higher, "step_above_threshold", "late").value == 10
    assert "threshold:90" in higher.signature
    assert "threshold" not in result.signature


def test_the_verdicts_are_of_these_findings(result):
    """6 of 12 and then more; `early` is at 5 of 12 in the end, which its interval cannot tell from chance."""
    check_verdicts(result)
    texts = [verdict.text for verdict in result.verdicts]
    assert any(text.startswith("m is above chance at late from step 1 on (83.3 [55.2, 95.3] there)") for text in texts)
    assert any(text.startswith("m is not shown to be above chance at early (41.7 [19.3, 68.0]") for text in texts)
    assert any(
        text.startswith("m was better before at early: accuracy 100.0 [75.8, 100.0] at step 100") for text in texts
    )


def test_first_step_from_which_on_it_stays():
    def scores(*values: tuple[float, float]) -> dict[int, SuiteScore]:
        return {
            step: SuiteScore(value, 10, Estimate(value / 100, low / 100, 1.0, 10, 10))
            for step, (value, low) in enumerate(values, 1)
        }

    risen = scores((90, 60), (55, 30), (80, 51), (79, 52))
    assert learned_from(risen, 50) == 3
    assert reached_from(risen, 79) == 3
    assert reached_from(risen, 80) is None
    assert learned_from(scores((90, 60), (95, 70)), 50) == 1
    assert learned_from(scores((90, 60), (55, 50)), 50) is None
    assert learned_from({1: SuiteScore(None, 0)}, 50) is None


@pytest.mark.parametrize(
    ("formula", "chance"),
    [
        ("(2;%bad%) > (2;%good%)", 0.5),
        ("((2;%bad%) > (2;%good%)) & ((1;%bad%) > (1;%good%))", 0.25),
        ("((2;%bad%) > (2;%good%)) | ((1;%bad%) > (1;%good%))", 0.75),
        ("(2;%bad%) = (2;%good%)", 0.0),
    ],
)
def test_chance(formula, chance):
    assert suite_chance(suite("x", formula)) == chance


def test_classes_where_there_are_some():
    suites = [suite("early", properties={"class": "A"}), suite("late", properties={"class": "B"})]
    result = run(SURPRISAL, suites, SYSTEMS)
    assert of(result, "accuracy", "2 suites", **{"class": "B", "step": 1}).value == pytest.approx(1000 / 12)
    assert of(result, "step_above_chance", "2 suites", **{"class": "B"}).value == 1
    assert of(result, "chance", "2 suites", **{"class": "A"}).value == 50
    assert result.tables[0].columns[:3] == ["step", "all", "95 %"]


def test_tables_are_the_findings(result):
    over, learned = result.tables
    assert over.title == "Accuracy over steps: m"
    assert [row[0] for row in over.rows] == list(RIGHT)
    assert [row[3] for row in over.rows] == [of(result, "accuracy", "early", step=step).value for step in RIGHT]
    assert [row[:5] for row in learned.rows[1:]] == [["early", 12, 50.0, None, None], ["late", 12, 50.0, 1, 1]]
    assert "one seed" in learned.note
    assert learned.columns[0] == "suite"
    seeds = run(SURPRISAL, SUITES, {"m": {step: [model(step), model(1)] for step in RIGHT}})
    assert "and 2 seeds" in seeds.tables[0].note
    assert of(seeds, "accuracy", "early", step=100).value == pytest.approx(100 * (12 + 6) / 24)


def test_json_and_the_figure_have_the_same_numbers(result):
    rows = json.loads(render(result, "json"))["findings"]
    drawn = next(figure for figure in figures_of(result) if figure.name == "surprisal-acquisition").data[0]
    stored = {(row["suite"], row["step"]): row["value"] for row in rows if row["measure"] == "accuracy"}
    assert {(row["suite"], row["step"]): row["value"] for row in drawn} == stored
    assert {row["chance"] for row in drawn} == {50}
    assert [row["group"] for row in drawn][::4] == ["all", "early", "late"]


def test_the_checkpoints_have_one_signature():
    """Of all of them: another checkpoint, or another step, is another signature."""
    files = {step: f"surprisals:{step}" for step in (1, 10)}

    def signed(checkpoints: dict[int, str]) -> str:
        entrants = entrants_of({"m": {step: ScoredAs(text) for step, text in checkpoints.items()}}, "language model")
        (signature,) = system_signatures(entrants)
        return signature

    assert signed(files).startswith("steps:1,10|models:")
    others = [files, {1: files[1], 10: "surprisals:other"}, {1: files[1], 11: files[10]}]
    assert len({signed(checkpoints) for checkpoints in others}) == 3
    plain = entrants_of({"p": ScoredAs("x"), "m": {1: ScoredAs("y")}}, "language model")
    assert system_signatures(plain)[0] == "x"
    assert len(system_signatures(plain)) == 2


class ScoredAs:
    """A model of which only the signature counts."""

    def __init__(self, signature: str) -> None:
        self.name = self.signature = signature

    def surprisals(self, sentences: list[list[str]]) -> list[list[float]]:
        raise NotImplementedError


def test_beside_a_plain_system(result):
    """What is said of a plain system is not changed by checkpoints, nor theirs by it."""
    alone = run(SURPRISAL, SUITES, {"p": model(100)})
    both = run(SURPRISAL, SUITES, {"p": model(100), **SYSTEMS})
    mine = [finding for finding in both.findings if finding.system == "p"]
    assert mine == [finding for finding in alone.findings if finding.system == "p"]
    theirs = [finding for finding in both.findings if finding.system == "m"]
    assert theirs == [finding for finding in result.findings if finding.system == "m"]


def test_a_run_keeps_every_checkpoint_and_draws_the_last(tmp_path):
    run(SURPRISAL, SUITES, SYSTEMS, folder=tmp_path / "run")
    right: dict[tuple[str, int, str], float] = {}
    for row in Run.load(tmp_path / "run").observations().to_dicts():
        key = row["system"], row["step"], row["suite"]
        right[key] = right.get(key, 0.0) + row["value"]
    expected = {("early", step): early for step, (early, _) in RIGHT.items()}
    expected |= {("late", step): late for step, (_, late) in RIGHT.items()}
    assert right == {(f"m@{step}", step, title): count for (title, step), count in expected.items()}
    drawn = contents(Run.load(tmp_path / "run"))
    assert "surprisal-acquisition" in [figure["name"] for figure in drawn["figures"]]
    assert [table["title"] for table in drawn["tables"]] == ["Accuracy over steps: m", "When it was learned"]
    (bits,) = {tuple(item.bits) for item in read_curves(tmp_path / "run" / SURPRISALS)}
    assert bits == ("m@1000",)


def test_steps_in_mixed_models(tmp_path):
    """The slope of least squares over the accuracies of the two suites at the four steps, by hand."""
    pytest.importorskip("mixedlm")
    run(SURPRISAL, SUITES, SYSTEMS, folder=tmp_path / "run")
    fitted = mixed_models(tmp_path / "run", "accuracy ~ step + (1|suite)")
    (slope,) = [
        finding for finding in fitted.findings if finding.measure == "estimate" and "step" in finding.by.values()
    ]
    steps = np.array([step for step in RIGHT for _ in range(2)])
    accuracies = np.array([count / 12 for counts in RIGHT.values() for count in counts])
    assert slope.value == pytest.approx(np.polyfit(steps, accuracies, 1)[0], abs=1e-6)


def test_checkpoints_are_no_one_score(result):
    assert not any(SURPRISAL.is_overall(finding) for finding in result.findings if finding.measure == "accuracy")


def test_a_threshold_needs_checkpoints():
    with pytest.raises(UsageError, match="no checkpoints"):
        run(SURPRISAL, SUITES, {"p": model(100)}, SurprisalSettings(threshold=90))
    with pytest.raises(UsageError, match="more than 100"):
        SurprisalSettings(threshold=101)


# ---- the verdicts of acquisition curves


HEAD = ("surprisal", "2 suites")
STEPS = (17, 64, 1560)


def curve(
    values: tuple[float, ...], *, half: float = 8.0, n: int = 40, chance: float = 50.0, system: str = "m", **by: Value
) -> list[Finding]:
    """Accuracies at three steps with intervals as wide as `half` to each side, and the step that follows from them."""
    above = [value - half > chance for value in values]
    since = next((step for at, step in enumerate(STEPS) if all(above[at:])), None)
    return [
        Finding(*HEAD, "", "chance", chance, by=by),
        *(
            Finding(*HEAD, system, "accuracy", value, n, value - half, value + half, {**by, "step": step})
            for step, value in zip(STEPS, values, strict=True)
        ),
        Finding(*HEAD, system, ABOVE_CHANCE, since, n, by=by),
        Finding(
            *HEAD, system, "chance_p", p_of(values[-1] - chance, half), n, by={**by, "step": STEPS[-1]}, effective=n
        ),
    ]


def p_of(difference: float, half: float) -> float:
    """Two-sided p where 95 % of a normal distribution are `half` to each side."""
    return 2 * NormalDist().cdf(-1.96 * abs(difference) / half)


def spoken(*curves: list[Finding], seeds: int = 3) -> list[tuple[str, str]]:
    findings = [finding for each in curves for finding in each]
    findings += [Finding(*HEAD, system, "seeds", seeds) for system in {finding.system for finding in findings} - {""}]
    findings = corrected(findings, lambda test: len(test.by) > 1)
    verdicts = list(acquisition_verdicts(findings))
    for verdict in verdicts:
        assert unfounded(verdict) == [], verdict.text
        assert all(finding in findings for finding in verdict.rests_on)
    return [(verdict.sure, verdict.text) for verdict in verdicts]


ABOVE = (
    "m is above chance from step 64 on: accuracy 70.0 [62.0, 78.0] there, and at step 1560, the last, accuracy "
    "90.0 [82.0, 98.0] against 50.0, 40 items (suggested)."
)


@pytest.mark.parametrize(
    ("values", "sure", "text"),
    [
        ((52.0, 70.0, 90.0), SUGGESTED, ABOVE),
        # The interval of the last has chance in it, whatever was before.
        ((52.0, 60.0, 57.0), NOT_SHOWN, "m is not shown to be above chance at step 1560, the last: accuracy 57.0 "
         "[49.0, 65.0] against 50.0, 40 items."),
        ((52.0, 50.0, 30.0), SUGGESTED, "m is below chance at step 1560, the last: accuracy 30.0 [22.0, 38.0] "
         "against 50.0, 40 items (suggested)."),
        # It fell back after the first step, and is counted from where it stays.
        ((70.0, 55.0, 80.0), SUGGESTED, "m is above chance at step 1560, the last: accuracy 80.0 [72.0, 88.0] "
         "against 50.0, 40 items (suggested)."),
    ],
)  # fmt: skip
def test_from_which_step_on_it_is_above_chance(values: tuple[float, ...], sure: str, text: str) -> None:
    assert spoken(curve(values))[0] == (sure, text)


def test_one_seed_is_said() -> None:
    assert "against 50.0, 40 items; one seed (suggested)." in spoken(curve((52.0, 70.0, 90.0)), seeds=1)[0][1]


def test_classes_that_are_learned_and_those_that_are_not() -> None:
    whole = curve((52.0, 70.0, 90.0))
    late = curve((50.0, 55.0, 80.0), **{"class": "late"})
    soon = curve((50.0, 75.0, 80.0), **{"class": "soon"})
    never = curve((50.0, 52.0, 54.0), **{"class": "never"})
    fourfold = curve((30.0, 31.0, 30.0), chance=25.0, **{"class": "fourfold"})
    below = curve((50.0, 40.0, 20.0), half=4.0, **{"class": "below"})
    assert spoken(whole, late, soon, never, fourfold, below)[1:4] == [
        (SUGGESTED, "m is above chance at soon from step 64 on (75.0 [67.0, 83.0] there) and late from step 1560 on "
         "(80.0 [72.0, 88.0] there) (suggested)."),
        (SUGGESTED, "m is below chance at below (20.0 [16.0, 24.0] against 50.0) at step 1560, the last "
         "(suggested)."),
        (NOT_SHOWN, "m is not shown to be above chance at never (54.0 [46.0, 62.0] against 50.0) and fourfold (30.0 "
         "[22.0, 38.0] against 25.0) at step 1560, the last."),
    ]  # fmt: skip
    assert len(spoken(whole)) == 1  # no class, no sentence about classes


def test_one_class_of_many_is_corrected() -> None:
    """p is .02 at each class: suggested alone, and the 12th part of the luck of 12 (q .24) is not."""
    whole, borderline = curve((52.0, 70.0, 90.0)), curve((50.0, 50.0, 59.5), **{"class": "borderline"})
    others = [curve((50.0, 51.0, 50.0), **{"class": f"other {number}"}) for number in range(11)]
    assert any("above chance at borderline" in text for _, text in spoken(whole, borderline))
    (sure, text) = spoken(whole, borderline, *others)[1]
    assert sure == NOT_SHOWN
    assert "is not shown to be above chance at" in text


def test_tests_are_of_the_last_checkpoint(result):
    """`late` has 12 of 12 in the end: the score test against a half by hand."""
    test = of(result, "chance_p", "late", step=1000)
    z = (12 / 12 - 0.5) / (0.25 / 12) ** 0.5
    assert test.value == pytest.approx(2 * NormalDist().cdf(-z), rel=1e-6)
    assert of(result, "chance_p_holm", "late", step=1000).n == 2


def test_few_items_are_not_spoken_of() -> None:
    assert len(spoken(curve((52.0, 70.0, 90.0)), curve((50.0, 75.0, 80.0), n=9, **{"class": "tiny"}))) == 1


def test_more_classes_than_a_sentence_names_are_in_the_table() -> None:
    classes = [curve((50.0, 75.0, 80.0), **{"class": name}) for name in "abcde"]
    (_, text) = spoken(curve((52.0, 70.0, 90.0)), *classes)[1]
    assert "; the table has the others (suggested)." in text
    assert "the table" not in spoken(curve((52.0, 70.0, 90.0)), *classes[:4])[1][1]


def test_what_was_lost_again() -> None:
    lost = curve((91.0, 70.0, 60.0))
    assert (SUGGESTED, "m was better before: accuracy 91.0 [83.0, 99.0] at step 17 and 60.0 [52.0, 68.0] at step "
            "1560, the last (suggested).") in spoken(lost)  # fmt: skip
    assert not any("better before" in text for _, text in spoken(curve((75.0, 70.0, 60.0))))  # the intervals meet


def test_systems_without_an_axis_have_none_of_it_and_order_changes_nothing() -> None:
    assert spoken([Finding(*HEAD, "m", "accuracy", 71.0, 40, 65.0, 77.0)]) == []
    first, second = curve((52.0, 70.0, 90.0)), curve((52.0, 50.0, 51.0), system="b")
    assert sorted(spoken(first, second)) == sorted(spoken(second, first))
