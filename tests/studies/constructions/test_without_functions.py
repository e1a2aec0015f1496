"""Parsers that write brackets without functions: what such trees show is judged, the rest is fixed by gold."""

from __future__ import annotations

from pathlib import Path

import pytest
from construction_mistakes import MISTAKES
from construction_suites import parses, suite
from construction_trees import constructions_in, gold, wrong

from gardenpath.data.catalogue import bundled
from gardenpath.phrase import PhraseTree, read
from gardenpath.phrase.edits.gaps import as_raised
from gardenpath.phrase.edits.grammar import without_functions
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.judging import judge, judge_trees
from gardenpath.studies.constructions.study import CONSTRUCTIONS
from gardenpath.studies.engine.study import run
from gardenpath.suites.constructions.storage import read_parallel

STRUCTURAL = {
    "adjacent noun PP taken as verbal": "D", "verbal PP hung on the noun before it": "D", "article of the PP lost": "A",
    "span and function of the PP wrong": "C", "hung on the nearest noun": "B", "clause dissolved": "C",
    "clause without its object": "D", "two juxtaposed clauses": "C",
    "verb of the second conjunct taken for a participle": "E", "second verb is not a head of a clause": "E",
    "word of the second conjunct in the first": "wrong", "no coordination": "wrong",
}  # fmt: skip
"""Mistakes that brackets and tags show in both schemes, with their class."""
IN_ONE = {
    ("extraposed noun PP taken as verbal", "tiger"): "D",
    ("extraposed noun PP hung on the subject", "tiger"): "D",
    ("hung on the subject instead of the object", "tiger"): "B",
    ("relative clause as complement", "tuebadz"): "A",  # R-SIMPX is a category
    ("relative clause as main clause beside the matrix clause", "tiger"): "B",
    ("relative clause as main clause beside the matrix clause", "tuebadz"): "A",
}
"""Mistakes that TIGER shows by a gap, or TüBa-D/Z by a category; the other scheme has a function for it."""


@pytest.mark.parametrize("scheme", ["tiger", "tuebadz"])
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: f"{mistake.phenomenon} {mistake.name}")
def test_a_mistake_has_its_class_where_brackets_show_it(mistake: object, scheme: str) -> None:
    from construction_trees import Mistake

    assert isinstance(mistake, Mistake)
    tree, construction = gold(mistake.model, scheme, mistake.phenomenon)
    spoiled = without_functions(wrong(mistake.model, scheme, getattr(mistake, scheme)))
    verdict = judge(tree, construction, spoiled, scheme, functions=False)
    expected = STRUCTURAL.get(mistake.name) or IN_ONE.get((mistake.name, scheme), "shown")
    assert verdict.primary == expected, verdict
    unparsed = judge(tree, construction, None, scheme, functions=False)
    assert (unparsed.primary, unparsed.hidden) == ("noparse", verdict.hidden)


def perfect_outcomes(trees: list[PhraseTree], scheme: str, form: str) -> list[tuple[str, str]]:
    made = []
    for tree in trees:
        shown = as_raised(tree, scheme) if form == "raised" else tree
        for construction in constructions_in(tree, scheme):
            verdict = judge(tree, construction, without_functions(shown), scheme, form, functions=False)
            made.append((construction.phenomenon, verdict.primary))
    return made


@pytest.mark.parametrize("form", ["discontinuous", "raised"])
@pytest.mark.parametrize("scheme", ["tiger", "tuebadz"])
def test_a_perfect_parser_without_functions_is_never_wrong(scheme: str, form: str) -> None:
    trees = [item.tree for item in read_parallel(bundled("de-constructions"))[scheme].items]
    outcomes = perfect_outcomes(trees, scheme, form)
    assert {outcome for _, outcome in outcomes} <= {"right", "shown"}
    assert {name for name, outcome in outcomes if outcome == "shown"} >= {"ppv", "erc", "fcr", "sgf"}
    assert {name for name, outcome in outcomes if outcome == "right"} == {"cuc", *(["ppn"] * (scheme == "tuebadz"))}


@pytest.mark.parametrize("form", ["discontinuous", "raised"])
def test_a_perfect_parser_without_functions_is_never_wrong_on_real_trees(shared: Path, form: str) -> None:
    trees = read(sorted((shared / "phrase" / "tiger-pcc" / "syntax").glob("*.xml"))[:8])
    outcomes = [outcome for _, outcome in perfect_outcomes(trees, "tiger", form)]
    assert set(outcomes) <= {"right", "shown", "n/a"}
    assert outcomes.count("n/a") <= 0.05 * len(outcomes)


def test_a_study_says_that_functions_are_missing_and_compares_only_what_both_were_asked() -> None:
    material = suite("tiger")
    bare = [without_functions(tree) for tree in parses("tiger")]
    told: list[str] = []
    systems = {"with": [item.tree for item in material.items], "without": bare}
    result = run(CONSTRUCTIONS, material, systems, ConstructionsSettings(), tell=told.append)
    assert told == ["without: its trees have no functions; what needs them is not asked"]
    accuracy = {
        finding.system: (finding.value, finding.n)
        for finding in result.findings
        if finding.measure == "accuracy" and not finding.by
    }
    judged = judge_trees(material, "without", bare)
    wrong_ones = sum(not verdict.right for verdict in judged.verdicts)
    assert accuracy["without"] == (pytest.approx(100 * (1 - wrong_ones / len(bare))), len(bare))
    compared = [finding for finding in result.findings if finding.measure == "accuracy_difference"]
    assert {finding.by.get("phenomenon", "all"): finding.n for finding in compared} == {"all": 2, "cuc": 2}
