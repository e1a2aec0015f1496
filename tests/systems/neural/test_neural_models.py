"""LSTM and Transformer as language models. Oracle of surprisals: the network asked word by word, one sentence."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from toy_language import NOUNS, VERBS

from gardenpath.errors import InputError
from gardenpath.runs.cache import ResultCache
from gardenpath.runs.where import Where
from gardenpath.systems.language_model import score_with
from gardenpath.systems.neural.vocabulary import OUTPUTS_FROM
from gardenpath.systems.protocol import LanguageModel
from gardenpath.systems.registry import language_model

torch = pytest.importorskip("torch")

from gardenpath.systems.neural.training_loop import one_thread  # noqa: E402

SENTENCES = [
    "the dog near the birds sleeps .".split(),
    "the dog near the birds sleep .".split(),
    "the dog near the birds".split(),
    "the".split(),
    [],
    "birds Zorro 99 the the dog".split(),
    "the dog near the birds sleeps .".split(),
]


def by_steps(model: LanguageModel, sentence: list[str]) -> list[float]:
    """Surprisals of the words and the end, each from a reading of all that stands before."""
    ids = [1, *model.vocabulary.encode(sentence).tolist(), 2]  # type: ignore[attr-defined]
    network = model.network  # type: ignore[attr-defined]
    found = []
    with one_thread(), torch.inference_mode():
        for at in range(1, len(ids)):
            logits = network.output(network(torch.tensor([ids[:at]]))[0, -1])
            found.append(-torch.log_softmax(logits, 0)[ids[at] - 2].item() / math.log(2))
    return found


def test_surprisals_are_those_of_the_network_word_by_word(toy_model: str) -> None:
    model = language_model(toy_model)
    scores = score_with(model, SENTENCES, where=Where(cache=False))
    assert scores.ends is not None
    for sentence, values, end in zip(SENTENCES, scores.surprisals, scores.ends, strict=True):
        np.testing.assert_allclose([*values, end], by_steps(model, sentence), atol=1e-5)


def test_batched_is_one_by_one(toy_model: str) -> None:
    model = language_model(toy_model)
    together = model.surprisals(SENTENCES)
    for sentence, values in zip(SENTENCES, together, strict=True):
        np.testing.assert_allclose(values, model.surprisals([sentence])[0], atol=1e-5)


def test_what_begins_alike_has_the_same_values_to_the_last_digit(toy_model: str) -> None:
    good, bad, begun, *_ = language_model(toy_model).surprisals(SENTENCES)
    assert good[:5].tolist() == bad[:5].tolist() == begun.tolist()


def test_probabilities_sum_to_one_over_words_classes_and_end(toy_model: str) -> None:
    model = language_model(toy_model)
    vocabulary, network = model.vocabulary, model.network  # type: ignore[attr-defined]
    logits = network.output(network(torch.tensor([[1, *vocabulary.encode(["the", "dog"]).tolist()]]))[0, -1])
    assert logits.shape == (len(vocabulary) - OUTPUTS_FROM,)
    total = 2 ** -model.end_surprisals([["the", "dog"]])[0]  # type: ignore[attr-defined]
    total += sum(2 ** -model.surprisals([["the", "dog", word]])[0][2] for word in vocabulary.words)
    classes = torch.softmax(logits, 0)[1 : 1 + len(vocabulary.classes)].sum().item()
    assert total + classes == pytest.approx(1, abs=1e-5)


def test_agreement_is_learned(toy_model: str) -> None:
    """Across a noun of the other number, where the word before the verb tells the wrong thing."""
    pairs = [
        (["the", noun, "near", "the", between, right], ["the", noun, "near", "the", between, wrong])
        for number, other in (("sg", "pl"), ("pl", "sg"))
        for noun in NOUNS[number]
        for between in NOUNS[other]
        for right, wrong in zip(VERBS[number], VERBS[other], strict=True)
    ]
    model = language_model(toy_model)
    good = model.surprisals([right for right, _ in pairs])
    bad = model.surprisals([wrong for _, wrong in pairs])
    assert np.mean([one[-1] < other[-1] for one, other in zip(good, bad, strict=True)]) > 0.9


def test_unknown_words_have_the_surprisal_of_their_class(toy_model: str) -> None:
    model = language_model(toy_model)
    oov = model.oov([["the", "Zorro", "99", "dog"]])[0]
    assert oov.tolist() == [False, True, True, False]
    one, other = model.surprisals([["the", "Zorro"], ["the", "Ivan"]])
    assert one.tolist() == other.tolist()
    assert np.isfinite(one).all()


def test_a_second_run_loads_no_model(toy_model: str, tmp_path: Path) -> None:
    store = ResultCache(tmp_path / "store")
    first = score_with(language_model(toy_model), SENTENCES, where=Where(cache=store))
    again = language_model(toy_model)
    second = score_with(again, SENTENCES, where=Where(cache=store))
    assert [one.tolist() for one in second.surprisals] == [one.tolist() for one in first.surprisals]
    assert not {"network", "vocabulary"} & vars(again).keys()


def test_long_sentences_are_read_in_windows(toy_model: str) -> None:
    model = language_model(toy_model)
    sentence = ("the dog near the birds sleeps . " * 40).split()
    values = model.surprisals([sentence])[0]
    assert len(values) == 280
    assert np.isfinite(values).all()
    begun = model.surprisals([sentence[:100]])[0]
    np.testing.assert_allclose(values[:100], begun, atol=1e-4)


def test_model_of_another_kind(toy_model: str) -> None:
    kind, _, folder = toy_model.partition(":")
    other = {"lstm": "transformer", "transformer": "lstm"}[kind]
    with pytest.raises(InputError, match=f"a model of the kind {kind}"):
        language_model(f"{other}:{folder}")
    with pytest.raises(InputError, match="no such folder"):
        language_model(f"{kind}:{folder}-none")
