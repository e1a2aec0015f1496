"""Runs in folders, to make pages of: an evaluation, and an item of a surprisal suite."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from gardenpath.runs.record.run import Run
from gardenpath.runs.result.observations import Observations
from gardenpath.runs.result.result import Finding, Result, Verdict
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.declaration import GROUPINGS, EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.studies.surprisal.outcomes import SURPRISALS
from gardenpath.treebank import Treebank

EVIL = "</script><script>window.evil=1</script><img/src=x/onerror=window.evil=1>\"'&\u202e"


def recorded(folder: Path, gold: Treebank, systems: dict[str, Treebank], seed: int = 0) -> Run:
    """An evaluation with its record."""
    run(EVALUATION, gold, systems, EvaluationSettings(by=GROUPINGS), folder=folder)
    return Run.load(folder)


def surprisal_run(folder: Path, words: Sequence[str] = ("the", "key")) -> Run:
    """One item in two conditions by two models; one word of the second was not seen."""
    conditions = [["good", [*words, "is"], [1, 1, 2]], ["bad", [*words, "are", "here"], [1, 1, 2, 2]]]
    value = {
        "suite": "agreement", "item": "1", "joiner": " ", "regions": {"1": f"subject {EVIL}", "2": "verb"},
        "asked": [[2, "good"], [2, "bad"]], "conditions": conditions,
        "bits": {"a": [[1.0, 2.0, 3.5], [1.0, 2.0, 7.25, 0.5]], "b": [[1.0, 2.0, 3.0], [1.0, 2.0, None, 0.5]]},
    }  # fmt: skip
    columns = {
        "study": "surprisal", "suite": "agreement", "item": "1", "condition": "formula", "system": ["a", "b"],
        "seed": 0, "unit": "prediction 1", "outcome": ["right", "wrong"], "value": [1, 0],
    }  # fmt: skip
    score = Finding("surprisal", "agreement", "a", "accuracy", 1.0, 1)
    verdict = Verdict("a expects what the grammar demands in 1 of 1 items.", "measured", (score,))
    with Run.open(folder, command="surprisal") as record:
        content = (json.dumps(value) + "\n").encode()
        result = Result("study:surprisal", [score], verdicts=[verdict])
        record.finish(result, Observations(columns), attached={SURPRISALS: content})
    return Run.load(folder)
