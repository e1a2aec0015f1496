"""The verdicts of acquisition curves: each rule with a case in which it speaks and one in which it must not."""

from __future__ import annotations

import pytest

from gardenpath.runs.result.result import Finding, Value
from gardenpath.runs.result.verdict import NOT_SHOWN, SUGGESTED
from gardenpath.studies.surprisal.acquisition import ABOVE_CHANCE, acquisition_verdicts
from verdict_checks import unfounded

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
    ]


def spoken(*curves: list[Finding], seeds: int = 3) -> list[tuple[str, str]]:
    findings = [finding for each in curves for finding in each]
    findings += [Finding(*HEAD, system, "seeds", seeds) for system in {finding.system for finding in findings} - {""}]
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
