"""The examination: one exam after the other until the time is over, and the card that is made of them."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from pathlib import Path
from time import monotonic
from typing import Any

from ...errors import GardenpathError, OutOfTime, UsageError
from ...runs.layout import Column, measured, table
from ...runs.record import Run
from ...runs.result import Finding, Result, Verdict
from ...runs.signature import short, signature
from ...runs.where import HERE, Where
from ...systems.entrants import system_signatures
from ..engine import carry_out
from ..grid import planned_study
from ..study import Study
from .examinee import Examinee, examinee
from .programme import Exam, programme

STUDY = "card"
DONE, NOT_FITTED, FAILED = "done", "did not fit", "could not be carried out"
MINUTES = 5.0


@dataclass(frozen=True)
class ExamReport:
    """What became of an exam."""

    exam: Exam
    state: str
    seconds: float
    why: str = ""
    result: Result | None = None
    score: Finding | None = None
    """The main score of the examinee over all items; of changes that of the worst."""


@dataclass(frozen=True)
class Card:
    """A finished card: its result and its folder."""

    result: Result
    folder: Path


def card(
    system: str,
    sources: Sequence[str] = (),
    *,
    language: str = "",
    budget: float = MINUTES,
    where: Where = HERE,
    folder: str | Path = "",
    tell: Callable[[str], None] = lambda _: None,
) -> Card:
    """Examines a system within so many minutes; the folder holds a run for each exam, and is a run of them.

    An exam that the time runs out for is named; what was answered is in the cache, and is not asked again.
    """
    if not budget > 0:
        raise UsageError(f"{budget:g} is not a budget", where="--budget", todo="give minutes, more than 0")
    who = examinee(system, language)
    exams = programme(who, sources)
    place = Path(folder or card_folder(who.entrant.name))
    settings = {
        "system": who.entrant.signature, "name": who.entrant.name, "language": who.language, "budget": budget,
        "exams": [asdict(exam) for exam in exams],
    }  # fmt: skip
    words = [system, *sources, *(["--language", language] if language else [])]
    call = shlex.join(["gardenpath", "card", *words, *([] if budget == MINUTES else ["--budget", f"{budget:g}"])])
    with Run.open(place, command=STUDY, settings=settings, call=call) as record:
        if record.finished:
            return Card(record.result(), place)
        tell(f"{who.entrant.name}: {' and '.join(who.roles)} of {who.language_name}, {who.known_by}")
        begin = monotonic()
        timed = replace(where, until=begin + 60 * budget)
        reports = list(_examined(who, exams, place, timed, tell))
        result = _result(who, reports, budget, monotonic() - begin)
        for report in reports:
            if report.state != DONE:  # its answers are in the cache
                shutil.rmtree(place / report.exam.name, ignore_errors=True)
        record.finish(result, runs=[report.exam.name for report in reports if report.state == DONE])
    return Card(result, place)


def card_folder(name: str) -> str:
    """`card-de-udpipe` of `udpipe:models/de.udpipe`."""
    last = re.split(r"[:/\\]", name.partition("#")[0])[-1]
    return "card-" + re.sub(r"[^\w-]+", "-", last).strip("-")


def _examined(
    who: Examinee, exams: Sequence[Exam], place: Path, where: Where, tell: Callable[[str], None]
) -> Iterator[ExamReport]:
    for number, exam in enumerate(exams, 1):
        begin = monotonic()
        if where.until is not None and begin > where.until:
            yield ExamReport(exam, NOT_FITTED, 0.0)
            continue
        tell(f"{number}/{len(exams)}  {exam.command} {exam.source}")
        given = who.entrant.given
        system = f"{who.entrant.name}={','.join(given)}" if who.entrant.label else ",".join(given)
        try:
            planned = planned_study(exam.command, exam.source, [system, *exam.also], dict(exam.settings))
            carried = carry_out(
                planned.study, planned.source, planned.systems, planned.chosen, where=where, folder=place / exam.name
            )
        except OutOfTime:
            yield ExamReport(exam, NOT_FITTED, monotonic() - begin)
        except GardenpathError as error:
            tell(f"  not carried out: {error}")
            yield ExamReport(exam, FAILED, monotonic() - begin, f"{error.what}; {error.todo}".rstrip("; "))
        else:
            score = _main_score(planned.study, carried.result, planned.entrants[0].name)
            yield ExamReport(exam, DONE, monotonic() - begin, "", carried.result, score)


def _main_score(study: Study[Any, Any, Any, Any], result: Result, system: str) -> Finding | None:
    overall = [
        finding
        for finding in result.findings
        if finding.system == system and isinstance(finding.value, float) and study.is_overall(finding)
    ]
    changes = [finding for finding in overall if finding.measure == "changed"]
    if changes:  # of trees, by changes that should change nothing
        return max(changes, key=lambda finding: float(finding.value or 0))
    own = [finding for finding in overall if finding.measure == study.measures[0]]
    return max(own, key=lambda finding: finding.n or 0, default=None)


def _result(who: Examinee, reports: Sequence[ExamReport], budget: float, seconds: float) -> Result:
    done = [(report, report.result) for report in reports if report.result is not None]
    if not done:
        fits = next((report for report in reports if report.state == FAILED), None)
        what = fits.why if fits is not None else f"nothing fits into {budget:g} minutes"
        raise UsageError(what, where=who.entrant.name, todo="give it more time (--budget), or name other suites")
    signed = signature(
        ("study", STUDY), ("system", system_signatures([who.entrant])[0]), ("language", who.language),
        ("exams", [f"{report.exam.name}={short(result.signature)}" for report, result in done]),
    )  # fmt: skip
    failures = {
        f"{report.exam.name}: {kind}": count
        for report, result in done
        for kind, count in result.failures.items()
        if count
    }
    for state in (NOT_FITTED, FAILED):
        if count := sum(report.state == state for report in reports):
            failures[f"exams that {state}"] = count
    details = {
        "system": who.entrant.name, "kind": list(who.roles), "language": who.language, "language_known": who.known_by,
        "minutes": round(seconds / 60, 2), "budget": budget,
        "exams": [
            {
                "name": report.exam.name, "study": report.exam.command, "source": _shown(report.exam.source),
                "state": report.state, "why": report.why, "seconds": round(report.seconds, 1),
            }
            for report in reports
        ],
    }  # fmt: skip
    findings = [finding for _, result in done for finding in result.findings]
    return Result(
        signed, findings, [_overview(reports, budget)], failures, details, list(verdicts_by_turns([r for _, r in done]))
    )


def verdicts_by_turns(results: Sequence[Result]) -> Iterator[Verdict]:
    """The first sentence of every exam, then the second, and so on."""
    for row in zip_longest(*(result.verdicts for result in results)):
        yield from (verdict for verdict in row if verdict is not None)


def _overview(reports: Sequence[ExamReport], budget: float) -> Any:
    scores = [report.score for report in reports]
    columns = [
        Column("exam", [report.exam.command for report in reports]),
        Column("on", [_shown(report.exam.source) for report in reports]),
        Column("measure", [score.measure if score else None for score in scores]),
        *measured("score", scores, interval=True, digits=1),
        *measured("n", scores, of="n"),
        Column("state", [report.state for report in reports]),
    ]
    note = f"budget: {budget:g} minutes"
    if any(score is not None and "perturbation" in score.by for score in scores):
        note += "; changed: variants with another tree than the original's, of the change that changes most"
    return table("Score card", columns, note=note, name="card")


def _shown(source: str) -> str:
    """A name, or the last two parts of a path."""
    return source if source.startswith("bundled:") else "/".join(Path(source).parts[-2:])
