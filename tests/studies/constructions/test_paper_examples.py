"""TEPACOC, Sections 2.2 to 2.6: printed examples are found, and wrong parses of each have the class of its table."""

from __future__ import annotations

import pytest
from paper_examples import EXAMPLES, FOUND, WRONG_PARSES, WrongParse

from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.runs.result.result import Result
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.judging import judge
from gardenpath.studies.constructions.study import CONSTRUCTIONS
from gardenpath.studies.engine.study import run
from gardenpath.suites.constructions.finding import find
from gardenpath.suites.constructions.model import Construction
from gardenpath.suites.constructions.sampling import as_suite, find_all, is_testable, sample


def words(tree: PhraseTree, construction: Construction) -> str:
    return " ".join(tree.words[token] for _, token in construction.anchors)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_is_found(name: str) -> None:
    scheme, line = EXAMPLES[name]
    tree = from_notation(line)
    found = find(tree, scheme)
    assert {(one.phenomenon, words(tree, one)) for one in found} == FOUND[name]
    assert all(map(is_testable, found))


@pytest.mark.parametrize("name", EXAMPLES)
def test_gold_is_right(name: str) -> None:
    scheme, line = EXAMPLES[name]
    tree = from_notation(line)
    assert {judge(tree, one, tree, scheme).primary for one in find(tree, scheme)} == {"right"}


@pytest.mark.parametrize("case", WRONG_PARSES, ids=lambda case: f"{case.example} {case.word} {case.expected}")
def test_a_wrong_parse_has_the_class_of_the_table(case: WrongParse) -> None:
    scheme, line = EXAMPLES[case.example]
    tree, parsed = from_notation(line), line
    for old, new in case.changes:
        assert parsed.count(old) >= 1, old
        parsed = parsed.replace(old, new, 1)
    (item,) = [one for one in find(tree, scheme, [case.phenomenon]) if tree.words[one.anchors[0][1]] == case.word]
    verdict = judge(tree, item, from_notation(parsed), scheme)
    assert verdict.primary == case.expected, verdict.reason


def test_every_class_of_the_tables_occurs() -> None:
    tables: dict[str, set[str]] = {}
    for case in WRONG_PARSES:
        tables.setdefault(case.phenomenon[:2] if case.phenomenon.startswith("pp") else case.phenomenon, set()).add(
            case.expected
        )
    assert tables == {
        "pp": set("ABCD"), "erc": set("ABCD"), "fcr": set("ABCDE"), "sgf": set("ABCDE"), "cuc": {"right", "wrong"},
    }  # fmt: skip


def test_an_extraposed_pp_with_the_wrong_label_is_d_in_the_study_and_can_be_drawn() -> None:
    """Section 2.2.1: "In such cases, error code D must be used"."""
    scheme, line = EXAMPLES["2.2.1 TüBa-D/Z, extraposed"]
    tree = from_notation(line, "1")
    hits = sample([tree], find_all([tree], scheme), 1)
    suite = as_suite([tree], hits, name="extraposed", release="1", scheme=scheme)
    assert [item.construction.flags for item in suite.items] == [("moved",)]
    parse = from_notation(line.replace("OA-MOD", "V-MOD"), "1")
    result: Result = run(CONSTRUCTIONS, suite, {"parser": [parse]}, ConstructionsSettings())
    items = {f.by["class"]: f.value for f in result.findings if f.measure == "items" and "phenomenon" in f.by}
    assert items["D"] == 1
