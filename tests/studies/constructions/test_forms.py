"""What a form of trees shows is decided by gold alone: a parser that makes no mistake is right in every form."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from construction_mistakes import MISTAKES
from construction_suites import suite
from construction_trees import MODELS, constructions_in, gold, wrong

from gardenpath.data.catalogue import bundled
from gardenpath.errors import UsageError
from gardenpath.phrase import TIGER, PhraseTree, from_notation
from gardenpath.phrase.edits.gaps import FORMS, as_raised, form_of, has_gaps
from gardenpath.phrase.edits.splitting import split, unmarked
from gardenpath.phrase.edits.tokens import lowered
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.judging import judge, judge_trees
from gardenpath.studies.constructions.study import CONSTRUCTIONS
from gardenpath.studies.engine.study import run
from gardenpath.suites.constructions.finding import find_in, gold_trees
from gardenpath.suites.constructions.model import PHENOMENA
from gardenpath.suites.constructions.storage import read_parallel


def perfect(tree: PhraseTree, scheme: str, form: str) -> PhraseTree:
    """The parse of a parser that makes no mistake but can only write trees of this form."""
    if form.startswith("raised"):
        return as_raised(tree, scheme, form)
    if form == "discontinuous":
        return tree
    return split(lowered(tree)) if form == "split" else unmarked(split(lowered(tree)))


def outcomes(trees: list[PhraseTree], scheme: str, form: str) -> list[tuple[str, str]]:
    """Phenomenon and outcome of each construction in perfect parses; no parse is n/a where they are, and else wrong."""
    made = []
    for tree in trees:
        parse = perfect(tree, scheme, form)
        for construction in constructions_in(tree, scheme):
            verdict = judge(tree, construction, parse, scheme, form)
            without = judge(tree, construction, None, scheme, form)
            assert without.primary == ("n/a" if verdict.primary == "n/a" else "noparse")
            assert without.hidden == verdict.hidden
            assert bool(verdict.hidden) == (verdict.primary == "shown")
            made.append((construction.phenomenon, verdict.primary))
    return made


@pytest.mark.parametrize("scheme", ["tiger", "tuebadz"])
@pytest.mark.parametrize("form", FORMS)
def test_a_perfect_parser_is_right_in_every_form(form: str, scheme: str) -> None:
    items = read_parallel(bundled("de-constructions"))[scheme].items
    trees = [*(item.tree for item in items), *(from_notation(trees[scheme]) for trees in MODELS.values())]
    judged = [outcome for _, outcome in outcomes(trees, scheme, form)]
    assert set(judged) <= {"right", "shown"} | ({"n/a"} if form in ("unmarked", "raised-longest") else set())
    if scheme == "tuebadz" or form in ("discontinuous", "split"):  # no gaps, or all of them
        assert set(judged) == {"right"}
    else:
        assert "shown" in judged


@pytest.fixture(scope="module")
def real_trees(shared: Path) -> list[PhraseTree]:
    from gardenpath.phrase import read

    return read(sorted((shared / "phrase" / "tiger-pcc" / "syntax").glob("*.xml"))[:8])


@pytest.mark.parametrize("form", FORMS)
def test_a_perfect_parser_is_right_in_every_form_on_real_trees(form: str, real_trees: list[PhraseTree]) -> None:
    judged = outcomes(real_trees, "tiger", form)
    assert {outcome for _, outcome in judged} <= {"right", "shown", "n/a"}
    assert sum(outcome == "n/a" for _, outcome in judged) <= 0.05 * len(judged)
    if form == "raised":
        assert {outcome for phenomenon, outcome in judged if phenomenon == "erc"} == {"shown"}


@pytest.mark.parametrize(("model", "phenomenon"), [("erc", "erc"), ("farther erc", "erc"), ("extraposed pp", "ppn")])
def test_what_raising_hides_is_right_as_far_as_shown(model: str, phenomenon: str) -> None:
    tree, construction = gold(model, "tiger", phenomenon)
    verdict = judge(tree, construction, as_raised(tree, "tiger"), "tiger", "raised")
    assert (verdict.primary, verdict.codes, verdict.right) == ("shown", (), True)
    assert verdict.hidden
    assert verdict.reason.startswith("not shown by gold itself: ")


@pytest.mark.parametrize(
    ("model", "mistake", "codes"),
    [
        ("erc", "relative clause as complement", ("A",)),
        ("farther erc", "hung on the nearest noun", ("B",)),  # raised gold hangs at the clause, not at another noun
    ],
)
def test_what_raised_trees_show_is_judged(model: str, mistake: str, codes: tuple[str, ...]) -> None:
    tree, construction = gold(model, "tiger", "erc")
    changes = next(known for known in MISTAKES if known.name == mistake).tiger
    parse = as_raised(wrong(model, "tiger", changes), "tiger")
    verdict = judge(tree, construction, parse, "tiger", "raised")
    assert (verdict.codes, bool(verdict.hidden)) == (codes, True)


def test_shown_items_count_as_right_and_the_denominator_is_the_same_for_every_parser() -> None:
    material = suite("tiger")
    trees = [as_raised(item.tree, "tiger") for item in material.items]
    judged = judge_trees(material, "perfect", trees, form="raised")
    shown = sum(verdict.primary == "shown" for verdict in judged.verdicts)
    assert shown > 3
    systems = {"perfect": trees, "half": [tree if at % 2 else None for at, tree in enumerate(trees)]}
    result = run(CONSTRUCTIONS, material, systems, ConstructionsSettings(form="raised"))
    accuracy = {
        finding.system: (finding.value, finding.n)
        for finding in result.findings
        if finding.measure == "accuracy" and not finding.by
    }
    assert accuracy == {
        "perfect": (100.0, len(trees)),
        "half": (pytest.approx(100 * (len(trees) // 2) / len(trees)), len(trees)),
    }
    items = {
        finding.by["class"]: finding.value
        for finding in result.findings
        if finding.measure == "items" and finding.system == "perfect" and set(finding.by) == {"scheme", "class"}
    }
    assert items == {"right": len(trees) - shown, "shown": shown, "noparse": 0, "n/a": 0}
    assert result.tables[0].columns[5:8] == ["right", "shown", "noparse"]
    assert "shown: right as far as" in result.tables[0].note


@pytest.mark.parametrize(("form", "shown"), [("discontinuous",) * 2, ("split",) * 2, ("raised",) * 2])
def test_the_form_of_trees_is_the_one_they_were_written_in(form: str, shown: str) -> None:
    """A perfect parser is right in every form without a word about it; the choice is told."""
    material = suite("tiger")
    trees = [perfect(item.tree, "tiger", form) for item in material.items]
    notices: list[str] = []
    result = run(CONSTRUCTIONS, material, {"perfect": trees}, ConstructionsSettings(), tell=notices.append)
    assert result.findings[0].value == 100.0
    told = f"perfect: its trees are judged in the form {shown} (--set form)"
    assert (told in notices) == (shown != "discontinuous")
    assert (f"perfect: trees in the form {shown}" in result.tables[0].note) == (shown != "discontinuous")
    assert "form:auto" in result.signature


def test_trees_of_a_scheme_without_gaps_are_judged_as_they_are() -> None:
    material = suite("tuebadz")
    result = run(CONSTRUCTIONS, material, {"p": [item.tree for item in material.items]}, ConstructionsSettings())
    assert "in the form" not in result.tables[0].note


@pytest.mark.parametrize(
    ("form", "asked", "told"),
    [
        ("discontinuous", "raised", "trees have gaps"),
        ("discontinuous", "unmarked", "trees have gaps"),
        ("discontinuous", "split", "trees have gaps"),
        ("split", "raised", "marked pieces"),
        ("split", "discontinuous", "marked pieces"),
    ],
)
def test_a_form_that_the_trees_contradict_is_refused(form: str, asked: str, told: str) -> None:
    material = suite("tiger")
    trees = [perfect(item.tree, "tiger", form) for item in material.items]
    with pytest.raises(UsageError, match=told):
        run(CONSTRUCTIONS, material, {"perfect": trees}, ConstructionsSettings(form=asked))


def test_punctuation_makes_no_gap(real_trees: list[PhraseTree]) -> None:
    """Commas hang at the root in TIGER: a raised tree has them inside its phrases' spans, and still no gap."""
    gapped = [tree for tree in real_trees if has_gaps([tree], TIGER)]
    assert 0 < len(gapped) < sum(any(node.has_gap for node in tree.inner) for tree in real_trees)
    raised = [as_raised(tree, "tiger") for tree in gapped]
    assert form_of(raised, gapped, TIGER) == "raised"


