"""The surprisal study: the predictions of suites, by class, modifier, kind and complexity, with their differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import InputError, UsageError
from ...runs.result import Finding, Table, Verdict
from ...runs.signature import digest
from ...runs.where import HERE, Where, Workplace
from ...stats.sampling import Clusters
from ...suites.regions.clusters import item_clusters
from ...suites.regions.columns import suite_columns
from ...suites.regions.given import given_suites
from ...suites.regions.hierarchy import by_paradigm
from ...suites.regions.model import RegionSuite
from ...suites.regions.pair import is_pairs_file
from ...suites.regions.pair_columns import parse_layout
from ...suites.regions.reader import read_paradigms, region_files, unread_files
from ...suites.regions.syntaxgym import to_syntaxgym
from ...suites.regions.targets import on_targets
from ...systems.entrants import Entrant, entrants_of
from ...systems.protocol import LANGUAGE_MODEL
from ...systems.running_text import PartReader
from ..grouping import ColumnGroups, asked_groups
from ..study import Findings, Kept, Study, Work
from .acquisition import Acquisition
from .acquisition_verdicts import acquisition_verdicts
from .answers import ScoredSystem, ask_model
from .curves import SURPRISALS, attached
from .effects import effect_findings
from .examples import examples_of, parse_wanted
from .findings import MEASURES, suites_name, surprisal_findings
from .models import checked_formula, modelled, parsed_marks
from .observed import observations
from .outcomes import SuiteOutcome, suite_outcome
from .regions import AskedSuite, Floats
from .scores import SuiteScores
from .settings import ASKED, GROUPINGS, STEP, STUDY, SurprisalSettings
from .tables import surprisal_tables
from .verdicts import surprisal_verdicts


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
    about = "Does a language model expect what the grammar demands, in which class of suites, across which modifier?"
    settings = SurprisalSettings
    role = LANGUAGE_MODEL
    measures = MEASURES
    absent = (
        "known words need a model that says which it does not know; lengths need pairs; checkpoints have no one score: "
        "name the model itself"
    )

    def check(self, source: Any, entrants: Sequence[Entrant], settings: SurprisalSettings) -> None:
        """Formulas are read before anything is scored: a typo must not cost an hour."""
        super().check(given_suites(source, parse_layout(settings.layout)), entrants, settings)
        marks = parsed_marks(settings.mark, [entrant.name for entrant in entrants])
        of_steps = all(entrant.axis for entrant in entrants)
        if settings.words == ASKED and not any(
            isinstance(member, PartReader) for entrant in entrants for member in entrant.members
        ):
            todo = "leave it out; models of hf: can leave words out"
            raise UsageError("these models read every word of a sentence", where=f"--words {ASKED}", todo=todo)
        for formula in settings.model:
            checked_formula(formula, [*marks, STEP] if of_steps else marks)
        if settings.threshold != SurprisalSettings.threshold and not any(entrant.axis for entrant in entrants):
            what = "a threshold says from when on a class is learned, and there are no checkpoints"
            raise UsageError(what, where="--threshold", todo="leave it out, or name some: lstm:FOLDER@all")

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
        _groups(suites, settings)  # an unknown column is told before anything is scored
        if settings.examples:
            parse_wanted(suites, settings.examples)
        for asked in material:
            asked.check()
        return material

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

    def findings(self, judged: JudgedSurprisal, settings: SurprisalSettings) -> Findings:
        """Findings of all groups, tables of those in `by`; what checkpoints have learned; then the mixed models."""
        suites = judged.suites
        scores = judged.scores(settings.independent, of_checkpoints=False)
        by_column = _groups(suites, settings)
        findings, tables = list[Finding](), list[Table]()
        if scores.outcomes:
            seeds = {system: judged.seeds[system] for system in scores.outcomes}
            findings += surprisal_findings(scores, seeds, by_column)
            findings += effect_findings(judged, suites_name(suites), scores.clusters, settings.independent)
            tables += surprisal_tables(findings, suites, settings.tables, scores, by_column)
        if axes := judged.axes:
            scores = judged.scores(settings.independent, of_checkpoints=True)
            acquisition = Acquisition(scores, axes, settings.threshold)
            learned = list(acquisition.findings())
            findings += learned
            tables += acquisition.tables(learned)
        failures = judged.failures
        if settings.model:
            marks = parsed_marks(settings.mark, list(judged.outcomes))
            more, shown, doubts = modelled(
                observations(judged), settings.model, suites_name(suites), by=settings.model_by, marks=marks
            )
            findings += more
            tables += shown
            failures |= doubts
        details: dict[str, Any] = {}
        if settings.examples:
            details["examples"], shown = examples_of(judged, settings.examples, settings.shown)
            tables += shown
        return Findings(findings, tables, failures, details)

    def verdicts(
        self, findings: Sequence[Finding], judged: JudgedSurprisal, settings: SurprisalSettings
    ) -> Iterator[Verdict]:
        clusters = item_clusters(judged.suites, settings.independent)
        yield from surprisal_verdicts(findings, clusters.name, settings)
        yield from acquisition_verdicts(findings)

    def kept(self, judged: JudgedSurprisal, settings: SurprisalSettings) -> Kept:
        return Kept(observations(judged, settings.independent), attached={SURPRISALS: attached(judged)})


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


def _groups(suites: Sequence[RegionSuite], settings: SurprisalSettings) -> ColumnGroups | None:
    """The groups that were asked for, over the items of all suites one after the other; None where none were."""
    # A suite of pairs is a paradigm.
    asked = ["paradigm" if name == "suite" else name for name in settings.columns]
    return asked_groups(asked, suite_columns(suites), GROUPINGS) if asked else None


def _with_targets(suites: Sequence[RegionSuite]) -> list[RegionSuite]:
    """The suites in which targets are named, cut there; pairs without one are left out."""
    cut = [on_targets(suite) for suite in suites if is_pairs_file(suite)]
    if not any(map(len, cut)):
        todo = "compare whole sentences, or name the column of the target: --layout target=COLUMN"
        raise UsageError("no suite names the targets of its pairs", where="--score target", todo=todo)
    return [suite for suite in cut if len(suite)]
