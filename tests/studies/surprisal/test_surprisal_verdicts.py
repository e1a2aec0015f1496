"""The verdicts of a study of surprisal: chance by counting, differences as `compare` has them, and when none speaks."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from math import log2, sqrt
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Finding, Value, Verdict
from gardenpath.runs.result.verdict import NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.studies.compare.study import compare
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.outcomes import formula_chance
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.studies.surprisal.tables import surprisal_verdicts
from gardenpath.suites.regions.formula import parse_formula
from verdict_checks import check_verdicts, unfounded

A, B, C, D = (f"(1;%{name}%)" for name in "abcd")


@pytest.mark.parametrize(
    ("formula", "chance"),
    [
        (f"{A} < {B}", 1 / 2),
        (f"{A} - {B} > 0", 1 / 2),
        (f"({A} - {B}) > ({C} - {D})", 1 / 2),
        (f"{A} + {B} < {C} + {D}", 1 / 2),
        (f"({A} < {B}) & ({C} < {D})", 1 / 4),
        (f"({A} < {B}) & ({A} < {C})", 1 / 3),  # the least of three
        (f"({A} < {B}) & ({B} < {C})", 1 / 6),  # one order of six
        (f"({A} < {B}) | ({C} < {D})", 3 / 4),
        (f"(({A} - {B}) < ({C} - {D})) & ({A} < {B})", None),  # regions in two sides
        (f"{A} + {B} > {C}", None),  # more on one side
        (f"{A} + {A} > {B} + {C}", None),
        (f"{A} - {B} > 2", None),
        (f"{A} = {B}", None),
        (f"{A} < {A}", None),
    ],
)
def test_chance_is_counted_out_or_not_known(formula: str, chance: float | None) -> None:
    assert formula_chance(parse_formula(formula)) == (None if chance is None else pytest.approx(chance))


def test_chance_is_what_random_surprisals_get() -> None:
    """The same by drawing: three regions, the first the least and the second below the third."""
    drawn = np.random.default_rng(1).exponential(size=(20000, 3))
    share = ((drawn[:, 0] < drawn[:, 1]) & (drawn[:, 1] < drawn[:, 2])).mean()
    assert formula_chance(parse_formula(f"({A} < {B}) & ({B} < {C})")) == pytest.approx(share, abs=0.01)


# ---- the rules, on findings made up for them

HEAD = ("surprisal", "3 suites")


def scored(
    system: str, value: float, half: float, p: float, p_holm: float, *, clusters: int = 40, **by: Value
) -> list[Finding]:
    """An accuracy with its test against a chance of 50."""
    return [
        Finding(*HEAD, system, "accuracy", value, 120, value - half, value + half, by),
        Finding(*HEAD, "", "chance", 50.0, 120, by=by),
        Finding(*HEAD, system, "chance_p", p, clusters, by=by),
        Finding(*HEAD, system, "chance_p_holm", p_holm, clusters, by=by),
    ]


def told(*findings: list[Finding], ties: str = "half") -> list[Verdict]:
    every = [finding for some in findings for finding in some]
    return list(surprisal_verdicts(every, "base sentence", SurprisalSettings(ties=ties)))


def texts(*findings: list[Finding]) -> list[str]:
    return [verdict.text for verdict in told(*findings)]


def test_systems_above_chance_are_one_sentence_and_others_are_not_called_so() -> None:
    verdicts = told(
        scored("a", 71.0, 6.0, 1e-6, 1e-5), scored("b", 80.0, 6.0, 1e-9, 1e-8), scored("c", 52.0, 7.0, 0.6, 0.6),
        scored("d", 35.0, 8.0, 0.001, 0.002), scored("e", 59.0, 8.0, 0.03, 0.09),
    )  # fmt: skip
    assert [(verdict.sure, verdict.text) for verdict in verdicts] == [
        (SHOWN, "b and a are above chance: accuracy 80.0 [74.0, 86.0] and 71.0 [65.0, 77.0] against 50.0, 120 items "
         "(shown)."),
        (SUGGESTED, "e is above chance: accuracy 59.0 [51.0, 67.0] against 50.0, 120 items (suggested)."),
        (NOT_SHOWN, "c is not shown to be above chance: accuracy 52.0 [45.0, 59.0] against 50.0, 120 items."),
        (SHOWN, "d is below chance: accuracy 35.0 [27.0, 43.0] against 50.0, 120 items (shown)."),
    ]  # fmt: skip


def test_few_clusters_show_nothing() -> None:
    (verdict,) = told(scored("a", 90.0, 9.0, 1e-6, 1e-5, clusters=19))
    assert verdict.sure == SUGGESTED


def test_a_score_without_a_known_chance_stands_alone() -> None:
    assert texts([Finding(*HEAD, "a", "accuracy", 71.0, 120, 65.0, 77.0)]) == [
        "a: accuracy 71.0 [65.0, 77.0], 120 items."
    ]


def test_the_worst_class_is_below_chance_or_below_all() -> None:
    everything = scored("a", 71.0, 4.0, 1e-6, 1e-5)
    below = texts(everything, scored("a", 32.0, 9.0, 1e-4, 1e-3, **{"class": "GP_sub"}))
    assert below[1] == (
        "a is below chance at class GP_sub: accuracy 32.0 [23.0, 41.0] against 50.0, 120 items (shown)."
    )
    good = scored("a", 90.0, 6.0, 1e-9, 1e-8, **{"class": "sd"})
    weak = scored("a", 52.0, 9.0, 0.6, 0.9, **{"class": "cls"})
    assert texts(everything, good, weak)[1:] == [
        "a has its lowest accuracy at class cls (52.0 [43.0, 61.0], 120 items), compared with 71.0 [67.0, 75.0] "
        "overall.",
        "a has its highest accuracy at class sd (90.0 [84.0, 96.0], 120 items), compared with 71.0 [67.0, 75.0] "
        "overall.",
    ]
    assert len(texts(everything, scored("a", 66.0, 9.0, 1e-4, 1e-3, **{"class": "cls"}))) == 1


def test_suites_stand_for_classes_where_there_are_none() -> None:
    suite = Finding("surprisal", "npi", "a", "accuracy", 20.0, 24, 10.0, 36.0)
    parts = Finding("surprisal", "npi", "a", "accuracy", 5.0, 24, 1.0, 20.0, {"prediction": 1})
    assert texts(scored("a", 71.0, 4.0, 1e-6, 1e-5), [suite, parts])[1].startswith(
        "a has its lowest accuracy at suite npi ("
    )


def test_ties_and_what_was_not_scored() -> None:
    everything = scored("a", 71.0, 4.0, 1e-6, 1e-5)
    ties = [Finding(*HEAD, "a", "ties", 23.0, 120, 17.0, 31.0)]
    assert told(everything, ties, ties="coin")[1].text == (
        "a: 23.0 % [17.0, 31.0] of the predictions are ties (mean over suites), 120 items; "
        "each is decided by a coin flip."
    )
    assert texts(everything, [Finding(*HEAD, "a", "items_failed", 3, 120)])[1] == (
        "a: 3 of 120 items could not be scored, and count as wrong."
    )
    none = [Finding(*HEAD, "a", "items_failed", 0, 120), Finding(*HEAD, "a", "ties", 0.0, 120, 0.0, 3.0)]
    assert len(texts(everything, none)) == 1
    known = [Finding(*HEAD, "a", "oov_items", 18.3, 120, 12.0, 26.0),
             Finding(*HEAD, "a", "accuracy_known", 75.0, 98, 66.0, 83.0)]  # fmt: skip
    assert texts(everything, known)[1] == "a: accuracy where all words are known 75.0 [66.0, 83.0], 98 items."

    few = [Finding(*HEAD, "a", "oov_items", 2.0, 120, 0.5, 6.0), known[1]]
    assert len(texts(everything, few)) == 1  # that is the accuracy of nearly all
    every = [Finding(*HEAD, "a", "oov_items", 100.0, 120, 96.0, 100.0)]
    assert texts(everything, every)[1].startswith("a: every item has a word that the model does not know.")


def test_a_model_that_decides_nothing_is_not_below_chance() -> None:
    """Ties that count as wrong, and items that were not scored, are no preference for the wrong sentence."""
    below = scored("a", 20.0, 4.0, 1e-6, 1e-5)
    ties = [Finding(*HEAD, "a", "ties", 60.0, 120, 50.0, 70.0)]
    failed = [Finding(*HEAD, "a", "items_failed", 70, 120)]
    assert "a is below chance" in texts(below)[0]
    assert "a is below chance" in told(below, ties, ties="half")[0].text
    for more, worth in ((ties, "strict"), (failed, "half")):
        (verdict, *_) = [one for one in told(below, more, ties=worth) if "chance" in one.text]
        assert "a is not shown to be above chance" in verdict.text
        assert verdict.sure == NOT_SHOWN
    npz: dict[str, Value] = {"class": "npz"}
    of_class = [
        Finding(*HEAD, "a", "accuracy", 20.0, 40, 12.0, 28.0, npz), Finding(*HEAD, "a", "chance_p", 1e-6, 40, by=npz),
        Finding(*HEAD, "a", "chance_p_holm", 1e-5, 40, by=npz), Finding(*HEAD, "", "chance", 50.0, by=npz),
    ]  # fmt: skip
    assert any("below chance at class npz" in text for text in texts(scored("a", 71.0, 4.0, 1e-6, 1e-5), of_class))
    unscored = [Finding(*HEAD, "a", "items_failed", 25, 120), Finding(*HEAD, "a", "items_failed", 25, 40, by=npz)]
    everything = texts(scored("a", 71.0, 4.0, 1e-6, 1e-5), of_class, unscored)
    assert not any("below chance" in text for text in everything)  # all that failed is of this class
    few = [Finding(*HEAD, "a", "ties", 10.0, 120, 5.0, 17.0)]
    assert "a is below chance" in told(below, few, ties="strict")[0].text


def effect(name: str, word: str, bits: float, p: float, p_holm: float, clusters: int = 24) -> list[Finding]:
    by: dict[str, Value] = {"class": name, "word": word}
    return [
        Finding(*HEAD, "a", "effect", bits, 24, bits - 1, bits + 1, by),
        Finding(*HEAD, "a", "effect_p", p, clusters, by=by),
        Finding(*HEAD, "a", "effect_p_holm", p_holm, clusters, by=by),
    ]


def test_effects_are_named_only_where_they_are_shown_and_at_the_first_word_alone() -> None:
    everything, npz = scored("a", 71.0, 4.0, 1e-6, 1e-5), effect("npz", "verb", 6.9, 1e-6, 1e-5)
    spilled = effect("npz", "next", 3.0, 1e-6, 1e-5)
    suggested, few, none = (
        effect("nps", "verb", 2.0, 0.02, 0.2),
        effect("mvrr", "verb", 2.0, 1e-6, 1e-5, clusters=19),
        effect("rc", "verb", 0.2, 0.7, 1.0),
    )
    spoken = told(everything, npz, suggested, few, none, spilled)
    (verdict,) = [verdict for verdict in spoken if "effect at" in verdict.text]
    assert verdict.text == "a: effect at the verb in bits, where one is shown: npz +6.9 [5.9, 7.9]."
    assert verdict.sure == SHOWN
    assert unfounded(verdict) == []
    assert not any("effect at" in text for text in texts(everything, suggested, few, none))


@pytest.mark.parametrize(
    ("seeds", "sample"),
    [
        ((5, 5), "beyond the noise of seeds, 39 degrees of freedom"),
        ((1, 5), "5 and 1 seed, 39 degrees of freedom"),
        ((5, 1), "1 and 5 seeds, 39 degrees of freedom"),
        ((1, 1), "40 base sentences"),
    ],
)
def test_a_difference_is_beyond_the_noise_of_seeds_where_both_have_several(seeds: tuple[int, int], sample: str) -> None:
    by: dict[str, Value] = {"baseline": "a"}
    tests = [
        Finding(*HEAD, "b", "accuracy_difference", 9.0, 120, 4.0, 14.0, by),
        Finding(*HEAD, "b", "accuracy_p", 0.001, 40, by=by),
        Finding(*HEAD, "b", "accuracy_p_holm", 0.002, 40, by=by),
    ]
    counts = [Finding(*HEAD, name, "seeds", count) for name, count in zip("ab", seeds, strict=True)]
    both = [*scored("a", 60.0, 3.0, 1e-3, 1e-3), *scored("b", 69.0, 3.0, 1e-3, 1e-3)]
    verdict = next(verdict for verdict in told(both, tests, counts) if "better" in verdict.text)
    assert verdict.text == f"b is better than a: accuracy +9.0 [4.0, 14.0], {sample} (shown)."


# ---- on the bundled suites

Model = Callable[[list[list[str]]], list[list[float]]]


def model(seed: int, skill: float) -> Model:
    """Surprisals by chance, but for the words of some sentences, which it knows."""

    def bits(sentences: list[list[str]]) -> list[list[float]]:
        chance = np.random.default_rng(seed)
        return [(3 + chance.random(len(words)) - skill * len(words) * (len(words) % 2)).tolist() for words in sentences]

    return bits


@pytest.fixture(scope="module")
def suites(samples: Path) -> list[Path]:
    return [samples / "zh_garden-surprisal" / name for name in ("GP_obj", "Subordination")]


@pytest.fixture(scope="module")
def folder(suites: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two systems."""
    place = tmp_path_factory.mktemp("surprisal") / "run"
    run(SURPRISAL, suites, {"a": model(1, 0.0), "b": model(2, 0.05)}, SurprisalSettings(), folder=place)
    return place


