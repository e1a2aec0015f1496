"""`jobs`: parsing with UDPipe in two processes against one."""

from __future__ import annotations

import time
from itertools import repeat
from pathlib import Path

from gardenpath import read
from gardenpath.data.catalogue import bundled
from gardenpath.systems.training.training import train

from .measure import BenchmarkError, child, gardenpath_command, in_child, interleaved
from .setting import FULL, Setting
from .table import Table, Target, compared

_ONE, _TWO = "gardenpath parse --jobs 1", "gardenpath parse --jobs 2"
_SECONDS = 12.0
"""What one process shall take: long enough for the start of two not to matter."""
_SENTENCES = 150
_OPTIONS = {"parser.hidden_layer": "200", "tokenizer.epochs": "1"}
"""A hidden layer as in real models; how well it parses does not matter here."""
_TRIAL = {"parser.hidden_layer": "20", "parser.iterations": "1", "tokenizer.epochs": "1"}


def run(setting: Setting) -> list[Table]:
    model = setting.folder / "de.udpipe"
    setting.tell("trains a model")
    begin = time.perf_counter()
    train(
        "udpipe",
        read(bundled("de-train"))[:_SENTENCES],
        output=model,
        preset="tiny",
        options=_TRIAL if setting.is_trial else _OPTIONS,
    )
    setting.tell(f"trained it in {time.perf_counter() - begin:.1f} s")
    path = setting.folder / "input.conllu"
    copies = _fitting(setting, model, path)
    outputs = {_ONE: setting.folder / "one.conllu", _TWO: setting.folder / "two.conllu"}
    commands = {name: _command(model, path, output, name[-1]) for name, output in outputs.items()}
    contestants = {name: in_child(command) for name, command in commands.items()}
    found = interleaved(contestants, setting.repeats, setting.tell)
    if outputs[_ONE].read_bytes() != outputs[_TWO].read_bytes():
        raise BenchmarkError("two processes parse otherwise than one")
    rows = compared(found, ours=_TWO, clock="wall", targets={_ONE: Target("x ours", ">=", 1.6)})
    notes = [f"the bundled German test file {copies} times; both outputs are equal; needs two free cores"]
    if found[_ONE].wall < 10 and setting.size >= FULL:
        notes.append("the input became too small: one process took less than 10 s")
    return [Table("jobs: UDPipe parsing, start and end included (whole processes, wall time)", rows, notes)]


def _command(model: Path, path: Path, output: Path, jobs: str) -> list[str | Path]:
    return [
        *gardenpath_command(),
        "parse",
        f"udpipe:{model}",
        path,
        "-o",
        output,
        "--jobs",
        jobs,
        "--set",
        "work.cache=no",
    ]


def _fitting(setting: Setting, model: Path, path: Path) -> int:
    """Writes so many copies of the test file that one process has enough to do, and says how many."""
    text = bundled("de-test").read_bytes().rstrip(b"\n") + b"\n\n"
    took = []  # CPU time: what it would take with a core of its own
    for copies in (1, 1, 11):  # the first run fills the caches
        path.write_bytes(text * copies)
        took.append(child(_command(model, path, path.with_name("warm-up.conllu"), "1"))[0].cpu)
    each = max(took[2] - took[1], 0.01) / 10
    copies = max(2, round((setting.scaled(_SECONDS) - took[1]) / each))
    with path.open("wb") as target:
        target.writelines(repeat(text, copies))
    return copies
