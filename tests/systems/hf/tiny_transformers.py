"""Tiny models of Transformers with random weights, and tokenizers trained on a few own sentences."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

TEXTS = [
    "The keys to the cabinet are on the table.", "The key to the cabinets is on the table.", "Who saw the old dog?",
    "The dog that the cats chased sleeps in the garden.", "Every teacher praised herself.", "naïve café — déjà vu",
    "No author that the senators liked has ever had any success.", "他昨天買了三本書。", "她今天買了一張桌子。",
]  # fmt: skip
SENTENCES = [
    "The keys to the cabinet are on the table.", "The keys to the cabinet is on the table.", "The keys", "The keys to",
    "The key to the cabinets is on the table.", "Who saw the old dog?", "The keys", "Dogs", "naïve café", "zebra!",
]  # fmt: skip


def bpe(end: str = "<|endoftext|>", bos: str | None = "<|endoftext|>", size: int = 400) -> Any:
    """Byte-level BPE, as GPT-2 has it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.post_processor = processors.ByteLevel(trim_offsets=True)
    inner.decoder = decoders.ByteLevel()
    special = sorted({end, *([bos] if bos else [])})
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )  # fmt: skip
    inner.train_from_iterator(TEXTS, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=inner, bos_token=bos, eos_token=end)


def metaspace() -> Any:
    """Unigrams with ▁ for blanks and <s> before every text, as Llama has it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.Unigram())
    inner.pre_tokenizer = pre_tokenizers.Metaspace()
    inner.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=150, special_tokens=["<unk>", "<s>", "</s>"], unk_token="<unk>", show_progress=False
    )
    inner.train_from_iterator(TEXTS, trainer)
    inner.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return PreTrainedTokenizerFast(tokenizer_object=inner, bos_token="<s>", eos_token="</s>", unk_token="<unk>")


def wordpiece() -> Any:
    """WordPiece, as BERT has it: lower case, each Chinese character a word."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    inner.normalizer = normalizers.BertNormalizer()
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    inner.train_from_iterator(
        TEXTS, trainers.WordPieceTrainer(vocab_size=130, special_tokens=special, show_progress=False)
    )
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]",
    )  # fmt: skip


def saved(folder: Path, kind: str, tokenizer: Any, **changes: Any) -> str:
    """`hf:FOLDER` of a random model; its weights are large enough that everything it reads matters."""
    import torch
    import transformers

    size = len(tokenizer)
    small = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    rope = {**small, "vocab_size": size, "max_position_embeddings": 64, "initializer_range": 0.3}
    known: dict[str, tuple[Any, Any, dict[str, Any]]] = {
        "gpt2": (
            transformers.GPT2LMHeadModel, transformers.GPT2Config,
            {"vocab_size": size, "n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 64, "initializer_range": 0.3},
        ),
        "llama": (transformers.LlamaForCausalLM, transformers.LlamaConfig, {**rope, "num_key_value_heads": 1}),
        "qwen2": (transformers.Qwen2ForCausalLM, transformers.Qwen2Config, {**rope, "num_key_value_heads": 1}),
        "mistral": (transformers.MistralForCausalLM, transformers.MistralConfig, {**rope, "num_key_value_heads": 1}),
        "bloom": (
            transformers.BloomForCausalLM, transformers.BloomConfig,
            {"vocab_size": size, "hidden_size": 32, "n_layer": 2, "n_head": 2, "initializer_range": 0.3},
        ),
        "granite": (transformers.GraniteForCausalLM, transformers.GraniteConfig, {**rope, "logits_scaling": 3.0}),
        "mamba": (
            transformers.MambaForCausalLM, transformers.MambaConfig,
            {"vocab_size": size, "hidden_size": 32, "num_hidden_layers": 2, "state_size": 4, "initializer_range": 0.3},
        ),
        "t5": (
            transformers.T5ForConditionalGeneration, transformers.T5Config,
            {"vocab_size": size, "d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 2, "num_heads": 2,
             "decoder_start_token_id": 0, "dropout_rate": 0.0, "initializer_factor": 3.0},
        ),
        "bart": (
            transformers.BartForConditionalGeneration, transformers.BartConfig,
            {"vocab_size": size, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2,
             "decoder_attention_heads": 2, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "init_std": 0.3,
             "max_position_embeddings": 64, "decoder_start_token_id": 2, "dropout": 0.0},
        ),
        "bert": (transformers.BertForMaskedLM, transformers.BertConfig, rope),
    }  # fmt: skip
    network, config, given = known[kind]
    torch.manual_seed(7)
    special = {"pad_token_id": None, "bos_token_id": tokenizer.bos_token_id, "eos_token_id": tokenizer.eos_token_id}
    if kind == "bert":
        special = {"pad_token_id": tokenizer.pad_token_id}
    network(config(**{**given, **special, **changes})).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return f"hf:{folder}"


@cache
def loaded(folder: Path, auto: str = "AutoModelForCausalLM") -> tuple[Any, Any]:
    """Network and tokenizer as Transformers itself loads them."""
    import transformers

    network = getattr(transformers, auto).from_pretrained(folder)
    return network.eval(), transformers.AutoTokenizer.from_pretrained(folder)


def plain_nats(folder: Path, text: str, bos: bool = True) -> list[float]:
    """The oracle: one sentence at a time, log_softmax over the model's own logits."""
    import torch

    network, tokenizer = loaded(folder)
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    ids = [tokenizer.bos_token_id, *ids] if bos else ids
    with torch.no_grad():
        found = torch.log_softmax(network(torch.tensor([ids])).logits[0].double(), -1)
    return [-float(found[at - 1, ids[at]]) for at in range(1, len(ids))]
