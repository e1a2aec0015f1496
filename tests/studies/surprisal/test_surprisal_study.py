"""The surprisal study on a small suite whose numbers can be checked by hand, and on the published surprisals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import GardenpathError, InputError
from gardenpath.report.figures.surprisal import figures
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.asking import OTHER, fit
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.outcomes import observations
from gardenpath.studies.surprisal.study import SURPRISAL, judged_suites
from gardenpath.suites.regions.model import RegionSuite
from gardenpath.suites.regions.reader import read_region_suite
from gardenpath.suites.regions.syntaxgym import from_syntaxgym
from gardenpath.systems.asking.entrants import entrants_of, is_system_name
from scored_text import to_lm_zoo


def surprisal(source: object, *systems: object, **settings: object) -> Result:
    return run(SURPRISAL, source, list(systems), SurprisalSettings(**settings))  # type: ignore[arg-type]


def suite_of(values: list[tuple[str, str]], formula: str = "(2;%bad%) > (2;%good%)", **meta: object) -> RegionSuite:
    """Items of two conditions with two regions each; the words are those given, the first region is `x`."""
    items = [
        {
            "item_number": number,
            "conditions": [
                {
                    "condition_name": name,
                    "regions": [{"region_number": 1, "content": "x"}, {"region_number": 2, "content": text}],
                }
                for name, text in zip(("good", "bad"), pair, strict=True)
            ],
        }
        for number, pair in enumerate(values, 1)
    ]
    raw = {
        "meta": {"name": "small", "metric": "sum", **meta}, "region_meta": {"1": "a", "2": "b"},
        "predictions": [{"type": "formula", "formula": formula}], "items": items,
    }  # fmt: skip
    return from_syntaxgym(json.dumps(raw).encode(), "small.json")


def scored(folder: Path, suite: RegionSuite, *seeds: list[list[float]]) -> str:
    """Files with these surprisals of the sentences of the suite, one per seed; `x` has 1 bit."""
    words = [list(one.words) for item in suite.items for one in item.conditions]
    for number, values in enumerate(seeds):
        place = folder / "out" / f"seed{number}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{suite.title}.tsv").write_text(to_lm_zoo(words, [[1.0, *one] for one in values]), encoding="utf-8")
    return f"m=surprisals:{folder / 'out'}"


def value(result: Result, measure: str, **by: object) -> Finding:
    (found,) = [one for one in result.findings if one.measure == measure and dict(one.by) == by][:1]
    return found


PAIRS = [("a b", "a B"), ("c", "C"), ("d", "D"), ("e", "E")]


def test_accuracy_ties_seeds_and_difference(tmp_path: Path) -> None:
    from scipy.stats import ttest_1samp

    suite = suite_of(PAIRS)
    first = [[1.0, 2.0], [2.0, 4.0], [5.0], [3.0], [2.0], [2.0], [1.0], [9.0]]  # right, wrong, tie, right
    second = [[1.0, 2.0], [2.0, 1.0], [5.0], [3.0], [2.0], [3.0], [1.0], [9.0]]  # tie, wrong, right, right
    system = scored(tmp_path, suite, first, second)
    result = surprisal(suite, system)
    accuracy = value(result, "accuracy")
    assert accuracy.value == pytest.approx(100 * np.mean([0.75, 0, 0.75, 1]))
    assert (accuracy.n, accuracy.system, accuracy.suite) == (4, "m", "small")
    assert accuracy.low is not None
    assert 0 <= accuracy.low <= float(accuracy.value or 0) <= (accuracy.high or 0) <= 100
    assert value(result, "ties").value == 25
    test = ttest_1samp([1.5, -2, 0.5, 8], 0)
    difference = next(one for one in result.findings if one.measure == "difference")
    assert difference.value == pytest.approx(2.0)
    assert next(one.value for one in result.findings if one.measure == "difference_p") == pytest.approx(test.pvalue)
    low, high = test.confidence_interval()
    assert (difference.low, difference.high) == pytest.approx((low, high))
    rows = observations(judged_suites(suite, system))
    assert len(rows) == 8
    assert rows.columns["outcome"] == ["right", "wrong", "tie", "right", "tie", "wrong", "right", "right"]
    assert rows.columns["seed"] == [0] * 4 + [1] * 4
    assert rows.columns["difference"][0] == 3.0


@pytest.mark.parametrize(("ties", "expected"), [("half", 50), ("strict", 0), ("coin", None)])
def test_what_a_tie_is_worth(ties: str, expected: int | None, tmp_path: Path) -> None:
    suite = suite_of([("c", "c")] * 40)
    system = scored(tmp_path, suite, [[2.0]] * 80)
    found = [
        float(value(surprisal(suite, system, ties=ties, seed=seed), "accuracy").value or 0)
        for seed in (0, 0, *range(1, 30 if ties == "coin" else 3))
    ]
    assert found[0] == found[1]
    if expected is None:
        assert len(set(found)) > 5
        assert np.mean(found) == pytest.approx(50, abs=6)
    else:
        assert set(found) == {expected}


@pytest.mark.parametrize(
    ("metric", "expected"), [("sum", 100), ("mean", 0), ("median", 0), ("max", 0), ("min", 0), ("range", 100)]
)
def test_metrics(metric: str, expected: int, tmp_path: Path) -> None:
    suite = suite_of([("a", "a b c")])
    system = scored(tmp_path, suite, [[4.0], [1.0, 2.0, 3.0]])
    result = surprisal(suite, system, metric=metric)
    assert value(result, "accuracy").value == expected
    own = suite_of([("a", "a b c")], metric=metric)
    assert value(surprisal(own, system), "accuracy").value == expected


def test_a_formula_with_several_comparisons_counts_ties_as_coins(tmp_path: Path) -> None:
    suite = suite_of([("a", "b")], "[(2;%bad%) > (2;%good%)] & [(1;%bad%) > (1;%good%)]")
    system = scored(tmp_path, suite, [[2.0], [3.0]])  # right, and a tie
    result = surprisal(suite, system)
    assert value(result, "accuracy").value == 50
    parts = [one for one in result.findings if one.measure == "difference" and "comparison" in one.by]
    assert [one.value for one in parts] == [1.0, 0.0]


def test_whole_sentences_by_their_lengths(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("good\tbad\nlonger words here\tno\n", encoding="utf-8")
    suite = read_region_suite(str(path))
    place = tmp_path / "out.tsv"
    place.write_text(to_lm_zoo([["longer", "words", "here"], ["no"]], [[3.0, 3.0, 3.0], [5.0]]), encoding="utf-8")
    result = surprisal(suite, f"m=surprisals:{place}")
    found = {one.measure: one.value for one in result.findings if not one.by and one.measure.startswith("accuracy")}
    assert found == {
        "accuracy": 0, "accuracy_per_token": 100, "accuracy_per_character": 100, "accuracy_per_byte": 100,
    }  # fmt: skip


def test_unknown_words_are_scored_with_and_without(tmp_path: Path) -> None:
    suite = suite_of(PAIRS[1:])
    place = tmp_path / "out.tsv"
    words = [["x", "<unk>"], *(["x", item] for item in "CdDeE")]
    values = [[1.0, 5.0], [1.0, 4.0], [1.0, 1.0], [1.0, 2.0], [1.0, 1.0], [1.0, 2.0]]
    place.write_text(to_lm_zoo(words, values), encoding="utf-8")
    result = surprisal(suite, f"m=surprisals:{place}")
    assert value(result, "accuracy").value == pytest.approx(200 / 3)
    known = value(result, "accuracy_known")
    assert (known.value, known.n) == (100, 2)
    assert value(result, "oov_items").value == pytest.approx(100 / 3)


def test_characters_where_the_text_has_no_blanks(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text(",0,1,2,3\n0,v,p,他走了,1\n1,v,p,他了走,0\n", encoding="utf-8")
    place = tmp_path / "out.tsv"
    place.write_text(to_lm_zoo([["他", "走了"], ["他了", "走"]], [[1.0, 2.0], [2.0, 2.0]]), encoding="utf-8")
    result = surprisal(path, f"m=surprisals:{place}")
    assert value(result, "accuracy").value == 100
    assert "tokens:characters" in result.signature


@pytest.mark.parametrize(
    ("tokens", "word_of", "lost"),
    [
        (["he", "saw", "it"], [0, 1, 2], range(0)),
        (["he", "<unk>", "it"], [0, 1, 2], range(0)),
        (["Ġhe", "Ġs", "aw", "Ġit"], [0, 1, 1, 2], range(0)),
        (["he", "has", "seen", "it"], [0, OTHER, OTHER, 2], range(1, 2)),
        (["he", "saw", "all", "it"], [0, 1, OTHER, 2], range(2, 2)),
    ],
)
def test_fit(tokens: list[str], word_of: list[int], lost: range) -> None:
    found = fit(["he", "saw", "it"], tokens)
    assert found.word_of.tolist() == word_of
    assert found.lost == lost
    assert found.covers(0, 1)
    assert found.covers(2, 3)
    assert found.covers(1, 2) == (not len(lost))


def test_a_token_across_the_border_of_a_region_does_not_fit() -> None:
    found = fit(["he", "saw", "it"], ["he", "sawit"])
    assert found.covers(0, 1)
    assert found.covers(1, 3)
    assert not found.covers(1, 2)
    assert not found.covers(2, 3)


def test_regions_that_never_fit_the_tokens_are_an_error(tmp_path: Path) -> None:
    suite = suite_of([("a b", "a c")])
    place = tmp_path / "out.tsv"
    place.write_text(to_lm_zoo([["xa", "b"], ["x", "a", "c"]], [[1.0, 1.0], [1.0, 1.0, 1.0]]), encoding="utf-8")
    with pytest.raises(InputError, match="region 2, 'a b', does not fit the model's tokens: xa b") as error:
        surprisal(suite, f"surprisals:{place}")
    assert "item 1, good, region 2" in error.value.where
    assert "out.tsv:2" in error.value.todo


@pytest.mark.parametrize(
    ("suite", "message"),
    [
        (lambda: suite_of([("", "a")]), "an empty region has no surprisal"),
        (lambda: suite_of(PAIRS, "(2;%bda%) > (2;%good%)"), "unknown condition 'bda'"),
        (lambda: suite_of(PAIRS, "(7;%bad%) > (2;%good%)"), "no region 7"),
        (lambda: suite_of(PAIRS, "(2;%bad%) > > (2;%good%)"), "the formula is wrong at"),
    ],
)
def test_suites_that_cannot_be_judged(suite: object, message: str, tmp_path: Path) -> None:
    made = suite()  # type: ignore[operator]
    with pytest.raises(GardenpathError, match=message) as error:
        surprisal(made, f"surprisals:{tmp_path}")
    assert "small.json" in error.value.where


def test_names_of_systems() -> None:
    assert is_system_name("ngram:x")
    assert is_system_name("LSTM=surprisals:x")
    assert is_system_name("surprisals:x#match=order")
    assert not is_system_name("suite.json")
    (several,) = entrants_of("LSTM=ngram:a,ngram:b", "language model")
    assert (several.name, several.given) == ("LSTM", ("ngram:a", "ngram:b"))
    (single,) = entrants_of("surprisals:a,b#match=order", "language model")
    assert single.given == ("surprisals:a,b#match=order",)
    with pytest.raises(GardenpathError, match="named twice"):
        entrants_of(["ngram:a", "ngram:a"], "language model")


def test_the_same_suite_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two suites are called small"):
        surprisal([suite_of(PAIRS), suite_of(PAIRS)], f"surprisals:{tmp_path}")
    with pytest.raises(GardenpathError, match="no suite to judge"):
        surprisal([], f"surprisals:{tmp_path}")


@pytest.fixture(scope="module")
def published(shared: Path) -> Result:
    folder = shared / "surprisal" / "mandarin"
    names = [f"{name}=surprisals:{folder}/surprisals/{name}_outputs#match=order" for name in ("ngram", "rnng")]
    return surprisal(folder / "test_suites", *names, by=("class", "kind", "complexity", "difference"))


def test_classes_of_the_paper(published: Result) -> None:
    """Table 6 of Wang, Hu, Levy and Qian (2021); the n-gram row with ties as one half."""
    found = {
        (one.system, one.by["class"]): round(float(one.value or 0) / 100, 3)
        for one in published.findings
        if one.measure == "accuracy" and tuple(one.by) == ("class",)
    }
    rows = {name: [value for (system, _), value in found.items() if system == name] for name in ("ngram", "rnng")}
    assert rows["rnng"] == [0.609, 0.690, 0.359, 0.714, 0.838, 0.854]
    assert rows["ngram"] == [0.560, 0.500, 0.500, 0.496, 0.575, 0.675]
    assert published.failures == {
        f"{name}: sentences scored in other words, outside the regions asked": count
        for name, count in (("ngram", 12), ("rnng", 24))
    }


def test_kinds_and_complexity(published: Result) -> None:
    gap = next(one for one in published.findings if one.measure == "accuracy_gap" and one.system == "rnng")
    assert gap.low is not None
    assert gap.low > 0
    steps = [
        one.by["modifier"] for one in published.findings
        if one.measure == "difference" and "complexity" in one.by and one.system == "rnng"
    ]  # fmt: skip
    assert steps == ["none", "sub", "sub2", "subh"]
    slope = next(one for one in published.findings if one.measure == "accuracy_per_step" and one.system == "rnng")
    assert slope.value == pytest.approx(-4.8333, abs=1e-3)
    assert [table.title for table in published.open_tables][1:] == [
        "Accuracy by class", "Syntactic and semantic classes", "Accuracy of syntactic minus semantic classes",
        "By complexity of the modifier", "Change of accuracy per step of complexity",
        "Mean surprisal difference at the target",
    ]  # fmt: skip


def test_figures_are_made_from_findings_alone(published: Result, tmp_path: Path) -> None:
    made = {one.name: one for one in figures(Result(published.signature, published.findings))}
    assert list(made) == [
        "surprisal-class", "surprisal-modifier", "surprisal-complexity", "surprisal-kind", "surprisal-difference",
        "surprisal-mean",
    ]  # fmt: skip
    assert {row["value"] for row in made["surprisal-mean"].data[0]} == {
        one.value for one in published.findings if one.measure == "accuracy" and not one.by and one.suite == "24 suites"
    }
    assert len(made["surprisal-class"].data[0]) == 12
    assert len(made["surprisal-modifier"].data[0]) == 48
    suite = suite_of(PAIRS)
    system = scored(tmp_path, suite, [[1.0, 2.0], [2.0, 4.0], [5.0], [3.0], [2.0], [2.0], [1.0], [9.0]])
    alone = figures(surprisal(suite, system))
    assert [one.name for one in alone] == ["surprisal-difference", "surprisal-suite"]
