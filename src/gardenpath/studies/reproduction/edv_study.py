"""The displacement study of one parser's scores, beside what the EDV paper prints of it: Tables 1 to 6 and B.1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...runs.result import Finding
from ...stats.normality import shapiro_p
from ..displacement.collection import MeasuredCollection
from ..displacement.collection_study import DISPLACEMENT_COLLECTION, ScoredCollection
from ..displacement.correlations import FEWEST
from ..displacement.las import TreebankScores, match, plain_name
from ..displacement.settings import CollectionSettings
from ..displacement.variables import LABELS
from .coefficients import MEASURES, RELEASES, Coefficient
from .line import ARITHMETIC, OTHER_DATA, Line

SYSTEMS = {
    "UDPipe 1.2": ("2.5", "udpipe1.2_ud2.5_goldtok.tsv"),
    "UDPipe 2.0": ("2.6", "udpipe2_ud2.6_goldtok.tsv"),
}
"""The parsers, the release of UD that each was trained on, and the table of its scores."""
_SHAPIRO = "Made of the printed W and n by Royston's approximation, and off by what the rounding of W allows."
_SHARES = "Shares of importance sum to 100: the last is what the others leave."


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
        finding = self.findings.get(("spearman" if beside else measure, *key))
        value = None if finding is None else getattr(finding, beside or "value")
        return None if value is None else float(value)

    def line(self, table: str, row: str, measure: str, text: str, key: tuple[str, ...]) -> Line:
        ours = self.value(measure, key)
        return Line(table, row, measure, text, ours, self.system, "collection", self.why, basis=OTHER_DATA)


def of_release(collection: MeasuredCollection, release: str) -> MeasuredCollection:
    """Each treebank once: the wanted release where it is here, else the one whose name has no release."""
    chosen: dict[str, str] = {}
    for name in sorted(collection.measured, key=lambda name: (name.endswith(f"@r{release}"), "@" not in name)):
        chosen[plain_name(name)] = name
    kept = set(chosen.values())
    return MeasuredCollection(
        collection.name, {name: values for name, values in collection.measured.items() if name in kept}
    )


def studied_with(scores: TreebankScores, collection: MeasuredCollection, folder: Path) -> Studied:
    """All analyses of a parser's scores over the treebanks here; too few are an error."""
    release = SYSTEMS[scores.system][0]
    part = of_release(collection, release)
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


def named(collection: MeasuredCollection, treebank: str, release: str) -> tuple[str, Mapping[str, Any] | None]:
    """A treebank by name: the wanted release if it is here."""
    part = of_release(collection, release)
    name = next((name for name in part.measured if plain_name(name) == plain_name(treebank)), "")
    return name, part.measured.get(name)


def normality(printed: Mapping[str, Any], studied: Mapping[str, Studied]) -> Iterator[Line]:
    """Table 1: W, p over the treebanks here and as it follows from W, and what follows from p."""
    for system, rows in printed["table1"].items():
        n = int(printed["section3"][RELEASES[system]]["treebanks"])
        for x, cells in rows.items():
            row, w, p = LABELS[x], float(cells["w"]), cells["p"]
            for column in ("w", "p"):
                yield studied[system].line("Table 1", row, f"shapiro_{column}", cells[column], (x,))
            ours, *near = (shapiro_p(w + step, n) for step in (0, -0.0005, 0.0005))
            slack = max(abs(value - ours) for value in near)
            yield Line("Table 1", row, "shapiro_p", p, ours, system, why=_SHAPIRO, slack=slack, basis=ARITHMETIC)
            normal = float(not p.startswith("<") and float(p) >= 0.05)
            yield Line("Table 1", row, "normal", cells["normal"], normal, system, basis=ARITHMETIC)


def correlations(compared: Iterable[Coefficient], studied: Mapping[str, Studied]) -> Iterator[Line]:
    """Every coefficient that the study has, with what stands beside it, over the treebanks here."""
    for coefficient in compared:
        if not coefficient.key:
            continue
        for column, text in coefficient.cells.items():
            measure = MEASURES[column]
            yield studied[coefficient.system].line(coefficient.table, coefficient.row, measure, text, coefficient.key)


def sets_of_treebanks(printed: Mapping[str, Any]) -> Iterator[Line]:
    """Table 6: complex treebanks and the others are all of them."""
    for system, rows in printed["table6"].items():
        for held in ("", " | train_tokens"):
            total = sum(int(rows[f"{group}{held}"]["n"]) for group in ("complex", "not"))
            row = f"all, held constant: {'train tokens' if held else 'nothing'}"
            yield Line("Table 6", row, "treebanks", rows[f"all{held}"]["n"], total, system, basis=ARITHMETIC)


def models(printed: Mapping[str, Any], studied: Mapping[str, Studied]) -> Iterator[Line]:
    """Table 5: fit, then importance, then p; and the error of Figure 9."""
    for system, given_models in printed["table5"].items():
        study = studied[system]
        for model, given in given_models.items():
            text = given["r2_adjusted"]
            yield study.line("Table 5", _model(model), "model_r2_adjusted", text, (model,))
            for kind in ("importance", "p"):
                for x, text in given[kind].items():
                    yield study.line("Table 5", f"{LABELS[x]} in {_model(model)}", f"model_{kind}", text, (x, model))
            *others, (last, text) = given["importance"].items()
            rest = 100 - sum(float(share) for _, share in others)
            yield Line("Table 5", f"{LABELS[last]} in {_model(model)}", "model_importance", text, rest, system,
                       why=_SHARES, slack=0.05 * len(others), basis=ARITHMETIC)  # fmt: skip
    for system, text in printed["figure9"].items():
        full = "log_train_tokens,test_length,edv_heights"
        line = studied[system].line("Figure 9", "mean absolute error", "model_error", text, (full,))
        yield replace(line, why=f"{line.why} Ours is for each treebank left out of the fit, theirs for 11 new ones.")


def _model(predictors: str) -> str:
    return " + ".join(LABELS[name] for name in predictors.split(","))


def signs(compared: Iterable[Coefficient], studied: Mapping[str, Studied]) -> Iterator[Line]:
    """How many of a table's coefficients have the printed sign here too."""
    counts: dict[tuple[str, str], list[bool]] = {}
    for comparison in compared:
        ours = studied[comparison.system].value("spearman", comparison.key) if comparison.key else None
        if ours is not None:
            counts.setdefault((comparison.table, comparison.system), []).append(
                (ours > 0) == (float(comparison.cells["rho"]) > 0)
            )
    why = "Published: how many coefficients are printed; ours: how many have the same sign over the treebanks here."
    for (table, system), agree in counts.items():
        yield Line("Signs of ρ", table, "same sign", str(len(agree)), sum(agree), system, why=why, basis=OTHER_DATA,
                   kind="check")  # fmt: skip
