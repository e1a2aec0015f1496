"""TEPACOC, Section 1: a TIGER parser on TIGER sentences against a TüBa-D/Z parser on other sentences.

Oracle: a recount from the judgements, and SciPy's Welch test.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import ttest_ind
from two_halves import half, with_mistakes

from gardenpath.phrase.edits.gaps import as_raised
from gardenpath.phrase.formats.source import write
from gardenpath.phrase.schemes.model import TIGER
from gardenpath.runs.result.result import Finding, Result
from gardenpath.stats import holm
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.study import CONSTRUCTIONS
from gardenpath.studies.engine.study import run

MISTAKEN = {"tuebadz": 0.6, "tiger": 0.25}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Two files of trees, TüBa-D/Z first: each is judged on the half in its scheme."""
    place = tmp_path_factory.mktemp("halves")
    halves = [half("tiger"), half("tuebadz")]
    for suite in halves:
        write(with_mistakes(suite, MISTAKEN[suite.scheme]), place / f"{suite.scheme}.export", "export")
    files = [str(place / f"{scheme}.export") for scheme in MISTAKEN]
    return run(CONSTRUCTIONS, halves, files, ConstructionsSettings(by=("all",)))


def outcomes(result: Result, scheme: str, phenomenon: str, *names: str) -> list[bool]:
    (judged,) = [performance for performance in result.judged if performance.suite.scheme == scheme]
    pairs = zip(judged.suite.items, judged.verdicts, strict=True)
    return [verdict.primary in names for item, verdict in pairs if item.construction.phenomenon == phenomenon]


def compared_by(result: Result, measure: str) -> list[Finding]:
    return [finding for finding in result.findings if finding.measure == measure and "phenomenon" in finding.by]


def test_each_system_is_judged_on_its_half(result: Result) -> None:
    judged = {Path(performance.system).stem: performance.suite.name for performance in result.judged}
    assert judged == {"tuebadz": "tuebadz-half", "tiger": "tiger-half"}


@pytest.mark.parametrize("measure", ["accuracy", "share"])
def test_differences_are_those_of_two_samples(result: Result, measure: str) -> None:
    differences = compared_by(result, f"{measure}_difference")
    assert len(differences) >= 6
    for difference, p in zip(differences, compared_by(result, f"{measure}_p"), strict=True):
        assert difference.by == p.by
        phenomenon, code = str(difference.by["phenomenon"]), str(difference.by.get("class", ""))
        names = (code,) if code else ("right", "shown")
        first, second = (outcomes(result, scheme, phenomenon, *names) for scheme in MISTAKEN)
        assert difference.value == pytest.approx(100 * (sum(second) / len(second) - sum(first) / len(first)))
        assert difference.n == p.n == len(first) + len(second)  # each sentence has one item
        if len(set(first)) == len(set(second)) == 2:
            assert p.value == pytest.approx(ttest_ind(second, first, equal_var=False).pvalue)


def test_the_difference_over_all_weights_phenomena_alike(result: Result) -> None:
    (overall,) = [f for f in result.findings if f.measure == "accuracy_difference" and "phenomenon" not in f.by]
    parts = compared_by(result, "accuracy_difference")
    sizes = [[len(outcomes(result, scheme, str(part.by["phenomenon"]))) for part in parts] for scheme in MISTAKEN]
    weights = [(one / sum(sizes[0]) + two / sum(sizes[1])) / 2 for one, two in zip(*sizes, strict=True)]
    by_hand = sum(weight * float(part.value or 0) for weight, part in zip(weights, parts, strict=True))
    assert overall.value == pytest.approx(by_hand)


@pytest.mark.parametrize("measure", ["accuracy", "share"])
def test_phenomena_and_classes_are_families_of_their_own(result: Result, measure: str) -> None:
    tests, by_holm = (compared_by(result, f"{measure}_p{ending}") for ending in ("", "_holm"))
    assert [finding.value for finding in by_holm] == pytest.approx(holm([float(test.value or 0) for test in tests]))
    assert {finding.n for finding in by_holm} == {len(tests)}


def test_table_and_sentences_say_that_the_sentences_differ(result: Result) -> None:
    table = next(table for table in result.tables if table.name == "samples")
    assert "different sentences" in table.note
    assert "first only" not in table.columns
    assert any("does better than tuebadz.export: accuracy (each on its own" in v.text for v in result.verdicts)


def test_a_class_of_one_scheme_only_is_not_compared(result: Result) -> None:
    compared = {(f.by["phenomenon"], f.by["class"]) for f in compared_by(result, "share_difference")}
    assert ("ppn", "D") in compared
    assert ("fcr", "E") not in compared


def test_what_raised_trees_hide_is_not_compared() -> None:
    halves = [half("tiger"), half("tuebadz")]
    raised_trees = [as_raised(tree, TIGER) for tree in with_mistakes(halves[0], 0.0)]
    systems = {"tiger": raised_trees, "tuebadz": with_mistakes(halves[1], 0.0)}
    raised = run(CONSTRUCTIONS, halves, systems, ConstructionsSettings())
    compared = {f.by["phenomenon"] for f in compared_by(raised, "accuracy_difference")}
    assert any(outcomes(raised, "tiger", "erc", "shown"))
    assert "fcr" in compared
    assert "erc" not in compared


def test_systems_that_share_items_stay_paired() -> None:
    suite = half("tiger")
    systems = {"good": with_mistakes(suite, 0.1), "bad": with_mistakes(suite, 0.5, seed=1)}
    result = run(CONSTRUCTIONS, suite, systems, ConstructionsSettings())
    assert {"baseline_only", "system_only"} <= {finding.measure for finding in result.findings}
    assert not compared_by(result, "share_difference")


def test_items_of_one_name_and_other_sentences_are_no_pairs() -> None:
    """Suites that were generated with two seeds have one name, and the same names of items."""
    halves = [replace(half(scheme), name="generated") for scheme in ("tiger", "tuebadz")]
    names = [{item.item for item in suite.items} for suite in halves]
    assert names[0] & names[1]
    systems = {scheme: with_mistakes(suite, 0.2) for scheme, suite in zip(("tiger", "tuebadz"), halves, strict=True)}
    result = run(CONSTRUCTIONS, halves, systems, ConstructionsSettings())
    assert compared_by(result, "share_difference")
    assert not {"baseline_only", "system_only"} & {finding.measure for finding in result.findings}
