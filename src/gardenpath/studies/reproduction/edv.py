"""EDV (Anderson and Gómez-Rodríguez 2022): its analyses over the treebanks here, and its tables' arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from ...runs.where import Where
from ..displacement.collection import MeasuredCollection, collection_files, measure_collection
from ..displacement.las import TreebankScores, match, read_scores
from ..displacement.settings import CollectionSettings
from ..study import Work
from .coefficients import coefficients, lines_of_rho
from .edv_study import (
    SYSTEMS,
    Studied,
    correlations,
    models,
    named,
    normality,
    of_release,
    sets_of_treebanks,
    signs,
    studied_with,
)
from .line import ARITHMETIC, INPUT, OTHER_DATA, RECOMPUTED, Line, Verdict
from .paper import Data, published

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
_HELD = "gardenpath displacement holds covariates constant for EDV alone."


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
    for system, cells in printed["section4"].items():
        row = "test tokens, held constant: train tokens"
        yield Line("Section 4.2.2", row, "spearman", cells["rho"], None, system, why=_HELD, basis=INPUT)


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
