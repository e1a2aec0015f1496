"""Items that cannot be judged are counted and stay in the denominator; answers are found by what they say."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gardenpath.errors import InputError, SystemFailure
from gardenpath.runs.result.result import Result
from gardenpath.runs.work.where import HERE, Where
from gardenpath.studies.engine.declaration import made
from gardenpath.studies.engine.mixed_models import mixed_models
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.outcomes import SURPRISALS, read_curves
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from scored_text import to_lm_zoo

NOUNS = ["dog", "cat", "cow", "hen"]


def suite_of(nouns: list[str] = NOUNS, title: str = "agreement") -> RegionSuite:
    """`the NOUN barks` must be less surprising than `the NOUN bark`, at the verb."""
    items = [
        Item(noun, tuple(
            Condition(name, (Region(1, f"the {noun}"), Region(2, verb)))
            for name, verb in (("good", "barks"), ("bad", "bark"))
        ))
        for noun in nouns
    ]  # fmt: skip
    predictions = [Prediction("(2;%bad%) > (2;%good%)")]
    return RegionSuite(f"{title}.json", title, items, predictions, {1: "noun", 2: "verb"}, "syntaxgym")


def sentences_of(suite: RegionSuite) -> list[list[str]]:
    return [list(condition.words) for item in suite.items for condition in item.conditions]


def bits(words: list[str]) -> list[float]:
    """A model that is right: *bark* is one bit longer than *barks*."""
    return [1.0, float(len(words[1])), 3.0 if words[2] == "bark" else 2.0]


def judged(
    source: object, systems: object, where: Where = HERE, folder: Path | None = None, **chosen: object
) -> Result:
    return run(SURPRISAL, source, systems, SurprisalSettings(**chosen), where=where, folder=folder)  # type: ignore[arg-type]


def value(result: Result, measure: str) -> float:
    return next(
        float(finding.value or 0) for finding in result.findings if finding.measure == measure and not finding.by
    )


def written(path: Path, sentences: list[list[str]], values: list[list[float]] | None = None) -> str:
    path.write_text(to_lm_zoo(sentences, values or [bits(words) for words in sentences]), encoding="utf-8")
    return f"surprisals:{path}"


def broken_on(*nouns: str, how: float = math.nan) -> object:
    """A function that scores as `bits` does, and gives no number where one of these nouns stands."""

    def model(sentences: list[list[str]]) -> list[list[float]]:
        return [[how] * len(words) if words[1] in nouns else bits(words) for words in sentences]

    return model


@pytest.mark.parametrize("how", [math.nan, math.inf])
def test_a_sentence_on_which_the_model_fails_is_a_failed_item(tmp_path: Path, how: float) -> None:
    messages: list[str] = []
    result = run(
        SURPRISAL, suite_of(), {"m": broken_on("cow", how=how)}, SurprisalSettings(), folder=tmp_path / "run",
        tell=messages.append,
    )  # fmt: skip
    assert value(result, "accuracy") == 75.0  # three right of four: a failure stays in the denominator
    difference = next(finding for finding in result.findings if finding.measure == "difference")
    assert (difference.value, difference.n) == (1.0, 3)
    assert result.failures == {"m: items failed (crashed)": 1}
    assert len(messages) == 1
    assert "m: failed on an item; the first reason: " in messages[0]
    assert "'the', is" in messages[0]
    rows = (tmp_path / "run" / "observations.tsv").read_text(encoding="utf-8").splitlines()
    outcome, worth = (rows[0].split("\t").index(name) for name in ("outcome", "value"))
    assert [row.split("\t")[outcome] for row in rows[1:]] == ["right", "right", "failed", "right"]
    assert [row.split("\t")[worth] for row in rows[1:]] == ["1.0", "1.0", "0.0", "1.0"]
    curves = list(read_curves(tmp_path / "run" / SURPRISALS))
    assert curves[2].bits["m"] == ((None,) * 3,) * 2
    assert curves[0].bits["m"][1] == (1.0, 3.0, 3.0)


def test_a_model_that_fails_on_every_item_is_an_error() -> None:
    with pytest.raises(SystemFailure, match="the surprisal of token 1, 'the', is nan"):
        judged(suite_of(), {"m": broken_on(*NOUNS)})

    def half(sentences: list[list[str]]) -> list[list[float]]:
        return [[math.nan] * 3 if words[2] == "bark" else bits(words) for words in sentences]

    with pytest.raises(SystemFailure, match="it failed"):  # one sentence of each item
        judged(suite_of(), half)


def test_a_suite_on_which_it_fails_wholly_is_counted_where_others_go_well() -> None:
    suites = [suite_of(), suite_of(["elk", "emu"], "other")]
    result = judged(suites, {"m": broken_on("elk", "emu")})
    assert value(result, "accuracy") == 50.0
    assert result.failures == {"m: items failed (crashed)": 2}
    difference = next(
        finding for finding in result.findings if finding.measure == "difference" and finding.suite == "other"
    )
    assert (difference.value, difference.n) == (None, 0)


def test_a_seed_that_fails_counts_with_those_that_do_not() -> None:
    result = judged(suite_of(), {"m": [broken_on("cow"), broken_on()]})
    assert value(result, "accuracy") == 87.5
    difference = next(finding for finding in result.findings if finding.measure == "difference")
    assert (difference.value, difference.n) == (1.0, 4)  # the other seed says how far apart the sides are


def test_a_sentence_that_a_file_has_as_nan_is_a_failed_item(tmp_path: Path) -> None:
    sentences = sentences_of(suite_of())
    values = [bits(words) for words in sentences]
    values[2] = [math.nan] * 3
    result = judged(suite_of(), {"m": written(tmp_path / "out.tsv", sentences, values)})
    assert value(result, "accuracy") == 75.0
    assert result.failures == {"m: items failed (not scored)": 1}
    with pytest.raises(InputError, match="this sentence was not scored: the dog barks"):
        judged(suite_of(), written(tmp_path / "none.tsv", sentences, [[math.nan] * 3 for _ in sentences]))


def test_a_region_that_does_not_fit_the_tokens_is_a_failed_item(tmp_path: Path) -> None:
    sentences = sentences_of(suite_of())
    values = [bits(words) for words in sentences]
    sentences[0], values[0] = ["the", "dogbarks"], [1.0, 2.0]
    result = judged(suite_of(), {"m": written(tmp_path / "out.tsv", sentences, values)})
    assert value(result, "accuracy") == 75.0
    assert result.failures == {"m: items failed (a region does not fit the tokens)": 1}


def test_a_token_on_a_border_can_be_of_the_region_in_which_it_ends(tmp_path: Path) -> None:
    sentences = sentences_of(suite_of())
    values = [bits(words) for words in sentences]
    sentences[0], values[0] = ["the", "dogbarks"], [1.0, 2.5]
    name = written(tmp_path / "out.tsv", sentences, values)
    result = judged(suite_of(), {"m": name}, border="end")
    assert value(result, "accuracy") == 100.0
    assert not result.failures
    assert "|border:end|" in result.signature
    difference = next(finding for finding in result.findings if finding.measure == "difference")
    assert difference.value == (0.5 + 1 + 1 + 1) / 4
    sentences[0], values[0] = ["thedogbarks"], [4.0]  # the noun has no token of its own; nobody asks for it
    assert value(judged(suite_of(), {"m": written(tmp_path / "o.tsv", sentences, values)}, border="end"), "accuracy")


def test_sentences_that_no_suite_has_are_counted(tmp_path: Path) -> None:
    sentences = [*sentences_of(suite_of()), *sentences_of(suite_of(["elk"], "other")), ["the", "end", "barks"]]
    suites = [suite_of(), suite_of(["elk"], "other")]
    result = judged(suites, {"m": written(tmp_path / "out.tsv", sentences)})  # one file for both suites
    assert result.failures == {"m: sentences in its files that no suite has": 1}
    assert value(result, "accuracy") == 100.0


def test_an_item_that_failed_is_wrong_in_a_binomial_model(tmp_path: Path) -> None:
    pytest.importorskip("mixedlm")
    nouns = [f"noun{number}" for number in range(24)]

    def model(sentences: list[list[str]]) -> list[list[float]]:
        draws = [np.random.default_rng([int(words[1][4:]), len(words[2])]) for words in sentences]
        return [[1.0, 1.0, float(draw.random())] for draw in draws]

    def failing(sentences: list[list[str]]) -> list[list[float]]:
        return [[math.nan] * 3 if words[1] == "noun3" else row
                for words, row in zip(sentences, model(sentences), strict=True)]  # fmt: skip

    result = run(SURPRISAL, suite_of(nouns), {"a": model, "b": failing}, folder=tmp_path / "run")
    fitted = mixed_models(tmp_path / "run", "outcome ~ system + (1|item)")
    assert {finding.n for finding in fitted.findings if finding.measure == "estimate"} == {48}
    assert result.failures["b: items failed (crashed)"] == 1


def test_conditions_in_another_order_are_found_by_their_words(tmp_path: Path) -> None:
    """By order, as it once was, this scored 0.00."""
    sentences = sentences_of(suite_of())
    swapped = [sentence for pair in zip(sentences[1::2], sentences[::2], strict=True) for sentence in pair]
    assert value(judged(suite_of(), written(tmp_path / "out.tsv", swapped)), "accuracy") == 100.0
    ordered = written(tmp_path / "out.tsv", swapped) + "#match=order"
    with pytest.raises(InputError, match="region 2, 'barks', does not fit the model's tokens: the dog bark"):
        judged(suite_of(), ordered)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.permutations(range(2 * len(NOUNS))), st.lists(st.floats(0, 30), min_size=24, max_size=24), st.booleans())
def test_permuting_the_sentences_of_a_file_changes_no_finding(
    order: list[int], values: list[float], unknown: bool
) -> None:
    sentences = sentences_of(suite_of())
    if unknown:
        sentences[4], sentences[5] = ["the", "<unk>", "barks"], ["the", "<unk>", "bark"]
    rows = [values[3 * place : 3 * place + 3] for place in range(len(sentences))]
    with tempfile.TemporaryDirectory() as folder:
        first = written(Path(folder) / "a.tsv", sentences, rows)
        second = written(Path(folder) / "b.tsv", [sentences[at] for at in order], [rows[at] for at in order])
        in_order, permuted = (judged(suite_of(), {"m": name}) for name in (first, second))
    assert in_order.findings == permuted.findings
    assert in_order.failures == permuted.failures


def test_two_systems_never_share_a_signature(tmp_path: Path) -> None:
    sentences = sentences_of(suite_of())
    first = written(tmp_path / "a.tsv", sentences)
    second = written(tmp_path / "b.tsv", sentences, [[1.0, 1.0, 1.0 + at] for at, _ in enumerate(sentences)])
    systems = [first, second, f"{first}#match=order", broken_on("cow"), broken_on("hen"), [first, second]]
    signatures = {judged(suite_of(), {"m": system}).signature for system in systems}
    assert len(signatures) == len(systems)
    coins = {judged(suite_of(), first, ties="coin", seed=seed).signature for seed in (0, 1)}
    assert len(coins) == 2


def test_a_setting_that_may_be_repeated_is_not_cut_at_commas() -> None:
    chosen = made(SurprisalSettings, {"layout": "separator=,", "by": "class,kind"})
    assert (chosen.layout, chosen.by) == (("separator=,",), ("class", "kind"))
