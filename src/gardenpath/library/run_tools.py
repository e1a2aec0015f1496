"""What comes after a study, as functions of runs and results: comparing, checking, sealing, the page, the papers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..runs.result import Result
from .result import StudyResult
from .saved import AnyRun, as_run

if TYPE_CHECKING:
    from ..runs.verification import VerifiedRun
    from ..studies.comparison.conditions import Checked
    from ..studies.comparison.gating import Gate


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

    from ..studies.comparison.study import compare as compared

    with ExitStack() as stack:
        opened = [stack.enter_context(as_run(run)) for run in runs]
        groups = by.split(",") if isinstance(by, str) else by
        return StudyResult.around(compared(opened, by=groups, power=power, independent=independent))


def check(run: AnyRun | Result, *conditions: str) -> list[Checked]:
    """Which conditions, such as `roles.las[order=OVS]>=40`, a run or a result meets.

    >>> import gardenpath as gp
    >>> result = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
    >>> [condition.holds for condition in gp.check(result, "evaluation.las>=50", "evaluation.las>=60")]
    [True, False]
    """
    from ..studies.comparison.conditions import check as checked

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

    from ..studies.comparison.gating import gate as gated

    with ExitStack() as stack:
        new, old = (stack.enter_context(as_run(side)) for side in (run, against))
        groups = by.split(",") if isinstance(by, str) else by
        return gated(new, old, margin=margin, by=groups, measure=measure, independent=independent)


def verify(*runs: str | Path, seal: str = "") -> list[VerifiedRun]:
    """Are the files of runs as they were sealed? `seal` is the one that was noted when the run was made.

    >>> import gardenpath as gp
    >>> folder = gp.roles("bundled:de-roles", "baseline:subject-first").save("first")
    >>> [run.holds for run in gp.verify(folder)]
    [True]
    >>> (folder / "result.json").write_text("{}") and [problem.kind for problem in gp.verify(folder)[0].problems]
    ['cut']
    """
    from ..runs.verification import verify as verified

    return verified(runs, seal)[1]


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
    from ..runs.atomic import write_text

    with ExitStack() as stack:
        opened = [stack.enter_context(as_run(run)) for run in runs]
        write_text(Path(path), (grid_page if grid else page)(opened, title=title))
    return Path(path)


def reproduce(
    *papers: str,
    table: str | Sequence[str] = (),
    verdict: str | Sequence[str] = (),
    tiger: str = "",
    tueba: str = "",
    listed: str = "",
) -> StudyResult:
    """Papers number by number: what is recomputed, what follows from other numbers, what cannot be had, and why.

    `table` and `verdict` keep the lines of these tables and verdicts. Data that is not here is downloaded. `tiger`,
    `tueba` and `listed` are your treebanks and the published list for the paper on TEPACOC.

    >>> import gardenpath as gp
    >>> gp.reproduce("sort")
    Traceback (most recent call last):
    ...
    gardenpath.errors.UsageError: unknown paper 'sort'
      did you mean sorts?
    """
    from ..data import fetch
    from ..studies.reproduction.paper import papers_called
    from ..studies.reproduction.paper import reproduce as run
    from ..studies.reproduction.tepacoc_treebanks import OwnTreebanks

    tables, verdicts = ((names,) if isinstance(names, str) else names for names in (table, verdict))
    own = OwnTreebanks(tiger, tueba, listed) if tiger or tueba or listed else None
    result = run(papers_called(papers or ("all",)), lambda name: fetch(name).path, tables, verdicts, own)
    return StudyResult.around(result)
