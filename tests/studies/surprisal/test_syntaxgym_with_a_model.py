"""Every suite of SyntaxGym with a model that is trained here, beside an evaluation straight from the JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gardenpath.studies.surprisal.outcomes import observations
from gardenpath.studies.surprisal.study import judged_suites
from gardenpath.systems import score_with
from gardenpath.systems.training.training import train
from second_evaluator import evaluated


@pytest.mark.parametrize(
    ("suites", "text"),
    [("bundled:en-surprisal", "bundled:en-text"), ("surprisal/syntaxgym", "ud/UD_English-EWT/en_ewt-ud-train.conllu")],
)
def test_every_suite_is_judged_as_the_second_evaluator_judges_it(
    suites: str, text: str, file_named: Callable[[str], Path], tmp_path: Path
) -> None:
    paths = sorted(file_named(suites).glob("*.json"))
    assert paths
    train("ngram", file_named(text), output=tmp_path / "en.npz", options={"order": "3"})
    model = f"ngram:{tmp_path / 'en.npz'}"
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
    assert min(seen["right"], seen["wrong"]) >= (25 if suites.startswith("bundled:") else 50)


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
