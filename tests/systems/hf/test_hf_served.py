"""A model of Transformers behind a server says what it says here: the same tokens, places and surprisals."""

from __future__ import annotations

import numpy as np
import pytest
from tiny_transformers import SENTENCES, loaded, plain_nats

from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.language_models.running_text import readings_with
from model_server import known, serving

pytest.importorskip("torch")


def test_a_transformer_behind_a_server_says_what_it_says_here(gpt2):
    texts = [*SENTENCES, "他昨天買了三本書。", "naïve café — déjà vu"]
    _, tokenizer = loaded(gpt2)
    letters = {char: byte for byte, char in _byte_letters().items()}

    def model(prompt):
        tokens = tokenizer.convert_ids_to_tokens(tokenizer(prompt, add_special_tokens=False)["input_ids"])
        nats = plain_nats(gpt2, prompt) if len(tokens) < 64 else [1.0] * len(tokens)  # the probe is too long for it
        return [(bytes(map(letters.get, token)), -value) for token, value in zip(tokens, nats, strict=True)]

    with serving(model) as server:
        server.parts = "bytes:"
        there, failures = readings_with(known(server), texts)
    assert not failures
    for here, reading in zip(language_model(f"hf:{gpt2}").readings(texts), there, strict=True):
        np.testing.assert_allclose(reading.surprisals, here.surprisals, atol=1e-4)
        assert (reading.begins.tolist(), reading.ends.tolist()) == (here.begins.tolist(), here.ends.tolist())


def _byte_letters():
    """GPT-2's letters for bytes: printable ones as they are, the others from 256 on."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + place) for place, byte in enumerate(others)}
