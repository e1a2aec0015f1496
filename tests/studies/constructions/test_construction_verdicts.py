"""The verdicts of a study of constructions: the hardest phenomenon, the most frequent error, and differences."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tree_corruptions import as_verbal, not_relative

from gardenpath.data.catalogue import bundled
from gardenpath.phrase import PhraseTree
from gardenpath.runs.result.result import Finding, Result, Value, Verdict
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, ranked
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.parses import ParsedSuite
from gardenpath.studies.constructions.study import CONSTRUCTIONS
from gardenpath.studies.constructions.tables import construction_verdicts
from gardenpath.suites.constructions.model import ConstructionSuite
from gardenpath.suites.constructions.storage import read_parallel
from verdict_checks import check_verdicts

HEAD = ("constructions", "suite", "a")
ALL = Finding(*HEAD, "accuracy", 80.0, 120, 74.0, 85.0, {"scheme": "tiger"})


def group(phenomenon: str, value: float, half: float, n: int = 20) -> Finding:
    by: dict[str, Value] = {"scheme": "tiger", "phenomenon": phenomenon}
    return Finding(*HEAD, "accuracy", value, n, value - half, value + half, by)


def errors(phenomenon: str, code: str, count: int, n: int = 20) -> list[Finding]:
    by: dict[str, Value] = {"scheme": "tiger", "phenomenon": phenomenon, "class": code}
    share = Finding(*HEAD, "share", 100 * count / n, n, 100 * count / n - 9, 100 * count / n + 9, by)
    return [Finding(*HEAD, "items", count, n, by=by), share]


def told(*findings: Finding) -> list[Verdict]:
    """All but the first, which is the accuracy."""
    first, *others = construction_verdicts([ALL, *findings], "sentence")
    assert first.text == "a: accuracy 80.0 [74.0, 85.0], 120 items."
    return others


def test_the_hardest_phenomenon_is_named_with_its_n() -> None:
    (verdict,) = told(group("erc", 30.0, 20.0), group("ppn", 78.0, 15.0))
    assert verdict.text == (
        "a has its lowest accuracy at erc (extraposed relative clause) (30.0 [10.0, 50.0], 20 items), compared with "
        "80.0 [74.0, 85.0] overall."
    )
    assert (verdict.sure, verdict.examples) == (MEASURED, "wrong:erc")


def test_no_phenomenon_is_the_hardest_where_intervals_meet_or_items_are_few() -> None:
    assert told(group("erc", 60.0, 15.0)) == []
    assert told(group("erc", 30.0, 20.0, n=9)) == []


def test_two_that_are_equally_hard_are_both_named() -> None:
    (verdict,) = told(group("erc", 30.0, 20.0), group("sgf", 30.0, 20.0))
    assert verdict.text.startswith(
        "a has its lowest accuracy at erc (extraposed relative clause) (30.0 [10.0, 50.0], 20 items) and sgf (subject "
        "gap with finite/fronted verb) (30.0 [10.0, 50.0], 20 items), compared with"
    )


def test_the_most_frequent_error_is_named_with_its_class() -> None:
    (verdict,) = told(*errors("erc", "B", 9), *errors("ppn", "D", 4))
    assert verdict.text == (
        "a: the most frequent error is erc B (wrong head noun), 9 of 20 items, 45.0 % [36.0, 54.0]."
    )
    assert verdict.examples == "B:erc"


def test_a_tie_of_errors_names_both_and_of_many_none() -> None:
    (verdict,) = told(*errors("erc", "B", 5), *errors("ppn", "D", 5))
    assert verdict.text.startswith("a: the most frequent errors are erc B (wrong head noun), 5 of 20 items, 25.0 %")
    assert " and ppn D (wrong attachment), 5 of 20" in verdict.text
    assert told(*errors("erc", "B", 5), *errors("ppn", "D", 5), *errors("ppv", "A", 5)) == []
    assert told(*errors("erc", "B", 2)) == []  # two items are no pattern


def test_items_without_a_parse_are_told_and_none_is_no_news() -> None:
    def unparsed(count: int) -> Finding:
        return Finding(*HEAD, "items", count, 120, by={"scheme": "tiger", "class": "noparse"})

    (verdict,) = told(unparsed(7))
    assert verdict.text == "a: no parse of 7 of 120 items, which count as wrong."
    assert verdict.examples == "noparse"
    assert told(unparsed(0)) == []


# ---- on the bundled suite


@pytest.fixture(scope="module")
def suite() -> ConstructionSuite:
    return read_parallel(bundled("de-constructions"))["tiger"]


def spoiled(suite: ConstructionSuite, phenomenon: str, every: int) -> Sequence[PhraseTree]:
    """Gold, but for every second (third, …) item of a phenomenon."""
    corruption = {"erc": not_relative, "ppn": as_verbal}[phenomenon]
    return [
        (item.construction.phenomenon == phenomenon and not number % every
         and corruption(item.tree, item.construction, "tiger")) or item.tree
        for number, item in enumerate(suite.items)
    ]  # fmt: skip


def study(suite: ConstructionSuite, order: str) -> Result:
    trees = {"a": suite_trees(suite), "b": spoiled(suite, "erc", 1), "c": spoiled(suite, "ppn", 3)}
    settings = ConstructionsSettings()
    answers = [ParsedSuite(suite, name, list(trees[name])) for name in order]
    judged = CONSTRUCTIONS.judge([suite], answers, settings)
    findings = CONSTRUCTIONS.findings(judged, settings).findings
    return Result("", findings, verdicts=ranked(CONSTRUCTIONS.verdicts(findings, judged, settings)))


def suite_trees(suite: ConstructionSuite) -> Sequence[PhraseTree]:
    return [item.tree for item in suite.items]


def test_verdicts_on_the_bundled_suite(suite: ConstructionSuite) -> None:
    result = study(suite, "abc")
    check_verdicts(result)
    texts = [verdict.text for verdict in result.verdicts]
    assert result.verdicts[0].sure == SHOWN
    assert texts[0].startswith("b and c are worse than a: accuracy -1")
    assert any(text.startswith("b has its lowest accuracy at erc (extraposed relative clause)") for text in texts)
    assert {verdict.text for verdict in study(suite, "acb").verdicts} == set(texts)


def test_a_parser_without_mistakes_has_no_hardest_phenomenon(suite: ConstructionSuite) -> None:
    result = study(suite, "a")
    assert [verdict.text for verdict in result.verdicts] == ["a: accuracy 100.0 [97.5, 100.0], 148 items."]
    assert all(verdict.sure != NOT_SHOWN for verdict in result.verdicts)
