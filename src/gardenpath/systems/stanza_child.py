"""The process in which Stanza is trained: a job as JSON on standard input, first its tagger, then its parser."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from .stanza_models import TAGGER, own_models
from .stanza_parser import run_pipeline, words_alone

PART = "part: "
"""A line of the output that begins with it says what is done from here on."""


def main() -> None:
    """Both in one process, because Stanza takes longer to import than a small model takes to learn."""
    job = json.load(sys.stdin)
    target = Path(job["target"])
    for part in ("tagger", "parser"):
        if part == "parser" and job["own_tags"]:
            print(f"{PART}tagging the data for the parser", flush=True)
            _tag_again(target, job["data"])
        if part in job["words"]:
            print(f"{PART}{part}", flush=True)
            _train(part, job["words"][part], job["threads"])
            name = job["names"][part]
            _save_again(Path("model") / name, target / name)


def _train(part: str, words: list[str], threads: int) -> None:
    import logging

    import torch

    module: Any = import_module(f"stanza.models.{part}")
    # A pipeline that was loaded in between wants one thread and no news.
    torch.set_num_threads(threads)
    logging.getLogger("stanza").setLevel(logging.INFO)
    module.main(words)


def _tag_again(target: Path, files: list[str]) -> None:
    """Gives the data the tags of the tagger just trained, those that the parser will get."""
    tagger = own_models(target, needs=TAGGER).pipeline(["tokenize", "pos"], tokenize_pretokenized=True)
    for file in files:
        text = Path(file).read_text(encoding="utf-8")
        Path(file).write_text(run_pipeline(tagger, words_alone(text)), encoding="utf-8")


def _save_again(source: Path, target: Path) -> None:
    """In torch's newer format: the older one, which Stanza writes, has memory addresses in it."""
    import torch

    torch.save(torch.load(source, map_location="cpu", weights_only=True), target)


if __name__ == "__main__":
    main()