def test_the_difference_of_systems_is_that_of_compare(folder: Path) -> None:
    """`compare` works on the observations of the run, judgement by judgement."""
    kept = Run.load(folder)
    compared = {
        (finding.measure, finding.by.get("class")): finding for finding in compare([kept], by=["class"]).findings
    }
    tested = [finding for finding in kept.result().findings if finding.by.get("baseline") == "a"]
    assert len(tested) == 3 * 4  # difference, p and two corrected p of both classes and of all
    for finding in tested:
        if finding.measure not in ("accuracy_p_holm", "accuracy_p_bh"):  # which are corrected for other tests there
            other = compared[finding.measure, finding.by.get("class")]
            assert (finding.value, finding.low, finding.high) == pytest.approx((other.value, other.low, other.high))
            assert finding.n == other.n


def test_verdicts_on_bundled_suites_do_not_depend_on_the_order_of_systems(suites: list[Path]) -> None:
    models = {"a": model(1, 0.0), "b": model(2, 0.05), "c": model(3, 0.05)}
    results = [
        run(SURPRISAL, suites, {name: models[name] for name in order}, SurprisalSettings()) for order in ("abc", "acb")
    ]
    check_verdicts(results[0])
    first, second = ({verdict.text for verdict in result.verdicts} for result in results)
    assert first == second


