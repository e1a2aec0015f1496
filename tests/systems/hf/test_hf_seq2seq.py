"""Encoder-decoder models: what the decoder says of a text after an empty one, against Transformers' own loss."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from tiny_transformers import SENTENCES, loaded, metaspace, saved

from gardenpath.errors import InputError, UsageError
from gardenpath.systems.registry import language_model

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
