"""Running the checks over files: all problems one by one, a report per file, or all reports as a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from ...runs.result.result import Result
from ...runs.result.verdict import count_text
from ..format.reading import Source, listed, open_files
from . import fields, structure, text, tree  # noqa: F401 (they register their checks)
from .check import CHECKS, SCOPES, Check, Hit, Problem, Report, counted_levels, printable
from .piece import Scanner, Sentence

choose = CHECKS.choose
"""The checks that were asked for, by id."""


def checks() -> list[Check[Hit]]:
    """All checks, in the order in which a file is looked at."""
    return CHECKS.all()


def validate_bytes(data: bytes, name: str = "<bytes>") -> Iterator[Problem]:
    """Yield the problems of bytes."""
    return _problems(data, checks(), Report(printable(name)))


def survey(
    source: Source | Iterable[Source],
    *,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
) -> list[Report[Problem]]:
    """Return a report for each of these files, folders, globs or `-`, also where `read` refuses them.

    `limit` is for the problems of each file and id; those beyond are counted.
    """
    chosen = choose(ignore=ignore, only=only)
    reports = []
    for each in listed(source):
        for name, data, _ in open_files(each, tolerant=False):
            report = Report[Problem](printable(name), limit=limit)
            report.problems += _problems(data, chosen, report)
            reports.append(report)
    return reports


def as_result(
    reports: Sequence[Report[Problem]],
    *,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
    failures: int = 0,
) -> Result:
    """One finding per file and id; `details` has the problems, at most `limit` of each id."""
    return CHECKS.as_result(
        reports,
        first_problems(reports, limit),
        note=f"{counted_levels(reports)} in {count_text(len(reports), 'file')}",
        size={"files": len(reports)},
        settings=[("only", sorted(only) or None), ("ignore", sorted(ignore) or None)],
        failures={"unreadable": failures} if failures else {},
    )


def first_problems(reports: Sequence[Report[Problem]], limit: int | None) -> list[Problem]:
    """The problems of all files in order, at most `limit` of each id."""
    counts: Counter[str] = Counter()
    kept = []
    for problem in (problem for report in reports for problem in report.problems):
        counts[problem.id] += 1
        if limit is None or counts[problem.id] <= limit:
            kept.append(problem)
    return kept


def check_list() -> Result:
    """All checks, as a result."""
    return CHECKS.as_list({"Checks": SCOPES}, {"id": "id", "level": "level", "about": "what it finds"})


def _problems(data: bytes, chosen: Sequence[Check[Hit]], report: Report[Problem]) -> Iterator[Problem]:
    for check, hit, sentence in _hits(data, chosen, report):
        note = ""
        if check.skips and sentence is not None and not sentence.skipped:
            sentence.skipped = True
            note = f" ({check.skips} of this sentence cannot be checked)"
        sent_id = sentence.sent_id if sentence is not None else ""
        message = hit.message + note
        yield Problem(check.id, check.level, report.file, hit.line, sent_id, hit.token, message, check.todo)


def _hits(
    data: bytes, chosen: Sequence[Check[Hit]], report: Report[Problem]
) -> Iterator[tuple[Check[Hit], Hit, Sentence | None]]:
    """What the checks find, by line within a piece of the file."""
    of_file, of_piece, of_sentence = ([check for check in chosen if check.scope == scope] for scope in SCOPES)
    for check in of_file:
        for hit in check.function(data):
            if report.keeps(check):
                yield check, hit, None
    if not data or data.isspace():
        return
    always = [check for check in of_sentence if not check.needs]
    for piece in Scanner().pieces(data):
        hits: list[tuple[Check[Hit], Hit, Sentence | None]] = []
        for check in of_piece:
            for hit in check.function(piece):
                if report.keeps(check):
                    hits.append((check, hit, piece.sentence_at(hit.line)))
        for sentence in piece.closed:
            for check in of_sentence if sentence.others else always:
                for hit in check.function(sentence):
                    if report.keeps(check):
                        hits.append((check, hit, sentence))
        hits.sort(key=lambda item: item[1].line)
        yield from hits
