"""Comparison of runs: the numbers, and what is refused."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from comparison_runs import make_run
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.report.formats import render
from gardenpath.runs import Run
from gardenpath.runs.record.signatures import signature
from gardenpath.runs.result.observations import Observations
from gardenpath.runs.result.result import Finding, Result, Verdict
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.stats import pairs_for_means
from gardenpath.studies.compare.gate import gate
from gardenpath.studies.compare.pairing import pair
from gardenpath.studies.compare.study import compare, comparison_verdicts
from verdict_checks import check_verdicts


@pytest.fixture
def results() -> tuple[list[list[int]], list[list[int]]]:
    generator = np.random.default_rng(4)
    first = (generator.random((60, 2)) < 0.5).astype(int)
    second = (generator.random((60, 2)) < 0.75).astype(int)
    return first.tolist(), second.tolist()


def values(result: Result, **by: str) -> dict[str, float]:
    found = {}
    for one in result.findings:
        if {key: value for key, value in one.by.items() if key != "baseline"} == by:
            assert isinstance(one.value, int | float | None)
            found[one.measure] = one.value if one.value is not None else float("nan")
    return found


def weighted_run(folder: Path, right: int) -> Run:
    """38 items that are all right or all wrong, each worth a 38th, as the study of surprisal keeps them."""
    table = Observations(
        {
            "study": "surprisal", "suite": "s", "item": [f"i{item}" for item in range(38)], "condition": "",
            "system": folder.name, "seed": 0, "unit": "prediction 1", "outcome": "right" if right else "wrong",
            "value": right, "weight": 1 / 38,
        }
    )  # fmt: skip
    with Run.open(folder, command="surprisal", settings={"system": folder.name}) as run:
        run.finish(Result(signature(("study", "surprisal"), ("suites", "s#aa"), ("system", folder.name)), []), table)
    return Run.load(folder)


def test_items_that_all_differ_by_the_same(tmp_path: Path) -> None:
    """1/38 thirty-eight times has a spread by rounding alone."""
    overall = values(compare([weighted_run(tmp_path / "a", 0), weighted_run(tmp_path / "b", 1)]))
    assert overall["accuracy_difference"] == 100
    assert np.isnan(overall.get("accuracy_dz", np.nan))


def test_where_no_item_differs_the_bound_is_that_of_none_of_38(tmp_path: Path) -> None:
    """Wilson's, 0 of 38: 9.18 %; it was 75.6, that of none of one, because the weights add up to one."""
    result = compare([weighted_run(tmp_path / "a", 1), weighted_run(tmp_path / "b", 1)])
    difference = next(finding for finding in result.findings if finding.measure == "accuracy_difference")
    assert (difference.low, difference.high) == pytest.approx((-9.18, 9.18), abs=0.005)


def test_overall_and_per_property(tmp_path: Path, results: tuple[list[list[int]], list[list[int]]]) -> None:
    first, second = (np.array(one) for one in results)
    runs = [make_run(tmp_path / name, one) for name, one in zip("ab", results, strict=True)]
    result = compare(runs)
    overall = values(result)
    assert overall["las_baseline"] == pytest.approx(100 * first.mean())
    assert overall["las_difference"] == pytest.approx(100 * (second.mean() - first.mean()))
    gaps = second.sum(axis=1) - first.sum(axis=1)
    differing = int((first != second).any(axis=1).sum())
    t = gaps.mean() / (gaps.std(ddof=1) / np.sqrt(60)) / np.sqrt((differing + 1) / differing)
    assert overall["las_p"] == pytest.approx(2 * scipy.stats.t.sf(abs(t), 59))
    flipped = scipy.stats.permutation_test(  # the signs of the differences turned at random
        (gaps, np.zeros_like(gaps)), lambda a, b: (a - b).sum(), permutation_type="samples", n_resamples=4999, rng=1
    )
    assert overall["las_p"] == pytest.approx(flipped.pvalue, abs=0.02)
    assert overall["las_dz"] == pytest.approx(gaps.mean() / gaps.std(ddof=1))
    only = [int(((first == 1) & (second == 0)).sum()), int(((second == 1) & (first == 0)).sum())]
    assert overall["las_odds"] == pytest.approx(only[1] / only[0])
    by_order = values(result, order="SO")
    assert by_order["las_difference"] == pytest.approx(100 * (second[1::2].mean() - first[1::2].mean()))
    assert overall["las_p_holm"] == overall["las_p"]  # a family of its own
    of_orders = sorted(
        (values(result, order=order)["las_p"], values(result, order=order)["las_p_holm"]) for order in ("SO", "OS")
    )
    assert [holm for _, holm in of_orders] == pytest.approx(
        np.maximum.accumulate(np.minimum(1, [2 * of_orders[0][0], of_orders[1][0]]))
    )
    assert not values(result, predicted="x")
    (finding,) = (one for one in result.findings if one.measure == "las_difference" and len(one.by) == 1)
    assert finding.low is not None
    assert finding.high is not None
    assert finding.low < overall["las_difference"] < finding.high


