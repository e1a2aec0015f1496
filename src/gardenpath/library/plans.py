"""Plans from Python: the same folders that `gardenpath plan`, `run` and `collect` make and use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from .result import StudyResult

if TYPE_CHECKING:
    from ..studies.planning import StudyPlan
    from ..studies.shards import ShardReport


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
    from ..studies.grid import planned_study, read_grid
    from ..studies.planning import make_plan
    from ..studies.recognition import study_of

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
    from ..studies.planning import read_plan
    from ..studies.shards import Shard, run_shard

    return run_shard(read_plan(folder), Shard.of(shard), jobs=jobs)


def collect(folder: str | Path) -> StudyResult:
    """Makes the runs of a plan, in its folder `runs`; the table tells which there are and what is missing.

    >>> import gardenpath as gp
    >>> made = gp.plan("missing", "bundled:de-roles", "baseline:subject-first")
    >>> gp.collect("missing").failures
    {'pieces missing': 1}
    """
    from ..studies.planning import read_plan
    from ..studies.shards import collect as collected

    return StudyResult.around(collected(read_plan(folder))[0])
