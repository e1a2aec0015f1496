"""The road of a study, written once: read, ask, judge, find, keep. The command line, Python and the demo take it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..runs.result import Result
from ..runs.signature import signature
from ..runs.verdict import ranked
from ..runs.where import HERE, Where, Workplace
from ..systems.entrants import Entrant, system_signatures
from .settings import StudySettings
from .study import Study, Work

if TYPE_CHECKING:
    from ..runs.record import Run


@dataclass(frozen=True)
class Carried:
    """A study that was carried out: its result, and what it was made of where it was not read from a finished run."""

    study: Study[Any, Any, Any, Any]
    settings: StudySettings
    result: Result
    judged: Any = None
    folder: Path | None = None


def run(
    study: Study[Any, Any, Any, Any],
    source: Any,
    systems: Any = (),
    settings: StudySettings | None = None,
    *,
    where: Where | Workplace = HERE,
    folder: str | Path | None = None,
    tell: Callable[[str], None] | None = None,
) -> Result:
    """The result of a study on a source and systems (see `carry_out`)."""
    return carry_out(study, source, systems, settings, where=where, folder=folder, tell=tell).result


def carry_out(
    study: Study[Any, Any, Any, Any],
    source: Any,
    systems: Any = (),
    settings: StudySettings | None = None,
    *,
    where: Where | Workplace = HERE,
    folder: str | Path | None = None,
    tell: Callable[[str], None] | None = None,
) -> Carried:
    """Carries out a study on a source and systems, and keeps it in `folder` if one is named.

    A finished run in that folder is read, and nothing is done again; an interrupted one goes on. A function of Python
    is asked in any case: nobody knows whether it is the same before it answers.
    """
    chosen = settings if settings is not None else study.settings()
    entrants = study.entrants(systems)
    study.check(source, entrants, chosen)
    notify = tell or (lambda _: None)
    if folder is None:
        return _work(study, source, entrants, chosen, where, None, notify)
    inputs = [*study.files(source, chosen), *(file for entrant in entrants for file in entrant.files)]
    if "-" in inputs:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")
    asked = None
    if any(entrant.known_by_answers for entrant in entrants):
        asked = _work(study, source, entrants, chosen, where, None, notify)
    kept = {**chosen.kept(), "systems": {entrant.name: entrant.signature for entrant in entrants}}
    if not _is_named(source):  # an object is known by its content
        kept["source"] = [f"{key}:{value}" for key, value in study.facts(study.read(source, chosen), chosen)]

    from ..runs.record import Run
    from .command_line import command_line

    call = command_line(study, source, entrants, chosen)
    with Run.open(folder, command=study.name, settings=kept, inputs=inputs, seed=chosen.seed, call=call) as record:
        if record.finished:
            return Carried(study, chosen, record.result(), folder=record.folder)
        if asked is None:
            return _work(study, source, entrants, chosen, where, record, notify)
        keep(asked, record)
        return replace(asked, folder=record.folder)


def _is_named(source: Any) -> bool:
    """Is the source a path or a name, or several of them, and not an object?"""
    if isinstance(source, str | Path):
        return True
    return isinstance(source, list | tuple) and all(map(_is_named, source))


def _work(
    study: Study[Any, Any, Any, Any],
    source: Any,
    entrants: Sequence[Entrant],
    settings: StudySettings,
    where: Where | Workplace,
    record: Run | None,
    tell: Callable[[str], None],
) -> Carried:
    with where.opened() as place:
        work = Work(place, record, tell)
        material = study.material(source, entrants, settings, work)
        answers = study.ask(material, entrants, settings, work)
    judged = study.judge(material, answers, settings)
    findings = study.findings(judged, settings)
    signatures = system_signatures(entrants)
    systems = [(f"system{n}" if len(signatures) > 1 else "system", text) for n, text in enumerate(signatures, 1)]
    clusters = study.clusters(material, settings)
    sampled = [("clusters", clusters.counted)] if clusters is not None else []
    signed = signature(
        ("study", study.name), *study.facts(material, settings), *sampled, *systems, *settings.facts(),
        *settings.random_facts(),
    )  # fmt: skip
    verdicts = ranked(study.verdicts(findings.findings, judged, settings))
    result = Result(signed, findings.findings, findings.tables, findings.failures, findings.details, verdicts)
    carried = Carried(study, settings, result, judged, record.folder if record is not None else None)
    if record is not None:
        keep(carried, record)
    return carried


def keep(carried: Carried, record: Run) -> None:
    """Writes a study that was carried out into an open run."""
    kept = carried.study.kept(carried.judged, carried.settings)
    record.finish(carried.result, kept.observations, kept.trees, kept.attached)
