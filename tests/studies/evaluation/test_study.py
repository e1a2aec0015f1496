"""Breakdowns, comparison, examples and observations, against counting by hand on the same trees."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import gardenpath as gp
from gardenpath.errors import UsageError
from gardenpath.runs.result.result import Result
from gardenpath.studies.engine.declaration import parts_of
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.breakdown import by_group, confusions, grouping
from gardenpath.studies.evaluation.declaration import GROUPINGS, EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION, compare, find_examples, observations
from gardenpath.treebank import Treebank, read, score
from gardenpath.treebank.format.documents import document_numbers, sentence_clusters
from spoil import spoiled


@pytest.fixture(scope="module")
def gold(samples: Path) -> Treebank:
    return read(samples / "de_garden-test.conllu")


def evaluate(gold: Treebank, systems: dict[str, Treebank], **settings: Any) -> Result:
    return run(EVALUATION, gold, systems, EvaluationSettings(**settings))


def slow_groups(gold: Treebank, system: Treebank, *dimensions: str) -> dict[tuple[str, ...], tuple[int, int, int]]:
    """(words, heads right, heads and labels right) per group, node by node."""
    found: dict[tuple[str, ...], Counter[str]] = {}
    for mine, theirs in zip(gold, system, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            distance = abs(a.ord - (a.head or 0))
            object_first = a.deprel == "obj" and a.ord < (a.head or 0)
            names = {
                "label": a.udeprel,
                "upos": a.upos,
                "Case": a.feats.get("Case", "(none)"),
                "object first": "yes" if object_first else "no",
                "direction": "root" if a.head == 0 else "head to the left" if a.head < a.ord else "head to the right",
                "projectivity": "non-projective" if a.is_nonprojective() else "projective",
                "depth": str(a.depth) if a.depth < 7 else "7+",
                "distance": "root" if a.head == 0 else _bin(distance, [1, 2, 3, 6, 10, 15]),
                "length": _bin(len(mine), [5, 10, 20, 30, 40, 60]),
            }
            cell = found.setdefault(tuple(names[dimension] for dimension in dimensions), Counter())
            cell["words"] += 1
            cell["uas"] += a.head == b.head
            cell["las"] += a.head == b.head and a.udeprel == b.udeprel
    return {name: (cell["words"], cell["uas"], cell["las"]) for name, cell in found.items()}


def _bin(value: int, bounds: list[int]) -> str:
    low = 1
    for bound in bounds:
        if value <= bound:
            return str(low) if low == bound else f"{low}–{bound}"
        low = bound + 1
    return f"{low}+"


@pytest.mark.parametrize(
    "text",
    [
        *(name for name in GROUPINGS if name != "confusion"),
        "Case",
        "e: V -[obj]-> O; O << V:object first",
        "upos+direction",
        "distance + Case",
        "label+object first=e: V -[obj]-> O; O << V",
    ],
)
def test_groups_against_counting_nodes(text: str, gold: Treebank) -> None:
    system, by = spoiled(gold, 5), grouping(text)
    expected = slow_groups(gold, system, *by.names)
    groups = by_group(score(gold, system), by, sentence_clusters(gold))
    assert {
        tuple(g.by[name] for name in by.names): (g.words, round(g.uas * g.words / 100), round(g.las * g.words / 100))
        for g in groups
    } == expected
    assert all(g.low is not None and g.low <= g.las <= g.high for g in groups if g.words > 50)


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("kase", "unknown grouping 'kase'"),
        ("Kase", "unknown feature 'Kase'"),
        ("upos+upos", "one dimension or two that differ"),
        ("upos+Case+length", "one dimension or two that differ"),
        ("upos+confusion", "confusion is two labels already"),
        ("V -[obj> O:x", "]-> is missing before '>'"),
    ],
)
def test_groupings_that_are_none(by: str, message: str, gold: Treebank) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        evaluate(gold, {"x": gold}, by=(by,))


def test_a_crossed_breakdown_has_its_findings_table_verdict_and_signature(gold: Treebank) -> None:
    query = "e: V -[obj]-> O [Case=Acc]"
    result = evaluate(gold, {"x": spoiled(gold, 5)}, by=("upos+direction", "obj=V -[obj]-> O"))
    crossed = [finding for finding in result.findings if set(finding.by) == {"upos", "direction"}]
    assert sum(finding.n for finding in crossed if finding.measure == "las") == gold.word_count
    assert [table.title for table in result.tables][1:] == ["By upos and direction", "By phenomenon"]
    assert "|by:1 query#" in result.signature
    assert parts_of(f"upos+Case,{query}:object") == ["upos+Case", f"{query}:object"]


def test_label_precision(gold: Treebank) -> None:
    system = spoiled(gold, 6)
    subjects = next(
        g for g in by_group(score(gold, system), grouping("label"), sentence_clusters(gold)) if g.by["label"] == "nsubj"
    )
    called = sum(node.udeprel == "nsubj" for sentence in system for node in sentence)
    right = subjects.las * subjects.words / 100
    assert subjects.precision == pytest.approx(100 * right / called)
    assert subjects.f1 == pytest.approx(200 * right / (called + subjects.words))


def test_confusions_against_counting(gold: Treebank) -> None:
    system = spoiled(gold, 7)
    pairs = Counter(
        (a.udeprel, b.udeprel) for x, y in zip(gold, system, strict=True) for a, b in zip(x, y, strict=True)
    )
    assert {(g, s): n for g, s, n in confusions(score(gold, system))} == dict(pairs)


def test_shares_of_confusions_are_of_all_words_with_another_label(gold: Treebank) -> None:
    system = spoiled(gold, 7)
    pairs = Counter(
        (a.udeprel, b.udeprel) for x, y in zip(gold, system, strict=True) for a, b in zip(x, y, strict=True)
    )
    wrong = sum(count for (label, predicted), count in pairs.items() if label != predicted)
    result = evaluate(gold, {"x": system}, by=["confusion"])
    shares = {
        (finding.by["label"], finding.by["predicted"]): (finding.value, finding.n)
        for finding in result.findings
        if finding.measure == "confusion_share"
    }
    assert shares == {
        pair: (pytest.approx(100 * count / wrong), wrong) for pair, count in pairs.items() if pair[0] != pair[1]
    }
    table = result.tables[1]
    assert str(wrong) in table.title
    assert len(table.rows) == 15
    assert {row[3] for row in table.rows} <= {share for share, _ in shares.values()}


def test_examples_show_every_such_word(gold: Treebank) -> None:
    scores = score(gold, spoiled(gold, 8))
    table = {(g, s): n for g, s, n in confusions(scores)}
    wanted = next((g, s) for (g, s), n in table.items() if g != s and n >= 2)
    shown, total = find_examples(scores, ":".join(wanted), limit=1)
    assert total == table[wanted]
    assert len(shown) == 1
    assert "«" in shown[0].marked
    assert shown[0].gold.startswith(wanted[0])
    assert shown[0].place.split(":")[-1].isdigit()


def test_examples_of_an_unknown_label(gold: Treebank) -> None:
    with pytest.raises(UsageError, match="did you mean nsubj"):
        find_examples(score(gold, gold), "nsbj:obj")


def test_better_system_is_found_better(gold: Treebank) -> None:
    worse, better = spoiled(gold, 9, labels=0.4), spoiled(gold, 10, labels=0.1)
    scores = {"worse": score(gold, worse), "better": score(gold, better)}
    findings = {finding.measure: finding for finding in compare("e", "g", scores, sentence_clusters(gold), "worse")}
    assert len(findings) == 3 * 4  # of each metric the difference, its p, and p after both corrections
    for metric in ("uas", "las", "clas"):
        assert (findings[f"{metric}_difference"].low or 0) > 0
        assert findings[f"{metric}_p"].value <= findings[f"{metric}_p_bh"].value <= findings[f"{metric}_p_holm"].value
        assert findings[f"{metric}_p_holm"].value < 0.05


def test_findings_are_flat_and_complete(gold: Treebank) -> None:
    result = evaluate(gold, {"a": spoiled(gold, 1), "b": spoiled(gold, 2)}, by=GROUPINGS)
    flat = [finding.flat() for finding in result.findings]
    las = [
        f
        for f in flat
        if f["measure"] == "las" and set(f) == {"study", "suite", "system", "measure", "value", "n", "low", "high"}
    ]
    assert [f["system"] for f in las] == ["a", "b"]
    assert all(f["low"] <= f["value"] <= f["high"] for f in las)
    assert {"las_difference", "confusion", "label"} <= {f["measure"] for f in flat}
    assert f"clusters:document={len(set(document_numbers(gold).tolist()))}" in result.signature
    alone = evaluate(gold, {"a": spoiled(gold, 1)}, independent=True)
    assert f"clusters:sentence={len(gold)}" in alone.signature


def test_observations_have_a_row_per_word_and_system(gold: Treebank) -> None:
    systems = {"a": spoiled(gold, 1), "b": gold}
    scores = {name: score(gold, system) for name, system in systems.items()}
    frame = observations(gold, scores, sentence_clusters(gold)).frame()
    assert len(frame) == 2 * gold.word_count
    right = frame.filter((frame["outcome"] == "right") & (frame["system"] == "a"))
    assert len(right) == scores["a"].totals("LAS")[0]


def test_one_sentence_still_has_an_interval(gold: Treebank) -> None:
    result = evaluate(gold[:1], {"self": gold[:1]}, by=GROUPINGS)
    assert all(f.value is not None for f in result.findings if f.measure == "las")


def test_layers_that_gold_lacks_are_said_to_say_nothing() -> None:
    row = "1\ta\t{}\t{}\t_\tA=B\t0\troot\t_\t_\n\n"
    bare, full = (Treebank(row.replace("{}", value).encode()) for value in ("_", "X"))
    note = gp.evaluate(bare, {"x": bare}).tables[0].note
    assert "Gold has no UPOS, XPOS or Lemmas: what systems score there" in note
    assert "Gold has no XPOS: what" in gp.evaluate(full, {"x": full}).tables[0].note
    for name, what in (("Case", "no word of"), ("upos", "no word of"), ("Kase", "did you mean Case")):
        with pytest.raises(UsageError, match=what):
            gp.evaluate(bare, {"x": bare}, by=[name])
