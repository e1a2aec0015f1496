"""What the splits show together: differences in LAS, their distribution, and where the official split lies."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import UsageError
from ...runs.result.layout import SIGNED, Column, FindingIndex, P, measured, table
from ...runs.result.result import Finding, Table, Value, Verdict
from ...runs.result.verdict import MEASURED, NOT_SHOWN, count_text, loss_text, score_text
from ...stats.correlation import Correlation, partial_spearman
from ...stats.distributions import student_bound, student_p
from ...stats.hypothesis_tests import holm
from ...stats.sampling import Clusters, mean, mean_difference
from ..engine.verdicts import Effect, effect_of
from .declaration import FEWEST_RANDOM, OFFICIAL, STUDY


def official_findings(system: str, treebanks: Mapping[str, Splits], by_document: Collection[str] = ()) -> list[Finding]:
    """How far each official split is above the mean of the random ones, and how unusual that is.

    The interval of the difference and p take the official split for one more random one: t with the spread of the
    random splits, s √(1 + 1/n). Interval and p come from the same error. `by_document`: the treebanks whose random
    splits deal out whole documents, as official ones do.
    """
    findings, p_values = list[Finding](), dict[str, float]()
    for treebank, splits in treebanks.items():
        drawn = np.array([scores["las"] for (split, _), scores in splits.items() if split == "random"])
        n = len(drawn)
        if (OFFICIAL, 0) not in splits or n < FEWEST_RANDOM or not drawn.std():
            continue
        official = float(splits[OFFICIAL, 0]["las"])
        mean, error = float(drawn.mean()), float(drawn.std(ddof=1)) * sqrt(1 + 1 / n)
        above, reach = official - mean, student_bound(n - 1) * error
        p_values[treebank] = student_p(above / error, n - 1)
        findings += [
            Finding(STUDY, treebank, system, "las_random_range", mean, n, mean - reach, mean + reach),
            Finding(STUDY, treebank, system, "official_difference", above, n, above - reach, above + reach),
            Finding(STUDY, treebank, system, "official_p", p_values[treebank], n),
            Finding(STUDY, treebank, system, "split_unit", "document" if treebank in by_document else "sentence", n),
            Finding(STUDY, treebank, system, "harder_than_official", int((drawn < official - 1).sum()), n),
            Finding(STUDY, treebank, system, "easier_than_official", int((drawn > official + 1).sum()), n),
        ]
    counts = {finding.suite: finding.n for finding in findings}
    for treebank, corrected in zip(p_values, holm(list(p_values.values())), strict=True):
        findings.append(Finding(STUDY, treebank, system, "official_p_holm", corrected, counts[treebank]))
    return findings


def official_table(index: FindingIndex) -> Iterator[Table]:
    """One row for each treebank whose official split was trained beside enough random ones."""
    names = [finding.suite for finding in index.findings if finding.measure == "official_difference"]
    if not names:
        return
    system = index.systems[0]

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, system, suite=name) for name in names]

    columns = [Column("treebank", names), *measured("unit", of("split_unit"))]
    columns += measured("LAS official", [index.get("las", system, {"split": OFFICIAL}, name) for name in names])
    columns += measured("random", of("las_random_range"), interval=True)
    columns += measured("difference", of("official_difference"), kind=SIGNED)
    columns += [*measured("splits", of("official_difference"), of="n")]
    columns += [*measured("harder", of("harder_than_official")), *measured("easier", of("easier_than_official"))]
    columns += [*measured("p", of("official_p"), kind=P), *measured("p Holm", of("official_p_holm"), kind=P)]
    note = (
        "random: mean, and where 95 % of random splits of the same sizes fall (t); harder, easier: random splits more "
        "than a point of LAS below or above the official one; unit: what random splits deal out. Official splits "
        "mostly deal out documents, which are alike inside: beside splits of sentences, p says nothing of other "
        "documents; one seed"
    )
    yield table("Where the official split lies", columns, digits=2, note=note)


def official_verdicts(index: FindingIndex, system: str, names: Sequence[str]) -> Iterator[Verdict]:
    """Of each treebank: is the score on its official test set flattering, hard, or what a random split gives?"""
    for name in names:
        effect = effect_of(index, "official_difference", "official_p", system, suite=name)
        if effect is not None:
            yield _verdict(index, system, name, effect)


def _verdict(index: FindingIndex, system: str, name: str, effect: Effect) -> Verdict:
    score = index.get("las", system, {"split": OFFICIAL}, name)
    counted = index.get(f"{'harder' if effect.size > 0 else 'easier'}_than_official", system, suite=name)
    spread = index.get("las_random_range", system, suite=name)
    unit = index.get("split_unit", system, suite=name)
    assert score is not None
    assert counted is not None
    assert spread is not None
    rests_on = (score, *effect.rests_on, counted, spread)
    splits = count_text(counted.n, "random split")
    if effect.sure == NOT_SHOWN:
        text = (
            f"That the official split of {name} is another than a random one is not shown: LAS {score_text(score)}, "
            f"random splits {score_text(spread)}, {splits}."
        )
        return Verdict(text, NOT_SHOWN, rests_on, weight=abs(effect.size))
    if unit is not None and unit.value == "sentence":
        text = (
            f"LAS on the official test set of {name} is {score_text(score)}, on {splits} of its sentences "
            f"{score_text(spread)}. Whole documents could not be dealt out, and they alone can make such a difference."
        )
        return Verdict(text, MEASURED, (score, counted, spread), weight=10 + abs(effect.size))
    what, how = ("flattering", "harder") if effect.size > 0 else ("hard", "easier")
    size = loss_text(effect.finding)
    text = (
        f"The score on the official test set of {name} is {what}: beside random splits {system} {size}; "
        f"{counted.value} of {splits} are {how} by more than a point ({effect.sure})."
    )
    return Verdict(text, effect.sure, rests_on, weight=50 + abs(effect.size))


OVERALL = {
    "delta_las_mean": "ΔLAS, mean",
    "delta_las_sd": "ΔLAS, standard deviation",
    "delta_las_negative": "treebanks with ΔLAS below 0",
    "delta_las_p": "p of no difference",
    "delta_tokens_mean": "|Δ tokens|, mean",
    "delta_tokens_sd": "|Δ tokens|, standard deviation",
    "delta_tokens_relative": "|Δ tokens|, mean % of min",
    "delta_length_mean": "|Δ test length|, mean",
    "delta_length_sd": "|Δ test length|, standard deviation",
    "delta_length_relative": "|Δ test length|, mean % of min",
    "las_min_median": "LAS min, median",
    "las_random_median": "LAS random, median",
    "las_max_median": "LAS max, median",
    "fit_mean": "skew-normal, mean",
    "fit_sd": "skew-normal, standard deviation",
    "fit_shape": "skew-normal, shape",
    "fit_location": "skew-normal, location",
    "fit_scale": "skew-normal, scale",
    "fit_chi2": "χ²",
    "fit_p": "p of χ²",
}


def experiment_tables(
    findings: Sequence[Finding], collection: str, undefined: Mapping[str, Sequence[str]]
) -> list[Table]:
    """All tables; what could not be computed stands below the table that it is missing in."""
    index = FindingIndex(findings)
    return [
        _split_table(index),
        *official_table(index),
        _overall_table(index, collection, undefined["fit"]),
        _correlation_table(index, collection, undefined["correlations"]),
    ]


def _split_table(index: FindingIndex) -> Table:
    system = index.systems[0]
    names = [finding.suite for finding in index.findings if finding.measure == "delta_las"]

    def of(measure: str, split: str = "") -> list[Finding | None]:
        return [index.get(measure, system, {"split": split} if split else {}, name) for name in names]

    columns = [Column("treebank", names), *measured("trees", of("trees"))]
    for measure, label in (("las", "LAS"), ("edv", "EDV")):
        columns += measured(f"{label} min", of(measure, "min"))
        if any(of(f"{measure}_random_mean")):
            columns += measured(f"{label} random", of(f"{measure}_random_mean"))
        if any(of(f"{measure}_random_sd")):
            columns += measured("sd", of(f"{measure}_random_sd"))
        columns += measured(f"{label} max", of(measure, "max"))
        if measure == "las":
            columns += measured("ΔLAS", of("delta_las"), kind=SIGNED)
    note = "LAS on gold tokens; random: mean and standard deviation of the random splits; EDV train to test, in "
    note += "tokens; one seed: how much training itself varies is not in these numbers"
    return table("Splits of least, chance and greatest EDV", columns, digits=3, note=note)


def _overall_table(index: FindingIndex, collection: str, undefined: Sequence[str]) -> Table:
    rows = [index.get(measure, index.systems[0], suite=collection) for measure in OVERALL]
    known = [finding for finding in rows if finding is not None]
    columns = [Column("measure", [OVERALL[finding.measure] for finding in known])]
    columns += measured("value", known, interval=True)
    count = int(known[0].n or 0)
    few = Clusters.independent(count, "treebank").note
    note = "; ".join(filter(None, ["interval and p: t over treebanks; one seed", few, *undefined]))
    return table(f"ΔLAS over {count_text(count, 'treebank')}", columns, digits=3, note=note)


def _correlation_table(index: FindingIndex, collection: str, undefined: Sequence[str]) -> Table:
    system = index.systems[0]
    groups = index.groups("variable", "target", "covariate", measure="rho")

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, system, group) for group in groups]

    columns = [Column(key, [group[key] for group in groups]) for key in ("variable", "target", "covariate")]
    value, *interval = measured("ρ", of("rho"), interval=True)
    columns += [value, *(Column(one.header, one.cells, one.kind, 2) for one in interval)]
    columns += [*measured("ρ²", of("rho_squared")), *measured("adjusted ρ²", of("rho_squared_adjusted"))]
    columns += [*measured("p", of("p"), kind=P), *measured("p Holm", of("p_holm"), kind=P)]
    columns += measured("power", of("power"))
    mean = index.get("delta_las_mean", system, suite=collection)
    n = mean.n if mean else 0
    note = f"Spearman's ρ, n = {n}; Δ is max-EDV minus min-EDV, tokens are those of the training part"
    title = "Table 7: what goes along with ΔLAS"
    return table(title, columns, digits=3, note="; ".join([note, *dict.fromkeys(undefined)]))


BINS = 6
"""With three fitted parameters they leave two degrees of freedom, as the paper's χ² = 0.40, p = 0.820 has."""
FEWEST = 5 * BINS
"""Values: χ² needs about five in every bin."""


