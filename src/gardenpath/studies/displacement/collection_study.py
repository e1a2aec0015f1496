"""The study of a collection: measures of all treebanks, and with scores the analyses of Sections 4 and 5."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import UsageError
from ...runs.layout import FindingIndex
from ...runs.result import Finding, Table, Verdict
from ...runs.signature import digest
from ...stats.sampling import Clusters
from ...treebank.displacement import LIMIT
from ..study import Findings, Study, Work
from . import correlations as tests
from .collection import CollectionFiles, MeasuredCollection, collection_files, measure_collection, treebank_folders
from .collection_tables import (
    excess_findings,
    excess_table,
    left_out_table,
    not_matched,
    subsample_table,
    treebank_table,
    unmatched_tables,
)
from .las import Matched, TreebankScores, match, read_scores, score_file
from .models import background, mean_error, model_findings, models, predictions
from .pair import length_findings, measure_findings, share_findings
from .sample_dependence import dependence_findings, dependence_table
from .score_tables import correlation_table, length_table, model_table, normality_table, prediction_table
from .settings import STUDY, CollectionSettings
from .variables import Data, gathered
from .verdicts import collection_verdicts

if TYPE_CHECKING:
    from ...systems.entrants import Entrant

_NOTE = "ρ: Spearman's. Holm, BH: p corrected for all tests of this table (Holm; Benjamini and Hochberg)."


@dataclass(frozen=True)
class FilesAndScores:
    """The treebanks of a folder, and the tables of scores that they are compared with."""

    files: CollectionFiles
    scores: Sequence[TreebankScores]


@dataclass(frozen=True)
class ScoredCollection:
    """What was measured of each treebank, and the scores of parsers on them."""

    treebanks: MeasuredCollection
    scores: Sequence[TreebankScores] = ()


class DisplacementCollection(Study[CollectionSettings, FilesAndScores, MeasuredCollection, ScoredCollection]):
    """How far is test from training data in each of many treebanks, and does that explain parsers' scores?"""

    name = STUDY
    about = "How far is test from training data in each of many treebanks, and does that explain parsers' scores?"
    settings = CollectionSettings
    needs_systems = False

    def files(self, source: Any, settings: CollectionSettings) -> list[str]:
        treebanks = [file for treebank in treebank_folders(source) for file in (*treebank.train, *treebank.test)]
        return [*treebanks, *(str(score_file(table)) for table in settings.las)]

    def read(self, source: Any, settings: CollectionSettings) -> FilesAndScores:
        """Tables of scores are read and matched first: what is wrong with them is said before the work."""
        scores = [read_scores(table, settings.las_column) for table in settings.las]
        files = collection_files(source)
        matched_scores([treebank.name for treebank in files.usable], scores)
        return FilesAndScores(files, scores)

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

    def clusters(self, material: FilesAndScores, settings: CollectionSettings) -> Clusters:
        return Clusters.independent(len(material.files.usable), "treebank")

    def ask(
        self, material: FilesAndScores, entrants: Sequence[Entrant], settings: CollectionSettings, work: Work
    ) -> MeasuredCollection:
        return measure_collection(material.files, settings, work)

    def judge(
        self, material: FilesAndScores, answers: MeasuredCollection, settings: CollectionSettings
    ) -> ScoredCollection:
        return ScoredCollection(answers, material.scores)

    def findings(self, judged: ScoredCollection, settings: CollectionSettings) -> Findings:
        """Findings and tables of a collection; without scores only what the treebanks themselves show."""
        collection, scores = judged.treebanks, judged.scores
        matched = matched_scores(list(collection.measured), scores)
        findings, failures = list[Finding](), collection.failures
        for name, values in collection.measured.items():
            findings += [*measure_findings(name, values), *length_findings(name, values)]
            findings += _subsample_findings(name, values)
        findings += _extremes(collection)
        last = [left_out_table(collection)]
        for table in scores:
            pairs = matched[table.system]
            findings += [
                Finding(STUDY, name, table.system, "las", table.whole[row]) for name, row in pairs.rows.items()
            ]
            last += unmatched_tables(pairs, table.system)
            several = f" in {table.system}" if len(scores) > 1 else ""
            failures[f"treebanks without a score{several}"] = len(pairs.treebanks)
            failures[f"scores without a treebank{several}"] = len(pairs.unused)
        findings += excess_findings(FindingIndex(findings), collection)
        index = FindingIndex(findings)
        tables, undefined = [treebank_table(index, collection, list(matched))], list[str]()
        tables += filter(None, [excess_table(index, collection)])
        for analysis in _analyses(collection, scores, matched, settings, undefined):
            findings += analysis.findings
            tables += analysis.tables
        if undefined:
            last.append(Table("Not computed", ["analysis and reason"], [(reason,) for reason in undefined]))
        failures["analyses not defined"] = len(undefined)
        details = {
            "left_out": {name: message for name, (_, message) in collection.left_out.items()},
            "undefined": undefined,
            "matched": {system: table.rows for system, table in matched.items()},
            "not_matched": not_matched(matched),
        }
        tables += filter(None, [subsample_table(index, collection), *last])
        return Findings(findings, tables, failures, details)

    def verdicts(
        self, findings: Sequence[Finding], judged: ScoredCollection, settings: CollectionSettings
    ) -> Iterable[Verdict]:
        collection = judged.treebanks
        return collection_verdicts(findings, collection.name, list(collection.measured), settings.covariates)


