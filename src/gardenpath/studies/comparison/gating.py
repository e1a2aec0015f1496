"""Did a system get worse? A run against an earlier one: overall, per suite and per group, with what was lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...runs.case import CaseLevel, CheckCase
from ...runs.record import Run
from ...runs.result import Result
from ...stats.corrections import holm
from ...stats.sampling import Difference
from .differences import groups_of, least_p_of_loss, run_difference
from .gate_result import gate_result
from .group_change import HOLDS, PERHAPS, WORSE, GroupChange
from .lost_items import LostItems
from .pairing import Entrant, Judgements, pair

_SENTENCES = 3
_LEVELS: dict[str, CaseLevel] = {WORSE: "error", PERHAPS: "warning", HOLDS: "pass"}


@dataclass(frozen=True)
class Gate:
    """All that was tested, and the result that tells it."""

    result: Result
    changes: tuple[GroupChange, ...]
    run: Path

    @property
    def worse(self) -> list[GroupChange]:
        return [change for change in self.changes if change.state == WORSE]

    def cases(self) -> Iterator[CheckCase]:
        """For a continuous integration: one for each group of each system."""
        for change in self.changes:
            difference = change.difference
            name = f"{difference.system}: {difference.measure}, {difference.group}"
            message, place = "\n".join(change.lines), str(self.run / "run.json")
            yield CheckCase(f"{difference.measure}-worse", name, message, _LEVELS[change.state], place)


def gate(
    run: Run,
    against: Run,
    *,
    margin: float = 0.0,
    by: Sequence[str] | None = None,
    measure: str = "",
    independent: bool = False,
) -> Gate:
    """Every system of a run against the system of the same name in an earlier one, or the only one there.

    `margin` are points that may be lost; `by` names properties (None: suites, and those of the runs' findings);
    `measure` is the score that is tested, else the main one.
    """
    judgements = _measured(pair([against, run]), measure)
    return _gate(judgements, _partners(judgements.entrants, run, against), [against, run], margin, by, independent)


def gate_first(
    runs: Sequence[Run], *, margin: float = 0.0, by: Sequence[str] | None = None, independent: bool = False
) -> Gate:
    """Every other system of all runs against the first, as `compare` pairs them."""
    judgements = pair(runs)
    partners = [(0, number) for number in range(1, len(judgements.entrants))]
    return _gate(judgements, partners, runs, margin, by, independent)


def _partners(entrants: Sequence[Entrant], run: Run, against: Run) -> list[tuple[int, int]]:
    """(earlier, present) by number."""
    old, new = (
        [at for at, entrant in enumerate(entrants) if entrant.run == str(side.folder)] for side in (against, run)
    )
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    earlier = {entrants[at].system: at for at in old}
    missing = [entrants[at].system for at in new if entrants[at].system not in earlier]
    if missing:
        todo = f"name the systems of both runs alike (NAME=SYSTEM); there: {', '.join(earlier)}"
        raise UsageError(f"{', '.join(missing)} has no counterpart", where=str(against.folder), todo=todo)
    return [(earlier[entrants[at].system], at) for at in new]


def _measured(judgements: Judgements, measure: str) -> Judgements:
    """With this measure alone; letter case does not matter."""
    known = judgements.measures
    wanted = measure.lower() or next(iter(known))
    if wanted not in known:
        raise unknown_name("measure", measure, known, where="--measure")
    return replace(judgements, measures={wanted: known[wanted]})


def _gate(
    judgements: Judgements,
    partners: Sequence[tuple[int, int]],
    runs: Sequence[Run],
    margin: float,
    by: Sequence[str] | None,
    independent: bool,
) -> Gate:
    if not 0 <= margin < 100:
        raise UsageError(
            f"{margin:g} is not a margin", where="--margin", todo="give points that may be lost, from 0 on"
        )
    measure = next(iter(judgements.measures))
    if measure == "mean":
        raise UsageError(
            f"{judgements.study} has no score of which less is worse", where=str(runs[-1].folder), todo="use compare"
        )
    if independent:
        judgements = judgements.independent()
    lost_items = {str(run.folder): LostItems(run) for run in runs}
    two_each = [judgements.between(old, new) for old, new in partners]
    changes = [
        change
        if change.state == HOLDS
        else replace(change, lost=tuple(lost_items[two.entrants[1].run].of(two, measure, inside, _SENTENCES)))
        for change, two, inside in group_changes(two_each, margin, _groupings(judgements) if by is None else by)
    ]
    return Gate(gate_result(judgements, changes, runs, margin), tuple(changes), Path(runs[-1].folder))


def group_changes(
    two_each: Sequence[Judgements], margin: float, by: Sequence[str]
) -> list[tuple[GroupChange, Judgements, NDArray[np.bool_]]]:
    """Every group of every pair of entrants with its units, tested and corrected for all of these tests together.

    Groups of the very same units are one test, and a group that could not have shown such a loss counts for none.
    """
    tested = []
    least: dict[tuple[int, bytes], tuple[float, float]] = {}
    for number, two in enumerate(two_each):
        measure = next(iter(two.measures))
        for group, inside in groups_of(two, by):
            difference = run_difference(two, measure, 1, group, inside, None)
            if difference is not None:
                test = Difference(difference.value, difference.low, difference.high, difference.clusters)
                named = replace(difference, system=two.entrants[1].system)
                before, now = two.seed_counts or (1, 1)
                change = GroupChange(named, two.entrants[0].name, margin, test.p_of_loss(margin), seeds=(now, before))
                key = number, inside.tobytes()
                if key not in least:
                    least[key] = change.p, least_p_of_loss(two, measure, inside, margin)
                tested.append((change, two, inside, key))
    corrected = dict(zip(least, holm(*map(list, zip(*least.values(), strict=True))), strict=True)) if least else {}
    return [(replace(change, p_holm=corrected[key]), two, inside) for change, two, inside, key in tested]


def _groupings(judgements: Judgements) -> list[str]:
    """Suites, where there are several, and what the runs' findings are grouped by."""
    known = ["property" if name == "props" else name for name in judgements.properties.columns]
    several = judgements.units["suite"].n_unique() > 1
    return [name for name in known if (several if name == "suite" else name in judgements.grouped)]
