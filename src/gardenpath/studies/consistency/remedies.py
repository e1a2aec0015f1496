"""Do the remedies help? The parser trained as is, on augmented and on substituted data (Tables 6 to 11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...errors import FailedOnInput, InputError, SystemFailure, UsageError
from ...runs.layout import Column, FindingIndex, measured, table
from ...runs.result import Finding, Table, Verdict
from ...runs.signature import digest
from ...systems.asking import problem_of
from ...systems.registry import TREES
from ...systems.tool_options import parsed_options
from ...systems.training import check_kind
from ...treebank.perturb.edit import check_value
from ...treebank.source import read
from ...treebank.treebank import Treebank
from ..parsed import guarded
from ..study import Findings, Kept, Study, Work
from .findings import consistency_findings, difference_findings, original_findings
from .judging import RIGHT, JudgedBatch, judge
from .observed import joined
from .parts import JudgedVariants, MeasureDifference, VariantCounts, counts, difference, judge_all
from .perturbations import check_perturbations, files_of, names_of, perturbations_of
from .questions import BatchSampling, overview
from .remedy_data import AS_IS, RemedyData, retrainings, tested_treebank
from .retrained import answers_of, at_once, package_of, retrained
from .settings import STUDY, SUBSTITUTE, RemediesSettings
from .study import MEASURES, is_overall
from .tables import consistency_tables, constant_table
from .verdicts import remedy_verdicts

if TYPE_CHECKING:
    from ...systems.entrants import Entrant

SCORES = ("las", "uas", "upos")


@dataclass(frozen=True)
class RetrainedParsers:
    """What each model made of each test treebank, by remedy; a training that failed is counted and not there."""

    tests: Mapping[str, Mapping[str, Any]]
    failures: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class JudgedRemedies:
    """For each test treebank the batches of all models, those with the constant in place, and scores of all words."""

    tests: Sequence[JudgedVariants]
    constants: Mapping[str, Mapping[str, Sequence[JudgedBatch]]]
    """By test treebank and order of siblings; empty without the remedy."""
    scores: Mapping[tuple[str, str], Mapping[str, Any]]
    """By test treebank and remedy."""
    remedies: Sequence[str]
    failures: Mapping[str, int]


class Remedies(Study[RemediesSettings, RemedyData, RetrainedParsers, JudgedRemedies]):
    """Does training on augmented data, or with a constant in place, make a parser consistent?

    The source is a treebank to train on and one or more to test on, by path or as they are.
    """

    name = STUDY
    about = "Do remedies make a parser consistent? It is trained as is, on augmented and on substituted data."
    settings = RemediesSettings
    needs_systems = False
    measures = MEASURES

    def is_overall(self, finding: Finding) -> bool:
        return is_overall(finding)

    def check(self, source: Any, entrants: Sequence[Entrant], settings: RemediesSettings) -> None:
        names = [PurePath(treebank.name if isinstance(treebank, Treebank) else treebank).name for treebank in source]
        if len(names) < 2:
            where, todo = "".join(names), "gardenpath consistency remedies TRAIN TEST..."
            raise UsageError("no treebank to test on", where=where, todo=todo)
        if len(set(names[1:])) < len(names) - 1:
            raise UsageError("two test treebanks have the same name", todo="give the files different names")
        check_kind(settings.parser, settings.preset, settings.seed, TREES)
        parsed_options(settings.option)
        check_perturbations(settings)
        if SUBSTITUTE in settings.remedy:
            check_value(settings.token)
            if len(names_of(settings)) + bool(settings.values) > 1:
                raise UsageError("a constant replaces the words of one perturbation", todo="name one perturbation")

    def files(self, source: Any, settings: RemediesSettings) -> list[str]:
        return files_of(settings, [*source, *([settings.dev] if settings.dev else [])])

    def read(self, source: Any, settings: RemediesSettings) -> RemedyData:
        to_test, to_train = (
            perturbations_of(settings, source, split, divided=True) for split in ("test", "train")
        )  # fmt: skip
        train, *tests = (treebank if isinstance(treebank, Treebank) else read(treebank) for treebank in source)
        tested = [tested_treebank(test, to_test, settings) for test in tests]
        if not any(test.asked.cases for test in tested):
            reasons = "; ".join(f"{test.name}: {test.asked.reasons()}" for test in tested)
            raise InputError("no sentence has a match", where=tests[0].name, todo=reasons)
        matching = [test for test in tested if test.asked.cases]
        return RemedyData(train, read(settings.dev) if settings.dev else None, matching, to_test, to_train)

    def facts(self, material: RemedyData, settings: RemediesSettings) -> Iterable[tuple[str, object]]:
        dev = material.dev
        return [
            ("retrain", settings.parser), ("package", package_of(settings.parser)),
            ("train", _release(material.train.name, material.train.data)),
            ("dev", _release(dev.name, dev.data) if dev is not None else None),
            ("tests", [_release(test.name, test.whole) for test in material.tests]),
            ("perturb", [perturbation.signature for perturbation in material.to_test]),
            ("train-values", [perturbation.signature for perturbation in material.to_train]),
            ("clusters", [test.asked.clusters(settings.independent).counted for test in material.tests]),
        ]  # fmt: skip

    def ask(
        self, material: RemedyData, entrants: Sequence[Entrant], settings: RemediesSettings, work: Work
    ) -> RetrainedParsers:
        """Trains as is and with each remedy. Finished trainings, with all their trees, are kept and not done again."""
        foreign = {
            f"{test.name}, train: {kind}": count
            for test in material.tests
            for kind, count in guarded("the training data", test.asked.treebank, material.train, settings, work).items()
        }
        tasks = retrainings(material, settings)
        results = work.place.map(
            retrained, tasks, label="training", names=[task.name for task in tasks],
            keys=[task.key for task in tasks], run=work.run, prepare=at_once, tolerated=SystemFailure,
        )  # fmt: skip
        failed = {
            task: result for task, result in zip(tasks, results, strict=True) if isinstance(result, SystemFailure)
        }
        if tasks[0] in failed or len(failed) == len(tasks) - 1:  # then there is nothing to compare
            task, error = next(iter(failed.items()))
            error.where = error.where or task.name
            raise error
        for task, error in failed.items():
            work.tell(f"{task.name}: its training failed: {error}")
        by_remedy = {
            task.remedy: result["tests"] for task, result in zip(tasks, results, strict=True) if task not in failed
        }
        return RetrainedParsers(
            by_remedy, {**foreign, **{f"{task.name}: training {_problem(error)}": 1 for task, error in failed.items()}}
        )

    def judge(self, material: RemedyData, answers: RetrainedParsers, settings: RemediesSettings) -> JudgedRemedies:
        judged, constants, failures = list[JudgedVariants](), {}, dict(answers.failures)
        for test in material.tests:
            own = {remedy: answers_of(stored[test.name]) for remedy, stored in answers.tests.items()}
            constant = own.pop(SUBSTITUTE, None)
            if constant is not None:
                constants[test.name] = judge(test.constant, constant, settings.orders)
            variants = judge_all(
                test.asked,
                {_system(settings, remedy): variant_answers for remedy, variant_answers in own.items()},
                settings.orders,
            )
            judged.append(variants)
            failures |= {f"{test.name}, {name}": count for name, count in variants.failures().items()}
            more = constant.failures() if constant is not None else {}
            failures |= {f"{test.name}, {_system(settings, SUBSTITUTE)}: {kind}": count for kind, count in more.items()}
        scores = {
            (name, remedy): stored for remedy, tests in answers.tests.items() for name, stored in tests.items()
        }  # fmt: skip
        return JudgedRemedies(judged, constants, scores, list(answers.tests), failures)

    def findings(self, judged: JudgedRemedies, settings: RemediesSettings) -> Findings:
        findings, tables = list[Finding](), list[Table]()
        for test in judged.tests:
            own = consistency_findings(test, settings)
            tables += consistency_tables(test.asked, own, test.systems, settings)
            if constants := judged.constants.get(test.asked.treebank_name):
                own += _constant_findings(test, constants, settings)
                system = _system(settings, SUBSTITUTE)
                tables.append(constant_table(test.asked, own, system, settings.token, settings))
            for remedy in judged.remedies:
                stored = judged.scores[test.asked.treebank_name, remedy]
                own += [
                    Finding(
                        STUDY,
                        test.asked.treebank_name,
                        _system(settings, remedy),
                        metric,
                        stored[metric],
                        stored["words"],
                    )
                    for metric in SCORES
                ]
            findings += own
        return Findings(findings, [_remedy_table(judged, findings, settings), *tables], judged.failures)

    def verdicts(
        self, findings: Sequence[Finding], judged: JudgedRemedies, settings: RemediesSettings
    ) -> Iterable[Verdict]:
        as_is, others = _system(settings, AS_IS), [remedy for remedy in judged.remedies if remedy != AS_IS]
        first = judged.tests[0].asked
        return remedy_verdicts(
            findings, as_is, [_system(settings, remedy) for remedy in others], first.perturbations,
            first.clusters(settings.independent).name,
        )  # fmt: skip

    def kept(self, judged: JudgedRemedies, settings: RemediesSettings) -> Kept:
        return Kept(*joined(judged.tests, settings.seed, independent=settings.independent))


REMEDIES = Remedies()


def _system(settings: RemediesSettings, remedy: str) -> str:
    return f"{settings.parser} {remedy}"


def _release(name: str, data: bytes) -> str:
    return f"{PurePath(name).name}#{digest(data)[:8]}"


def _problem(error: Exception) -> str:
    return problem_of(error) if isinstance(error, FailedOnInput) else "failed"


def _constant_findings(
    test: JudgedVariants, constants: Mapping[str, Sequence[JudgedBatch]], settings: RemediesSettings
) -> list[Finding]:
    """Counts and shares with the constant in place, and how far they are above those of the parser as is."""
    how, system, suite = BatchSampling(settings.independent), _system(settings, SUBSTITUTE), test.asked.treebank_name
    perturbation, order = test.asked.perturbations[0], settings.orders[0]
    findings: list[Finding] = []
    for own_order, batches in constants.items():
        findings += original_findings(suite, (system, perturbation, own_order), overview(batches, how))
    first = test.batches[_system(settings, AS_IS), perturbation, order]
    rows = [
        (number, times * (constant.original == RIGHT), times)
        for number, (batch, constant) in enumerate(zip(first, constants[order], strict=True))
        for times in batch.case.times
    ]
    test_of_both = difference(counts(first, "right"), VariantCounts.of(rows), how)
    if test_of_both is not None:
        findings += difference_findings(
            suite, MeasureDifference(system, perturbation, "right", test_of_both, test_of_both.p)
        )
    return findings


def _remedy_table(judged: JudgedRemedies, findings: Sequence[Finding], settings: RemediesSettings) -> Table:
    """One row for each test treebank, perturbation and way of training."""
    index, order = FindingIndex(findings), settings.orders[0]
    rows = [
        (test.asked.treebank_name, perturbation, remedy)
        for test in judged.tests
        for perturbation in test.asked.perturbations
        for remedy in judged.remedies
    ]

    def found(measure: str) -> list[Finding | None]:
        return [
            index.get(
                measure,
                _system(settings, remedy),
                {} if measure in SCORES else {"perturbation": perturbation, "order": order},
                suite,
            )
            for suite, perturbation, remedy in rows
        ]

    shown = [
        Column(header, [row[place] for row in rows]) for place, header in enumerate(("test", "perturbation", "trained"))
    ]
    shown += measured("originals", found("original_right"))
    for measure, header in (("right", "variants"), ("changed", "another tree"), ("consistent", "one tree")):
        shown += measured(header, found(measure), interval=True)
    shown += measured("LAS", found("las"))
    note = (
        "originals, variants: right (%); another tree: variants whose tree is not the original's (%); one tree: "
        "batches whose trees are all alike (%). With a constant all variants are the same sentence, so both are empty. "
        "LAS: of all sentences of the test treebank, gold tokens."
    )
    return table(f"Remedies: {settings.parser}, preset {settings.preset}", shown, note=note)