def test_all_constructions_of_a_treebank_are_judged_or_counted(shared: Path) -> None:
    """Oracle: what `find` finds. Nothing is dropped without a word: a conjunct that is only a verb, say."""
    files = shared / "phrase" / "tiger-pcc" / "syntax" / "*1*.xml"
    trees = gold_trees(str(files), "tiger")
    found = Counter(construction.phenomenon for _, construction in find_in(trees, "tiger", tuple(PHENOMENA)))
    known = {tree.words: tree for tree in trees}
    systems = {"gold": lambda sentences: [known[tuple(words)] for words in sentences]}
    result = run(CONSTRUCTIONS, str(files), systems, ConstructionsSettings(scheme="tiger"))
    judged = {
        finding.by["phenomenon"]: finding.n
        for finding in result.findings
        if finding.measure == "accuracy" and set(finding.by) == {"scheme", "phenomenon"}
    }
    counts = re.search(r"not judged, [^:]*: ([^;]*)", " ".join(result.tables[0].note.split()))
    assert counts is not None
    left = {name: int(count.replace(",", "")) for name, count in re.findall(r"(\w+) ([\d]+)", counts[1])}
    assert {name: judged.get(name, 0) + left.get(name, 0) for name in found} == dict(found)


def test_what_one_scheme_shows_in_part_is_not_compared_with_what_the_other_shows_in_full() -> None:
    halves = [suite("tiger"), suite("tuebadz")]
    systems = {"tiger": [as_raised(item.tree, "tiger") for item in halves[0].items]}
    systems["tuebadz"] = [item.tree for item in halves[1].items]
    result = run(CONSTRUCTIONS, halves, systems, ConstructionsSettings(form="raised"))
    compared = {
        finding.by.get("phenomenon", ""): finding.n
        for finding in result.findings
        if finding.measure == "accuracy_difference"
    }
    in_full = [item for item in halves[0].items if "#" not in MODELS_OF.get(item.item, "")]
    assert compared[""] == len(in_full)
    assert "erc" not in compared


MODELS_OF = {f"item-{number:02d}": MODELS[mistake.model]["tiger"] for number, mistake in enumerate(MISTAKES)}
"""The gold tree of each item; `#` marks a node with a gap."""
