"""Models on the disk: files and folders known by their SHA-256, cards, several seeds, and checkpoints."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...boundary.structured import read_json
from ...boundary.texts import file_bytes
from ...errors import InputError, UsageError
from ...runs.record.signatures import describe_input
from ...runs.record.writing import cannot_write, recover_folder, replace_folder, workplace

CARD = "model.json"
SEEN = "model.seen"
"""The digests of the training sentences of a model in a folder; `MODEL.seen` next to a file."""
CHECKPOINTS = "checkpoints"
"""The folder of a model in which the weights of its kept checkpoints are."""
_UDPIPE_MARK = b"\x12morphodita_parsito"


def model_bytes(path: Path, todo: str = "") -> tuple[bytes, str]:
    """The bytes of a model file and their SHA-256."""
    if path.is_dir():
        raise InputError("this is a folder, not a model file", where=str(path), todo=other_kind(path) or todo)
    data = file_bytes(path, "the model", todo)
    return data, hashlib.sha256(data).hexdigest()


def model_folder(path: Path, needs: tuple[str, ...], what: str, todo: str = "") -> str:
    """The SHA-256 of a folder that has these files, without its card (which says when it was made) and what is kept
    of its training."""
    if not path.exists():
        raise InputError("no such folder", where=str(path), todo=todo)
    if not path.is_dir():
        raise InputError(f"this is a file, and a {what} is a folder", where=str(path), todo=other_kind(path) or todo)
    missing = [name for name in needs if not (path / name).exists()]
    if missing:
        lacks = " and no ".join(missing)
        raise InputError(
            f"this folder is no {what}: there is no {lacks}", where=str(path), todo=other_kind(path) or todo
        )
    kept = path / CHECKPOINTS
    files = (
        file
        for file in path.rglob("*")
        if file.is_file() and file.name not in (CARD, SEEN) and kept not in file.parents
    )
    return files_hash(path, sorted(files))


def files_hash(folder: Path, files: Iterable[Path]) -> str:
    """The SHA-256 of files in a folder, with their names."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file.relative_to(folder).as_posix()}\0{describe_input(file)['sha256']}\n".encode())
    return whole.hexdigest()


def other_kind(path: Path) -> str:
    """What to write instead, where this is a model of a kind we know."""
    try:
        if path.is_dir():
            kind = "stanza" if (path / "depparse.pt").exists() else "spacy" if (path / "config.cfg").exists() else ""
        else:
            with path.open("rb") as stream:
                kind = "udpipe" if stream.read(len(_UDPIPE_MARK)) == _UDPIPE_MARK else ""
    except OSError:
        return ""
    return f"it looks like one of another kind: write {kind}:{path}" if kind else ""


def card_path(model: Path) -> Path:
    """`model.json` in a folder, `MODEL.json` beside a file."""
    return model / CARD if model.is_dir() else model.with_name(model.name + ".json")


def read_card(model: str | os.PathLike[str]) -> dict[str, Any]:
    """The card of a model; empty where there is none."""
    path = card_path(Path(model))
    if not path.exists():
        return {}
    card = read_json(file_bytes(path, "the model card"), str(path), "the model card")
    return card if isinstance(card, dict) else {}


def seen_path(model: Path) -> Path:
    """`model.seen` in a folder, `MODEL.seen` next to a file."""
    return model / SEEN if model.is_dir() else model.with_name(model.name + ".seen")


def sentence_digest(words: Sequence[str]) -> int:
    """The first eight bytes of the SHA-256 of a sentence: two of a million collide with a probability of 3e-8."""
    return int.from_bytes(hashlib.sha256("\x1f".join(words).encode("utf-8", "surrogatepass")).digest()[:8], "big")


def write_seen(model: Path, sentences: Iterable[Sequence[str]]) -> None:
    """Writes the digests of the sentences that a model learnt from, eight bytes each."""
    digests = np.unique(np.fromiter(map(sentence_digest, sentences), dtype=np.uint64))
    seen_path(model).write_bytes(digests.astype(">u8").tobytes())


def training_digests(system: str) -> NDArray[np.uint64]:
    """Return the sorted digests of the training sentences of `kind:MODEL`; none where they are not known."""
    argument, _ = split_step(system.partition(":")[2].partition("#")[0])
    try:
        path = seen_path(Path(argument or ".").expanduser())
        data = file_bytes(path) if argument and path.is_file() else b""
    except (OSError, RuntimeError):  # a program with its arguments, say, is too long for the name of a file
        data = b""
    if len(data) % 8:
        raise InputError("this file is damaged", where=str(path), todo="train the model again, or delete the file")
    return np.frombuffer(data, dtype=">u8").astype(np.uint64)


@contextmanager
def model_place(output: Path, *, folder: bool) -> Iterator[Path]:
    """A temporary place whose model and card take their places at `output` when the block ends well.

    An existing model is replaced; a folder that is not a model is never touched.
    """
    target = output.expanduser().resolve()
    recover_folder(target)
    if not folder and target.is_dir():
        raise UsageError("this is a folder, but the model is a file", where=str(target), todo="name a file in it")
    if folder and target.is_dir() and any(target.iterdir()) and not (target / CARD).exists():
        what = "this folder holds something that is not a model"
        raise UsageError(what, where=str(target), todo="choose a new folder")
    if folder and target.exists() and not target.is_dir():
        raise UsageError("this is a file, but the model is a folder", where=str(target), todo="choose another name")
    with ExitStack() as stack:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            workshop = stack.enter_context(workplace(target, folder=True))
        except OSError as error:
            raise cannot_write(error, target) from error
        made = workshop / target.name
        if folder:
            made.mkdir()
        yield made
        if folder:
            replace_folder(made, target)
        else:
            # The old card goes first: whenever this is interrupted, no model has the card of another.
            card_path(target).unlink(missing_ok=True)
            for path in (made, seen_path(made), card_path(made)):
                path.replace(target.with_name(path.name))


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
            todo = "choose a new folder, or take it out"
            raise UsageError("there is something else in the folder of the seeds", where=str(path), todo=todo)


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
        # Of every seed of a model in a folder, the checkpoints that all of them have.
        members = seeds_of(system.removesuffix(_ALL))
        kept = [kept_steps(Path(member.partition(":")[2]).expanduser()) for member in members]
        common = sorted(set.intersection(*map(set, kept)))
        if not common:
            todo = "train it with --checkpoints, or name the revisions of a model: hf:NAME@step{1,2,4}"
            raise UsageError("no checkpoints were kept here", where=system, todo=todo)
        return {step: [at_step(member, step) for member in members] for step in common}
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
