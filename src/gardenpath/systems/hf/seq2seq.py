"""Encoder-decoder models: the encoder reads an empty text, and the decoder is asked as a causal model is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ...errors import InputError

if TYPE_CHECKING:
    import torch


class Decoder:
    """The decoder of a network, after what the encoder makes of a text with nothing in it."""

    def __init__(self, network: Any, tokenizer: Any) -> None:
        self.network, self.config = network, network.config
        self.device, self.dtype = network.device, network.dtype
        self._empty = tokenizer("", return_tensors="pt")["input_ids"].to(self.device).long()
        if not self._empty.shape[1]:
            raise InputError("its tokenizer has no token for the end of a text, which the encoder could read")

    def __call__(self, input_ids: torch.Tensor) -> SimpleNamespace:
        """The logits after each token of the decoder: sequences × positions × vocabulary."""
        read = self._empty.expand(len(input_ids), -1)
        return SimpleNamespace(logits=self.network(input_ids=read, decoder_input_ids=input_ids).logits)


def decoder_prefix(config: Any, tokenizer: Any) -> list[int]:
    """What stands before the first token of a text in the decoder: its start, and what the tokenizer puts there."""
    start = getattr(config, "decoder_start_token_id", None)
    if start is None:
        raise InputError("its config.json has no decoder_start_token_id", todo="save it with one")
    text = tokenizer("a", return_special_tokens_mask=True)
    before = next((at for at, special in enumerate(text["special_tokens_mask"]) if not special), 0)
    return [int(start), *text["input_ids"][:before]]