@dataclass(frozen=True, slots=True)
class SkewNormal:
    """The fit by maximum likelihood, its own mean and standard deviation, and χ² over bins of equal probability."""

    shape: float
    location: float
    scale: float
    mean: float
    sd: float
    chi2: float
    p: float
    """That χ² is as large by chance where the values are from this distribution."""
    n: int


def skew_normal(values: ArrayLike) -> SkewNormal:
    """Fewer values than `FEWEST` are refused: three parameters fit almost anything."""
    from scipy.stats import chi2, skewnorm

    given = np.asarray(values, dtype=np.float64)
    if len(given) < FEWEST:
        raise UsageError(f"{len(given)} values are too few for a skew-normal fit", todo=f"at least {FEWEST} are needed")
    if np.ptp(given) == 0:
        raise UsageError("all values are equal, there is no distribution to fit")
    shape, location, scale = (float(one) for one in skewnorm.fit(given))
    mean, variance = (float(one) for one in skewnorm.stats(shape, location, scale, moments="mv"))
    places = np.minimum((skewnorm.cdf(given, shape, location, scale) * BINS).astype(np.int64), BINS - 1)
    counts, expected = np.bincount(places, minlength=BINS), len(given) / BINS
    statistic = float(((counts - expected) ** 2 / expected).sum())
    p = float(chi2.sf(statistic, BINS - 1 - 3))
    return SkewNormal(shape, location, scale, mean, variance**0.5, statistic, p, len(given))


