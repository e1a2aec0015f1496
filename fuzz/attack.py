"""Many mutants for one reader: what was read, what was refused, how long the slowest took, and what went wrong."""

from __future__ import annotations

import signal
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NoReturn

from gardenpath.errors import GardenpathError

from .mutate import mutant
from .targets import Target

TOO_LONG = 10.0
"""Seconds of the processor that one input may take."""


class TooLongError(BaseException):
    """An input on which a reader went on and on."""


@dataclass
class Tally:
    """What came of an attack."""

    inputs: int = 0
    refused: int = 0
    slowest: float = 0.0
    memory: float = 0.0
    """Most megabytes that the process had, with all it had read before."""
    faults: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    """By kind and line of code: the first input that showed it, and its traceback."""


def attack(target: Target, inputs: int, *, seconds: float = float("inf"), seed: int = 0) -> Tally:
    """So many mutants, or as many as the seconds allow."""
    tally, draw, seeds = Tally(), Random(f"{target.name}:{seed}"), list(target.seeds())
    end = time.monotonic() + seconds
    in_memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # a file system whose files are never written
    with tempfile.TemporaryDirectory(dir=in_memory) as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, "input")
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGPROF, _too_long)
        for intact in seeds:  # each is read, or its mutants would get no farther; imports are not measured
            target.read(intact, path)
        while tally.inputs < inputs and time.monotonic() < end:
            data = mutant(seeds, target.mutators, draw)
            _one_input(target, data, path, tally)
    tally.memory = _memory()
    return tally


def _one_input(target: Target, data: bytes, path: Path, tally: Tally) -> None:
    begin = time.process_time()
    tally.inputs += 1
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, TOO_LONG)
    try:
        try:
            target.read(data, path)
        except GardenpathError as error:
            tally.refused += 1
            str(error).encode("utf-8")  # it can be printed
    except (Exception, TooLongError) as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        kind = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
        tally.faults.setdefault(kind, (data, "".join(traceback.format_exception(error))[-3000:]))
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)
    tally.slowest = max(tally.slowest, time.process_time() - begin)


def _too_long(number: int, frame: object) -> NoReturn:
    raise TooLongError


def _memory() -> float:
    if sys.platform == "win32":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
