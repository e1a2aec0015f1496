"""The displacement study of a collection: distances in many treebanks, and whether they explain scores."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...runs.record.signatures import digest
from ...runs.result.layout import FindingIndex, opening
from ...runs.result.observations import Observations
from ...runs.result.result import Finding, Result, Table, Verdict
from ...stats.sampling import Clusters, mean
from ...treebank.trees.displacement import LIMIT
from ..engine.study import Kept, Study, Work
from . import correlations as tests
from .analyses import WITH_LAS, analyses
from .collection import CollectionFiles, MeasuredCollection, collection_files, measure_collection, treebank_folders
from .declaration import ANALYSES, HELD_OUT, STUDY, CollectionSettings
from .distances import DISTANCES
from .pair import length_findings, measure_findings, share_findings
from .tables import (
    dependency_length_table,
    excess_findings,
    excess_table,
    left_out_table,
    not_matched,
    subsample_table,
    treebank_table,
    unmatched_tables,
)
from .treebank_scores import (
    Matched,
    ParsedCollection,
    TreebankScores,
    match,
    model_of_sentences,
    model_verdicts,
    parsed_files,
    parsed_findings,
    read_parsed,
    read_scores,
    score_file,
    sentence_model_table,
    with_held_out,
)
from .verdicts import collection_verdicts

if TYPE_CHECKING:
    from ...systems.asking.entrants import Entrant


@dataclass(frozen=True)
class FilesAndScores:
    """The treebanks of a folder, and the tables of scores that they are compared with."""

    files: CollectionFiles
    scores: Sequence[TreebankScores]
    parsed: Sequence[ParsedCollection] = ()
    """Those of the systems whose parses are there; their scores are among `scores`."""


@dataclass(frozen=True)
class ScoredCollection:
    """What was measured of each treebank, and the scores of parsers on them."""

    treebanks: MeasuredCollection
    scores: Sequence[TreebankScores] = ()
    parsed: Sequence[ParsedCollection] = ()


class DisplacementCollection(Study[CollectionSettings, FilesAndScores, MeasuredCollection, ScoredCollection]):
    """How far is test from training data in each of many treebanks, and does that explain parsers' scores?"""

    name = STUDY
    settings = CollectionSettings
    needs_systems = False

    def files(self, source: Any, settings: CollectionSettings) -> list[str]:
        folders = treebank_folders(source)
        treebanks = [file for treebank in folders for file in (*treebank.train, *treebank.test)]
        held_out = [settings.held_out] if settings.held_out else []
        in_folders = [place for place in held_out if score_file(place).is_dir()]
        tables = [*settings.tables, *(place for place in held_out if place not in in_folders)]
        parsed = [parsed_files(place, folders) for place in (*settings.parsed, *in_folders)]
        parses = [file for own in parsed for files in own.values() for file in files]
        return [*treebanks, *(str(score_file(table)) for table in tables), *parses]

    def read(self, source: Any, settings: CollectionSettings) -> FilesAndScores:
        """Tables of scores are read and matched first: what is wrong with them is said before the work."""
        scores = [read_scores(table, settings.las_column) for table in settings.tables]
        files = collection_files(source)
        matched_scores([treebank.name for treebank in files.usable], scores)
        parsed = [read_parsed(place, list(files.usable)) for place in settings.parsed]
        scores += [system.scores for system in parsed]
        if settings.held_out:
            if score_file(settings.held_out).is_dir():
                held_out = read_parsed(settings.held_out, list(files.usable)).scores
            else:
                held_out = read_scores(settings.held_out, settings.las_column)
            scores = [with_held_out(scores[0], held_out, [treebank.name for treebank in files.usable])]
        return FilesAndScores(files, scores, parsed)

    def facts(self, material: FilesAndScores, settings: CollectionSettings) -> Iterable[tuple[str, object]]:
        files = material.files
        contents = digest(*(part for treebank, content in files.usable.items() for part in (treebank.name, content)))[
            :8
        ]
        yield "collection", f"{files.name}#{contents}"
        yield "treebanks", len(files.usable)
        yield "range", LIMIT
        for number, table in enumerate(material.scores, 1):
            yield f"scores{number}", f"{table.system}#{digest(str(table.whole), str(table.lengths))[:8]}"
            if table.held_out:
                yield "held_out", f"{len(table.held_out)}#{digest(str(table.held_out))[:8]}"

    def clusters(self, material: FilesAndScores, settings: CollectionSettings) -> Clusters:
        return Clusters.independent(len(material.files.usable), "treebank")

    def ask(
        self, material: FilesAndScores, entrants: Sequence[Entrant], settings: CollectionSettings, work: Work
    ) -> MeasuredCollection:
        return measure_collection(material.files, settings, work)

    def judge(
        self, material: FilesAndScores, answers: MeasuredCollection, settings: CollectionSettings
    ) -> ScoredCollection:
        return ScoredCollection(answers, material.scores, material.parsed)

    def findings(self, judged: ScoredCollection, settings: CollectionSettings) -> Result:
        """Findings and tables of a collection; without scores only what the treebanks themselves show."""
        collection, scores = judged.treebanks, judged.scores
        own = {system.system: system for system in judged.parsed}
        matched = matched_scores(list(collection.measured), scores, few=own)
        findings, failures = list[Finding](), collection.failures
        for name, values in collection.measured.items():
            findings += [*measure_findings(name, values), *length_findings(name, values)]
            findings += _subsample_findings(name, values)
        findings += _extremes(collection)
        findings += _means(collection)
        last = [left_out_table(collection)]
        for table in scores:
            pairs = matched[table.system]
            if table.system in own:
                findings += parsed_findings(own[table.system])
            else:
                findings += [
                    Finding(STUDY, name, table.system, "las", table.whole[row]) for name, row in pairs.rows.items()
                ]
                findings += [
                    Finding(STUDY, name, table.system, "las", score, by={"length": length})
                    for name, row in pairs.rows.items()
                    for length, score in table.lengths.get(row, {}).items()
                ]
            findings += [
                Finding(STUDY, name, table.system, "las", score, by={"set": HELD_OUT})
                for name, score in table.held_out.items()
            ]
            last += unmatched_tables(pairs, table.system)
            several = f" in {table.system}" if len(scores) > 1 else ""
            failures[f"treebanks without a score{several}"] = len(pairs.treebanks)
            failures[f"scores without a treebank{several}"] = len(pairs.unused)
        findings += excess_findings(FindingIndex(findings), collection)
        index = FindingIndex(findings)
        tables, undefined = [treebank_table(index, collection, list(matched))], list[str]()
        tables += filter(None, [excess_table(index, collection), dependency_length_table(index, collection)])
        for analysis in analyses(collection, scores, matched, settings, undefined):
            findings += analysis.findings
            tables += analysis.tables
        for system in judged.parsed:
            fitted, why = model_of_sentences(system, collection.measured, collection.name)
            findings += fitted
            tables += filter(None, [sentence_model_table(fitted, system.system)])
            undefined += [f"{system.system}: {why}"] if why else []
        if undefined:
            last.append(Table("Not computed", ["analysis and reason"], [(reason,) for reason in undefined]))
        failures["analyses not defined"] = len(undefined)
        details = {
            "left_out": {name: message for name, (_, message) in collection.left_out.items()},
            "undefined": undefined,
            "matched": {system: table.rows for system, table in matched.items()},
            "not_matched": not_matched(matched),
            "not_parsed": {system: dict(parsed.missing) for system, parsed in own.items()},
        }
        tables += filter(None, [subsample_table(index), *last])
        with_scores = [table for table in tables if table.title.startswith(WITH_LAS)]
        return Result(
            findings=findings,
            tables=opening(tables, ANALYSES in settings.by, [tables[0], *with_scores]),
            failures=failures,
            details=details,
        )

    def verdicts(
        self, findings: Sequence[Finding], judged: ScoredCollection, settings: CollectionSettings
    ) -> Iterable[Verdict]:
        collection = judged.treebanks
        yield from collection_verdicts(findings, collection.name, list(collection.measured), settings.covariates)
        for system in judged.parsed:
            yield from model_verdicts(FindingIndex(findings), collection.name, system.system)

    def kept(self, judged: ScoredCollection, settings: CollectionSettings) -> Kept:
        """One row for each treebank and system: its LAS (`value`) and EDV; without scores the EDV is the value."""
        measured = judged.treebanks.measured
        edv = {name: values["distances"]["edv"]["value"] for name, values in measured.items()}
        own = {system.system: system for system in judged.parsed}
        matched = matched_scores(list(measured), judged.scores, few=own)
        rows = [
            (name, table.system, table.whole[row])
            for table in judged.scores
            for name, row in matched[table.system].rows.items()
        ] or [(name, "", value) for name, value in edv.items()]
        columns = {
            "study": STUDY, "suite": judged.treebanks.name, "item": [name for name, *_ in rows], "condition": "",
            "system": [system for _, system, _ in rows], "seed": 0, "unit": "treebank", "outcome": "measured",
            "value": [value for *_, value in rows], "edv": [edv[name] for name, *_ in rows],
        }  # fmt: skip
        return Kept(Observations(columns))


