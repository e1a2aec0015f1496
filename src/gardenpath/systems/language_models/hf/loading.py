"""Reading a model of Transformers: no network, no code of the model's own, no pickle, no weights that are made up.

A network may be spread over several devices; of an encoder-decoder, the encoder reads an empty text.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ....errors import InputError, MissingPackage, SystemFailure, UsageError
from .files import CAUSAL, SEQ2SEQ, ModelFiles

if TYPE_CHECKING:
    import torch


def spread(network: Any, places: Sequence[str]) -> None:
    """Puts the layers on the places in turn, about equally many weights on each, and all else on the first.

    A layer moves what it is given to its own place; what leaves the last one of a stack goes back to the first place.
    """
    first = places[0]
    network.to(first)
    stacks = layer_stacks(network)
    weights = [[sum(weight.numel() for weight in layer.parameters()) for layer in stack] for stack in stacks]
    whole, before = sum(map(sum, weights)), 0
    for stack, sizes in zip(stacks, weights, strict=True):
        for layer, size in zip(stack, sizes, strict=True):
            middle = before + size / 2
            place = places[min(len(places) - 1, int(len(places) * middle / whole))]
            layer.to(place)
            layer.register_forward_pre_hook(
                lambda _, given, named, place=place: (moved(given, place), moved(named, place)), with_kwargs=True
            )
            before += size
        stack[-1].register_forward_hook(lambda _, given, output: moved(output, first))


def layer_stacks(network: Any) -> list[torch.nn.ModuleList]:
    """The lists of layers that are in no other one and have weights."""
    import torch

    stacks: list[torch.nn.ModuleList] = []
    inside: set[int] = set()
    for module in network.modules():  # what contains others comes before them
        outermost = isinstance(module, torch.nn.ModuleList) and id(module) not in inside
        if outermost and next(module.parameters(), None) is not None:
            stacks.append(module)
            inside |= {id(inner) for inner in module.modules()}
    return stacks


def moved(value: Any, place: str) -> Any:
    """The same with all its tensors on this device."""
    import torch

    if isinstance(value, torch.Tensor):
        return value.to(place)
    if type(value) in (tuple, list):
        return type(value)(moved(inner, place) for inner in value)
    if type(value) is dict:
        return {key: moved(inner, place) for key, inner in value.items()}
    return value


_SAFE = {"local_files_only": True, "trust_remote_code": False}


def load_tokenizer(files: ModelFiles) -> Any:
    """The tokenizer; it must know where in the text its tokens are."""
    from transformers import AutoTokenizer

    given = {**_SAFE, **({"gguf_file": files.gguf} if files.gguf else {})}
    with _quiet(), _told(files, "tokenizer"):
        tokenizer = AutoTokenizer.from_pretrained(str(files.folder), **given)
    if not getattr(tokenizer, "is_fast", False):
        what = f"its tokenizer, a {type(tokenizer).__name__}, does not tell where in the text a token is"
        todo = "a tokenizer.json is needed: AutoTokenizer.from_pretrained(...).save_pretrained(FOLDER) may write one"
        raise InputError(what, where=str(files.folder), todo=todo)
    return tokenizer


def device_of(name: str) -> str:
    """The device of this name, if it is there; `auto` is the first GPU, else the processor."""
    import torch

    gpu = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        return next((kind for kind, there in gpu.items() if there), "cpu")
    kind, _, number = name.partition(":")
    if kind == "cpu" or (gpu[kind] and (not number or int(number) < torch.cuda.device_count())):
        return name
    raise UsageError(f"there is no {name} here", where=f"#device={name}", todo="write #device=auto or leave it out")


def load_network(files: ModelFiles, task: str, dtype: str, device: str = "cpu") -> Any:
    """The network, with all its weights from the file; over several devices its layers are spread."""
    places = [device_of(name) for name in device.split(",")]
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM

    autos: dict[str, Any] = {CAUSAL: AutoModelForCausalLM, SEQ2SEQ: AutoModelForSeq2SeqLM}
    auto = autos.get(task, AutoModelForMaskedLM)
    given: dict[str, Any] = {**_SAFE, "dtype": getattr(torch, dtype), "output_loading_info": True}
    given |= {"gguf_file": files.gguf} if files.gguf else {"use_safetensors": True}
    with _quiet(), _told(files, "model"):
        try:
            network, report = auto.from_pretrained(str(files.folder), attn_implementation="sdpa", **given)
        except (ValueError, ImportError) as error:
            if "scaled_dot_product_attention" not in str(error) and "sdpa" not in str(error).lower():
                raise
            network, report = auto.from_pretrained(str(files.folder), attn_implementation="eager", **given)
    missing = sorted(report.get("missing_keys") or ()) + [str(one) for one in report.get("mismatched_keys") or ()]
    if missing:
        what = f"the weights are not whole: {len(missing)} are missing, such as {missing[0]}"
        todo = f"what it says would be random; is it a {task} language model?"
        raise InputError(what, where=str(files.folder), todo=todo)
    network.eval()
    if len(places) > 1:
        spread(network, places)
    else:
        network.to(places[0])
    network.config.use_cache = False
    if network.dtype == torch.float32:
        _fuse_gelu(network)
    return network


def _fuse_gelu(network: Any) -> None:
    """GPT-2's activation is written in eight steps of Python; the kernel of the same function takes one.

    In half precision each of the eight is rounded, which is part of the model.
    """
    import torch
    from transformers.activations import FastGELUActivation, NewGELUActivation

    for module in list(network.modules()):
        for name, inner in module.named_children():
            if isinstance(inner, NewGELUActivation | FastGELUActivation):
                setattr(module, name, torch.nn.GELU(approximate="tanh"))


def longest(network: Any, tokenizer: Any) -> int | None:
    """The most tokens that the model reads at once; None where it does not say."""
    config = network.config.get_text_config()
    limits = [getattr(config, name, None) for name in ("max_position_embeddings", "n_positions")]
    limits.append(getattr(tokenizer, "model_max_length", None))
    known = [int(limit) for limit in limits if isinstance(limit, int) and 0 < limit < 10**9]
    return min(known) if known else None


@contextmanager
def _told(files: ModelFiles, what: str) -> Iterator[None]:
    """Whatever Transformers says becomes one sentence."""
    try:
        yield
    except ImportError as error:
        package = "gguf" if files.gguf else ""
        if package and package in str(error).lower():
            raise MissingPackage("gguf is not installed", todo="install it with: pip install gguf") from error
        raise SystemFailure(f"the {what} needs a package: {_first(error)}", where=str(files.folder)) from error
    except Exception as error:
        raise SystemFailure(f"the {what} cannot be loaded: {_first(error)}", where=str(files.folder)) from error


def _first(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


@contextmanager
def _quiet() -> Iterator[None]:
    """Without progress bars and warnings on standard error; what matters of them is checked here."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings(), redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


@contextmanager
def one_thread(seed: int | None = None) -> Iterator[None]:
    """One thread, and with a seed random numbers that begin with it; both are afterwards as they were."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[], enabled=seed is not None):
            if seed is not None:
                torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(before)


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