FEWEST_TREEBANKS = 5
"""For a correlation."""

Splits = Mapping[tuple[str, int], Mapping[str, Any]]
"""What `trained` found out about the splits of one treebank, by kind and number."""
Floats = NDArray[np.float64]

TABLE_7 = (
    ("tokens", "ΔLAS", ""),
    ("test length", "ΔLAS", ""),
    ("Δtokens", "ΔLAS", ""),
    ("Δtest length", "ΔLAS", ""),
    ("ΔSLV", "ΔLAS", ""),
    ("ΔEDV", "ΔLAS", ""),
    ("test length", "ΔEDV", ""),
    ("ΔSLV", "ΔEDV", ""),
    ("ΔEDV", "ΔLAS", "test length"),
    ("ΔEDV", "ΔLAS", "ΔSLV"),
)
"""Variable, target and covariate of each row; Δ is max-EDV minus min-EDV, what has none is the mean of both."""


def summary(
    collection: str, system: str, treebanks: Mapping[str, Splits]
) -> tuple[list[Finding], dict[str, list[str]]]:
    """Findings over all treebanks, each with both ends of its range; and what could not be computed, by its part."""
    variables = compared(treebanks)
    fitted, why_not_fitted = _fit(collection, system, variables["ΔLAS"])
    correlated, why_not_correlated = _table_7(collection, system, variables)
    findings = [
        *_differences(system, treebanks, variables),
        *_overall(collection, system, treebanks, variables["ΔLAS"]),
        *_sizes(collection, system, variables),
        *fitted,
        *correlated,
    ]
    return findings, {"fit": why_not_fitted, "correlations": why_not_correlated}


