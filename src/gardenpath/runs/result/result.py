"""Result of a command: findings, tables and verdicts, and the cases of a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import polars


Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One number: what was measured (`measure`) on what (`suite`), of whom (`system`), for which group (`by`)."""

    study: str
    suite: str
    system: str
    measure: str
    value: float | int | str | None
    n: int | None = None
    low: float | None = None
    high: float | None = None
    by: Mapping[str, Value] = field(default_factory=dict)
    effective: float | None = None
    """For the p of a test: the number of clusters of equal size that its clusters are worth."""

    def flat(self) -> dict[str, Value]:
        """The finding as JSON and TSV show it: names, grouping keys, then the numbers."""
        head: dict[str, Value] = {"study": self.study, "suite": self.suite, "system": self.system}
        tail: dict[str, Value] = {
            "measure": self.measure, "value": self.value, "n": self.n, "low": self.low, "high": self.high,
        }  # fmt: skip
        if self.effective is not None:
            tail["effective"] = self.effective
        return {**head, **self.by, **tail}

    @classmethod
    def from_flat(cls, flat: Mapping[str, Any]) -> Finding:
        """A finding as it was kept in JSON."""
        by = {key: value for key, value in flat.items() if key not in _OWN}
        return cls(**{key: flat.get(key) for key in _OWN}, by=by)  # type: ignore[arg-type]


_CELL, _NUMBER = (str, int, float, bool, type(None)), (int, float, type(None))
_HEAD, _TAIL = ("study", "suite", "system"), ("measure", "value", "n", "low", "high")
_OWN: dict[str, tuple[type, ...]] = {
    **dict.fromkeys((*_HEAD, "measure"), (str, type(None))),
    "value": _CELL,
    **dict.fromkeys(("n", "low", "high", "effective"), _NUMBER),
}
"""The names of a finding's own columns, and what may stand in them."""


def _foreign_finding(flat: Mapping[str, Any]) -> Finding:
    """A finding that somebody else may have written; ValueError where it is none."""
    for name, value in flat.items():
        _check(name, value, _OWN.get(name, _CELL))
    return Finding.from_flat(flat)


def _check(name: str, value: Any, kinds: tuple[type, ...]) -> None:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):  # true is no number of ours
        raise ValueError(f"{name} is {repr(value)[:60]}")


@dataclass(frozen=True)
class Verdict:
    """One sentence about the findings `rests_on`; `weight` ranks it among those as sure (below 0: last of all)."""

    text: str
    sure: str
    rests_on: tuple[Finding, ...]
    weight: float = 0.0
    examples: str = ""
    """What `--examples` has to name to show the sentences behind it."""

    def as_json(self) -> dict[str, Any]:
        rests_on = [finding.flat() for finding in self.rests_on]
        return {"text": self.text, "sure": self.sure, "weight": self.weight, "examples": self.examples,
                "rests_on": rests_on}  # fmt: skip

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Verdict:
        """A verdict as a run keeps it."""
        for name, kinds in (("text", (str,)), ("sure", (str,)), ("weight", (int, float)), ("examples", (str,))):
            _check(name, stored[name], kinds)
        rests_on = tuple(map(_foreign_finding, stored["rests_on"]))
        return cls(stored["text"], stored["sure"], rests_on, stored["weight"], stored["examples"])


