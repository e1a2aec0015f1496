"""What a person sees of the analyses of scores: correlations, linear models and predictions, as layouts of findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...runs.layout import SIGNED, Column, FindingIndex, P, measured, table
from ...runs.result import Finding, Table, Value
from .variables import LABELS

By = Mapping[str, Value]

_P_VALUES = {"p": "p", "Holm": "p_holm", "BH": "p_bh"}


def normality_table(findings: Sequence[Finding]) -> Table:
    """Table 1."""
    index = FindingIndex(findings)
    groups = index.groups("x", measure="shapiro_w")
    system = findings[0].system if findings else ""
    w, p = ([index.get(f"shapiro_{name}", system, group) for group in groups] for name in ("w", "p"))
    normal = Column("could be normal", [float(test.value or 0) >= 0.05 if test else None for test in p])
    columns = [Column("variable", [LABELS[str(group["x"])] for group in groups]), *measured("W", w)]
    title = _title("Normality: Shapiro–Wilk (EDV paper: Table 1)", system)
    return table(title, [*columns, *measured("p", p, kind=P), normal], digits=3)


def correlation_table(title: str, findings: Sequence[Finding], headings: Sequence[str], note: str = "") -> Table:
    """One row for each correlation; `headings` are the columns that say which it is."""
    index, tested = FindingIndex(findings), [finding for finding in findings if finding.measure == "spearman"]
    system = tested[0].system
    columns = [Column(heading, [_HEADINGS[heading](finding.by) for finding in tested]) for heading in headings]
    columns += [*measured("n", tested, of="n"), *_rho("ρ", tested)]
    columns += measured("adj. ρ²", [index.get("spearman_squared_adjusted", system, finding.by) for finding in tested])
    columns += _p_columns(index, "spearman", system, [finding.by for finding in tested])
    columns += measured("power", [index.get("spearman_power", system, finding.by) for finding in tested])
    return table(_title(title, system), columns, note=note, digits=3)


def length_table(title: str, findings: Sequence[Finding]) -> Table:
    """A row for each length, both ways to compute EDV side by side."""
    index, tested = FindingIndex(findings), [finding for finding in findings if finding.measure == "spearman"]
    system, lengths = tested[0].system, list(dict.fromkeys(finding.by["set"] for finding in tested))
    of = {(finding.by["x"], finding.by["set"]): finding for finding in tested}
    names = list(dict.fromkeys(str(finding.by["x"]) for finding in tested))
    any_of = [next(of[name, length] for name in names if (name, length) in of) for length in lengths]
    columns = [Column("length", [int(str(length)) for length in lengths]), *measured("n", any_of, of="n")]
    for name in names:
        own = [of.get((name, length)) for length in lengths]
        columns += measured(f"ρ {LABELS[name]}", own)
        columns += _p_columns(index, "spearman", system, [None if finding is None else finding.by for finding in own])
    note = "Partial correlation with LAS; covariate: train tokens."
    return table(_title(title, system), columns, note=note, digits=3)


def model_table(findings: Sequence[Finding]) -> Table:
    """Table 5: one row for each predictor, the fit of its model in the first."""
    index, system = FindingIndex(findings), findings[0].system
    groups = [group for group in index.groups("model", "x", measure="model_coefficient") if group["x"]]
    before = [None, *(group["model"] for group in groups)]
    first = [group["model"] != last for group, last in zip(groups, before, strict=False)]

    def fit(measure: str) -> list[Finding | None]:
        return [
            index.get(measure, system, {"model": group["model"]}) if begins else None
            for group, begins in zip(groups, first, strict=True)
        ]

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, system, group) for group in groups]

    columns = [*measured("adj. R²", fit("model_r2_adjusted")), *measured("error", fit("model_error"), digits=2)]
    columns += [Column("predictor", [LABELS[str(group["x"])] for group in groups])]
    columns += measured("coefficient", of("model_coefficient"))
    columns += measured("importance %", of("model_importance"), digits=1)
    columns += _p_columns(index, "model", system, groups)
    baseline = index.get("model_error", system, {"model": "mean"})
    note = (
        "importance: share of R² by LMG. error: mean absolute error in LAS points for treebanks left out of the fit, "
        f"one at a time; the mean of the others is off by {float(baseline.value or 0) if baseline else 0:.2f}."
    )
    return table(f"Linear models of LAS (EDV paper: Table 5): {system}", columns, note=note, digits=3)


def prediction_table(findings: Sequence[Finding]) -> Table:
    """Figure 9: scores, and what the fullest models predict from the other treebanks."""
    index, system = FindingIndex(findings), findings[0].system
    predicted = [finding for finding in findings if finding.measure == "las_predicted"]
    names = list(dict.fromkeys(finding.suite for finding in predicted))
    columns = [Column("treebank", names), *measured("LAS", [index.get("las", system, suite=name) for name in names])]
    for model in dict.fromkeys(str(finding.by["model"]) for finding in predicted):
        values, errors = (
            [index.get(measure, system, {"model": model}, name) for name in names]
            for measure in ("las_predicted", "las_predicted_error")
        )
        value, *interval = measured(f"with {LABELS[model.rpartition(',')[2]]}", values, interval=True)
        columns += [value, *measured("error", errors, kind=SIGNED), *interval]
    note = "Predicted from all other treebanks; without a score: predicted from all, with the 95 % interval."
    return table(f"Predicted LAS (EDV paper: Figure 9): {system}", columns, note=note)


def _rho(header: str, findings: Sequence[Finding | None]) -> list[Column]:
    value, *interval = measured(header, findings, interval=True)
    return [value, *(Column(column.header, column.cells, column.kind, 2) for column in interval)]


def _p_columns(index: FindingIndex, measure: str, system: str, groups: Sequence[By | None]) -> list[Column]:
    """p as it is, and corrected by Holm and by Benjamini and Hochberg."""
    columns = []
    for header, name in _P_VALUES.items():
        findings = [None if by is None else index.get(f"{measure}_{name}", system, by) for by in groups]
        columns += measured(header, findings, kind=P)
    return columns


def held_constant(names: str) -> str:
    """What is held constant: covariates come one after the other, so only the last one is new."""
    held = [name for name in names.split(",") if name and name != "none"]
    return "none" if not held else f"{'+ ' if len(held) > 1 else ''}{LABELS.get(held[-1], held[-1])}"


_HEADINGS: dict[str, Callable[[By], Value]] = {
    "variable": lambda by: LABELS[str(by["x"])],
    "variables": lambda by: f"{LABELS[str(by['x'])]} — {LABELS[str(by['y'])]}",
    "covariates": lambda by: held_constant(str(by["covariates"])),
    "removed": lambda by: held_constant(str(by["set"])),
    "set": lambda by: by["set"],
}


def _title(title: str, system: str) -> str:
    return f"{title}: {system}" if system else title