def test_properties_can_be_named(tmp_path: Path, results: tuple[list[list[int]], list[list[int]]]) -> None:
    runs = [make_run(tmp_path / name, right) for name, right in zip("ab", results, strict=True)]
    result = compare(runs, by=["property"])
    assert {finding.by["property"] for finding in result.findings if "property" in finding.by} == {"acc", "psy", "amb"}
    assert not values(result, order="SO")
    assert all("property" not in finding.by for finding in compare(runs, by=[]).findings)
    with pytest.raises(UsageError, match="did you mean order"):
        compare(runs, by=["ordre"])
    with pytest.raises(UsageError, match="unknown property 'predicted'"):
        compare(runs, by=["predicted"])  # it differs between the systems


def test_the_same_run_has_no_difference(tmp_path: Path, results: tuple[list[list[int]], list[list[int]]]) -> None:
    runs = [make_run(tmp_path / name, results[0]) for name in ("a", "b")]
    measured = values(compare(runs))
    assert (measured["las_difference"], measured["las_p"], measured["las_dz"]) == (0, 1, 0)
    assert np.isnan(measured["las_items_more"])
    assert "no difference" in str(compare(runs).tables[0].rows[0])


def test_three_runs_and_the_power(tmp_path: Path, results: tuple[list[list[int]], list[list[int]]]) -> None:
    almost = [list(one) for one in results[0]]
    almost[0] = [1 - almost[0][0], almost[0][1]]
    runs = [make_run(tmp_path / name, one) for name, one in zip("abc", (*results, almost), strict=True)]
    result = compare(runs)
    assert {one.system for one in result.findings} == {"b", "c"}
    more = {one.system: one.value for one in result.findings if one.measure == "las_items_more" and len(one.by) == 1}
    gaps = np.array(results[1]).sum(axis=1) - np.array(results[0]).sum(axis=1)
    needed = pairs_for_means(float(gaps.mean() / gaps.std(ddof=1)))
    assert needed is not None
    assert more["b"] == max(0, needed - 60)
    assert isinstance(more["c"], int)
    assert more["c"] > 100


@pytest.mark.parametrize("right", [0, 1])
def test_one_item_all_right_all_wrong(tmp_path: Path, right: int) -> None:
    for count in (1, 4):
        runs = [make_run(tmp_path / f"{name}{count}", [[right, right]] * count) for name in "ab"]
        measured = values(compare(runs))
        assert measured["las_difference"] == 0
        assert measured["las_p"] == 1


