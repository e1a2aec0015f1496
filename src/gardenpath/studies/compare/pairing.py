"""Judgements of several runs side by side, unit by unit; runs on different suites are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ...runs.record.run import Run
from ...runs.record.signatures import pairs_of
from ...stats.sampling import Clusters
from ..engine.registry import all_notes

if TYPE_CHECKING:
    import polars


_OF_THE_SYSTEM = (
    "input", "layers", "baseline", "clusters", "draws", "seed", "version", "parser", "preset", "options", "trainer",
)  # fmt: skip
"""Pairs of a signature that may differ; so may all that begin with `system` or `scores`."""


def signed_pairs(run: Run) -> dict[str, str]:
    """The keys and values of a run's signature."""
    return pairs_of(str(run.record.get("signature") or ""))


def told_apart(runs: Sequence[Run]) -> list[str]:
    """What else differs between runs and may explain a difference: the mode of parsing, the gold layers given."""
    signed = [signed_pairs(run) for run in runs]
    notes = []
    for key, word, default in (("input", "input", "tokens"), ("layers", "gold layers", "none")):
        values = [pairs.get(key) or default for pairs in signed]
        if len(set(values)) > 1:
            notes.append(f"{word}: {', '.join(values)} (in the order of the runs)")
    return notes


def suite_facts(run: Run) -> tuple[tuple[str, str], ...]:
    """What of a signature says what was asked: equal for runs that can be compared, whatever their files are called."""
    return tuple(sorted((key, _content(value)) for key, value in signed_pairs(run).items() if _is_of_the_suite(key)))


def suite_signature(run: Run) -> str:
    """The suite's part of a signature, as it stands there."""
    return "|".join(f"{key}:{value}" for key, value in signed_pairs(run).items() if _is_of_the_suite(key))


def _content(value: str) -> str:
    return value.rpartition("#")[2] if "#" in value else value


def _is_of_the_suite(key: str) -> bool:
    return key not in _OF_THE_SYSTEM and not key.startswith(("system", "scores"))


def check_same_suite(first: Run, second: Run) -> None:
    """Same study, suite, release and way of counting; a file may have another name if its content is the same."""
    signed = [signed_pairs(run) for run in (first, second)]
    for key in dict.fromkeys([*signed[0], *signed[1]]):
        if not _is_of_the_suite(key):
            continue
        values = [pairs.get(key) for pairs in signed]
        contents = [_content(value) if value else value for value in values]
        if contents[0] != contents[1]:
            shown = " and ".join(f"{key} {value}" if value else f"no {key}" for value in values)
            raise UsageError(
                f"these runs are not of the same suite: {shown}",
                where=f"{first.folder} and {second.folder}",
                todo="compare runs on the same release of a suite, with the same settings",
            )


KEY = ("suite", "item", "condition", "unit")
"""What a judgement is about; several of one system about the same (seeds) are averaged."""
CLUSTERS = ("cluster", "cluster_2")
"""What an item was sampled in, in one way or in two that cross; the item itself, where a run does not say it."""
WEIGHT = "weight"
"""How much a judgement counts in the scores of its run: 1, where a run does not say it; 0 where it was not asked."""
_NOT_ASKED = "no gold head"
"""The outcome where gold does not say what is right."""
_NOT_DECIDED = "n/a"
"""Neither right nor wrong: a unit that one system leaves open is compared for none."""
_MEASURE = "measure "
"""What the names of columns begin with that hold measures: a run may have a property of the same name."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A system in a run."""

    name: str
    run: str
    system: str


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """What every entrant got: (units × entrants) for each measure, and the properties of the units."""

    study: str
    suite: str
    signature: str
    """The suite's part of the signatures, which all runs share."""
    entrants: tuple[Entrant, ...]
    item: NDArray[np.int64]
    """The number of each unit's item."""
    clusters: Clusters
    """What the units were sampled in."""
    measures: dict[str, NDArray[np.float64]]
    seeds: tuple[dict[str, NDArray[np.float64]], ...]
    """For each entrant and measure, what each seed got (seeds × units)."""
    weights: NDArray[np.float64]
    """How much each unit counts for each entrant (units × entrants)."""
    units: polars.DataFrame
    """What each unit is called: `KEY`."""
    properties: polars.DataFrame
    grouped: dict[str, set[str]]
    """What the runs' findings are grouped by, and the groups."""

    @property
    def seed_counts(self) -> list[int]:
        """How many seeds each entrant has, where one has several and they count; else empty."""
        counts = [len(next(iter(by_measure.values()))) for by_measure in self.seeds]
        return counts if any(count > 1 for count in counts) else []

    @property
    def over(self) -> str:
        """What intervals and tests go by."""
        single = [entrant.name for entrant, count in zip(self.entrants, self.seed_counts, strict=False) if count == 1]
        note = f" (one seed: {', '.join(single)})" if single else ""
        return f"{self.clusters.name} and seed{note}" if self.seed_counts else self.clusters.name

    def between(self, first: int, second: int) -> Judgements:
        """Those of two entrants alone."""
        two = [first, second]
        return replace(
            self,
            entrants=tuple(self.entrants[number] for number in two),
            measures={name: values[:, two] for name, values in self.measures.items()},
            seeds=tuple(self.seeds[number] for number in two) if self.seeds else (),
            weights=self.weights[:, two],
        )

    def independent(self) -> Judgements:
        """As if every item had been sampled for itself, and other seeds had changed nothing."""
        return replace(self, clusters=Clusters.of(item=self.item), seeds=())


