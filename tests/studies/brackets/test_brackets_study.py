"""The evaluation of phrase trees: measures against counting by hand, failures, groups, differences, observations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cluster_oracle import share_interval
from gardenpath.errors import GardenpathError, UsageError
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.phrase.dependencies import to_dependencies
from gardenpath.phrase.formats.sniffing import holds_phrases
from gardenpath.phrase.formats.source import write
from gardenpath.phrase.parseval import GERMAN, score_tree
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.engine.phrase_trees import phrase_trees_of
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.brackets import (
    MEASURES,
    WITH_GAPS,
    BracketScores,
    bracket_scores,
    by_group,
    with_heads,
)
from gardenpath.studies.evaluation.declaration import BracketSettings
from gardenpath.studies.evaluation.phrase_study import BRACKETS, kept_trees, observations, up_to
from gardenpath.systems.asking.entrants import entrants_of
from gardenpath.treebank import score

Trees = Sequence[PhraseTree | None]

LINES = [
    "(S (NP:SB (ART:NK Die) (NN:NK Familie)) (VVFIN:HD kauft) (NP:OA (ART:NK das) (NN:NK Haus) (PP:MNR (APPRART:AC am) "
    "(NN:NK See)))) ($. .)",
    "(S (PPER:SB Er) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK einen) (NN:NK Hund)) (VVPP:HD gesehen))) ($. .)",
    "(CS (S:CJ (PPER:SB Er) (VVFIN:HD kam)) (KON:CD und) (S:CJ (VVFIN:HD ging))) ($. .)",
    "(NP (NN:NK Ende)) ($. .)",
]
PARSED = [
    "(S (NP:OA (ART:NK Die) (NN:NK Familie)) (VVFIN:HD kauft) (NP:SB (ART:NK das) (NN:NK Haus)) (PP:MO (APPRART:AC am) "
    "(NN:NK See))) ($. .)",
    "(S (PPER:SB Er) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK einen) (NN:NK Hund)) (VVPP:HD gesehen))) ($. .)",
    "(S (PPER:SB Er) (VVFIN:HD kam) (KON:CD und) (VVPP:HD ging)) ($. .)",
    "(NP (NN:NK Ende)) ($. .)",
]


@pytest.fixture
def gold() -> list[PhraseTree]:
    return [from_notation(line, f"s{number}") for number, line in enumerate(LINES, 1)]


@pytest.fixture
def parsed() -> list[PhraseTree | None]:
    return [from_notation(line) for line in PARSED]


def evaluate(gold: Sequence[PhraseTree], systems: dict[str, Any], **settings: Any) -> Result:
    return run(BRACKETS, gold, systems, BracketSettings(**settings))


def scored(gold: Sequence[PhraseTree], parsed: Trees) -> BracketScores:
    return with_heads(bracket_scores(gold, parsed, GERMAN), gold, parsed, "tiger")


def values(result: Result, system: str, by: dict[str, str] | None = None) -> dict[str, float]:
    return {
        one.measure: float(one.value)
        for one in result.findings
        if one.system == system and dict(one.by) == (by or {}) and isinstance(one.value, int | float)
    }


def test_measures_by_hand(gold: list[PhraseTree], parsed: list[PhraseTree | None]) -> None:
    """Gold brackets: 4 + 3 + 3 + 1; parsed: 4 + 3 + 1 + 1, of which 3 + 3 + 0 + 1 are right."""
    result = evaluate(gold, {"p": parsed}, scheme="tiger")
    found = values(result, "p")
    assert list(found) == [name for name in MEASURES if name not in WITH_GAPS]  # neither side has gaps
    assert found["precision"] == pytest.approx(100 * 7 / 9)
    assert found["recall"] == pytest.approx(100 * 7 / 11)
    assert found["f1"] == pytest.approx(100 * 14 / 20)
    assert found["unlabelled_recall"] == pytest.approx(100 * 8 / 11)  # CS against S over the same words
    assert found["functions_recall"] == pytest.approx(100 * 5 / 11)
    assert found["exact"] == pytest.approx(50)
    assert found["crossing"] == 0
    assert found["tags"] == pytest.approx(100 * 16 / 17)
    means = [score_tree(a, b, GERMAN).leaf_ancestor_discodop for a, b in zip(gold, parsed, strict=True)]
    assert found["leaf_ancestor_discodop"] == pytest.approx(100 * sum(means) / len(gold))  # a mean of means
    (shown,) = [
        finding for finding in result.findings if finding.measure == "leaf_ancestor_discodop" and not finding.by
    ]
    low, high = stats.t.interval(0.95, len(gold) - 1, np.mean(means), stats.sem(means))
    assert (shown.low, shown.high) == pytest.approx((max(0, 100 * low), min(100, 100 * high)))
    assert found["leaf_ancestor"] == pytest.approx(
        100 * sum(score_tree(a, b, GERMAN).leaf_ancestor for a, b in zip(gold, parsed, strict=True)) / 17
    )


def test_uas_and_las_are_those_of_the_dependencies(gold: list[PhraseTree], parsed: list[PhraseTree | None]) -> None:
    """Oracle: the CoNLL 2018 scores of the converted trees, punctuation taken out by hand."""
    result = evaluate(gold, {"p": parsed}, scheme="tiger")
    found = values(result, "p")
    whole = [tree for tree in parsed if tree is not None]
    words = score(to_dependencies(gold, "tiger"), to_dependencies(whole, "tiger")).words
    counted = [tag not in ("$.", "$,") for tree in gold for tag in tree.tags]
    assert found["uas"] == pytest.approx(100 * (words.uas & counted).sum() / sum(counted))
    assert found["las"] == pytest.approx(100 * (words.las & counted).sum() / sum(counted))
    assert "uas" not in values(evaluate(gold, {"p": parsed}), "p")


def test_no_parse_is_wrong_and_counted_and_left_out_apart(
    gold: list[PhraseTree], parsed: list[PhraseTree | None]
) -> None:
    parsed[2] = None
    result = evaluate(gold, {"p": parsed}, scheme="tiger")
    assert result.failures == {"no parse": 1}
    assert scored(gold, parsed).failures == 1
    whole, part = values(result, "p"), values(result, "p", {"sentences": "parsed"})
    assert whole["recall"] == pytest.approx(100 * 7 / 11)
    assert whole["precision"] == pytest.approx(100 * 7 / 8)
    assert part["recall"] == pytest.approx(100 * 7 / 8)
    assert whole["exact"] == pytest.approx(50)
    assert part["exact"] == pytest.approx(100 * 2 / 3)
    assert part["uas"] > whole["uas"]
    assert "Some of the sentences" in [table.title for table in result.tables]
    kept = kept_trees(gold, {"p": parsed}, "tiger")
    assert kept["p"].count(b"sent_id") == kept["gold"].count(b"sent_id") == 4


def test_sentences_up_to_the_cutoff_are_also_scored_apart(
    gold: list[PhraseTree], parsed: list[PhraseTree | None], tmp_path: Path
) -> None:
    short = tmp_path / "short.prm"
    deleted = "".join(f"DELETE_LABEL {label}\n" for label in sorted(GERMAN.delete_labels))
    short.write_text(f"CUTOFF_LEN 5\n{deleted}", encoding="utf-8")
    result = evaluate(gold, {"p": parsed}, parameters=str(short))
    found = values(result, "p", {"sentences": "up to 5 words"})
    assert found["recall"] == pytest.approx(100 * 1 / 4)
    assert not values(evaluate(gold, {"p": parsed}), "p", {"sentences": "up to 40 words"})


@pytest.mark.parametrize(
    ("gold_text", "parse_text", "chosen", "expected", "german"),
    [
        (  # a comma drawn into the NP, and ADVP for PRT: COLLINS.prm deletes the one and equates the other
            "(S (NP (NNP Ann)) (VP (VBZ gives) (PRT (RP up))) (. .))",
            "(S (NP (NNP Ann)) (VP (VBZ gives) (ADVP (RP up)) (. .)))", "collins", 100.0, 50.0,
        ),
        (  # the same comma mistake in TIGER, where both delete it
            "(S (PPER:SB Er) (VVFIN:HD kam) (NP:OA (NN:NK heim))) ($. .)",
            "(S (PPER:SB Er) (VVFIN:HD kam) (NP:OA (NN:NK heim) ($. .)))", "german", 100.0, 100.0,
        ),
        (  # Chinese: PU is deleted
            "(IP (NP (NN 他)) (VP (VV 来)) (PU 。))", "(IP (NP (NN 他)) (VP (VV 来) (PU 。)))", "ctb", 100.0, 200 / 3,
        ),
    ],
)  # fmt: skip
def test_the_scheme_of_gold_chooses_the_parameters(
    gold_text: str, parse_text: str, chosen: str, expected: float, german: float
) -> None:
    """Oracle: EVALB's definition by hand, over two to four brackets."""
    trees, parse = [from_notation(gold_text)], [from_notation(parse_text)]
    result = evaluate(trees, {"p": parse})
    assert values(result, "p")["f1"] == pytest.approx(expected)
    assert f"EVALB parameters: {chosen}" in result.tables[0].note
    assert f"parameters:{chosen}" in result.signature
    assert values(evaluate(trees, {"p": parse}, parameters="german"), "p")["f1"] == pytest.approx(german)


