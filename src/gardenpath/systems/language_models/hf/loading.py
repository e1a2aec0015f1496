"""Files of a model of Transformers, and the model in them: no network, no code of its own, no pickle.

Of a GGUF file the header is read: `GGUF`, version, number of tensors, number of pairs; a pair is a key, a type and a
value. Numbers are little-endian, a string is its length and its bytes, an array its type, its length and its values.
A network may be spread over several devices; of an encoder-decoder, the encoder reads an empty text.
"""

from __future__ import annotations

import hashlib
import io
import mmap
import re
import struct
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ....boundary.structured import read_object
from ....boundary.texts import file_bytes, reading
from ....errors import GardenpathError, InputError, MissingPackage, SystemFailure, UsageError
from ....runs.record.signatures import describe_input

if TYPE_CHECKING:
    import torch


CONFIG, TOKENIZER_CONFIG = "config.json", "tokenizer_config.json"
CAUSAL, MASKED, SEQ2SEQ = "causal", "masked", "seq2seq"
_READ = (".json", ".safetensors", ".txt", ".model", ".gguf", ".jinja")
"""What a model or a tokenizer is read from; a README beside it does not make another model."""
_PICKLES = (".bin", ".pt", ".pth", ".pkl", ".ckpt")
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


@dataclass(frozen=True)
class ModelFiles:
    """A folder with a model, or a GGUF file in it."""

    folder: Path
    gguf: str = ""

    @cached_property
    def sha256(self) -> str:
        """Of all that decides what the model says."""
        names = [self.gguf] if self.gguf else sorted(
            file.name for file in self.folder.iterdir() if file.is_file() and file.suffix.lower() in _READ
        )  # fmt: skip
        whole = hashlib.sha256()
        for name in names:
            whole.update(f"{name}\0{describe_input(self.folder / name)['sha256']}\n".encode())
        return whole.hexdigest()

    @cached_property
    def task(self) -> str:
        """CAUSAL, MASKED or SEQ2SEQ, by config.json; empty where it says none of them."""
        if self.gguf:
            return CAUSAL
        config = self._json(CONFIG)
        if config.get("is_encoder_decoder") is True:
            return SEQ2SEQ
        named = config.get("architectures") or []
        for architecture in named if isinstance(named, list) else []:
            if re.search(r"MaskedLM|(?<!Electra)ForPreTraining", str(architecture)):
                return MASKED
            if re.search(r"CausalLM|LMHead|DoubleHeads", str(architecture)):
                return CAUSAL
        return ""

    @property
    def architecture(self) -> str:
        config = self._json(CONFIG)
        named = config.get("architectures")
        return str(named[0]) if isinstance(named, list) and named else f"model of the type {config.get('model_type')}"

    def special_token(self, role: str) -> str:
        """`bos` or `eos` as the files have it; empty where they do not."""
        if self.gguf:
            return special_tokens(self.folder / self.gguf).get(role, "")
        for file in (TOKENIZER_CONFIG, "special_tokens_map.json"):
            if (self.folder / file).exists():
                value = self._json(file).get(f"{role}_token")
                value = value.get("content") if isinstance(value, dict) else value
                if isinstance(value, str) and value:
                    return value
        return ""

    def _json(self, name: str) -> dict[str, Any]:
        return read_object(file_bytes(self.folder / name), str(self.folder / name), finite=False)


def model_files(model: str, download: bool = False, revision: str = "main") -> ModelFiles:
    """A folder, a GGUF file, or a name whose files are in the cache of Hugging Face (or may be fetched)."""
    path = Path(model).expanduser()
    if path.exists() and revision != "main":
        todo = "leave it out, or name a model of the cache of Hugging Face"
        raise UsageError("files on this machine have no revision", where=f"{model}#revision={revision}", todo=todo)
    if path.is_file():
        if path.suffix.lower() != ".gguf":
            todo = f"name its folder: hf:{path.parent}"
            raise InputError("a model is a folder, or a GGUF file", where=str(path), todo=todo)
        return ModelFiles(path.parent.resolve(), path.name)  # in the cache of Hugging Face a file is a link elsewhere
    if path.is_dir():
        return checked(path.resolve())
    if not _NAME.fullmatch(model):
        todo = "name a folder that Transformers can load, or a model in the cache of Hugging Face"
        raise InputError("no such folder", where=model, todo=todo)
    return checked(_snapshot(model, download, revision))