DISPLACEMENT_COLLECTION = DisplacementCollection()


def matched_scores(
    treebanks: Sequence[str], scores: Sequence[TreebankScores], few: Collection[str] = ()
) -> dict[str, Matched]:
    """Which score belongs to which treebank, by system; too few of them are an error, but of the systems in `few`."""
    matched = {
        score.system: match([name for name in treebanks if name not in score.held_out], score.whole) for score in scores
    }
    if len(matched) < len(scores):
        raise UsageError("two tables of scores with one name", todo="name them: --scores NAME=TABLE")
    for system, pairs in matched.items():
        if len(pairs.rows) < tests.FEWEST and system not in few:
            near = [f"{name} (did you mean {' or '.join(close)}?)" for name, close in pairs.treebanks.items() if close]
            known = "; not matched: " + ", ".join(near[:5]) if near else _both_sides(pairs)
            raise UsageError(
                f"{len(pairs.rows)} of {len(treebanks)} treebanks have a score, too few for a correlation",
                where=system,
                todo=f"at least {tests.FEWEST} are needed{known}; leave out --scores for the measures alone",
            )
    return matched


def _both_sides(matched: Matched) -> str:
    """Some names without a partner, where none looks like another."""
    if not matched.treebanks or not matched.unused:
        return ""
    ours, theirs = (", ".join(list(names)[:3]) for names in (matched.treebanks, matched.unused))
    return f"; treebanks such as {ours} are not in the table, which has {theirs}"