def test_runs_of_other_suites_are_refused(tmp_path: Path, results: tuple[list[list[int]], list[list[int]]]) -> None:
    first = make_run(tmp_path / "a", results[0])
    other = make_run(tmp_path / "b", results[1], suite="s.tsv#bb")
    with pytest.raises(UsageError, match=r"not of the same suite: suite s\.tsv#aa and suite s\.tsv#bb"):
        pair([first, other])
    release = make_run(tmp_path / "c", results[1], release="2020")
    with pytest.raises(UsageError, match="no release and release 2020"):
        pair([first, release])
    moved = make_run(tmp_path / "d", results[1], suite="elsewhere.tsv#aa")
    assert len(pair([first, moved]).entrants) == 2
    shorter = make_run(tmp_path / "e", results[1][:-1])
    with pytest.raises(
        UsageError, match=r"120 and 118 judgements; the first without a partner is suite s\.tsv item i59 unit 0"
    ):
        pair([first, shorter])
    turned = make_run(tmp_path / "f", [results[1][0] + [1], *results[1][1:]])
    with pytest.raises(
        UsageError, match=r"differ first at judgement 3: suite s\.tsv item i1 unit 0 and suite s\.tsv item i0"
    ):
        pair([first, turned])
    with pytest.raises(UsageError, match="nothing to compare"):
        pair([first])
    with pytest.raises(UsageError, match="named twice"):
        pair([first, first])
    study = make_run(tmp_path / "g", results[1], command="evaluate")
    with pytest.raises(UsageError, match="study roles and study evaluate"):
        pair([first, study])
    with Run.open(tmp_path / "open", command="roles") as unfinished, pytest.raises(UsageError, match="not finished"):
        pair([first, unfinished])


def test_what_one_system_leaves_open_is_compared_for_none(tmp_path: Path) -> None:
    """n/a is neither right nor wrong; the three other items differ once."""
    outcomes = {"a": ["n/a", "right", "A", "right"], "b": ["right", "right", "B", "C"]}
    runs = []
    for name, given in outcomes.items():
        table = Observations(
            {
                "study": "constructions", "suite": "s", "item": [f"i{n}" for n in range(4)], "condition": "erc",
                "system": name, "seed": 0, "unit": None, "outcome": given,
                "value": [int(one == "right") for one in given],
            }
        )  # fmt: skip
        signed = signature(("study", "constructions"), ("suite", "s#aa"), ("system", name))
        with Run.open(tmp_path / name, command="constructions", settings={"system": name}) as run:
            run.finish(Result(signed, []), table)
        runs.append(Run.load(tmp_path / name))
    assert len(set(pair(runs).item.tolist())) == 3
    measured = values(compare(runs))
    assert measured["accuracy_baseline"] == pytest.approx(200 / 3)
    assert measured["accuracy_difference"] == pytest.approx(-100 / 3)


def seeded_run(folder: Path, right: np.ndarray, clusters: list[int] | None = None) -> Run:
    """`right` is seeds × items; one arc an item."""
    seeds, items = right.shape
    rows = [(seed, item) for seed in range(seeds) for item in range(items)]
    table = {
        "study": "roles", "suite": "s.tsv", "item": [f"i{item}" for _, item in rows], "condition": "",
        "system": folder.name, "seed": [seed for seed, _ in rows], "unit": 0,
        "outcome": ["right" if right[row] else "swapped" for row in rows], "value": [int(right[row]) for row in rows],
    }  # fmt: skip
    pairs = [("study", "roles"), ("suite", "s.tsv#aa"), ("system", folder.name)]
    if clusters is not None:
        table["cluster"] = [clusters[item] for _, item in rows]
        pairs.insert(2, ("clusters", f"base sentence={len(set(clusters))}"))
    with Run.open(folder, command="roles", settings={"system": folder.name}) as run:
        run.finish(Result(signature(*pairs), []), Observations(table))
    return Run.load(folder)


def overall(result: Result) -> Finding:
    return next(finding for finding in result.findings if finding.measure == "las_difference" and len(finding.by) == 1)