def compared(treebanks: Mapping[str, Splits]) -> dict[str, Floats]:
    """The variables of Table 7, one value for each treebank."""

    def values(measure: str, split: str) -> Floats:
        return np.array([splits[split, 0][measure] for splits in treebanks.values()], dtype=np.float64)

    names = {"LAS": "las", "EDV": "edv", "SLV": "slv", "tokens": "train_tokens", "test length": "test_length"}
    variables = {}
    for name, measure in names.items():
        least, most = values(measure, "min"), values(measure, "max")
        variables[f"Δ{name}"], variables[name] = most - least, (most + least) / 2
    return variables


def _differences(system: str, treebanks: Mapping[str, Splits], variables: Mapping[str, Floats]) -> list[Finding]:
    """Of each treebank: the differences between both ends, and what random splits show."""
    findings: list[Finding] = []
    for number, (treebank, splits) in enumerate(treebanks.items()):
        least = splits["min", 0]
        for name, key in (("ΔLAS", "delta_las"), ("ΔEDV", "delta_edv"), ("ΔSLV", "delta_slv")):
            findings.append(Finding(STUDY, treebank, system, key, float(variables[name][number]), least["test_tokens"]))
        drawn = [scores for (split, _), scores in splits.items() if split == "random"]
        for measure in ("las", "edv"):
            values = np.array([scores[measure] for scores in drawn])
            n = len(values)
            if n:
                over = mean(values)
                findings.append(
                    Finding(STUDY, treebank, system, f"{measure}_random_mean", over.value, n, over.low, over.high)
                )
            if n and measure == "las":
                findings.append(Finding(STUDY, treebank, system, "random_harder", _harder(splits), n))
            if n > 1:
                sd = float(values.std(ddof=1))
                findings.append(Finding(STUDY, treebank, system, f"{measure}_random_sd", sd, n))
        findings.append(Finding(STUDY, treebank, system, "trees", least["trees"]))
    return findings


def _harder(splits: Splits) -> int:
    """Random splits whose LAS is more than a point below that of the split of least EDV."""
    easiest = splits["min", 0]["las"]
    return sum(scores["las"] < easiest - 1 for (split, _), scores in splits.items() if split == "random")


