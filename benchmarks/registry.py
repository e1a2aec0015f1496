"""The benchmarks by name, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from .setting import Setting
from .table import Table

_MODULES = {
    "help": "start",
    "read": "read",
    "scaling": "scaling",
    "displacement": "displacement",
    "search": "search",
    "split": "split",
    "treebank-pairs": "treebank_pairs",
    "generate": "generate",
    "evaluate": "evaluate",
    "stats": "stats",
    "sampling": "sampling",
    "jobs": "jobs",
    "plan": "plan",
    "gate": "gate",
    "grid": "grid",
    "kernels": "kernels",
    "ngram": "ngram",
    "pcfg": "pcfg",
    "chart": "chart",
    "structural": "structural",
    "hf": "hf",
}
NAMES = tuple(_MODULES)


def benchmark(name: str) -> Callable[[Setting], list[Table]]:
    """What runs it; a benchmark is loaded when it is its turn, so that none carries another's imports."""
    run: Callable[[Setting], list[Table]] = import_module(f"benchmarks.{_MODULES[name]}").run
    return run


def about(name: str) -> str:
    """The first line of its description."""
    text = import_module(f"benchmarks.{_MODULES[name]}").__doc__ or ""
    return text.splitlines()[0].partition(": ")[2]
