"""What decides a joint study of parsers and language models, and what of it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from ..settings import ClusteredSettings, ParserSettings, option
from ..surprisal.settings import BORDERS

STUDY = "joint"
GROUPINGS = ("construction", "item")
"""What `by` may name: the tables that are shown. Findings have all of it."""


@dataclass(frozen=True, kw_only=True)
class JointSettings(ParserSettings, ClusteredSettings):
    """Of `gardenpath joint`."""

    gold: tuple[str, ...] = ()
    """No option: such suites have no gold layers but the decisive arc."""
    by: tuple[str, ...] = option(
        ("construction",), f"Tables to show: {', '.join(GROUPINGS)}, or all.", choices=GROUPINGS, signed=False
    )
    mode: str = option(
        "tokens", "What parsers get: the words of the suite with punctuation split off (tokens), or the sentence as "
        "text (sentences).", choices=("tokens", "sentences"),
    )  # fmt: skip
    border: str = option(
        "fail", "A region border inside a token: the item cannot be scored (fail), or the token belongs to the "
        "region in which it ends (end).", choices=BORDERS,
    )  # fmt: skip
