"""Runs to compare: items with arcs, right or wrong as asked for."""

from __future__ import annotations

from pathlib import Path

from gardenpath.runs import Run
from gardenpath.runs.record.signatures import signature
from gardenpath.runs.result.observations import Observations
from gardenpath.runs.result.result import Finding, Result


def make_run(
    folder: Path,
    right: list[list[int]],
    *,
    suite: str = "s.tsv#aa",
    system: str = "",
    command: str = "roles",
    **more: str,
) -> Run:
    """Items with two arcs each, half of them in the order SO."""
    units = [(item, unit) for item in range(len(right)) for unit in range(len(right[item]))]
    table = Observations(
        {
            "study": command, "suite": "s.tsv", "item": [f"i{item}" for item, _ in units], "condition": "",
            "system": system or folder.name, "seed": 0, "unit": [unit for _, unit in units],
            "outcome": ["right" if right[item][unit] else "swapped" for item, unit in units],
            "value": [right[item][unit] for item, unit in units],
            "order": ["SO" if item % 2 else "OS" for item, _ in units],
            "props": ["base-acc" if item % 3 else "psy-amb" for item, _ in units],
            "predicted": ["x" if right[item][unit] else "y" for item, unit in units],
        }
    )  # fmt: skip
    findings = [Finding(command, "s.tsv", folder.name, "las", 1.0, by={"order": "SO"})]
    signed = signature(("study", command), ("suite", suite), *more.items(), ("system", folder.name), ("seed", 0))
    with Run.open(folder, command=command, settings={"system": folder.name}) as run:
        run.finish(Result(signed, findings), table)
    return Run.load(folder)