# ---- effects at the disambiguating word and after it


ITEMS = """item,condition,disambPosition,Sentence
1,NPS_AMB,5,Anna knew the plan failed in May.
1,NPS_UNAMB,6,Anna knew that the plan failed in May.
2,NPS_AMB,5,Ben saw the cook left in June.
2,NPS_UNAMB,6,Ben saw that the cook left last June.
3,NPS_AMB,4,Cleo heard dogs bark at night.
3,NPS_UNAMB,5,Cleo heard that dogs bark at night.
"""
COSTS = {"Anna": 6.0, "Ben": 3.0, "Cleo": 9.0}
"""Bits of every word without *that*; with it every word has 1 bit, so item 1 has the effect 5, and so on."""


def bits(sentences: Sequence[Sequence[str]]) -> list[list[float]]:
    return [[1.0 if "that" in words else COSTS[words[0]] for _ in words] for words in sentences]


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.csv"
    path.write_text(ITEMS, encoding="utf-8")
    return path


def test_effects_by_hand(items: Path) -> None:
    result = gp.surprisal(items, {"hand": bits})
    effects_by_word = {finding.by["word"]: finding for finding in result.findings if finding.measure == "effect"}
    first = effects_by_word["disambiguating word"]
    assert (first.value, first.n, first.by["class"]) == (5.0, 3, "NPS")  # (5 + 2 + 8) / 3
    half = 4.302652730 * stdev([5, 2, 8]) / sqrt(3)  # t of 2 degrees of freedom
    assert (first.low, first.high) == pytest.approx((5 - half, 5 + half))
    # Item 2 goes on with another word in its second condition: in June, last June.
    later = {
        word: (effects_by_word[word].value, effects_by_word[word].n) for word in ("one word later", "two words later")
    }
    assert later == {"one word later": (6.5, 2), "two words later": (5.0, 3)}
    assert "Effects word by word" in [table.title for table in result.tables if not table.folded]


