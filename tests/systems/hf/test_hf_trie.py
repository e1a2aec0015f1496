"""Packs and buckets of sequences: every prediction once; words that nobody asks for are not read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_transformers import SENTENCES

from gardenpath.errors import UsageError
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.outcomes import read_curves
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from gardenpath.systems.language_models.hf.causal import PLAIN, Batch, buckets, packs, trie
from gardenpath.systems.language_models.hf.system import HFModel
from gardenpath.systems.language_models.running_text import inside, readings_with

SEQUENCES = st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=12)


def predictions(batch: Batch) -> dict[int, tuple[int, ...]]:
    """What each event of a batch predicts, after which tokens."""
    flat = batch.ids.reshape(-1)
    found = {}
    for row, token, event in zip(batch.row_of, batch.tokens, batch.events, strict=True):
        place = int(batch.rows[row])
        if batch.parents is None:
            line, at = divmod(place, batch.ids.shape[1])
            before = batch.ids[line, : at + 1].tolist()
        else:
            before = flat[np.flatnonzero(batch.seen[place])].tolist()
            assert batch.depths[place] == len(before) - 1
        found[int(event)] = (*before, int(token))
    return found


@given(SEQUENCES, st.integers(1, 9), st.sampled_from([packs, buckets]))
def test_every_beginning_is_predicted_once(sequences, size, cut):
    found = trie(sequences)
    batches = list(cut(sequences, found, size))
    told = [predictions(batch) for batch in batches]
    events = [event for one in told for event in one]
    assert sorted(events) == list(range(found.count))
    of_event = {event: what for one in told for event, what in one.items()}
    for sequence, events_of in zip(sequences, found.of_sequence, strict=True):
        expected = [tuple(sequence[: at + 1]) for at in range(1, len(sequence))]
        assert [of_event[event] for event in events_of.tolist()] == expected
    assert found.count == len({tuple(one[: at + 1]) for one in sequences for at in range(1, len(one))})


def test_what_is_shared_is_read_once_and_last_tokens_not_at_all():
    sequences = [[1, 2, 3, 4], [1, 2, 3, 5], [1, 2, 6]]
    (batch,) = packs(sequences, trie(sequences), 100)
    assert batch.ids.tolist() == [[1, 2, 3]]
    assert sorted(batch.tokens.tolist()) == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_pack_that_is_full_is_followed_by_one_that_repeats_beginnings(size):
    sequences = [[1, 2, 3, 4], [1, 2, 7, 4], [1, 2, 9, 4]]
    batches = list(packs(sequences, trie(sequences), size))
    assert sum(len(batch.events) for batch in batches) == 7
    assert len(batches) == (1 if size == 100 else 3)


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
