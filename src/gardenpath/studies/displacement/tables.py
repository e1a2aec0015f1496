"""The tables of a collection and of the analyses of its scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ...runs.result.layout import SIGNED, Column, FindingIndex, P, measured, table
from ...runs.result.result import Finding, Table, Value
from ...stats.hypothesis_tests import benjamini_hochberg
from .collection import MeasuredCollection
from .declaration import STUDY
from .distances import DEPENDENCY_LENGTHS
from .treebank_scores import Matched
from .variables import LABELS

_ACROSS = 3


def treebank_table(index: FindingIndex, collection: MeasuredCollection, systems: Sequence[str]) -> Table:
    """The treebanks, most distant first, with their scores."""
    names = _by_distance(collection)

    def of(measure: str, system: str = "") -> list[Finding | None]:
        return [index.get(measure, system, suite=name) for name in names]

    headings = {"edv": ("edv", 3), "edv_heights": ("heights", 5), "slv": ("slv", 2)}
    columns = [Column("treebank", names), *measured("train", of("train_tokens")), *measured("test", of("test_tokens"))]
    columns += measured("length", of("test_length"), digits=1)
    for measure, (heading, digits) in headings.items():
        columns += measured(heading, of(measure), digits=digits)
    columns += measured("MC", of("train_morphological_complexity"), digits=2)
    for number, system in enumerate(systems, 1):
        scores = of("las", system)
        interval = any(score is not None and score.low is not None for score in scores)
        columns += measured(f"LAS {number}" if len(systems) > 1 else "LAS", scores, digits=2, interval=interval)
    note = "train, test: tokens; length: mean of test; heights: edv_heights; MC: morphological complexity of train."
    spread = []
    for measure, (heading, digits) in headings.items():
        ends = [index.get(f"{measure}_{ending}", suite=collection.name) for ending in ("mean", "sd")]
        values = [f"{float(end.value or 0):.{digits}f}" for end in ends if end is not None]
        spread += [f"{heading} {values[0]} ({values[1]})"] if len(values) > 1 else []
    note += f" Mean (SD) over treebanks: {', '.join(spread)}." if spread else ""
    scored = [name for name in names if any(index.get("las", system, suite=name) for system in systems)]
    if release := [name for name in scored if "@" in name]:
        note += f" Matched without the release in its name: {', '.join(release)}."
    if len(systems) > 1:
        note += " " + ", ".join(f"LAS {number}: {system}" for number, system in enumerate(systems, 1)) + "."
    return table(f"Treebanks of {collection.name}", columns, note=note, digits=3)


def dependency_length_table(index: FindingIndex, collection: MeasuredCollection) -> Table:
    """How long the edges of test are, and would be in other orders of the same words."""
    names = _by_distance(collection)
    headings = ("length", "random", "random, projective", "best, projective", "best")
    columns = [Column("treebank", names)]
    for heading, measure in zip(headings, DEPENDENCY_LENGTHS, strict=True):
        columns += measured(heading, [index.get(f"test_{measure}", suite=name) for name in names], digits=2)
    note = "Mean words from a word of test to its head; in an order of all words by chance, and in the shortest one."
    return table("Dependency lengths of test, and in other orders", columns, note=note, name="dependency-lengths")


UNITS = ("document", "sentence")
"""What random splits deal out."""


def excess_findings(index: FindingIndex, collection: MeasuredCollection) -> list[Finding]:
    """The p of no excess, and how many test sets are beyond chance, by what random splits deal out.

    p is corrected for all treebanks of that unit (Benjamini and Hochberg), so that those whose documents are not
    known cannot make the others look surer.
    """
    findings = list[Finding]()
    for unit in UNITS:
        units = [index.get("split_unit", suite=name) for name in collection.measured]
        names = [one.suite for one in units if one is not None and one.value == unit]
        tests = [test for name in names if (test := index.get("edv_p", suite=name)) is not None]
        corrected = benjamini_hochberg([float(test.value or 0) for test in tests])
        above = [index.get("edv_excess", suite=name) for name in names]
        beyond = sum(
            excess is not None and float(excess.value or 0) > 0 and p < 0.05
            for excess, p in zip(above, corrected, strict=True)
        )
        findings += [replace(test, measure="edv_p_bh", value=p) for test, p in zip(tests, corrected, strict=True)]
        if names:
            by: dict[str, Value] = {"unit": unit}
            findings.append(Finding(STUDY, collection.name, "", "edv_beyond_chance", beyond, len(names), by=by))
    return findings


def excess_table(index: FindingIndex, collection: MeasuredCollection) -> Table | None:
    """EDV of each treebank, the noise floor, and the excess over it; None where nothing was drawn."""
    counts = [index.get("edv_beyond_chance", by={"unit": unit}, suite=collection.name) for unit in UNITS]
    if not any(counts):
        return None
    names = _by_distance(collection)

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, suite=name) for name in names]

    columns = [Column("treebank", names), *measured("unit", of("split_unit"))]
    columns += measured("edv", of("edv"), interval=True)
    columns += [*measured("noise", of("edv_noise_mean")), *measured("sd", of("edv_noise_sd"))]
    columns += measured("excess", of("edv_excess"), kind=SIGNED, interval=True)
    columns += [*measured("p", of("edv_p"), kind=P), *measured("BH", of("edv_p_bh"), kind=P)]
    note = (
        "unit: what random splits deal out; noise, sd: mean and standard deviation of edv "
        "over random splits of the same sizes; excess: edv less noise; p: two-sided, of no excess; "
        "BH: corrected for all treebanks with this unit. Sentences of one document are alike: where documents are not "
        "marked, p says only that sentences were not drawn one by one."
    )
    return table(f"EDV of {collection.name} over the noise floor", columns, note=note, digits=3)


def _by_distance(collection: MeasuredCollection) -> list[str]:
    return sorted(collection.measured, key=lambda name: -collection.measured[name]["distances"]["edv"]["value"])


def left_out_table(collection: MeasuredCollection) -> Table | None:
    """Treebanks that could not be used, with the reason."""
    rows = [(name, message.partition(": ")[2][:70]) for name, (_, message) in collection.left_out.items()]
    return Table("Left out", ["treebank", "why"], rows) if rows else None


def subsample_table(index: FindingIndex) -> Table | None:
    """Table D.1: mean and standard deviation of EDV over random parts of the training data."""
    sampled = [finding for finding in index.findings if finding.measure == "edv_mean" and set(finding.by) == {"sample"}]
    if not sampled:
        return None

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, by=finding.by, suite=finding.suite) for finding in sampled]

    columns = [Column("treebank", [finding.suite for finding in sampled])]
    columns += measured("train", [index.get("train_sentences", suite=finding.suite) for finding in sampled])
    columns += [Column("sample", [finding.by["sample"] for finding in sampled])]
    for name, digits in (("edv", 3), ("edv_heights", 5)):
        columns += measured(name, of(f"{name}_mean"), digits=digits)
        columns += measured("sd", of(f"{name}_sd"), digits=digits)
    note = "train, sample: sentences. Mean and sd of 20 random samples of each size, up to half of the training data."
    return table("EDV of sub-samples of the training data (EDV paper: Table D.1)", columns, note=note)


def unmatched_tables(matched: Matched, system: str) -> list[Table]:
    """Names on both sides that found no partner, so that nobody must guess why n is small."""
    tables = []
    if matched.treebanks:
        rows = [(name, " or ".join(near) + "?" if near else "") for name, near in matched.treebanks.items()]
        tables.append(Table(f"Treebanks without a score in {system}", ["treebank", "did you mean"], rows))
    if matched.unused:
        names = [*matched.unused, *[""] * (-len(matched.unused) % _ACROSS)]
        lines = [tuple(names[begin : begin + _ACROSS]) for begin in range(0, len(names), _ACROSS)]
        title = f"{len(matched.unused)} scores of {system} without a treebank"
        tables.append(Table(title, ["name", *[""] * (_ACROSS - 1)], lines))
    return tables


def not_matched(matched: Mapping[str, Matched]) -> dict[str, dict[str, object]]:
    """The same for programs, by system."""
    return {system: {"treebanks": pairs.treebanks, "scores": pairs.unused} for system, pairs in matched.items()}


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


def held_out_table(findings: Sequence[Finding]) -> Table:
    """Section 4.3.1: a row for each model, and one for the mean score."""
    models = [str(finding.by["model"]).split(",") for finding in findings]
    names = [" + ".join(LABELS.get(name, "mean LAS of fitted treebanks") for name in model) for model in models]
    columns = [Column("model", names), *measured("n", findings, of="n"), *measured("error", findings, interval=True)]
    note = "Mean absolute error in LAS points for held-out treebanks, which enter no fit; interval: t over treebanks."
    title = f"Held-out treebanks (EDV paper: Section 4.3.1): {findings[0].system}"
    return table(title, columns, note=note)


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
    note = "Predicted from all other treebanks; held out or without a score: from all fitted ones, with 95 % interval."
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
