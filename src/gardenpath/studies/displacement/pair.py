"""The displacement study of one pair of training and test data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...errors import UsageError
from ...runs.record.signatures import with_hash
from ...runs.result.layout import SIGNED, Column, FindingIndex, P, measured, table
from ...runs.result.result import Finding, Result, Table, Value, Verdict
from ...runs.result.verdict import count_text
from ...stats.sampling import Clusters
from ...treebank.format.reading import given_files, given_name, given_treebank
from ...treebank.format.treebank import Treebank
from ...treebank.trees.displacement import LIMIT
from ...treebank.trees.measures import Variant
from ..engine.corrections import corrected
from ..engine.study import Kept, Study, Work
from .declaration import STUDY, PairSettings
from .distances import DISTANCES, SIDE, Ints, by_length, distances, joined, sample, side_measures, subsamples
from .verdicts import pair_verdicts

if TYPE_CHECKING:
    from ...runs.record.signatures import Input
    from ...runs.result.observations import Observations
    from ...systems.asking.entrants import Entrant


SIDES = ("train", "test")


def measure_pair(
    train: Treebank,
    test: Treebank,
    *,
    draws: int = 1000,
    seed: int = 0,
    variant: str = "text",
    by: Sequence[str] = (),
    sizes: Sequence[int] = (),
    names: tuple[str, str] = ("", ""),
    independent: bool = False,
) -> dict[str, Any]:
    """All that one pair shows, in plain values that can be kept as JSON; documents are drawn where both mark them."""
    documents = (None, None) if independent else documents_of(train, test)
    sides = first, second = sample(train, names[0], documents[0]), sample(test, names[1], documents[1])
    kind = cast("Variant", variant)
    measures = joined(*(side_measures(tb, side, kind) for tb, side in zip((train, test), sides, strict=True)))
    bins = by_length(first, second, draws=draws if "length" in by else 0, seed=seed)
    parts = subsamples(first, second, tuple(sizes), seed=seed)
    return {
        "measures": measures,
        "documents": [None if numbers is None else len(np.unique(numbers)) for numbers in documents],
        "effective": min(
            Clusters.independent(len(treebank), "sentence", treebank.lengths).effective
            if numbers is None
            else Clusters.of(treebank.lengths, document=numbers).effective
            for treebank, numbers in zip((train, test), documents, strict=True)
        ),
        "distances": {
            name: asdict(measured) for name, measured in distances(first, second, draws=draws, seed=seed).items()
        },
        "lengths": [asdict(one) for one in bins],
        "counts": {side: counts.histogram.tolist() for side, counts in zip(SIDES, sides, strict=True)},
        "subsamples": [
            {"size": size, "measure": name, "values": values.tolist()}
            for size, measured in parts.items()
            for name, values in measured.items()
        ],
    }


def documents_of(train: Treebank, test: Treebank) -> tuple[Ints | None, Ints | None]:
    """The documents of both sides, if both mark them; else only sentences can be drawn."""
    if train.documents is None or test.documents is None:
        return None, None
    return train.documents, test.documents


def measure_findings(suite: str, measured: Mapping[str, Any]) -> list[Finding]:
    """Distances and their excess over the noise floor, with intervals, and the measures of both sides.

    `split_unit` is what random splits deal out; n of p is how many of them the side has that has fewer.
    """
    findings, measures = list[Finding](), measured["measures"]
    by_document = None not in measured["documents"]
    units = measured["documents"] if by_document else [measures[f"{side}_sentences"] for side in SIDES]
    for name in DISTANCES:
        distance = measured["distances"][name]
        worth = min(units), measured["effective"]
        findings += _distance_findings(suite, name, distance, measures["test_sentences"], {}, worth)
    if measured["distances"]["edv"]["noise_mean"] is not None:
        findings.append(Finding(STUDY, suite, "", "split_unit", "document" if by_document else "sentence", sum(units)))
    for name, value in measures.items():
        side = name.partition("_")[0]
        findings.append(Finding(STUDY, suite, "", name, value, measures[f"{side}_sentences"]))
    return findings


def _distance_findings(
    suite: str, name: str, distance: Mapping[str, Any], n: int, by: dict[str, Value],
    worth: tuple[int, float] | tuple[None, None] = (None, None),
) -> list[Finding]:  # fmt: skip
    """Return the findings of a distance; `worth` are the clusters behind its p, and how many they are worth."""
    first = Finding(STUDY, suite, "", name, distance["value"], n, distance["low"], distance["high"], by)
    if distance["noise_mean"] is None:
        return [first]
    low, middle, high = distance["noise_quantiles"]
    above = (distance["excess"], n, distance["excess_low"], distance["excess_high"])
    return [
        first,
        Finding(STUDY, suite, "", f"{name}_excess", *above, by),
        Finding(STUDY, suite, "", f"{name}_noise_mean", distance["noise_mean"], by=by),
        Finding(STUDY, suite, "", f"{name}_noise_sd", distance["noise_sd"], by=by),
        Finding(STUDY, suite, "", f"{name}_noise_median", middle, None, low, high, by),
        Finding(STUDY, suite, "", f"{name}_z", distance["z"], by=by),
        Finding(STUDY, suite, "", f"{name}_p", distance["p"], worth[0], by=by, effective=worth[1]),
    ]


def length_findings(suite: str, measured: Mapping[str, Any]) -> list[Finding]:
    """The same for the sentences of each length."""
    findings = []
    for part in measured["lengths"]:
        by: dict[str, Value] = {"length": part["length"]}
        for name, distance in part["distances"].items():
            findings += _distance_findings(suite, name, distance, part["test"], by)
        findings += [Finding(STUDY, suite, "", f"{side}_sentences", part[side], by=by) for side in SIDES]
    return findings


def share_findings(suite: str, measured: Mapping[str, Any]) -> list[Finding]:
    """Both distributions, for Figure 2."""
    findings = []
    for side, counts in measured["counts"].items():
        total = sum(counts)
        findings += [
            Finding(STUDY, suite, "", "share", count / total, total, by={"split": side, "displacement": place - LIMIT})
            for place, count in enumerate(counts)
        ]
    return findings


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
        """What was sampled of the test side: documents, if both sides mark them, else sentences."""
        documents = None if independent else documents_of(self.train, self.test)[1]
        if documents is None:
            return Clusters.independent(len(self.test), "sentence")
        return Clusters(("document",), (documents,))


@dataclass(frozen=True)
class MeasuredPair:
    """Both treebanks with all that `measure_pair` found out about them."""

    pair: TrainAndTest
    values: Mapping[str, Any]


class DisplacementPair(Study[PairSettings, TrainAndTest, None, MeasuredPair]):
    """How far is test from training data, and is that more than chance? The source is `(train, test)`."""

    name = STUDY
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

    def findings(self, judged: MeasuredPair, settings: PairSettings) -> Result:
        train, suite = judged.pair.names
        findings = measure_findings(suite, judged.values)
        findings = [*corrected(findings, lambda _: "distances"), *share_findings(suite, judged.values)]
        if "length" in settings.by:
            findings += length_findings(suite, judged.values)
        outside = sum(judged.values["measures"][f"{side}_outside"] for side in SIDES)
        note = judged.pair.clusters(settings.independent).note
        return Result(
            findings=findings, tables=pair_tables(findings, f"Distance of {suite} from {train}", note),
            failures={f"edges longer than {LIMIT} words": outside},
        )  # fmt: skip

    def verdicts(self, findings: Sequence[Finding], judged: MeasuredPair, settings: PairSettings) -> Iterable[Verdict]:
        train, test = judged.pair.names
        clusters = judged.pair.clusters(settings.independent)
        known = settings.independent or clusters.name == "document"
        return pair_verdicts(findings, train, test, clusters.name if known else "")

    def kept(self, judged: MeasuredPair, settings: PairSettings) -> Kept:
        return Kept(observations(judged.pair, settings.seed))


DISPLACEMENT_PAIR = DisplacementPair()


def pair_tables(findings: Sequence[Finding], title: str, few: str = "") -> list[Table]:
    """The distances, both sides, and the distances by sentence length where they were measured."""
    index = FindingIndex(findings)
    dealt = index.get("split_unit")
    note = "" if dealt is None else " ".join(filter(None, [NOTE, _dealt_note(dealt), few]))
    names = Column("measure", list(DISTANCES))
    columns = _distance_columns(index, "value", [(name, {}) for name in DISTANCES])
    tables = [
        table(title, [names, *columns], note=note, digits=4),
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


def _dealt_note(dealt: Finding) -> str:
    note = f"Random splits deal out {count_text(dealt.n, str(dealt.value))}"
    return f"{note}." if dealt.value == "document" else f"{note}, as if none were alike because of their document."


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
    from ...runs.result.observations import Observations

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