def test_an_item_that_was_not_scored_is_left_out_and_counted(items: Path, tmp_path: Path) -> None:
    lines = ["sentence_id\ttoken_id\ttoken\tsurprisal"]
    for number, row in enumerate(csv.DictReader(ITEMS.splitlines()), 1):
        words = row["Sentence"].split()
        values = bits([words])[0] if number != 1 else [float("nan")] * len(words)
        lines += [f"{number}\t{place}\t{word}\t{value}" for place, (word, value) in
                  enumerate(zip(words, values, strict=True), 1)]  # fmt: skip
    scored = tmp_path / "scored.tsv"
    scored.write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = gp.surprisal(items, f"surprisals:{scored}")
    effect = next(finding for finding in result.findings if finding.measure == "effect")
    accuracy = next(finding for finding in result.findings if finding.measure == "accuracy")
    assert (effect.value, effect.n) == (5.0, 2)  # (2 + 8) / 2
    assert (accuracy.value, accuracy.n) == (pytest.approx(200 / 3), 3)  # failures stay in the denominator


def test_no_effects_where_a_suite_asks_for_none() -> None:
    result = gp.surprisal("bundled:en-surprisal", {"length": lambda sentences: [[1.0] * len(w) for w in sentences]})
    assert not [finding for finding in result.findings if finding.measure == "effect"]


