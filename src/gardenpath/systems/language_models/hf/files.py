"""The files of a model of Transformers: where they are, that none is a pickle, what they are, and their SHA-256.

Of a GGUF file the header is read: `GGUF`, version, number of tensors, number of pairs; a pair is a key, a type and a
value. Numbers are little-endian, a string is its length and its bytes, an array its type, its length and its values.
"""

from __future__ import annotations

import hashlib
import mmap
import re
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ....boundary.structured import read_object
from ....boundary.texts import file_bytes, reading
from ....errors import GardenpathError, InputError, MissingPackage, UsageError
from ....runs.record.signatures import describe_input

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