def pair(runs: Sequence[Run]) -> Judgements:
    """The judgements of all systems of all runs; an error says where two runs differ first."""
    import polars as pl

    for run in runs:
        if not run.finished:
            raise UsageError("this run is not finished", where=str(run.folder), todo="call its command again")
    first = runs[0]
    for other in runs[1:]:
        check_same_suite(first, other)
    tables = _judged(runs)
    if all(table["suite"].n_unique() == 1 for table in tables):  # the same content may have another name
        tables = [table.with_columns(pl.lit(tables[0]["suite"][0]).alias("suite")) for table in tables]
    entrants = _entrants(runs, tables)
    base = _of_system(tables[0], entrants[0].system)
    keys = base.select(KEY)
    known = {tuple(row): number for number, row in enumerate(keys.iter_rows(), 1)}
    measures = {name: [base[name].to_numpy()] for name in _measures(base)}
    weights, seeds = [base[WEIGHT].to_numpy()], [_by_seed(base)]
    names = [
        name for name in base.columns if name not in (*KEY[1:], WEIGHT, *CLUSTERS, *measures, *map(_list, measures))
    ]
    sampled = [_clusters(base, first)]
    for entrant in entrants[1:]:
        number = next(i for i, run in enumerate(runs) if str(run.folder) == entrant.run)
        table = _of_system(tables[number], entrant.system)
        _check_items(keys, table, known, first, runs[number])
        for name, columns in measures.items():
            columns.append(table[name].to_numpy())
        weights.append(table[WEIGHT].to_numpy())
        seeds.append(_by_seed(table))
        sampled.append(_clusters(table, runs[number]))
        names = [name for name in names if name in table.columns and base[name].equals(table[name], null_equal=True)]
    named = keys.select(pl.concat_str("suite", "item", separator="\x1f", ignore_nulls=True)).to_series()
    _, item = np.unique(named.to_numpy().astype(str), return_inverse=True)
    suites = [str(suite or "") for suite in keys["suite"].unique(maintain_order=True).to_list()]
    grouped: dict[str, set[str]] = {}
    for run in runs:
        for finding in run.result().findings:
            for key, value in finding.by.items():
                grouped.setdefault(key, set()).add(str(value))
    observed = tables[0]
    # Runs that went by items and by clusters of them are compared by clusters.
    clusters = min(sampled, key=lambda clusters: clusters.count)
    stacked = {name.removeprefix(_MEASURE): np.stack(columns, axis=1) for name, columns in measures.items()}
    return Judgements(
        str(observed["study"][0] or first.record["command"]),
        suites[0] if len(suites) == 1 else f"{len(suites)} suites", suite_signature(first), tuple(entrants),
        item.reshape(-1).astype(np.int64), clusters, stacked, tuple(seeds),
        np.stack(weights, axis=1), keys, base.select(names), grouped,
    )  # fmt: skip


def _judged(runs: Sequence[Run]) -> list[polars.DataFrame]:
    """The observations of each run with a column for every measure, and how much each counts.

    What a judgement is worth is its value: 1, 0, or half of a tie. Evaluation alone has two: right in head and label
    (its outcome), and right in the head (its value).
    """
    import polars as pl

    tables = [_told_apart(run.observations()) for run in runs]
    for run, table in zip(runs, tables, strict=True):
        if not len(table):
            raise InputError("this run has no observations", where=str(run.folder))
        if table["value"].null_count() or table["value"].is_nan().any():
            raise InputError("some observations have no value to compare", where=str(run.folder))
    study = str(tables[0]["study"][0] or runs[0].record["command"])
    # One of the runs may have nothing right: it is the runs together that say what an outcome can be.
    outcomes = {outcome for table in tables for outcome in table["outcome"].unique().to_list()}
    if study == "evaluation":
        right = (pl.col("outcome") == "right").cast(pl.Float64)
        measures = [right.alias(_MEASURE + "las"), pl.col("value").alias(_MEASURE + "uas")]
    else:
        notes = all_notes().get(study)
        observed = notes.observed if notes is not None else ""
        usual = "accuracy" if outcomes & {"right", "wrong"} else "mean"
        value = pl.col("value") / 100 if study == "brackets" else pl.col("value")
        measures = [value.alias(_MEASURE + (observed or usual))]
    shown = []
    for table in tables:
        weight = pl.col(WEIGHT).cast(pl.Float64) if WEIGHT in table.columns else pl.lit(1.0).alias(WEIGHT)
        named = pl.concat_str("suite", "item", separator="\x1f", ignore_nulls=True)
        cluster = [] if CLUSTERS[0] in table.columns else [named.alias(CLUSTERS[0])]
        asked = table.filter(pl.col("outcome") != _NOT_ASKED)
        shown.append(asked.with_columns(*measures, weight, *cluster).drop("value"))
    return _decided(runs, shown) if _NOT_DECIDED in outcomes else shown


