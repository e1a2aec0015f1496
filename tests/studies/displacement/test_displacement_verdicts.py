"""The verdicts of the studies of displacement: when a distance, a split or a correlation is something, and when not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gardenpath.runs.result.result import Finding, Value, Verdict
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.studies.displacement.declaration import PairSettings
from gardenpath.studies.displacement.pair import DISPLACEMENT_PAIR
from gardenpath.studies.displacement.split_effects import summary
from gardenpath.studies.displacement.verdicts import collection_verdicts, experiment_verdicts, pair_verdicts
from gardenpath.studies.engine import study as engine
from verdict_checks import check_verdicts, unfounded

TESTED = [
    (0.2, 0.001, 0.003, 40, "farther from a than chance would put it", SHOWN),
    (0.2, 0.03, 0.09, 40, "farther from a than chance would put it", SUGGESTED),  # correction takes it away
    (0.2, 0.001, 0.003, 19, "farther from a than chance would put it", SUGGESTED),  # too few documents
    (-0.2, 0.001, 0.003, 40, "nearer to a than chance would put it", SHOWN),
    (0.05, 0.4, 0.8, 40, "not shown to be farther from a than chance would put it", NOT_SHOWN),
]


@pytest.mark.parametrize(("excess", "p", "p_holm", "documents", "claim", "sure"), TESTED)
def test_a_distance_is_more_than_chance_or_not(
    excess: float, p: float, p_holm: float, documents: int, claim: str, sure: str
) -> None:
    head = ("displacement", "b", "")
    findings = [
        Finding(*head, "edv", 0.28, 90, 0.2, 0.36),
        Finding(*head, "edv_excess", excess, 90, excess - 0.1, excess + 0.1),
        Finding(*head, "edv_p", p, documents),
        Finding(*head, "edv_p_holm", p_holm, documents),
    ]
    (verdict,) = pair_verdicts(findings, "a", "b", "document")
    assert verdict.sure == sure
    assert verdict.text.startswith(f"In its edges, b is {claim}: EDV 0.28 [0.20, 0.36] tokens, excess over random ")
    assert unfounded(verdict) == []


@pytest.mark.parametrize("draws", [0, 30])
def test_verdicts_on_a_bundled_pair(samples: Path, draws: int) -> None:
    sides = (samples / "de_garden-train.conllu", samples / "de_garden-test.conllu")
    result = engine.run(DISPLACEMENT_PAIR, sides, (), PairSettings(draws=draws))
    check_verdicts(result)
    assert len(result.verdicts) == 3
    assert all(verdict.sure != SHOWN for verdict in result.verdicts)  # there are 11 documents
    if not draws:
        assert "what chance would do was not drawn" in result.verdicts[0].text


# ---- collections


def correlation(analysis: str, x: str, rho: float, p: float, covariates: str = "", n: int = 38) -> list[Finding]:
    by: dict[str, Value] = {"analysis": analysis, "x": x, "y": "las", "covariates": covariates, "set": "all"}
    head = ("displacement", "ud", "udpipe")
    return [
        Finding(*head, "spearman", rho, n, rho - 0.2, rho + 0.2, by),
        Finding(*head, "spearman_p", p, n, by=by),
        Finding(*head, "spearman_p_holm", 2 * p, n, by=by),
    ]


def collected(*findings: list[Finding]) -> list[Verdict]:
    every = [finding for some in findings for finding in some]
    return list(collection_verdicts(every, "ud", ["A", "B"], ["train_tokens", "test_length"]))


def test_a_correlation_is_told_with_and_without_covariates() -> None:
    held = "train_tokens,test_length"
    verdicts = collected(correlation("partial", "edv", -0.42, 0.001), correlation("partial", "edv", -0.1, 0.5, held))
    assert [(verdict.sure, verdict.text) for verdict in verdicts] == [
        (SHOWN, "With greater EDV comes lower LAS of udpipe: ρ -0.42 [-0.62, -0.22], 38 treebanks (shown)."),
        (NOT_SHOWN, "No correlation of EDV and LAS of udpipe with train tokens and test length held constant is "
         "shown: ρ -0.10 [-0.30, 0.10], 38 treebanks."),
    ]  # fmt: skip


@pytest.mark.parametrize(("p", "n", "sure"), [(0.03, 38, SUGGESTED), (0.001, 19, SUGGESTED), (0.06, 38, NOT_SHOWN)])
def test_a_correlation_that_correction_or_few_treebanks_take_away(p: float, n: int, sure: str) -> None:
    (verdict,) = collected(correlation("partial", "edv", -0.42, p, n=n))
    assert verdict.sure == sure


def test_the_order_of_systems_changes_no_verdict() -> None:
    first = correlation("partial", "edv", -0.6, 0.001)
    second = [replace(finding, system="stanza", value=-0.1) for finding in correlation("partial", "edv", -0.1, 0.6)]
    assert {told.text for told in collected(first, second)} == {told.text for told in collected(second, first)}


def test_the_variable_with_the_largest_correlation() -> None:
    (verdict,) = collected(correlation("score", "train_tokens", 0.7, 1e-5), correlation("score", "slv", -0.4, 0.01))
    assert verdict.text == (
        "With more train tokens comes higher LAS of udpipe: ρ 0.70 [0.50, 0.90], 38 treebanks (shown), the largest ρ "
        "beside EDV."
    )
    assert collected(correlation("score", "slv", -0.2, 0.2)) == []


def test_how_many_test_sets_are_beyond_chance_and_which_is_farthest() -> None:
    distances = [Finding("displacement", name, "", "edv", value, 90, value - 0.1, value + 0.1)
                 for name, value in (("A", 0.5), ("B", 0.2))]  # fmt: skip
    first, second = collected([Finding("displacement", "ud", "", "edv_beyond_chance", 1, 2), *distances])
    assert first.text.startswith("1 of 2 test sets are farther from their training data than chance would put them")
    assert second.text == (
        "The farthest test set is that of A, EDV 0.50 [0.40, 0.60] tokens; the nearest that of B, 0.20 [0.10, 0.30]."
    )
    assert collected(distances[:1]) == []


# ---- experiments


def splits(las: float, loss: float, edv: float, random: list[float]) -> dict[tuple[str, int], dict[str, float]]:
    scores = {"las": las, "edv": 1.0, "slv": 1 + edv / 7, "train_tokens": 9.0, "test_tokens": 9.0,
              "test_length": 9 + edv % 3, "trees": 9.0}  # fmt: skip
    made = {("min", 0): scores, ("max", 0): {**scores, "las": las - loss, "edv": 1 + edv, "slv": 1.5}}
    return made | {("random", n): {**scores, "las": value} for n, value in enumerate(random, 1)}


def experimented(treebanks: int, sign: float = 1.0) -> list[Verdict]:
    made = {
        f"UD_{n:02d}": splits(80.0, sign * (1 + n / 10), 1 + n, [80.0, 79.0, 78.9 - n]) for n in range(treebanks)
    }  # fmt: skip
    verdicts = list(experiment_verdicts(summary("ud", "udpipe", made)[0], "ud", "udpipe"))
    assert all(unfounded(verdict) == [] for verdict in verdicts)
    return verdicts


def test_an_experiment_says_what_splits_do() -> None:
    verdicts = experimented(20)
    assert verdicts[0].sure == SHOWN
    assert verdicts[0].text.startswith("udpipe scores lower on splits of greatest EDV than on those of least: LAS -1.9")
    assert verdicts[0].text.endswith("20 treebanks, lower in 20 (shown).")
    # of 80, 79 and 78.9 - n, one is lower than 80 by more than a point
    assert verdicts[1].text == (
        "20 of 60 random splits are harder by more than a point of LAS than the split of least EDV."
    )
    assert verdicts[2].text.startswith("Luck of the split: the LAS of random splits varies most for UD_19, standard ")
    assert verdicts[3].text.startswith("With greater difference in EDV comes greater loss of LAS: ρ -1.00")
    assert [verdict.sure for verdict in verdicts[1:3]] == [MEASURED, MEASURED]


def test_few_treebanks_show_nothing_and_no_random_split_no_luck() -> None:
    assert experimented(19)[0].sure == SUGGESTED
    assert experimented(20, -1.0)[0].text.startswith("udpipe scores higher on splits of greatest EDV")
    made = {f"UD_{n}": splits(80.0, (-1.0) ** n, 1.0, []) for n in range(6)}
    (verdict,) = experiment_verdicts(summary("ud", "udpipe", made)[0], "ud", "udpipe")
    assert verdict.text.startswith("No difference of udpipe between the splits of greatest and of least EDV is shown:")
