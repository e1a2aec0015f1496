"""Parsed test sets of a collection: counts by hand, the model against R, and what is missing is told."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.runs.result.layout import FindingIndex
from gardenpath.runs.result.result import Finding
from gardenpath.stats.mixed import fit_mixed
from gardenpath.studies.displacement.collection import collection_files
from gardenpath.studies.displacement.treebank_scores import model_verdicts, read_parsed, sentence_rows
from gardenpath.treebank import read
from spoil import spoiled
from verdict_checks import unfounded

SETTINGS: dict[str, Any] = {"draws": 0, "subsamples": ()}
NAMES = [f"UD_German-Demo{number}" for number in range(6)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six treebanks, and parses of their test sets in the three ways in which files may be named."""
    place = tmp_path_factory.mktemp("collection")
    treebank = gp.read("bundled:de-train")
    for number, name in enumerate(NAMES):
        for part, piece in gp.split(treebank, train=0.6, dev=0.1, test=0.3, seed=number)[1].items():
            piece.write(place / "treebanks" / name / f"x{number}-ud-{part}.conllu")
        gold = read(place / "treebanks" / name / f"x{number}-ud-test.conllu")
        file = [f"{name}.conllu", f"{name}/parsed.conllu", f"x{number}-ud-test.conllu"][number % 3]
        parsed = spoiled(gold, number, labels=0.1 + 0.02 * number)
        parsed[list(range(len(parsed)))[::-1]].write(place / "parsed" / file)  # in another order
    return place


@pytest.fixture(scope="module")
def result(place: Path) -> Any:
    return gp.displacement_collection(place / "treebanks", parsed=[f"mine={place / 'parsed'}"], **SETTINGS)


def test_las_is_that_of_evaluate_with_its_interval(place: Path, result: Any) -> None:
    index = FindingIndex(result.findings)
    for number, name in enumerate(NAMES[:3]):
        file = [f"{name}.conllu", f"{name}/parsed.conllu", f"x{number}-ud-test.conllu"][number]
        own = gp.evaluate(place / "treebanks" / name / f"x{number}-ud-test.conllu", str(place / "parsed" / file))
        expected = next(finding for finding in own.findings if finding.measure == "las")
        score = index.get("las", "mine", suite=name)
        assert score is not None
        assert (score.value, score.n) == (pytest.approx(expected.value), expected.n)
        assert (score.low, score.high) == (pytest.approx(expected.low), pytest.approx(expected.high))


def test_las_by_length_and_the_rows_of_the_model_against_counting(place: Path, result: Any) -> None:
    files = list(collection_files(place / "treebanks").usable)
    parsed = read_parsed(str(place / "parsed"), files)
    name, folder = NAMES[1], place / "treebanks" / NAMES[1]
    gold, train = read(folder / "x1-ud-test.conllu"), read(folder / "x1-ud-train.conllu")
    answers = {sentence.sent_id: sentence for sentence in read(place / "parsed" / name / "parsed.conllu")}
    shares = Counter(word.ord - word.head for sentence in train for word in sentence if word.head)
    total = sum(count for gap, count in shares.items() if abs(gap) <= 30) + 61
    right, words, rows = Counter[int](), Counter[int](), list[tuple[float, float]]()
    for sentence in gold:
        pairs = list(zip(sentence, answers[sentence.sent_id], strict=True))
        good = sum(a.head == b.head and a.udeprel == b.udeprel for a, b in pairs)
        right[len(sentence)] += good
        words[len(sentence)] += len(sentence)
        gaps = [word.ord - word.head for word in sentence if word.head]
        if gaps:
            rarity = sum(-math.log2((shares[gap] + 1) / total) for gap in gaps) / len(gaps)
            rows.append((100 * good / len(sentence), rarity))
    assert parsed.scores.lengths[name] == {n: pytest.approx(100 * right[n] / words[n]) for n in words}
    counts = [0] * 61
    for gap, count in shares.items():
        counts[gap + 30] += count
    values = {"counts": {"train": counts}, "distances": {"edv": {"value": 1.0}}, "measures": {"train_tokens": 4}}
    columns = sentence_rows(parsed, dict.fromkeys(NAMES, values))
    own = [place for place, treebank in enumerate(columns["treebank"]) if treebank == name]
    assert [(columns["las"][place], columns["rarity"][place]) for place in own] == [
        (pytest.approx(las), pytest.approx(rarity)) for las, rarity in rows
    ]


