"""Settings of studies whose items can be grouped: `--by` names tables, and one or two columns of what is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from .settings import StudySettings, option


class GroupedSettings(StudySettings):
    """`by` names tables of the study; every other name in it is a column, by which items are grouped."""

    by: tuple[str, ...] = ()
    groupings: ClassVar[Sequence[str]] = ()
    """The tables of the study; findings have all of them."""
    crossed: ClassVar[Sequence[str]] = ()
    """Those that cross with a column where they are named beside one."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables to show."""
        return tuple(name for name in self.by if name in self.groupings and name not in self.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns to group items by: one, or two that cross."""
        own = [name for name in self.by if name not in self.groupings]
        return tuple(name for name in self.by if name in own or name in self.crossed) if own else ()

    def facts(self) -> list[tuple[str, object]]:
        """Tables are what is shown; columns are groups of their own."""
        facts = super().facts()
        return [(key, self.columns if key == "by" else value) for key, value in facts if key != "by" or self.columns]


def by_option(default: Sequence[str], tables: Sequence[str], columns: str) -> Any:
    """`--by` of a study: its tables, and columns, of which an example tells."""
    about = f"Tables to show: {', '.join(tables)}, or all; or one or two columns {columns}"
    return option(tuple(default), f"{about}.", every=tuple(tables))
