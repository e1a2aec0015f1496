"""What decides a study of roles, on a suite or on a treebank, and what of it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..grouped_settings import GroupedSettings, by_option
from ..settings import ClusteredSettings, ParserSettings, WithExamples, limit_option, option
from .labels import plain_labels

STUDY = "roles"
GROUPINGS = ("order", "property", "property-order", "variations", "ambiguous", "confusion", "pairs")
"""The tables that `by` may name; findings have all of it. Other names are columns of the suite."""
CLAUSE_TABLES = ("pattern", "clause", "kind", "clue", "definiteness", "frequency")
"""The tables that `by` may name with a treebank, beside that of the orders."""


@dataclass(frozen=True, kw_only=True)
class _LabelSettings(ParserSettings, ClusteredSettings):
    """Of both forms: which labels count as the same."""

    equal: tuple[str, ...] = option(
        (), "Labels that count as another one in gold and parses, such as obl:arg=obj (comma-separated).",
        metavar="LABEL=LABEL",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        plain_labels(self.equal)


def _examples_option() -> Any:
    """Of both forms."""
    return option(
        "", "Show items of a kind: swapped, subject-only, object-only, wrong-head, other-label, right or wrong; "
        "KIND:GROUP for one order or property; with --treebank, clauses of an order, pattern, kind or clue.",
        metavar="KIND", signed=False,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class RolesSettings(GroupedSettings, WithExamples, _LabelSettings):
    """Of `gardenpath roles SUITE`."""

    groupings = GROUPINGS
    crossed = ("order", "property", "variations", "ambiguous")

    baseline: str = option(
        "", "The system that the others are compared with; without it they are not compared.", metavar="SYSTEM"
    )
    by: tuple[str, ...] = by_option(
        (), GROUPINGS, "of the suite, crossed, such as length,order (by default order, or with --baseline how far each "
        f"order is above it); with --treebank {', '.join(CLAUSE_TABLES)}, or all",
    )  # fmt: skip
    examples: str = _examples_option()
    limit: int | None = limit_option()
    positions: int | None = option(None, "Where positions of a TSV begin (0 or 1), if not as its header says.", least=0)
    release: str = option(
        "", "Which release's names the file uses, 2020 or 2026, if they do not say.", choices=("2020", "2026")
    )


@dataclass(frozen=True, kw_only=True)
class WordOrderSettings(WithExamples, _LabelSettings):
    """Of `gardenpath roles --treebank GOLD`: the orders of subject, verb and object in a treebank."""

    treebank: str = option(
        "", "No suite: the orders of subject, verb and object in this gold treebank.", metavar="GOLD", signed=False
    )
    verb: str = option(
        "finite", "With --treebank: the verb whose place counts, finite, or main as in the paper's Table 2.",
        choices=("finite", "main"), signed=False,
    )  # fmt: skip
    datives: str = option(
        "", "With --treebank: whether datives labelled obl:arg are objects; by default in German and related "
        "languages.",
        choices=("yes", "no"), signed=False,
    )  # fmt: skip
    by: tuple[str, ...] = option(
        (), f"Tables to show: {', '.join(CLAUSE_TABLES)}, or all.", choices=CLAUSE_TABLES, signed=False
    )
    examples: str = _examples_option()
    limit: int | None = limit_option()
