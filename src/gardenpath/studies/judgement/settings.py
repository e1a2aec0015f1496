"""What decides a study of judgements."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError
from ..settings import ClusteredSettings, option

STUDY = "judgement"
TEMPLATE_NAMES = ("better", "native", "grammatical", "acceptable")
GROUPINGS = ("question", "agreement")
"""What `by` may name: the tables that are shown. Findings have all of it."""


@dataclass(frozen=True, kw_only=True)
class JudgementSettings(ClusteredSettings):
    """Of judgements by chat models."""

    templates: tuple[str, ...] = option(
        TEMPLATE_NAMES, "Questions to ask: choices between the two sentences in both orders (better, native), and yes "
        "or no for each (grammatical, acceptable).", choices=TEMPLATE_NAMES,
    )  # fmt: skip
    by: tuple[str, ...] = option(
        ("question",), f"Tables to show: {', '.join(GROUPINGS)}, or all.", choices=GROUPINGS, signed=False
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.templates:
            raise UsageError("no question is named", todo=f"name some of {', '.join(TEMPLATE_NAMES)}")
