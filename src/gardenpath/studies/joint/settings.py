"""What decides a joint study of parsers and language models, and what of it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from ..grouped_settings import GroupedSettings, by_option
from ..settings import ClusteredSettings, ParserSettings, option
from ..surprisal.settings import BORDERS

STUDY = "joint"
GROUPINGS = ("model", "construction", "item")
"""The tables that `by` may name; findings have all of it. Other names are columns of the suites."""


@dataclass(frozen=True, kw_only=True)
class JointSettings(GroupedSettings, ParserSettings, ClusteredSettings):
    """Of `gardenpath joint`."""

    groupings = GROUPINGS
    crossed = ("construction",)

    gold: tuple[str, ...] = ()
    """No option: such suites have no gold layers but the decisive arc."""
    by: tuple[str, ...] = by_option((), GROUPINGS, "of the suites, crossed, such as construction,length")
    mode: str = option(
        "tokens", "What parsers get: the words of the suite with punctuation split off (tokens), or the sentence as "
        "text (sentences).", choices=("tokens", "sentences"),
    )  # fmt: skip
    border: str = option(
        "fail", "A region border inside a token: the item cannot be scored (fail), or the token belongs to the "
        "region in which it ends (end).", choices=BORDERS,
    )  # fmt: skip
