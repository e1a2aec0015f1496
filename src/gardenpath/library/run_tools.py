"""What comes after a study, as functions: comparing, checking, pages, exports, score cards and plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, unknown_name
from ..runs.record.run import RECORD, verify
from ..runs.record.signatures import signature
from ..runs.result.result import CheckCase, Finding, Result, Table, joined_results
from ..runs.work.where import HERE, Where
from ..studies.score_card import MINUTES
from .opened_runs import AnyRun, as_run, is_log, is_run, opened_runs
from .result import StudyResult
from .studies import study_function

if TYPE_CHECKING:
    from ..runs.record.run import Run
    from ..studies.plans.planning import StudyPlan
    from ..studies.plans.shards import ShardReport


SENTENCES = 25_000
"""Sentences of each run that a page holds."""
MOST_SIDE_BY_SIDE = 24
"""More runs are shown as a grid of systems and suites."""


def compare(
    *given: Any,
    by: str | Sequence[str] | None = None,
    power: float = 0.8,
    independent: bool = False,
    where: Where = HERE,
    **settings: Any,
) -> StudyResult:
    """Compare systems on the same items, paired: difference, corrected p, effect size, and how many more are needed.

    `given` are runs, results or logs; a run and a system on which it is repeated; or a source and systems, with
    settings of its study. The first system is the reference.

    >>> import gardenpath as gp
    >>> first = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
    >>> second = gp.evaluate("bundled:de-test", "baseline:right-branching")
    >>> gp.compare(first, second, by=()).findings[0].measure
    'las_difference'
    >>> gp.compare("bundled:de-test", "baseline:nearest-head", "baseline:right-branching", gold="tags").systems
    ['baseline:right-branching']
    """
    from ..studies.compare.study import compare as compared

    groups = by.split(",") if isinstance(by, str) else by
    with opened_runs(given, where, **settings) as runs:
        return StudyResult.of(compared(runs, by=groups, power=power, independent=independent))


@dataclass(frozen=True)
class Checks:
    """Everything that was checked."""

    result: StudyResult
    cases: tuple[CheckCase, ...]
    lost: tuple[str, ...] = ()
    """What got worse, in lines, with sentences."""

    @property
    def holds(self) -> bool:
        return not self.failed

    @property
    def failed(self) -> list[str]:
        """What does not hold, one line each."""
        return [case.message.partition("\n")[0] for case in self.cases if case.failed]

    def __bool__(self) -> bool:
        return self.holds


def check(
    *given: Any,
    min: str | Sequence[str] = (),
    against: AnyRun | None = None,
    margin: float = 0.0,
    by: str | Sequence[str] | None = None,
    measure: str = "",
    independent: bool = False,
    where: Where = HERE,
    **settings: Any,
) -> Checks:
    """Check conditions, and whether a system got worse by more than `margin` points: overall, per suite or group.

    `given` is as for `compare`. `min` are conditions for the last run, such as `roles.las[order=OVS]>=40`; `against` is
    a reference run. A single run without conditions or reference: were its files changed after it was finished?

    >>> import gardenpath as gp
    >>> before = gp.roles("bundled:de-roles", {"mine": "baseline:subject-first"})
    >>> gp.check(before, min="roles.las>=70").holds
    True
    >>> now = gp.roles("bundled:de-roles", {"mine": "baseline:right-branching"})
    >>> gp.check(before, now, by=()).failed[0][:33]
    'mine: las, all: worse: 72.7 → 0.0'
    """
    from ..studies.compare.conditions import check as checked
    from ..studies.compare.gate import gate

    groups = by.split(",") if isinstance(by, str) else by
    conditions: list[Any] = [min] if isinstance(min, str) else list(min)
    for condition in conditions:
        if not isinstance(condition, str):
            todo = 'write conditions as text, such as "roles.las>=80"'
            raise UsageError(f"{type(condition).__name__}: not a condition", todo=todo)
    asked = conditions or against is not None or by is not None or margin or measure or independent
    if not asked and len(given) == 1 and isinstance(given[0], str | Path) and (Path(given[0]) / RECORD).is_file():
        return _unchanged(Path(given[0]))
    results, cases, lost = list[Result](), list[CheckCase](), list[str]()
    with opened_runs(given, where, **settings) as runs, ExitStack() as stack:
        last = runs[-1]
        tested = runs if against is None else [stack.enter_context(as_run(against)), last]
        is_compared = against is not None or len(runs) > 1 or len(given) > 2
        if not is_compared and (by is not None or margin or measure or independent):
            what = "margin, by, measure and independent need a reference"
            raise UsageError(what, where=str(given[0]), todo="name a reference run, such as --against RUN")
        if conditions:
            result, met = checked(last.result(), conditions)
            results.append(result)
            cases += [condition.case(str(last.folder / "run.json")) for condition in met]
        if is_compared:
            change = gate(tested, margin=margin, by=groups, measure=measure, independent=independent)
            results.append(change.result)
            cases += list(change.cases())
            lost = [line for worse in change.worse for line in worse.lines]
        elif not conditions:
            todo = "give conditions (--min), or a reference run (--against)"
            raise UsageError("nothing to check", where=str(given[0]), todo=todo)
    return Checks(StudyResult.of(joined_results(results)), tuple(cases), tuple(lost))


def _unchanged(run: Path) -> Checks:
    """Check whether files of a run were changed, added or removed after it was finished."""
    problems = verify(run)
    findings = [Finding("verification", str(run), "", "problems", len(problems))]
    rows = [(str(problem),) for problem in problems] or [("all files have the checksums of run.json",)]
    title = f"{run}: {'changed' if problems else 'unchanged'} since it was finished"
    signed = signature(("study", "verification"), ("run", str(run)))
    failures = {"files changed": len(problems)} if problems else {}
    result = Result(signed, findings, [Table(title, ("files",), rows, name="runs")], failures)
    cases = [CheckCase("unchanged", str(run), str(problem), "error", problem.where or str(run)) for problem in problems]
    return Checks(StudyResult.of(result), tuple(cases))


def load(*runs: AnyRun, metric: str = "", run: str | Path | None = None) -> StudyResult:
    """Return the result of a finished run, or of logs of another harness: their `metric`, by default the first.

    With `run`, logs are kept as a run in this folder.

    >>> import gardenpath as gp
    >>> folder = gp.roles("bundled:de-roles", "baseline:subject-first").save("first")
    >>> gp.load(folder).value("las")
    72.65
    """
    if len(runs) == 1 and is_run(runs[0]) and not is_log(runs[0]):
        with as_run(runs[0]) as opened:
            return StudyResult.of(replace(opened.result(), folder=opened.folder))
    read = study_function("logs")
    assert read is not None
    return read(*runs, metric=metric, run=run)


def report(
    *runs: AnyRun, to: str = "page", output: str | Path = "", title: str = "", limit: int = SENTENCES, system: str = ""
) -> list[Path]:
    """Write a page, figures or records for others from runs or results, and return the files.

    `to`: `page` (one HTML file; many runs as a grid of systems and suites), `figures`, `every-eval-ever` (records in a
    folder), or `model-card` (the results block of one, in YAML).

    >>> import gardenpath as gp
    >>> result = gp.roles("bundled:de-roles", "baseline:subject-first")
    >>> gp.report(result, output="roles.html")[0].name
    'roles.html'
    >>> [file.suffix for file in gp.report(result, to="every-eval-ever", output="records")]
    ['.json', '.jsonl']
    >>> print(gp.report(result, to="model-card", output="results.yaml")[0].read_text().splitlines()[1])
    model-index:
    """
    from ..runs.record.writing import write_bytes

    unfit = {"title": bool(title) and to != "page", "limit": limit != SENTENCES and to != "page"}
    unfit["system"] = bool(system) and to != "model-card"
    if option := next((name for name, given in unfit.items() if given), ""):
        raise UsageError(f"{option} is not for {to}", todo=f"leave out {option}")
    with ExitStack() as stack:
        opened = [stack.enter_context(as_run(run)) for run in runs]
        if to == "figures":
            return _saved_figures(opened, Path(output or to))
        files = _report_files(opened, to, Path(output or OUTPUTS.get(to, to)), title, limit, system)
    for file, content in files.items():
        write_bytes(file, content)
    return list(files)


OUTPUTS = {"page": "report.html", "model-card": "model-card.yaml"}
TARGETS = ("page", "figures", "every-eval-ever", "model-card")


def _report_files(runs: Sequence[Run], to: str, output: Path, title: str, limit: int, system: str) -> dict[Path, bytes]:
    from ..report.exports import every_eval_ever, model_index
    from ..report.page.grid import grid_page
    from ..report.page.page import page

    parts = [part for run in runs for part in run.runs() or [run]]
    if to == "page":
        as_grid = len(runs) > MOST_SIDE_BY_SIDE
        text = grid_page(runs, title=title) if as_grid else page(runs, title=title, most=limit)
        return {output: text.encode()}
    if to == "model-card":
        return {output: model_index(parts, system).encode()}
    if to == "every-eval-ever":
        return {output / name: content for run in parts for name, content in every_eval_ever(run).items()}
    raise unknown_name("target of a report", to, TARGETS)


def _saved_figures(runs: Sequence[Run], folder: Path) -> list[Path]:
    from ..report.figures import save_figures

    places = [(run, folder if len(runs) == 1 else folder / run.folder.resolve().name) for run in runs]
    return [path for run, place in places for path in save_figures(run.result(), place)]


def card(
    system: str,
    *sources: str | Path,
    language: str = "",
    budget: float = MINUTES,
    where: Where = HERE,
    run: str | Path = "",
    tell: Callable[[str], None] = lambda _: None,
) -> StudyResult:
    """A grammar check-up: all that fits a system's kind and language within `budget` minutes; one page, one JSON.

    `sources` are suites and treebanks of your own, beside what is bundled and what mirror and store have. The folder
    `run` (by default `card-` and the name of the model) has the page, `report.html`, and a run for each exam.

    >>> import gardenpath as gp
    >>> checked = gp.card("baseline:right-branching", language="en", run="card")
    >>> [(exam["name"], exam["state"]) for exam in checked.details["exams"]][:1]
    [('evaluate-en-test', 'done')]
    """
    from ..report.page.page import add_card_page
    from ..studies.score_card import card as examined

    made = examined(
        system, [str(source) for source in sources], language=language, budget=budget, where=where, folder=run,
        tell=tell,
    )  # fmt: skip
    add_card_page(made.folder)
    return StudyResult.of(made.result)


def plan(
    folder: str | Path,
    source: str | Path | list[str] = "",
    systems: str | Sequence[str] = (),
    *,
    study: str = "",
    grid: str | Path | None = None,
    **settings: Any,
) -> StudyPlan:
    """Writes a study, or the grid of a TOML file, as a plan into a new folder; systems are names.

    >>> import gardenpath as gp
    >>> made = gp.plan("plan", "bundled:de-roles", ["baseline:subject-first", "baseline:right-branching"])
    >>> len(made.pieces), gp.run_plan("plan", "1/2").done, gp.run_plan("plan").done
    (2, 1, 1)
    >>> len(gp.collect("plan").table().rows)
    1
    """
    from ..studies.engine.registry import study_of
    from ..studies.plans.planning import make_plan, planned_study, read_grid

    if (grid is None) == (not source):
        raise UsageError("a plan is of one study or of a grid", where=str(folder), todo="give a source, or grid=")
    if grid is not None:
        return make_plan(folder, read_grid(grid))
    named = [systems] if isinstance(systems, str) else list(systems)
    first = source[0] if isinstance(source, list) else str(source)
    return make_plan(folder, [planned_study(study or study_of(first), source, named, settings)])


def run_plan(folder: str | Path, shard: str = "1/1", *, jobs: int = 1) -> ShardReport:
    """Does a part of a plan, `I/N`; what is done already is not done again.

    >>> import gardenpath as gp
    >>> made = gp.plan("later", "bundled:de-roles", "baseline:subject-first")
    >>> gp.run_plan("later").failed
    {}
    """
    from ..studies.plans.planning import read_plan
    from ..studies.plans.shards import Shard, run_shard

    return run_shard(read_plan(folder), Shard.of(shard), jobs=jobs)


def collect(folder: str | Path) -> StudyResult:
    """Makes the runs of a plan, in its folder `runs`; the table tells which there are and what is missing.

    >>> import gardenpath as gp
    >>> made = gp.plan("missing", "bundled:de-roles", "baseline:subject-first")
    >>> gp.collect("missing").failures
    {'pieces missing': 1}
    """
    from ..studies.plans.planning import read_plan
    from ..studies.plans.shards import collect as collected

    return StudyResult.of(collected(read_plan(folder))[0])
