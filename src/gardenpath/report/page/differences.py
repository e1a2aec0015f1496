"""Several runs on one page: differences paired by item, or why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import GardenpathError
from ...runs.record.run import Run
from ...runs.result.result import Finding
from .definitions import measure_of


def differences(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Each further run of the first one's study against the first: rows, or what keeps them from being compared.

    Runs of other studies have nothing to be compared in and are not spoken of.
    """
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(str(run.record["command"]), []).append(run)
    return [_compared(first, other) for first, *others in groups.values() for other in others]


def _compared(first: Run, second: Run) -> dict[str, Any]:
    from ...studies.compare.study import compare

    if not (first.has_observations and second.has_observations):
        return {**_names(first, second), "refused": "one of them has no observations", "rows": []}
    both = _names(first, second)
    try:
        result = compare([first, second])
    except GardenpathError as error:
        # Where the runs lie is nobody's business who reads the page.
        return {**both, "refused": error.what, "rows": []}
    theirs = {finding.system for finding in second.result().findings}
    values = {(own.system, own.measure, _group(own)): own for own in result.findings}
    rows = []
    for own in result.findings:
        measure, is_difference, _ = own.measure.rpartition("_difference")
        if not is_difference or not (own.system in theirs or own.system.startswith(f"{second.folder}: ")):
            continue
        beside = {
            name: values[own.system, f"{measure}_{name}", _group(own)].value
            for name in ("baseline", "value", "p", "p_holm")
        }
        rows.append({
            "measure": measure, "title": measure_of(measure).title, "group": _told(own),
            "baseline": _named(str(own.by["baseline"]), first, second),
            "system": _named(own.system, first, second), "first": beside["baseline"], "second": beside["value"],
            "difference": own.value, "low": own.low, "high": own.high, "p": beside["p"], "p_holm": beside["p_holm"],
            "items": own.n,
        })  # fmt: skip
    return {**both, "refused": "", "rows": rows}


def _names(first: Run, second: Run) -> dict[str, Any]:
    return {"first": first.folder.resolve().name, "second": second.folder.resolve().name}


def _group(finding: Finding) -> str:
    return repr(sorted(finding.by.items()))


def _told(finding: Finding) -> str:
    return ", ".join(f"{key} {value}" for key, value in finding.by.items() if key != "baseline") or "all"


def _named(system: str, *runs: Run) -> str:
    """A system that both runs have is named with its run; of the run's folder the name is enough."""
    for run in runs:
        before = f"{run.folder}: "
        if system.startswith(before):
            return f"{run.folder.resolve().name}: {system.removeprefix(before)}"
    return system
