"""Did a system get worse than in an earlier run: overall, per suite, per group, with the sentences that were lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...runs.record.run import Run
from ...runs.record.signatures import short, signature
from ...runs.result.layout import SIGNED, Column, P, measured, table
from ...runs.result.result import CaseLevel, CheckCase, Finding, Result, Table, Value, Verdict
from ...runs.result.verdict import (
    FEWEST,
    LEAST,
    LEVEL,
    MEASURED,
    SHOWN,
    SUGGESTED,
    difference_text,
    loss_text,
    ranked,
    sample_text,
)
from ...stats.hypothesis_tests import holm
from ...stats.sampling import Difference
from .differences import RunDifference, groups_of, least_p_of_loss, run_difference
from .pairing import KEY, Entrant, Judgements, pair, told_apart

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class LostItem:
    """An item with its sentence (empty where the run does not keep it) and what became of its units."""

    suite: str
    item: str
    text: str
    outcomes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.item}: {self.text or '(the run keeps no sentence)'} [{'; '.join(self.outcomes)}]"


class LostItems:
    """Finds them in the run that got worse; its files are read when the first is asked for."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @cached_property
    def _rows(self) -> polars.DataFrame:
        return self.run.observations()

    @cached_property
    def _texts(self) -> dict[tuple[str, str], str]:
        return item_texts(self.run)

    @cached_property
    def _has_suites(self) -> bool:
        """Has the run several suites? The name of a single one may be another than in the run before."""
        return self._rows["suite"].n_unique() > 1

    def of(self, judgements: Judgements, measure: str, inside: NDArray[np.bool_], most: int = 3) -> list[LostItem]:
        """Those that lost most of two entrants' judgements; of equal ones the first of the suite."""
        values, weights = judgements.measures[measure], judgements.weights
        lost = np.where(inside, (values[:, 0] - values[:, 1]) * weights[:, 0], 0.0)  # units
        by_item = np.bincount(judgements.item, lost)
        _, first = np.unique(judgements.item, return_index=True)  # where each item begins
        worst = sorted(np.flatnonzero(by_item > 0).tolist(), key=lambda item: (-by_item[item], first[item]))
        items = []
        for item in worst[:most]:
            places = np.flatnonzero((judgements.item == item) & (lost > 0)).tolist()
            units = [judgements.units.row(place, named=True) for place in places]
            suite, name = (str(units[0][key] or "") for key in ("suite", "item"))
            outcomes = tuple(self._outcome(judgements.entrants[1].system, unit) for unit in units)
            items.append(
                LostItem(suite, name, self._texts.get((suite if self._has_suites else "", name), ""), outcomes)
            )
        return items

    def _outcome(self, system: str, unit: dict[str, object]) -> str:
        """What the system made of a unit: `5 obj: label (nsubj)`."""
        import polars as pl

        keys = KEY if self._has_suites else KEY[1:]
        rows = self._rows.filter(
            pl.col("system").fill_null("") == system,
            *(pl.col(key).eq_missing(pl.lit(unit[key], pl.String)) for key in keys),
        )
        outcome = str(rows["outcome"][0])
        if "predicted" in rows.columns and rows["predicted"][0]:
            outcome += f" ({rows['predicted'][0]})"
        return f"{unit['unit']}: {outcome}" if unit["unit"] else outcome


def item_texts(run: Run) -> dict[tuple[str, str], str]:
    """The sentence of each item from whatever the run keeps, by suite (empty where there is one) and item."""
    from ..surprisal.outcomes import SURPRISALS, read_curves

    if trees := run.trees():
        from ...treebank.format.reading import read

        gold = read(trees.get("gold") or next(iter(trees.values())))
        return {
            ("", name): sentence.text or " ".join(word.form for word in sentence.words)
            for name, sentence in zip(gold.sentence_names, gold, strict=True)
        }
    if (curves := run.attached(SURPRISALS)) is not None:
        texts = {
            (curve.suite, curve.item): " / ".join(curve.joiner.join(words) for _, words, _ in curve.conditions)
            for curve in read_curves(curves)
        }
    else:
        rows = run.observations()
        kept = rows.select("suite", "item", "text").iter_rows() if "text" in rows.columns else ()
        texts = {(str(suite or ""), str(item or "")): str(text or "") for suite, item, text in kept}
    if len({suite for suite, _ in texts}) > 1:
        return texts
    return {("", item): text for (_, item), text in texts.items()}


