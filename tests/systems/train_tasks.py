"""A task that worker processes can import: train a small parser, evaluate it, and die once in between."""

from __future__ import annotations

import hashlib
import os
import signal
from pathlib import Path
from typing import Any

from gardenpath.runs.work.where import Where
from gardenpath.systems import parse_with, train
from gardenpath.treebank import Treebank, score

OPTIONS = {"tokenizer": "none", "tagger": "none", "parser.iterations": "1"}


def train_and_score(task: tuple[str, int, bytes, bytes]) -> dict[str, Any]:
    """The scores and the bytes (as a hash) of the model with this seed."""
    folder, seed, learn, judge = task
    path = Path(folder) / f"{os.getpid()}-{seed}.udpipe"
    trained = train("udpipe", Treebank(learn), output=path, preset="tiny", seed=seed, options=OPTIONS)
    _die_once(Path(folder), seed)
    gold = Treebank(judge)
    parsed = parse_with(trained.system, gold, gold="tags,feats", where=Where(cache=False))
    with (Path(folder) / "done").open("ab", buffering=0) as stream:
        stream.write(f"{seed}\n".encode())
    return {"model": hashlib.sha256(path.read_bytes()).hexdigest(), "LAS": score(gold, parsed.treebank).f1("LAS")}


def _die_once(folder: Path, seed: int) -> None:
    """Where a test left `kill`, the worker with seed 3 is killed between training and scoring, once."""
    try:
        (folder / f"kill-{seed}").unlink()
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)