_COLUMNS: dict[str, tuple[type, ...]] = {
    "columns": (str,), "rows": (list,), "kinds": (str,), "places": (int, type(None)), "measures": (str, type(None)),
}  # fmt: skip
"""The lists of a table, and what may stand in them."""
_MOST_DIGITS = 17
"""After the point; a float has no more."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table for people: numbers keep their full precision, `digits` says how many places are shown.

    `kinds` says how the cells of each column are written: `interval` for [low, high], `p`, `signed`, or as they are.
    `places` are the digits of single columns, where these are not those of the table.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value | Sequence[float | None]]]
    digits: int = 2
    note: str = ""
    kinds: Sequence[str] = ()
    name: str = ""
    places: Sequence[int | None] = ()
    folded: bool = False
    """Not asked for: it is kept, and stands in the page, but does not fill the terminal."""
    measures: Sequence[str] = ()
    """What each column has the values of; empty where that is not a measure, or several."""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Table:
        """A table as a run keeps it; ValueError where it is none."""
        table = cls(**stored)
        for name, kind in (("title", str), ("note", str), ("name", str), ("folded", bool), ("digits", int)):
            _check(name, getattr(table, name), (kind,))
        for name, kinds in _COLUMNS.items():
            _check(name, getattr(table, name), (list, tuple))
            for part in getattr(table, name):
                _check(name, part, kinds)
        if any(places is not None and not 0 <= places <= _MOST_DIGITS for places in (table.digits, *table.places)):
            raise ValueError(
                f"the table {table.title!r} has columns with more than {_MOST_DIGITS} or less than 0 digits"
            )
        width = len(table.columns)
        if any(len(cells) not in (0, width) for cells in (table.kinds, table.places, table.measures)) or any(
            len(row) != width for row in table.rows
        ):
            raise ValueError(f"the table {table.title!r} has rows of several lengths")
        for cell in (cell for row in table.rows for cell in row):
            for part in cell if isinstance(cell, list) and len(cell) in (2, 3) else [cell]:
                _check("a cell", part, _CELL)
        return table

    def kind(self, place: int) -> str:
        return self.kinds[place] if self.kinds else ""

    def digits_of(self, place: int) -> int:
        own = self.places[place] if self.places else None
        return self.digits if own is None else own


@dataclass(frozen=True, slots=True)
class Result:
    """Findings for programs, tables for people, failures for both, and the signature that makes them repeatable."""

    signature: str = ""
    findings: Sequence[Finding] = ()
    tables: Sequence[Table] = ()
    failures: Mapping[str, int] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    """What does not fit a flat finding (problems with places, sentences); top-level keys in JSON."""
    verdicts: Sequence[Verdict] = ()
    """What was found, in sentences, the weightiest first."""
    made_by: Any = field(default=None, compare=False)
    """The study that made it, with `settings` and what it `judged`, unless it was read from a file."""
    settings: Any = field(default=None, compare=False)
    judged: Any = field(default=None, compare=False)
    folder: Path | None = field(default=None, compare=False)
    """The run that keeps it."""

    @property
    def open_tables(self) -> list[Table]:
        """The tables that a person is shown at once."""
        return [table for table in self.tables if not table.folded]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Result:
        """A result as a run keeps it: `as_json` and the tables."""
        own = ("signature", "verdicts", "findings", "failures", "tables")
        kept = {key: value for key, value in stored.items() if key not in own}
        findings = list(map(_foreign_finding, stored["findings"]))
        tables = [Table.from_json(table) for table in stored.get("tables", ())]
        verdicts = [Verdict.from_json(verdict) for verdict in stored.get("verdicts", ())]
        _check("signature", stored["signature"], (str,))
        for name, count in stored["failures"].items():
            _check(name, count, (int,))
        return cls(stored["signature"], findings, tables, stored["failures"], kept, verdicts)

    def table(self, name: str | int = 0) -> Table:
        """One table, by its place, its name, or words of its title."""
        from ...errors import UsageError, unknown_name

        if isinstance(name, int):
            if not -len(self.tables) <= name < len(self.tables):
                raise UsageError(f"no table {name}: there are {len(self.tables)}")
            return self.tables[name]
        by_name = (table for table in self.tables if table.name == name)
        by_title = (table for table in self.tables if table.title == name)
        by_words = (table for table in self.tables if name in table.title)
        if (wanted := next(chain(by_name, by_title, by_words), None)) is not None:
            return wanted
        raise unknown_name("table", name, [table.name or table.title for table in self.tables])

    def rows(self, measure: str = "", *, by: str | Sequence[str] | None = None) -> list[dict[str, Value]]:
        """Findings as flat rows: study, suite, system, grouping keys, measure, value, n, low, high.

        `measure` keeps one measure; `by` the findings that are grouped by exactly these keys, `()` the overall ones.
        """
        keys = None if by is None else {by} if isinstance(by, str) else set(by)
        chosen = [
            finding
            for finding in self.findings
            if (not measure or finding.measure == measure) and (keys is None or set(finding.by) == keys)
        ]
        if not chosen and self.findings:
            raise self._nothing_like(measure, keys)
        columns = list(dict.fromkeys(key for finding in chosen for key in finding.by))
        return [{key: flat.get(key) for key in (*_HEAD, *columns, *_TAIL)} for flat in map(Finding.flat, chosen)]

    def _nothing_like(self, measure: str, keys: set[str] | None) -> Exception:
        from ...errors import UsageError, unknown_name

        measures = list(dict.fromkeys(finding.measure for finding in self.findings))
        if measure and measure not in measures:
            return unknown_name("measure", measure, measures)
        groups = dict.fromkeys(
            ", ".join(finding.by) or "()" for finding in self.findings if not measure or finding.measure == measure
        )
        wanted = ", ".join(sorted(keys or ())) or "()"
        return UsageError(f"no findings by {wanted}", where=measure, todo=f"there are: {'; '.join(groups)}")

    def to_polars(self, measure: str = "", *, by: str | Sequence[str] | None = None) -> polars.DataFrame:
        """The findings as a Polars frame, one row each; `measure` and `by` select, as in `rows`."""
        import polars as pl

        return pl.DataFrame(self.rows(measure, by=by), infer_schema_length=None, strict=False)

    def to_pandas(self, measure: str = "", *, by: str | Sequence[str] | None = None) -> Any:
        """The same as a pandas frame."""
        from ...errors import MissingPackage

        try:
            import pandas as pd
        except ImportError:
            raise MissingPackage("pandas is not installed", todo="pip install pandas, or use to_polars()") from None
        return pd.DataFrame(self.rows(measure, by=by))

    def as_json(self) -> dict[str, Any]:
        return {
            "signature": self.signature,
            **({"verdicts": [verdict.as_json() for verdict in self.verdicts]} if self.verdicts else {}),
            "findings": [finding.flat() for finding in self.findings],
            "failures": dict(self.failures),
            **self.details,
        }


def joined_results(results: Sequence[Result]) -> Result:
    """Several results as one: all of each, and their signatures side by side."""
    if len(results) == 1:
        return results[0]
    return Result(
        " + ".join(result.signature for result in results),
        [finding for result in results for finding in result.findings],
        [table for result in results for table in result.tables],
        {name: count for result in results for name, count in result.failures.items()},
        {name: detail for result in results for name, detail in result.details.items()},
        [verdict for result in results for verdict in result.verdicts],
    )


CaseLevel = Literal["error", "warning", "note", "pass"]
"""Fails the check; worth a look; worth knowing; all is well."""


@dataclass(frozen=True, slots=True)
class CheckCase:
    """One thing that was checked: by which rule, where, and how it came out."""

    rule: str
    """What is checked: `las-worse`, `missing-text`."""
    name: str
    """Of what: a condition, a group of a system, a place in a file."""
    message: str
    level: CaseLevel
    path: str
    line: int = 1

    @property
    def failed(self) -> bool:
        return self.level == "error"
