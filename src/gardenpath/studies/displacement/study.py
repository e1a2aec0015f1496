"""The collection study: measures of all treebanks, and with scores the analyses of Sections 4 and 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import UsageError
from ...runs.result import Finding, Result, Table
from ...runs.signature import digest, signature
from ...treebank.displacement import LIMIT
from . import correlations as tests
from .collection import Collection, left_out_table, subsample_tables, treebank_table
from .las import Matched, Scores, match
from .models import background, mean_error, model_results, models, predictions
from .pair import STUDY, length_findings, measure_findings, share_findings
from .variables import COVARIATES, Data, gathered

_NOTE = "ρ: Spearman's. Holm, BH: p corrected for all tests of this table (Holm; Benjamini and Hochberg)."


def collection_study(
    found: Collection,
    scores: Sequence[Scores] = (),
    *,
    covariates: Sequence[str] = COVARIATES,
    facts: Mapping[str, object] | None = None,
) -> Result:
    """Findings and tables of a collection; without scores only what the treebanks themselves show."""
    matched = {one.system: match(found.measured, one.whole) for one in scores}
    if len(matched) < len(scores):
        raise UsageError("two tables of scores with one name", todo="name them: --las NAME=TABLE")
    las = {one.system: {name: one.whole[row] for name, row in matched[one.system].rows.items()} for one in scores}
    _check_enough(found, las, matched)
    findings, failures = list[Finding](), dict(found.failures)
    for name, one in found.measured.items():
        findings += [*measure_findings(name, one), *length_findings(name, one), *_subsample_findings(name, one)]
    findings += _extremes(found)
    tables = [treebank_table(found, las)]
    last = list(filter(None, [left_out_table(found)]))
    for system, one_match in matched.items():
        findings += [Finding(STUDY, name, system, "las", value) for name, value in las[system].items()]
        last += _unmatched_tables(one_match, system)
        several = f" in {system}" if len(scores) > 1 else ""
        failures[f"treebanks without a score{several}"] = len(one_match.treebanks)
        failures[f"scores without a treebank{several}"] = len(one_match.unused)
    analyses: list[tuple[Scores, dict[str, float]] | None] = [(one, las[one.system]) for one in scores]
    if not scores and len(found.measured) >= tests.FEWEST:
        analyses = [None]
    undefined: list[str] = []
    if not analyses:
        undefined.append(f"correlations: {len(found.measured)} treebanks are too few, {tests.FEWEST} are needed")
    for entry in analyses:
        more = _analysis(found, entry, tuple(covariates))
        findings += more[0]
        tables += more[1]
        undefined += more[2]
    if undefined:
        last.append(Table("Not computed", ["analysis and reason"], [(reason,) for reason in undefined]))
    tables += [*subsample_tables(found), *last]
    failures["analyses not defined"] = len(undefined)
    contents = digest(*(f"{name}\0{one['counts']}" for name, one in found.measured.items()))[:8]
    marks = [("study", STUDY), ("collection", f"{found.name}#{contents}"), ("treebanks", len(found.measured))]
    held = [("covariates", list(covariates) or None)] if scores else []
    signed = signature(*marks, ("range", LIMIT), *held, *(facts or {}).items())
    details: dict[str, Any] = {
        "left_out": {name: message for name, (_, message) in found.left_out.items()},
        "undefined": undefined,
        "matched": {system: one.rows for system, one in matched.items()},
        "not_matched": {system: {"treebanks": one.treebanks, "scores": one.unused} for system, one in matched.items()},
    }
    return Result(signed, findings, tables, failures, details)


def _check_enough(found: Collection, las: Mapping[str, Mapping[str, float]], matched: Mapping[str, Matched]) -> None:
    for system, values in las.items():
        if len(values) < tests.FEWEST:
            near = [
                f"{name} (did you mean {' or '.join(close)}?)"
                for name, close in matched[system].treebanks.items()
                if close
            ]
            known = "; not matched: " + ", ".join(near[:5]) if near else _both_sides(matched[system])
            raise UsageError(
                f"{len(values)} of {len(found.measured)} treebanks have a score, too few for a correlation",
                where=system,
                todo=f"at least {tests.FEWEST} are needed{known}; leave out --las for the measures alone",
            )


def _both_sides(matched: Matched) -> str:
    """Some names without a partner, where none looks like another."""
    if not matched.treebanks or not matched.unused:
        return ""
    ours, theirs = (", ".join(list(names)[:3]) for names in (matched.treebanks, matched.unused))
    return f"; treebanks such as {ours} are not in the table, which has {theirs}"


def _analysis(
    found: Collection, entry: tuple[Scores, Mapping[str, float]] | None, covariates: tuple[str, ...]
) -> tuple[list[Finding], list[Table], list[str]]:
    """All analyses of one system's scores; without scores those that need none."""
    scores, las = entry if entry else (None, None)
    system = scores.system if scores else ""
    data, suite = gathered(found.measured, las), found.name
    findings, table, undefined = tests.normality(data, system, suite)
    tables = [table]
    families: list[tuple[tests.Family, str, dict[str, str]]] = []
    if scores:
        families.append((tests.with_las(data), "Correlation with LAS (EDV paper: Table 2)", {"variable": "x"}))
    families.append(
        (tests.with_edv(data), "Correlation between variables (EDV paper: Tables 3, B.1)", {"variables": "pair"})
    )
    if scores and las:
        removed = background(data, system, suite, covariates)
        findings += removed.findings
        title = "Correlation with LAS after background removal (EDV paper: Figures 7, 8)"
        families.append((removed.family, title, {"variable": "x", "removed": "removed"}))
        by_covariates = {"variable": "x", "covariates": "covariates"}
        title = "Partial correlation with LAS (EDV paper: Table 4)"
        families.append((tests.partial(data, covariates), title, by_covariates))
        family, is_complex = tests.by_complexity(data, covariates)
        if is_complex is not None:
            known = data.known(["train_morphological_complexity"])
            findings += [
                Finding(STUDY, name, system, "complex", int(one))
                for name, one in zip(known.names, is_complex.tolist(), strict=True)
            ]
        title = "By morphological complexity (EDV paper: Table 6)"
        families.append((family, title, {"variable": "x", "set": "set", "covariates": "covariates"}))
        lengths, own = _lengths(found, data, scores)
        title = f"By sentence length, LAS of {'each length' if own else 'the whole test set'} (EDV paper: Figure 10)"
        families.append((tests.by_length(lengths), title, {}))
    for family, title, first in families:
        corrected = family.corrected()
        undefined += family.undefined
        findings += tests.findings_of(corrected, system, suite)
        if corrected:
            note = _NOTE if len(tables) == 1 else ""
            by = tests.table_of(title, corrected, system, first, note) if first else None
            tables.append(by or tests.length_table(title, corrected, system))
    if scores:
        fitted, why = models(data)
        undefined += why
        if fitted:
            more, table = model_results(fitted, mean_error(data), system, suite)
            unseen = {
                name: {**one["measures"], **{key: value["value"] for key, value in one["distances"].items()}}
                for name, one in found.measured.items()
                if name not in data.names
            }
            predicted, shown = predictions(fitted, unseen, system)
            findings += [*more, *predicted]
            tables += [table, *filter(None, [shown])]
    return findings, tables, [f"{system}: {reason}" if system else reason for reason in undefined]


