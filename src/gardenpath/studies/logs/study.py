"""Samples that lm-evaluation-harness, Inspect or every-eval-ever logged, counted with intervals."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from ...boundary.structured import read_object
from ...boundary.texts import file_bytes, file_text, reading
from ...boundary.unpacking import archive_members
from ...errors import InputError, UsageError, unknown_name
from ...runs.record.signatures import digest
from ...runs.result.layout import FindingIndex, systems_by_measures, table
from ...runs.result.observations import Observations
from ...runs.result.result import Finding, Result, Verdict
from ...stats.sampling import Clusters, shares
from ...systems.asking.entrants import Entrant
from ..engine.study import Kept, Study, Work
from ..engine.verdicts import MeasureWords, score_verdicts
from .declaration import STUDY, LogSettings

_LM_EVAL = re.compile(r"samples_(?P<task>.+?)_\d{4}-\d\d-\d\dT[\d.:-]+\.jsonl")
_INSPECT_VALUES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Correct, incorrect, partly correct, no answer, as Inspect reduces them."""
_EVERY_EVAL_EVER = "_samples.jsonl"
"""How the files of every-eval-ever end that have samples; the records beside them have scores alone."""
_TODO = (
    "name samples_*.jsonl of lm-evaluation-harness --log_samples, logs of Inspect (.json, .eval), or *_samples.jsonl "
    "of every-eval-ever"
)
_LARGEST = 1 << 30


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """One judgement of a log; `score` is a share, None where the sample failed and has none."""

    task: str
    system: str
    item: str
    epoch: int
    text: str
    score: float | None
    metric: str


def log_files(sources: Sequence[str]) -> list[str]:
    """The logs that are named or lie in folders, of each folder in order."""
    files: list[str] = []
    for source in sources:
        path = Path(source)
        if path.is_dir():
            inside = [file for file in sorted(path.rglob("*")) if is_log(file)]
            if not inside:
                raise InputError("no logs in this folder", where=source, todo=_TODO)
            files += map(str, inside)
        else:
            files.append(source)
    return files


def read_log(path: str, metric: str = "") -> list[LoggedSample]:
    """The samples of a log, in the order of its dataset."""
    name = PurePath(path).name
    if name.endswith(_EVERY_EVAL_EVER):
        return list(every_eval_ever_samples(path, metric))
    if name.endswith(".jsonl"):
        return list(_lm_eval(path, metric))
    if name.endswith(".eval"):
        return _inspect(_unpacked(path), path, metric)
    if name.endswith(".json"):
        return _inspect(
            read_object(file_bytes(path, "the log", _TODO, _LARGEST), path, "this log", _TODO), path, metric
        )
    raise InputError("this is not a log that is known", where=path, todo=_TODO)


def is_log(path: Path) -> bool:
    """Return whether a file is a log of another harness, by its name and, of JSON, its content."""
    if path.suffix == ".json":  # lm-evaluation-harness leaves results_*.json beside its samples
        if not path.is_file() or path.name.startswith("results_"):
            return False
        return b'"samples"' in file_bytes(path, "the log", _TODO, _LARGEST)
    known = path.suffix == ".eval" or path.name.endswith(_EVERY_EVAL_EVER) or _LM_EVAL.fullmatch(path.name)
    return path.is_file() and bool(known)


def _lm_eval(path: str, metric: str) -> Iterator[LoggedSample]:
    """Lines of `--log_samples`; where several filters were used, those of the first."""
    named = _LM_EVAL.fullmatch(PurePath(path).name)
    task = named["task"] if named else PurePath(path).stem
    system = Path(path).absolute().parent.name
    first_filter = None
    for where, sample in _lines(path):
        try:
            first_filter = sample.get("filter") if first_filter is None else first_filter
            if sample.get("filter") != first_filter:
                continue
            chosen = _chosen(metric, sample["metrics"], where)
            document = sample["doc"]
            item = str(document.get("item", sample["doc_id"])) if isinstance(document, dict) else str(sample["doc_id"])
            score = _share(sample[chosen], chosen, where)
            yield LoggedSample(task, system, item, 0, _text(document, sample.get("arguments")), score, chosen)
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"this is not a sample of lm-evaluation-harness: no {error}", where=where, todo=_TODO
            ) from error


