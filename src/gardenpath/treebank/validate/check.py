"""Engine of checks: checks by id, counts and limits of the problems they find, and reports as results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from ...errors import unknown_name
from ...runs.record.signatures import signature
from ...runs.result.result import CheckCase, Finding, Result, Table, Value
from ...runs.result.verdict import count_text

Level = Literal["error", "warning", "note"]
"""Wrong; probably wrong; worth knowing and harmless. A command exits 1 for errors alone."""
_LEVELS = ("error", "warning", "note")
HitType = TypeVar("HitType")
"""A place that a check does not like: a line of a file, an item of a suite."""
ProblemType = TypeVar("ProblemType")
"""What is told of a hit: a dataclass with the check's id, file and line, message, and what to do."""
Function = TypeVar("Function", bound=Callable[..., Iterable[Any]])


@dataclass(frozen=True, slots=True)
class Check(Generic[HitType]):
    """One kind of problem; `scope` says what the function looks at."""

    id: str
    level: Level
    about: str
    todo: str
    scope: str
    function: Callable[..., Iterable[HitType]]
    skips: str = ""
    """What of the sentence cannot be checked after such a problem; the first message says so."""
    needs: str = ""
    """The attribute of what is looked at without which there can be no such problem."""


class Checks(Generic[HitType]):
    """The checks of one family by id, in the order of their scopes, then as they were registered."""

    def __init__(self, study: str, command: str, scopes: Sequence[str]) -> None:
        self.study, self.command = study, command
        self._scopes: dict[str, dict[str, Check[HitType]]] = {scope: {} for scope in scopes}

    def of(self, scope: str) -> Callable[..., Callable[[Function], Function]]:
        """The decorator for checks that look at `scope`."""
        known = self._scopes[scope]

        def check(
            id: str, about: str, todo: str, *, level: Level = "error", skips: str = "", needs: str = ""
        ) -> Callable[[Function], Function]:
            """Register the function below as the check with this id."""

            def register(function: Function) -> Function:
                known[id] = Check(id, level, about, todo, scope, function, skips, needs)
                return function

            return register

        return check

    def all(self, *scopes: str) -> list[Check[HitType]]:
        """The checks of these scopes, or all."""
        return [check for scope in scopes or self._scopes for check in self._scopes[scope].values()]

    def choose(self, *scopes: str, ignore: Collection[str] = (), only: Collection[str] = ()) -> list[Check[HitType]]:
        """The checks that were asked for, by id."""
        known = {check.id for check in self.all()}
        for id in (*ignore, *only):
            if id not in known:
                raise unknown_name("check", id, known)
        return [check for check in self.all(*scopes) if check.id not in ignore and (not only or check.id in only)]

    def as_result(
        self,
        reports: Sequence[Report[Any]],
        problems: Sequence[Any],
        *,
        note: str,
        size: Mapping[str, int],
        settings: Sequence[tuple[str, object]],
        failures: Mapping[str, int] | None = None,
    ) -> Result:
        """One finding per file and id, a table of ids with `note` below it, and `problems`, which may be fewer.

        `size` is what was looked at, shown where there are no problems.
        """
        checks = sorted(self.all(), key=lambda check: (_LEVELS.index(check.level), check.id))
        findings = [
            Finding(
                self.study, report.file, "", "problems", report.counts[check.id], n=report.items,
                by={"id": check.id, "level": check.level},
            )
            for report in reports for check in checks if report.counts[check.id]
        ]  # fmt: skip
        rows: list[list[Value]] = []
        for check in checks:
            if total := sum(report.counts[check.id] for report in reports):
                files = sum(report.counts[check.id] > 0 for report in reports)
                rows.append([check.level, check.id, total, files, check.todo])
        if len(problems) < sum(report.counts.total() for report in reports):
            note += f"; {len(problems):,} of them are shown (--limit)"
        columns = ["level", "id", "problems", "files", "what to do"]
        table = (
            Table("Problems", columns, rows, note=note) if rows else Table("No problems", [*size], [[*size.values()]])
        )
        return Result(
            signature(("command", self.command), *settings), findings, [table], failures or {},
            {"problems": [asdict(problem) for problem in problems]},
        )  # fmt: skip

    def as_list(self, tables: Mapping[str, Sequence[str]], columns: Mapping[str, str]) -> Result:
        """All checks as a result: a table for each title with its scopes, the columns by attribute.

        The second column is what a finding is of.
        """
        shown = {title: self.all(*scopes) for title, scopes in tables.items()}
        _, measure, *_ = columns
        findings = [
            Finding(
                self.study, "", "", measure, getattr(check, measure),
                by={name: getattr(check, name) for name in columns if name != measure},
            )
            for checks in shown.values() for check in checks
        ]  # fmt: skip
        return Result(
            signature(("command", f"{self.command} --list")),
            findings,
            [
                Table(title, [*columns.values()], [[getattr(check, name) for name in columns] for check in checks])
                for title, checks in shown.items()
            ],
        )


@dataclass(slots=True)
class Report(Generic[ProblemType]):
    """What a file has: at most `limit` problems of each kind, and how many there are."""

    file: str
    items: int | None = None
    limit: int | None = None
    problems: list[ProblemType] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)

    @property
    def errors(self) -> int:
        return self.levels["error"]

    @property
    def warnings(self) -> int:
        return self.levels["warning"]

    def keeps(self, check: Check[Any]) -> bool:
        """Counts a hit; is it within the limit?"""
        self.counts[check.id] += 1
        self.levels[check.level] += 1
        return self.limit is None or self.counts[check.id] <= self.limit


def counted_levels(reports: Iterable[Report[Any]]) -> str:
    """`2 errors and 1 warning`, of all reports together."""
    levels = sum((report.levels for report in reports), Counter[str]())
    shown = [count_text(levels[level], level) for level in _LEVELS if levels[level] or level != "note"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]])


def printable(text: str) -> str:
    """A text from a file or the file's name, safe for a terminal and for UTF-8."""
    return text if text.isprintable() else repr(text)[1:-1]


def shown(text: str, longest: int = 40) -> str:
    """A field as a message quotes it."""
    return repr(text if len(text) <= longest else text[:longest] + "…")


class Hit(NamedTuple):
    """A line that a check does not like."""

    line: int
    message: str
    token: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a file, where, and what to do about it."""

    id: str
    level: Level
    file: str
    line: int
    sent_id: str
    token: str
    message: str
    todo: str

    def __str__(self) -> str:
        near = ", ".join(printable(part) for part in (self.sent_id, self.token and f"token {self.token}") if part)
        return f"{self.file}:{self.line}: {self.level} {self.id}{f' [{near}]' if near else ''}: {self.message}"

    @property
    def case(self) -> CheckCase:
        """For a continuous integration."""
        message = f"{self.message} ({self.todo})" if self.todo else self.message
        return CheckCase(self.id, f"{self.file}:{self.line}", message, self.level, self.file, self.line)


SCOPES = ("file", "piece", "sentence")
"""What a check looks at: all bytes of the file, a piece of some thousand lines, or a whole sentence."""
CHECKS = Checks[Hit]("validate", "treebank validate", SCOPES)
check_of_file, check_of_piece, check_of_sentence = map(CHECKS.of, SCOPES)
# What a check of sentences needs is `others`, rows that are no words: most sentences have none.
