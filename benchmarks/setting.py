"""Where a benchmark runs: its input, its folder, how often; and the facts of the machine."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from .corpus import Corpus

FULL = 50.0
"""MB of the main input; all other sizes follow it."""
PACKAGES = ("numpy", "ufal.udpipe", "udapi", "conllu", "udtools", "nltk")


@dataclass(frozen=True)
class Setting:
    """What every benchmark is given."""

    corpus: Corpus
    folder: Path
    repeats: int = 5
    size: float = FULL
    offline: bool = False
    tell: Callable[[str], None] = lambda _: None

    @property
    def is_trial(self) -> bool:
        """A small input only shows that a benchmark runs: what it would repeat in other sizes is left out."""
        return self.size < 0.1 * FULL

    def scaled(self, megabytes: float) -> float:
        """A size that belongs to a main input of 50 MB, for the one that was asked for."""
        return megabytes * self.size / FULL


def missing(**packages: str) -> dict[str, str]:
    """Which of these peers cannot run here (peer=module), with the sentence that says so."""
    return {peer: f"{peer} is left out: not installed" for peer, name in packages.items() if not _has(name)}


def _has(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package above it
        return False


def facts() -> dict[str, str]:
    """Versions and the machine, for the header of every report."""
    from gardenpath import __version__

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    machine = f"{platform.system()} {platform.machine()}, {_processor()}, {cores} cores{load}"
    found = {"gardenpath": __version__, "python": platform.python_version(), "machine": machine}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"
