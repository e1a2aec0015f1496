"""The data of the remedies: what is trained on and tested on, as is, with variants, and with a constant in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from ...errors import InputError
from ...systems.tool_options import parsed_options
from ...treebank.perturb.augment import Augmentation
from ...treebank.perturb.batch import substitute
from ...treebank.perturb.registry import Perturbation
from ...treebank.treebank import Treebank
from .asked import AskedVariants, Case, ask
from .retrained import Retraining, RetrainingTest
from .settings import AUGMENT, SUBSTITUTE, VOTE, RemediesSettings

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
    options = parsed_options(settings.option)
    if settings.parser == "udpipe" and settings.mode == "tokens" and not any("tokenizer" in name for name in options):
        options["tokenizer"] = "none"  # gold tokens are parsed: that saves much of the time
    tests = material.tests
    usual = tuple(RetrainingTest(test.name, test.asked.data, test.whole) for test in tests)
    constant = tuple(RetrainingTest(test.name, test.constant.data, test.whole_constant) for test in tests)
    base = Retraining(
        AS_IS, material.train.data, material.dev.data if material.dev else b"", usual, settings.parser,
        settings.preset, tuple(sorted(options.items())), settings.seed, settings.mode, settings.gold,
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
