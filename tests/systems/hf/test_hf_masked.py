"""Masked models by pseudo-log-likelihood, and encoder-decoder models after an empty text."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from tiny_transformers import SENTENCES, loaded, metaspace, saved

from gardenpath.errors import InputError, UsageError
from gardenpath.systems.asking.registry import language_model


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


torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.fixture(scope="module", params=["t5", "bart"])
def seq2seq(request, tmp_path_factory):
    """T5 ends texts with </s> alone; BART has <s> before them, which its decoder reads too."""
    from tokenizers import processors

    tokenizer = metaspace()
    single = "$A </s>" if request.param == "t5" else "<s> $A </s>"
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single=single, special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    folder = tmp_path_factory.mktemp("hf") / request.param
    saved(folder, request.param, tokenizer, pad_token_id=0)
    return folder


def decoder_bits(folder, text):
    """The oracle: Transformers makes the decoder's input of the labels itself (`labels=`)."""
    network, tokenizer = loaded(folder, "AutoModelForSeq2SeqLM")
    labels = tokenizer(text, return_tensors="pt", return_special_tokens_mask=True)
    ids = labels["input_ids"]
    with torch.no_grad():
        logits = network(input_ids=tokenizer("", return_tensors="pt")["input_ids"], labels=ids).logits[0]
    nats = -torch.log_softmax(logits.double(), -1)[torch.arange(ids.shape[1]), ids[0]]
    return nats[labels["special_tokens_mask"][0] == 0].numpy() / math.log(2)


def test_what_the_decoder_says(seq2seq):
    model = language_model(f"hf:{seq2seq}")
    assert model.task == "seq2seq"
    assert "|lm:seq2seq|dtype:" in model.signature
    with pytest.warns(UserWarning, match="read anew"):
        readings = model.readings(SENTENCES)
    for text, reading in zip(SENTENCES, readings, strict=True):
        np.testing.assert_allclose(reading.surprisals, decoder_bits(seq2seq, text), atol=1e-4)
    words = ["The", "keys", "are"]
    assert len(model.surprisals([words])[0]) == 3


@pytest.mark.parametrize("option", ["bos=eos", "space=corrected", "pll=original"])
def test_options_of_other_models_are_refused(seq2seq, option):
    with pytest.raises(UsageError, match="this one is seq2seq"):
        language_model(f"hf:{seq2seq}#{option}")


def test_a_decoder_that_does_not_say_how_it_begins(seq2seq, tmp_path):
    import shutil

    folder = tmp_path / "model"
    shutil.copytree(seq2seq, folder)
    for name in ("config.json", "generation_config.json"):
        config = json.loads((folder / name).read_text(encoding="utf-8"))
        (folder / name).write_text(json.dumps({**config, "decoder_start_token_id": None}), encoding="utf-8")
    with pytest.raises(InputError, match="decoder_start_token_id"):
        language_model(f"hf:{folder}").readings(["The keys"])
