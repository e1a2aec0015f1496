"""The judgements behind the findings, one by one: for runs, for mixed models, for R."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...runs.observations import Observations
from ...suites.regions.clusters import item_clusters
from .outcomes import comparison_names
from .regions import Floats
from .settings import STEP, STUDY

if TYPE_CHECKING:
    from .study import JudgedSurprisal

PROPERTIES = ("class", "modifier", "kind", "complexity")


def observations(judged: JudgedSurprisal, independent: bool = False) -> Observations:
    """One row per item, prediction, system and seed: does it hold (`value`), and by how many bits (`difference`)?

    The difference is empty for predictions with more than one comparison, and for items that failed. `weight` makes
    every suite count alike, as the study's scores do; `cluster` is what an item was sampled in; a checkpoint has its
    `step`.
    """
    codes = item_clusters(judged.suites, independent).codes[0]
    clusters = dict(zip([id(item) for suite in judged.suites for item in suite.items], codes.tolist(), strict=True))
    parts = []
    for system, by_suite in judged.outcomes.items():
        step = judged.answers[system].step
        for suite, outcomes in zip(judged.suites, by_suite, strict=True):
            names = comparison_names(suite)
            single = {
                number: at
                for at, (number, _, directed) in enumerate(names)
                if directed and sum(name[0] == number for name in names) == 1
            }
            for seed, outcome in zip(judged.seeds[system], outcomes, strict=True):
                for number, prediction in enumerate(suite.predictions, 1):
                    holds, ties = outcome.holds[:, number - 1], outcome.ties[:, number - 1]
                    words = np.where(ties, "tie", np.where(holds == 1, "right", "wrong"))
                    words = np.where(outcome.failed, "failed", words)
                    columns: dict[str, Any] = {
                        "study": STUDY, "suite": suite.title, "item": [item.id for item in suite.items],
                        "condition": " ".join(prediction.formula.split()), "system": system, "seed": seed,
                        "cluster": [clusters[id(item)] for item in suite.items],
                        "unit": f"prediction {number}", "outcome": words.tolist(), "value": holds.tolist(),
                        "weight": 1 / (len(suite.items) * len(suite.predictions)),
                        **{key: suite.property_of(key) or None for key in PROPERTIES},
                        "difference": _present(outcome.differences[:, single[number]]) if number in single else None,
                        **({} if step is None else {STEP: step}),
                        "oov": None if outcome.oov is None else outcome.oov.tolist(),
                    }  # fmt: skip
                    parts.append(Observations(columns))
    return Observations.joined(parts)


def _present(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]
