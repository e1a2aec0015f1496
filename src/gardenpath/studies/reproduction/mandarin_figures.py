"""The figures of the paper on Mandarin. They print no numbers: what the text says of them is a line, 1 for true.

The heights of bars and points are numbers of ours that the paper does not have (`not printed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...stats.tests import one_sample_t
from ...suites.regions.mandarin import CLASSES
from ..surprisal.difference import SurprisalDifference
from ..surprisal.scores import SuiteScores
from .line import Line

_ALPHA = 0.05
_FIGURE = "The figure prints no numbers: 1 where what the text says of it holds. Means are in bits, over items."
_ITEMS = "A t-test over the 124 items has p = .017; over items × seeds, as if they were independent, p = .003."


def figures(scores: SuiteScores) -> Iterator[Line]:
    """Figures 1 to 4, 6 and 7, each model with both sizes of data."""
    neural = [system for system in scores.outcomes if not system.startswith("n-gram")]
    for part in (_classes(scores, neural), _modifiers(scores), _garden_paths(scores, neural), _kinds(scores, neural)):
        yield from part
    for system in scores.outcomes:
        for place, suite in enumerate(scores.suites):
            yield _height("Figure 7", suite.title, "accuracy", _accuracy(scores, system, [place]), system, suite.title)


def places_of(scores: SuiteScores, key: str, modifiers: Sequence[str] = ()) -> list[int]:
    """The suites of a class, in the order of the paper; of these modifiers."""
    return [
        place
        for place, suite in enumerate(scores.suites)
        if suite.property_of("paradigm") == key and (not modifiers or suite.property_of("modifier") in modifiers)
    ]


def _accuracy(scores: SuiteScores, system: str, places: Sequence[int]) -> float:
    return (scores.score(system, places, "accuracy").value or 0.0) / 100


def _classes(scores: SuiteScores, neural: Sequence[str]) -> Iterator[Line]:
    """Figures 1 and 2: n-grams are worst; RNNGs lead where data is small; objects are easier garden paths."""
    everywhere = range(len(scores.suites))
    means = {system: _accuracy(scores, system, everywhere) for system in scores.outcomes}
    for system, mean in means.items():
        yield _height("Figure 2", "all suites", "accuracy", mean, system)
    for baseline in (system for system in means if system not in neural):
        row = f"all classes: {means[baseline]:.3f}, the next {min(means[system] for system in neural):.3f}"
        worst = all(means[baseline] < means[system] for system in neural)
        yield _says("Figure 1", row, "below all neural models", worst, baseline)
    for key in ("vo", "sd"):
        for plain in ("LSTM", "Transformer"):
            pair = [_accuracy(scores, system, places_of(scores, key)) for system in ("RNNG", plain)]
            row = f"{CLASSES[key].title}: {pair[0]:.3f} and {pair[1]:.3f}"
            yield _says("Figure 1", row, "RNNG is better", pair[0] > pair[1], plain, key)
    for system in neural:
        pair = [_accuracy(scores, system, places_of(scores, key)) for key in ("gpo", "gps")]
        row = f"Garden Path Object {pair[0]:.3f}, Subject {pair[1]:.3f}"
        yield _says("Figure 1", row, "object is better", pair[0] > pair[1], system)


def _modifiers(scores: SuiteScores) -> Iterator[Line]:
    """Figure 3: LSTMs and Transformers lose with every step of complexity, and most with the last one."""
    losses = dict[str, float]()
    steps = [places_of(scores, "mobj", [modifier]) for modifier in CLASSES["mobj"].modifiers]
    for system in ("LSTM", "RNNG", "Transformer", "PLM"):
        both = [[_accuracy(scores, name, step) for step in steps] for name in (system, f"{system}-Xinhua")]
        curve = np.mean(both, axis=0)
        losses[system] = float(curve[0] - curve[-1])
        if system in ("LSTM", "Transformer"):
            row = "Missing Object: " + ", ".join(f"{value:.3f}" for value in curve)
            yield _says("Figure 3", row, "falls with every step", bool((np.diff(curve) < 0).all()), system, "mobj")
    for structural in ("RNNG", "PLM"):
        for plain in ("LSTM", "Transformer"):
            row = f"embedded SRC: -{losses[structural]:.3f} and -{losses[plain]:.3f}"
            holds = losses[structural] < losses[plain]
            yield _says("Figure 3", row, f"{plain} loses more", holds, structural, "mobj_subh")


def _garden_paths(scores: SuiteScores, neural: Sequence[str]) -> Iterator[Line]:
    """Figure 4: positive means for objects, greater with more data; for subjects RNNG-Xinhua alone has a sure one."""
    tests = {
        (system, key): scores.difference(system, places_of(scores, key))
        for key in ("gpo", "gps")
        for system in scores.outcomes
    }
    for (system, key), test in tests.items():
        table = "Figure 4a" if key == "gpo" else "Figure 4b"
        yield _height(table, CLASSES[key].title, "bits", test.mean, system, key)
    for system in neural:
        test = tests[system, "gpo"]
        yield _says("Figure 4a", _row("gpo", test), "mean above 0", (test.mean or 0) > 0, system, "gpo")
        if not system.endswith("-Xinhua"):
            more = (tests[f"{system}-Xinhua", "gpo"].mean or 0) - (test.mean or 0)
            row = f"Garden Path Object: {more:+.3f} with Xinhua"
            yield _says("Figure 4a", row, "grows with data", more > 0, system, "gpo")
    for system in scores.outcomes:
        test = tests[system, "gps"]
        sure = test.p is not None and test.p < _ALPHA and (test.mean or 0) > 0
        expected = system == "RNNG-Xinhua"
        yield _says("Figure 4b", _row("gps", test), "significantly above 0", sure, system, "gps", expected)
    over_seeds = _by_seed(scores, "RNNG-Xinhua")
    yield Line("Section 4.2", "Garden Path Subject, t-test", "p", "<0.001", tests["RNNG-Xinhua", "gps"].p,
               "RNNG-Xinhua", "gps", why=_ITEMS)  # fmt: skip
    yield Line("Section 4.2", "Garden Path Subject, t-test over items × seeds", "p", "", one_sample_t(over_seeds).p,
               "RNNG-Xinhua", "gps")  # fmt: skip
    yield _says("Figure 4b", _row("gps", tests["PLM-Xinhua", "gps"]), "mean above 0",
                (tests["PLM-Xinhua", "gps"].mean or 0) > 0, "PLM-Xinhua", "gps")  # fmt: skip
    for system in ("RNNG-Xinhua", "PLM-Xinhua"):
        values = _by_seed(scores, system)
        sizes = [float(np.abs(values[side]).mean()) for side in (values > 0, values < 0)]
        row = f"Garden Path Subject: {sizes[0]:.3f} where predicted, {sizes[1]:.3f} where not"
        yield _says("Figure 4b", row, "greater where predicted", sizes[0] > sizes[1], system, "gps")


def _by_seed(scores: SuiteScores, system: str) -> np.ndarray:
    """The surprisal difference of each item of Garden Path Subject with each seed."""
    return np.concatenate(
        [seed.differences[:, 0] for place in places_of(scores, "gps") for seed in scores.outcomes[system][place]]
    )


def _row(key: str, test: SurprisalDifference) -> str:
    title = CLASSES[key].title
    if test.t is None or test.p is None:
        return f"{title}: {test.mean:+.3f}, all the same"
    p = "p < .001" if test.p < 0.001 else f"p = {test.p:.3f}"
    return f"{title}: {test.mean:+.3f}, t({test.n - 1}) = {test.t:.2f}, {p}"


def _kinds(scores: SuiteScores, neural: Sequence[str]) -> Iterator[Line]:
    """Figure 6: syntactic classes are easier than semantic ones, less so with modifiers; n-grams are left out."""
    gaps: dict[str, list[float]] = {"no modifier": [], "modifiers": []}
    for system in neural:
        for part, values in gaps.items():
            means = {}
            for kind in ("syntactic", "semantic"):
                places = [
                    place
                    for place, suite in enumerate(scores.suites)
                    if suite.property_of("kind") == kind
                    and (suite.property_of("modifier") == "none") == (part == "no modifier")
                ]
                means[kind] = _accuracy(scores, system, places)
                yield _height("Figure 6", f"{kind}, {part}", "accuracy", means[kind], system)
            values.append(means["syntactic"] - means["semantic"])
            yield _says("Figure 6", f"{part}: {values[-1]:+.3f}", "syntactic above semantic", values[-1] > 0, system)
    without, with_modifiers = (float(np.mean(values)) for values in gaps.values())
    row = f"mean gap {without:+.3f} without modifiers, {with_modifiers:+.3f} with them"
    yield _says("Figure 6", row, "modifiers shrink the gap", with_modifiers < without, "")


def _says(table: str, row: str, measure: str, holds: bool, system: str, suite: str = "", expected: bool = True) -> Line:
    """A sentence about a figure, 1 for true; no number of the paper."""
    return Line(table, row, measure, str(int(expected)), float(holds), system, suite, why=_FIGURE, kind="check")


def _height(table: str, row: str, measure: str, value: float | None, system: str, suite: str = "") -> Line:
    """A bar or a point of a figure."""
    return Line(table, row, measure, "", value, system, suite)
