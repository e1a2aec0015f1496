"""Networks with random weights, and a model trained in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def single_thread() -> Iterator[None]:
    """Threads that wait for each other make such small networks slow."""
    pytest.importorskip("torch")
    from gardenpath.systems import torch_threads

    with torch_threads():
        yield


SHAPES = {
    "rnng": {"layers": 2, "tied": True},
    "rnng with histories": {"layers": 2, "tied": False, "history": True},
    "plm": {"layers": 2, "heads": 2, "positions": 40},
    "plm guided": {"layers": 2, "heads": 2, "positions": 40, "guided": True},
}


@pytest.fixture(scope="session", params=list(SHAPES))
def network(request: pytest.FixtureRequest) -> Any:
    """A small network with weights large enough to make some trees far more probable than others."""
    torch = pytest.importorskip("torch")
    from every_tree import INVENTORY, VOCABULARY

    from gardenpath.systems import torch_threads
    from gardenpath_models.structural.system import Shape, build

    with torch_threads(seed=3):
        shape = Shape(request.param.split()[0], hidden=8, dropout=0.3, **SHAPES[request.param])
        made = build(shape, INVENTORY, VOCABULARY)
        torch.manual_seed(7)  # whatever the first weights of the network were drawn for
        for weight in made.parameters():
            torch.nn.init.normal_(weight, std=0.7)
    return made.eval()


TREES = """
(S (NP (D the) (N dog)) (VP (V sees) (NP (D a) (N cat))))
(S (NP (D a) (N cat)) (VP (V sleeps)))
(S (NP (D the) (N cat) (PP (P on) (NP (D the) (N mat)))) (VP (V sees) (NP (D the) (N dog))))
(S (NP (D the) (N dog)) (VP (V sleeps) (PP (P on) (NP (D a) (N mat)))))
(S (NP (D a) (N dog)) (VP (V sees) (NP (D the) (N mat))))
(S (NP (D the) (N cat)) (VP (V sleeps)))
"""


@pytest.fixture(scope="session")
def trees_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trees") / "toy.mrg"
    path.write_text(TREES * 4, encoding="utf-8")
    return path


@pytest.fixture(scope="session", params=["rnng", "plm"])
def model(request: pytest.FixtureRequest, trees_file: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """`kind:folder` of a small model that has seen the toy trees; its checkpoint of step 0 is the untrained network."""
    pytest.importorskip("torch")
    from gardenpath.systems.training.training import train

    folder = tmp_path_factory.mktemp(request.param) / "toy"
    options = {"hidden": "24", "epochs": "6", "rate": "0.02", "batch": "120", "warmup": "0", "keep": "0,2"}
    kind = request.param
    return train(kind, trees_file, trees_file, output=folder, preset="tiny", options=options).system
