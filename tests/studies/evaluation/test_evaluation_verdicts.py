"""The verdicts of an evaluation: when a rule speaks, and when it must not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from gardenpath.runs.result.result import Finding, Result, Value, Verdict
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, SUGGESTED, ranked
from gardenpath.studies.engine.study import run
from gardenpath.studies.engine.verdicts import MeasureWords, score_verdicts
from gardenpath.studies.evaluation.declaration import EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.treebank import Treebank, read
from spoil import spoiled
from verdict_checks import check_verdicts

WORDS = MeasureWords("las", "LAS", "word", "sentence")


@pytest.fixture(scope="module")
def gold(samples: Path) -> Treebank:
    return read(samples / "de_garden-test.conllu")


@pytest.fixture(scope="module")
def result(gold: Treebank) -> Result:
    systems = {"a": spoiled(gold, 1, labels=0.4), "b": spoiled(gold, 2, labels=0.1), "c": spoiled(gold, 3, labels=0.1)}
    return run(EVALUATION, gold, systems, EvaluationSettings(by=("label",)))


def told(*differences: tuple[float, ...]) -> list[Verdict]:
    """The verdicts on systems whose difference, interval, p and p after both corrections are these."""
    findings = []
    for number, (value, low, high, p, p_holm, *p_bh) in enumerate(differences):
        by: Mapping[str, Value] = {"baseline": "a"}
        head = ("evaluation", "gold", f"b{number}")
        findings += [
            Finding(*head, "las_difference", value, 40, low, high, by),
            Finding(*head, "las_p", p, 40, by=by),
            Finding(*head, "las_p_holm", p_holm, 40, by=by),
            Finding(*head, "las_p_bh", (p_bh or [p_holm])[0], 40, by=by),
        ]
    findings.append(Finding("evaluation", "gold", "a", "las", 80.0, 900, 75.0, 84.0))
    verdicts = score_verdicts(findings, WORDS, "a")
    return [verdict for verdict in verdicts if verdict.rests_on[0].measure == "las_difference"]


def test_a_difference_that_correction_leaves_is_shown() -> None:
    (verdict,) = told((-0.56, -0.9, -0.2, 0.002, 0.006))
    assert verdict.sure == SHOWN
    assert verdict.text == "b0 is worse than a: LAS -0.56 [-0.90, -0.20], 40 sentences (shown)."


def test_one_that_correction_takes_away_is_suggested() -> None:
    (verdict,) = told((2.0, 0.1, 3.9, 0.04, 0.12, 0.08))
    assert verdict.sure == SUGGESTED
    assert verdict.text == "b0 is better than a: LAS +2.0 [0.1, 3.9], 40 sentences (suggested)."


def test_an_interval_with_zero_in_it_claims_nothing() -> None:
    (verdict,) = told((1.0, -1.0, 3.0, 0.3, 0.9))
    assert verdict.sure == NOT_SHOWN
    assert verdict.text == (
        "No difference between b0 and a is shown: LAS +1.0 [-1.0, 3.0], 40 sentences; about 307 would be needed to "
        "show a difference of this size."
    )


def test_systems_that_differ_from_the_baseline_alike_share_a_sentence_the_largest_difference_first() -> None:
    worse, better = (-0.56, -0.9, -0.2, 0.002, 0.006), (2.0, 0.1, 3.9, 0.004, 0.012)
    more = (-3.0, -4.0, -2.0, 0.001, 0.004)
    shown = told(worse, better, more)
    assert [verdict.text for verdict in shown] == [
        "b2 and b0 are worse than a: LAS -3.0 [-4.0, -2.0] and -0.56 [-0.90, -0.20], 40 sentences (shown).",
        "b1 is better than a: LAS +2.0 [0.1, 3.9], 40 sentences (shown).",
    ]
    assert len(shown[0].rests_on) == 8
    # What only one of them shows is not said of both.
    assert [verdict.sure for verdict in told(worse, (-3.0, -5.9, -0.1, 0.04, 0.12, 0.09))] == [SHOWN, SUGGESTED]
    many = told(*[(-1.0 - number, -12.0, -0.1, 0.001, 0.01) for number in range(8)])
    assert many[0].text.startswith("b7, b6, b5, b4, b3 and others are worse than a: LAS -8.0 [-12.0, -0.1], -7.0 [")
    assert len(many) == 1


def test_a_tie_needs_no_number() -> None:
    (verdict,) = told((0.0, -1.0, 1.0, 1.0, 1.0))
    assert verdict.text == "No difference between b0 and a is shown: LAS +0.00 [-1.00, 1.00], 40 sentences."


def scores(**given: tuple[float, int]) -> str:
    findings = [
        Finding("evaluation", "gold", name, "las", las, n, las - 5, las + 5) for name, (las, n) in given.items()
    ]
    (verdict,) = score_verdicts(findings, WORDS, "a")
    return verdict.text


def test_where_nothing_was_scored_nothing_is_said() -> None:
    assert list(score_verdicts([], WORDS, "a", [("label",)])) == []
    assert list(score_verdicts([Finding("evaluation", "gold", "a", "las", None, 0)], WORDS, "a")) == []


def test_the_scores_of_all_systems_are_one_sentence_the_best_first() -> None:
    assert scores(a=(70.0, 900)) == "a: LAS 70.0 [65.0, 75.0], 900 words."
    assert scores(a=(70.0, 900), b=(80.0, 900)) == "LAS: b 80.0 [75.0, 85.0], a 70.0 [65.0, 75.0]; 900 words."
    assert scores(a=(70.0, 900), b=(80.0, 1)) == ("LAS: b 80.0 [75.0, 85.0] (1 word), a 70.0 [65.0, 75.0] (900 words).")
    many = scores(**{name: (90.0 - number, 9) for number, name in enumerate("abcdefgh")})
    assert ", e 86.0 [81.0, 91.0], …, h 83.0 [78.0, 88.0]; 9 words." in many


def groups(worst: float, n: int, high: float) -> list[Verdict]:
    findings = [
        Finding("evaluation", "gold", "a", "las", 80.0, 900, 75.0, 84.0),
        Finding("evaluation", "gold", "a", "las", worst, n, worst - 5, high, {"label": "obj"}),
        Finding("evaluation", "gold", "a", "las", 90.0, 500, 85.0, 93.0, {"label": "det"}),
    ]
    verdicts = score_verdicts(findings, WORDS, "a", [("label",)])
    return [verdict for verdict in verdicts if verdict.rests_on[0].by]


def test_the_worst_group_is_named_where_it_is_worse_than_all() -> None:
    (verdict,) = groups(50.0, 60, 62.0)
    assert verdict.text == (
        "a has its lowest LAS at label obj (50.0 [45.0, 62.0], 60 words), compared with 80.0 [75.0, 84.0] overall."
    )
    assert (verdict.sure, verdict.examples) == (MEASURED, "obj")
    assert groups(50.0, 29, 62.0) == []  # too few words
    assert groups(70.0, 60, 76.0) == []  # the interval reaches into that of all


def by_label(*given: tuple[float, int]) -> list[str]:
    """What is said of groups with these scores and sizes, whose intervals are 10 points wide; all have 80."""
    findings = [Finding("evaluation", "gold", "a", "las", 80.0, 900, 78.0, 82.0)]
    for number, (las, n) in enumerate(given):
        label = {"label": "abcdefgh"[number]}
        findings.append(Finding("evaluation", "gold", "a", "las", las, n, las - 5, las + 5, label))
    verdicts = score_verdicts(findings, WORDS, "a", [("label",)])
    return [verdict.text for verdict in verdicts if verdict.rests_on[0].by]


def test_the_lowest_three_are_named_and_what_is_left_out_is_counted() -> None:
    (text,) = by_label((50.0, 60), (40.0, 60), (50.0, 60), (50.0, 60), (45.0, 60), (20.0, 29), (85.0, 300))
    assert text == (
        "a has its lowest LAS at label b (40.0 [35.0, 45.0], 60 words), label e (45.0 [40.0, 50.0], 60 words) and "
        "label a (50.0 [45.0, 55.0], 60 words), compared with 80.0 [78.0, 82.0] overall; 2 more are below that; "
        "1 group of fewer than 30 words not ranked."
    )


def test_groups_that_are_most_of_all_words_are_not_its_weakness() -> None:
    """Heads to the left and to the right are all words but the roots."""
    assert by_label((70.0, 440), (71.0, 420), (95.0, 40)) == []
    assert by_label((79.0, 200), (81.0, 200)) == []  # they do not differ
    assert len(by_label((70.0, 440), (81.0, 420), (95.0, 40))) == 1


def test_where_a_rule_is_weakest_is_told_only_where_there_are_no_other_systems() -> None:
    def weakest(*systems: str) -> list[str]:
        findings = [
            finding
            for system in systems
            for finding in (
                Finding("evaluation", "gold", system, "las", 80.0, 900, 75.0, 84.0),
                Finding("evaluation", "gold", system, "las", 50.0, 60, 45.0, 62.0, {"label": "obj"}),
            )
        ]
        verdicts = score_verdicts(findings, WORDS, "a", [("label",)])
        return [verdict.text.split(" has ")[0] for verdict in verdicts if "lowest" in verdict.text]

    assert weakest("baseline:x", "a") == ["a"]
    assert weakest("baseline:x") == ["baseline:x"]


def test_no_number_that_is_no_finding(result: Result) -> None:
    check_verdicts(result)


def test_the_order_of_systems_changes_no_verdict(gold: Treebank, result: Result) -> None:
    systems = {"c": spoiled(gold, 3, labels=0.1), "b": spoiled(gold, 2, labels=0.1), "a": spoiled(gold, 1, labels=0.4)}
    again = run(EVALUATION, gold, systems, EvaluationSettings(by=("label",), baseline="a"))
    assert {verdict.text for verdict in again.verdicts} == {verdict.text for verdict in result.verdicts}


def test_they_stand_first_in_every_form(result: Result) -> None:
    from gardenpath.report.formats import render
    from gardenpath.report.html import result_html

    first = result.verdicts[0].text
    assert "are better than a" in first
    assert render(result, "table").replace("\n  ", " ").startswith(f"- {first}")
    assert render(result, "markdown").startswith(f"- {first}")
    assert result_html(result).startswith("<ul><li>")


@pytest.mark.parametrize(
    ("system", "baseline", "value", "is_news"),
    [
        ("baseline:x", "parser", -40.0, False),
        ("parser", "baseline:x", -40.0, True),
        ("baseline:x", "parser", 40.0, True),
        ("baseline:x", "baseline:y", -40.0, True),
    ],
)
def test_that_a_rule_loses_to_a_system_comes_last(system: str, baseline: str, value: float, is_news: bool) -> None:
    head, by = ("evaluation", "gold", system), {"baseline": baseline}
    findings = [
        Finding(*head, "las_difference", value, 40, value - 1, value + 1, by),
        Finding(*head, "las_p", 0.0001, 40, by=by),
        Finding(*head, "las", 40.0, 900, 35.0, 44.0),
    ]
    first, last = ranked(score_verdicts(findings, WORDS, baseline))
    assert "than" in (first if is_news else last).text
    assert (last if is_news else first).sure == MEASURED
