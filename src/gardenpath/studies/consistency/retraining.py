"""One training of the remedies study: its data, and the parser that is trained and asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from ..._version import __version__
from ...errors import GardenpathError, InputError
from ...plugins import version_of
from ...runs.record.signatures import digest
from ...runs.record.writing import scratch_folder
from ...runs.work.where import Where
from ...systems.asking.protocol import Parser
from ...systems.asking.registry import system
from ...systems.parsers.parsing import parse_with
from ...treebank.format.treebank import Treebank
from ...treebank.perturb.batch import Augmentation, substitute
from ...treebank.perturb.registry import Perturbation
from ...treebank.trees.scores import score
from .declaration import AUGMENT, SUBSTITUTE, VOTE, RemediesSettings
from .judging import VariantAnswer, VariantAnswers, answers
from .variants import AskedVariants, Case, ask
from .voting import Voting, voting


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
    from ...systems.training.training import train

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
    from ...systems.asking.registry import kinds

    package = kinds()[parser].package
    return f"{package} {version_of(package) or ''}".strip() if package else parser


AS_IS = "as is"


@dataclass(frozen=True)
class TestedTreebank:
    """A test treebank: what is asked of all models, and of the one that was trained with a constant."""

    asked: AskedVariants
    constant: AskedVariants
    whole: bytes
    whole_constant: bytes

    @property
    def name(self) -> str:
        return self.asked.treebank_name


@dataclass(frozen=True)
class RemedyData:
    """What is trained on and tested on, and what is changed in either."""

    train: Treebank
    dev: Treebank | None
    tests: Sequence[TestedTreebank]
    to_test: Sequence[Perturbation]
    to_train: Sequence[Perturbation]


def tested_treebank(
    test: Treebank, perturbations: Sequence[Perturbation], settings: RemediesSettings
) -> TestedTreebank:
    """The sentences with a match and their variants; for substitute, the same with the constant in place."""
    name = PurePath(test.name).name
    asked = ask(test, perturbations, sentences=settings.sentences, per_sentence=settings.per_sentence)
    asked = replace(asked, name=name)
    if SUBSTITUTE not in settings.remedy:
        return TestedTreebank(asked, AskedVariants(name, []), test.data, b"")
    cases, texts = [], []
    for number, case in enumerate(asked.cases):
        text = substitute(perturbations[0], case.batch.sentence, settings.token)
        assert isinstance(text, str)  # the sentence has a batch, so the word can be replaced
        texts.append(text)
        cases.append(Case(case.batch, number, (), (), (), ()))
    constant = AskedVariants(name, cases, asked.tallies, "".join(texts).encode("utf-8"))
    whole, _ = Augmentation(perturbations, token=settings.token).feed(test)
    return TestedTreebank(asked, constant, test.data, whole)


def retrainings(material: RemedyData, settings: RemediesSettings) -> list[Retraining]:
    """What is trained: as is, then with each remedy."""
    from ...systems.training.training import options_for

    tests = material.tests
    usual = tuple(RetrainingTest(test.name, test.asked.data, test.whole) for test in tests)
    constant = tuple(RetrainingTest(test.name, test.constant.data, test.whole_constant) for test in tests)
    base = Retraining(
        AS_IS, material.train.data, material.dev.data if material.dev else b"", usual, settings.parser,
        settings.preset, options_for(settings.parser, settings.train, settings.input), settings.seed, settings.input,
        settings.gold,
        settings.any_language,
    )  # fmt: skip
    tasks = [base]
    for remedy in settings.remedy:
        if remedy == VOTE:
            tasks[0] = replace(base, vote=voters(settings, material))
            continue
        train, dev = _remedied(material.train, remedy, material, settings), b""
        if material.dev is not None:
            dev = _remedied(material.dev, remedy, material, settings, needed=False)
        tasks.append(replace(base, remedy=remedy, train=train, dev=dev, tests=usual if remedy == AUGMENT else constant))
    seeds = range(settings.seed, settings.seed + settings.seeds)
    return [replace(task, seed=seed) for seed in seeds for task in tasks]


def voters(settings: RemediesSettings, material: RemedyData) -> str:
    """What a parser that lets variants vote is made from, without its model: `names.de/10`."""
    language = getattr(material.to_train[0], "language", "")
    return f"{material.to_train[0].name}{'.' if language else ''}{language}/{settings.voters}"


def _remedied(
    treebank: Treebank, remedy: str, material: RemedyData, settings: RemediesSettings, *, needed: bool = True
) -> bytes:
    """The treebank with variants added, or with the constant in place."""
    work = (
        Augmentation(material.to_train, settings.augmented)
        if remedy == AUGMENT
        else Augmentation(material.to_train[:1], token=settings.token)
    )
    kept, variants = work.feed(treebank)
    work.check()
    if needed and not work.variants:
        what = "no training sentence has a match, so there is nothing to train another way"
        raise InputError(what, where=treebank.name)
    return kept + variants