def scripted(path: Path) -> Mapping[tuple[str, int], list[float]]:
    """Effects of the published values, in twenty lines: positions from 1 of the items, bits of the words."""
    bits: dict[str, list[float]] = {}
    for row in csv.DictReader(path.open(encoding="utf-8")):
        value = float(row.get("sum_surprisal_base2") or float(row["sum_surprisal"]) * log2(2.718281828459045))
        bits.setdefault(row["Sentence"].replace("\\'", "'"), []).append(value)
    folder, name = path.parent.parent, path.name.split(".")[0]
    sentences: dict[tuple[str, str], tuple[str, int]] = {}
    for row in csv.DictReader((folder / f"{name}.pivot.csv").open(encoding="utf-8")):
        side = {"ambiguous": "Amb", "unambiguous": "Unamb"}.get(row.get("ambiguity", ""), "")
        place = int(row.get(f"disambPosition{side}") or row["targetPosition"]) - 1
        sentences[row["condition"], row["item"]] = row["Sentence"].replace("\\'", "'"), place
    pairs = {"NPS": ("NPS_AMB", "NPS_UAMB"), "NPZ": ("NPZ_AMB", "NPZ_UAMB"), "MVRR": ("MVRR_AMB", "MVRR_UAMB"),
             "Agreement": ("UNAGREE", "AGREE"), "RC": ("RC_Obj", "RC_Subj"),
             "AttachHigh": ("AttachHigh", "AttachMulti"), "AttachLow": ("AttachLow", "AttachMulti")}  # fmt: skip
    effects: dict[tuple[str, int], list[float]] = {}
    for construction, conditions in pairs.items():
        for item in {number for condition, number in sentences if condition == conditions[0]}:
            (first, p), (two, q) = (sentences[condition, item] for condition in conditions)
            for later in range(3):
                if first.split()[p + later] == two.split()[q + later]:
                    effects.setdefault((construction, later), []).append(bits[first][p + later] - bits[two][q + later])
    return effects


@pytest.mark.parametrize("model", ["gpt2", "lstm", "rnng"])
def test_the_published_models_against_a_script(model: str, shared: Path) -> None:
    folder = shared / "pairs" / "sap"
    result = gp.surprisal(folder, f"surprisals:{folder / model}")
    words = ["disambiguating word", "one word later", "two words later"]
    ours = {
        (str(finding.by["class"]), words.index(str(finding.by["word"]))): finding
        for finding in result.findings
        if finding.measure == "effect"
    }
    wanted = {key: values for path in sorted((folder / model).iterdir()) for key, values in scripted(path).items()}
    assert set(ours) == {key for key, values in wanted.items() if len(values) > 1}
    for key, finding in ours.items():
        values = wanted[key]
        assert (finding.value, finding.n) == (pytest.approx(mean(values), abs=1e-9), len(values))
        assert finding.low is not None
        assert finding.high is not None
        error = stdev(values) / sqrt(len(values))
        bound = {24: 2.0686576, 23: 2.0738731, 18: 2.1098156}[len(values)]  # of a table of Student's t
        assert finding.high - finding.low == pytest.approx(2 * bound * error, rel=1e-6)