def test_systems_are_tested_against_the_first(gold: list[PhraseTree], parsed: list[PhraseTree | None]) -> None:
    result = evaluate(gold * 10, {"a": parsed * 10, "b": list(gold) * 10}, scheme="tiger")
    differences = {finding.measure: finding for finding in result.findings if finding.by.get("baseline") == "a"}
    assert differences["f1_difference"].value == pytest.approx(30)
    low, high = differences["f1_difference"].low, differences["f1_difference"].high
    assert low is not None
    assert high is not None
    assert low < 30 < high
    assert float(differences["las_p_holm"].value or 1) < 0.05
    # All right: eleven brackets in four sentences, ten times.
    (low_of_all, _) = share_interval([4, 3, 3, 1] * 10, [4, 3, 3, 1] * 10, range(40))
    main = [
        finding for finding in result.findings if finding.system == "b" and not finding.by and finding.measure == "f1"
    ]
    assert [(finding.value, finding.low, finding.high) for finding in main] == [
        (100, pytest.approx(100 * low_of_all), 100)
    ]


def test_trees_without_functions_have_no_scores_with_functions(gold: list[PhraseTree]) -> None:
    bare: list[PhraseTree | None] = [from_notation("(S (NN Ende)) ($. .)")]
    result = evaluate(gold[3:], {"p": bare}, scheme="tiger")
    found = values(result, "p")
    assert "uas" in found
    assert "las" not in found
    assert not any(name.startswith("functions") for name in found)
    assert (found["f1"], found["unlabelled_f1"]) == (0, 100)
    assert not scored(gold[3:], bare).functions


