"""The remedies study: parsers trained as is, on augmented and on substituted data, over several seeds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import FailedOnInput, InputError, SystemFailure, UsageError
from ...runs.record.signatures import with_hash
from ...runs.result.layout import SIGNED, Column, FindingIndex, measured, table, unfolded
from ...runs.result.result import Finding, Result, Table, Value, Verdict
from ...stats.sampling import Difference, SeedSpread, share_difference
from ...systems.asking.exchange import problem_of
from ...systems.asking.registry import TREES, parsed_options
from ...systems.training.training import check_kind
from ...treebank.format.reading import given_name, given_treebank, read
from ...treebank.perturb.edit import check_value
from ..engine.corrections import corrected
from ..engine.grouping import ColumnGroups
from ..engine.parsers import guarded
from ..engine.study import Kept, Study, Work
from .declaration import STUDY, SUBSTITUTE, VOTE, RemediesSettings
from .findings import consistency_findings, original_findings
from .judging import RIGHT, JudgedBatch, VariantAnswers, judge
from .numbers import (
    COMPARED,
    BatchSampling,
    JudgedVariants,
    VariantCounts,
    column_groups_of,
    counts,
    difference,
    family,
    judge_all,
    measure_findings,
    overview,
)
from .retraining import (
    AS_IS,
    RemedyData,
    TestedTreebank,
    answers_of,
    at_once,
    package_of,
    retrained,
    retrainings,
    tested_treebank,
)
from .study import MEASURES, is_overall, joined
from .tables import PaperTables, consistency_tables, constant_table
from .tree_classes import most_classes
from .variants import check_perturbations, files_of, names_of, perturbations_of
from .verdicts import remedy_verdicts

if TYPE_CHECKING:
    from ...systems.asking.entrants import Entrant


SCORES = ("las", "uas", "upos")
COSTS = ("training_sentences", "parses_per_sentence")
_SHARES = {"right": "variants", "changed": "another tree", "consistent": "one tree"}
Row = tuple[str, str, str]
"""Test treebank, perturbation, and way of training."""


def system_of(settings: RemediesSettings, remedy: str) -> str:
    return f"{settings.parser} {remedy}"


def remedy_tables(rows: Sequence[Row], findings: Sequence[Finding], settings: RemediesSettings) -> Iterator[Table]:
    """One row for each test treebank, perturbation and way of training."""
    cells = _Cells(rows, FindingIndex(findings), settings)
    order: dict[str, Value] = {"order": settings.orders[0]}
    shown = [*cells.heads(), *measured("originals", cells.of("original_right", order))]
    for measure, header in _SHARES.items():
        shown += measured(header, cells.of(measure, order), interval=True)
    shown += measured("LAS", cells.of("las"))
    shown += measured("training sentences", cells.of("training_sentences"))
    shown += measured("parses", cells.of("parses_per_sentence"))
    note = (
        "originals, variants: right (%); another tree: variants whose tree is not the original's (%); one tree: "
        "batches whose trees are all alike (%). With a constant all variants are the same sentence, so both are empty. "
        "LAS: of all sentences of the test treebank, gold tokens. parses: made for each sentence of it."
    )
    if settings.seeds > 1:
        note += f" The first of {settings.seeds} trainings of each."
    yield table(f"Remedies: {settings.parser}, preset {settings.preset}", shown, note=note)
    if settings.seeds > 1:
        yield cells.over_seeds()


class _Cells:
    def __init__(self, rows: Sequence[Row], index: FindingIndex, settings: RemediesSettings) -> None:
        self.rows, self.index, self.settings = rows, index, settings

    def heads(self) -> list[Column]:
        headers = ("test", "perturbation", "trained")
        return [Column(header, [row[place] for row in self.rows]) for place, header in enumerate(headers)]

    def of(self, measure: str, more: dict[str, Value] | None = None) -> list[Finding | None]:
        """The finding of every row; scores and costs are of all sentences."""
        whole = measure in (*SCORES, *COSTS)
        return [
            self.index.get(
                measure,
                system_of(self.settings, remedy),
                {} if whole else {"perturbation": perturbation, **(more or {})},
                suite,
            )
            for suite, perturbation, remedy in self.rows
        ]

    def over_seeds(self) -> Table:
        """Mean, lowest and highest of all trainings, and the difference to the parser as it is."""
        by: dict[str, Value] = {"trainings": self.settings.seeds}
        shown = self.heads()
        for measure, header in _SHARES.items():
            for end in ("mean", "min", "max"):
                shown += measured(f"{header}, {end}" if end == "mean" else end, self.of(f"{measure}_{end}", by))
            shown += measured("difference", self.of(f"{measure}_difference"), interval=True, kind=SIGNED)
        note = "Differences to the parser as it is, in points; their intervals know other sentences and other seeds."
        return table(f"Over {self.settings.seeds} trainings of each", shown, digits=1, note=note)


Trainings = Mapping[str, Sequence[VariantCounts]]
"""For each system what each of its trainings got right, on the same items."""


def constant_counts(usual: Sequence[JudgedBatch], constants: Sequence[JudgedBatch]) -> VariantCounts:
    """With a constant in place all variants are the same sentence: right or wrong together."""
    return VariantCounts.of(
        [
            (number, times * (constant.original == RIGHT), times)
            for number, (batch, constant) in enumerate(zip(usual, constants, strict=True))
            for times in batch.case.times
        ]
    )


def seed_findings(
    tests: Sequence[JudgedVariants],
    constants: Sequence[Sequence[JudgedBatch] | None],
    systems: tuple[str, str],
    order: str,
    independent: bool,
) -> list[Finding]:
    """Of one test treebank: one entry of `tests` and `constants` for each seed.

    `systems` are the parser as it is and the one that was trained with the constant.
    """
    as_is, substituted = systems
    first, findings = tests[0], list[Finding]()
    for perturbation in first.asked.perturbations:
        for measure in COMPARED:
            trainings = {
                system: [counts(test.batches[system, perturbation, order], measure) for test in tests]
                for system in first.systems
            }
            if measure == "right" and all(constants):
                trainings[substituted] = [
                    constant_counts(test.batches[as_is, perturbation, order], batches or ())
                    for test, batches in zip(tests, constants, strict=True)
                ]
            findings += _means(first, trainings, perturbation, measure)
            for system in trainings:
                if system != as_is and trainings[as_is][0].asked.any():
                    test = _difference(trainings[as_is], trainings[system], independent)
                    suite = first.asked.treebank_name
                    findings += measure_findings(suite, system, perturbation, measure, test)
                    # More sentences alone would not show it: another seed may weigh more.
                    by: dict[str, Value] = {"perturbation": perturbation}
                    findings.append(Finding(STUDY, suite, system, f"{measure}_items_needed", None, by=by))
    return findings


def _means(test: JudgedVariants, trainings: Trainings, perturbation: str, measure: str) -> list[Finding]:
    findings = []
    for system, some in trainings.items():
        shares = [100 * float(own.right.sum() / own.asked.sum()) for own in some if own.asked.any()]
        if not shares:
            continue
        by: dict[str, Value] = {"perturbation": perturbation, "trainings": len(shares)}
        for name, value in (("mean", float(np.mean(shares))), ("min", min(shares)), ("max", max(shares))):
            n = int(some[0].asked.sum())
            findings.append(Finding(STUDY, test.asked.treebank_name, system, f"{measure}_{name}", value, n, by=by))
    return findings


def _difference(first: Sequence[VariantCounts], second: Sequence[VariantCounts], independent: bool) -> Difference:
    """How far the mean of the second trainings is above that of the first; both have seeds of their own."""
    asked, batch = first[0].asked, first[0].batch
    clusters = BatchSampling(independent).clusters(batch)
    sides = [np.stack([own.right for own in some]).astype(np.float64) for some in (first, second)]
    spreads = [SeedSpread.of(side / asked.mean()) for side in sides]
    spread = spreads[0] + spreads[1] if spreads[0] and spreads[1] else None
    return share_difference((sides[0].mean(axis=0), asked), (sides[1].mean(axis=0), asked), clusters, spread)


_OF_ONE_SEED = tuple(f"{measure}_{end}" for measure in COMPARED for end in ("difference", "p"))
"""Measures that several seeds have in another form."""


@dataclass(frozen=True)
class RetrainedParsers:
    """For each seed what the models made of each test treebank, by remedy.

    A remedy of which a training failed is counted and not there.
    """

    seeds: Sequence[Mapping[str, Mapping[str, Any]]]
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
    seeds: Mapping[str, Sequence[tuple[JudgedVariants, Sequence[JudgedBatch] | None]]]
    """By test treebank: the batches of every seed, and those with the constant; the first seed is that of `tests`."""


class Remedies(Study[RemediesSettings, RemedyData, RetrainedParsers, JudgedRemedies]):
    """Does training on augmented data, or with a constant in place, make a parser consistent?

    The source is a treebank to train on and one or more to test on, by path or as they are.
    """

    name = STUDY
    settings = RemediesSettings
    needs_systems = False
    measures = MEASURES

    def is_overall(self, finding: Finding) -> bool:
        return is_overall(finding)

    def check(self, source: Any, entrants: Sequence[Entrant], settings: RemediesSettings) -> None:
        names = [PurePath(given_name(treebank)).name for treebank in source]
        if len(names) < 2:
            where, todo = "".join(names), "gardenpath consistency remedies TRAIN TEST..."
            raise UsageError("no treebank to test on", where=where, todo=todo)
        if len(set(names[1:])) < len(names) - 1:
            raise UsageError("two test treebanks have the same name", todo="give the files different names")
        check_kind(settings.parser, settings.preset, settings.seed, TREES)
        parsed_options(settings.train)
        check_perturbations(settings)
        if SUBSTITUTE in settings.remedy:
            check_value(settings.token)
            if len(names_of(settings)) + bool(settings.values) > 1:
                raise UsageError("a constant replaces the words of one perturbation", todo="name one perturbation")
        if VOTE in settings.remedy and (len(names_of(settings)) > 1 or settings.values):
            raise UsageError("variants of one named perturbation vote", todo="name one perturbation")

    def files(self, source: Any, settings: RemediesSettings) -> list[str]:
        return files_of(settings, [*source, *([settings.dev] if settings.dev else [])])

    def read(self, source: Any, settings: RemediesSettings) -> RemedyData:
        to_test, to_train = (
            perturbations_of(settings, source, split, divided=True) for split in ("test", "train")
        )  # fmt: skip
        train, *tests = map(given_treebank, source)
        tested = [tested_treebank(test, to_test, settings) for test in tests]
        if not any(test.asked.cases for test in tested):
            reasons = "; ".join(f"{test.name}: {test.asked.reasons()}" for test in tested)
            raise InputError("no sentence has a match", where=tests[0].name, todo=reasons)
        matching = [test for test in tested if test.asked.cases]
        return RemedyData(train, read(settings.dev) if settings.dev else None, matching, to_test, to_train)

    def groups(self, material: RemedyData, settings: RemediesSettings) -> ColumnGroups | None:
        for test in material.tests:
            column_groups_of(test.asked, settings)
        return None  # a table of each test treebank has groups of its own

    def facts(self, material: RemedyData, settings: RemediesSettings) -> Iterable[tuple[str, object]]:
        dev = material.dev
        return [
            ("retrain", settings.parser), ("package", package_of(settings.parser)),
            ("train", with_hash(material.train.name, material.train.data)),
            ("dev", with_hash(dev.name, dev.data) if dev is not None else None),
            ("tests", [with_hash(test.name, test.whole) for test in material.tests]),
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
        remedied = [task for task in tasks if task.remedy != AS_IS]
        if any(task.remedy == AS_IS for task in failed) or (remedied and len(failed) == len(remedied)):
            task, error = next(iter(failed.items()))  # there is nothing to compare
            error.where = error.where or task.name
            raise error
        for task, error in failed.items():
            work.tell(f"{task.name}: its training failed: {error}")
        lost = {task.remedy for task in failed}
        seeds: dict[int, dict[str, Any]] = {task.seed: {} for task in tasks}
        for task, result in zip(tasks, results, strict=True):
            if task.remedy not in lost:
                seeds[task.seed][task.remedy] = result["tests"]
                seeds[task.seed] |= {VOTE: result["voted"]} if task.vote else {}
        return RetrainedParsers(
            list(seeds.values()),
            {**foreign, **{f"{task.name}: training {_problem(error)}": 1 for task, error in failed.items()}},
        )

    def judge(self, material: RemedyData, answers: RetrainedParsers, settings: RemediesSettings) -> JudgedRemedies:
        judged, constants, failures = list[JudgedVariants](), {}, dict(answers.failures)
        seeds: dict[str, list[tuple[JudgedVariants, Sequence[JudgedBatch] | None]]] = {}
        first, *others = answers.seeds
        for test in material.tests:
            own = {remedy: answers_of(stored[test.name]) for remedy, stored in first.items()}
            constant = own.pop(SUBSTITUTE, None)
            if constant is not None:
                constants[test.name] = judge(test.constant, constant, settings.orders)
            variants = _variants(test, own, settings)
            judged.append(variants)
            seeds[test.name] = [(variants, constants[test.name][settings.orders[0]] if constant else None)]
            for stored_seed in others:
                more_seeds = {remedy: answers_of(stored[test.name]) for remedy, stored in stored_seed.items()}
                with_constant = more_seeds.pop(SUBSTITUTE, None)
                batches = judge(test.constant, with_constant, settings.orders[:1]) if with_constant else {}
                seeds[test.name].append((_variants(test, more_seeds, settings), batches.get(settings.orders[0])))
            failures |= {f"{test.name}, {name}": count for name, count in variants.failures().items()}
            more = constant.failures() if constant is not None else {}
            failures |= {
                f"{test.name}, {system_of(settings, SUBSTITUTE)}: {kind}": count for kind, count in more.items()
            }
        scores = {
            (name, remedy): stored for remedy, tests in first.items() for name, stored in tests.items()
        }  # fmt: skip
        return JudgedRemedies(judged, constants, scores, list(first), failures, seeds)

    def findings(self, judged: JudgedRemedies, settings: RemediesSettings) -> Result:
        findings, tables = list[Finding](), list[Table]()
        for test in judged.tests:
            own = consistency_findings(test, settings)
            constants = judged.constants.get(test.asked.treebank_name)
            if constants:
                own += _constant_findings(test, constants, settings)
            if settings.seeds > 1:
                tests, constant_batches = zip(*judged.seeds[test.asked.treebank_name], strict=True)
                own = [finding for finding in own if not finding.measure.startswith(_OF_ONE_SEED)]
                systems = (system_of(settings, AS_IS), system_of(settings, SUBSTITUTE))
                own += seed_findings(tests, constant_batches, systems, settings.orders[0], settings.independent)
            own = corrected(own, family)
            tables += consistency_tables(test.asked, own, test.systems, settings, first=False)
            if constants:
                system = system_of(settings, SUBSTITUTE)
                constant = constant_table(test.asked, own, system, settings.token, settings)
                tables += unfolded([constant], "perturbation" in settings.tables)
            for remedy in judged.remedies:
                stored = judged.scores[test.asked.treebank_name, remedy]
                own += [
                    Finding(
                        STUDY,
                        test.asked.treebank_name,
                        system_of(settings, remedy),
                        metric,
                        stored[metric],
                        stored["words"],
                    )
                    for metric in (*SCORES, *COSTS)
                ]
            findings += own
        tables += unfolded(_paper_tables(judged, findings, settings), "paper" in settings.tables)
        most = [batch for test in judged.tests for batch in most_classes(test, settings.orders[0])]
        return Result(
            findings=findings,
            tables=[*remedy_tables(_rows_of(judged), findings, settings), *tables],
            failures=judged.failures,
            details={"tree_classes": most} if most else {},
        )

    def verdicts(
        self, findings: Sequence[Finding], judged: JudgedRemedies, settings: RemediesSettings
    ) -> Iterable[Verdict]:
        as_is, others = system_of(settings, AS_IS), [remedy for remedy in judged.remedies if remedy != AS_IS]
        first = judged.tests[0].asked
        return remedy_verdicts(
            findings, as_is, [system_of(settings, remedy) for remedy in others], first.perturbations,
            first.clusters(settings.independent).name, settings.seeds,
        )  # fmt: skip

    def kept(self, judged: JudgedRemedies, settings: RemediesSettings) -> Kept:
        return Kept(*joined(judged.tests, settings.seed, independent=settings.independent))


REMEDIES = Remedies()


def _variants(test: TestedTreebank, own: Mapping[str, VariantAnswers], settings: RemediesSettings) -> JudgedVariants:
    return judge_all(
        test.asked, {system_of(settings, remedy): answered for remedy, answered in own.items()}, settings.orders
    )


def _rows_of(judged: JudgedRemedies) -> list[Row]:
    return [
        (test.asked.treebank_name, perturbation, remedy)
        for test in judged.tests
        for perturbation in test.asked.perturbations
        for remedy in judged.remedies
    ]


def _paper_tables(judged: JudgedRemedies, findings: Sequence[Finding], settings: RemediesSettings) -> Iterator[Table]:
    """Tables 1 to 5 of the parser as is, 6 and 8 to 11 of what was augmented, 7 of what was substituted."""
    treebanks, asked = [test.asked.treebank_name for test in judged.tests], judged.tests[0].asked
    for perturbation in asked.perturbations:
        for remedy in judged.remedies:
            columns = [(name, system_of(settings, remedy), name) for name in treebanks]
            tables = PaperTables(findings, columns, perturbation, settings.orders[0])
            if remedy == SUBSTITUTE:
                yield tables.counts("Table 7", {"originals": "Substituted"})
                continue
            counts, details = ("Table 1", "Tables 2 to 5") if remedy == AS_IS else ("Table 6", "Tables 8 to 11")
            yield tables.counts(counts)
            yield tables.questions(details)


def _problem(error: Exception) -> str:
    return problem_of(error) if isinstance(error, FailedOnInput) else "failed"


def _constant_findings(
    test: JudgedVariants, constants: Mapping[str, Sequence[JudgedBatch]], settings: RemediesSettings
) -> list[Finding]:
    """Counts and shares with the constant in place, and how far they are above those of the parser as is."""
    how, system, suite = BatchSampling(settings.independent), system_of(settings, SUBSTITUTE), test.asked.treebank_name
    perturbation, order = test.asked.perturbations[0], settings.orders[0]
    findings: list[Finding] = []
    for own_order, batches in constants.items():
        findings += original_findings(suite, (system, perturbation, own_order), overview(batches, how))
    first = test.batches[system_of(settings, AS_IS), perturbation, order]
    test_of_both = difference(counts(first, "right"), constant_counts(first, constants[order]), how)
    return [*findings, *measure_findings(suite, system, perturbation, "right", test_of_both)]
