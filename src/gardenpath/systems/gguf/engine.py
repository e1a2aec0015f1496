"""llama.cpp by llama-cpp-python: a file that cuts text into tokens, and says what may follow them."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import FailedOnInput, SystemFailure, UsageError

_FLOAT32 = 0
"""The type of numbers that llama.cpp calls so. Keys and values of attention are kept in it, not in 16 bits."""
_NO_FLASH = 0
_LEAST = 512
"""Tokens for which there is room at least."""
_PIECE = 256


class Engine:
    """A model of llama.cpp and a place to compute in, which grows with what is read."""

    def __init__(self, path: Path, gpu: bool = False) -> None:
        self._model: Any = None
        self._context: Any = None
        self.where = f"gguf:{path}"
        try:
            import llama_cpp
        except (ImportError, OSError, RuntimeError) as error:  # it is there, and a part of it is not
            raise SystemFailure(f"llama-cpp-python cannot be loaded: {error}", where=self.where) from error
        self._api: Any = llama_cpp
        if gpu and not llama_cpp.llama_supports_gpu_offload():
            todo = "write #device=cpu, or install llama-cpp-python with its options for CUDA, Metal or Vulkan"
            raise UsageError("this llama-cpp-python was built without a GPU", where=self.where, todo=todo)
        with _log() as lines:
            llama_cpp.llama_backend_init()
            given = llama_cpp.llama_model_default_params()
            given.n_gpu_layers = -1 if gpu else 0
            given.use_extra_bufts = False  # rearranged weights are summed in another order for other numbers of tokens
            self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), given)
        if not self._model:
            raise SystemFailure(f"the model cannot be loaded: {_reason(lines)}", where=self.where)
        self._vocabulary = llama_cpp.llama_model_get_vocab(self._model)
        self.size = int(llama_cpp.llama_vocab_n_tokens(self._vocabulary))
        self.longest = int(llama_cpp.llama_model_n_ctx_train(self._model))
        recurrent = llama_cpp.llama_model_is_recurrent(self._model) or llama_cpp.llama_model_is_hybrid(self._model)
        self.goes_back = not recurrent
        """Can it read on from the middle of what it read? A state that goes on from token to token cannot."""
        self._room = 0

    def close(self) -> None:
        """Gives the memory back."""
        if self._context:
            self._api.llama_free(self._context)
        if self._model:
            self._api.llama_model_free(self._model)
        self._model = self._context = None

    def __del__(self) -> None:
        if not sys.is_finalizing():  # then the memory goes with the process, and half of Python is gone
            self.close()

    def tokens(self, text: str, special: bool = False) -> list[int]:
        """The tokens of a text; `special`: what is written like a special token is one."""
        data = text.encode()
        size = len(data) + 8
        ids = (ctypes.c_int32 * size)()
        count = self._api.llama_tokenize(self._vocabulary, data, len(data), ids, size, False, special)
        if count < 0:
            raise FailedOnInput(f"llama.cpp cuts this text into no tokens: {text[:60]}", where=self.where)
        return list(ids[:count])

    def piece(self, token: int) -> bytes:
        """The bytes that a token stands for."""
        size = _PIECE
        while True:
            buffer = ctypes.create_string_buffer(size)
            count = self._api.llama_token_to_piece(self._vocabulary, token, buffer, size, 0, True)
            if count >= 0:
                return buffer.raw[:count]
            size = -count

    def is_unknown(self, token: int) -> bool:
        """Does this token stand for what the model does not know?"""
        attributes = self._api.llama_vocab_get_attr(self._vocabulary, token)
        return bool(attributes & self._api.LLAMA_TOKEN_ATTR_UNKNOWN)

    def logits(self, tokens: Sequence[int], start: int = 0) -> NDArray[np.float32]:
        """What may follow each of these tokens, which come after the first `start` of those read last: tokens ×
        vocabulary. The array holds until the next call."""
        count = len(tokens)
        ids = np.array(tokens, dtype=np.int32)
        places = np.arange(start, start + count, dtype=np.int32)
        ones, branch = np.ones(count, dtype=np.int32), np.zeros(1, dtype=np.int32)
        wanted = np.ones(count, dtype=np.int8)
        pointer = ctypes.POINTER(ctypes.c_int32)
        given = self._api.llama_batch(
            n_tokens=count, token=ids.ctypes.data_as(pointer), embd=None, pos=places.ctypes.data_as(pointer),
            n_seq_id=ones.ctypes.data_as(pointer), seq_id=(pointer * count)(*[branch.ctypes.data_as(pointer)] * count),
            logits=wanted.ctypes.data_as(ctypes.POINTER(ctypes.c_int8)),
        )  # fmt: skip
        with _log() as lines:
            self._make_room(start + count)
            self._api.llama_memory_seq_rm(self._api.llama_get_memory(self._context), 0, start, -1)
            status = self._api.llama_decode(self._context, given)
        if status:
            raise FailedOnInput(f"llama.cpp cannot read it ({status}): {_reason(lines)}", where=self.where)
        return np.ctypeslib.as_array(self._api.llama_get_logits(self._context), shape=(count, self.size))

    def _make_room(self, count: int) -> None:
        """A context for so many tokens, if there is none: as they are, one thread, sums in single precision."""
        if count <= self._room:
            return
        if self._context:
            self._api.llama_free(self._context)
            self._context, self._room = None, 0
        room = max(_LEAST, 1 << (count - 1).bit_length())
        given = self._api.llama_context_default_params()
        given.n_ctx = given.n_batch = given.n_ubatch = room
        given.n_seq_max, given.swa_full = 1, True
        given.n_threads = given.n_threads_batch = 1
        given.type_k = given.type_v = _FLOAT32
        given.flash_attn_type = _NO_FLASH
        self._context = self._api.llama_init_from_model(self._model, given)
        if not self._context:
            todo = "there may not be enough memory for it"
            raise SystemFailure(f"llama.cpp makes no room for {room} tokens", where=self.where, todo=todo)
        self._room = room


@contextmanager
def _log() -> Iterator[list[str]]:
    """What llama.cpp writes meanwhile, instead of on standard error."""
    lines, _ = _kept_log()
    lines.clear()
    yield lines


@cache
def _kept_log() -> tuple[list[str], Any]:
    import llama_cpp

    lines: list[str] = []

    @llama_cpp.llama_log_callback  # type: ignore[untyped-decorator]
    def keep(level: int, text: bytes, _: Any) -> None:
        if level in (2, 3):  # warnings and errors
            lines.append(text.decode("utf-8", "replace").strip())

    llama_cpp.llama_log_set(keep, ctypes.c_void_p(0))
    return lines, keep


def _reason(lines: list[str]) -> str:
    return next((line for line in reversed(lines) if line), "llama.cpp does not say why")
