"""Trainings in processes of their own, whose lines are read as they come and which never outlive us.

The tools of UDPipe and Stanza get a job as JSON on standard input.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import SystemFailure
from ...runs.work.processes import THREADS, die_with_parent, in_main_thread

UDPIPE, STANZA = "udpipe", "stanza"
"""The trainings that are written here."""
PART = "part: "
"""A line of the output that begins with it says what is done from here on."""
_TAIL = 4
_BY_MAIN = "GARDENPATH_STARTED_BY_MAIN"
_SOURCE = str(Path(__file__).parents[3])


def run_child(
    module: Sequence[str],
    read: Callable[[str], None],
    *,
    what: str,
    given: str = "",
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run `python -m MODULE …` (or the training UDPIPE or STANZA) with one thread, give each line it prints to `read`,
    and raise if it fails.

    The line `given` is the first of its standard input, which stays open as long as we live. A line of its
    output that begins with `error: ` says why it failed; else the last lines do.
    """
    path = os.pathsep.join(part for part in (_SOURCE, os.environ.get("PYTHONPATH", "")) if part)
    child = subprocess.Popen(
        # -P: no modules of the current folder
        [sys.executable, "-P", "-m", "gardenpath.systems.training.child", *module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env={
            **os.environ,
            **THREADS,
            "PYTHONPATH": path,
            "PYTHONHASHSEED": "0",
            **({_BY_MAIN: "1"} if in_main_thread() else {}),
            **(environment or {}),
        },
    )
    assert child.stdin is not None
    assert child.stdout is not None
    tail, fault = deque[str](maxlen=_TAIL), ""
    try:
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(given.encode("utf-8") + b"\n")
            child.stdin.flush()
        for raw in child.stdout:
            line = raw.decode("utf-8", "replace").rstrip()
            if line.startswith("error: "):
                fault = line.removeprefix("error: ")
            if line:
                tail.append(line)
            read(line)
        code = child.wait()
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        child.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
    if code or fault:
        cause = fault or f"exit code {code}: " + " / ".join(tail)
        raise SystemFailure(f"{what} failed: {cause}", todo="check the options and the data")


def main() -> None:
    """In the child: runs a module as a program, and ends when its parent is gone."""
    import runpy
    import signal
    import threading

    if hasattr(signal, "SIGPIPE"):
        # C++ that never lets our thread run dies at its next line of progress.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    line = sys.stdin.buffer.readline()
    threading.Thread(target=_watch_parent, daemon=True).start()
    if os.environ.pop(_BY_MAIN, ""):
        die_with_parent()
    sys.argv = sys.argv[1:]
    sys.stdin = io.TextIOWrapper(io.BytesIO(line), encoding="utf-8")
    if sys.argv[0] in (UDPIPE, STANZA):
        (_train_udpipe if sys.argv[0] == UDPIPE else _train_stanza)(json.load(sys.stdin))
    else:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _watch_parent() -> None:
    with open(0, "rb", buffering=0, closefd=False) as stream:
        while stream.read(1):
            continue
    os._exit(1)


def _train_udpipe(job: dict[str, Any]) -> None:
    """Write a model of UDPipe; errors are lines that begin with `error: `."""
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer

    error, data = ProcessingError(), []
    for conllu in (job["train"], job["dev"]):
        sentences, sentence = Sentences(), Sentence()
        reader = InputFormat.newConlluInputFormat()
        reader.setText(conllu)
        while reader.nextSentence(sentence, error):
            sentences.append(sentence)
            sentence = Sentence()
        data.append(sentences)
    model = None
    if not error.occurred():
        options = (job["options"][part] for part in ("tokenizer", "tagger", "parser"))
        model = Trainer.train("morphodita_parsito", *data, *options, error)
    if error.occurred() or not model:
        sys.stderr.write("error: " + " ".join((error.message or "it gave no model").split()) + "\n")
        sys.exit(1)
    Path(job["model"]).write_bytes(model)


def _train_stanza(job: dict[str, Any]) -> None:
    """Train Stanza's processors, all in one process, because Stanza takes longer to import than a small model takes
    to learn."""
    import logging
    from importlib import import_module

    import torch

    from ..parsers.stanza_parser import TAGGER, own_models, run_pipeline, words_alone

    target, parts = Path(job["target"]), job["words"]
    if "tokenizer" in parts:
        from stanza.utils.datasets import prepare_tokenizer_data

        for file in map(Path, job["data"]):
            text, labels, expansions = (str(file.absolute().with_suffix(end)) for end in (".txt", ".labels", ".json"))
            prepare_tokenizer_data.main([text, str(file), "-o", labels, "-m", expansions])
    for part in job["names"]:
        if part == "parser" and job["own_tags"]:
            print(f"{PART}tagging the data for the parser", flush=True)
            # The data gets the tags of the tagger just trained, those that the parser will get.
            tagger = own_models(target, needs=TAGGER).pipeline(["tokenize", "pos"], tokenize_pretokenized=True)
            for file in map(Path, job["data"]):
                conllu = words_alone(file.read_text(encoding="utf-8"), lemmas="lemmatizer" in parts)
                tagged = run_pipeline(tagger, conllu)
                file.write_text(tagged, encoding="utf-8")
        if part in parts:
            print(f"{PART}{part}", flush=True)
            module: Any = import_module(f"stanza.models.{part}")
            # A pipeline that was loaded in between wants one thread and no news.
            torch.set_num_threads(job["threads"])
            logging.getLogger("stanza").setLevel(logging.INFO)
            module.main(parts[part])
            # Saved again in torch's newer format: the older one, which Stanza writes, has memory addresses in it.
            made = torch.load(Path("model") / job["names"][part], map_location="cpu", weights_only=True)
            if part == "lemmatizer":
                # Its dictionaries are gzip, with the time of compression in bytes 4 to 7.
                made["dicts"] = made["dicts"][:4] + bytes(4) + made["dicts"][8:]
            torch.save(made, target / job["names"][part])


if __name__ == "__main__":
    main()
