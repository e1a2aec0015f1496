"""What decides a study of constructions, and what of it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from ..._text import either
from ...phrase.gaps import FORMS
from ...suites.constructions.finding import check_phenomena
from ...suites.constructions.model import PHENOMENA, SCHEMES
from ..grouped_settings import GroupedSettings, by_option
from ..settings import GOLD_LAYERS, ClusteredSettings, WithExamples, limit_option, option
from .verdict import Decisions, decisions_from

STUDY = "constructions"
GROUPINGS = ("phenomenon", "errors")
"""The tables that `by` may name; findings have all of it. Other names are columns of the items."""


@dataclass(frozen=True, kw_only=True)
class ConstructionsSettings(GroupedSettings, WithExamples, ClusteredSettings):
    """Of `gardenpath constructions`. Scheme and phenomena say which items there are: the suite's hash has them."""

    groupings = GROUPINGS
    crossed = ("phenomenon",)

    scheme: str = option(
        "", f"The first argument is a gold treebank in this scheme: {either(SCHEMES)}.", metavar="SCHEME",
        choices=SCHEMES, signed=False,
    )  # fmt: skip
    phenomena: tuple[str, ...] = option((), f"Only these: {','.join(PHENOMENA)}.", metavar="NAMES", signed=False)
    form: str = option(
        "discontinuous", "How parses show gaps: discontinuous, split (NP*), unmarked (pieces), raised or "
        "raised-longest.", choices=tuple(FORMS),
    )  # fmt: skip
    gold: tuple[str, ...] = option((), GOLD_LAYERS, choices=("lemmas", "tags", "feats"), key="layers")
    decide: tuple[str, ...] = option(
        (), "Decide what the paper leaves open: NAME=VALUE, comma-separated.", metavar="DECISIONS", signed=False
    )
    by: tuple[str, ...] = by_option(("phenomenon",), GROUPINGS, "of the items, crossed, such as phenomenon,length")
    examples: str = option(
        "", "Show items of a class: A to E, wrong, right, shown, noparse or n/a; CLASS:PHENOMENON for one phenomenon.",
        metavar="CLASS", signed=False,
    )  # fmt: skip
    limit: int | None = limit_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "phenomena", check_phenomena(self.phenomena))
        _ = self.decisions  # what cannot be decided so is told before anything is read

    @property
    def decisions(self) -> Decisions:
        return decisions_from(dict(text.partition("=")[::2] for text in self.decide))

    def facts(self) -> list[tuple[str, object]]:
        """With the decisions that are not the usual ones, however they were written."""
        changed = [f"{name}={value}" for name, value in self.decisions.changed.items()]
        return [*super().facts(), *([("decisions", changed)] if changed else [])]