def _told_apart(table: polars.DataFrame) -> polars.DataFrame:
    """Items that have the same name are different ones: only judgements by different seeds are about the same."""
    import polars as pl

    before = pl.int_range(pl.len()).over("system", "seed", *KEY)
    item = pl.col("item").cast(pl.String)
    return table.with_columns(pl.when(before > 0).then(pl.format("{} ({})", item, before + 1)).otherwise(item))


def _decided(runs: Sequence[Run], tables: Sequence[polars.DataFrame]) -> list[polars.DataFrame]:
    """The units that no system of any run leaves open."""
    import polars as pl

    is_open = pl.col("outcome") == _NOT_DECIDED
    left = {key for table in tables for key in table.filter(is_open).select(KEY).iter_rows()}
    kept = [
        table.filter(pl.Series([key not in left for key in table.select(KEY).iter_rows()], dtype=pl.Boolean))
        for table in tables
    ]
    for run, table in zip(runs, kept, strict=True):
        if not len(table):
            what = "there is no item that all systems decide"
            raise UsageError(what, where=str(run.folder), todo="compare runs whose trees show the same")
    return kept


def _measures(table: polars.DataFrame) -> list[str]:
    return [name for name in table.columns if name.startswith(_MEASURE) and not name.endswith(" by seed")]


def _entrants(runs: Sequence[Run], tables: Sequence[polars.DataFrame]) -> list[Entrant]:
    by_run = [
        (str(run.folder), system)
        for run, table in zip(runs, tables, strict=True)
        for system in table["system"].fill_null("").unique(maintain_order=True).to_list()
    ]
    if len({run for run, _ in by_run}) < len(runs):
        raise UsageError("a run is named twice", todo="name different runs")
    if len(by_run) < 2:
        raise UsageError("one system in one run: nothing to compare", todo="name another run")
    systems = [system for _, system in by_run]
    return [
        Entrant(system if systems.count(system) == 1 else f"{run}: {system}", run, system) for run, system in by_run
    ]


def _of_system(table: polars.DataFrame, system: str) -> polars.DataFrame:
    """One row per unit, in the order of the run; seeds averaged, and one by one in a list."""
    import polars as pl

    own = table.filter(pl.col("system").fill_null("") == system).drop("study", "system", "seed", "outcome")
    measures = _measures(own)
    rest = [name for name in own.columns if name not in (*KEY, *measures, WEIGHT)]
    return own.group_by(KEY, maintain_order=True).agg(
        [pl.col(name).mean() for name in (*measures, WEIGHT)]
        + [pl.col(name).alias(_list(name)) for name in measures]
        + [pl.col(name).first() for name in rest]
    )


def _clusters(table: polars.DataFrame, run: Run) -> Clusters:
    """What the units of a system were sampled in, as the signature of its run calls it."""
    codes = [table[name].to_numpy().astype(str) for name in CLUSTERS if name in table.columns]
    names = signed_pairs(run).get("clusters", "").partition("=")[0].split("×")
    units = names if len(names) == len(codes) and all(names) else ["item", "second cluster"][: len(codes)]
    return Clusters.of(**dict(zip(units, codes, strict=True)))


def _list(measure: str) -> str:
    """The column with what each seed got."""
    return f"{measure} by seed"


def _by_seed(table: polars.DataFrame) -> dict[str, NDArray[np.float64]]:
    """Seeds × units for each measure; an error where seeds judged different units."""
    by_measure = {}
    for name in _measures(table):
        lists = table[_list(name)].to_list()
        if len({len(values) for values in lists}) > 1:
            raise InputError("the seeds of a system have not all judged the same items", todo="make the run again")
        by_measure[name.removeprefix(_MEASURE)] = np.array(lists, dtype=np.float64).T
    return by_measure


def _check_items(
    keys: polars.DataFrame, table: polars.DataFrame, known: dict[tuple[object, ...], int], first: Run, other: Run
) -> None:
    theirs = table.select(KEY)
    if keys.equals(theirs, null_equal=True):
        return
    where = f"{first.folder} and {other.folder}"
    todo = "compare runs on the same suite"
    for number, (one, two) in enumerate(zip(keys.iter_rows(), theirs.iter_rows(), strict=False), 1):
        if one != two:
            who = f"{other.folder}" if two not in known else "another place"
            raise UsageError(
                f"the runs differ first at judgement {number}: {_told(one)} and {_told(two)} (which is in {who})",
                where=where,
                todo=todo,
            )
    longer, short = (keys, theirs) if len(keys) > len(theirs) else (theirs, keys)
    raise UsageError(
        f"the runs have {len(keys)} and {len(theirs)} judgements; the first without a partner is "
        f"{_told(longer.row(len(short)))}",
        where=where,
        todo=todo,
    )


def _told(key: tuple[object, ...]) -> str:
    return " ".join(f"{name} {value}" for name, value in zip(KEY, key, strict=True) if value not in (None, ""))
