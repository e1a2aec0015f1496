"""A trained model, as it stands in place of a system's name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Trained:
    """A model on the disk, its name as a system, and its card; of several seeds, the folder of their models.

    It stands wherever the name of a system does: `gp.evaluate(gold, trained)`.
    """

    path: Path
    system: str
    card: Mapping[str, Any] = field(repr=False)
    """How it was made; a folder of several seeds has none, its models do."""
    seeds: tuple[Trained, ...] = ()
    """The model of each seed, where several were asked for."""
