"""The scores that `compare` shows are the scores of the runs: for every study, grouping, tie and weight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest

import gardenpath as gp
from gardenpath.library.result import StudyResult


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
    return gp.consistency("bundled:de-train", systems, perturb="names,places", gold="tags")


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
        frame = polars.DataFrame(
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
