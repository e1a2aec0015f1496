"""The judgements behind the findings, one by one: for runs, for mixed models, for R."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runs.observations import Observations
from .outcomes import comparison_names
from .study import STUDY, Judged

PROPERTIES = ("class", "modifier", "kind", "complexity")


def observations(found: Judged) -> Observations:
    """One row per item, prediction, system and seed: does it hold (`value`), and by how many bits (`difference`)?

    The difference is empty for predictions with more than one comparison.
    """
    parts = []
    for system, by_suite in found.outcomes.items():
        for suite, outcomes in zip(found.suites, by_suite, strict=True):
            names = comparison_names(suite)
            single = {
                number: at
                for at, (number, _, directed) in enumerate(names)
                if directed and sum(one[0] == number for one in names) == 1
            }
            for seed, outcome in zip(found.seeds[system], outcomes, strict=True):
                for number, prediction in enumerate(suite.predictions, 1):
                    holds, ties = outcome.holds[:, number - 1], outcome.ties[:, number - 1]
                    words = np.where(ties, "tie", np.where(holds == 1, "right", "wrong"))
                    columns: dict[str, Any] = {
                        "study": STUDY, "suite": suite.title, "item": [item.id for item in suite.items],
                        "condition": " ".join(prediction.formula.split()), "system": system, "seed": seed,
                        "unit": f"prediction {number}", "outcome": words.tolist(), "value": holds.tolist(),
                        **{key: suite.property_of(key) or None for key in PROPERTIES},
                        "difference": outcome.differences[:, single[number]].tolist() if number in single else None,
                        "oov": None if outcome.oov is None else outcome.oov.tolist(),
                    }  # fmt: skip
                    parts.append(Observations(columns))
    return Observations.joined(parts)
