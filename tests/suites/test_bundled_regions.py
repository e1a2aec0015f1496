"""The bundled suites of the surprisal study and the texts that go with them: their make-up, and what they show."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gardenpath.data import bundled
from gardenpath.errors import GardenpathError, InputError
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.suites.generation import LANGUAGES, parsed_grammar, sentences
from gardenpath.suites.regions.mandarin import PAPER
from gardenpath.suites.regions.model import RegionSuite
from gardenpath.suites.regions.reader import read_region_suites
from gardenpath.suites.report import check
from gardenpath.systems.training.training import train


def suites(language: str) -> list[RegionSuite]:
    return list(read_region_suites(bundled(f"{language}-surprisal")))


def test_six_classes_by_four_modifiers() -> None:
    found = suites("zh")
    assert [suite.title for suite in found] == list(PAPER)
    assert {len(suite) for suite in found} == {10}
    lines = [line for suite in found for item in suite.items for line in {one.words for one in item.conditions}]
    assert len(lines) > 500


def test_nine_english_phenomena() -> None:
    sizes = {suite.title: len(suite) for suite in suites("en")}
    assert len(sizes) == 9
    assert min(sizes.values()) >= 10
    assert min(size for title, size in sizes.items() if title.startswith(("garden_path", "agreement"))) >= 24


def test_the_grammar_is_led_down_the_garden_path_and_a_trigram_is_not(tmp_path: Path) -> None:
    """Surprisal at the disambiguating word: higher in nine of ten ambiguous items at least, and for a trigram, which
    sees the same three words in both conditions, never."""
    pytest.importorskip("numba", reason="the extra pcfg is not installed")
    train("ngram", bundled("en-text"), output=tmp_path / "en.npz")
    systems = ["pcfg:bundled:en-grammar", f"ngram:{tmp_path / 'en.npz'}"]
    result = run(SURPRISAL, suites("en"), systems, SurprisalSettings(by=("suite",)))
    scores = {
        (finding.suite, finding.system.partition(":")[0], finding.measure): finding.value
        for finding in result.findings
        if "prediction" not in finding.by
    }
    paths = [f"garden_path_{name}" for name in ("mvrr", "npz", "nps")]
    for title in paths:
        assert float(str(scores[title, "pcfg", "accuracy"])) >= 90
        assert scores[title, "ngram", "ties"] == 100
        assert scores[title, "ngram", "accuracy"] == 50
    for title in ("agreement_pp", "agreement_orc"):
        assert float(str(scores[title, "pcfg", "accuracy"])) >= 90
        assert float(str(scores[title, "ngram", "accuracy"])) < 60
    assert result.failures == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_items_differ_in_nothing_else(language: str) -> None:
    """The checks that the published suites are put to, and: no sentence stands in two items of a suite."""
    for suite in suites(language):
        assert list(check(suite)) == []
        first = Counter(item.conditions[0].words for item in suite.items)
        assert max(first.values()) == 1


def test_minimal_pairs_differ_in_one_stretch() -> None:
    """In Mandarin the conditions of an item differ by one word, or by what is missing at one place."""
    for suite in suites("zh"):
        for item in suite.items:
            for first, second in zip(item.conditions[::2], item.conditions[1::2], strict=True):
                one, two = list(first.words), list(second.words)
                while one and two and one[0] == two[0]:
                    del one[0], two[0]
                while one and two and one[-1] == two[-1]:
                    del one[-1], two[-1]
                allowed = {"cls": (1, 1), "gpo": (1, 1), "gps": (1, 1), "vo": (1, 1)}.get(suite.property_of("paradigm"))
                assert (len(one), len(two)) == allowed if allowed else min(len(one), len(two)) == 0, suite.title


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_what_the_grammar_draws(language: str) -> None:
    text = bundled(f"{language}-text").read_text("utf-8").splitlines()
    assert len(text) == 8000
    assert text == [" ".join(words) for words in sentences(language, 8000, seed=0)]
    assert list(sentences(language, 3, seed=1)) != list(sentences(language, 3, seed=0))


def test_an_ngram_model_of_the_text_knows_what_is_near(tmp_path: Path) -> None:
    """Classifier and noun side by side: always right. A clause between them: nothing but ties."""
    model = tmp_path / "zh.npz"
    train("ngram", bundled("zh-text"), output=model, options={"order": "4"})
    result = run(SURPRISAL, suites("zh"), f"ngram:{model}", SurprisalSettings())
    accuracy = {
        one.suite: one.value for one in result.findings if one.measure == "accuracy" and "prediction" not in one.by
    }
    assert accuracy["cls_none"] == 100
    assert accuracy["cls_obj"] == accuracy["cls_sub"] == 50


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TEXT\n  NP\n", "begins with its weight"),
        ("TEXT\n  1 NP .\n", "unknown name in the rule TEXT: 'NP'"),
        ("TEXT\n  1 N.<n>\n", "unknown variable 'n'"),
        ("words A B: a\n", "one form for each name"),
        ("  1 a\n", "without a rule"),
        ("A\n  1 a\n", "no rule TEXT"),
    ],
)
def test_a_slip_in_a_grammar_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(GardenpathError, match=message) as caught:
        parsed_grammar(text, "mine")
    assert isinstance(caught.value, InputError) or caught.value.where.startswith("mine")
    assert caught.value.where.startswith("mine")


def test_weights_are_shared_by_the_values_of_a_variable() -> None:
    grammar = parsed_grammar("@n a b c\nTEXT\n  3 x <n>\n  1 y\n")
    assert grammar.weights["TEXT"] == (1.0, 2.0, 3.0, 4.0)
    assert [body[0] for body in grammar.rules["TEXT"]] == ["x", "x", "x", "y"]
