"""Are runs as they were sealed? Every problem of every run, as findings and a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError
from .result import Finding, Result, Table
from .seal import RECORD, SealProblem, broken, read_record
from .signature import short, signature

STUDY = "verification"
_SHOWN = 16


@dataclass(frozen=True, slots=True)
class VerifiedRun:
    """A run with its seal and all that is not as it was sealed."""

    folder: Path
    command: str
    seal: str
    files: int
    problems: Sequence[SealProblem]

    @property
    def holds(self) -> bool:
        return not self.problems


def verified(folder: str | Path, seal: str = "") -> VerifiedRun:
    """One run; `seal` is the one noted when it was made, or its first 16 characters or more."""
    place = Path(folder)
    record = read_record(place)
    problems, _ = broken(place, record)
    own = str(record.get("seal", ""))
    if seal and not own.startswith(_noted(seal)):
        what = f"this is not the run whose seal was noted (seal {own[:8]}…, noted {seal[:8]}…)"
        problems = [SealProblem(RECORD, "forged", what, seal, own), *problems]
    files = record.get("files")
    return VerifiedRun(place, str(record["command"]), own, len(files) if isinstance(files, dict) else 0, problems)


def _noted(seal: str) -> str:
    noted = seal.strip().lower()
    if len(noted) < _SHOWN or not set(noted) <= set("0123456789abcdef"):
        todo = "give at least its first 16 characters, as gardenpath verify shows them"
        raise UsageError(f"{seal!r} is not a seal", where="--seal", todo=todo)
    return noted


def verify(folders: Sequence[str | Path], seal: str = "") -> tuple[Result, list[VerifiedRun]]:
    """All runs, each with its verdict; a noted seal is that of one run."""
    if not folders:
        raise UsageError("no run is named", todo="name the folder of a run")
    if seal and len(folders) > 1:
        raise UsageError("a noted seal is that of one run", where="--seal", todo="verify the runs one by one")
    runs = [verified(folder, seal) for folder in folders]
    failed = sum(not run.holds for run in runs)
    count = f"{failed} of {len(runs)} not as sealed" if failed else f"all {len(runs)} as sealed"
    rows = [
        (str(run.folder), run.command, run.files, run.seal[:_SHOWN], "holds" if run.holds else "fails") for run in runs
    ]
    tables = [Table(f"Runs: {count}", ("run", "command", "files", "seal", "verdict"), rows, name="runs")]
    problems = [(run, problem) for run in runs for problem in run.problems]
    if problems:
        lines = [(str(run.folder), problem.file, problem.kind, problem.what) for run, problem in problems]
        tables.append(Table("What is not as it was sealed", ("run", "file", "kind", "what"), lines, name="problems"))
    findings = [
        Finding(
            STUDY, str(run.folder), "", "problems", len(run.problems), run.files,
            by={"command": run.command, "seal": run.seal, "holds": run.holds},
        )
        for run in runs
    ]  # fmt: skip
    findings += [
        Finding(
            STUDY, str(run.folder), "", "problem", problem.kind,
            by={"file": problem.file, "expected": problem.expected, "actual": problem.actual},
        )
        for run, problem in problems
    ]  # fmt: skip
    signed = signature(("study", STUDY), ("runs", [short(run.seal) for run in runs]))
    return Result(signed, findings, tables, {"runs not as sealed": failed} if failed else {}), runs
