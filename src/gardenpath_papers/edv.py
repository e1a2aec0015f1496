"""EDV (Anderson and Gómez-Rodríguez 2022): its analyses over the treebanks here, and its tables' arithmetic.

Tables 1 to 6 and B.1 are recomputed from the displacement study of one parser's scores; of a printed correlation, ρ and
the number of treebanks alone decide the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import copysign, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from gardenpath.errors import InputError
from gardenpath.runs import Finding, Where
from gardenpath.stats import correlation_p, correlation_power, fisher_interval, shapiro_p
from gardenpath.studies import (
    DISPLACEMENT_COLLECTION,
    FEWEST,
    LABELS,
    CollectionSettings,
    MeasuredCollection,
    ScoredCollection,
    TreebankScores,
    Work,
    collection_files,
    match,
    measure_collection,
    plain_name,
    read_scores,
)

from .ledger import ARITHMETIC, INPUT, OTHER_DATA, RECOMPUTED, Line, Verdict
from .paper import Data, published

MEASURES = {
    "rho": "spearman", "low": "spearman_low", "high": "spearman_high", "squared": "spearman_squared",
    "adjusted": "spearman_squared_adjusted", "p": "spearman_p", "power": "spearman_power", "n": "treebanks",
}  # fmt: skip
"""A printed column, and how the displacement study calls it."""
RELEASES = {"UDPipe 1.2": "UD 2.5", "UDPipe 2.0": "UD 2.6"}
"""The parsers, and what each was trained on."""
_ROUNDED = 0.0005
"""ρ is printed with three places."""
_WHY = "Made of the printed ρ and n, and off by what the rounding of ρ allows."


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One printed ρ and what is printed beside it; `key` finds ours among the study's findings."""

    table: str
    system: str
    row: str
    n: int
    covariates: int
    cells: Mapping[str, str]
    """The numbers as printed, by column (see `MEASURES`)."""
    key: tuple[str, ...] = ()
    """Analysis, x, y, covariates and set; empty where the collection study has none."""


def coefficients(printed: Mapping[str, Any]) -> Iterator[Coefficient]:
    """Tables 2, 3, 4, 6, 7 and B.1, and what captions and the text print of ρ."""
    sizes = {system: int(printed["section3"][release]["treebanks"]) for system, release in RELEASES.items()}
    for system, n in sizes.items():
        for x, cells in printed["table2"][system].items():
            yield Coefficient("Table 2", system, LABELS[x], n, 0, cells, ("score", x, "las", "", "all"))
        for table, name in (("table3", "Table 3"), ("tableB1", "Table B.1")):
            for pair, cells in printed[table][system].items():
                x, y = pair.split()
                row = f"{LABELS[x]} — {LABELS[y]}"
                yield Coefficient(name, system, row, n, 0, cells, ("distance", x, y, "", "all"))
        for held, cells in printed["table4"][system].items():
            row = f"held constant: {_listed(held)}"
            key = ("partial", "edv_heights", "las", held, "all")
            yield Coefficient("Table 4", system, row, n, len(held.split(",")) if held else 0, cells, key)
        for given, cells in printed["table6"][system].items():
            group, _, held = given.partition(" | ")
            row = f"{group}, held constant: {_listed(held)}"
            key = ("complexity", "edv_heights", "las", held, group)
            yield Coefficient("Table 6", system, row, int(cells["n"]), 1 if held else 0, cells, key)
        cells = printed["section4"][system]
        key = ("partial_others", "test_tokens", "las", "train_tokens", "all")
        yield Coefficient("Section 4.2.2", system, "test tokens, held constant: train tokens", n, 1, cells, key)
    for figure, given in printed["figures"].items():
        system = given["system"]
        for chain, cells in given.items():
            if chain != "system":
                x, _, removed = chain.partition(" | ")
                row = f"{LABELS[x]}, without {_listed(removed)}"
                key = ("background", x, "las", "", removed) if removed else ("score", x, "las", "", "all")
                yield Coefficient(figure, system, row, sizes[system], 0, cells, key)
    n = int(printed["section6"]["treebanks"])
    for row, cells in printed["table7"].items():
        yield Coefficient("Table 7", "UDPipe 1.2", row, n, 1 if "|" in row else 0, cells)