DISPLACEMENT_COLLECTION = DisplacementCollection()


def matched_scores(treebanks: Sequence[str], scores: Sequence[TreebankScores]) -> dict[str, Matched]:
    """Which score belongs to which treebank, by system; too few of them are an error."""
    matched = {score.system: match(treebanks, score.whole) for score in scores}
    if len(matched) < len(scores):
        raise UsageError("two tables of scores with one name", todo="name them: --las NAME=TABLE")
    for system, pairs in matched.items():
        if len(pairs.rows) < tests.FEWEST:
            near = [f"{name} (did you mean {' or '.join(close)}?)" for name, close in pairs.treebanks.items() if close]
            known = "; not matched: " + ", ".join(near[:5]) if near else _both_sides(pairs)
            raise UsageError(
                f"{len(pairs.rows)} of {len(treebanks)} treebanks have a score, too few for a correlation",
                where=system,
                todo=f"at least {tests.FEWEST} are needed{known}; leave out --las for the measures alone",
            )
    return matched


def _both_sides(matched: Matched) -> str:
    """Some names without a partner, where none looks like another."""
    if not matched.treebanks or not matched.unused:
        return ""
    ours, theirs = (", ".join(list(names)[:3]) for names in (matched.treebanks, matched.unused))
    return f"; treebanks such as {ours} are not in the table, which has {theirs}"


def _analyses(
    collection: MeasuredCollection,
    scores: Sequence[TreebankScores],
    matched: Mapping[str, Matched],
    settings: CollectionSettings,
    undefined: list[str],
) -> Iterable[Findings]:
    """The analyses of each system's scores; without scores those that need none. What is undefined is noted."""
    for table in scores:
        las = {name: table.whole[row] for name, row in matched[table.system].rows.items()}
        yield _analysis(collection, gathered(collection.measured, las), table, settings, undefined)
    if not scores and len(collection.measured) >= tests.FEWEST:
        yield _analysis(collection, gathered(collection.measured), None, settings, undefined)
    elif not scores:
        undefined.append(f"correlations: {len(collection.measured)} treebanks are too few, {tests.FEWEST} are needed")


