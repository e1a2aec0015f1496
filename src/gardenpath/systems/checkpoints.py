"""Checkpoints: `hf:NAME@step{1,2,4}` or `lstm:FOLDER@all` is one system with an axis; how trainers keep them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from ..errors import UsageError
from .model_file import CHECKPOINTS
from .seeds import seeds_of

_ALL = "@all"
_BRACES = re.compile(r"\{(\d[\d.,\s]*)\}")
_PROGRAM = "command:"
"""What follows is for a shell, in which braces have a meaning of their own."""
_RANGE = re.compile(r"(\d+)\.\.(\d+)(?:\.\.([1-9]\d*))?")
_FILE = re.compile(r"step-(\d+)\.pt")
_STEP = re.compile(r"(.+)@step(\d+)")
_MOST = 10_000
"""Steps of one axis."""


def systems_by_step(system: str) -> dict[int, list[str]]:
    """The systems that a name with an axis stands for, by step, a model for each seed; empty where it has none.

    >>> systems_by_step("hf:pythia@step{1,8..24..8}")
    {1: ['hf:pythia@step1'], 8: ['hf:pythia@step8'], 16: ['hf:pythia@step16'], 24: ['hf:pythia@step24']}
    """
    argument = system.partition(":")[2]
    braces = _BRACES.search(system)
    if not (braces or system.endswith(_ALL)) or system.startswith(_PROGRAM) or Path(argument).expanduser().exists():
        return {}
    if not braces:
        return _all_kept(system)
    if len(_BRACES.findall(system)) > 1:
        raise UsageError("a system has one axis", where=system, todo="write one list of steps in braces")
    return {step: seeds_of(at_step(system, step)) for step in steps_in(braces[1], system)}


def at_step(system: str, step: int) -> str:
    """The name of one checkpoint of a system with an axis.

    >>> at_step("hf:pythia@step{1,2}", 2), at_step("lstm:news@all", 2)
    ('hf:pythia@step2', 'lstm:news@step2')
    """
    return _BRACES.sub(str(step), system) if _BRACES.search(system) else f"{system.removesuffix(_ALL)}@step{step}"


def steps_in(text: str, where: str) -> list[int]:
    """`1,2,4` or `0..100..10` as steps, the least first."""
    steps = list[int]()
    for part in filter(None, (part.strip() for part in text.split(","))):
        listed = _RANGE.fullmatch(part)
        if not listed and not part.isdecimal():
            todo = "write whole numbers, as 1,2,4, or FROM..TO..BY"
            raise UsageError(f"{part!r} is not a step", where=where, todo=todo)
        more = range(int(listed[1]), int(listed[2]) + 1, int(listed[3] or 1)) if listed else [int(part)]
        if len(steps) + len(more) > _MOST:
            raise UsageError(f"more than {_MOST:,} steps", where=where, todo="name fewer, as FROM..TO..BY")
        steps += more
    if not steps or len(set(steps)) < len(steps):
        raise UsageError("the list of steps names none, or one of them twice", where=where, todo="write it as 1,2,4")
    return sorted(steps)


def _all_kept(system: str) -> dict[int, list[str]]:
    """Of every seed of a model in a folder, the checkpoints that all of them have."""
    members = seeds_of(system.removesuffix(_ALL))
    kept = [kept_steps(Path(member.partition(":")[2]).expanduser()) for member in members]
    common = sorted(set.intersection(*map(set, kept)))
    if not common:
        todo = "train it with --keep-checkpoints, or name the revisions of a model: hf:NAME@step{1,2,4}"
        raise UsageError("no checkpoints were kept here", where=system, todo=todo)
    return {step: [at_step(member, step) for member in members] for step in common}


def split_step(argument: str) -> tuple[str, int | None]:
    """The folder of a model, and the step of the kept checkpoint that is meant, if one is."""
    named = _STEP.fullmatch(argument)
    if named is None or Path(argument).expanduser().exists():
        return argument, None
    return named[1], int(named[2])


def kept_steps(model: Path) -> list[int]:
    """The steps of which a model in a folder has the weights."""
    return sorted(
        int(file[1]) for path in (model / CHECKPOINTS).glob("step-*.pt") if (file := _FILE.fullmatch(path.name))
    )


def kept_file(folder: Path, step: int) -> Path:
    """Where the weights of a step are, in the folder of kept checkpoints."""
    return folder / f"step-{step}.pt"


def growing_steps(count: int, last: int) -> list[int]:
    """So many steps from the first to the last, each so many times the one before: learning is fast at first.

    >>> growing_steps(6, 100)
    [1, 3, 6, 16, 40, 100]
    """
    if count < 2 or last < 2:
        return [last][:count]
    count, steps = min(count, last), [1]
    for number in range(1, count):
        steps.append(max(steps[-1] + 1, round(last ** (number / (count - 1)))))
    return steps


def collecting_folder(checkpoint: Path) -> Path:
    """Where a training collects what it keeps until the model is finished: beside the file it would go on from."""
    return checkpoint.with_name(checkpoint.name + ".steps")


def copy_kept(checkpoint: Path, model: Path) -> None:
    """Puts what a training has collected into its model."""
    for path in _collected(checkpoint):
        (model / CHECKPOINTS).mkdir(exist_ok=True)
        shutil.copyfile(path, model / CHECKPOINTS / path.name)


def drop_kept(checkpoint: Path) -> None:
    """Takes away what a training has collected, and nothing else."""
    for path in _collected(checkpoint):
        path.unlink()
    if (folder := collecting_folder(checkpoint)).is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _collected(checkpoint: Path) -> list[Path]:
    return [path for path in collecting_folder(checkpoint).glob("step-*.pt") if _FILE.fullmatch(path.name)]
