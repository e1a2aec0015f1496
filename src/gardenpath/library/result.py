"""What Python users hold: results, their tables, and runs that are made from them when one is needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, unknown_name
from ..runs.record.run import Run
from ..runs.record.writing import scratch_folder
from ..runs.result.result import Result, Table

if TYPE_CHECKING:
    import polars

    from ..report.figures.figure import Figure


@dataclass(frozen=True, slots=True, repr=False)
class ShownTable(Table):
    """A `Table` that shows itself; its rows keep full precision."""

    @classmethod
    def of(cls, table: Table) -> ShownTable:
        return cls(**{setting.name: getattr(table, setting.name) for setting in fields(Table)})

    def to_polars(self) -> polars.DataFrame:
        """The rows as a Polars frame; a column of intervals is a column of lists."""
        import polars as pl

        return pl.DataFrame(self._columns(), strict=False)

    def to_pandas(self) -> Any:
        """The same as a pandas frame."""
        from ..errors import MissingPackage

        try:
            import pandas as pd
        except ImportError:
            raise MissingPackage("pandas is not installed", todo="pip install pandas, or use to_polars()") from None
        return pd.DataFrame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        return {header: [_cell(row[place]) for row in self.rows] for place, header in enumerate(self._headers())}

    def _headers(self) -> list[str]:
        """The headings, told apart: a table may have `95 %` twice, a frame may not."""
        seen: dict[str, int] = {}
        headers = []
        for header in self.columns:
            seen[header] = seen.get(header, 0) + 1
            headers.append(header if seen[header] == 1 else f"{header} ({seen[header]})")
        return headers

    def __repr__(self) -> str:
        from ..report.formats import plain

        return plain(self).rstrip("\n")

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from ..report.html import table_html

        return table_html(self)


def _cell(cell: Any) -> Any:
    """The ends of an interval alone: that it comes from few, a third number tells those who print it."""
    return cell[:2] if isinstance(cell, list) else cell


@dataclass(frozen=True, slots=True)
class StudyResult(Result):
    """The result of a study: findings, and the ways to look at them. Printed, it is what the command shows.

    `findings` are flat rows; `to_polars()` and `to_pandas()` make frames of them; `table(name)` and `plot(name)` show
    them; `examples(kind)` leads to the sentences behind them; `save(folder)` keeps a run, `report(path)` a page.

    >>> import gardenpath as gp
    >>> result = gp.roles("bundled:de-roles", "baseline:subject-first")
    >>> result
    <StudyResult roles: baseline:subject-first on de_garden-roles.conllu, las 72.65; ... findings, 12 tables>
    >>> result.to_polars("las", by="order")["value"].to_list()[:2]
    [100.0, 100.0]
    >>> result.value("las", order="VF[O]LK[V]MF[S]")
    0.0
    """

    @classmethod
    def of(cls, result: Result) -> StudyResult:
        """Return the same result with these ways to look at it."""
        parts = {part.name: getattr(result, part.name) for part in fields(Result)}
        return cls(**{**parts, "tables": [ShownTable.of(table) for table in result.tables]})

    @property
    def study(self) -> str:
        """The name of the study, as findings and signatures have it."""
        return self.findings[0].study if self.findings else ""

    @property
    def systems(self) -> list[str]:
        """The systems that were tested, by name."""
        return list(dict.fromkeys(finding.system for finding in self.findings if finding.system))

    @property
    def measures(self) -> list[str]:
        """What was measured: the names that `to_polars` and `value` take."""
        return list(dict.fromkeys(finding.measure for finding in self.findings))

    def table(self, name: str | int = 0) -> ShownTable:
        """One table, by its place, its name, or words of its title: text, HTML in a notebook, or a frame."""
        return ShownTable.of(super(StudyResult, self).table(name))

    def value(self, measure: str, system: str = "", suite: str = "", **by: Any) -> Any:
        """One number: of a measure, overall or for one group, of the system and the suite if there are several."""
        matches = [
            finding
            for finding in self.findings
            if finding.measure == measure
            and dict(finding.by) == by
            and system in ("", finding.system)
            and suite in ("", finding.suite)
        ]
        if len(matches) == 1:
            return matches[0].value
        for kind, names in (
            ("system", [finding.system for finding in matches]),
            ("suite", [finding.suite for finding in matches]),
        ):
            different = list(dict.fromkeys(names))
            if len(different) > 1:
                todo = f"name the {kind}: {', '.join(different)}"
                raise UsageError(f"{len(matches)} values of {measure}", todo=todo)
        raise self._no_value(measure, system, by)

    def _no_value(self, measure: str, system: str, by: Mapping[str, Any]) -> UsageError:
        """Which of the names is unknown, and what there is instead."""
        if system and system not in self.systems:
            return unknown_name("system", system, self.systems)
        rows = self.rows(measure, by=tuple(by))  # raises where there is no such measure or grouping
        for key, wanted in by.items():
            known = list(dict.fromkeys(str(row[key]) for row in rows))
            if str(wanted) not in known:
                return unknown_name(key, str(wanted), known)
        return UsageError(f"no value of {measure} for this system, suite and group")

    @property
    def figures(self) -> Mapping[str, Figure]:
        """All figures that the findings allow, by name."""
        from ..report.figures import figures_of

        return {figure.name: figure for figure in figures_of(self)}

    def plot(self, name: str = "") -> Figure:
        """One figure: an SVG in a notebook, an Altair chart as `.chart`; the first where none is named."""
        figures = self.figures
        if not figures:
            raise UsageError("these findings have no figure", todo='ask the study for more, such as by="all"')
        if name and name not in figures:
            raise unknown_name("figure", name, figures)
        return figures[name or next(iter(figures))]

    def examples(self, wanted: str, limit: int = 10) -> list[dict[str, Any]]:
        """The items behind a number, as `--examples` of the study's command names them."""
        self._check_judged()
        names = [name for name, _ in self.settings.options()]
        if "examples" not in names:
            raise UsageError(f"the study {self.made_by.name} has no examples to show")
        few: dict[str, Any] = {"examples": wanted, "limit": limit}
        if "draws" in names:
            few["draws"] = 0
        if "by" in names:
            few["by"] = ()
        result = self.made_by.findings(self.judged, replace(self.settings, **few))
        return list(result.details.get("examples", ()))

    def save(self, folder: str | Path) -> Path:
        """Keeps the result as a run: a folder that `report`, `compare` and `check` read."""
        from ..runs.record.run import Run
        from ..studies.engine.study import keep

        self._check_judged()
        settings = {**self.settings.kept(), "signature": self.signature}
        with Run.open(folder, command=self.made_by.name, settings=settings, seed=self.settings.seed) as record:
            if not record.finished:
                keep(self, record)
        return Path(folder)

    def report(self, path: str | Path = "report.html", *, title: str = "") -> Path:
        """Writes one HTML page: findings, figures, and the sentences and trees behind every number."""
        from ..report.page.page import page
        from ..runs.record.writing import write_text

        with self.as_run() as run:
            write_text(Path(path), page([run], title=title))
        return Path(path)

    @contextmanager
    def as_run(self) -> Iterator[Run]:
        """The run of this result; without a folder, it gets one for as long as the block lasts."""
        from ..runs.record.run import Run

        if self.folder is not None:
            yield Run.load(self.folder)
            return
        self._check_judged()
        with scratch_folder() as folder:
            yield Run.load(self.save(folder / self.made_by.name))

    def _check_judged(self) -> None:
        if self.made_by is None:
            raise UsageError("this result has no items of its own", todo="take the results that it was made from")
        if self.judged is None:
            raise UsageError(
                "this result was read from a run, and its judgements are in the run's observations",
                todo="carry the study out again in Python without run=, or read the run's observations",
            )

    def __repr__(self) -> str:
        """In one line: who was tested on what, the first number of each, and how much more there is."""
        size = f"{len(self.findings)} findings, {len(self.tables)} tables"
        if not self.findings:
            return f"<StudyResult: {size}>"
        first = self.findings[0]
        wanted = self.made_by.measures[:1] if self.made_by is not None else ()
        overall = {
            finding.system: f"{finding.measure} {finding.value:.2f}"
            for finding in reversed(self.findings)
            if finding.measure in (wanted or (first.measure,)) and not finding.by and isinstance(finding.value, float)
        }
        scores = ", ".join(overall[system] for system in self.systems if system in overall)
        who = f"{', '.join(self.systems)} on {first.suite}" if self.systems else first.suite
        return f"<StudyResult {self.study}: {who}{', ' if scores else ''}{scores}; {size}>"

    def __str__(self) -> str:
        from ..report.formats import render

        return render(self, "table").rstrip("\n")

    def _repr_html_(self) -> str:
        from ..report.html import result_html

        return result_html(self)
