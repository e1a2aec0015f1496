"""A GGUF file read through Transformers says what the network says whose weights are in it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tiny_transformers import SENTENCES

from gardenpath.errors import FailedOnInput, GardenpathError
from gardenpath.systems.language_models.hf.system import HFModel

TEXTS = [*SENTENCES, "他昨天買了三本書。", "  two  blanks "]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A random Llama as a folder of Transformers, and its weights as a GGUF file in single precision."""
    for package in ("gguf", "accelerate", "transformers"):
        pytest.importorskip(package)
    from tiny_gguf import write_llama
    from tiny_transformers import bpe, loaded, saved

    folder = tmp_path_factory.mktemp("gguf") / "llama"
    saved(folder, "llama", bpe())
    return folder, write_llama(folder.with_suffix(".gguf"), *loaded(folder))


def test_the_numbers_are_those_of_the_network(tiny: tuple[Path, Path]) -> None:
    from tiny_transformers import plain_nats

    folder, path = tiny
    model = HFModel(str(path))
    for text, reading in zip(TEXTS, model.readings(TEXTS), strict=True):
        np.testing.assert_allclose(reading.surprisals, np.array(plain_nats(folder, text)) / math.log(2), atol=1e-4)
    assert model.readings([""])[0].surprisals.tolist() == []


def test_what_cannot_be_read_is_said(tiny: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(tiny[1].read_bytes()[:-5000])
    with pytest.raises(GardenpathError, match="cannot be loaded"):
        HFModel(str(path)).readings(["The keys"])
    with pytest.raises(FailedOnInput, match="and the model reads 64"):
        HFModel(str(tiny[1])).readings(["zebra! " * 60])
