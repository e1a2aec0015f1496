"""Masked models of Transformers, and networks over several devices."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from tiny_transformers import SENTENCES, loaded, metaspace, saved

from gardenpath.errors import InputError, UsageError
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.language_models.hf.loading import layer_stacks, spread

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


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


@pytest.mark.parametrize("name", ["gpt2", "bert"])
def test_two_devices_give_the_same_bits_as_one(name, request):
    folder = request.getfixturevalue(name)
    model = language_model(f"hf:{folder}#device=cpu,cpu")
    expected = language_model(f"hf:{folder}").readings(SENTENCES)
    for reading, alone in zip(model.readings(SENTENCES), expected, strict=True):
        np.testing.assert_array_equal(reading.surprisals, alone.surprisals)
    assert "|device:cpu,cpu|" in model.signature
    assert model.name.endswith("#device=cpu,cpu")


def test_a_device_that_is_not_there_is_named(gpt2):
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(UsageError, match="there is no cuda:1 here"):
        language_model(f"hf:{gpt2}#device=cpu,cuda:1").readings(["The"])
    with pytest.raises(UsageError, match="unknown value of device 'cpu,gpu'"):
        language_model(f"hf:{gpt2}#device=cpu,gpu")


def configured(kind: str) -> object:
    import transformers

    small = {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 4}
    heads = {"num_attention_heads": 2, "intermediate_size": 16}
    t5 = {"vocab_size": 50, "d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 2, "num_heads": 2}
    bart = {"vocab_size": 50, "d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2,
            "decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}  # fmt: skip
    made = {
        "llama": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(**small, **heads)),
        "qwen2": lambda: transformers.Qwen2ForCausalLM(
            transformers.Qwen2Config(**small, **heads, num_key_value_heads=1)
        ),
        "bert": lambda: transformers.BertForMaskedLM(transformers.BertConfig(**small, **heads)),
        "mamba": lambda: transformers.MambaForCausalLM(transformers.MambaConfig(**small, state_size=4)),
        "t5": lambda: transformers.T5ForConditionalGeneration(transformers.T5Config(**t5)),
        "bart": lambda: transformers.BartForConditionalGeneration(transformers.BartConfig(**bart)),
    }
    torch.manual_seed(1)
    network = made[kind]().eval()
    network.config.use_cache = False
    return network


@pytest.mark.parametrize("kind", ["llama", "qwen2", "bert", "mamba", "t5", "bart"])
def test_what_a_layer_reads_follows_it_to_its_device(kind):
    """All tensors go to `meta` with the second half of the layers, and what leaves the last of them is asked back."""
    network = configured(kind)
    ids = torch.tensor([[3, 5, 7, 9]])
    given = {"input_ids": ids, **({"decoder_input_ids": ids} if kind in ("t5", "bart") else {})}
    with torch.inference_mode():
        expected = network(**given).logits
        spread(network, ["cpu", "cpu"])
        torch.testing.assert_close(network(**given).logits, expected, rtol=0, atol=0)
    network = configured(kind)
    read_on: list[str] = []
    spread(network, ["cpu", "meta"])
    devices = {str(next(layer.parameters()).device) for stack in layer_stacks(network) for layer in stack}
    assert devices == {"cpu", "meta"}
    for stack in layer_stacks(network):
        stack[-1].register_forward_pre_hook(lambda _, values: read_on.append(str(values[0].device)))
    with torch.inference_mode(), pytest.raises(NotImplementedError, match="meta"):  # it has no number to give back
        network(**given)
    assert read_on[-1] == "meta"


def test_layers_are_shared_out_by_their_weights(gpt2):
    network = type(loaded(gpt2)[0]).from_pretrained(gpt2)
    spread(network, ["cpu", "meta"])
    (stack,) = layer_stacks(network)
    assert [str(next(layer.parameters()).device) for layer in stack] == ["cpu", "meta"]
    assert {str(weight.device) for name, weight in network.named_parameters() if ".h." not in name} == {"cpu"}
