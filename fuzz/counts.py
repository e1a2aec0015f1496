"""Counts of what was tried, a line for each slice of inputs, so that many sittings add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Slice:
    """Some inputs of one reader, drawn from one seed: another slice has another seed, and other inputs."""

    date: str
    reader: str
    seed: int
    inputs: int
    refused: int
    slowest: float
    """Seconds of the processor."""
    memory: float
    """Megabytes of the process at most, with all readers before."""
    faults: int


def kept(path: Path) -> list[Slice]:
    """The slices of a file; none where there is no file."""
    if not path.exists():
        return []
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    return [Slice(row[0], row[1], *map(int, row[2:5]), *map(float, row[5:7]), int(row[7])) for row in rows]


def keep(path: Path, part: Slice) -> None:
    """One more line; a line is written at once, so that a process that is killed spoils none."""
    header = "" if path.exists() else "\t".join(field.name for field in fields(Slice)) + "\n"
    with path.open("a", encoding="utf-8") as stream:
        stream.write(header + "\t".join(map(str, astuple(part))) + "\n")


def total(reader: str, slices: Iterable[Slice]) -> Slice:
    """All slices of a reader as one; its seed is the first that was not used yet."""
    parts: Sequence[Slice] = [part for part in slices if part.reader == reader]
    return Slice(
        max((part.date for part in parts), default=""),
        reader,
        max((part.seed for part in parts), default=-1) + 1,
        sum(part.inputs for part in parts),
        sum(part.refused for part in parts),
        max((part.slowest for part in parts), default=0.0),
        max((part.memory for part in parts), default=0.0),
        sum(part.faults for part in parts),
    )