def checked(folder: Path) -> ModelFiles:
    """The files of a folder, if it has a model and its weights are no pickle: reading one would run code in it."""
    files = [file.name for file in folder.iterdir() if file.is_file()]
    gguf = [name for name in files if name.lower().endswith(".gguf")]
    if CONFIG not in files:
        if len(gguf) == 1:
            return ModelFiles(folder, gguf[0])
        if gguf:
            raise InputError(f"{len(gguf)} GGUF files", where=str(folder), todo=f"name one: hf:{folder / gguf[0]}")
        raise InputError(f"this is not a model of Transformers: there is no {CONFIG}", where=str(folder))
    if "adapter_config.json" in files:
        todo = "merge it into its model (merge_and_unload of PEFT) and save that"
        raise InputError("this is an adapter, not a model", where=str(folder), todo=todo)
    if not any(name.endswith(".safetensors") for name in files):
        pickles = [name for name in files if name.lower().endswith(_PICKLES)]
        if pickles:
            raise InputError(
                f"its weights are a pickle ({pickles[0]}), which can run any code when it is read",
                where=str(folder),
                todo="save them as safetensors where you trust them: model.save_pretrained(FOLDER)",
            )
        raise InputError("there are no weights (*.safetensors)", where=str(folder))
    return ModelFiles(folder)


def _snapshot(name: str, download: bool, revision: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise MissingPackage.extra("transformers", "hf") from error
    wanted = [f"*{ending}" for ending in _READ if ending != ".gguf"]
    try:
        return Path(snapshot_download(name, revision=revision, local_files_only=not download, allow_patterns=wanted))
    except GardenpathError:
        raise
    except Exception as error:  # of the hub, of the network, of the cache's files: many kinds
        if download:
            raise InputError(f"it cannot be fetched: {error}", where=name) from error
        in_revision, at = ("", "") if revision == "main" else (f" in the revision {revision}", f"@{revision}")
        what = f"no such folder, and no such model in the cache of Hugging Face{in_revision}"
        todo = f"hf:{name}{at}#download=yes fetches it; or name a folder"
        raise UsageError(what, where=name, todo=todo) from error


_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of each type of number."""
_STRING, _ARRAY = 8, 9
_FORMATS = {4: "<I", 5: "<i", 10: "<Q", 11: "<q"}
_TOKENS = "tokenizer.ggml.tokens"
_ROLES = {f"tokenizer.ggml.{role}_token_id": role for role in ("bos", "eos")}


def special_tokens(path: Path) -> dict[str, str]:
    """The tokens of `bos` and `eos`, as far as the file names them."""
    what = "the header of this GGUF file is damaged"
    with (
        reading(what, str(path), "fetch it again"),
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        return _Header(data).special_tokens()


class _Header:
    """A place in the file that goes on with what is read."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data, self.at = data, 0

    def special_tokens(self) -> dict[str, str]:
        if self.data[:4] != b"GGUF":
            raise IndexError("no GGUF")
        self.at = 16  # behind magic (4), version (4) and number of tensors (8)
        ids: dict[str, int] = {}
        tokens: list[tuple[int, int]] = []
        for _ in range(self._number("<Q")):
            begin, end = self._string()
            key, kind = self.data[begin:end].decode("utf-8"), self._number("<I")
            if key in _ROLES and kind in _FORMATS:
                ids[_ROLES[key]] = self._number(_FORMATS[kind])
            elif key == _TOKENS and kind == _ARRAY and self._number("<I") == _STRING:
                tokens = [self._string() for _ in range(self._number("<Q"))]
            else:
                self._skip(kind)
        spans = {role: tokens[number] for role, number in ids.items() if 0 <= number < len(tokens)}
        return {role: self.data[begin:end].decode("utf-8") for role, (begin, end) in spans.items()}

    def _number(self, form: str) -> int:
        (value,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return int(value)

    def _string(self) -> tuple[int, int]:
        """Begin and end of its bytes."""
        size = self._number("<Q")
        self._jump(size)
        return self.at - size, self.at

    def _jump(self, size: int) -> None:
        self.at += size
        if self.at > len(self.data):
            raise IndexError("the file ends too early")

    def _skip(self, kind: int) -> None:
        if kind == _STRING:
            self._string()
        elif kind == _ARRAY:
            inner, count = self._number("<I"), self._number("<Q")
            if inner in _SIZES:
                self._jump(_SIZES[inner] * count)
            else:
                for _ in range(count):
                    self._skip(inner)
        elif kind in _SIZES:
            self._jump(_SIZES[kind])
        else:
            raise IndexError(f"no type {kind}")


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


def device_of(name: str, option: str = "#device") -> str:
    """Return the device with this name, if it exists; `auto` is the first GPU, or the processor without one."""
    import torch

    gpu = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        return next((kind for kind, there in gpu.items() if there), "cpu")
    kind, _, number = name.partition(":")
    if kind == "cpu" or (gpu.get(kind) and (not number or int(number) < torch.cuda.device_count())):
        return name
    raise UsageError(f"there is no {name} here", where=f"{option}={name}", todo=f"write {option}=auto or leave it out")


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
def torch_threads(count: int = 1, seed: int | None = None) -> Iterator[None]:
    """Limit PyTorch to so many threads, and start its random numbers from the seed; restore both afterwards."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count)
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
