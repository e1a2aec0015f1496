"""Random models of every kind that the tests read."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def transformers() -> None:
    """The extra `hf`; tests that ask for it skip without."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")


@pytest.fixture(scope="session")
def gpt2(transformers: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tiny_transformers import bpe, saved

    folder = tmp_path_factory.mktemp("hf") / "gpt2"
    saved(folder, "gpt2", bpe())
    return folder


@pytest.fixture(scope="session")
def llama(transformers: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tiny_transformers import metaspace, saved

    folder = tmp_path_factory.mktemp("hf") / "llama"
    saved(folder, "llama", metaspace())
    return folder


@pytest.fixture(scope="session")
def qwen2(transformers: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Byte-level BPE without a token that begins a text."""
    from tiny_transformers import bpe, saved

    folder = tmp_path_factory.mktemp("hf") / "qwen2"
    saved(folder, "qwen2", bpe(bos=None))
    return folder


@pytest.fixture(scope="session")
def bert(transformers: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tiny_transformers import saved, wordpiece

    folder = tmp_path_factory.mktemp("hf") / "bert"
    saved(folder, "bert", wordpiece())
    return folder


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    """Threads that wait for each other on busy cores make tiny networks many times slower."""
    if find_spec("torch"):
        import torch

        torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees what another one kept."""
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
