"""How long one call may take, and how much memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The bounds of one call; None is no bound."""

    seconds: float | None = None
    gigabytes: float | None = None
    """Memory of the process, and of each that it starts; what a model takes counts."""

    def __bool__(self) -> bool:
        return self.seconds is not None or self.gigabytes is not None