def _listed(names: str) -> str:
    return ", ".join(LABELS[name] for name in names.split(",")) if names else "nothing"


_MADE: Mapping[str, Callable[[float, int, int], float]] = {
    "low": lambda rho, n, k: fisher_interval(rho, n - k)[0],
    "high": lambda rho, n, k: fisher_interval(rho, n - k)[1],
    "squared": lambda rho, n, k: rho**2,
    "adjusted": lambda rho, n, k: 1 - (1 - rho**2) * (n - 1) / (n - k - 2),
    "p": lambda rho, n, k: correlation_p(rho, n - k),
    "power": lambda rho, n, k: correlation_power(rho, n - k),
}


def lines_of_rho(compared: Iterable[Coefficient]) -> Iterator[Line]:
    """What stands beside a printed ρ, made of it again: whether the paper's tables agree with themselves."""
    for coefficient in compared:
        made = [_line(coefficient, column, text) for column, text in coefficient.cells.items() if column in _MADE]
        misprinted = any(line.measure == MEASURES["squared"] and line.outcome == "differs" for line in made)
        for line in made:
            yield replace(line, why=_reason(coefficient, misprinted)) if line.outcome == "differs" else line


def _line(coefficient: Coefficient, column: str, text: str) -> Line:
    rho, make = float(coefficient.cells["rho"]), _MADE[column]
    ours = make(rho, coefficient.n, coefficient.covariates)
    near = [make(rho + step, coefficient.n, coefficient.covariates) for step in (-_ROUNDED, _ROUNDED)]
    return Line(coefficient.table, coefficient.row, MEASURES[column], text, ours, system=coefficient.system, why=_WHY,
                slack=max(abs(value - ours) for value in near), basis=ARITHMETIC)  # fmt: skip


def _reason(coefficient: Coefficient, misprinted: bool) -> str:
    cells, where = coefficient.cells, f"{coefficient.table}, {coefficient.row}"
    reason = f"{where}: what stands beside ρ = {cells['rho']} does not follow from it and n = {coefficient.n}"
    if coefficient.covariates:
        reason += f" with {coefficient.covariates} covariate{'s' * (coefficient.covariates > 1)}"
    if not misprinted:
        return f"{reason}."
    return f"{reason}; ρ² is that of {copysign(sqrt(float(cells['squared'])), float(cells['rho'])):.3f}."


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


TREEBANKS, SCORES = "ud-collection", "udpipe-scores"
SAMPLES = (2000, 4000, 6000, 8000)
"""Sentences in the sub-samples of Table D.1."""
_EQUATION = (
    "By Equation 2 the distance is in tokens; what is printed is the distance between the two vectors of "
    "probabilities (edv_heights), whatever the text says."
)
_EXPERIMENT = (
    "Needs two trained parsers for each of 103 treebanks of UD 2.7: gardenpath displacement experiment DIR "
    "--parser udpipe does it for the treebanks in DIR."
)


def lines(data: Data) -> list[Line]:
    """Every number of the paper's tables and captions, what the treebanks here make of it, and what follows."""
    printed = published("edv")
    folder, tables = data(TREEBANKS), data(SCORES)
    scores = {system: read_scores(f"{system}={tables / file}") for system, (_, file) in SYSTEMS.items()}
    with Where(cache=False).opened() as place:
        settings = CollectionSettings(draws=0, subsamples=SAMPLES)
        collection = measure_collection(collection_files(folder), settings, Work(place))
    studied = {system: studied_with(scores[system], collection, folder) for system in SYSTEMS}
    compared = list(coefficients(printed))
    return [
        *_given(printed),
        *_examples(printed["section3"], collection, scores),
        *_releases(printed["section3"], collection, studied),
        *signs(compared, studied),
        *normality(printed, studied),
        *correlations(compared, studied),
        *sets_of_treebanks(printed),
        *models(printed, studied),
        *_complexity(printed["complexity"], collection),
        *_samples(printed["tableD1"], collection),
        *_spread(printed, collection),
        *lines_of_rho(compared),
    ]


