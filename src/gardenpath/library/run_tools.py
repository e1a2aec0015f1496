"""What comes after a study, as functions: comparing, checking, pages, exports, score cards and plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, UsageError, unknown_name
from ..runs.result.result import Result
from ..runs.work.where import HERE, Where
from ..studies.score_card import MINUTES
from .result import AnyRun, StudyResult, as_run

if TYPE_CHECKING:
    from ..runs.record.run import Run
    from ..studies.compare.conditions import Checked
    from ..studies.compare.gate import Gate
    from ..studies.plans.planning import StudyPlan
    from ..studies.plans.shards import ShardReport


def compare(
    *runs: AnyRun, by: str | Sequence[str] | None = None, power: float = 0.8, independent: bool = False
) -> StudyResult:
    """Runs or results on the same items, paired: difference, corrected p, effect size, and how many more are needed.

    >>> import gardenpath as gp
    >>> first = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
    >>> second = gp.evaluate("bundled:de-test", "baseline:right-branching")
    >>> gp.compare(first, second, by=()).findings[0].measure
    'las_difference'
    """
    from contextlib import ExitStack

    from ..studies.compare.study import compare as compared

    with ExitStack() as stack:
        opened = [stack.enter_context(as_run(run)) for run in runs]
        groups = by.split(",") if isinstance(by, str) else by
        return StudyResult.of(compared(opened, by=groups, power=power, independent=independent))


def check(run: AnyRun | Result, *conditions: str) -> list[Checked]:
    """Which conditions, such as `roles.las[order=OVS]>=40`, a run or a result meets.

    >>> import gardenpath as gp
    >>> result = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
    >>> [condition.holds for condition in gp.check(result, "evaluation.las>=50", "evaluation.las>=60")]
    [True, False]
    """
    from ..studies.compare.conditions import check as checked

    given: Sequence[object] = conditions
    for condition in given:
        if not isinstance(condition, str):
            todo = 'write conditions as text, such as "roles.las>=80"; two runs are compared by gate or compare'
            raise UsageError(f"{type(condition).__name__}: not a condition", todo=todo)
    if isinstance(run, Result):
        return list(checked(run, conditions)[1])
    with as_run(run) as opened:
        return list(checked(opened.result(), conditions)[1])


def gate(
    run: AnyRun,
    against: AnyRun,
    *,
    margin: float = 0.0,
    by: str | Sequence[str] | None = None,
    measure: str = "",
    independent: bool = False,
) -> Gate:
    """Did a system get worse than in an earlier run, overall, in a suite or in a group, by more than `margin` points?

    >>> import gardenpath as gp
    >>> before = gp.roles("bundled:de-roles", {"mine": "baseline:subject-first"})
    >>> now = gp.roles("bundled:de-roles", {"mine": "baseline:right-branching"})
    >>> [change.difference.group for change in gp.gate(now, before, by=()).worse]
    ['all']
    """
    from contextlib import ExitStack

    from ..studies.compare.gate import gate as gated

    with ExitStack() as stack:
        new, old = (stack.enter_context(as_run(side)) for side in (run, against))
        groups = by.split(",") if isinstance(by, str) else by
        return gated(new, old, margin=margin, by=groups, measure=measure, independent=independent)


def verify(run: str | Path) -> list[InputError]:
    """Return what is wrong with the files of a finished run, by their SHA-256 sums; nothing where all are as they were.

    >>> import gardenpath as gp
    >>> folder = gp.roles("bundled:de-roles", "baseline:subject-first").save("first")
    >>> gp.verify(folder)
    []
    >>> (folder / "result.json").write_text("{}") and [problem.what[:21] for problem in gp.verify(folder)]
    ['this file was changed']
    """
    from ..runs.record.run import verify as verified

    return verified(run)


def report(*runs: AnyRun, path: str | Path = "report.html", title: str = "", grid: bool = False) -> Path:
    """One HTML page over runs or results, side by side: findings, figures, the sentences behind every number.

    `grid` shows systems × suites instead, for dozens of runs.

    >>> import gardenpath as gp
    >>> result = gp.roles("bundled:de-roles", "baseline:subject-first")
    >>> gp.report(result, path="roles.html").name
    'roles.html'
    """
    from contextlib import ExitStack

    from ..report.page.grid import grid_page
    from ..report.page.page import page
    from ..runs.record.writing import write_text

    with ExitStack() as stack:
        opened = [stack.enter_context(as_run(run)) for run in runs]
        write_text(Path(path), (grid_page if grid else page)(opened, title=title))
    return Path(path)


def export(*runs: AnyRun, to: str, path: str | Path, system: str = "") -> list[Path]:
    """Writes findings as `every-eval-ever` records into a folder, or as a `model-card`'s results block into a file.

    >>> import gardenpath as gp
    >>> result = gp.roles("bundled:de-roles", "baseline:subject-first")
    >>> [file.suffix for file in gp.export(result, to="every-eval-ever", path="records")]
    ['.json', '.jsonl']
    >>> print(gp.export(result, to="model-card", path="results.yaml")[0].read_text().splitlines()[1])
    model-index:
    """
    from ..report.exports import model_index
    from ..runs.record.writing import write_bytes

    with ExitStack() as stack:
        opened = [stack.enter_context(as_run(run)) for run in runs]
        if to == "model-card":
            files = {Path(path): model_index(opened, system).encode()}
        elif to == "every-eval-ever":
            files = {Path(path) / name: content for name, content in records_of(opened).items()}
        else:
            raise unknown_name("form of export", to, ("every-eval-ever", "model-card"))
    for file, content in files.items():
        write_bytes(file, content)
    return list(files)


def records_of(runs: Sequence[Run]) -> dict[str, bytes]:
    """The every-eval-ever records of all runs, by their paths."""
    from ..report.exports import every_eval_ever

    return {name: content for run in runs for name, content in every_eval_ever(run).items()}


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
