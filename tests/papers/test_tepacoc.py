"""The paper on TEPACOC: its make-up, what is not computed, and grammars of both schemes on the parallel suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gardenpath.data import bundled
from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import write
from gardenpath.suites.constructions.model import PHENOMENA
from gardenpath.suites.constructions.storage import read_parallel
from gardenpath_generate.constructions.treebank import generate
from gardenpath_papers.ledger import Line, selected, settled, shown
from gardenpath_papers.paper import PAPERS, reproduce
from gardenpath_papers.tepacoc import (
    ACCURACY_TABLE,
    CLAIMS,
    CLAIMS_TABLE,
    SCORES,
    SCORES_TABLE,
    SUITE,
    OwnTreebanks,
    lines,
    own_material,
)


def no_data(name: str) -> Path:
    raise AssertionError(f"{name} is asked for")  # all of it is bundled


@pytest.fixture(scope="module")
def found(ledger_of: Callable[[str], list[Line]]) -> list[Line]:
    return ledger_of("tepacoc")


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.systems.asking.registry.find_spec", lambda name: None)


@pytest.mark.usefixtures("without_numba")
def test_without_numba_the_rest_is_computed_and_it_says_what_to_install() -> None:
    found = lines(no_data)
    missing = [line for line in found if line.table == CLAIMS_TABLE]
    assert [line.verdict for line in missing] == ["impossible here"] * 2 * len(CLAIMS)
    assert len(found) == 42
    assert all('pip install "gardenpath[pcfg]"' in line.why for line in missing)
    assert all(line.published for line in found)
    assert [line for line in found if line.outcome == "differs"] == []


@pytest.mark.usefixtures("without_numba")
def test_the_signature_names_the_bundled_suite_by_its_content() -> None:
    result = reproduce([PAPERS["tepacoc"]], no_data)
    assert f"|data:bundled:{SUITE}#" in result.signature
    assert "|tepacoc-sentences:1000|tepacoc-sets:3|" in result.signature


@pytest.mark.usefixtures("without_numba")
def test_make_up_and_what_is_licensed() -> None:
    """Sections 1 and 2: 5 phenomena, 20 sentences each in two treebanks; the counts in TIGER are printed."""
    found = settled(lines(no_data))
    suite = {line.row: line for line in found if line.table == "Section 2: the suite" and line.basis == "other data"}
    assert {row: line.published for row, line in suite.items() if "each treebank" not in row} == {
        "sentences": "200", "sentences per treebank": "100", "phenomena": "5", "longest sentence allowed": "40",
    }  # fmt: skip
    assert sum(line.published == "20" and (line.ours or 0) >= 20 for line in suite.values()) == 5
    made = {line.row: line.ours for line in found if line.verdict == "arithmetic"}
    assert made == {"sentences": 200, "sentences per treebank": 100}
    counts = {line.published: line.verdict for line in found if line.table == "Section 2: sentences of TIGER"}
    assert counts == dict.fromkeys(["7196", "4046", "2545", "384", "381", "35"], "impossible here")
    classes = [line for line in found if line.table == "Tables 1 to 4: error classes"]
    assert [(line.published, line.kind, line.outcome) for line in classes] == [(n, "check", "equal") for n in "44551"]
    assert {line.verdict for line in classes} == {"published input"}  # definitions, not results
    schemes = [line.ours for line in found if line.table == "Section 2.1: what is said of the schemes"]
    assert schemes == [0, 0, 1, 1]


def test_every_item_is_in_one_class_of_each_grammar(found: list[Line]) -> None:
    items = len(read_parallel(bundled(SUITE))["tiger"].items)
    counts: dict[str, float] = {}
    for one in found:
        if one.measure == "items":
            counts[one.system] = counts.get(one.system, 0) + (one.ours or 0)
    grammars = [f"{name}/{sisters}" for sisters in (1, 2) for name in ("TIGER", "TIGER, split", "TüBa-D/Z")]
    assert counts == dict.fromkeys(grammars, items)
    assert {one.verdict for one in found if not one.published} == {"not printed"}


def test_bracket_measures_favour_the_deeper_scheme_and_dependencies_do_not(found: list[Line]) -> None:
    mean = {
        (one.row, one.system): one.ours or 0 for one in found if one.table == SCORES_TABLE and one.measure == "mean"
    }
    assert {row for row, _ in mean} == set(SCORES.values())
    assert mean["labelled F1", "TüBa-D/Z/1"] > mean["labelled F1", "TIGER/1"]
    assert mean["LAS", "TüBa-D/Z/1"] < mean["LAS", "TIGER/1"]
    claims = [one for one in found if one.table == CLAIMS_TABLE]
    assert len(claims) == 2 * len(CLAIMS)
    assert {one.ours for one in claims if "TüBa-D/Z/1" in one.row and one.row.startswith("bracket")} == {1.0}


def test_raised_trees_say_nothing_of_extraposed_clauses(found: list[Line]) -> None:
    asked = {one.system for one in found if one.table == ACCURACY_TABLE and one.row.startswith("erc")}
    assert asked == {"TIGER, split/1", "TIGER, split/2", "TüBa-D/Z/1", "TüBa-D/Z/2"}


def test_own_numbers_stand_side_by_side(found: list[Line]) -> None:
    findings = [line.finding("tepacoc") for line in found]
    first, *tables = shown("TEPACOC", selected(findings, [], ["not printed"]), lines=True)
    assert "322 numbers of ours" in first.note
    scores = next(table for table in tables if table.title == SCORES_TABLE)
    assert list(scores.columns)[:3] == ["row", "measure", "TIGER/1"]
    assert len(scores.columns) == 8


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> OwnTreebanks:
    """A stand-in: generated treebanks, and a list of two sentences of each phenomenon in each."""
    folder = tmp_path_factory.mktemp("own")
    made = generate(120, seed=4)
    rows = []
    for scheme, title in (("tiger", "Tiger"), ("tuebadz", "TuBa-D/Z")):
        write(made.trees(scheme), folder / f"{scheme}.export")
        rows.append(title)
        for phenomenon in PHENOMENA:
            numbers = [at for at, sentence in enumerate(made.sentences, 1) if sentence.phenomenon == phenomenon][:2]
            rows += [f"\t\t{phenomenon.upper()}"]
            rows += [f"{number}\t\t{' '.join(made.sentences[number - 1].tiger.words)}" for number in numbers]
    rows.append("999\t\tDas steht nirgends .")
    (folder / "tepacoc.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return OwnTreebanks(*(str(folder / name) for name in ("tiger.export", "tuebadz.export", "tepacoc.txt")))


def test_treebanks_of_the_user_give_suite_training_and_report(own: OwnTreebanks) -> None:
    pytest.importorskip("numba")
    result = reproduce([PAPERS["tepacoc"]], no_data, own=own)
    suite = {(finding.by["row"], finding.by["verdict"]): finding.value for finding in result.findings}
    assert suite["sentences", "recomputed"] == 24
    assert suite["tuebadz: listed, but not in the treebank", "not printed"] == 1
    assert suite["tiger: sentences to train on, without the suite", "not printed"] == 108
    classes = [finding for finding in result.findings if finding.measure == "items"]
    by_grammar: dict[str, float] = {}
    for finding in classes:
        by_grammar[finding.system] = by_grammar.get(finding.system, 0) + float(finding.value or 0)
    assert set(by_grammar.values()) == {12.0}  # every item has one class
    assert len(by_grammar) == 6
    measured = {finding.by["row"] for finding in result.findings if finding.by["table"] == SCORES_TABLE}
    assert measured == set(SCORES.values())
    assert "|tepacoc-tiger:tiger.export#" in result.signature
    assert "tepacoc-sentences" not in result.signature


def test_no_sentence_of_the_suite_is_trained_on_and_without_a_list_it_is_drawn(own: OwnTreebanks) -> None:
    material = own_material(replace(own, listed="", size=3))
    for scheme, suite in material.suites.items():
        known = {item.tree.words for item in suite.items}
        assert len(known) == 15
        assert not known & {tree.words for tree in material.training[scheme]}
        assert len(material.training[scheme]) == 120 - 15


def test_both_treebanks_are_needed_in_their_own_scheme(own: OwnTreebanks) -> None:
    with pytest.raises(UsageError, match="two treebanks"):
        OwnTreebanks(own.tiger, "")
    with pytest.raises(InputError, match="look like tiger, not tuebadz"):
        own_material(replace(own, tueba=own.tiger))
    with pytest.raises(UsageError, match="name tepacoc alone"):
        reproduce([PAPERS["sorts"]], no_data, own=own)
