"""The rules of the joint study, on findings made by hand: of a construction only what is shown is said."""

from __future__ import annotations

import pytest

from gardenpath.runs.result.result import Finding, Value, Verdict
from gardenpath.runs.result.verdict import SUGGESTED
from gardenpath.studies.joint.study import joint_verdicts
from verdict_checks import unfounded


def association(gap: float, p: float, p_holm: float, clusters: int, **by: Value) -> list[Finding]:
    head, keys = ("joint", "s", "m"), {**by, "parser": "p"}
    return [
        Finding(*head, "effect_elsewhere", 3.0, 60, 2.5, 3.5, keys),
        Finding(*head, "effect_gap", gap, 60, gap - 0.5, gap + 0.5, keys),
        Finding(*head, "effect_gap_p", p, clusters, by=keys),
        Finding(*head, "effect_gap_p_holm", p_holm, clusters, by=keys),
    ]


def test_what_each_does_by_itself_reads_as_a_sentence() -> None:
    effect = Finding("joint", "s", "m", "effect", 3.2, 60, 2.1, 4.3)
    paths = [Finding("joint", "s", name, "astray", 20.0, 60, 12.0, 32.0) for name in "pq"]
    texts = [verdict.text for verdict in joint_verdicts([paths[0], effect], "item")]
    assert texts == [
        "p takes the garden path in 20.0 % [12.0, 32.0] of 60 items.",
        "m needs 3.2 bits [2.1, 4.3] more where an ambiguous sentence is resolved than in its counterpart, 60 items.",
    ]
    several = next(iter(joint_verdicts([*paths, effect], "item")))
    assert several.text == "Per cent of garden paths taken: p 20.0 [12.0, 32.0], q 20.0 [12.0, 32.0]; 60 items."


def test_what_is_not_shown_says_how_many_items_would_show_it() -> None:
    (verdict,) = [verdict for verdict in told(association(0.2, 0.4, 0.4, 30)) if "No association" in verdict.text]
    # (1.96 + 0.8416) · (0.5 / 1.96) / 0.2 = 3.573; 30 · 3.573² = 383
    assert verdict.text.endswith("; about 384 would be needed there to show a difference of this size.")
    assert unfounded(verdict) == []


def told(*findings: list[Finding]) -> list[Verdict]:
    each = [Finding("joint", "s", "p", "astray", 20.0, 60, 12.0, 32.0), Finding("joint", "s", "m", "effect", 3.2, 60)]
    return list(joint_verdicts([*each, *(finding for some in findings for finding in some)], "item"))


@pytest.mark.parametrize(
    ("p", "p_holm", "clusters", "speaks"),
    [(0.001, 0.01, 30, True), (0.02, 0.2, 30, False), (0.001, 0.01, 19, False), (0.4, 0.9, 30, False)],
    ids=["shown", "correction takes it away", "too few items", "no difference"],
)
def test_a_construction_is_named_only_where_it_is_shown(p: float, p_holm: float, clusters: int, speaks: bool) -> None:
    verdicts = told(association(1.5, p, p_holm, clusters, construction="npz"))
    named = [verdict for verdict in verdicts if " at npz" in verdict.text]
    assert len(named) == speaks
    for verdict in named:
        assert verdict.text.startswith(
            "Where p takes the garden path at npz, m is more surprised: +1.5 [1.0, 2.0] bits"
        )
    assert all(unfounded(verdict) == [] for verdict in verdicts)


def test_of_all_items_what_is_suggested_is_marked_and_zero_in_the_interval_claims_nothing() -> None:
    (suggested,) = [verdict for verdict in told(association(1.5, 0.02, 0.2, 30)) if "Where p" in verdict.text]
    assert suggested.sure == SUGGESTED
    assert suggested.text.endswith("(suggested).")
    assert [verdict for verdict in told(association(0.2, 0.4, 0.4, 30)) if "Where p" in verdict.text] == []