def _lengths(found: Collection, data: Data, scores: Scores) -> tuple[dict[int, Data], bool]:
    """The treebanks that have sentences of a length, with the EDV of these; LAS too, where the table has it."""
    own = bool(scores.lengths)
    rows = match(data.names, scores.lengths).rows if own else {}
    by_length: dict[int, dict[str, dict[str, float]]] = {}
    for place, name in enumerate(data.names):
        for one in found.measured[name]["lengths"]:
            length = int(one["length"])
            las = scores.lengths.get(rows.get(name, ""), {}).get(length) if own else float(data["las"][place])
            if las is not None:
                values = {key: float(distance["value"]) for key, distance in one["distances"].items()}
                values |= {"las": las, "train_tokens": float(data["train_tokens"][place])}
                by_length.setdefault(length, {})[name] = values
    found_data = {}
    for length in sorted(by_length):
        rows_of = by_length[length]
        keys = next(iter(rows_of.values()))
        columns = {key: np.array([row[key] for row in rows_of.values()]) for key in keys}
        found_data[length] = Data(tuple(rows_of), columns)
    return found_data, own


def _extremes(found: Collection) -> list[Finding]:
    """The distributions of the nearest and the most distant treebank, for Figure 2."""
    ordered = sorted(found.measured, key=lambda name: float(found.measured[name]["distances"]["edv"]["value"]))
    return [
        one for name in dict.fromkeys([ordered[0], ordered[-1]]) for one in share_findings(name, found.measured[name])
    ]


def _subsample_findings(name: str, one: Mapping[str, Any]) -> list[Finding]:
    return [
        Finding(STUDY, name, "", part["measure"], value, by={"sample": part["size"], "draw": draw})
        for part in one["subsamples"]
        for draw, value in enumerate(part["values"], 1)
    ]


_ACROSS = 3


def _unmatched_tables(matched: Matched, system: str) -> list[Table]:
    """Names on both sides that found no partner, so that nobody must guess why n is small."""
    tables = []
    if matched.treebanks:
        rows = [(name, " or ".join(near) + "?" if near else "") for name, near in matched.treebanks.items()]
        tables.append(Table(f"Treebanks without a score in {system}", ["treebank", "did you mean"], rows))
    if matched.unused:
        names = [*matched.unused, *[""] * (-len(matched.unused) % _ACROSS)]
        rows_of = [tuple(names[begin : begin + _ACROSS]) for begin in range(0, len(names), _ACROSS)]
        title = f"{len(matched.unused)} scores of {system} without a treebank"
        tables.append(Table(title, ["name", *[""] * (_ACROSS - 1)], rows_of))
    return tables
