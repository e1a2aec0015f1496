"""Layers over several devices. There may be no second one here: two times the processor, and `meta`, which computes no
number but refuses tensors of another device."""

from __future__ import annotations

import numpy as np
import pytest
from tiny_transformers import SENTENCES, loaded

from gardenpath.errors import UsageError
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.language_models.hf.loading import layer_stacks, spread

pytest.importorskip("transformers")
torch = pytest.importorskip("torch")


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
