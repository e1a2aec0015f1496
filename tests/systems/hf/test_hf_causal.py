"""Causal models of Transformers: word by word, beside their peers, and behind a server."""

from __future__ import annotations

import math
import shutil

import numpy as np
import pytest
from tiny_transformers import SENTENCES, bpe, loaded, metaspace, plain_nats, saved

from gardenpath.errors import FailedOnInput, InputError, TooLong, UsageError
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.language_models.running_text import readings_with
from model_server import known, serving

torch = pytest.importorskip("torch")


def bits(folder, text, bos=True):
    return np.array(plain_nats(folder, text, bos)) / math.log(2)


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_a_trie_says_what_plain_reading_says(name, request):
    folder = request.getfixturevalue(name)
    model = language_model(f"hf:{folder}")
    found = model.readings(SENTENCES)
    assert str(model.way) == "tree"
    assert model.way.fused
    for text, reading in zip(SENTENCES, found, strict=True):
        np.testing.assert_allclose(reading.surprisals, bits(folder, text), atol=1e-4)


@pytest.mark.parametrize(
    ("kind", "tree", "fused"), [("bloom", False, True), ("granite", True, False), ("mamba", False, True)]
)
def test_a_model_that_is_read_otherwise_is_read_right(kind, tree, fused, tmp_path):
    """BLOOM has its positions from the mask; Granite divides its logits; Mamba has states and no attention."""
    pytest.importorskip("transformers")
    name = saved(tmp_path / kind, kind, bpe())
    model = language_model(name)
    if tree:
        found = model.readings(SENTENCES)
    else:
        with pytest.warns(UserWarning, match="read anew"):
            found = model.readings(SENTENCES)
    assert (model.way.tree, model.way.fused) == (tree, fused)
    for text, reading in zip(SENTENCES, found, strict=True):
        np.testing.assert_allclose(reading.surprisals, bits(tmp_path / kind, text), atol=1e-4)


def test_sentences_longer_than_the_window_of_a_model_are_read_with_the_window(tmp_path):
    pytest.importorskip("transformers")
    name = saved(tmp_path / "m", "mistral", bpe(), sliding_window=4)
    for reading in language_model(name).readings(SENTENCES):
        np.testing.assert_allclose(reading.surprisals, bits(tmp_path / "m", reading.text), atol=1e-4)


def test_small_packs_and_buckets_give_the_same(gpt2):
    from gardenpath.systems.language_models.hf.causal import PLAIN, WAYS, nats

    model = language_model(f"hf:{gpt2}")
    rows = [model.tokenizer(text)["input_ids"] for text in SENTENCES]
    expected, _ = nats(model.network, rows, PLAIN)
    for way in WAYS:
        for places in (5, 40):
            found, _ = nats(model.network, rows, way, places=places)
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_allclose(one, other, atol=1e-4)


def test_the_activation_of_gpt2_is_one_kernel_and_says_the_same(gpt2):
    """The network as Transformers has it, whose activation is written out in Python."""
    from transformers import AutoModelForCausalLM
    from transformers.activations import NewGELUActivation

    model = language_model(f"hf:{gpt2}")
    plain = AutoModelForCausalLM.from_pretrained(gpt2).eval()
    assert any(isinstance(module, NewGELUActivation) for module in plain.modules())
    assert not any(isinstance(module, NewGELUActivation) for module in model.network.modules())
    ids = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6]])
    with torch.inference_mode():
        assert torch.allclose(plain(input_ids=ids).logits, model.network(input_ids=ids).logits, atol=1e-5)


def test_words_are_sums_of_their_tokens(gpt2):
    words = [text.split() for text in SENTENCES]
    model = language_model(f"hf:{gpt2}")
    for sentence, values in zip(words, model.surprisals(words), strict=True):
        assert len(values) == len(sentence)
        whole = bits(gpt2, " ".join(sentence))
        assert values.sum() == pytest.approx(whole.sum(), abs=1e-3)
        first = len(model.tokenizer(sentence[0])["input_ids"])
        assert values[0] == pytest.approx(whole[:first].sum(), abs=1e-3)
    assert not any(marks.any() for marks in model.oov(words))


def test_chinese_without_blanks_has_several_tokens_for_a_character(gpt2):
    model = language_model(f"hf:{gpt2}#joiner=none")
    words = ["她", "貓", "狗。"]
    text = "".join(words)
    (reading,) = model.readings([text])
    word_of, broken = reading.word_of(words)
    assert not broken
    assert (word_of == 1).sum() == 3  # a character that was never seen is three bytes
    (values,) = model.surprisals([words])
    whole = bits(gpt2, text)
    np.testing.assert_allclose(values, [whole[word_of == number].sum() for number in range(3)], atol=1e-3)
    assert values.sum() == pytest.approx(whole.sum(), abs=1e-3)


def test_a_word_that_begins_inside_a_token_is_an_error(gpt2):
    model = language_model(f"hf:{gpt2}#joiner=none")
    with pytest.raises(FailedOnInput, match="'s' begins inside a token of the model: The keys"):
        model.surprisals([["The", " key", "s"]])


