"""`python -m fuzz.kills [N [SEED [COMMAND…]]]` kills commands (-9) at random moments and calls them again.

The same must come of it, and nothing may be left.
Each command is first run undisturbed; then it is killed, run again, and what it wrote is compared byte by byte. The
temporary directory is one of its own and must be empty after the second run, and no process may be left.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

MARK = "GARDENPATH_KILL_TEST"
BRANCHING, MODEL = "baseline:right-branching", "ngram:given.npz"
COMMANDS = {
    "train": ("train", "ngram", "bundled:en-text", "-o", "m.npz"),
    "parse": ("parse", BRANCHING, "bundled:de-train", "-o", "parsed.conllu", "--jobs", "2"),
    "score": ("score", MODEL, "bundled:en-text", "-o", "scores.tsv", "--jobs", "2"),
    "record": ("evaluate", "bundled:de-train", BRANCHING, "--run", "run"),
    "stats": ("treebank", "stats", "bundled:de-train", "bundled:de-test", "--run", "stats"),
    "card": ("card", BRANCHING, "bundled:de-roles", "--language", "de", "--run", "card"),
    "joint": ("joint", "bundled:en-surprisal", BRANCHING, MODEL, "--run", "joint"),
    "run": ("batch", "run", "plan"),
    "collect": ("batch", "collect", "done"),
    "judge": ("surprisal", "pairs.tsv", "chat:URL#model=tiny", "--run", "judged"),
}
PAIRS = "good\tbad\n" + "".join(f"the dog {n} barks\tthe dog {n} bark\n" for n in range(40))
PLAN = ("--", "surprisal", "bundled:en-surprisal", MODEL)


class _Chat(BaseHTTPRequestHandler):
    """A chat model that always takes the first sentence."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        data = json.dumps({"model": "tiny", "choices": [{"message": {"role": "assistant", "content": "1"}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *about: object) -> None:
        """Nothing."""


def main() -> int:
    """Exit 0: all as it must be; 1: something differs or is left."""
    numbers = [int(word) for word in sys.argv[1:3]]
    kills, seed = (*numbers[:1], 12)[0], (*numbers[1:], 1)[0]
    draw, chosen = Random(seed), sys.argv[3:] or list(COMMANDS)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Chat)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    COMMANDS["judge"] = tuple(word.replace("URL", url) for word in COMMANDS["judge"])
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "given").mkdir()
        for command in (
            ("train", "ngram", "bundled:en-text", "-o", "given.npz"),
            ("batch", "plan", "plan", *PLAN),
            ("batch", "plan", "done", *PLAN),
            ("batch", "run", "done"),
        ):
            subprocess.run(_words(command), cwd=place / "given", check=True, capture_output=True)
        (place / "given" / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
        whole = {name: _undisturbed(place, name) for name in chosen}
        for number in range(kills):
            name = chosen[number % len(chosen)]
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
    shutil.copytree(place / "given", place / "work", dirs_exist_ok=True)
    environment = {"TMPDIR": str(place / "tmp"), "GARDENPATH_CACHE": str(place / "cache"), MARK: str(place)}
    return place / "work", {**os.environ, **environment}


def _undisturbed(place: Path, name: str) -> tuple[dict[str, str], float]:
    """What the command leaves, and the seconds it takes. Files that tell the time or a process differ between two runs
    without a kill: of them the names are compared alone."""
    contents, begin = [], time.monotonic()
    for _ in range(2):
        work, environment = _fresh(place)
        subprocess.run(_words(COMMANDS[name]), cwd=work, env=environment, check=True, capture_output=True)
        contents.append(_content(work))
    first, second = contents
    same = {file: hashed if second.get(file) == hashed else "" for file, hashed in first.items()}
    return same, (time.monotonic() - begin) / 2


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
    content = {file: wanted.get(file) and hashed for file, hashed in _content(work).items()}
    if changed := [file for file in sorted({*content, *wanted}) if content.get(file) != wanted.get(file)]:
        return f"other content: {changed[:2]}"
    left = [path.name for path in (place / "tmp").iterdir()]
    return f"left in the temporary directory: {left}" if left else ""


def _content(work: Path) -> dict[str, str]:
    """Hashes by name; claims of plans have the names of processes, and their cache is keyed by a secret."""
    files = (file for file in work.rglob("*") if file.is_file() and not {"claims", "cache"} & set(file.parts))
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
