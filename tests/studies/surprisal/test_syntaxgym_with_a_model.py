"""Every suite of SyntaxGym with a model that is trained here, beside an evaluation straight from the JSON."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gardenpath.studies.surprisal.observed import observations
from gardenpath.studies.surprisal.study import judged_suites
from gardenpath.systems import score_with
from gardenpath.systems.training import train
from second_evaluator import evaluated


@pytest.fixture(scope="module")
def model(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("model") / "en.npz"
    text = shared / "ud" / "UD_English-EWT" / "en_ewt-ud-train.conllu"
    train("ngram", text, output=place, options={"order": "3"})
    return f"ngram:{place}"


def test_every_suite_is_judged_as_the_second_evaluator_judges_it(shared: Path, model: str) -> None:
    paths = sorted((shared / "surprisal" / "syntaxgym").glob("*.json"))
    assert paths
    frame = observations(judged_suites(paths, model)).frame()
    ours = {(row["suite"], row["item"], row["unit"]): row["outcome"] for row in frame.iter_rows(named=True)}
    seen: Counter[str] = Counter()
    for path in paths:
        raw = json.loads(path.read_text("utf-8"))
        assert raw["meta"]["metric"] == "sum"
        for item, values in zip(raw["items"], region_sums(raw["items"], model), strict=True):
            for number, prediction in enumerate(raw["predictions"], 1):
                outcome = ours[path.stem, str(item["item_number"]), f"prediction {number}"]
                seen[outcome] += 1
                where = path.name, item["item_number"]
                assert (outcome == "right") == evaluated(prediction["formula"], values), where
    assert min(seen["right"], seen["wrong"]) >= 50


def region_sums(items: list[dict[str, Any]], model: str) -> list[dict[tuple[int, str], float]]:
    """Of each item the bits of each region of each condition: tokens are what blanks separate."""
    conditions = [(at, condition) for at, item in enumerate(items) for condition in item["conditions"]]
    words = [
        [(region["region_number"], word) for region in condition["regions"] for word in region["content"].split()]
        for _, condition in conditions
    ]
    asked = [[word for _, word in sentence] for sentence in words]
    sums: list[dict[tuple[int, str], float]] = [{} for _ in items]
    for (at, condition), sentence, bits in zip(conditions, words, score_with(model, asked).surprisals, strict=True):
        for region in condition["regions"]:
            number = region["region_number"]
            sums[at][number, condition["condition_name"]] = sum(
                float(bit) for (place, _), bit in zip(sentence, bits, strict=True) if place == number
            )
    return sums
