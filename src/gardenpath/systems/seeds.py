"""Several seeds of a model: a folder with one model for each, `seed-0`, `seed-1` and so on, is one system."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from ..errors import UsageError
from .model_file import CARD

_NUMBER = re.compile(r"\d+")


def seed_folder(folder: Path, seed: int) -> Path:
    """Where the model of this seed is."""
    return folder / f"seed-{seed}"


def seed_folders(folder: Path) -> list[Path]:
    """The models in a folder that is none itself, in the order of their numbers; hidden folders are no models."""
    if not folder.is_dir() or (folder / CARD).exists():
        return []
    models = [
        one for one in folder.iterdir() if one.is_dir() and not one.name.startswith(".") and (one / CARD).exists()
    ]
    return sorted(models, key=lambda one: ([int(part) for part in _NUMBER.findall(one.name)], one.name))


def check_seed_folder(folder: Path, expected: Collection[str]) -> None:
    """Raises where something besides these names is in a folder of seeds: all models in it are the system."""
    if (folder / CARD).exists():
        raise UsageError("this folder is a model", where=str(folder), todo="choose a new folder for several seeds")
    if folder.exists() and not folder.is_dir():
        raise UsageError("this is a file", where=str(folder), todo="choose a new folder for several seeds")
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.name not in expected and not path.name.startswith("."):
            raise UsageError(
                "there is something else in the folder of the seeds",
                where=str(path),
                todo="choose a new folder, or take it out",
            )


def seeds_of(system: str) -> list[str]:
    """The systems that `kind:FOLDER` stands for: one for each model in it; else it alone.

    A step and options go with each: `rnng:FOLDER@step8#25,3,2`.
    """
    kind, colon, argument = system.partition(":")
    folder, rest = argument, ""
    for mark in "#@":
        if mark in folder and not Path(folder).expanduser().exists():
            at = folder.index(mark) if mark == "#" else folder.rindex(mark)
            folder, rest = folder[:at], folder[at:] + rest
    folders = seed_folders(Path(folder).expanduser()) if colon and folder else []
    return [f"{kind}:{model}{rest}" for model in folders] or [system]