def _given(printed: Mapping[str, Any]) -> Iterator[Line]:
    """What needs parsers trained on splits; a correlation that others are made of is an input."""
    for table, numbers in printed["section6"]["numbers"].items():
        for row, text in numbers.items():
            yield Line(table, row, "experiment", text, None, "UDPipe 1.2", why=_EXPERIMENT)
    for row, cells in printed["table7"].items():
        yield Line("Table 7", row, "spearman", cells["rho"], None, "UDPipe 1.2", why=_EXPERIMENT, basis=INPUT)


def _examples(
    printed: Mapping[str, Any], collection: MeasuredCollection, scores: Mapping[str, TreebankScores]
) -> Iterator[Line]:
    """The two treebanks of Figure 2, the nearest and the most distant."""
    here = {}
    for treebank in ("Marathi-UFAL", "Catalan-AnCora"):
        name, measures = named(collection, treebank, "2.6")
        same = name.endswith("@r2.6")
        why = f"{treebank} is not among the treebanks here." if measures is None else ""
        why = f"{treebank} here is {name}, not that of UD 2.6." if measures is not None and not same else why
        here[treebank] = (printed[treebank], name, measures, same, why)
    for treebank, (texts, name, measures, same, why) in here.items():
        for row, kind in ((treebank, "edv_heights"), (f"{treebank}, Equation 2", "edv")):
            ours = None if measures is None else measures["distances"][kind]["value"]
            reason = _EQUATION if kind == "edv" and measures is not None else why
            yield Line("Section 3: EDV", row, kind, texts["edv"], ours, "", name, reason,
                       basis=RECOMPUTED if same else OTHER_DATA, kind="check" if kind == "edv" else "cell")  # fmt: skip
    for treebank, (texts, name, measures, same, why) in here.items():
        ours = None if measures is None else measures["measures"]["train_sentences"]
        table, measure = "Section 3: counts", "train_sentences"
        basis: Verdict = RECOMPUTED if same else OTHER_DATA
        yield Line(table, treebank, measure, texts["train_sentences"], ours, "", name, why, basis=basis)
    _, name, measures, _, why = here["Marathi-UFAL"]
    if measures is not None:
        largest = sorted(
            (other["distances"]["edv_heights"]["value"] for other in collection.measured.values()), reverse=True
        )
        place = 1 + largest.index(measures["distances"]["edv_heights"]["value"])
        why = f"Rank: among the {len(largest)} treebanks here."
        row = "Marathi-UFAL by EDV, 1 is the largest"
        yield Line("Section 3: counts", row, "rank", "1", place, "", name, why, basis=OTHER_DATA, kind="check")
    for treebank, (texts, *_) in here.items():
        known = scores["UDPipe 2.0"].whole
        las = known.get(match([treebank], known).rows.get(treebank, ""))
        why = "Ours is what UDPipe's manual publishes, not computed here."
        yield Line("Section 3: LAS", treebank, "las", texts["las"], las, "UDPipe 2.0", SCORES, why, basis=INPUT)


def _releases(
    printed: Mapping[str, Any], collection: MeasuredCollection, studied: Mapping[str, Studied]
) -> Iterator[Line]:
    """What Section 3 says of all treebanks of a release."""
    for system, (release, _) in SYSTEMS.items():
        part, suite = list(of_release(collection, release).measured.values()), f"UD {release}"
        heights = [one["distances"]["edv_heights"]["value"] for one in part]
        inside, outside = (
            sum(one["measures"][f"{side}_{kind}"] for one in part for side in ("train", "test"))
            for kind in ("edges", "outside")
        )
        why = f"{suite}: ours is of all {len(part)} treebanks here with train and test data."
        scored = f"{system}: the treebanks here that it has scores for."
        texts = printed[suite]
        for table, row, measure, text, ours, reason in (
            ("EDV", "mean", "edv_heights", texts["mean"], fmean(heights), why),
            ("EDV", "standard deviation", "edv_heights_sd", texts["sd"], stdev(heights), why),
            ("edges in [−30, 30], per cent", "all", "share", texts["within"], 100 * inside / (inside + outside), why),
            ("counts", f"treebanks for {system}", "treebanks", texts["treebanks"], studied[system].treebanks, scored),
        ):
            yield Line(f"Section 3: {table}", f"{suite}, {row}", measure, text, float(ours), "", suite, reason,
                       basis=OTHER_DATA)  # fmt: skip


