"""What decides an evaluation, and what of it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..settings import ClusteredSettings, ParserSettings, WithExamples, limit_option, option

if TYPE_CHECKING:
    from .dimensions import Grouping
    from .phenomena import Phenomenon

GROUPINGS = ("label", "upos", "length", "distance", "direction", "depth", "projectivity", "confusion")
"""What `by` may name beside features and queries; `all` is these."""


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings(WithExamples, ParserSettings, ClusteredSettings):
    """Of `gardenpath evaluate` on dependency trees."""

    baseline: str = option("", "The system that the others are compared with; else the first.", metavar="SYSTEM")
    by: tuple[str, ...] = option(
        (), "Break down by label, upos, length, distance, direction, depth, projectivity, confusion, or all; by a "
        "feature (Case), a query (PATTERN:NAME) or a comment (genre); by two, crossed (upos+distance); phrase trees by "
        "label, function, length or gap.", every=GROUPINGS, signed=False,
    )  # fmt: skip
    queries: tuple[str, ...] = option(
        (), "Score the words that a query finds in gold: NAME=PATTERN, a TOML file of phenomena, or "
        "bundled:ud-phenomena; may be repeated.", flag="--where", metavar="PATTERN", repeated=True, signed=False,
    )  # fmt: skip
    examples: str = option(
        "", "Show sentences where GOLD was taken for SYSTEM (nsubj:obj), or all errors of a label.", signed=False
    )
    limit: int | None = limit_option()
    mode: str = option(
        "tokens", "What parsers get: tokens, sentences or text.", choices=("tokens", "sentences", "text")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.phenomena, self.groupings  # a query that is none is told before anything is read

    @property
    def groupings(self) -> list[Grouping]:
        if not self.by:
            return []
        from .dimensions import grouping

        return [grouping(text) for text in self.by]

    @property
    def phenomena(self) -> list[Phenomenon]:
        if not self.queries:
            return []
        from .phenomena import phenomena

        return phenomena(self.queries)
