"""One parser trained on one form of the training data and asked about all test sentences: a task for any process."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..._version import __version__
from ...errors import GardenpathError
from ...runs.signature import digest
from ...runs.where import Where
from ...treebank.treebank import Treebank
from .answered import Answer, Answers, answers


@dataclass(frozen=True, slots=True)
class Test:
    """What a model is tested on: the sentences with a match and their variants, and the whole treebank for LAS."""

    name: str
    asked: bytes
    whole: bytes


@dataclass(frozen=True, slots=True)
class Retraining:
    """Data after the remedy, and what to train on it. The bytes come along: a worker needs no file."""

    remedy: str
    train: bytes
    dev: bytes
    tests: tuple[Test, ...]
    parser: str
    preset: str
    options: tuple[tuple[str, str], ...]
    seed: int
    mode: str
    gold: tuple[str, ...]
    time_limit: float | None

    @property
    def name(self) -> str:
        return f"{self.parser} {self.remedy}"

    @property
    def key(self) -> str:
        """Everything that the trees depend on."""
        asked = (self.parser, self.preset, self.options, self.seed, self.mode, self.gold, self.time_limit)
        data = [part for test in self.tests for part in (test.name.encode(), test.asked, test.whole)]
        return "retrain " + digest(self.train, self.dev, *data, repr(asked), _release(self.parser))


def retrained(task: Retraining) -> dict[str, Any]:
    """Trains, parses and scores; what is kept is the trees, as JSON can hold them, and not the model."""
    from ...systems.parsing import parse_with
    from ...systems.training import train
    from ...treebank.scores import score

    dev = Treebank(task.dev, name="dev") if task.dev else None
    found: dict[str, Any] = {"tests": {}}
    with tempfile.TemporaryDirectory(prefix="gardenpath-") as folder:
        try:
            model = train(
                task.parser, Treebank(task.train, name="train"), dev, output=Path(folder) / "model",
                preset=task.preset, seed=task.seed, options=dict(task.options),
            )  # fmt: skip
            for test in task.tests:
                asked = Treebank(test.asked, name=test.name)
                told = answers(
                    model.system, asked, mode=task.mode, gold=task.gold,
                    where=Where(cache=False, progress=False, time_limit=task.time_limit),
                )  # fmt: skip
                whole = Treebank(test.whole, name=test.name)
                parsed = parse_with(model.system, whole, gold=task.gold, where=Where(cache=False, progress=False))
                scores = score(whole, parsed.treebank)
                found["tests"][test.name] = {
                    "answers": [[one.conllu.decode("utf-8"), one.problem] for one in told.answers],
                    "surplus": told.surplus,
                    **{metric.lower(): scores.f1(metric) for metric in ("LAS", "UAS", "UPOS")},
                    "words": whole.word_count,
                }
        except GardenpathError as error:
            error.add_note(f"with {task.name}")
            raise
    return found


def answers_of(stored: dict[str, Any]) -> Answers:
    """The answers as they were, from what was kept."""
    return Answers(
        [Answer(text.encode("utf-8"), problem) for text, problem in stored["answers"]], surplus=stored["surplus"]
    )


def _release(parser: str) -> str:
    """Which release of gardenpath and of the parser's package: another one may train another model."""
    package = {"udpipe": "ufal.udpipe"}.get(parser, parser)
    try:
        return f"{__version__} {version(package)}"
    except PackageNotFoundError:
        return __version__
