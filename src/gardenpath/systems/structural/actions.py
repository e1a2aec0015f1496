"""The actions of a top-down generative parser, and which of them are possible when."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...boundary.structured import read_json
from ...errors import InputError

REDUCE, GEN = "REDUCE", "GEN"
REDUCE_ID, GEN_ID, FIRST_NT = 0, 1, 2
"""Numbers of actions; from 2 on a phrase is opened."""
FORMAT = "gardenpath-actions 1"
Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]


def opening(label: str) -> str:
    """`NT(NP)`: the action that opens a phrase."""
    return f"NT({label})"


def opened(action: str) -> str | None:
    """The category that an action opens, if it opens one."""
    return action[3:-1] if action.startswith("NT(") and action.endswith(")") else None


@dataclass(frozen=True)
class Inventory:
    """The categories that can be opened, and the limits that make the derivations of a sentence finitely many.

    A derivation is in one of few situations, told by how many phrases are open and how many were opened since the
    last other action (the run). Possible are: opening a phrase if neither limit is reached; GEN if a phrase is open;
    REDUCE if a phrase is open and not empty (the run is 0). GEN is always possible after an opening, so there is no
    dead end: a model that gives its probability to the possible actions alone sums to 1 over all derivations.
    The sentence ends with the REDUCE that closes the last phrase.
    """

    labels: tuple[str, ...]
    max_open: int
    """Phrases that may be open at once."""
    max_run: int
    """Phrases that may be opened in a row, unary chains among them."""
    functions: bool = False
    """Are the categories `NP:SB`, with functions?"""

    def __post_init__(self) -> None:
        if not self.labels or len(set(self.labels)) != len(self.labels):
            raise InputError("an inventory of actions has categories, and each once")
        if self.max_open < 1 or self.max_run < 1:
            raise InputError("the limits of open phrases and of phrases opened in a row are 1 or more")

    def __len__(self) -> int:
        return FIRST_NT + len(self.labels)

    @cached_property
    def _ids(self) -> dict[str, int]:
        named = {opening(label): number for number, label in enumerate(self.labels, FIRST_NT)}
        return {REDUCE: REDUCE_ID, GEN: GEN_ID, **named}

    def encode(self, actions: Sequence[str], where: str = "") -> Ids:
        """Numbers of actions; an error for a category that the inventory does not have."""
        try:
            return np.array([self._ids[action] for action in actions], np.int64)
        except KeyError as error:
            known = ", ".join(self.labels[:12]) + (", …" if len(self.labels) > 12 else "")
            raise InputError(
                f"the model has no action {error.args[0]}", where=where, todo=f"categories it has: {known}"
            ) from None

    def decode(self, ids: Iterable[int]) -> tuple[str, ...]:
        names = (REDUCE, GEN, *map(opening, self.labels))
        return tuple(names[number] for number in ids)

    def possible(self, open_phrases: Ids, run: Ids) -> Mask:
        """For each situation a row: which actions are possible."""
        possible = np.empty((*np.shape(open_phrases), len(self)), np.bool_)
        some = open_phrases > 0
        possible[..., REDUCE_ID] = some & (run == 0)
        possible[..., GEN_ID] = some
        possible[..., FIRST_NT:] = ((open_phrases < self.max_open) & (run < self.max_run))[..., None]
        return possible

    def situations(self, actions: Ids) -> tuple[Ids, Ids]:
        """Open phrases and run before each action of a derivation."""
        opens = np.where(actions == REDUCE_ID, -1, (actions >= FIRST_NT).astype(np.int64))
        before = np.cumsum(opens) - opens
        run = np.zeros(len(actions), np.int64)
        for at in range(1, len(actions)):
            run[at] = run[at - 1] + 1 if actions[at - 1] >= FIRST_NT else 0
        return before, run

    def to_json(self) -> str:
        content = {"format": FORMAT, "labels": self.labels, "max_open": self.max_open, "max_run": self.max_run}
        content["functions"] = self.functions
        return json.dumps(content, ensure_ascii=False, indent=0)

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Inventory:
        """What `to_json` wrote; an error where it is something else."""
        try:
            saved: Any = read_json(text, where)
            if not isinstance(saved, dict) or saved.get("format") != FORMAT:
                raise ValueError(f"its format is not {FORMAT}")
            labels, limits = saved.get("labels"), (saved.get("max_open"), saved.get("max_run"))
            if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
                raise ValueError("its categories are not a list of names")
            if not all(type(limit) is int for limit in limits) or type(saved.get("functions")) is not bool:
                raise ValueError("its limits are not numbers")
            return cls(tuple(labels), saved["max_open"], saved["max_run"], saved["functions"])
        except (ValueError, InputError) as error:
            what = error.what if isinstance(error, InputError) else str(error)
            raise InputError(
                f"this is not an inventory of actions: {what}", where=where, todo="train it again"
            ) from error