def _extremes(collection: MeasuredCollection) -> list[Finding]:
    """The distributions of the nearest and the most distant treebank, for Figure 2."""
    ordered = sorted(
        collection.measured, key=lambda name: float(collection.measured[name]["distances"]["edv"]["value"])
    )
    ends = dict.fromkeys([ordered[0], ordered[-1]])
    return [finding for name in ends for finding in share_findings(name, collection.measured[name])]


def _means(collection: MeasuredCollection) -> list[Finding]:
    """Mean and standard deviation of each distance over the treebanks; the interval is t over treebanks."""
    findings = []
    for measure in DISTANCES:
        values = [float(found["distances"][measure]["value"]) for found in collection.measured.values()]
        if len(values) > 1:
            over = mean(values, Clusters.independent(len(values), "treebank"), least=0)
            head = (STUDY, collection.name, "")
            findings.append(Finding(*head, f"{measure}_mean", over.value, len(values), over.low, over.high))
            findings.append(Finding(*head, f"{measure}_sd", stdev(values), len(values)))
    return findings


def _subsample_findings(name: str, measured: Mapping[str, Any]) -> list[Finding]:
    """Each draw, and mean and standard deviation of all draws of a size."""
    findings = []
    for part in measured["subsamples"]:
        values, measure, size = part["values"], part["measure"], part["size"]
        findings += [
            Finding(STUDY, name, "", measure, value, by={"sample": size, "draw": draw})
            for draw, value in enumerate(values, 1)
        ]
        for suffix, value in (("mean", fmean(values)), ("sd", stdev(values))):
            findings.append(Finding(STUDY, name, "", f"{measure}_{suffix}", value, len(values), by={"sample": size}))
    return findings