@examples(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
@settings(max_examples=40, deadline=None)
def test_interval_and_test_never_contradict_each_other(pairs: list[tuple[bool, bool]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        runs = [
            seeded_run(Path(place) / name, np.array([[pair[at] for pair in pairs]])) for at, name in enumerate("ab")
        ]
        result = compare(runs, by=[])
    difference, p = overall(result), values(result)["las_p"]
    assert difference.low is not None
    assert difference.high is not None
    assert difference.high > difference.low  # never of width zero
    assert (difference.low > 0 or difference.high < 0) == (p < 0.05)


def test_five_sets_that_all_lose_are_no_certain_loss(tmp_path: Path) -> None:
    """Five clusters of 20 items with 1 to 4 lost in each; signs turned p is .0625, and the interval agrees."""
    clusters = np.repeat(np.arange(5), 20)
    first = np.ones((1, 100), dtype=int)
    second = first.copy()
    for cluster, lost in enumerate((1, 4, 1, 4, 2)):
        second[0, 20 * cluster : 20 * cluster + lost] = 0
    runs = [seeded_run(tmp_path / name, right, clusters.tolist()) for name, right in (("a", first), ("b", second))]
    result = compare(runs, by=[])
    difference = overall(result)
    gaps = np.array([1, 4, 1, 4, 2]) / 20
    half = scipy.stats.t.ppf(0.975, 4) * gaps.std(ddof=1) / np.sqrt(5) * np.sqrt(6 / 5)
    assert (difference.value, difference.low, difference.high) == pytest.approx(
        (-12, -12 - 100 * half, -12 + 100 * half)
    )
    assert "|clusters:base sentence=5|" in result.signature
    assert "5 base sentences" in result.tables[0].note
    assert result.tables[0].title == "LAS on s.tsv, paired by base sentence"
    alone = compare(runs, by=[], independent=True)
    assert "|clusters:item=100|" in alone.signature
    narrow = overall(alone)
    assert (narrow.high or 0) - (narrow.low or 0) < (difference.high or 0) - (difference.low or 0)


def test_seeds_of_both_systems_widen_the_interval(tmp_path: Path) -> None:
    """Two systems that are the same but for a luck of the seed: no difference beyond it."""
    rng = np.random.default_rng(1)
    chances = rng.random(200)
    rows = [(chances + shift > rng.random((1, 200))).astype(int) for shift in (-0.15, 0.0, 0.15, 0.2, 0.05, 0.25)]
    runs = [seeded_run(tmp_path / name, np.concatenate(part)) for name, part in (("a", rows[:3]), ("b", rows[3:]))]
    result = compare(runs, by=[])
    difference, alone = overall(result), overall(compare(runs, by=[], independent=True))
    assert difference.value == alone.value
    assert (difference.high or 0) - (difference.low or 0) > 1.5 * ((alone.high or 0) - (alone.low or 0))
    assert (alone.low or 0) > 0 > (difference.low or 0)
    assert "|seeds:3,3|" in result.signature
    assert "95 % and p: by item and seed;" in result.tables[0].note
    assert ", 3 and 3 seeds, " in result.verdicts[0].text
    assert result.verdicts[0].text.endswith(" degrees of freedom.")  # not of items: more of these would not help
    single = seeded_run(tmp_path / "c", rows[3])
    assert "by item and seed (one seed: c);" in compare([runs[0], single], by=[]).tables[0].note


@pytest.mark.parametrize(("shifts", "worse"), [((0.2, 0.2, 0.2, 0.0, 0.0, 0.0), True), ((0.6, 0, 0, 0, 0, 0), False)])
def test_worse_than_before_beyond_the_noise_of_seeds(tmp_path: Path, shifts: tuple[float, ...], worse: bool) -> None:
    """The same loss on the mean: by all three seeds, or because one of the earlier ones had luck."""
    rng = np.random.default_rng(1)
    chances = 0.3 * rng.random(400)
    rows = [(chances + shift > rng.random((1, 400))).astype(int) for shift in shifts]
    before, now = (
        seeded_run(tmp_path / name, np.concatenate(part)) for name, part in (("a", rows[:3]), ("b", rows[3:]))
    )
    gated = gate([before, now], by=[])
    assert bool(gated.worse) is worse
    assert bool(gate([before, now], by=[], independent=True).worse)
    text = gated.result.verdicts[0].text
    assert text.startswith("b got worse: LAS loses" if worse else "b: no loss is shown over all items: LAS ")
    assert (", beyond the noise of seeds, " if worse else ", 3 and 3 seeds, ") in text
    assert text.endswith(" degrees of freedom (shown)." if worse else " degrees of freedom.")
    assert "|seeds:3,3|" in gated.result.signature
    assert "95 %: by item and seed;" in gated.result.tables[0].note


def test_another_mode_is_told(tmp_path: Path, results: tuple[list[list[int]], list[list[int]]]) -> None:
    """A parser on raw text against one on gold tokens: a comparison that people make, but must see."""
    first, second = (
        make_run(tmp_path / name, right, input=mode)
        for name, right, mode in zip("ab", results, ("tokens", "text"), strict=True)
    )
    result = compare([first, second])
    assert result.details["differ"] == ["input: tokens, text (in the order of the runs)"]
    assert "the runs also differ in input: tokens, text" in result.tables[0].note
    assert compare([first, make_run(tmp_path / "c", results[1], input="tokens")]).details["differ"] == []


def test_items_in_clusters_need_more_of_them() -> None:
    """A difference that is not shown by its clusters is never said to need no more items."""
    from gardenpath.stats.sampling import Clusters, share_difference
    from gardenpath.studies.compare.differences import _needed

    rng = np.random.default_rng(6)
    nouns = np.repeat(np.arange(12), 30)
    first = rng.random(360) < 0.5
    second = np.where(np.isin(nouns, (0, 1, 2)), True, first)
    test = share_difference((first, np.ones(360)), (second, np.ones(360)), Clusters.of(noun=nouns))
    gaps = second.astype(int) - first.astype(int)
    dz = float(gaps.mean() / gaps.std(ddof=1))
    assert test.p > 0.05
    alone, together = pairs_for_means(dz), _needed(dz, 360, test, 0.8)
    assert alone is not None
    assert together is not None
    assert alone < 360 < together


# ---- the verdicts of a comparison of runs: overall, by group, and when a rule must not speak


def findings_of(
    value: float, half: float, p: float, p_holm: float, order: str = "", clusters: int = 40, p_bh: float = 1.0
) -> list[Finding]:
    head, by = ("comparison", "suite", "b"), {**({"order": order} if order else {}), "baseline": "runs/a"}
    return [
        Finding(*head, "las_difference", value, 300, value - half, value + half, by),
        Finding(*head, "las_p", p, clusters, by=by),
        Finding(*head, "las_p_holm", p_holm, 4 if order else 1, by=by),
        Finding(*head, "las_p_bh", min(p_bh, p_holm), 4 if order else 1, by=by),
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
        findings_of(6, 4, 0.01, 0.2, "SVO", p_bh=0.05), findings_of(8, 9, 0.08, 0.9, "SOV"),
    )  # fmt: skip
    assert [verdict.text for verdict in verdicts[1:]] == [
        "b is worse than a at order OVS: LAS -9.0 [-12.0, -6.0], 40 base sentences; 4 comparisons (shown).",
        "b is better than a at order SVO: LAS +6.0 [2.0, 10.0], 40 base sentences; 4 comparisons, q = 0.05 "
        "(suggested).",
    ]
    assert len(told(everywhere, findings_of(8, 9, 0.08, 0.9, "SOV"))) == 1


def test_what_else_differs_is_said() -> None:
    told_of = comparison_verdicts([], ["las"], "a", "item", ["input: tokens, text (in the order of the runs)"])
    (verdict,) = told_of
    assert verdict.sure == MEASURED
    assert verdict.text.startswith("The runs also differ in input: tokens, text")


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
