"""What a person sees of the experiment: the splits of each treebank, ΔLAS over all, and Table 7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...runs.layout import SIGNED, Column, FindingIndex, P, measured, table
from ...runs.result import Finding, Table
from ...runs.verdict import count_text
from ...stats.sampling import Clusters
from .official import official_table

OVERALL = {
    "delta_las_mean": "ΔLAS, mean",
    "delta_las_sd": "ΔLAS, standard deviation",
    "delta_las_negative": "treebanks with ΔLAS below 0",
    "delta_las_p": "p of no difference",
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
