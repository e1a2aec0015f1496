"""`python -m fuzz.kills [N]`: kills commands (-9) at random moments and calls them again: same results, nothing left.

Each command is first run undisturbed; then it is killed, run again, and what it wrote is compared byte by byte. The
temporary directory is one of its own and must be empty after the second run, and no process may be left.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

MARK = "GARDENPATH_KILL_TEST"
COMMANDS = {
    "train": ("train", "ngram", "bundled:en-text", "-o", "m.npz"),
    "parse": ("parse", "baseline:right-branching", "bundled:de-train", "-o", "parsed.conllu", "--jobs", "2"),
    "score": ("score", "ngram:given.npz", "bundled:en-text", "-o", "scores.tsv", "--jobs", "2"),
    "record": ("evaluate", "bundled:de-train", "baseline:right-branching", "--run", "run"),
}


def main() -> int:
    """Exit 0: all as it must be; 1: something differs or is left."""
    kills, draw = int(sys.argv[1]) if len(sys.argv) > 1 else 12, Random(1)
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "given").mkdir()
        subprocess.run(
            _words(("train", "ngram", "bundled:en-text", "-o", "given.npz")),
            cwd=place / "given",
            check=True,
            capture_output=True,
        )
        whole = {name: _undisturbed(place, name) for name in COMMANDS}
        for number in range(kills):
            name = list(COMMANDS)[number % len(COMMANDS)]
            wanted, seconds = whole[name]
            fault = _killed(place, name, draw.uniform(0.02, seconds), wanted)
            faults += bool(fault)
            print(f"kill {number + 1}: {name}: {fault or 'the same, nothing left'}", flush=True)
    return int(faults > 0)


def _words(command: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "gardenpath", *command]


def _fresh(place: Path) -> tuple[Path, dict[str, str]]:
    for name in ("work", "tmp", "cache"):
        shutil.rmtree(place / name, ignore_errors=True)
        (place / name).mkdir()
    shutil.copy(place / "given" / "given.npz", place / "work")
    environment = {"TMPDIR": str(place / "tmp"), "GARDENPATH_CACHE": str(place / "cache"), MARK: str(place)}
    return place / "work", {**os.environ, **environment}


def _undisturbed(place: Path, name: str) -> tuple[dict[str, str], float]:
    work, environment = _fresh(place)
    begin = time.monotonic()
    subprocess.run(_words(COMMANDS[name]), cwd=work, env=environment, check=True, capture_output=True)
    return _content(work), time.monotonic() - begin


def _killed(place: Path, name: str, seconds: float, wanted: dict[str, str]) -> str:
    """What is wrong after the kill and a second run; nothing where all is well."""
    work, environment = _fresh(place)
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(_words(COMMANDS[name]), cwd=work, env=environment, **silent) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
    end = time.monotonic() + 20
    while (alive := _alive(str(place))) and time.monotonic() < end:
        time.sleep(0.1)
    if alive:
        return f"{len(alive)} processes outlive it"
    done = subprocess.run(
        _words(COMMANDS[name]), cwd=work, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        return f"the second run fails: {done.stderr.strip()[-200:]}"
    if (content := _content(work)) != wanted:
        return f"other content: {sorted(set(content.items()) ^ set(wanted.items()))[:2]}"
    left = [path.name for path in (place / "tmp").iterdir()]
    return f"left in the temporary directory: {left}" if left else ""


def _content(work: Path) -> dict[str, str]:
    """Hashes by name; what tells the time of a run is passed over."""
    dated = ("run.json", "report.html", "m.npz.json")
    files = (file for file in work.rglob("*") if file.is_file() and file.name not in dated)
    return {file.relative_to(work).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _alive(mark: str) -> list[str]:
    """Processes with our mark in their environment, on Linux."""
    wanted, alive = f"{MARK}={mark}".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                alive.append(folder.name)
        except OSError:
            continue
    return alive


if __name__ == "__main__":
    sys.exit(main())
