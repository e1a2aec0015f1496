"""Words that nobody asks for are not read: what is asked has the same surprisal, and a study the same findings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_hf_trie import SEQUENCES, predictions
from tiny_transformers import SENTENCES

from gardenpath.errors import UsageError
from gardenpath.studies.engine import run
from gardenpath.studies.surprisal.curves import read_curves
from gardenpath.studies.surprisal.settings import SurprisalSettings
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from gardenpath.systems.hf import HFModel
from gardenpath.systems.hf.causal import PLAIN
from gardenpath.systems.hf.trie import buckets, packs, trie
from gardenpath.systems.running_text import inside, readings_with

ASKED = [[(4, 8)], [], [(0, 3), (9, 14)]]


def check_same_surprisals(whole, parts, asked):
    for reading, part, spans in zip(whole, parts, asked, strict=True):
        assert part.tokens == reading.tokens
        wanted = inside(reading.begins, reading.ends, spans) & reading.scored
        assert part.scored.tolist() == wanted.tolist()
        np.testing.assert_allclose(part.surprisals[wanted], reading.surprisals[wanted], atol=1e-4)
        assert part.oov.tolist() == reading.oov.tolist()


@pytest.mark.parametrize("kind", ["gpt2", "llama", "qwen2", "bert"])
@pytest.mark.parametrize("way", ["tree", "sentence by sentence"])
def test_what_is_asked_has_the_same_surprisal(kind, way, request):
    model = HFModel(str(request.getfixturevalue(kind)))
    if way != "tree":
        model.__dict__["way"] = PLAIN
    texts = list(SENTENCES[:3])
    check_same_surprisals(model.readings(texts), model.asked_readings(texts, ASKED), ASKED)


def test_a_blank_that_is_moved_needs_every_token(gpt2):
    model = HFModel(f"{gpt2}#space=corrected")
    texts = list(SENTENCES[:3])
    for reading, part in zip(model.readings(texts), model.asked_readings(texts, ASKED), strict=True):
        np.testing.assert_allclose(part.surprisals, reading.surprisals, atol=1e-4)


def test_parts_and_wholes_are_kept_apart_in_the_cache(gpt2):
    texts = list(SENTENCES[:3])
    whole, _ = readings_with(f"hf:{gpt2}", texts)
    parts, _ = readings_with(f"hf:{gpt2}", texts, asked=ASKED)
    check_same_surprisals(whole, parts, ASKED)
    again, _ = readings_with(f"hf:{gpt2}", texts)
    assert all(reading.scored.all() for reading in again)


@given(SEQUENCES, st.integers(1, 9), st.sampled_from([packs, buckets]), st.randoms(use_true_random=False))
def test_what_is_wanted_is_predicted_once_and_nothing_else(sequences, size, cut, random):
    wanted = [np.array([random.random() < 0.4 for _ in sequence[1:]], bool) for sequence in sequences]
    prefixes = trie(sequences, wanted)
    predicted = [what for batch in cut(sequences, prefixes, size) for what in predictions(batch).values()]
    expected = {
        tuple(sequence[: at + 2])
        for sequence, marks in zip(sequences, wanted, strict=True)
        for at in np.flatnonzero(marks).tolist()
    }
    assert len(predicted) == len(set(predicted))
    assert set(predicted) == expected


def suite(formula: str) -> RegionSuite:
    items = []
    for number, (noun, other) in enumerate([("keys", "key"), ("dogs", "dog"), ("boys", "boy"), ("cats", "cat")], 1):
        items.append(
            Item(str(number), tuple(
                Condition(name, (Region(1, f"The {word} to the cabinet"), Region(2, "are"), Region(3, "on the table.")))
                for name, word in (("plural", noun), ("singular", other))
            ))
        )  # fmt: skip
    names = {1: "subject", 2: "verb", 3: "rest"}
    return RegionSuite("own", "own", items, [Prediction(formula)], names, "syntaxgym")


@pytest.mark.parametrize("formula", ["(2;%plural%) < (2;%singular%)", "(*;%plural%) < (*;%singular%)"])
@pytest.mark.parametrize("kind", ["gpt2", "bert"])
def test_a_study_finds_the_same(kind, formula, request, tmp_path):
    model = {"m": f"hf:{request.getfixturevalue(kind)}"}
    settings = SurprisalSettings(by=("all",))
    whole = run(SURPRISAL, suite(formula), model, settings)
    part = run(SURPRISAL, suite(formula), model, replace(settings, words="asked"), folder=tmp_path / "run")
    assert len(whole.findings) == len(part.findings)
    for finding, other in zip(whole.findings, part.findings, strict=True):
        assert (finding.measure, finding.by, finding.n) == (other.measure, other.by, other.n)
        assert other.value == pytest.approx(finding.value, abs=1e-3, nan_ok=True)
    assert "words:asked" in part.signature
    assert "words:" not in whole.signature
    for item in read_curves(tmp_path / "run" / "surprisals.jsonl"):
        for (_, _, regions), bits in zip(item.conditions, item.bits["m"], strict=True):
            known = [value is not None for value in bits]
            assert known == [region == 2 or "*" in formula for region in regions]


def test_models_that_read_every_word_refuse():
    with pytest.raises(UsageError, match="read every word"):
        run(SURPRISAL, suite("(2;%plural%) < (2;%singular%)"), {"m": len_model}, SurprisalSettings(words="asked"))


def len_model(sentences):
    return [[float(len(word)) for word in words] for words in sentences]
