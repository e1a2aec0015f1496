"""Checks of runs: conditions on findings, the gate against an earlier run, and the scores they compare."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from comparison_runs import make_run
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import gardenpath as gp
from gardenpath.errors import GardenpathError, UsageError
from gardenpath.library.result import StudyResult
from gardenpath.report.formats import render
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Finding, Result
from gardenpath.stats.sampling import Clusters, Difference, share_difference
from gardenpath.studies.compare.conditions import check, parse_condition
from gardenpath.studies.compare.gate import HOLDS, PERHAPS, WORSE, gate, group_changes
from gardenpath.studies.compare.pairing import Entrant, Judgements
from verdict_checks import check_verdicts

RESULT = Result(
    "study:roles|version:1",
    [
        Finding("roles", "s", "a", "las", 60.0, 10),
        Finding("roles", "s", "b", "las", 30.0, 10),
        Finding("roles", "s", "a", "las", 41.0, 5, by={"order": "VF[O]LK[V]MF[S]"}),
        Finding("roles", "s", "b", "las", 39.0, 5, by={"order": "VF[O]LK[V]MF[S]"}),
        Finding("roles", "s", "a", "las", 20.0, 2, by={"order": "VF[O]LK[V]MF[S]", "property": "psy"}),
        Finding("roles", "s", "a", "items", 3, 5, by={"kind": "right, both", "ambiguous": True}),
        Finding("roles", "s", "a", "uas", None),
        Finding("roles", "s", "a", "only", 1.0, by={"order": "x"}),
    ],
)


def test_the_parts_of_a_condition() -> None:
    found = parse_condition(" roles.las[order=VF[O]LK[V]MF[S], system=a] >= 40.5 ")
    assert (found.study, found.measure, found.sign, found.bound) == ("roles", "las", ">=", 40.5)
    assert found.keys == (("order", "VF[O]LK[V]MF[S]"), ("system", "a"))
    assert parse_condition("a.b<-1e3").bound == -1000


@pytest.mark.parametrize(
    ("condition", "verdicts"),
    [
        ("roles.las>=40", [True, False]),
        ("roles.las[system=a]>=60", [True]),
        ("roles.las[system=a]>60", [False]),
        ("roles.las[order=VF[O]LK[V]MF[S]]>=40", [True, False]),
        ("roles.las[order=VF[O]LK[V]MF[S],property=psy]<=20", [True]),
        ("roles.items[kind=right, both,ambiguous=true]<3", [False]),
        ("roles.las[suite=s,system=b]<31", [True]),
    ],
)
def test_verdicts(condition: str, verdicts: list[bool]) -> None:
    result, found = check(RESULT, [condition])
    assert [one.holds for one in found] == verdicts
    assert [one.by["holds"] for one in result.findings] == verdicts
    assert result.failures == ({} if all(verdicts) else {"conditions that fail": verdicts.count(False)})


@pytest.mark.parametrize(
    ("las", "low", "high", "sentence"),
    [
        (35.0, 30.0, 39.0, "fails with 35.0 [30.0, 39.0]."),
        (45.0, 41.0, 49.0, "holds with 45.0 [41.0, 49.0]."),
        (39.0, 35.0, 43.0, "fails with 39.0 [35.0, 43.0]: the bound is within the interval, so another sample could "
         "decide otherwise."),
        (39.0, None, None, "fails with 39.0."),
    ],
)  # fmt: skip
def test_a_condition_is_told_in_a_sentence(las: float, low: float | None, high: float | None, sentence: str) -> None:
    given = Result("study:roles", [Finding("roles", "s", "a", "las", las, 90, low, high)])
    result, _ = check(given, ["roles.las>=40"])
    assert [verdict.text for verdict in result.verdicts] == [f"a: roles.las>=40 {sentence}"]
    check_verdicts(result)


def test_for_a_pull_request_what_fails_comes_first_in_markdown() -> None:
    text = render(check(RESULT, ["roles.las>=40"])[0], "markdown")
    assert text.startswith("- b: roles.las>=40 fails with 30.0.\n- a: roles.las>=40 holds with 60.0.\n\n**Conditions: ")
    assert "\n| condition | suite | system | value | n | verdict |\n| --- |" in text


@pytest.mark.parametrize(
    ("condition", "exact"),
    [
        ("Roles.LAS[ORDER=vf[o]lk[v]mf[s]]>=40", "roles.las[order=VF[O]LK[V]MF[S]]>=40"),
        ("roles.las[order=OVS]>=40", "roles.las[order=VF[O]LK[V]MF[S]]>=40"),
        ("roles.las[order=ovs,property=PSY]<=20", "roles.las[order=VF[O]LK[V]MF[S],property=psy]<=20"),
    ],
)
def test_names_are_forgiving(condition: str, exact: str) -> None:
    (_, meant), (_, named) = check(RESULT, [condition]), check(RESULT, [exact])
    assert [(checked.finding, checked.holds) for checked in meant] == [
        (checked.finding, checked.holds) for checked in named
    ]


def test_a_command_may_stand_for_its_study() -> None:
    result = Result("s", [Finding("evaluation", "s", "a", "las", 60.0, 10)])
    assert [checked.holds for checked in check(result, ["evaluate.LAS>=50"])[1]] == [True]


def test_an_order_that_may_be_two_is_refused() -> None:
    orders = ["LK[V]MF[SO]", "VF[ADV]LK[V]MF[SO]"]
    result = Result("s", [Finding("roles", "s", "a", "las", 1.0, by={"order": order}) for order in orders])
    with pytest.raises(UsageError, match=r"may be any of 2\n.*LK\[V\]MF\[SO\], VF\[ADV\]"):
        check(result, ["roles.las[order=VSO]>=1"])


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("rolse.las>=40", "did you mean roles"),
        ("roles.lsa>=40", "did you mean las.*There are: items, las, only, uas"),
        ("roles.las[ordr=x]>=40", "did you mean order"),
        ("roles.las[order=VF[O]LK[V]MF[]]>=40", "did you mean VF"),
        ("roles.las[system=c]>=40", "known: a, b"),
        ("roles.only>=1", "add order"),
        ("roles.uas>=1", "has no value"),
        ("roles.las=>40", "not a condition"),
        ("roles.las>=forty", "not a number"),
        ("roles.las>=nan", "NaN"),
        ("roles.las[order]>=40", "not a key=value"),
        ("las>=40", "not a condition"),
        ("__import__('os').system('true')>=0", "not a condition"),
    ],
)
def test_what_is_no_condition(condition: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check(RESULT, [condition])


@given(st.text(alphabet="ab.[]=<>,1 \n", max_size=20))
def test_any_text_is_a_condition_or_an_error(text: str) -> None:
    try:
        found = parse_condition(text).text
    except GardenpathError:
        return
    assert found == text.strip()


def test_none_is_an_error() -> None:
    with pytest.raises(UsageError, match="no condition is given"):
        check(RESULT, [])


def test_a_condition_without_a_suite_is_about_all_of_them_together() -> None:
    findings = [
        Finding("surprisal", suite, "lstm", "accuracy", value, 10)
        for suite, value in (("2 suites", 60.0), ("first", 90.0), ("second", 30.0))
    ]
    result, checked = check(Result("s", findings), ["surprisal.accuracy>=50", "surprisal.accuracy[suite=second]>=50"])
    assert [(condition.finding.suite, condition.holds) for condition in checked] == [
        ("2 suites", True),
        ("second", False),
    ]
    assert result.tables[0].columns[1] == "suite"


def test_a_suite_is_named_without_the_class_that_it_belongs_to() -> None:
    """Its findings all have the class; that of a prediction is not meant."""
    keys = {"class": "agreement", "modifier": "none"}
    findings = [
        Finding("surprisal", "2 suites", "lstm", "accuracy", 60.0, 20),
        Finding("surprisal", "first", "lstm", "accuracy", 90.0, 10, by=keys),
        Finding("surprisal", "first", "lstm", "accuracy", 80.0, 10, by={**keys, "prediction": 1}),
        Finding("surprisal", "second", "lstm", "accuracy", 30.0, 10, by={**keys, "modifier": "clause"}),
    ]
    _, checked = check(Result("s", findings), ["surprisal.accuracy[suite=first]>=50"])
    assert [(condition.finding.suite, condition.value) for condition in checked] == [("first", 90.0)]
    _, checked = check(Result("s", findings), ["surprisal.accuracy[suite=first,prediction=1]>=50"])
    assert [condition.value for condition in checked] == [80.0]


# ---- the regression gate


def judged(old: NDArray[np.int64], new: NDArray[np.int64]) -> Judgements:
    """(classes × items) of two models, item by item."""
    classes, items = old.shape
    names = pl.DataFrame({"class": [f"c{n}" for n in range(classes) for _ in range(items)]})
    number = np.arange(old.size)
    values = np.stack([old.reshape(-1), new.reshape(-1)], axis=1).astype(float)
    entrants = (Entrant("old", "a", "old"), Entrant("new", "b", "new"))
    clusters = Clusters.of(item=number)
    return Judgements(
        "surprisal", "s", "", entrants, number, clusters, {"accuracy": values}, (), np.ones_like(values), names, names,
        {"class": set()},
    )  # fmt: skip


def alarms(pairs: list[Judgements]) -> list[set[str]]:
    """What got worse in each pair."""
    return [
        {change.difference.group for change, _, _ in group_changes([two], 0.0, ["class"]) if change.state == WORSE}
        for two in pairs
    ]


def drawn(chance: np.random.Generator, lost: float, gained: float, classes: int, items: int = 200) -> Judgements:
    """The first class loses and gains so many, the others as many of both; 80 % of the rest are right."""
    shape = (classes, items)
    right = (chance.random(shape) < 0.8).astype(np.int64)
    draw = chance.random(shape)
    leaving = np.full(shape, gained)
    leaving[0] = lost
    gone, come = draw < leaving, (draw >= leaving) & (draw < leaving + gained)
    return judged(np.where(gone, 1, np.where(come, 0, right)), np.where(gone, 0, np.where(come, 1, right)))


def test_equal_models_raise_no_more_than_five_alarms_in_a_hundred() -> None:
    chance = np.random.default_rng(27)
    pairs = [drawn(chance, 0.05, 0.05, 3) for _ in range(100)]
    assert sum(bool(groups) for groups in alarms(pairs)) <= 5


def test_a_class_that_only_loses_five_points_is_found_in_nine_of_ten() -> None:
    """2 classes of 200 items (3 tests); no item is gained, so the errors of the two models are nested."""
    chance = np.random.default_rng(27)
    pairs = [drawn(chance, 0.05, 0.0, 2) for _ in range(100)]
    assert sum("class c0" in groups for groups in alarms(pairs)) >= 90


def test_p_of_a_loss_is_the_one_sided_p_of_t() -> None:
    chance = np.random.default_rng(0)
    old, new = chance.integers(0, 2, 60), chance.integers(0, 2, 60)
    difference = share_difference((old, np.ones(60)), (new, np.ones(60)))
    gaps = (new - old).astype(float)
    differing = int((gaps != 0).sum())
    error = gaps.std(ddof=1) / np.sqrt(60) * np.sqrt((differing + 1) / differing)
    for margin in (0.0, 0.03):
        expected = stats.t.cdf((gaps.mean() + margin) / error, 59)
        assert difference.p_of_loss(margin) == pytest.approx(expected, rel=1e-6)
    assert difference.p_of_loss() + Difference(
        -difference.value, -(difference.high or 0), -(difference.low or 0), 60, 60.0
    ).p_of_loss() == pytest.approx(1)
    assert Difference(-1.0, -1.0, 1.0, 1, 1.0).p_of_loss() == 1.0


@pytest.mark.parametrize(("lost", "gained"), [(10, 0), (12, 2), (20, 10), (6, 0)])
def test_p_is_no_smaller_than_that_of_the_exact_sign_test_by_much(lost: int, gained: int) -> None:
    """200 items: the exact one-sided binomial p, and its mid-p, are the oracle."""
    old, new = np.ones(200), np.ones(200)
    new[:lost], old[lost : lost + gained] = 0, 0
    n = lost + gained
    tail = [comb(n, k) / 2**n for k in range(lost, n + 1)]
    p = share_difference((old, np.ones(200)), (new, np.ones(200))).p_of_loss()
    assert p >= 0.8 * (sum(tail) - tail[0] / 2)
    assert p <= 1.5 * sum(tail)


RIGHT = [[1, 1] for _ in range(80)]
WORSE_AT_OS = [[0, 1] if item % 2 == 0 and item < 30 else [1, 1] for item in range(80)]


def test_it_names_what_got_worse_and_shows_three_sentences(tmp_path: Path) -> None:
    old, new = make_run(tmp_path / "old", RIGHT), make_run(tmp_path / "new", WORSE_AT_OS)
    gated = gate([old, new])
    states = {change.difference.group: change.state for change in gated.changes}
    assert states == {"all": WORSE, "order OS": WORSE, "order SO": HOLDS}
    change = next(change for change in gated.changes if change.difference.group == "order OS")
    assert (change.difference.first, change.difference.second) == (100.0, 81.25)
    assert [item.item for item in change.lost] == ["i0", "i2", "i4"]
    assert [item.outcomes for item in change.lost] == [("0: swapped (y)",)] * 3
    check_verdicts(gated.result)
    assert gated.result.failures == {"groups that got worse": 2}
    assert any("new got worse at order OS: LAS loses 18.8 points" in verdict.text for verdict in gated.result.verdicts)
    cases = {case.name: case for case in gated.cases()}
    assert cases["new: las, order OS"].failed
    assert "i0: (the run keeps no sentence) [0: swapped (y)]" in cases["new: las, order OS"].message
    assert cases["new: las, order SO"].level == "pass"


def test_another_measure_than_the_main_one_is_tested(tmp_path: Path) -> None:
    """Of evaluation: heads alone (UAS) stay as they were where labels are lost."""
    import gardenpath as gp

    before = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
    now = gp.evaluate("bundled:de-test", "baseline:right-branching")
    runs = [Run.load(result.save(tmp_path / name)) for name, result in (("before", before), ("now", now))]
    las, uas = (gate(runs, by=(), measure=name).changes[0].difference for name in ("", "UAS"))
    assert (las.measure, uas.measure) == ("las", "uas")
    assert uas.first == pytest.approx(before.value("uas"))
    with pytest.raises(UsageError, match="unknown measure 'f1'"):
        gate(runs, measure="f1")


def test_the_other_way_round_nothing_got_worse(tmp_path: Path) -> None:
    old, new = make_run(tmp_path / "old", WORSE_AT_OS), make_run(tmp_path / "new", RIGHT)
    gated = gate([old, new])
    assert not gated.worse
    assert gated.result.failures == {}
    check_verdicts(gated.result)


def test_a_loss_within_the_margin_is_none(tmp_path: Path) -> None:
    old, new = make_run(tmp_path / "old", RIGHT), make_run(tmp_path / "new", WORSE_AT_OS)
    overall = gate([old, new], by=()).changes[0]
    assert overall.difference.high is not None
    just_less, more = -overall.difference.high - 0.01, -overall.difference.high + 0.01
    assert gate([old, new], by=(), margin=just_less).worse
    assert not gate([old, new], by=(), margin=more).worse


def test_fewer_than_twenty_clusters_show_nothing(tmp_path: Path) -> None:
    old = make_run(tmp_path / "old", [[1, 1]] * 19)
    new = make_run(tmp_path / "new", [[0, 0]] * 19)
    gated = gate([old, new], by=())
    assert [change.state for change in gated.changes] == [PERHAPS]
    assert not gated.worse
    assert [case.level for case in gated.cases()] == ["warning"]
    assert "may have got worse" in gated.result.verdicts[0].text


def test_every_other_run_against_the_first(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / name, right) for name, right in (("a", RIGHT), ("b", WORSE_AT_OS), ("c", RIGHT))]
    gated = gate(runs)
    assert {change.difference.system for change in gated.worse} == {"b"}
    check_verdicts(gated.result)
    again = gate([runs[0], runs[2], runs[1]])
    assert {verdict.text for verdict in again.result.verdicts} == {verdict.text for verdict in gated.result.verdicts}


def test_what_is_refused(tmp_path: Path) -> None:
    old, new = make_run(tmp_path / "old", RIGHT), make_run(tmp_path / "new", RIGHT)
    with pytest.raises(UsageError, match="is not a margin"):
        gate([old, new], margin=-1)
    with pytest.raises(UsageError, match="not of the same suite"):
        gate([old, make_run(tmp_path / "x", RIGHT, suite="t.tsv#bb")])


# ---- the scores that `compare` shows are the scores of the runs


def lengths(sentences: list[list[str]]) -> list[list[float]]:
    """A language model that expects short words; many of its sentences tie."""
    return [[float(len(word)) for word in words] for words in sentences]


def letters(sentences: list[list[str]]) -> list[list[float]]:
    return [[float(sum(map(ord, word)) % 7) for word in words] for words in sentences]


def evaluation() -> StudyResult:
    systems = {"a": "baseline:nearest-head", "b": "baseline:right-branching"}
    return gp.evaluate("bundled:de-test", systems, gold="tags", by="label,length")


def roles() -> StudyResult:
    systems = {"a": "baseline:subject-first", "b": "baseline:nearest-head"}
    return gp.roles("bundled:de-roles", systems, gold="tags")


def surprisal() -> StudyResult:
    return gp.surprisal("bundled:zh-surprisal", {"a": lengths, "b": letters}, by="all")


def english() -> StudyResult:
    return gp.surprisal("bundled:en-surprisal", {"a": lengths, "b": letters}, by="all")


def consistency() -> StudyResult:
    systems = {"a": "baseline:nearest-head", "b": "baseline:right-branching"}
    return gp.consistency("bundled:de-train", systems, change="names,places", gold="tags")


def brackets() -> StudyResult:
    suite = gp.read_suite("bundled:de-constructions")[0]
    gold = [item.tree for item in suite.items]
    return gp.evaluate(gold, {"a": gold[:100], "b": "baseline:right-branching"})


def constructions() -> StudyResult:
    suite = gp.read_suite("bundled:de-constructions")[0]
    gold = [item.tree for item in suite.items]
    return gp.constructions(suite, {"a": gold, "b": gold[:100]})


STUDIES: dict[str, tuple[Callable[[], StudyResult], dict[str, str], list[list[str]]]] = {
    "evaluation": (evaluation, {"las": "las", "uas": "uas"}, [[], ["label"], ["length"]]),
    "roles": (roles, {"las": "las"}, [[], ["order"], ["property"]]),
    "surprisal": (surprisal, {"accuracy": "accuracy"}, [[], ["class"], ["modifier"], ["suite"]]),
    "english": (english, {"accuracy": "accuracy"}, [[], ["suite"]]),
    "brackets": (brackets, {"f1": "f1"}, [[]]),
    "constructions": (constructions, {"accuracy": "accuracy"}, [[], ["phenomenon"]]),
    "consistency": (consistency, {"right": "right"}, [["perturbation"]]),
}
"""How a run is made, the measure of its findings and what `compare` calls it, and groupings."""


@pytest.mark.parametrize("name", STUDIES)
def test_scores_are_those_of_the_run(name: str, tmp_path: Path) -> None:
    make, measures, groupings = STUDIES[name]
    result = make()
    result.save(tmp_path / "run")
    checked = 0
    for grouping in groupings:
        compared = gp.compare(tmp_path / "run", by=grouping)
        for own, shown in measures.items():
            wanted = scores(result, own, grouping)
            for system, suffix in (("a", "baseline"), ("b", "value")):
                for finding in compared.findings:
                    keys = {key: value for key, value in finding.by.items() if key != "baseline"}
                    if finding.measure == f"{shown}_{suffix}" and list(keys) == grouping:
                        group = tuple(str(value) for value in keys.values())
                        assert finding.value == pytest.approx(wanted[system, group], abs=1e-9), (grouping, group)
                        checked += 1
    assert checked >= 2 * len(groupings) * len(measures)


def scores(result: StudyResult, measure: str, grouping: list[str]) -> dict[tuple[str, tuple[str, ...]], Any]:
    """The run's own scores by system and group."""
    by_system = {}
    for finding in result.findings:
        also = {"order", "scheme"} - set(grouping)  # what a study adds to its groups
        by = {key: value for key, value in finding.by.items() if key not in also or not grouping}
        if finding.measure != measure:
            continue
        if grouping == ["suite"]:
            if set(finding.by) <= {"class", "modifier"} and "suites" not in finding.suite:
                by_system.setdefault((finding.system, (finding.suite,)), finding.value)
        elif list(by) == grouping:
            by_system.setdefault((finding.system, tuple(str(by[key]) for key in grouping)), finding.value)
    return by_system


