"""The systems that a process used last: each is made once per process, not once per piece of work."""

from __future__ import annotations

from typing import Any

from ..errors import SystemFailure
from .protocol import System
from .registry import made

MOST = 2
"""So many systems stay loaded; a large model is not to be kept for nothing."""
_kept: dict[tuple[str, str], Any] = {}


def remember(system: System) -> None:
    """Keeps a system for the pieces of work that will ask for it by name."""
    _kept.pop((system.name, system.signature), None)
    while len(_kept) >= MOST:
        _kept.pop(next(iter(_kept)))
    _kept[system.name, system.signature] = system


def loaded(name: str, signature: str, role: str) -> Any:
    """The system of this name; an error if it is not the one that was asked for."""
    if (name, signature) not in _kept:
        system = made(name, role)
        if system.signature != signature:
            raise SystemFailure(
                f"here this is {system.signature}, but {signature} was asked for",
                where=name,
                todo="all workers need the same model and the same versions",
            )
        remember(system)
    return _kept[name, signature]
