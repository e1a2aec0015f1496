"""Were runs made on the same suite? Their signatures tell, whatever their files are called."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import UsageError
from ...runs.record import Run
from ...runs.signature import pairs_of

_OF_THE_SYSTEM = ("mode", "layers", "baseline", "clusters", "draws", "seed", "version")
"""Pairs of a signature that may differ; so may all that begin with `system`."""


def signed_pairs(run: Run) -> dict[str, str]:
    """The keys and values of a run's signature."""
    return pairs_of(str(run.record.get("signature") or ""))


def told_apart(runs: Sequence[Run]) -> list[str]:
    """What else differs between runs and may explain a difference: the mode of parsing, the gold layers given."""
    signed = [signed_pairs(run) for run in runs]
    notes = []
    for key, word, default in (("mode", "mode", "tokens"), ("layers", "gold layers", "none")):
        values = [pairs.get(key) or default for pairs in signed]
        if len(set(values)) > 1:
            notes.append(f"{word}: {', '.join(values)} (in the order of the runs)")
    return notes


def suite_facts(run: Run) -> tuple[tuple[str, str], ...]:
    """What of a signature says what was asked: equal for runs that can be compared, whatever their files are called."""
    return tuple(sorted((key, _content(value)) for key, value in signed_pairs(run).items() if _is_of_the_suite(key)))


def suite_signature(run: Run) -> str:
    """The suite's part of a signature, as it stands there."""
    return "|".join(f"{key}:{value}" for key, value in signed_pairs(run).items() if _is_of_the_suite(key))


def _content(value: str) -> str:
    return value.rpartition("#")[2] if "#" in value else value


def _is_of_the_suite(key: str) -> bool:
    return key not in _OF_THE_SYSTEM and not key.startswith("system")


def check_same_suite(first: Run, second: Run) -> None:
    """Same study, suite, release and way of counting; a file may have another name if its content is the same."""
    signed = [signed_pairs(run) for run in (first, second)]
    for key in dict.fromkeys([*signed[0], *signed[1]]):
        if not _is_of_the_suite(key):
            continue
        values = [pairs.get(key) for pairs in signed]
        contents = [_content(value) if value else value for value in values]
        if contents[0] != contents[1]:
            shown = " and ".join(f"{key} {value}" if value else f"no {key}" for value in values)
            raise UsageError(
                f"these runs are not of the same suite: {shown}",
                where=f"{first.folder} and {second.folder}",
                todo="compare runs on the same release of a suite, with the same settings",
            )
