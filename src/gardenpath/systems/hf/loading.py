"""Reading a model of Transformers: no network, no code of the model's own, no pickle, no weights that are made up."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any

from ...errors import InputError, MissingPackage, SystemFailure, UsageError
from .files import CAUSAL, SEQ2SEQ, ModelFiles
from .spread import spread

_SAFE = {"local_files_only": True, "trust_remote_code": False}


def load_tokenizer(files: ModelFiles) -> Any:
    """The tokenizer; it must know where in the text its tokens are."""
    from transformers import AutoTokenizer

    given = {**_SAFE, **({"gguf_file": files.gguf} if files.gguf else {})}
    with _quiet(), _told(files, "tokenizer"):
        tokenizer = AutoTokenizer.from_pretrained(str(files.folder), **given)
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            f"its tokenizer, a {type(tokenizer).__name__}, does not tell where in the text a token is",
            where=str(files.folder),
            todo="a tokenizer.json is needed: AutoTokenizer.from_pretrained(...).save_pretrained(FOLDER) may write one",
        )
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
        raise InputError(
            f"the weights are not whole: {len(missing)} are missing, such as {missing[0]}",
            where=str(files.folder),
            todo=f"what it says would be random; is it a {task} language model?",
        )
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