def test_items_that_have_the_same_name_are_not_seeds() -> None:
    """Twenty pairs numbered 0 to 9 twice: what differs between those of one number is no noise of seeds."""
    rows = [(number % 10, f"w{number} x", f"w{number} xx") for number in range(20)]

    def half(sentences: list[list[str]]) -> list[list[float]]:
        return [
            [float(len(word)) if int(words[0][1:]) < 10 else 9.0 - len(word) for word in words] for words in sentences
        ]

    found = []
    for numbers in ([number for number, *_ in rows], list(range(20))):
        frame = pl.DataFrame(
            {"item": numbers, "good": [row[1] for row in rows], "bad": [row[2] for row in rows]}
        )  # fmt: skip
        result = gp.compare(gp.surprisal(frame, {"long": lengths, "half": half}))
        found.append({one.measure: (one.value, one.n) for one in result.findings if set(one.by) <= {"baseline"}})
        assert result.verdicts[0].text.startswith("half is worse than long: ")
    repeated, unique = found
    assert repeated["accuracy_difference"] == pytest.approx(unique["accuracy_difference"]) == (-50.0, 20)


def test_items_of_one_number_in_two_suites_are_two_items_and_ties_are_worth_half(tmp_path: Path) -> None:
    """Two suites of two items each, by hand: 1 and 0, half and 1 against 0 and 0, 1 and half."""
    suite = "sentence_good\tsentence_bad\n"
    first, second = tmp_path / "first.tsv", tmp_path / "second.tsv"
    first.write_text(suite + "aa b\taaa b\naaa c\taa c\n", encoding="utf-8")
    second.write_text(suite + "aa d\tbb d\na e\taa e\n", encoding="utf-8")

    def backwards(sentences: list[list[str]]) -> list[list[float]]:
        return [[9 - value for value in values] for values in lengths(sentences)]

    result = gp.surprisal([str(first), str(second)], {"short": lengths, "long": backwards})
    result.save(tmp_path / "run")
    compared = gp.compare(tmp_path / "run", by=["suite"])
    values = {
        (finding.measure, finding.by.get("suite", "")): (finding.value, finding.n)
        for finding in compared.findings
        if finding.measure in ("accuracy_baseline", "accuracy_value", "accuracy_difference")
    }
    assert values["accuracy_baseline", ""] == (62.5, 4)
    assert values["accuracy_value", ""] == (37.5, 4)
    assert values["accuracy_difference", ""] == (-25.0, 4)
    assert values["accuracy_baseline", "second"] == (75.0, 2)
    assert values["accuracy_value", "second"] == (25.0, 2)
