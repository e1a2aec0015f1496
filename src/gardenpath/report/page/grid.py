"""One page over many runs: systems × suites as a heat map, curves over checkpoints, and which systems differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..._version import __version__
from ...errors import InputError, UsageError
from ...runs.record.run import Run
from ...runs.result.result import Finding, Result
from ...studies.compare.differences import system_pairs
from ...studies.engine.registry import all_notes
from ..scores import main_measure, main_scores
from .contents import shareable
from .definitions import measure_of
from .page import assembled

SCRIPTS = ("parts.js", "frame.js", "grid.js")
_STEP = "step"
_ALL_SUITES = re.compile(r"\d+ suites")
_ROUNDED = 2


def grid_page(runs: Sequence[Run], *, title: str = "") -> str:
    """The page over these runs, study by study."""
    runs = [part for run in runs for part in run.runs() or [run]]
    if not runs:
        raise UsageError("no run to report on", todo="name folders of runs, as made by --run")
    by_study: dict[str, list[tuple[Run, Result]]] = {}
    for run in runs:
        if not run.finished:
            raise InputError(
                "this run is not finished", where=str(run.folder), todo="call its command again; it goes on"
            )
        result = run.result()
        study = next((finding.study for finding in result.findings), "")
        by_study.setdefault(study, []).append((run, result))
    studies = [made for study, own in by_study.items() if (made := _study(study, own)) is not None]
    if not studies:
        raise UsageError("these runs have no scores of systems", todo="name runs of studies that ask systems")
    name = title or f"{sum(len(own) for own in by_study.values())} runs"
    origin = [
        {"name": run.folder.resolve().name, "call": shareable(str(run.record.get("call") or "")),
         "signature": str(run.record.get("signature") or "")}
        for run in runs
    ]  # fmt: skip
    return assembled(name, {"version": __version__, "title": name, "studies": studies, "runs": origin}, SCRIPTS)


def _study(study: str, runs: Sequence[tuple[Run, Result]]) -> dict[str, Any] | None:
    """Scores, curves and tests of the runs of one study, each as columns of plain values."""
    measure = main_measure(study, [finding for _, result in runs for finding in result.findings])
    cells, curves = list[Finding](), list[Finding]()
    for _, result in runs:
        scores = [finding for finding in main_scores(result) if finding.measure == measure]
        cells += _overall([finding for finding in scores if _STEP not in finding.by])
        curves += _overall([finding for finding in scores if set(finding.by) == {_STEP}], {_STEP})
    if not cells and not curves:
        return None
    # A model with checkpoints is in the map with its last one.
    last: dict[tuple[str, str], Finding] = {}
    for finding in sorted(curves, key=lambda finding: int(finding.by[_STEP] or 0)):
        last[finding.system, _column(finding)] = finding
    cells += last.values()
    systems = list(dict.fromkeys(finding.system for finding in cells))
    suites = list(dict.fromkeys(map(_column, cells)))
    seen: set[tuple[str, str]] = set()
    for finding in cells:
        key = finding.system, _column(finding)
        if key in seen:
            todo = "name one run of each, or give systems names of their own (NAME=SYSTEM)"
            raise UsageError(f"two runs have {key[0]} on {key[1]}", todo=todo)
        seen.add(key)
    tested = system_pairs([run for run, _ in runs if run.has_observations])
    known, note = measure_of(measure), all_notes().get(study)
    return {
        "name": study, "title": note.title if note else study, "measure": known._asdict(),
        "systems": systems, "suites": suites,
        "cells": _columns(cells, systems, suites),
        "curves": {**_columns(curves, systems, suites), "step": [finding.by[_STEP] for finding in curves]},
        "pairs": {
            "first": [pair.first for pair in tested.pairs], "second": [pair.second for pair in tested.pairs],
            "value": [round(100 * pair.test.value, _ROUNDED) for pair in tested.pairs],
            "low": [_points(pair.test.low) for pair in tested.pairs],
            "high": [_points(pair.test.high) for pair in tested.pairs],
            "clusters": [pair.test.clusters for pair in tested.pairs],
            "p": [pair.test.p for pair in tested.pairs], "p_holm": [pair.p_holm for pair in tested.pairs],
        },
        "refused": list(tested.refused),
    }  # fmt: skip


def _overall(scores: Sequence[Finding], keys: frozenset[str] | set[str] = frozenset()) -> Iterator[Finding]:
    """Of each suite the score over all its items; of suites together only where there is no score of each.

    A study without such a score has one for each kind of change, say: those with the fewest keys.
    """
    if not scores:
        return
    fewest = min(len(set(finding.by) - keys) for finding in scores)
    kept = [finding for finding in scores if len(set(finding.by) - keys) == fewest]
    single = [finding for finding in kept if not _ALL_SUITES.fullmatch(finding.suite)]
    # A run of a single suite has its score twice: of the suite, and of all suites together.
    yield from {(score.system, score.suite, *score.by.items()): score for score in single or kept}.values()


def _column(finding: Finding) -> str:
    """What a score is on: the suite, and the group where there are only groups."""
    groups = [str(value) for key, value in finding.by.items() if key != _STEP]
    return " · ".join([re.split(r"[/\\]", finding.suite)[-1], *groups])


def _columns(findings: Sequence[Finding], systems: Sequence[str], suites: Sequence[str]) -> dict[str, list[Any]]:
    at_system = {name: at for at, name in enumerate(systems)}
    at_suite = {name: at for at, name in enumerate(suites)}
    return {
        "system": [at_system[finding.system] for finding in findings],
        "suite": [at_suite[_column(finding)] for finding in findings],
        "value": [round(float(finding.value or 0), _ROUNDED) for finding in findings],
        "low": [None if finding.low is None else round(finding.low, _ROUNDED) for finding in findings],
        "high": [None if finding.high is None else round(finding.high, _ROUNDED) for finding in findings],
        "n": [finding.n for finding in findings],
    }


def _points(share: float | None) -> float | None:
    return None if share is None else round(100 * share, _ROUNDED)
