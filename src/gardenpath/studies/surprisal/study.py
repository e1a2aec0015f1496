"""The surprisal study: suites and language models, findings and examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from ...errors import InputError, UsageError, unknown_name
from ...runs.record.signatures import digest
from ...runs.result.layout import SIGNED, Column, short_names, table
from ...runs.result.result import Finding, Result, Table, Verdict
from ...runs.result.verdict import count_text
from ...runs.work.where import HERE, Where, Workplace
from ...stats.sampling import Clusters
from ...suites.regions.hierarchy import by_paradigm, item_clusters, suite_columns
from ...suites.regions.model import RegionSuite
from ...suites.regions.pairs import is_pairs_file, on_targets, parse_layout
from ...suites.regions.reader import given_suites, read_paradigms, region_files, unread_files
from ...suites.regions.syntaxgym import to_syntaxgym
from ...systems.asking.entrants import Entrant, entrants_of
from ...systems.asking.protocol import LANGUAGE_MODEL
from ...systems.language_models.running_text import PartReader
from ..engine.corrections import corrected
from ..engine.grouping import ColumnGroups, asked_groups
from ..engine.study import Kept, Study, Work
from .acquisition import Acquisition, acquisition_verdicts
from .answers import ScoredSystem, ask_model
from .asking import AskedSuite, Floats, RegionSurprisals
from .declaration import ASKED, GROUPINGS, STUDY, SurprisalSettings
from .findings import MEASURES, effect_findings, family, suites_name, surprisal_findings
from .outcomes import SURPRISALS, SuiteOutcome, attached, observations, suite_outcome
from .scores import SuiteScores
from .tables import surprisal_tables, surprisal_verdicts

WRONG, RIGHT, TIE, FAILED = "wrong", "right", "tie", "failed"
KINDS = (WRONG, RIGHT, TIE, FAILED)


@dataclass(frozen=True, slots=True)
class AskedSentence:
    """One condition of an item; regions that predictions name stand in brackets, unless the whole sentence counts."""

    condition: str
    sentence: str
    bits: float | None
    """The surprisal of these regions together."""


@dataclass(frozen=True, slots=True)
class SurprisalExample:
    """One item, as the mean over the seeds of a system."""

    suite: str
    item: str
    kind: str
    difference: float | None
    """Bits by which the comparison that fails most clearly is on the predicted side."""
    conditions: tuple[AskedSentence, ...]


def parse_wanted(suites: Sequence[RegionSuite], wanted: str) -> tuple[str, str]:
    """`KIND` or `KIND:GROUP`, where the group is a suite or a class of suites."""
    kind, _, group = wanted.partition(":")
    if kind not in KINDS:
        raise unknown_name("kind of item", kind, KINDS, where="--examples")
    groups = {name for suite in suites for name in (suite.title, suite.property_of("class")) if name}
    if group and group not in groups:
        raise unknown_name("suite or class", group, sorted(groups), where="--examples")
    return kind, group


def examples_of(judged: JudgedSurprisal, wanted: str, limit: int) -> tuple[list[dict[str, Any]], list[Table]]:
    """For each system the clearest examples of a kind: as data, and as a table."""
    kind, group = parse_wanted(judged.suites, wanted)
    details, tables = list[dict[str, Any]](), list[Table]()
    for system, short in short_names(list(judged.bits)).items():
        chosen = [
            example
            for number, asked in enumerate(judged.asked)
            if group in ("", asked.suite.title, asked.suite.property_of("class"))
            for example in _items(asked, judged.outcomes[system][number], judged.answers[system].surprisals[number])
            if example.kind == kind
        ]
        side = -1 if kind == RIGHT else 1
        chosen.sort(key=lambda example: side * example.difference if example.difference is not None else 0.0)
        details += [{"system": system, **asdict(example)} for example in chosen[:limit]]
        tables.append(_table(short, wanted, chosen[:limit], len(chosen)))
    return details, tables


def _items(
    asked: AskedSuite, outcomes: Sequence[SuiteOutcome], surprisals: Sequence[RegionSurprisals]
) -> Iterator[SurprisalExample]:
    held = np.mean([outcome.holds for outcome in outcomes], axis=0)
    tied = np.any([outcome.ties for outcome in outcomes], axis=0)
    failed = np.all([outcome.failed for outcome in outcomes], axis=0)
    difference = np.mean([outcome.differences for outcome in outcomes], axis=0).min(axis=1)
    sentences: dict[int, list[AskedSentence]] = {}
    place_of = {id(item): place for place, item in enumerate(asked.suite.items)}
    for item, condition in asked.order:
        place, name = place_of[id(item)], condition.name
        numbers = sorted(number for number, other in asked.suite.asked if other == name)
        bits = float(np.mean([sum(values.of[number, name][place] for number in numbers) for values in surprisals]))
        joiner = asked.suite.joiner
        parts = [(region.number in numbers, joiner.join(region.words)) for region in condition.regions if region.words]
        text = joiner.join(f"[{part}]" if marked else part for marked, part in parts)
        sentences.setdefault(place, []).append(AskedSentence(name, text, bits if numbers and isfinite(bits) else None))
    for place, item in enumerate(asked.suite.items):
        if failed[place]:
            kind = FAILED
        elif (held[place] == 1).all():
            kind = RIGHT
        else:
            kind = TIE if (tied[place] | (held[place] == 1)).all() else WRONG
        gap = float(difference[place]) if np.isfinite(difference[place]) else None
        yield SurprisalExample(asked.suite.title, str(item.id), kind, gap, tuple(sentences[place]))


def _table(system: str, wanted: str, shown: Sequence[SurprisalExample], total: int) -> Table:
    """A row for each condition; what is of the whole item stands in its first row."""
    rows = [(example, place, asked) for example in shown for place, asked in enumerate(example.conditions)]
    columns = [
        Column("suite", [None if place else example.suite for example, place, _ in rows]),
        Column("item", [None if place else example.item for example, place, _ in rows]),
        Column("difference", [None if place else example.difference for example, place, _ in rows], SIGNED),
        Column("condition", [asked.condition for *_, asked in rows]),
        Column("bits", [asked.bits for *_, asked in rows]),
        Column("sentence", [asked.sentence for *_, asked in rows]),
    ]
    more = f", {len(shown)} of them" if total > len(shown) else ""
    title = f"{system}: {count_text(total, 'item')} for {wanted}{more}"
    note = "difference: bits on the predicted side; bits: of the regions in brackets, or of the whole sentence"
    return table(title, columns, name="examples", note=note)


@dataclass(frozen=True, eq=False)
class JudgedSurprisal:
    """What every system made of every suite, seed by seed."""

    asked: Sequence[AskedSuite]
    answers: Mapping[str, ScoredSystem]
    outcomes: Mapping[str, Sequence[Sequence[SuiteOutcome]]]
    """By system, suite and seed."""

    @property
    def suites(self) -> list[RegionSuite]:
        return [asked.suite for asked in self.asked]

    @property
    def seeds(self) -> dict[str, Sequence[int]]:
        return {system: answer.seeds for system, answer in self.answers.items()}

    @property
    def bits(self) -> dict[str, Sequence[Sequence[Floats]]]:
        """By system, suite and sentence, as `asked` has them; of checkpoints those of the last."""
        last = {steps[max(steps)] for steps in self.axes.values()}
        return {system: answer.bits for system, answer in self.answers.items() if not answer.axis or system in last}

    @property
    def axes(self) -> dict[str, dict[int, str]]:
        """Systems with an axis: the name of each checkpoint by its step."""
        axes: dict[str, dict[int, str]] = {}
        for system, answer in self.answers.items():
            if answer.step is not None:
                axes.setdefault(answer.axis, {})[answer.step] = system
        return axes

    def scores(self, independent: bool, *, of_checkpoints: bool) -> SuiteScores:
        """Of the checkpoints of systems with an axis, or of all other systems."""
        outcomes = {
            system: by_suite
            for system, by_suite in self.outcomes.items()
            if bool(self.answers[system].axis) is of_checkpoints
        }
        return SuiteScores(self.suites, outcomes, independent)

    @property
    def failures(self) -> dict[str, int]:
        """Items that could not be judged, by system and kind, and sentences that were scored in other words."""
        untargeted = sum(asked.left_out for asked in self.asked)
        unread = [name for asked in self.asked for name in asked.unread]
        first = ", ".join(unread[:3]) + (", …" if len(unread) > 3 else "")
        counted = {
            "pairs left out: no target is named, or it is not found": untargeted,
            f"files beside the suites that are none ({first})": len(unread),
            "pairs of the same sentence twice, a tie whatever the model": sum(map(_same_twice, self.suites)),
        }
        counted = {kind: count for kind, count in counted.items() if count}
        for system, answer in self.answers.items():
            for values in (values for by_seed in answer.surprisals for values in by_seed):
                kinds = [f"items failed ({failure.kind})" for failure in values.failures.values()]
                kinds += ["sentences scored in other words, outside the regions asked"] * values.other_text
                for kind in kinds:
                    counted[f"{system}: {kind}"] = counted.get(f"{system}: {kind}", 0) + 1
            if answer.surplus:
                counted[f"{system}: sentences in its files that no suite has"] = answer.surplus
        return counted


class Surprisal(Study[SurprisalSettings, list[AskedSuite], Mapping[str, ScoredSystem], JudgedSurprisal]):
    """Does a language model expect what the grammar demands, also across intervening material?"""

    name = STUDY
    settings = SurprisalSettings
    role = LANGUAGE_MODEL
    measures = MEASURES

    def check(self, source: Any, entrants: Sequence[Entrant], settings: SurprisalSettings) -> None:
        super().check(given_suites(source, parse_layout(settings.layout)), entrants, settings)
        if settings.words == ASKED and not any(
            isinstance(member, PartReader) for entrant in entrants for member in entrant.members
        ):
            todo = "leave it out; models of hf: can leave words out"
            raise UsageError("these models read every word of a sentence", where=f"--set words={ASKED}", todo=todo)
        if settings.threshold != SurprisalSettings.threshold and not any(entrant.axis for entrant in entrants):
            what = "a threshold says from when on a class is learned, and there are no checkpoints"
            raise UsageError(what, where="--set threshold", todo="leave it out, or name some: lstm:FOLDER@all")

    def files(self, source: Any, settings: SurprisalSettings) -> list[str]:
        layout = parse_layout(settings.layout)
        return [file for name in given_suites(source, layout).names for file in region_files(name, layout)]

    def read(self, source: Any, settings: SurprisalSettings) -> list[AskedSuite]:
        layout = parse_layout(settings.layout)
        given = given_suites(source, layout)
        suites = [*by_paradigm(given.suites), *read_paradigms(given.names, layout)]
        if not suites:
            raise UsageError("no suite to judge", todo="name a suite, or a folder of suites")
        titles = [suite.title for suite in suites]
        if twice := next((title for title in titles if titles.count(title) > 1), None):
            where = ", ".join(suite.name for suite in suites if suite.title == twice)
            raise InputError(f"two suites are called {twice}", where=where, todo="name each suite once")
        whole = sum(map(len, suites))
        if settings.score == "target":
            suites = _with_targets(suites)
        material = [AskedSuite(suite, settings.tokens) for suite in suites]
        unread = [name for part in given.names for name in unread_files(part, layout)]
        material[0] = replace(material[0], left_out=whole - sum(map(len, suites)), unread=tuple(unread))
        if settings.examples:
            parse_wanted(suites, settings.examples)
        for asked in material:
            asked.check()
        return material

    def groups(self, material: list[AskedSuite], settings: SurprisalSettings) -> ColumnGroups | None:
        # A suite of pairs is a paradigm.
        wanted = ["paradigm" if name == "suite" else name for name in settings.columns]
        return asked_groups(wanted, suite_columns([asked.suite for asked in material]), GROUPINGS) if wanted else None

    def facts(self, material: list[AskedSuite], settings: SurprisalSettings) -> Iterable[tuple[str, object]]:
        suites = [asked.suite for asked in material]
        content = digest(*(to_syntaxgym(suite) for suite in suites))[:8]
        return [
            ("suites", f"{suites_name(suites)}#{content}"), ("items", sum(map(len, suites))),
            ("metric", settings.metric or sorted({suite.metric for suite in suites})), ("ties", settings.ties),
            ("tokens", sorted({asked.mode for asked in material})),
        ]  # fmt: skip

    def clusters(self, material: list[AskedSuite], settings: SurprisalSettings) -> Clusters:
        return item_clusters([asked.suite for asked in material], settings.independent)

    def ask(
        self, material: list[AskedSuite], entrants: Sequence[Entrant], settings: SurprisalSettings, work: Work
    ) -> dict[str, ScoredSystem]:
        return {entrant.name: ask_model(material, entrant, settings, work) for entrant in entrants}

    def judge(
        self, material: list[AskedSuite], answers: Mapping[str, ScoredSystem], settings: SurprisalSettings
    ) -> JudgedSurprisal:
        outcomes = {
            system: [
                [
                    suite_outcome(asked.suite, values, settings.ties, settings.seed + number)
                    for number, values in enumerate(by_seed)
                ]
                for asked, by_seed in zip(material, answer.surprisals, strict=True)
            ]
            for system, answer in answers.items()
        }
        return JudgedSurprisal(material, answers, outcomes)

    def findings(self, judged: JudgedSurprisal, settings: SurprisalSettings) -> Result:
        """Findings of all groups, tables of those in `by`; what checkpoints have learned."""
        suites = judged.suites
        scores = judged.scores(settings.independent, of_checkpoints=False)
        by_column = self.groups(list(judged.asked), settings)
        findings, tables = list[Finding](), list[Table]()
        if scores.outcomes:
            seeds = {system: judged.seeds[system] for system in scores.outcomes}
            findings += surprisal_findings(scores, seeds, by_column)
            findings += effect_findings(judged, suites_name(suites), scores.clusters, settings.independent)
            findings = corrected(findings, family)
            tables += surprisal_tables(findings, suites, settings.tables, scores, by_column)
        if axes := judged.axes:
            scores = judged.scores(settings.independent, of_checkpoints=True)
            acquisition = Acquisition(scores, axes, settings.threshold)
            learned = acquisition.findings()
            findings += learned
            tables += acquisition.tables(learned)
        details: dict[str, Any] = {}
        if settings.examples:
            details["examples"], shown = examples_of(judged, settings.examples, settings.shown)
            tables += shown
        return Result(findings=findings, tables=tables, failures=judged.failures, details=details)

    def verdicts(
        self, findings: Sequence[Finding], judged: JudgedSurprisal, settings: SurprisalSettings
    ) -> Iterator[Verdict]:
        clusters = item_clusters(judged.suites, settings.independent)
        yield from surprisal_verdicts(findings, clusters.name, settings)
        yield from acquisition_verdicts(findings)

    def kept(self, judged: JudgedSurprisal, settings: SurprisalSettings) -> Kept:
        kept = observations(judged, settings.independent, coin=settings.ties == "coin")
        return Kept(kept, attached={SURPRISALS: attached(judged)})


SURPRISAL = Surprisal()


def judged_suites(
    source: Any, systems: Any, settings: SurprisalSettings | None = None, *, where: Where | Workplace = HERE
) -> JudgedSurprisal:
    """The judgements alone, for those who make findings of their own of them."""
    chosen = settings or SurprisalSettings()
    material = SURPRISAL.read(source, chosen)
    with where.opened() as place:
        answers = SURPRISAL.ask(material, entrants_of(systems, LANGUAGE_MODEL), chosen, Work(place))
    return SURPRISAL.judge(material, answers, chosen)


def _same_twice(suite: RegionSuite) -> int:
    """Items of pairs in which all conditions are one sentence."""
    texts = ({condition.text(suite.joiner) for condition in item.conditions} for item in suite.items)
    return sum(len(different) == 1 for different in texts) if suite.is_pairs else 0


def _with_targets(suites: Sequence[RegionSuite]) -> list[RegionSuite]:
    """The suites in which targets are named, cut there; pairs without one are left out."""
    cut = [on_targets(suite) for suite in suites if is_pairs_file(suite)]
    if not any(map(len, cut)):
        todo = "compare whole sentences, or name the column of the target: --set layout=target=COLUMN"
        raise UsageError("no suite names the targets of its pairs", where="--set score=target", todo=todo)
    return [suite for suite in cut if len(suite)]
