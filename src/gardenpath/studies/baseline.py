"""The system that the others are compared with: --baseline means the same in every study."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError, unknown_name

if TYPE_CHECKING:
    from ..systems.entrants import Entrant


def with_baseline(systems: Sequence[str], baseline: str) -> list[str]:
    """The systems that were named; the baseline is asked too where it is not one of them."""
    from ..systems.entrants import split_label

    names = {name for system in systems for name in (system, split_label(system)[0])}
    return [*systems, *([baseline] if baseline and baseline not in names else [])]


def baseline_of(named: str, systems: Iterable[str]) -> str:
    """The name of the system that is the baseline: the first where none is named."""
    from ..systems.entrants import split_label

    names = list(systems)
    if not named:
        return names[0]
    baseline = named if named in names else split_label(named)[0] or named
    if baseline not in names:
        raise unknown_name("baseline", baseline, names, where="--baseline")
    return baseline


def check_baseline(named: str, entrants: Sequence[Entrant]) -> None:
    """A baseline that is named is a system, and not the only one."""
    if named:
        baseline = baseline_of(named, (entrant.name for entrant in entrants))
        if len(entrants) == 1:
            what = f"{baseline} is the only system: there is nothing to compare it with"
            raise UsageError(what, where="--baseline", todo="name another system, or leave out --baseline")
