"""The study of one pair: how far is test from training data, and is that more than chance?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import UsageError
from ...runs.layout import SIGNED, Column, FindingIndex, P, measured, table
from ...runs.result import Finding, Table, Value, Verdict
from ...runs.signature import with_hash
from ...stats.sampling import Clusters
from ...treebank.displacement import LIMIT
from ...treebank.given import given_files, given_name, given_treebank
from ...treebank.treebank import Treebank
from ..study import Findings, Kept, Study, Work
from .distances import DISTANCES
from .pair import (
    SIDES,
    corrected_findings,
    documents_of,
    length_findings,
    measure_findings,
    measure_pair,
    share_findings,
)
from .sample import SIDE, sample
from .settings import STUDY, PairSettings
from .verdicts import pair_verdicts

if TYPE_CHECKING:
    from ...runs.inputs import Input
    from ...runs.observations import Observations
    from ...systems.entrants import Entrant

NOTE = (
    "edv: Equation 2 of the EDV paper, in tokens; edv_heights: as published; slv: sentence lengths, in tokens. "
    "95 %: of the distance between samples of these sizes (bootstrap). noise, sd: mean and standard deviation of the "
    "distance over random splits of the same sizes; excess: the distance less this noise, with its own 95 % interval; "
    "z: the excess in sd; p: two-sided, of no excess."
)


@dataclass(frozen=True)
class TrainAndTest:
    """Two treebanks, the second seen from the first."""

    train: Treebank
    test: Treebank

    @property
    def names(self) -> list[str]:
        return [PurePath(treebank.name).name for treebank in (self.train, self.test)]

    def clusters(self, independent: bool = False) -> Clusters:
        """What was sampled of the test side: documents, if both sides have some, else sentences."""
        documents = None if independent else documents_of(self.train, self.test)[1]
        if documents is None:
            return Clusters.independent(len(self.test), "sentence")
        return Clusters(("document",), (documents,))

    def fewest(self, independent: bool = False) -> int:
        """How many were sampled of the side that has fewer."""
        train, test = (None, None) if independent else documents_of(self.train, self.test)
        if train is None or test is None:
            return min(len(self.train), len(self.test))
        return min(len(np.unique(train)), len(np.unique(test)))


@dataclass(frozen=True)
class MeasuredPair:
    """Both treebanks with all that `measure_pair` found out about them."""

    pair: TrainAndTest
    values: Mapping[str, Any]


class DisplacementPair(Study[PairSettings, TrainAndTest, None, MeasuredPair]):
    """How far is test from training data, and is that more than chance? The source is `(train, test)`."""

    name = STUDY
    about = "How far is test from training data, and is that more than chance?"
    settings = PairSettings
    needs_systems = False

    def check(self, source: Any, entrants: Sequence[Entrant], settings: PairSettings) -> None:
        if not isinstance(source, tuple | list) or len(source) != 2:
            raise UsageError("training and test data are needed", where=str(source), todo="give (train, test)")
        if all(isinstance(side, str) and side == "-" for side in source):
            raise UsageError("both sides from standard input", where="-", todo="name a file for one of them")

    def files(self, source: Any, settings: PairSettings) -> list[Input]:
        files: list[Input] = []
        for side in source:
            files += given_files(side) or [(given_name(side), given_treebank(side).to_bytes())]
        return files

    def read(self, source: Any, settings: PairSettings) -> TrainAndTest:
        train, test = map(given_treebank, source)
        return TrainAndTest(train, test)

    def facts(self, material: TrainAndTest, settings: PairSettings) -> Iterable[tuple[str, object]]:
        treebanks = zip(SIDES, material.names, (material.train, material.test), strict=True)
        sides = [(side, with_hash(name, treebank.to_bytes())) for side, name, treebank in treebanks]
        return [*sides, ("range", LIMIT)]

    def clusters(self, material: TrainAndTest, settings: PairSettings) -> Clusters:
        return material.clusters(settings.independent)

    def ask(self, material: TrainAndTest, entrants: Sequence[Entrant], settings: PairSettings, work: Work) -> None:
        """Nobody is asked."""

    def judge(self, material: TrainAndTest, answers: None, settings: PairSettings) -> MeasuredPair:
        values = measure_pair(
            material.train, material.test, draws=settings.draws, seed=settings.seed, variant=settings.variant,
            by=settings.by, independent=settings.independent,
        )  # fmt: skip
        return MeasuredPair(material, values)

    def findings(self, judged: MeasuredPair, settings: PairSettings) -> Findings:
        train, suite = judged.pair.names
        findings = measure_findings(suite, judged.values, judged.pair.fewest(settings.independent))
        findings += [*corrected_findings(findings), *share_findings(suite, judged.values)]
        if "length" in settings.by:
            findings += length_findings(suite, judged.values)
        outside = sum(judged.values["measures"][f"{side}_outside"] for side in SIDES)
        note = judged.pair.clusters(settings.independent).note
        return Findings(
            findings, pair_tables(findings, f"Distance of {suite} from {train}", note),
            {f"edges longer than {LIMIT} words": outside},
        )  # fmt: skip

    def verdicts(self, findings: Sequence[Finding], judged: MeasuredPair, settings: PairSettings) -> Iterable[Verdict]:
        train, test = judged.pair.names
        return pair_verdicts(findings, train, test, judged.pair.clusters(settings.independent).name)

    def kept(self, judged: MeasuredPair, settings: PairSettings) -> Kept:
        return Kept(observations(judged.pair, settings.seed))


DISPLACEMENT_PAIR = DisplacementPair()


def pair_tables(findings: Sequence[Finding], title: str, few: str = "") -> list[Table]:
    """The distances, both sides, and the distances by sentence length where they were measured."""
    index = FindingIndex(findings)
    drawn = any(finding.measure == "edv_p" for finding in findings)
    names = Column("measure", list(DISTANCES))
    columns = _distance_columns(index, "value", [(name, {}) for name in DISTANCES])
    tables = [
        table(title, [names, *columns], note=" ".join(filter(None, [NOTE, few])) if drawn else "", digits=4),
        _side_table(index),
    ]
    if groups := index.groups("length", measure="edv"):
        counts = [Column("length", [group["length"] for group in groups])]
        for side in SIDES:
            counts += measured(side, [index.get(f"{side}_sentences", by=group) for group in groups])
        columns = _distance_columns(index, "edv", [("edv", group) for group in groups])
        note = "train, test: sentences of this length."
        tables.append(table("By sentence length", [*counts, *columns], note=note, digits=3))
    return tables


def _distance_columns(
    index: FindingIndex, header: str, rows: Sequence[tuple[str, Mapping[str, Value]]]
) -> list[Column]:
    """Distances with their intervals; where random splits were drawn, the noise floor and the excess over it."""

    def of(suffix: str) -> list[Finding | None]:
        return [index.get(name + suffix, by=by) for name, by in rows]

    columns = measured(header, of(""), interval=True)
    if any(of("_p")):
        columns += [*measured("noise", of("_noise_mean")), *measured("sd", of("_noise_sd"))]
        columns += measured("excess", of("_excess"), kind=SIGNED, interval=True)
        columns += [*measured("z", of("_z"), kind=SIGNED, digits=1), *measured("p", of("_p"), kind=P)]
    return columns


def _side_table(index: FindingIndex) -> Table:
    columns = [Column("measure", [name.replace("_", " ") for name in SIDE])]
    for side in SIDES:
        columns += measured(side, [index.get(f"{side}_{name}") for name in SIDE])
    note = "length: mean words per sentence; med: mean edge displacement of a sentence (Equation 3), its mean and sd."
    return table("Both sides", columns, digits=4, note=note)


def observations(pair: TrainAndTest, seed: int = 0) -> Observations:
    """One row per sentence: its MED (`value`) and its length."""
    from ...runs.observations import Observations

    parts = []
    for side, treebank in zip(SIDES, (pair.train, pair.test), strict=True):
        counts = sample(treebank)
        columns = {
            "study": STUDY, "suite": PurePath(treebank.name).name, "condition": side, "system": "", "seed": seed,
            "item": treebank.sentence_names,
            "unit": "sentence",
            "outcome": ["measured" if known else "no edge" for known in (~np.isnan(counts.med)).tolist()],
            "value": [None if np.isnan(value) else value for value in counts.med.tolist()],
            "length": counts.lengths.tolist(),
        }  # fmt: skip
        parts.append(Observations(columns))
    return Observations.joined(parts)
