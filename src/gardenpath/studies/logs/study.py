"""The study of logs: nobody is asked; what others logged is counted, with intervals and one row a sample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import UsageError
from ...runs.layout import FindingIndex, systems_by_measures, table
from ...runs.observations import Observations
from ...runs.result import Finding, Verdict
from ...runs.signature import digest
from ...stats.sampling import Clusters, shares
from ...systems.entrants import Entrant
from ..study import Findings, Kept, Study, Work
from ..verdicts import MeasureWords, score_verdicts
from .samples import LoggedSample, log_files, read_log
from .settings import STUDY, LogSettings

_FAILED = "samples without a score"


@dataclass(frozen=True)
class LoggedResults:
    """All samples of all logs."""

    samples: Sequence[LoggedSample]

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(sample.system for sample in self.samples))

    @property
    def tasks(self) -> list[str]:
        return list(dict.fromkeys(sample.task for sample in self.samples))

    @property
    def title(self) -> str:
        return self.tasks[0] if len(self.tasks) == 1 else f"{len(self.tasks)} suites"

    def clusters(self) -> Clusters:
        """Items: what was asked in several epochs was sampled together."""
        return Clusters.of(item=[f"{sample.task}\x1f{sample.item}" for sample in self.samples])


class Logs(Study[LogSettings, LoggedResults, LoggedResults, LoggedResults]):
    """Results of other harnesses."""

    name = STUDY
    about = "What did other harnesses log, and how sure is it?"
    settings = LogSettings
    needs_systems = False
    measures = ("accuracy",)

    def files(self, source: Any, settings: LogSettings) -> list[str]:
        return log_files(_sources(source))

    def read(self, source: Any, settings: LogSettings) -> LoggedResults:
        samples = [sample for file in self.files(source, settings) for sample in read_log(file, settings.metric)]
        seen: dict[tuple[str, ...], LoggedSample] = {}
        for sample in samples:
            key = (sample.task, sample.system, sample.item, str(sample.epoch))
            if key in seen:
                todo = "name one log of each model and task"
                raise UsageError(f"{sample.system} has {sample.task}, item {sample.item}, twice", todo=todo)
            seen[key] = sample
        return LoggedResults(samples)

    def facts(self, material: LoggedResults, settings: LogSettings) -> Iterable[tuple[str, object]]:
        """What was asked, so that logs of different models on the same tasks can be compared."""
        asked = sorted({(sample.task, sample.item, sample.text) for sample in material.samples})
        content = digest(*(part for key in asked for part in key))[:8]
        metrics = list(dict.fromkeys(sample.metric for sample in material.samples))
        return [
            ("tasks", f"{','.join(sorted(material.tasks))}#{content}"), ("items", len(asked)), ("scored", metrics),
            ("system", ",".join(material.systems)),
        ]  # fmt: skip

    def clusters(self, material: LoggedResults, settings: LogSettings) -> Clusters:
        return material.clusters()

    def ask(
        self, material: LoggedResults, entrants: Sequence[Entrant], settings: LogSettings, work: Work
    ) -> LoggedResults:
        return material

    def judge(self, material: LoggedResults, answers: LoggedResults, settings: LogSettings) -> LoggedResults:
        return material

    def findings(self, judged: LoggedResults, settings: LogSettings) -> Findings:
        findings = list(_accuracies(judged))
        columns = systems_by_measures(FindingIndex(findings), {"accuracy": "accuracy"}, intervals=("accuracy",))
        note = "a sample without a score counts as wrong"
        failed = sum(sample.score is None for sample in judged.samples)
        failures = {_FAILED: failed} if failed else {}
        return Findings(findings, [table("Accuracy in the logs", columns, note=note, name="accuracy")], failures)

    def verdicts(self, findings: Sequence[Finding], judged: LoggedResults, settings: LogSettings) -> Iterator[Verdict]:
        overall = [finding for finding in findings if finding.suite == judged.title]
        yield from score_verdicts(overall, MeasureWords("accuracy", "accuracy", "sample", "item"), judged.systems[0])

    def kept(self, judged: LoggedResults, settings: LogSettings) -> Kept:
        samples, codes = judged.samples, judged.clusters().codes[0]
        outcomes = {None: "failed", 1.0: "right", 0.0: "wrong"}
        return Kept(
            Observations(
                {
                    "study": STUDY, "suite": [sample.task for sample in samples],
                    "item": [sample.item for sample in samples], "condition": None,
                    "system": [sample.system for sample in samples], "seed": [sample.epoch for sample in samples],
                    "unit": None, "outcome": [outcomes.get(sample.score, "partly right") for sample in samples],
                    "value": [sample.score or 0.0 for sample in samples], "cluster": codes.tolist(),
                    "metric": [sample.metric for sample in samples], "text": [sample.text for sample in samples],
                }
            )
        )  # fmt: skip


LOGS = Logs()


def _accuracies(judged: LoggedResults) -> Iterator[Finding]:
    """Of every system over all samples, and, where there are several tasks, of each."""
    clusters = judged.clusters()
    scores = np.array([sample.score or 0.0 for sample in judged.samples])
    groups: list[tuple[str, set[str]]] = [(judged.title, set(judged.tasks))]
    if len(judged.tasks) > 1:
        groups += [(task, {task}) for task in judged.tasks]
    for suite, tasks in groups:
        for system in judged.systems:
            inside = np.array([sample.system == system and sample.task in tasks for sample in judged.samples])
            if inside.any():
                right = scores[inside].reshape(-1, 1)
                (estimate,) = shares(right, np.ones_like(right), clusters.at(inside))
                assert estimate is not None
                low, high = estimate.percent
                yield Finding(STUDY, suite, system, "accuracy", 100 * estimate.value, len(right), low, high)


def _sources(source: Any) -> list[str]:
    return [str(part) for part in source] if isinstance(source, list | tuple) else [str(source)]
