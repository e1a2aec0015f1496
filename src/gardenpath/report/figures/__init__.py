"""Figures of a result: one module per study, each with `figures(result)`, made from findings alone."""

from __future__ import annotations

from pathlib import Path

from ...plugins import loaded
from ...runs.result.result import Result
from ...studies.engine.registry import all_notes
from .figure import Figure, save, save_drawing
from .intervals import standard_figures
from .treebank import length_figures


def figures_of(result: Result) -> list[Figure]:
    """Return all figures that the findings of this result allow, as its studies declare them."""
    studies = {finding.study for finding in result.findings}
    told = [notes for study, notes in all_notes().items() if study in studies]
    lengths = length_figures(result)
    if not told:
        return lengths
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):  # it would hold every axis and every legend against the schema of Vega-Lite
        own = [figure for notes in told for target in notes.figures for figure in loaded(target)(result)]
        return own + [figure for notes in told if not notes.figures for figure in standard_figures(result, notes)]


def save_figures(result: Result, folder: str | Path) -> list[Path]:
    """The figures of a result as files: SVG, PDF and the data behind each as TSV; and the trees that it keeps."""
    written = save(figures_of(result), folder)
    for number, stored in enumerate(result.details.get("tree_classes", ()), 1):
        from ...studies.consistency.tree_classes import TreeClasses
        from ...treebank.drawing import svg_of_all

        classes = TreeClasses.from_json(stored)
        written += save_drawing(f"consistency-classes-{number}", svg_of_all(classes.drawings, classes.heading), folder)
    return written
