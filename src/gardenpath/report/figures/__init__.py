"""Figures of a result: one module per study, each with `figures(result)`, made from findings alone."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from ...runs.result import Result
from .figure import Figure, save

MODULES = {
    "evaluation": ("evaluation",),
    "brackets": ("brackets",),
    "roles": ("roles",),
    "constructions": ("constructions",),
    "displacement": ("displacement", "displacement_experiment"),
    "consistency": ("consistency",),
    "surprisal": ("surprisal", "acquisition"),
    "joint": ("joint",),
    "judgement": ("judgement",),
    "logs": ("logs",),
}
"""Which modules here draw the findings of a study."""


def figures_of(result: Result) -> list[Figure]:
    """All figures that the findings of this result allow."""
    studies = {finding.study for finding in result.findings}
    drawers = [import_module(f".{name}", __name__) for study in MODULES if study in studies for name in MODULES[study]]
    if not drawers:
        return []
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):  # it would hold every axis and every legend against the schema of Vega-Lite
        return [figure for drawer in drawers for figure in drawer.figures(result)]


def save_figures(result: Result, folder: str | Path) -> list[Path]:
    """The figures of a result as files: SVG, PDF and the data behind each as TSV."""
    return save(figures_of(result), folder)