def test_what_stands_before_a_sentence(gpt2, tmp_path):
    text = SENTENCES[0]
    with_bos, without = bits(gpt2, text), bits(gpt2, text, bos=False)
    for name, expected in (("", with_bos), ("#bos=add", with_bos), ("#bos=eos", with_bos)):
        (reading,) = language_model(f"hf:{gpt2}{name}").readings([text])
        np.testing.assert_allclose(reading.surprisals, expected, atol=1e-4)
    model = language_model(f"hf:{gpt2}#bos=none")
    (reading,) = model.readings([text])
    assert not reading.scored[0]
    np.testing.assert_allclose(reading.surprisals[1:], without, atol=1e-4)
    assert "|bos:none|" in model.signature
    assert "|bos:</endoftext/>|" in language_model(f"hf:{gpt2}").signature
    with pytest.raises(InputError, match="nothing stands before the first token"):
        model.surprisals([text.split()])
    bare = saved(tmp_path / "bare", "gpt2", bpe(end="<end>", bos=None))
    assert "|bos:<end>|" in language_model(bare).signature
    with pytest.raises(UsageError, match="its tokenizer has no BOS token"):
        language_model(f"{bare}#bos=add").readings([text])


def test_unknown_words_are_marked(llama):
    model = language_model(f"hf:{llama}")
    words = [["The", "keys"], ["The", "☃"]]
    model.surprisals(words)
    assert [marks.tolist() for marks in model.oov(words)] == [[False, False], [False, True]]


def test_a_sentence_longer_than_the_model_reads_is_an_error(gpt2):
    with pytest.raises(TooLong, match=r"a sentence of \d+ tokens, and the model reads 64: dog dog dog"):
        language_model(f"hf:{gpt2}").readings(["dog " * 70])


def test_no_text_and_no_sentences(gpt2):
    model = language_model(f"hf:{gpt2}")
    assert model.readings([]) == []
    assert model.surprisals([]) == []
    (reading,) = model.readings([""])
    assert reading.tokens == ()
    assert model.surprisals([[]])[0].tolist() == []


def brute_corrected(folder, words):
    """The blank before each word goes to the word before it, by hand: all tokens with a blank, one by one."""
    import torch

    network, tokenizer = loaded(folder)
    mark = "Ġ" if any("Ġ" in piece for piece in tokenizer.get_vocab()) else "▁"
    starters = [number for piece, number in tokenizer.get_vocab().items() if piece.startswith(mark)]
    found = []
    ids = [tokenizer.bos_token_id]
    for number, word in enumerate(words):
        # Words one by one have the same tokens here as in their sentence: both tokenizers cut at blanks first.
        given = word if number == 0 or mark == "▁" else " " + word
        pieces = tokenizer(given, add_special_tokens=False)["input_ids"]
        cost = 0.0
        for at, piece in enumerate(pieces):
            with torch.no_grad():
                chances = torch.softmax(network(torch.tensor([ids])).logits[0, -1].double(), -1)
            if number and not at:
                blank = -math.log2(float(chances[starters].sum()))
                found[-1] += blank
                cost -= blank
            cost -= math.log2(float(chances[piece]))
            ids.append(piece)
        found.append(cost)
    return found


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_the_blank_before_a_word_can_belong_to_the_word_before(name, request):
    folder = request.getfixturevalue(name)
    words = [text.split() for text in SENTENCES[:5]]
    leading = language_model(f"hf:{folder}").surprisals(words)
    model = language_model(f"hf:{folder}#space=corrected")
    moved = False
    for sentence, plain, values in zip(words, leading, model.surprisals(words), strict=True):
        np.testing.assert_allclose(values, brute_corrected(folder, sentence), atol=1e-3)
        assert values.sum() == pytest.approx(plain.sum(), abs=1e-3)
        moved |= not np.allclose(values, plain, atol=1e-2)
    assert moved
    assert "|space:corrected|" in model.signature


def test_without_blanks_or_without_their_tokens_there_is_nothing_to_correct(gpt2, bert, tmp_path):
    model = language_model(f"hf:{gpt2}#space=corrected")
    np.testing.assert_allclose(model.readings(["他昨天"])[0].surprisals, bits(gpt2, "他昨天"), atol=1e-4)
    shutil.copytree(gpt2, tmp_path / "x")
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(bert / file, tmp_path / "x" / file)
    with pytest.raises(UsageError, match="nothing to correct"):
        language_model(f"hf:{tmp_path / 'x'}#space=corrected").readings(["The keys"])


def test_half_precision_is_near(gpt2):
    model = language_model(f"hf:{gpt2}#dtype=bfloat16")
    (reading,) = model.readings(SENTENCES[:1])
    assert np.abs(reading.surprisals - bits(gpt2, SENTENCES[0])).max() < 0.5
    assert "|dtype:bfloat16|" in model.signature


