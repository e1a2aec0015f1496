"""What decides a study of judgements."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError
from ..grouped_settings import GroupedSettings, by_option
from ..settings import ClusteredSettings, option

STUDY = "judgement"
TEMPLATE_NAMES = ("better", "native", "grammatical", "acceptable")
GROUPINGS = ("question", "agreement")
"""The tables that `by` may name; findings have all of it. Other names are columns of the suites."""


@dataclass(frozen=True, kw_only=True)
class JudgementSettings(GroupedSettings, ClusteredSettings):
    """Of judgements by chat models."""

    groupings = GROUPINGS

    templates: tuple[str, ...] = option(
        TEMPLATE_NAMES, "Questions to ask: choices between the two sentences in both orders (better, native), and yes "
        "or no for each (grammatical, acceptable).", choices=TEMPLATE_NAMES,
    )  # fmt: skip
    by: tuple[str, ...] = by_option(("question",), GROUPINGS, "of the suites, crossed, such as phenomenon,length")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.templates:
            raise UsageError("no question is named", todo=f"name some of {', '.join(TEMPLATE_NAMES)}")