WORSE, PERHAPS, HOLDS = "worse", "perhaps worse", "no loss shown"


@dataclass(frozen=True, slots=True)
class GroupChange:
    """What became of one group of items of one system, and whether that is a loss."""

    difference: RunDifference
    baseline: str
    margin: float
    p: float
    """One-sided, of a loss of the margin at most."""
    p_holm: float = 1.0
    lost: tuple[LostItem, ...] = ()
    seeds: tuple[int, int] = (1, 1)
    """Of the system now, and of the baseline."""

    @property
    def state(self) -> str:
        high = self.difference.high
        if high is None or self.difference.effective < LEAST or not (self.p_holm < LEVEL and high < -self.margin):
            return HOLDS
        return WORSE if self.difference.effective >= FEWEST else PERHAPS

    def __str__(self) -> str:
        difference, ends = self.difference, ""
        if difference.low is not None and difference.high is not None:
            ends = f" [{difference.low:+.1f}, {difference.high:+.1f}]"
        scores = f"{difference.first:.1f} → {difference.second:.1f}, {difference.value:+.1f} points{ends}"
        return f"{difference.system}: {difference.measure}, {difference.group}: {self.state}: {scores}"

    @property
    def lines(self) -> list[str]:
        """The change, and below it the sentences."""
        return [str(self), *(f"  {item}" for item in self.lost)]


STUDY = "gate"
_NAMES = {"las": "LAS", "uas": "UAS", "f1": "F1"}


def gate_result(judgements: Judgements, changes: Sequence[GroupChange], runs: Sequence[Run], margin: float) -> Result:
    """Of all changes; `runs` are those that were compared, the earlier one first."""
    by_change = [(change, _findings(judgements, change)) for change in changes]
    worse = [change for change in changes if change.state == WORSE]
    apart = told_apart(runs)
    signed = signature(
        ("study", STUDY), ("runs", [short(str(run.record.get("signature") or "")) for run in runs]),
        ("of", judgements.signature.replace("|", "/") or None),
        ("clusters", judgements.clusters.counted),
        ("seeds", judgements.seed_counts or None), ("tests", len(changes)), ("margin", margin),
    )  # fmt: skip
    return Result(
        signed,
        [finding for _, findings in by_change for finding in findings],
        [*_tables(judgements, by_change, margin, apart), *_sentence_tables(changes)],
        {"groups that got worse": len(worse)} if worse else {},
        {"worse": [_as_json(change) for change in worse], "differ": apart},
        ranked(_verdicts(by_change, judgements.clusters.name)),
    )


def _findings(judgements: Judgements, change: GroupChange) -> list[Finding]:
    """Both scores and their difference (n: items), and the p of a loss (n: clusters)."""
    difference = change.difference
    by: dict[str, Value] = {**dict(difference.by), "baseline": change.baseline}
    head, measure = (STUDY, judgements.suite, difference.system), difference.measure
    ends = (difference.low, difference.high)
    return [
        Finding(*head, f"{measure}_difference", difference.value, difference.items, *ends, by),
        Finding(*head, f"{measure}_p_loss", change.p, difference.clusters, by=by, effective=difference.effective),
        Finding(*head, f"{measure}_p_loss_holm", change.p_holm, difference.clusters, by=by),
        Finding(*head, f"{measure}_baseline", difference.first, difference.items, by=by),
        Finding(*head, f"{measure}_value", difference.second, difference.items, by=by),
    ]