def test_a_prefix_of_the_tokenizer_itself_comes_once(llama):
    """Its template puts <s> before every text; that is the BOS we add, and no second one."""
    assert metaspace()("The keys")["input_ids"][0] == 1
    (reading,) = language_model(f"hf:{llama}").readings(["The keys"])
    np.testing.assert_allclose(reading.surprisals, bits(llama, "The keys"), atol=1e-4)


@pytest.mark.parametrize("name", ["gpt2", "bert"])
def test_scores_do_not_depend_on_the_batch(name, request):
    folder = request.getfixturevalue(name)
    expected = language_model(f"hf:{folder}").readings(SENTENCES)
    for batch in (1, 7, 64):
        model = language_model(f"hf:{folder}#batch={batch}")
        for reading, alone in zip(model.readings(SENTENCES), expected, strict=True):
            np.testing.assert_allclose(reading.surprisals, alone.surprisals, atol=1e-4)
        assert model.signature == language_model(f"hf:{folder}").signature


@pytest.mark.parametrize("name", ["gpt2", "bert"])
@pytest.mark.parametrize("kind", ["GPU", "processor"])
def test_out_of_memory_halves_the_batch(name, kind, request):
    """The network fails on more than 30 tokens at once: 320 become 20, and the scores stay."""
    folder = request.getfixturevalue(name)
    expected = language_model(f"hf:{folder}").readings(SENTENCES)
    model = language_model(f"hf:{folder}#batch=320")
    sizes = []

    def small(_, given):
        sizes.append(given[0].numel())
        if sizes[-1] > 30:
            message = "CUDA out of memory" if kind == "GPU" else "DefaultCPUAllocator: can't allocate memory"
            raise torch.OutOfMemoryError(message) if kind == "GPU" else RuntimeError(message)

    model.network.get_input_embeddings().register_forward_pre_hook(small)
    for reading, undisturbed in zip(model.readings(SENTENCES), expected, strict=True):
        np.testing.assert_allclose(reading.surprisals, undisturbed.surprisals, atol=1e-4)
    assert max(sizes) > 30
    assert model._places == 20
    sizes.clear()
    model.readings(SENTENCES)
    assert max(sizes) <= 30  # it stays small
    with pytest.raises(FailedOnInput, match="not enough memory to read one sentence"):
        model.readings(["dog " * 31])


def test_another_error_is_not_taken_for_a_lack_of_memory(gpt2):
    model = language_model(f"hf:{gpt2}#batch=320")

    def broken(*_):
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    model.network.get_input_embeddings().register_forward_pre_hook(broken)
    with pytest.raises(RuntimeError, match="mat1"):
        model.readings(SENTENCES[:1])


def test_a_token_of_one_s_own_stands_before_a_sentence(gpt2, llama):
    text = SENTENCES[0]
    for folder, token in ((gpt2, "Ġthe"), (llama, "</s>")):
        network, tokenizer = loaded(folder)
        ids = [tokenizer.convert_tokens_to_ids(token), *tokenizer(text, add_special_tokens=False)["input_ids"]]
        model = language_model(f"hf:{folder}#bos={token}")
        (reading,) = model.readings([text])
        with torch.no_grad():
            logs = torch.log_softmax(network(torch.tensor([ids])).logits[0, :-1].double(), -1)
        expected = [-float(logs[at, ids[at + 1]]) / math.log(2) for at in range(len(ids) - 1)]
        np.testing.assert_allclose(reading.surprisals, expected, atol=1e-4)
        assert f"|bos:{token}|" in model.signature
        with pytest.raises(InputError, match="its tokenizer has no token <nowhere>"):  # Llama would take <unk> for it
            language_model(f"hf:{folder}#bos=<nowhere>").readings([text])


def test_a_device_that_is_not_there(gpt2):
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(UsageError, match="there is no cuda:0 here"):
        language_model(f"hf:{gpt2}#device=cuda:0").readings(["The"])
    model = language_model(f"hf:{gpt2}#device=auto")
    np.testing.assert_allclose(model.readings(["The keys"])[0].surprisals, bits(gpt2, "The keys"), atol=1e-4)
    assert "|device:auto|" in model.signature


def test_half_precision_is_summed_in_single_precision(gpt2):
    """The oracle takes the model's own bfloat16 logits and adds up in double precision."""
    network, tokenizer = loaded(gpt2)
    ids = [tokenizer.bos_token_id, *tokenizer(SENTENCES[0], add_special_tokens=False)["input_ids"]]
    half = type(network).from_pretrained(gpt2, dtype=torch.bfloat16).eval()
    with torch.no_grad():
        logs = torch.log_softmax(half(torch.tensor([ids])).logits[0, :-1].double(), -1)
    expected = [-float(logs[at, ids[at + 1]]) for at in range(len(ids) - 1)]
    from gardenpath.systems.language_models.hf.causal import PLAIN, nats

    model = language_model(f"hf:{gpt2}#dtype=bfloat16")
    (values,), _ = nats(model.network, [ids], PLAIN)
    np.testing.assert_allclose(values, expected, atol=1e-5)


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
