"""Token by token what others say: Transformers with padded batches, minicons and lm-evaluation-harness."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tiny_transformers import SENTENCES, loaded

from gardenpath.systems.asking.registry import language_model

torch = pytest.importorskip("torch")
TEXTS = [*SENTENCES, "他昨天買了三本書。"]
CAUSAL = ("gpt2", "llama", "qwen2")
"""Byte-level BPE whose BOS is its EOS; unigrams with <s> before every text; byte-level BPE without BOS."""


def sequences(folder, first):
    """The tokens of each text after a token of their own."""
    tokenizer = loaded(folder)[1]
    return [[first, *tokenizer(text, add_special_tokens=False)["input_ids"]] for text in TEXTS]


def first_of(folder):
    tokenizer = loaded(folder)[1]
    return tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id


def in_bits(nats):
    return np.array(nats) / math.log(2)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", CAUSAL)
def test_a_padded_batch_says_the_same(name, side, request):
    folder = request.getfixturevalue(name)
    network, rows = loaded(folder)[0], sequences(folder, first_of(folder))
    width = max(map(len, rows))
    ids, seen = torch.zeros(len(rows), width, dtype=torch.long), torch.zeros(len(rows), width, dtype=torch.long)
    places = [width - len(row) if side == "left" else 0 for row in rows]
    for number, (row, begin) in enumerate(zip(rows, places, strict=True)):
        ids[number, begin : begin + len(row)] = torch.tensor(row)
        seen[number, begin : begin + len(row)] = 1
    with torch.no_grad():
        positions = (seen.cumsum(1) - 1).clamp(min=0)
        logs = torch.log_softmax(network(ids, attention_mask=seen, position_ids=positions).logits.double(), -1)
    for number, reading in enumerate(language_model(f"hf:{folder}").readings(TEXTS)):
        row, begin = rows[number], places[number]
        expected = [-float(logs[number, begin + at - 1, row[at]]) for at in range(1, len(row))]
        np.testing.assert_allclose(reading.surprisals, in_bits(expected), atol=1e-4)


@pytest.mark.parametrize("name", CAUSAL)
def test_causal_models_of_minicons(name, request):
    """Its tokenizer puts <s> before a text for Llama; the others have no surprisal for the first token."""
    scorer = pytest.importorskip("minicons.scorer")
    folder = request.getfixturevalue(name)
    peer = scorer.IncrementalLMScorer(str(folder), "cpu")
    marked = name == "llama"
    ours = language_model(f"hf:{folder}#bos={'add' if marked else 'none'}").readings(TEXTS)
    for reading, theirs in zip(ours, peer.token_score(TEXTS, surprisal=True, base_two=True), strict=True):
        assert len(theirs) == len(reading.tokens) + marked
        here = reading.surprisals if marked else reading.surprisals[1:]
        np.testing.assert_allclose(here, [value for _, value in theirs[1:]], atol=1e-4)


@pytest.mark.parametrize(("pll", "metric"), [("original", "original"), ("l2r", "within_word_l2r")])
def test_masked_models_of_minicons(bert, pll, metric, monkeypatch):
    scorer = pytest.importorskip("minicons.scorer")
    from transformers import PreTrainedTokenizerBase

    # minicons 0.3.39 calls it by a name that Transformers 5 took away
    monkeypatch.setattr(PreTrainedTokenizerBase, "batch_encode_plus", PreTrainedTokenizerBase.__call__, raising=False)
    peer = scorer.MaskedLMScorer(str(bert), "cpu")
    theirs = peer.token_score(TEXTS, surprisal=True, base_two=True, PLL_metric=metric)
    for reading, tokens in zip(language_model(f"hf:{bert}#pll={pll}").readings(TEXTS), theirs, strict=True):
        scored = [value for token, value in tokens if token not in ("[CLS]", "[SEP]", "[PAD]")]
        np.testing.assert_allclose(reading.surprisals, scored, atol=1e-4)


@pytest.mark.parametrize("name", CAUSAL)
def test_lm_evaluation_harness(name, request):
    """Every token as the continuation of what is before it, in batches of seven with padding; and rolling sums."""
    harness = pytest.importorskip("lm_eval.models.huggingface")
    from lm_eval.api.instance import Instance

    folder = request.getfixturevalue(name)
    peer = harness.HFLM(pretrained=str(folder), device="cpu", batch_size=7)
    first = first_of(folder)
    rows = sequences(folder, first)
    asked = [(("", ""), row[:at], [row[at]]) for row in rows for at in range(1, len(row))]
    logs = iter([value for value, _ in peer._loglikelihood_tokens(asked, disable_tqdm=True)])
    ours = language_model(f"hf:{folder}").readings(TEXTS)
    for row, reading in zip(rows, ours, strict=True):
        np.testing.assert_allclose(reading.surprisals, in_bits([-next(logs) for _ in row[1:]]), atol=1e-4)
    without = language_model(f"hf:{folder}#bos=none").readings(TEXTS)
    asked = [(("", ""), row[1:at], [row[at]]) for row in rows for at in range(2, len(row))]
    logs = iter([value for value, _ in peer._loglikelihood_tokens(asked, disable_tqdm=True)])
    for row, reading in zip(rows, without, strict=True):
        np.testing.assert_allclose(reading.surprisals[1:], in_bits([-next(logs) for _ in row[2:]]), atol=1e-4)
    if peer.prefix_token_id == first and name != "llama":  # its tokenizer puts <s> before a text, the harness another
        requests = [Instance("loglikelihood_rolling", {}, (text,), number) for number, text in enumerate(TEXTS)]
        sums = peer.loglikelihood_rolling(requests, disable_tqdm=True)
        np.testing.assert_allclose([reading.surprisals.sum() for reading in ours], in_bits(sums) * -1, atol=1e-3)
