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
    found = {one.study for one in result.findings}
    return [
        figure
        for study, modules in MODULES.items()
        if study in found
        for module in modules
        for figure in import_module(f".{module}", __name__).figures(result)
    ]


def save_figures(result: Result, folder: str | Path) -> list[Path]:
    """The figures of a result as files: SVG, PDF and the data behind each as TSV."""
    return save(figures_of(result), folder)