def _verdicts(by_change: Sequence[tuple[GroupChange, list[Finding]]], cluster: str) -> Iterator[Verdict]:
    """What got worse, the largest loss first; of a system that did not, how sure that is."""
    for change, findings in by_change:
        difference, size = change.difference, findings[0]
        name = _NAMES.get(difference.measure, difference.measure)
        where = f" at {difference.group}" if difference.by else ""
        tail = f", {sample_text(findings[1], cluster, change.seeds, sure=change.state != HOLDS)}"
        if change.state != HOLDS:
            sure, does = (SHOWN, "got worse") if change.state == WORSE else (SUGGESTED, "may have got worse")
            text = f"{difference.system} {does}{where}: {name} {loss_text(size)}{tail} ({sure})."
            yield Verdict(text, sure, tuple(findings), weight=abs(difference.value) + 100 * (not difference.by))
        elif not difference.by:
            text = f"{difference.system}: no loss is shown over all items: {name} {difference_text(size)}{tail}."
            yield Verdict(text, MEASURED, tuple(findings))


def _tables(
    judgements: Judgements,
    by_change: Sequence[tuple[GroupChange, list[Finding]]],
    margin: float,
    apart: Sequence[str],
) -> Iterator[Table]:
    allowed = f" of more than {margin:g} points" if margin else ""
    note = "; ".join(
        [
            f"95 %: by {judgements.over}; p: one-sided, of no loss{allowed}; Holm: corrected for all "
            f"{len(by_change)} tests here that could show it; worse: p Holm below 0.05, the interval "
            f"beyond the margin, worth at least {FEWEST} clusters of equal size",
            *([judgements.clusters.note] if judgements.clusters.note else []),
            *(f"the runs also differ in {aspect}" for aspect in apart),
        ]
    )
    for system in dict.fromkeys(change.difference.system for change, _ in by_change):
        rows = [change for change, _ in by_change if change.difference.system == system]
        own = [findings for change, findings in by_change if change.difference.system == system]
        size, p, p_holm, before, now = (list(column) for column in zip(*own, strict=True))
        count = sum(change.state == WORSE for change in rows)
        measure = rows[0].difference.measure
        title = f"{count} of {len(rows)} groups got worse" if count else "no group got worse"
        columns = [Column("group", [change.difference.group for change in rows]), *measured("items", size, of="n")]
        columns += [*measured("before", before), *measured("now", now)]
        columns += measured("difference", size, interval=True, kind=SIGNED)
        columns += [*measured("p", p, kind=P), *measured("p Holm", p_holm, kind=P)]
        columns.append(Column("verdict", [change.state for change in rows]))
        yield table(f"{system}, {_NAMES.get(measure, measure)}: {title}", columns, note=note)


def _sentence_tables(changes: Sequence[GroupChange]) -> Iterator[Table]:
    """Three sentences for every group that got worse, or may have."""
    for change in changes:
        if change.lost:
            yield table(
                f"{change.difference.system}, {change.difference.group}: was right and is not",
                [
                    Column("item", [item.item for item in change.lost]),
                    Column("sentence", [item.text for item in change.lost]),
                    Column("now", ["; ".join(item.outcomes) for item in change.lost]),
                ],
            )


def _as_json(change: GroupChange) -> dict[str, object]:
    lost = [
        {"suite": item.suite, "item": item.item, "text": item.text, "outcomes": list(item.outcomes)}
        for item in change.lost
    ]
    return {"system": change.difference.system, "group": dict(change.difference.by), "lost": lost}


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
    runs: Sequence[Run],
    *,
    margin: float = 0.0,
    by: Sequence[str] | None = None,
    measure: str = "",
    independent: bool = False,
) -> Gate:
    """Test whether systems got worse: of two runs, each system of the second against its namesake in the first.

    Two runs with one system each are compared whatever the names. In one run, or in more than two, every other system
    is tested against the first. `margin` are points that may be lost; `by` names properties (None: suites, and those of
    the runs' findings); `measure` is the score that is tested, else the main one.
    """
    judgements = _measured(pair(runs), measure)
    partners = [(0, number) for number in range(1, len(judgements.entrants))]
    if len(runs) == 2:
        partners = _partners(judgements.entrants, runs[1], runs[0])
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
                test = Difference(
                    difference.value, difference.low, difference.high, difference.clusters, difference.effective
                )
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