def _lines(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every line that is not empty, with its place."""
    for number, line in enumerate(file_text(path, "the log", _TODO, _LARGEST).split("\n"), 1):
        if line.strip():
            yield f"{path}:{number}", read_object(line, f"{path}:{number}", "this sample", _TODO, finite=False)


def every_eval_ever_samples(path: str, metric: str) -> Iterator[LoggedSample]:
    """Instance-level records; of several results for the same samples the first, or the one that `metric` names.

    A sample that comes again is another epoch, and one with an error has no score. Where a score is not a share, it
    counts whether the answer is right.
    """
    results: dict[str, str] = {}
    times: Counter[tuple[str, str]] = Counter()
    known: set[str] = set()
    for where, sample in _lines(path):
        try:
            task, item, judged = str(sample["evaluation_name"]), str(sample["sample_id"]), sample["evaluation"]
            result = str(sample.get("evaluation_result_id") or "score")
            known.add(result)
            if result != (metric or results.setdefault(task, result)):
                continue
            score = judged["score"]
            is_share = isinstance(score, int | float) and 0 <= score <= 1
            value = _share(score if is_share else judged["is_correct"], result, where)
            times[task, item] += 1
            yield LoggedSample(
                task, str(sample["model_id"]), item, times[task, item] - 1, str(sample["input"]["raw"] or "")[:500],
                None if sample.get("error") else value, result if is_share else f"{result} (is_correct)",
            )  # fmt: skip
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"this is not a sample of every-eval-ever: no {error}", where=where, todo=_TODO) from error
    if metric and metric not in known:
        raise unknown_name("metric", metric, known, where=path)


def _inspect(log: dict[str, Any], path: str, metric: str) -> list[LoggedSample]:
    """Samples of an Inspect log; a sample that failed has no score and stays one."""
    try:
        about = log["eval"]
        places = {str(name): place for place, name in enumerate(about["dataset"].get("sample_ids") or ())}
        samples = sorted(
            log.get("samples") or (), key=lambda sample: (places.get(str(sample["id"]), len(places)), sample["epoch"])
        )
        if not samples:
            raise InputError("this log has no samples", where=path, todo="log them: inspect eval --log-samples")
        names = next((list(sample["scores"]) for sample in samples if sample.get("scores")), [])
        chosen = _chosen(metric, names, path)
        return [
            LoggedSample(
                str(about["task"]), str(about["model"]), str(sample["id"]), int(sample["epoch"]),
                _text(sample.get("metadata"), sample.get("input")),
                _share(scored["value"], chosen, path) if (scored := (sample.get("scores") or {}).get(chosen)) else None,
                chosen,
            )
            for sample in samples
        ]  # fmt: skip
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(f"this is not a log of Inspect: no {error}", where=path, todo=_TODO) from error


def _unpacked(path: str) -> dict[str, Any]:
    """An `.eval` as the JSON that it stands for: its header and its samples."""
    import zipfile

    if not zipfile.is_zipfile(path):
        raise InputError("this is not a log of Inspect", where=path, todo=_TODO)
    with reading("this log is damaged", path, _TODO), zipfile.ZipFile(path) as packed:
        if any(member.compress_type == 93 for member in packed.infolist()):  # Python reads it from 3.14 on
            todo = "convert it: inspect log convert LOG --to json --output-dir OUT"
            raise UsageError("this log is packed with zstd, which Python cannot read", where=path, todo=todo)
    log: dict[str, Any] = {}
    samples: list[dict[str, Any]] = []
    for member in archive_members(Path(path)):
        if member.stream is not None and (member.name == "header.json" or member.name.startswith("samples/")):
            value = read_object(member.stream.read(), f"{path}: {member.name}", "this log", _TODO)
            if member.name == "header.json":
                log = value
            else:
                samples.append(value)
    return {**log, "samples": samples}


def _chosen(metric: str, known: Sequence[str], where: str) -> str:
    if metric and metric not in known:
        raise unknown_name("metric", metric, known, where=where)
    if not known:
        raise InputError("no metric was logged", where=where, todo=_TODO)
    return metric or known[0]


def _share(value: Any, metric: str, where: str) -> float:
    """A score between 0 and 1."""
    number = _INSPECT_VALUES.get(value) if isinstance(value, str) else value
    if isinstance(number, bool | int | float) and math.isfinite(number) and 0 <= number <= 1:
        return float(number)
    what = f"{metric} is {value!r}, and not between 0 and 1"
    raise InputError(what, where=where, todo='choose another one in Python: gardenpath.load(LOG, metric="NAME")')


def _text(document: Any, asked: Any) -> str:
    """The sentence or sentences that a sample is about; else what was asked."""
    if isinstance(document, dict) and "sentence_good" in document:
        return f"{document['sentence_good']} / {document.get('sentence_bad', '')}"
    while isinstance(asked, dict | list) and asked:
        asked = next(iter(asked.values())) if isinstance(asked, dict) else asked[-1]
    return str(asked or "")[:500]


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
        if not samples:
            raise InputError("no sample is in these logs", where=", ".join(map(str, _sources(source))))
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

    def findings(self, judged: LoggedResults, settings: LogSettings) -> Result:
        findings = list(_accuracies(judged))
        columns = systems_by_measures(FindingIndex(findings), {"accuracy": "accuracy"}, intervals=("accuracy",))
        note = "a sample without a score counts as wrong"
        failed = sum(sample.score is None for sample in judged.samples)
        failures = {_FAILED: failed} if failed else {}
        return Result(
            findings=findings,
            tables=[table("Accuracy in the logs", columns, note=note, name="accuracy")],
            failures=failures,
        )

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