def _analysis(
    collection: MeasuredCollection,
    data: Data,
    scores: TreebankScores | None,
    settings: CollectionSettings,
    undefined: list[str],
) -> Findings:
    """All analyses of one system's scores; without scores those that need none."""
    system, suite, covariates = scores.system if scores else "", collection.name, settings.covariates
    findings, why = tests.normality(data, system, suite)
    tables = [normality_table(findings)]
    between = ("Correlation between variables (EDV paper: Tables 3, B.1)", tests.with_edv(data), ("variables",))
    families: list[tuple[str, tests.Family, tuple[str, ...]]] = [between]
    if scores:
        first = ("Correlation with LAS (EDV paper: Table 2)", tests.with_las(data), ("variable",))
        removed = background(data, system, suite, covariates)
        family, is_complex = tests.by_complexity(data, covariates)
        lengths, own = _lengths(collection, data, scores)
        of = "each length" if own else "the whole test set"
        families = [
            first,
            between,
            (
                "Correlation with LAS after background removal (EDV paper: Figures 7, 8)", removed.family,
                ("variable", "removed"),
            ),
            (
                "Partial correlation with LAS (EDV paper: Table 4)", tests.partial(data, covariates),
                ("variable", "covariates"),
            ),
            ("By morphological complexity (EDV paper: Table 6)", family, ("variable", "set", "covariates")),
            (f"By sentence length, LAS of {of} (EDV paper: Figure 10)", tests.by_length(lengths), ()),
        ]  # fmt: skip
        findings += removed.findings
        findings += [Finding(STUDY, name, system, "complex", int(value)) for name, value in is_complex.items()]
    for title, family, headings in families:
        tested = list(tests.findings_of(family.corrected(), system, suite))
        why += family.undefined
        findings += tested
        if tested:
            note = _NOTE if len(tables) == 1 else ""
            tables.append(correlation_table(title, tested, headings, note) if headings else length_table(title, tested))
    if scores:
        depends = dependence_findings(data, covariates, system, suite, draws=settings.draws, seed=settings.seed)
        findings += depends
        tables += filter(None, [dependence_table(depends)])
        more, shown, not_fitted = _models(collection, data, system)
        findings += more
        tables += shown
        why += not_fitted
    undefined += [f"{system}: {reason}" if system else reason for reason in why]
    return Findings(findings, tables)


def _models(collection: MeasuredCollection, data: Data, system: str) -> tuple[list[Finding], list[Table], list[str]]:
    """Linear models of the score, and what they predict for treebanks that they have not seen."""
    fitted, why = models(data)
    if not fitted:
        return [], [], why
    findings = model_findings(fitted, mean_error(data), system, collection.name)
    unseen = {
        name: {**values["measures"], **{key: distance["value"] for key, distance in values["distances"].items()}}
        for name, values in collection.measured.items()
        if name not in data.names
    }
    predicted = predictions(fitted, unseen, system)
    scores = [
        Finding(STUDY, name, system, "las", value) for name, value in zip(data.names, data["las"].tolist(), strict=True)
    ]
    return [*findings, *predicted], [model_table(findings), prediction_table([*scores, *predicted])], why


def _lengths(collection: MeasuredCollection, data: Data, scores: TreebankScores) -> tuple[dict[int, Data], bool]:
    """The treebanks that have sentences of a length, with the EDV of these; LAS too, where the table has it."""
    own = bool(scores.lengths)
    rows = match(data.names, scores.lengths).rows if own else {}
    by_length: dict[int, dict[str, dict[str, float]]] = {}
    for place, name in enumerate(data.names):
        for part in collection.measured[name]["lengths"]:
            length = int(part["length"])
            las = scores.lengths.get(rows.get(name, ""), {}).get(length) if own else float(data["las"][place])
            if las is not None:
                values = {key: float(distance["value"]) for key, distance in part["distances"].items()}
                values |= {"las": las, "train_tokens": float(data["train_tokens"][place])}
                by_length.setdefault(length, {})[name] = values
    lengths = {}
    for length in sorted(by_length):
        treebanks = by_length[length]
        keys = next(iter(treebanks.values()))
        columns = {key: np.array([row[key] for row in treebanks.values()]) for key in keys}
        lengths[length] = Data(tuple(treebanks), columns)
    return lengths, own


def _extremes(collection: MeasuredCollection) -> list[Finding]:
    """The distributions of the nearest and the most distant treebank, for Figure 2."""
    ordered = sorted(
        collection.measured, key=lambda name: float(collection.measured[name]["distances"]["edv"]["value"])
    )
    ends = dict.fromkeys([ordered[0], ordered[-1]])
    return [finding for name in ends for finding in share_findings(name, collection.measured[name])]


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
