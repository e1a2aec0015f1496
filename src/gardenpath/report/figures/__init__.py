"""Figures of a result: one module per study, each with `figures(result)`, made from findings alone."""

from __future__ import annotations

from pathlib import Path

from ...plugins import loaded
from ...runs.result.result import Result
from ...studies.engine.registry import all_notes
from .figure import Figure, save


def figures_of(result: Result) -> list[Figure]:
    """Return all figures that the findings of this result allow, as its studies declare them."""
    studies = {finding.study for finding in result.findings}
    targets = [target for study, notes in all_notes().items() if study in studies for target in notes.figures]
    if not targets:
        return []
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):  # it would hold every axis and every legend against the schema of Vega-Lite
        return [figure for target in targets for figure in loaded(target)(result)]


def save_figures(result: Result, folder: str | Path) -> list[Path]:
    """The figures of a result as files: SVG, PDF and the data behind each as TSV."""
    return save(figures_of(result), folder)