def test_the_model_is_that_of_lme4(place: Path, result: Any) -> None:
    index = FindingIndex(result.findings)
    slope = index.get("las_slope", "mine", {"effect": "rarity"}, suite="treebanks")
    assert slope is not None
    rng = np.random.default_rng(3)
    levels = np.repeat(np.arange(8), 60)
    rows: dict[str, Any] = {"treebank": [f"t{level}" for level in levels], "rarity": rng.normal(4, 1, 480)}
    rows["length"] = rng.normal(4, 1, 480)
    rows["las"] = 80 - 2 * rows["rarity"] - rows["length"] + rng.normal(0, 3, 8)[levels] + rng.normal(0, 5, 480)
    formula = "las ~ rarity + length + (1 + rarity|treebank)"
    effect = fit_mixed(rows, formula).effect("rarity")  # lmer of lme4 1.1-31 says -1.909925 and 0.299931
    assert effect.estimate == pytest.approx(-1.909925, abs=1e-3)
    assert effect.se == pytest.approx(0.299931, rel=1e-2)


def test_tables_and_what_was_scored(result: Any) -> None:
    titles = [table.title for table in result.tables]
    assert "LAS of a sentence: mine" in titles
    assert "Dependency lengths of test, and in other orders" in titles
    assert any("LAS of each length" in title for title in titles)
    assert "|scores1:mine#" in result.signature


def slope_findings(slope: float, p: float, treebanks: int) -> FindingIndex:
    by = {"effect": "rarity"}
    return FindingIndex(
        [
            Finding("displacement", "c", "mine", "las_slope", slope, 900, slope - 1, slope + 1, by),
            Finding("displacement", "c", "mine", "las_slope_p", p, treebanks, by=by),
            Finding("displacement", "c", "mine", "las_slope_p_holm", 4 * p, treebanks, by=by),
        ]
    )


def test_the_verdict_speaks_by_rule() -> None:
    (verdict,) = model_verdicts(slope_findings(-3.0, 0.001, 25), "c", "mine")
    assert verdict.sure == "shown"
    assert verdict.text.startswith("mine scores less on sentences with displacements that are rare in training")
    (few,) = model_verdicts(slope_findings(-3.0, 0.001, 6), "c", "mine")
    assert few.sure == "suggested"
    (none,) = model_verdicts(slope_findings(-3.0, 0.4, 25), "c", "mine")
    assert (none.sure, none.text.startswith("Of mine it is not shown")) == ("not shown", True)
    assert list(model_verdicts(FindingIndex([]), "c", "mine")) == []
    assert [unfounded(told) for told in (verdict, few, none)] == [[], [], []]


def test_what_is_missing_or_other_is_told_and_the_rest_goes_on(place: Path, tmp_path: Path) -> None:
    read(place / "treebanks" / NAMES[0] / "x0-ud-test.conllu").write(tmp_path / "own" / f"{NAMES[0]}.conllu")
    read(place / "treebanks" / NAMES[0] / "x0-ud-test.conllu").write(tmp_path / "own" / f"{NAMES[1]}.conllu")
    result = gp.displacement_collection(place / "treebanks", parsed=[str(tmp_path / "own")], **SETTINGS)
    missing = result.details["not_parsed"]["own"]
    assert "not the sentences of the test set" in missing[NAMES[1]]
    assert missing[NAMES[2]] == "no parsed test set"
    assert [finding.value for finding in result.findings if finding.measure == "las" and not finding.by] == [100.0]
    assert result.failures["treebanks without a score"] == 5
    assert any("own: 1 treebanks with a score, 5 are needed" in reason for reason in result.details["undefined"])
    with pytest.raises(InputError, match="no such folder of parsed test sets"):
        gp.displacement_collection(place / "treebanks", parsed=[str(tmp_path / "none")], **SETTINGS)
