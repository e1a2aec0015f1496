"""The verdicts of a comparison of runs: overall, by group, and when a rule must not speak."""

from __future__ import annotations

import numpy as np
import pytest
from comparison_runs import make_run

from gardenpath.report.formats import render
from gardenpath.runs.result.result import Finding, Result, Verdict
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.studies.compare.study import compare, comparison_verdicts
from verdict_checks import check_verdicts


def findings_of(
    value: float, half: float, p: float, p_holm: float, order: str = "", clusters: int = 40
) -> list[Finding]:
    head, by = ("comparison", "suite", "b"), {**({"order": order} if order else {}), "baseline": "runs/a"}
    return [
        Finding(*head, "las_difference", value, 300, value - half, value + half, by),
        Finding(*head, "las_p", p, clusters, by=by),
        Finding(*head, "las_p_holm", p_holm, clusters, by=by),
        Finding(*head, "las_items_needed", 1234 if value else None, 300, by=by),
    ]


def told(*findings: list[Finding]) -> list[Verdict]:
    return list(
        comparison_verdicts([finding for some in findings for finding in some], ["las"], "runs/a", "base sentence")
    )


def test_the_better_run_is_named_with_how_sure_that_is() -> None:
    (verdict,) = told(findings_of(-0.56, 0.36, 0.002, 0.004))
    assert verdict.text == "b is worse than a: LAS -0.56 [-0.92, -0.20], 40 base sentences (shown)."
    assert verdict.sure == SHOWN


def test_fewer_than_twenty_clusters_show_nothing() -> None:
    (verdict,) = told(findings_of(-0.56, 0.36, 0.002, 0.004, clusters=19))
    assert verdict.sure == SUGGESTED
    assert verdict.text.endswith(", 19 base sentences (suggested).")


def test_where_nothing_is_shown_the_items_needed_are_those_of_the_finding() -> None:
    (verdict,) = told(findings_of(0.5, 0.7, 0.2, 0.4))
    assert verdict.sure == NOT_SHOWN
    assert verdict.text == (
        "No difference between b and a is shown: LAS +0.50 [-0.20, 1.20], 40 base sentences; about 1,234 items would "
        "be needed to show a difference of this size."
    )
    assert verdict.rests_on[-1].measure == "las_items_needed"


def test_a_tie_needs_no_number_of_items() -> None:
    (verdict,) = told(findings_of(0.0, 1.0, 1.0, 1.0))
    assert verdict.text == "No difference between b and a is shown: LAS +0.00 [-1.00, 1.00], 40 base sentences."


def test_groups_speak_only_where_something_is_there() -> None:
    everywhere = findings_of(0.5, 0.7, 0.2, 0.4)
    verdicts = told(
        everywhere, findings_of(-9, 3, 1e-6, 1e-5, "OVS"), findings_of(-4, 3, 0.01, 0.04, "VSO"),
        findings_of(6, 4, 0.01, 0.2, "SVO"), findings_of(8, 9, 0.08, 0.9, "SOV"),
    )  # fmt: skip
    assert [verdict.text for verdict in verdicts[1:]] == [
        "b is worse than a at order OVS: LAS -9.0 [-12.0, -6.0], 40 base sentences (shown).",
        "b is better than a at order SVO: LAS +6.0 [2.0, 10.0], 40 base sentences (suggested).",
    ]
    assert len(told(everywhere, findings_of(8, 9, 0.08, 0.9, "SOV"))) == 1


def test_what_else_differs_is_said() -> None:
    told_of = comparison_verdicts([], ["las"], "a", "item", ["mode: tokens, text (in the order of the runs)"])
    (verdict,) = told_of
    assert verdict.sure == MEASURED
    assert verdict.text.startswith("The runs also differ in mode: tokens, text")


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Result]:
    """Three runs, and the same with the last two in the other order."""
    folder = tmp_path_factory.mktemp("verdicts")
    chance = np.random.default_rng(4)
    shares = {"a": 0.5, "b": 0.8, "c": 0.52}
    runs = {
        name: make_run(folder / name, (chance.random((60, 2)) < share).astype(int).tolist())
        for name, share in shares.items()
    }
    return compare([runs["a"], runs["b"], runs["c"]]), compare([runs["a"], runs["c"], runs["b"]])


def test_a_comparison_of_runs_opens_with_its_verdicts(compared: tuple[Result, Result]) -> None:
    check_verdicts(compared[0])
    assert compared[0].verdicts[0].text.startswith("b is better than a: LAS +")
    assert any(verdict.sure == NOT_SHOWN for verdict in compared[0].verdicts)


def test_the_order_of_the_others_changes_no_verdict(compared: tuple[Result, Result]) -> None:
    first, second = ({verdict.text for verdict in result.verdicts} for result in compared)
    assert first == second


def test_for_a_pull_request_verdicts_come_first_in_markdown(compared: tuple[Result, Result]) -> None:
    text = render(compared[0], "markdown")
    sentences, _, tables = text.partition("\n\n")
    assert sentences.startswith("- b is better than a: LAS +")
    assert len(sentences.split("\n")) == len(compared[0].verdicts)
    assert tables.startswith("**LAS on s.tsv, paired by item**\n\n| group | items |")
