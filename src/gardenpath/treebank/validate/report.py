"""Running the checks over files: all problems one by one, or a report per file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...errors import unknown_name
from ..source import Source, listed, open_files
from . import deps, fields, ids, structure, text, tree  # noqa: F401 (they register their checks)
from .piece import Sentence
from .registry import CHECKS, Check, Hit, Problem, printable
from .scan import Scanner

_ORDER = ("file", "piece", "sentence")


@dataclass(slots=True)
class Report:
    """What a file has: at most `limit` problems of each kind, and how many there are."""

    file: str
    problems: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def errors(self) -> int:
        return sum(count for id, count in self.counts.items() if CHECKS[id].level == "error")

    @property
    def warnings(self) -> int:
        return self.counts.total() - self.errors


def checks() -> list[Check]:
    """All checks, in the order in which a file is looked at."""
    return sorted(CHECKS.values(), key=lambda one: _ORDER.index(one.scope))


def validate(
    source: Source | Iterable[Source],
    *,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
) -> Iterator[Problem]:
    """The problems of files, folders, globs or `-`, also where `read` refuses them; `limit` counts per file and id."""
    chosen = choose(ignore=ignore, only=only)
    for one in listed(source):
        for name, data, _ in open_files(one, tolerant=False):
            yield from _problems(data, name, chosen, limit, Counter())


def validate_bytes(
    data: bytes,
    name: str = "<bytes>",
    *,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
) -> Iterator[Problem]:
    """The problems of bytes."""
    return _problems(data, name, choose(ignore=ignore, only=only), limit, Counter())


def survey(
    source: Source, *, ignore: Collection[str] = (), only: Collection[str] = (), limit: int | None = None
) -> list[Report]:
    """A report per file: also what is beyond the limit is counted."""
    chosen = choose(ignore=ignore, only=only)
    reports = []
    for name, data, _ in open_files(source, tolerant=False):
        report = Report(printable(name))
        report.problems += _problems(data, name, chosen, limit, report.counts)
        reports.append(report)
    return reports


def choose(*, ignore: Collection[str] = (), only: Collection[str] = ()) -> list[Check]:
    """The checks that were asked for, by id."""
    for id in (*ignore, *only):
        if id not in CHECKS:
            raise unknown_name("check", id, CHECKS)
    return [one for one in checks() if one.id not in ignore and (not only or one.id in only)]


def _problems(
    data: bytes, name: str, chosen: Sequence[Check], limit: int | None, counts: Counter[str]
) -> Iterator[Problem]:
    name = printable(name)
    for one, hit, sentence in _hits(data, chosen, limit, counts):
        note = ""
        if one.skips and sentence is not None and not sentence.skipped:
            sentence.skipped = True
            note = f" ({one.skips} of this sentence cannot be checked)"
        sent_id = sentence.sent_id if sentence is not None else ""
        yield Problem(one.id, one.level, name, hit.line, sent_id, hit.token, hit.message + note, one.todo)


def _hits(
    data: bytes, chosen: Sequence[Check], limit: int | None, counts: Counter[str]
) -> Iterator[tuple[Check, Hit, Sentence | None]]:
    """What the checks find, by line within a piece of the file; what is beyond the limit is counted, not kept."""

    def kept(one: Check, hits: Iterable[Hit]) -> Iterator[Hit]:
        for hit in hits:
            counts[one.id] += 1
            if limit is None or counts[one.id] <= limit:
                yield hit

    of_file, of_piece, of_sentence = ([one for one in chosen if one.scope == scope] for scope in _ORDER)
    for one in of_file:
        for hit in kept(one, one.function(data)):
            yield one, hit, None
    if not data or data.isspace():
        return
    for piece in Scanner().pieces(data):
        found: list[tuple[Check, Hit, Sentence | None]] = []
        for one in of_piece:
            found += [(one, hit, piece.sentence_at(hit.line)) for hit in kept(one, one.function(piece))]
        for sentence in piece.closed:
            for one in of_sentence:
                found += [(one, hit, sentence) for hit in kept(one, one.function(sentence))]
        found.sort(key=lambda item: item[1].line)
        yield from found