def _complexity(printed: Mapping[str, str], collection: MeasuredCollection) -> Iterator[Line]:
    """Section 5 does not say of which release these are."""
    key = "train_morphological_complexity"
    table, known = (
        "Section 5: morphological complexity",
        [measures["measures"][key] for measures in collection.measured.values()],
    )
    usable = [value for value in known if value is not None]
    for row, text in printed.items():
        name, measures = named(collection, row, "2.6")
        ours = fmean(usable) if row == "mean" and usable else measures["measures"][key] if measures else None
        why = f"{row} is not among the treebanks here." if ours is None else f"mean: of the {len(usable)} with lemmas."
        yield Line(table, row, key, text, ours, suite=name, why=why, basis=OTHER_DATA)


def _samples(printed: Mapping[str, Any], collection: MeasuredCollection) -> Iterator[Line]:
    """Table D.1, for its treebanks if they are here; the caption is made of its means and deviations."""
    for treebank, cells in printed.items():
        name, measured = named(collection, treebank, "2.7")
        values = {part["size"]: [1e4 * value for value in part["values"]] for part in _parts(measured)}
        absent = f"{treebank} is not among the treebanks here."
        why = "Samples are random: theirs are others." if measured else absent
        for size in map(str, SAMPLES):
            drawn = values.get(int(size))
            ours_of = {"mean": fmean(drawn), "sd": stdev(drawn)} if drawn else {}
            for measure, text in zip(("mean", "sd"), cells[size], strict=True):
                row, ours = f"{treebank}, {size} sentences", ours_of.get(measure)
                yield Line("Table D.1", row, measure, text, None, "", "", why, basis=INPUT)
                yield Line("Table D.1", row, measure, text, ours, "", name, why, basis=OTHER_DATA)
        sentences = measured["measures"]["train_sentences"] if measured else None
        why = f"Ours is {name}." if measured else absent
        yield Line("Table D.1", treebank, "train_sentences", cells["full"], sentences, "", name, why, basis=OTHER_DATA)


def _parts(pair: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    return [part for part in pair["subsamples"] if part["measure"] == "edv_heights"] if pair else []


_OVER: Mapping[str, Callable[[Sequence[float]], float]] = {"least": min, "most": max, "mean": fmean}


def _spread(printed: Mapping[str, Any], collection: MeasuredCollection) -> Iterator[Line]:
    """How much samples vary: in the cells of Table D.1 itself, and over the treebanks here."""
    table, measure = "Table D.1, caption", "per cent"
    parts = [part["values"] for measured in collection.measured.values() for part in _parts(measured)]
    here = [100 * stdev(values) / fmean(values) for values in parts]
    cells = [
        (float(sizes[str(size)][0]), float(sizes[str(size)][1]))
        for sizes in printed["tableD1"].values()
        for size in SAMPLES
    ]
    shares = [100 * sd / mean for mean, sd in cells]
    # Every cell may be off by half of its last digit.
    off = [100 * (sd + 0.05) / (mean - 0.05) - share for (mean, sd), share in zip(cells, shares, strict=True)]
    for row, function in _OVER.items():
        text, ours, why = printed["spread"][row], function(shares), ""
        slack = fmean(off) if row == "mean" else off[shares.index(ours)]
        if row == "mean":
            why = f"{text} is no mean of the percentages of Table D.1; its mean EDV is "
            why += f"{fmean(mean for mean, _ in cells):.1f}."
        yield Line(table, row, measure, text, ours, why=why, slack=slack, basis=ARITHMETIC)
        why = f"Treebanks here: {len(parts)} sets of 20 samples, of 2,000 sentences up to half of the training data."
        yield Line(table, row, measure, text, function(here) if here else None, why=why, basis=OTHER_DATA)
