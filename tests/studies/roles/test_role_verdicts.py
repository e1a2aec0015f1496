"""The verdicts of a study of roles: what an order or a property costs, and when nothing may be said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.runs.result.result import Finding, Verdict
from gardenpath.runs.result.verdict import NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.studies.engine.study import run
from gardenpath.studies.roles.declaration import RolesSettings
from gardenpath.studies.roles.study import ROLES
from gardenpath.studies.roles.tables import order_verdicts, role_verdicts
from verdict_checks import check_verdicts


def told(*changes: tuple[str, str, float, float, float], baseline: str = "") -> list[Verdict]:
    """The verdicts on changes of a kind, with their delta, p and corrected p."""
    head = ("roles", "suite", "a")
    findings = [
        Finding(*head, "las", 68.0, 364, 60.0, 75.0, {"order": "SVO"}),
        Finding(*head, "las", 15.0, 361, 11.0, 20.0, {"order": "OVS"}),
    ]
    for pair, change, delta, p, p_holm in changes:
        by = {"pair": pair, "change": change}
        findings += [
            Finding(*head, "las_delta", delta, 300, delta - 4, delta + 4, by),
            Finding(*head, "las_delta_p", p, 40, by=by),
            Finding(*head, "las_delta_p_holm", p_holm, 40, by=by),
        ]
    return list(role_verdicts(findings, "las", baseline, "base sentence"))


def test_the_costliest_order_is_named_with_both_scores() -> None:
    (verdict,) = told(("order", "SVO > OVS", -53.0, 1e-9, 1e-8), ("order", "SVO > VSO", -7.0, 0.001, 0.01))
    assert verdict.sure == SHOWN
    assert verdict.text == (
        "a loses 53.0 points [49.0, 57.0] when the order changes from SVO to OVS, 300 pairs (shown); "
        "over all items of these orders, LAS 68.0 [60.0, 75.0] and 15.0 [11.0, 20.0]."
    )
    assert [finding.measure for finding in verdict.rests_on] == [
        "las_delta", "las_delta_p", "las_delta_p_holm", "las", "las",
    ]  # fmt: skip


def test_codes_of_a_suite_are_explained() -> None:
    (verdict,) = told(("order", "VF[S]LK[V]MF[O] > VF[O]LK[V]MF[S]", -53.0, 1e-9, 1e-8))
    assert "from “verb second, subject first” (VF[S]LK[V]MF[O]) to “verb second, object first”" in verdict.text
    (verdict,) = told(("property", "pp", -9.0, 1e-9, 1e-8))
    assert "the property “PP” (pp), 300 pairs" in verdict.text
    (verdict,) = told(("property", "nounheadedpp", -9.0, 1e-9, 1e-8))
    assert "the property “PP of a noun” (nounheadedpp)" in verdict.text


def test_pairs_that_change_more_than_one_word_are_counted() -> None:
    by = {"pair": "property", "change": "semas"}
    head = ("roles", "suite", "a")
    findings = [
        Finding("roles", "suite", "", "several_words", 288, 300, by=by),
        Finding(*head, "las_delta", -9.0, 300, -13.0, -5.0, by),
        Finding(*head, "las_delta_p", 1e-9, 40, by=by),
        Finding(*head, "las_delta_p_holm", 1e-8, 40, by=by),
    ]
    (verdict,) = role_verdicts(findings, "las", "", "base sentence")
    assert verdict.text.endswith("300 pairs (shown); more than one word changes in 288 of 300 pairs.")
    assert findings[0] in verdict.rests_on
    (verdict,) = role_verdicts([replace(findings[0], value=0), *findings[1:]], "las", "", "base sentence")
    assert "word" not in verdict.text


def test_a_property_that_correction_takes_away_is_suggested() -> None:
    (verdict,) = told(("property", "spron", -9.0, 0.02, 0.3))
    assert verdict.sure == SUGGESTED
    assert verdict.text == (
        "a loses 9.0 points [5.0, 13.0] when a sentence gets the property “pronoun subject” (spron), "
        "300 pairs (suggested)."
    )


@pytest.mark.parametrize("change", [("property", "aux", -3.0, 0.2, 0.9), ("property", "aux", 8.0, 1e-6, 1e-5)])
def test_what_is_not_shown_or_no_loss_is_not_told(change: tuple[str, str, float, float, float]) -> None:
    assert told(change) == []


def test_what_a_baseline_loses_is_no_news() -> None:
    assert told(("order", "SVO > OVS", -53.0, 1e-9, 1e-8), baseline="a") == []


def test_verdicts_on_the_bundled_suite(samples: Path) -> None:
    """A parser that takes the first noun for the subject, beside one that is always right."""
    suite = samples / "de_garden-roles.conllu"
    systems = {"first": "baseline:subject-first", "gold": str(suite)}
    result = run(ROLES, suite, systems, RolesSettings(baseline="gold"))
    check_verdicts(result)
    assert result.verdicts[0].text.startswith("first is worse than gold: LAS -")
    again = run(ROLES, suite, dict(reversed(systems.items())), RolesSettings(baseline="gold"))
    assert {verdict.text for verdict in again.verdicts} == {verdict.text for verdict in result.verdicts}


# ---- the orders of a treebank


def ordered(svo: float, sov: float, p: float, clusters: int) -> list[Verdict]:
    """The verdicts on a treebank with these shares of two orders."""
    head, lead = ("roles", "gold", ""), {"order": "SVO", "than": "SOV"}
    findings = [
        Finding(*head, "share", svo, 200, svo - 5, svo + 5, {"order": "SVO"}),
        Finding(*head, "share", sov, 200, sov - 5, sov + 5, {"order": "SOV"}),
        Finding(*head, "share_lead", svo - sov, 200, svo - sov - 7, svo - sov + 7, lead),
        Finding(*head, "share_lead_p", p, clusters, by=lead),
    ]
    return list(order_verdicts(findings, "document"))


def test_the_most_frequent_order_is_named_where_its_lead_is_shown() -> None:
    (verdict,) = ordered(60.0, 30.0, 1e-6, 40)
    assert verdict.sure == SHOWN
    assert verdict.text == (
        "SVO is the most frequent order in gold (shown): SVO 60.0 [55.0, 65.0] %, SOV 30.0 [25.0, 35.0] %; "
        "+30.0 [23.0, 37.0] points, 200 clauses, 40 documents."
    )
    assert ordered(60.0, 30.0, 1e-6, 11)[0].sure == SUGGESTED


def test_no_order_is_called_the_most_frequent_where_chance_may_have_put_it_first() -> None:
    (verdict,) = ordered(46.0, 44.0, 0.6, 40)
    assert verdict.sure == NOT_SHOWN
    assert verdict.text.startswith("No order is shown to be the most frequent in gold: SVO 46.0")
    assert list(order_verdicts([], "document")) == []


def test_the_orders_of_a_treebank_lead_to_verdicts_that_rest_on_findings() -> None:
    result = gp.word_order("bundled:de-test", "baseline:subject-first")
    assert "SVO is the most frequent order" in result.verdicts[0].text
    assert any(verdict.text.startswith("Case and agreement leave") for verdict in result.verdicts)
    check_verdicts(result)
    lead = next(finding for finding in result.findings if finding.measure == "share_lead")
    shares = {f.by["order"]: f.value for f in result.findings if f.measure == "share" and list(f.by) == ["order"]}
    first, second = sorted(shares.values(), reverse=True)[:2]
    assert lead.value == pytest.approx(first - second)
