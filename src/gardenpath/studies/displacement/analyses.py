"""The analyses of Sections 4 and 5 of the EDV paper: what goes with the scores of a collection of treebanks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ...runs.result.result import Finding, Result, Table
from . import correlations as tests
from .collection import MeasuredCollection
from .correlations import dependence_findings, dependence_table
from .declaration import STUDY, CollectionSettings
from .models import background, held_out_findings, mean_error, model_findings, models, predictions
from .tables import (
    correlation_table,
    held_out_table,
    length_table,
    model_table,
    normality_table,
    prediction_table,
)
from .treebank_scores import Matched, TreebankScores, match
from .variables import Data, gathered

WITH_LAS = "Correlation with LAS (EDV paper: Table 2)"
_NOTE = "ρ: Spearman's. Holm, BH: p corrected for all tests of this table (Holm; Benjamini and Hochberg)."


def analyses(
    collection: MeasuredCollection,
    scores: Sequence[TreebankScores],
    matched: Mapping[str, Matched],
    settings: CollectionSettings,
    undefined: list[str],
) -> Iterable[Result]:
    """The analyses of each system's scores; without scores those that need none. What is undefined is noted."""
    for table in scores:
        las = {name: table.whole[row] for name, row in matched[table.system].rows.items()}
        if len(las) < tests.FEWEST:
            undefined.append(f"{table.system}: {len(las)} treebanks with a score, {tests.FEWEST} are needed")
            continue
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
) -> Result:
    """All analyses of one system's scores; without scores those that need none."""
    system, suite, covariates = scores.system if scores else "", collection.name, settings.covariates
    findings, why = tests.normality(data, system, suite)
    tables = [normality_table(findings)]
    between = ("Correlation between variables (EDV paper: Tables 3, B.1)", tests.with_edv(data), ("variables",))
    families: list[tuple[str, tests.Family, tuple[str, ...]]] = [between]
    if scores:
        first = (WITH_LAS, tests.with_las(data), ("variable",))
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
            (
                "Partial correlation of other variables with LAS (EDV paper: Section 4.2.2)",
                tests.partial_of_others(data, covariates), ("variable", "covariates"),
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
        more, shown, not_fitted = _models(collection, data, scores)
        findings += more
        tables += shown
        why += not_fitted
    undefined += [f"{system}: {reason}" if system else reason for reason in why]
    return Result(findings=findings, tables=tables)


def _models(
    collection: MeasuredCollection, data: Data, table: TreebankScores
) -> tuple[list[Finding], list[Table], list[str]]:
    """Linear models of the score, and what they predict for treebanks that they have not seen."""
    system, held_out = table.system, table.held_out
    fitted, why = models(data)
    if not fitted:
        return [], [], why
    findings = model_findings(fitted, mean_error(data), system, collection.name)
    unseen = {
        name: {**values["measures"], **{key: distance["value"] for key, distance in values["distances"].items()}}
        for name, values in collection.measured.items()
        if name not in data.names
    }
    predicted = predictions(fitted, unseen, held_out, system)
    las = {**dict(zip(data.names, data["las"].tolist(), strict=True)), **held_out}
    scores = [Finding(STUDY, name, system, "las", value) for name, value in las.items()]
    tested = held_out_findings(fitted, unseen, held_out, system, collection.name)
    tables = [model_table(findings), *([held_out_table(tested)] if tested else [])]
    return [*findings, *tested, *predicted], [*tables, prediction_table([*scores, *predicted])], why


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