def test_raised_trees_are_compared_with_raised_gold_but_heads_with_gold() -> None:
    erc = (
        "(S (NP:SB (ART:NK Der) (NN:NK Verein)) (VAFIN:HD hat) (VP:OC (NP:OA#1 (ART:NK einen) (NN:NK Trainer)) "
        "(VVPP:HD gefunden) ($, ,) (NP:OA#1 (S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat)))))"
    )
    gold = [from_notation(erc)]
    parsed: list[PhraseTree | None] = [from_notation(erc.replace("NP:OA#1 (S:RC", "S:RC").replace("#1", "")[:-1])]
    as_is = evaluate(gold, {"p": parsed}, scheme="tiger")
    raised = evaluate(gold, {"p": parsed}, scheme="tiger", form="raised")
    assert values(as_is, "p")["recall"] == pytest.approx(100 * 4 / 5)
    assert values(raised, "p")["exact"] == 100
    assert values(as_is, "p")["uas"] == values(raised, "p")["uas"] == pytest.approx(100 * 8 / 9)
    assert "form:raised" in raised.signature
    pieces: list[PhraseTree | None] = [from_notation(erc.replace("NP:OA#1", "NP*:OA"))]
    split = evaluate(gold, {"p": pieces}, scheme="tiger", form="split")
    assert (values(split, "p")["exact"], values(split, "p")["las"]) == (100, 100)
    with pytest.raises(UsageError, match="heads need a scheme"):
        evaluate(gold, {"p": parsed}, form="raised")


def test_groups(gold: list[PhraseTree], parsed: list[PhraseTree | None]) -> None:
    scores = bracket_scores(gold, parsed, GERMAN)
    labels = {group.name: group for group in by_group(gold, parsed, scores, GERMAN, "label")}
    assert {name: group.gold for name, group in labels.items()} == {"S": 4, "NP": 4, "PP": 1, "VP": 1, "CS": 1}
    assert labels["NP"].recall == pytest.approx(75)
    assert labels["S"].precision == pytest.approx(100 * 2 / 3)
    assert labels["CS"].precision is None
    assert labels["NP"].low is not None
    assert labels["VP"].low is None  # one bracket of one sentence
    functions = {group.name: group for group in by_group(gold, parsed, scores, GERMAN, "function")}
    assert functions["OA"].recall == pytest.approx(50)
    assert functions["SB"].recall == 0
    lengths = by_group(gold, parsed, scores, GERMAN, "length")
    assert [(group.name, group.gold) for group in lengths] == [("1–5", 4), ("6–10", 7)]
    with pytest.raises(GardenpathError, match="did you mean label"):
        by_group(gold, parsed, scores, GERMAN, "lable")
    result = evaluate(gold, {"a": parsed, "b": list(gold)}, by=["label", "length"])
    assert [table.title for table in result.tables][2:] == ["F1 by label", "F1 by length"]
    assert Finding("brackets", "trees", "b", "recall", 100.0, 4, by={"label": "S"}) in result.findings


