"""The file of error classes: every class has a rule, and a rule holds by its comparisons alone."""

from __future__ import annotations

import pytest

from gardenpath.studies.constructions.error_classes import (
    CLASSES,
    Comparisons,
    Decisions,
    _rules,
    class_titles,
    held_classes,
)

DECIDED = {"missing": "C", "other_head": "C"}


def compared(**words: bool) -> Comparisons:
    made = Comparisons()
    for name, holds in words.items():
        kind = made.same if name in ("site", "span", "function", "noun", "relative", "conjuncts") else made.there
        kind(name, holds, f"reason of {name}")
    return made


@pytest.mark.parametrize("table", class_titles())
def test_every_class_of_a_table_has_a_rule(table: str) -> None:
    codes = {DECIDED.get(rule.code, rule.code) for rule in _rules(table)}
    assert codes == set(CLASSES[table])
    assert all(set(rule.because) <= {name for name, _ in rule.when} for rule in _rules(table))


@pytest.mark.parametrize(
    ("table", "words", "codes"),
    [
        ("pp", {"site": True, "span": True, "function": True, "noun": True}, ""),
        ("pp", {"site": False, "span": False, "function": False, "noun": True}, "D"),
        ("pp", {"site": True, "span": False, "function": False, "noun": True}, "C"),
        ("pp", {"site": True, "span": False, "function": True, "noun": True}, "A"),
        ("pp", {"phrase": False}, "C"),
        ("erc", {"clause": False, "noun": False}, "C"),
        ("erc", {"clause": True, "relative": False, "noun": False, "span": True}, "AB"),
        ("fcr", {"coordination": True, "subject": True, "second": False, "more": True, "span": False}, "D"),
        ("fcr", {"coordination": True, "subject": False, "second": False, "more": True}, "AB"),
        ("fcr", {"coordination": True, "subject": True, "second": False, "more": False, "span": False}, "E"),
        ("sgf", {"verb": False, "coordination": False}, "E"),
        ("sgf", {"verb": True, "coordination": True, "subject": False, "second": False, "more": True}, "B"),
    ],
)
def test_classes_follow_from_comparisons(table: str, words: dict[str, bool], codes: str) -> None:
    held, _ = held_classes(table, [compared(**words)], DECIDED)
    assert "".join(sorted(held)) == codes


def test_reasons_are_joined_and_what_the_paper_leaves_open_is_decided() -> None:
    wrong = compared(site=True, span=False, function=False, noun=True)
    verdict = Decisions().judged("ppn", wrong)
    assert (verdict.primary, verdict.reason) == ("C", "reason of span; reason of function")
    missing = Decisions(missing="D").judged("ppv", compared(phrase=False), ("x",))
    assert (missing.primary, missing.flags) == ("D", ("x", "missing"))
