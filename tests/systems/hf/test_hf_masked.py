"""Masked models by pseudo-log-likelihood, in both variants, against a loop over one token at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tiny_transformers import SENTENCES, loaded

from gardenpath.errors import UsageError
from gardenpath.systems.registry import language_model


def brute(folder, text, pll):
    """Salazar et al. (2020) and, with `l2r`, Kauf & Ivanova (2023)."""
    import torch

    network, tokenizer = loaded(folder, "AutoModelForMaskedLM")
    encoded = tokenizer(text)
    ids, words = encoded["input_ids"], encoded.word_ids()
    found = []
    for place in range(1, len(ids) - 1):
        hidden = list(ids)
        hidden[place] = tokenizer.mask_token_id
        for later in range(place + 1, len(ids) - 1):
            if pll == "l2r" and words[later] == words[place]:
                hidden[later] = tokenizer.mask_token_id
        with torch.no_grad():
            chances = torch.log_softmax(network(torch.tensor([hidden])).logits[0, place].double(), -1)
        found.append(-float(chances[ids[place]]) / math.log(2))
    return found


@pytest.mark.parametrize("pll", ["original", "l2r"])
def test_pseudo_log_likelihood(bert, pll):
    model = language_model(f"hf:{bert}#pll={pll}")
    for reading in model.readings(SENTENCES):
        np.testing.assert_allclose(reading.surprisals, brute(bert, reading.text, pll), atol=1e-4)
    assert f"|lm:masked|pll:{pll}|" in model.signature


def test_the_variants_differ_only_inside_words(bert):
    text = "The senators"
    original, l2r = (language_model(f"hf:{bert}#pll={pll}").readings([text])[0] for pll in ("original", "l2r"))
    assert len(original.tokens) > 2
    assert original.tokens == l2r.tokens
    word_of, _ = l2r.word_of(["The", "senators"])
    last = len(word_of) - 1
    assert l2r.surprisals[last] == pytest.approx(original.surprisals[last], abs=1e-4)
    assert abs(l2r.surprisals[word_of == 1][0] - original.surprisals[word_of == 1][0]) > 1e-3


def test_words_of_lower_case_tokens_and_of_chinese(bert):
    model = language_model(f"hf:{bert}")
    (values,) = model.surprisals([["The", "KEYS", "are"]])
    whole = np.array(brute(bert, "The KEYS are", "l2r"))
    assert values.sum() == pytest.approx(whole.sum(), abs=1e-3)
    (reading,) = model.readings(["她昨天買"])
    assert reading.tokens == ("她", "昨", "天", "買")
    assert reading.word_of(["她", "昨天", "買"])[0].tolist() == [0, 1, 1, 2]


def test_options_of_the_other_kind_of_model_are_errors(bert, gpt2):
    for name, told in ((f"hf:{bert}#bos=none", "bos is for causal"), (f"hf:{bert}#space=corrected", "space is for"),
                       (f"hf:{gpt2}#pll=original", "pll is for masked")):  # fmt: skip
        with pytest.raises(UsageError, match=told):
            language_model(name)