def _overall(collection: str, system: str, treebanks: Mapping[str, Splits], change: Floats) -> list[Finding]:
    """ΔLAS over all treebanks, interval and p from one standard error, and the median LAS of each kind of split."""
    n = len(change)

    def finding(key: str, value: float | None, low: float | None = None, high: float | None = None) -> Finding:
        return Finding(STUDY, collection, system, key, value, n, low, high)

    over = mean_difference(np.zeros(n), change, Clusters.independent(n, "treebank"))
    findings = [
        finding("delta_las_mean", over.value, over.low, over.high),
        finding("delta_las_sd", float(change.std(ddof=1)) if n > 1 else None),
        finding("delta_las_negative", int((change < 0).sum())),
        finding("delta_las_p", over.p if n > 1 else None),
    ]
    drawn = sum(split == "random" for splits in treebanks.values() for split, _ in splits)
    if drawn:
        harder = sum(map(_harder, treebanks.values()))
        findings.append(Finding(STUDY, collection, system, "random_harder", harder, drawn))
    for split in ("min", "random", "max"):
        values = [
            float(np.mean([scores["las"] for (kind, _), scores in splits.items() if kind == split] or [np.nan]))
            for splits in treebanks.values()
        ]
        if not np.isnan(values).any():
            findings.append(finding(f"las_{split}_median", float(np.median(values))))
    return findings


def _sizes(collection: str, system: str, variables: Mapping[str, Floats]) -> list[Finding]:
    """Return how much training tokens and mean test length differ between both splits (caption of Table 7)."""
    findings = []
    for key, name in (("tokens", "tokens"), ("length", "test length")):
        size = np.abs(variables[f"Δ{name}"])
        n, least = len(size), variables[name] - variables[f"Δ{name}"] / 2  # the mean of both splits less half of Δ
        for ending, values in (("mean", size), ("relative", 100 * size / least)):
            over = mean(values, Clusters.independent(n, "treebank"), least=0)
            measure = f"delta_{key}_{ending}"
            findings.append(Finding(STUDY, collection, system, measure, over.value, n, over.low, over.high))
        if n > 1:
            findings.append(Finding(STUDY, collection, system, f"delta_{key}_sd", float(size.std(ddof=1)), n))
    return findings


def _fit(collection: str, system: str, change: Floats) -> tuple[list[Finding], list[str]]:
    """A skew-normal distribution of ΔLAS (Figure 12), or why there is none."""
    n = len(change)
    try:
        fit = skew_normal(change)
    except UsageError as error:
        return [], [f"no skew-normal fit and no χ²: {error.what}" + (f" ({error.todo})" if n < FEWEST else "")]
    values = {
        "mean": fit.mean, "sd": fit.sd, "shape": fit.shape, "location": fit.location, "scale": fit.scale,
        "chi2": fit.chi2, "p": fit.p,
    }  # fmt: skip
    return [Finding(STUDY, collection, system, f"fit_{name}", value, n) for name, value in values.items()], []


def _table_7(collection: str, system: str, variables: Mapping[str, Floats]) -> tuple[list[Finding], list[str]]:
    """Table 7, and why rows of it are missing."""
    correlations: dict[tuple[str, str, str], Correlation] = {}
    undefined: list[str] = []
    n = len(variables["ΔLAS"])
    if n < FEWEST_TREEBANKS:
        return [], [f"{count_text(n, 'treebank')} {'is' if n == 1 else 'are'} too few, {FEWEST_TREEBANKS} are needed"]
    for row in TABLE_7:
        variable, target, covariate = row
        try:
            held = [variables[covariate]] if covariate else []
            correlations[row] = partial_spearman(variables[variable], variables[target], held)
        except UsageError as error:
            undefined.append(f"{variable} and {target}: {error.what}")
    corrected = holm([correlation.p for correlation in correlations.values()])
    findings: list[Finding] = []
    for (row, correlation), p_holm in zip(correlations.items(), corrected, strict=True):
        by: dict[str, Value] = dict(zip(("variable", "target", "covariate"), row, strict=True))
        findings += [
            Finding(
                STUDY,
                collection,
                system,
                "rho",
                correlation.value,
                correlation.n,
                correlation.low,
                correlation.high,
                by,
            ),
            Finding(STUDY, collection, system, "rho_squared", correlation.squared, correlation.n, by=by),
            Finding(STUDY, collection, system, "rho_squared_adjusted", correlation.adjusted, correlation.n, by=by),
            Finding(STUDY, collection, system, "p", correlation.p, correlation.n, by=by),
            Finding(STUDY, collection, system, "p_holm", p_holm, correlation.n, by=by),
            Finding(STUDY, collection, system, "power", correlation.power, correlation.n, by=by),
        ]
    return findings, undefined
