"""One parser trained on one form of the training data and asked about all test sentences: a task for any process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..._packages import version_of
from ..._version import __version__
from ...errors import GardenpathError
from ...runs.scratch import scratch_folder
from ...runs.signature import digest
from ...runs.where import Where
from ...treebank.treebank import Treebank
from .answered import VariantAnswer, VariantAnswers, answers


@dataclass(frozen=True, slots=True)
class RetrainingTest:
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
    tests: tuple[RetrainingTest, ...]
    parser: str
    preset: str
    options: tuple[tuple[str, str], ...]
    seed: int
    mode: str
    gold: tuple[str, ...]
    any_language: bool = False

    @property
    def name(self) -> str:
        return f"{self.parser} {self.remedy}"

    @property
    def key(self) -> str:
        """Everything that the trees depend on."""
        asked = (self.parser, self.preset, self.options, self.seed, self.mode, self.gold)
        data = [part for test in self.tests for part in (test.name.encode(), test.asked, test.whole)]
        return "retrain 2 " + digest(self.train, self.dev, *data, repr(asked), __version__, package_of(self.parser))


def retrained(task: Retraining) -> dict[str, Any]:
    """Trains, parses and scores; what is kept is the trees, as JSON can hold them, and not the model."""
    from ...systems.parsing import parse_with
    from ...systems.training import train
    from ...treebank.scores import score

    dev = Treebank(task.dev, name="dev") if task.dev else None
    here = Where(cache=False, progress=False)
    tests: dict[str, Any] = {}
    with scratch_folder() as folder:
        try:
            model = train(
                task.parser, Treebank(task.train, name="train"), dev, output=folder / "model",
                preset=task.preset, seed=task.seed, options=dict(task.options),
            )  # fmt: skip
            for test in task.tests:
                given = answers(
                    model.system, Treebank(test.asked, name=test.name), mode=task.mode, gold=task.gold,
                    any_language=task.any_language, where=here,
                )  # fmt: skip
                whole = Treebank(test.whole, name=test.name)
                parsed = parse_with(
                    model.system, whole, gold=task.gold, any_language=task.any_language or None, where=here
                )
                scores = score(whole, parsed.treebank)
                tests[test.name] = {
                    "answers": [[answer.conllu.decode("utf-8"), answer.problem] for answer in given.answers],
                    "surplus": given.surplus,
                    **{metric.lower(): scores.f1(metric) for metric in ("LAS", "UAS", "UPOS")},
                    "words": whole.word_count,
                }
        except GardenpathError as error:
            error.add_note(f"with {task.name}")
            raise
    return {"tests": tests}


def at_once(task: Retraining) -> None:
    """What goes before the clock of a time limit starts: nothing."""


def answers_of(stored: dict[str, Any]) -> VariantAnswers:
    """The answers as they were, from what was kept."""
    given = [VariantAnswer(text.encode("utf-8"), problem) for text, problem in stored["answers"]]
    return VariantAnswers(given, surplus=stored["surplus"])


def package_of(parser: str) -> str:
    """The parser's package and its release: another one may train another model."""
    from ...systems.registry import kinds

    package = kinds()[parser].package
    return f"{package} {version_of(package) or ''}".strip() if package else parser
