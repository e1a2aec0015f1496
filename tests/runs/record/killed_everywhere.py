"""Does a small run in a child that kills itself (-9) before its n-th change of the disk, then in one that goes on.

Called with an empty folder; prints for every n whether the resumed run's files equal those of an undisturbed one.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from gardenpath.runs import Run
from gardenpath.runs.record.signatures import environment
from gardenpath.runs.result.observations import COLUMNS, Observations
from gardenpath.runs.result.result import Finding, Result, Table

CHANGES = {"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "os.chmod"}


def work(folder: Path) -> None:
    with Run.open(folder, command="kill", settings={"n": 3}, inputs=[("a", b"abc")], seed=1) as run:
        if not run.finished:
            finish(run)
    if not (folder / "report.html").exists():  # as the command line does it
        Run.load(folder).add_page("<html></html>")


def finish(run: Run) -> None:
    parts = [run.stored_part(f"part {n}") or run.store_part(f"part {n}", {"n": n, "third": n / 3}) for n in range(3)]
    findings = [Finding("kill", "none", "none", "third", part["third"]) for part in parts]
    table = Table("Thirds", ("n", "third"), [(part["n"], part["third"]) for part in parts])
    columns = {**dict.fromkeys(COLUMNS, "x"), "seed": 1, "value": [part["third"] for part in parts]}
    run.finish(Result("kill", findings, [table]), Observations(columns))


def killed_before(change: int, folder: Path) -> bool:
    """Whether a child that must die before this change of the disk did."""
    child = os.fork()
    if child == 0:
        left = change

        def count(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            if event not in CHANGES or (event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR)):
                return
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        if change:
            sys.addaudithook(count)
        try:
            work(folder)
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL), code
    return code == -signal.SIGKILL


def files(folder: Path) -> dict[str, str]:
    """All files of a run but its record, and what of the record does not tell the time."""
    found = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    record = json.loads(found.pop("run.json"))
    for name in ("started", "finished", "continued"):
        record.pop(name)
    return {**found, "run.json": json.dumps(record)}


def main(place: Path) -> None:
    environment()  # what it imports is there for all children
    assert not killed_before(0, place / "undisturbed")
    wanted, same, change = files(place / "undisturbed"), [], 0
    while killed_before(change := change + 1, folder := place / f"killed-{change}"):
        assert not killed_before(0, folder)
        assert Run.load(folder).finished  # and all its files are there
        same.append(files(folder) == wanted)
    print(json.dumps(same))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
