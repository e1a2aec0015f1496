"""Chat models as judges of minimal pairs: settings and command."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError
from ..engine.declaration import (
    ClusteredSettings,
    GroupedSettings,
    Measure,
    Notes,
    by_option,
    setting,
)

STUDY = "judgement"
TEMPLATE_NAMES = ("better", "native", "grammatical", "acceptable")
GROUPINGS = ("question", "agreement")
"""The tables that `by` may name; findings have all of it. Other names are columns of the suites."""


@dataclass(frozen=True, kw_only=True)
class JudgementSettings(GroupedSettings, ClusteredSettings):
    """Of judgements by chat models."""

    groupings = GROUPINGS

    templates: tuple[str, ...] = setting(
        TEMPLATE_NAMES, "Questions to ask: choices between the two sentences in both orders (better, native), and yes "
        "or no for each (grammatical, acceptable).", choices=TEMPLATE_NAMES,
    )  # fmt: skip
    by: tuple[str, ...] = by_option(("question",), GROUPINGS, "of the suites, crossed, such as phenomenon,length")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.templates:
            raise UsageError("no question is named", todo=f"name some of {', '.join(TEMPLATE_NAMES)}")


NOTES = Notes(
    "judgement",
    "Judgement",
    "A chat model is asked about every pair of sentences: which is the good one, in both orders, and yes or no of "
        "each, in several wordings. An answer that cannot be used counts as wrong. Chance is 50 for choices, and 25 "
        "for yes and no where both are coin flips; intervals go by items.",
    "Hu and Levy 2023, Prompting is not a substitute for probability measurements in large language models, EMNLP.",
    main=("accuracy", "accuracy_yes_no"),
    measures={
        "accuracy_yes_no": Measure(
            "yes and no", "pairs whose good sentence is accepted and whose bad one is rejected, %"
        ),
    },
    figures=("gardenpath.report.figures.surprisal:judgement_figures",),
)  # fmt: skip
