"""The displacement study of one parser's scores, beside what the EDV paper prints of it: Tables 1 to 6 and B.1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...runs.result import Finding
from ..displacement.collection import MeasuredCollection
from ..displacement.collection_study import DISPLACEMENT_COLLECTION, ScoredCollection
from ..displacement.correlations import FEWEST
from ..displacement.las import TreebankScores, match, plain_name
from ..displacement.settings import CollectionSettings
from ..displacement.variables import LABELS
from .coefficients import MEASURES, Coefficient
from .line import Line

SYSTEMS = {
    "UDPipe 1.2": ("2.5", "udpipe1.2_ud2.5_goldtok.tsv"),
    "UDPipe 2.0": ("2.6", "udpipe2_ud2.6_goldtok.tsv"),
}
"""The parsers, the release of UD that each was trained on, and the table of its scores."""


@dataclass(frozen=True, slots=True)
class Studied:
    """One parser's analyses: findings by measure and group, and how many treebanks they are made of."""

    system: str
    findings: Mapping[tuple[str, ...], Finding]
    treebanks: int
    why: str

    def value(self, measure: str, key: tuple[str, ...]) -> float | None:
        """Interval and n stand in the finding of ρ itself."""
        beside = {"spearman_low": "low", "spearman_high": "high", "treebanks": "n"}.get(measure)
        one = self.findings.get(("spearman" if beside else measure, *key))
        found = None if one is None else getattr(one, beside or "value")
        return None if found is None else float(found)

    def line(self, table: str, row: str, measure: str, text: str, key: tuple[str, ...]) -> Line:
        return Line(
            table, row, measure, text, self.value(measure, key), self.system, "collection", self.why, same_data=False
        )


def of_release(found: MeasuredCollection, release: str) -> MeasuredCollection:
    """Each treebank once: the wanted release where it is here, else the one whose name has no release."""
    chosen: dict[str, str] = {}
    for name in sorted(found.measured, key=lambda name: (name.endswith(f"@r{release}"), "@" not in name)):
        chosen[plain_name(name)] = name
    kept = set(chosen.values())
    return MeasuredCollection(found.name, {name: one for name, one in found.measured.items() if name in kept})


def studied_with(scores: TreebankScores, found: MeasuredCollection, folder: Path) -> Studied:
    """All analyses of a parser's scores over the treebanks here; too few are an error."""
    release = SYSTEMS[scores.system][0]
    part = of_release(found, release)
    names = match(part.measured, scores.whole).rows
    if len(names) < FEWEST:
        raise InputError(
            f"{len(names)} treebanks that {scores.system} has scores for, too few for a correlation",
            where=str(folder),
            todo=f"put at least {FEWEST} there, such as UD_Tamil-TTB@r{release} (ud:Tamil-TTB@{release})",
        )
    result = DISPLACEMENT_COLLECTION.findings(ScoredCollection(part, [scores]), CollectionSettings(draws=0))
    same = sum(name.endswith(f"@r{release}") for name in names)
    why = (
        f"{scores.system}: ours is over the {len(names)} treebanks here that have a score, {same} of them of "
        f"UD {release}; EDV is edv_heights, as printed."
    )
    keys = ("analysis", "x", "y", "covariates", "set", "model")
    findings = {
        (finding.measure, *(str(finding.by[key]) for key in keys if key in finding.by)): finding
        for finding in result.findings
        if finding.suite == part.name
    }
    return Studied(scores.system, findings, len(names), why)


def named(found: MeasuredCollection, treebank: str, release: str) -> tuple[str, Mapping[str, Any] | None]:
    """A treebank by name: the wanted release if it is here."""
    part = of_release(found, release)
    name = next((name for name in part.measured if plain_name(name) == plain_name(treebank)), "")
    return name, part.measured.get(name)


def normality(printed: Mapping[str, Any], studied: Mapping[str, Studied]) -> Iterator[Line]:
    """Table 1."""
    for system, rows in printed.items():
        for x, cells in rows.items():
            for column, text in cells.items():
                yield studied[system].line("Table 1", LABELS[x], f"shapiro_{column}", text, (x,))


def correlations(compared: Sequence[Coefficient], studied: Mapping[str, Studied], *tables: str) -> Iterator[Line]:
    """These tables of coefficients; how many treebanks a set has stands in a table of its own."""
    for table in tables:
        rows = [one for one in compared if one.table == table]
        for one in rows:
            if "n" in one.cells and not one.covariates:
                group = one.key[-1]
                yield studied[one.system].line(f"{table}: N", group, MEASURES["n"], one.cells["n"], one.key)
        for one in rows:
            for column, text in one.cells.items():
                if column != "n":
                    yield studied[one.system].line(table, one.row, MEASURES[column], text, one.key)


def models(printed: Mapping[str, Any], studied: Mapping[str, Studied]) -> Iterator[Line]:
    """Table 5: fit, then importance, then p; and the error of Figure 9."""
    cells = [
        (system, model, given) for system, of_system in printed["table5"].items() for model, given in of_system.items()
    ]
    for system, model, given in cells:
        text = given["r2_adjusted"]
        yield studied[system].line("Table 5: fit", _model(model), "model_r2_adjusted", text, (model,))
    for kind, title in (("importance", "Table 5: relative importance"), ("p", "Table 5: p")):
        for system, model, given in cells:
            for x, text in given.get(kind, {}).items():
                row = f"{LABELS[x]} in {_model(model)}"
                yield studied[system].line(title, row, f"model_{kind}", text, (x, model))
    for system, text in printed["figure9"].items():
        full = "log_train_tokens,test_length,edv_heights"
        line = studied[system].line("Figure 9", "mean absolute error", "model_error", text, (full,))
        yield replace(line, why=f"{line.why} Ours is for each treebank left out of the fit, theirs for 11 new ones.")


def _model(predictors: str) -> str:
    return " + ".join(LABELS[name] for name in predictors.split(","))


def signs(compared: Sequence[Coefficient], studied: Mapping[str, Studied]) -> Iterator[Line]:
    """How many of a table's coefficients have the printed sign here too."""
    counts: dict[tuple[str, str], list[bool]] = {}
    for one in compared:
        ours = studied[one.system].value("spearman", one.key) if one.key else None
        if ours is not None:
            counts.setdefault((one.table, one.system), []).append((ours > 0) == (float(one.cells["rho"]) > 0))
    why = "Published: how many coefficients are printed; ours: how many have the same sign over the treebanks here."
    for (table, system), agree in counts.items():
        yield Line(
            "Signs of ρ", table, "same sign", str(len(agree)), sum(agree), system, why=why, same_data=False
        )  # fmt: skip
