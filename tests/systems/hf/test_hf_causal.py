"""Surprisals of causal models: those of plain reading, by words, with and without a token before the sentence."""

from __future__ import annotations

import math
import shutil

import numpy as np
import pytest
from tiny_transformers import SENTENCES, bpe, loaded, metaspace, plain_nats, saved

from gardenpath.errors import FailedOnInput, InputError, TooLong, UsageError
from gardenpath.systems.asking.registry import language_model

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
