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
from ...systems.parsing import parse_with
from ...systems.protocol import Parser
from ...systems.registry import system
from ...systems.voting import Voting, voting
from ...treebank.scores import score
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
    vote: str = ""
    """What votes with the model as it is, `names.de/10`; empty: nothing does."""

    @property
    def name(self) -> str:
        return f"{self.parser} {self.remedy}" + (f", seed {self.seed}" if self.seed else "")

    @property
    def key(self) -> str:
        """Everything that the trees depend on."""
        asked = (self.parser, self.preset, self.options, self.seed, self.mode, self.gold, self.vote)
        data = [part for test in self.tests for part in (test.name.encode(), test.asked, test.whole)]
        return "retrain 3 " + digest(self.train, self.dev, *data, repr(asked), __version__, package_of(self.parser))


def retrained(task: Retraining) -> dict[str, Any]:
    """Trains, parses and scores; what is kept is the trees, as JSON can hold them, and not the model."""
    from ...systems.training import train

    dev = Treebank(task.dev, name="dev") if task.dev else None
    data = Treebank(task.train, name="train")
    with scratch_folder() as folder:
        try:
            model = train(
                task.parser, data, dev, output=folder / "model", preset=task.preset, seed=task.seed,
                options=dict(task.options),
            )  # fmt: skip
            results = {"tests": _tested(task, system(model.system), len(data))}
            if task.vote:
                results["voted"] = _tested(task, voting(f"{task.vote}:{model.system}"), len(data))
        except GardenpathError as error:
            error.add_note(f"with {task.name}")
            raise
    return results


def _tested(task: Retraining, parser: Parser, trained_on: int) -> dict[str, Any]:
    """All tests of one parser: its answers, its scores on the whole treebank, and what it costs."""
    here = Where(cache=False, progress=False)
    tests: dict[str, Any] = {}
    for test in task.tests:
        given = answers(
            parser, Treebank(test.asked, name=test.name), mode=task.mode, gold=task.gold,
            any_language=task.any_language, where=here,
        )  # fmt: skip
        whole = Treebank(test.whole, name=test.name)
        before = _parses(parser)
        parsed = parse_with(parser, whole, gold=task.gold, any_language=task.any_language or None, where=here)
        scores = score(whole, parsed.treebank)
        tests[test.name] = {
            "answers": [[answer.conllu.decode("utf-8"), answer.problem] for answer in given.answers],
            "surplus": given.surplus,
            **{metric.lower(): scores.f1(metric) for metric in ("LAS", "UAS", "UPOS")},
            "words": whole.word_count,
            "training_sentences": trained_on,
            "parses_per_sentence": (_parses(parser) - before) / len(whole) if isinstance(parser, Voting) else 1.0,
        }
    return tests


def _parses(parser: Parser) -> int:
    return parser.answered if isinstance(parser, Voting) else 0


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
