"""What the evaluation of phrase trees says in sentences, and where it must say nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.runs.result.result import Finding, Result
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.studies.engine.study import run
from gardenpath.studies.engine.verdicts import MeasureWords, score_verdicts
from gardenpath.studies.evaluation.declaration import BracketSettings
from gardenpath.studies.evaluation.phrase_study import BRACKETS
from verdict_checks import check_verdicts, unfounded

WORDS = MeasureWords("f1", "labelled F1", "bracket", "sentence")
GOLD = from_notation("(S (NP:SB (ART:NK Die) (NN:NK Katze)) (VVFIN:HD sieht) (NP:OA (NN:NK Hunde))) ($. .)")
FLAT = from_notation("(S (ART:NK Die) (NN:NK Katze) (VVFIN:HD sieht) (NN:NK Hunde)) ($. .)")


def evaluate(systems: Mapping[str, Sequence[PhraseTree]], size: int) -> Result:
    return run(BRACKETS, [GOLD] * size, dict(systems), BracketSettings(scheme="tiger"))


@pytest.mark.parametrize(("size", "flat", "sure"), [(40, 20, SHOWN), (12, 11, SUGGESTED), (40, 1, NOT_SHOWN)])
def test_a_difference_is_as_sure_as_sentences_and_p_let_it_be(size: int, flat: int, sure: str) -> None:
    """Many sentences that differ; many of few sentences; one of many."""
    spoiled = [FLAT] * flat + [GOLD] * (size - flat)
    result = evaluate({"a": [GOLD] * size, "b": spoiled}, size)
    check_verdicts(result)
    verdict = next(verdict for verdict in result.verdicts if verdict.sure != MEASURED)
    assert verdict.sure == sure
    claim = "No difference between b and a is shown" if sure == NOT_SHOWN else "b is worse than a"
    assert verdict.text.startswith(f"{claim}: ")


def test_the_same_trees_are_a_tie_and_the_order_of_systems_changes_nothing() -> None:
    systems = {"a": [GOLD] * 40, "b": [GOLD] * 40, "c": [FLAT] * 30 + [GOLD] * 10}
    result = evaluate(systems, 40)
    check_verdicts(result)
    (tie,) = [verdict for verdict in result.verdicts if "between b and a" in verdict.text]
    assert tie.sure == NOT_SHOWN
    assert "would be needed" not in tie.text
    again = evaluate({name: systems[name] for name in ("a", "c", "b")}, 40)
    assert {verdict.text for verdict in again.verdicts} == {verdict.text for verdict in result.verdicts}


@pytest.mark.parametrize(
    ("value", "half", "n", "speaks"),
    [(40.0, 8.0, 60, True), (70.0, 12.0, 60, False), (40.0, 8.0, 29, False)],
    ids=["surely less", "interval meets the whole", "too few brackets"],
)
def test_the_weakest_label_is_named_only_where_it_surely_is(value: float, half: float, n: int, speaks: bool) -> None:
    head = ("brackets", "trees", "p")
    findings = [
        Finding(*head, "f1", 80.0, 900, 77.0, 83.0),
        Finding(*head, "f1", value, n, value - half, value + half, {"label": "VP"}),
        Finding(*head, "f1", 85.0, 400, 81.0, 88.0, {"label": "NP"}),
    ]
    _, *others = score_verdicts(findings, WORDS, "", [("label",)])
    assert [verdict.text.startswith("p has its lowest labelled F1 at label VP (40.0") for verdict in others] == [
        True
    ] * speaks
    assert all(unfounded(verdict) == [] for verdict in others)