def test_groups_of_gaps() -> None:
    """Two gaps in gold: an extraposed relative clause, and an object before its gap. Found: the first, and one more."""
    relative = (
        "(S (NP:OA#1 (ART:NK Den) (NN:NK Hund)) (VVFIN:HD sieht) (PPER:SB er) "
        "(NP:OA#1 (S:RC (PRELS:SB der) (VVFIN:HD bellt)))) ($. .)"
    )
    fronted = "(S (VP:OC#1 (NP:OA (ART:NK Den) (NN:NK Hund))) (VAFIN:HD hat) (PPER:SB er) (VP:OC#1 (VVPP:HD gesehen)))"
    modifier = "(S (VP:OC#1 (NP:MO (ART:NK Den) (NN:NK Tag))) (VAFIN:HD hat) (PPER:SB er) (VP:OC#1 (VVPP:HD gesehen)))"
    raised = "(S (NP:OA (ART:NK Den) (NN:NK Hund)) (VAFIN:HD hat) (PPER:SB er) (VP:OC (VVPP:HD gesehen)))"
    plain = "(S (NP:MO (ART:NK Den) (NN:NK Tag)) (VAFIN:HD hat) (PPER:SB er) (VP:OC (VVPP:HD gesehen)))"
    gold = [from_notation(line) for line in (relative, fronted, plain)]
    system: list[PhraseTree | None] = [from_notation(line) for line in (relative, raised, modifier)]
    scores = bracket_scores(gold, system, GERMAN)
    for scheme in ("", "tiger"):
        groups = {group.name: group for group in by_group(gold, system, scores, GERMAN, "gap", scheme)}
        counted = {name: (group.gold, group.precision, group.recall) for name, group in groups.items()}
        assert counted == {
            "NP: RC after": (1, 100.0, 100.0), "VP: OA before": (1, None, 0.0), "VP: MO before": (0, 0.0, None),
        }  # fmt: skip
    assert scores.value("discontinuous_f1") == 50
    result = evaluate(gold, {"a": system}, by=["gap"], scheme="tiger")
    assert Finding("brackets", "trees", "a", "recall", 100.0, 1, by={"gap": "NP: RC after"}) in result.findings


def test_length_and_parameters_are_in_the_signature(gold: list[PhraseTree], parsed: list[PhraseTree | None]) -> None:
    first = evaluate(gold, {"p": parsed})
    second = evaluate(gold, {"p": parsed}, parameters="collins")
    assert "parameters:german" in first.signature
    assert first.signature != second.signature
    assert values(first, "p")["f1"] == values(second, "p")["f1"]
    assert values(first, "p")["tags"] < values(second, "p")["tags"]  # there the full stops are words
    assert [tree.sent_id for tree in up_to(gold, 6)] == ["s2", "s3", "s4"]  # full stops count
    assert up_to(gold, None) == gold


def test_observations_have_the_counts(gold: list[PhraseTree], parsed: list[PhraseTree | None]) -> None:
    parsed[2] = None
    frame = observations(gold, {"p": scored(gold, parsed)}, "x").frame()
    assert frame["outcome"].to_list() == ["not exact", "exact", "no parse", "exact"]
    assert frame["right"].to_list() == [3, 3, 0, 1]
    assert frame["value"].to_list() == pytest.approx([75, 100, 0, 100])
    assert frame["item"].to_list() == ["s1", "s2", "s3", "s4"]
    assert frame["right_heads"].to_list()[1:] == [5, 0, 1]


def test_nothing_to_evaluate(gold: list[PhraseTree]) -> None:
    with pytest.raises(UsageError, match="no system"):
        evaluate(gold, {})
    with pytest.raises(UsageError, match="no gold trees"):
        evaluate([], {"p": []})


def test_gold_is_known_by_its_name_or_its_first_bytes(tmp_path: Path, gold: list[PhraseTree], samples: Path) -> None:
    write(gold, tmp_path / "a.export")
    assert holds_phrases(str(tmp_path / "a.export"))
    assert holds_phrases(str(tmp_path))
    assert holds_phrases(str(tmp_path / "*.export"))
    (tmp_path / "noname").write_bytes((tmp_path / "a.export").read_bytes())
    assert holds_phrases(str(tmp_path / "noname"))
    assert not holds_phrases(str(samples / "de_garden-test.conllu"))
    assert not holds_phrases("bundled:de-test")
    assert not holds_phrases("-")


def test_systems_by_name(tmp_path: Path, gold: list[PhraseTree]) -> None:
    path = tmp_path / "a.export"
    write(gold, path)
    names = [str(path), f"trees:{path}", "baseline:right-branching"]
    file, named, rule = entrants_of(names, "phrase parser")
    assert file.signature == named.signature
    assert file.files == [str(path)]
    assert rule.files == []
    assert phrase_trees_of(file.system, gold).trees == phrase_trees_of(named.system, gold).trees
    assert [tree.words for tree in phrase_trees_of(rule.system, gold).trees if tree is not None] == [
        t.words for t in gold
    ]
    with pytest.raises(UsageError, match="named twice"):
        entrants_of(["a", "a"], "phrase parser")
