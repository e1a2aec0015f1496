"""Effects at the disambiguating word and after it: by hand, and of the published models against a script."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from math import log2, sqrt
from pathlib import Path
from statistics import mean, stdev

import pytest

import gardenpath as gp

ITEMS = """item,condition,disambPosition,Sentence
1,NPS_AMB,5,Anna knew the plan failed in May.
1,NPS_UNAMB,6,Anna knew that the plan failed in May.
2,NPS_AMB,5,Ben saw the cook left in June.
2,NPS_UNAMB,6,Ben saw that the cook left last June.
3,NPS_AMB,4,Cleo heard dogs bark at night.
3,NPS_UNAMB,5,Cleo heard that dogs bark at night.
"""
COSTS = {"Anna": 6.0, "Ben": 3.0, "Cleo": 9.0}
"""Bits of every word without *that*; with it every word has 1 bit, so item 1 has the effect 5, and so on."""


def bits(sentences: Sequence[Sequence[str]]) -> list[list[float]]:
    return [[1.0 if "that" in words else COSTS[words[0]] for _ in words] for words in sentences]


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.csv"
    path.write_text(ITEMS, encoding="utf-8")
    return path


def test_effects_by_hand(items: Path) -> None:
    result = gp.surprisal(items, {"hand": bits})
    effects_by_word = {finding.by["word"]: finding for finding in result.findings if finding.measure == "effect"}
    first = effects_by_word["disambiguating word"]
    assert (first.value, first.n, first.by["class"]) == (5.0, 3, "NPS")  # (5 + 2 + 8) / 3
    half = 4.302652730 * stdev([5, 2, 8]) / sqrt(3)  # t of 2 degrees of freedom
    assert (first.low, first.high) == pytest.approx((5 - half, 5 + half))
    # Item 2 goes on with another word in its second condition: in June, last June.
    later = {
        word: (effects_by_word[word].value, effects_by_word[word].n) for word in ("one word later", "two words later")
    }
    assert later == {"one word later": (6.5, 2), "two words later": (5.0, 3)}
    assert "Effects word by word" in [table.title for table in result.tables if not table.folded]


def test_an_item_that_was_not_scored_is_left_out_and_counted(items: Path, tmp_path: Path) -> None:
    lines = ["sentence_id\ttoken_id\ttoken\tsurprisal"]
    for number, row in enumerate(csv.DictReader(ITEMS.splitlines()), 1):
        words = row["Sentence"].split()
        values = bits([words])[0] if number != 1 else [float("nan")] * len(words)
        lines += [f"{number}\t{place}\t{word}\t{value}" for place, (word, value) in
                  enumerate(zip(words, values, strict=True), 1)]  # fmt: skip
    scored = tmp_path / "scored.tsv"
    scored.write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = gp.surprisal(items, f"surprisals:{scored}")
    effect = next(finding for finding in result.findings if finding.measure == "effect")
    accuracy = next(finding for finding in result.findings if finding.measure == "accuracy")
    assert (effect.value, effect.n) == (5.0, 2)  # (2 + 8) / 2
    assert (accuracy.value, accuracy.n) == (pytest.approx(200 / 3), 3)  # failures stay in the denominator


def test_no_effects_where_a_suite_asks_for_none() -> None:
    result = gp.surprisal("bundled:en-surprisal", {"length": lambda sentences: [[1.0] * len(w) for w in sentences]})
    assert not [finding for finding in result.findings if finding.measure == "effect"]


def scripted(path: Path) -> Mapping[tuple[str, int], list[float]]:
    """Effects of the published values, in twenty lines: positions from 1 of the items, bits of the words."""
    bits: dict[str, list[float]] = {}
    for row in csv.DictReader(path.open(encoding="utf-8")):
        value = float(row.get("sum_surprisal_base2") or float(row["sum_surprisal"]) * log2(2.718281828459045))
        bits.setdefault(row["Sentence"].replace("\\'", "'"), []).append(value)
    folder, name = path.parent.parent, path.name.split(".")[0]
    sentences: dict[tuple[str, str], tuple[str, int]] = {}
    for row in csv.DictReader((folder / f"{name}.pivot.csv").open(encoding="utf-8")):
        side = {"ambiguous": "Amb", "unambiguous": "Unamb"}.get(row.get("ambiguity", ""), "")
        place = int(row.get(f"disambPosition{side}") or row["targetPosition"]) - 1
        sentences[row["condition"], row["item"]] = row["Sentence"].replace("\\'", "'"), place
    pairs = {"NPS": ("NPS_AMB", "NPS_UAMB"), "NPZ": ("NPZ_AMB", "NPZ_UAMB"), "MVRR": ("MVRR_AMB", "MVRR_UAMB"),
             "Agreement": ("UNAGREE", "AGREE"), "RC": ("RC_Obj", "RC_Subj"),
             "AttachHigh": ("AttachHigh", "AttachMulti"), "AttachLow": ("AttachLow", "AttachMulti")}  # fmt: skip
    effects: dict[tuple[str, int], list[float]] = {}
    for construction, conditions in pairs.items():
        for item in {number for condition, number in sentences if condition == conditions[0]}:
            (first, p), (two, q) = (sentences[condition, item] for condition in conditions)
            for later in range(3):
                if first.split()[p + later] == two.split()[q + later]:
                    effects.setdefault((construction, later), []).append(bits[first][p + later] - bits[two][q + later])
    return effects


@pytest.mark.parametrize("model", ["gpt2", "lstm", "rnng"])
def test_the_published_models_against_a_script(model: str, shared: Path) -> None:
    folder = shared / "pairs" / "sap"
    result = gp.surprisal(folder, f"surprisals:{folder / model}")
    words = ["disambiguating word", "one word later", "two words later"]
    ours = {
        (str(finding.by["class"]), words.index(str(finding.by["word"]))): finding
        for finding in result.findings
        if finding.measure == "effect"
    }
    wanted = {key: values for path in sorted((folder / model).iterdir()) for key, values in scripted(path).items()}
    assert set(ours) == {key for key, values in wanted.items() if len(values) > 1}
    for key, finding in ours.items():
        values = wanted[key]
        assert (finding.value, finding.n) == (pytest.approx(mean(values), abs=1e-9), len(values))
        assert finding.low is not None
        assert finding.high is not None
        error = stdev(values) / sqrt(len(values))
        bound = {24: 2.0686576, 23: 2.0738731, 18: 2.1098156}[len(values)]  # of a table of Student's t
        assert finding.high - finding.low == pytest.approx(2 * bound * error, rel=1e-6)
