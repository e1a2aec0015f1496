"""Models on the disk that are damaged, of another shape, or hold code: an error, and nothing is run."""

from __future__ import annotations

import os
import pickle
import shutil
import zipfile
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.systems.registry import language_model

torch = pytest.importorskip("torch")


class Hostile:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


@pytest.fixture
def copy(toy_model: str, tmp_path: Path) -> tuple[str, Path]:
    kind, _, folder = toy_model.partition(":")
    shutil.copytree(folder, tmp_path / "model")
    return f"{kind}:{tmp_path / 'model'}", tmp_path / "model"


def test_code_is_not_run(copy: tuple[str, Path], tmp_path: Path) -> None:
    name, folder = copy
    torch.save({"embedding.weight": Hostile(tmp_path / "run")}, folder / "weights.pt")
    with pytest.raises(InputError, match="holds code instead of weights; nothing of it was run"):
        language_model(name).surprisals([["the"]])
    (folder / "weights.pt").write_bytes(pickle.dumps(Hostile(tmp_path / "run")))
    with pytest.raises(InputError, match="nothing of it was run"):
        language_model(name).surprisals([["the"]])
    assert not (tmp_path / "run").exists()


def test_packed_weights_are_refused(copy: tuple[str, Path]) -> None:
    name, folder = copy
    with zipfile.ZipFile(folder / "weights.pt") as archive:
        parts = {member: archive.read(member) for member in archive.namelist()}
    with zipfile.ZipFile(folder / "weights.pt", "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in parts.items():
            archive.writestr(member, data)
    with pytest.raises(InputError, match="its parts are packed"):
        language_model(name).surprisals([["the"]])


def test_damaged_weights(copy: tuple[str, Path]) -> None:
    name, folder = copy
    data = (folder / "weights.pt").read_bytes()
    (folder / "weights.pt").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="is damaged"):
        language_model(name).surprisals([["the"]])


def test_weights_of_another_shape(copy: tuple[str, Path]) -> None:
    name, folder = copy
    path = folder / "network.json"
    path.write_text(path.read_text().replace('"layers": ', '"layers": 1'))
    with pytest.raises(InputError, match="do not fit the settings"):
        language_model(name).surprisals([["the"]])


def test_weights_that_are_no_numbers(copy: tuple[str, Path]) -> None:
    name, folder = copy
    state = torch.load(folder / "weights.pt", weights_only=True)
    state["output.bias"][0] = float("nan")
    torch.save(state, folder / "weights.pt")
    with pytest.raises(InputError, match="not all finite numbers"):
        language_model(name).surprisals([["the"]])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("gardenpath-network 1", "other", "the format is not"),
        ('"dropout": 0.0', '"dropout": "a"', "dropout is not a float"),
        ('"layers"', '"leyers"', "this describes no network"),
        ('"longest": 100', '"longest": -1', "this describes no network"),
        ("{", "", "this describes no network"),
    ],
)
def test_description_that_is_none(copy: tuple[str, Path], old: str, new: str, message: str) -> None:
    name, folder = copy
    path = folder / "network.json"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        language_model(name)


def test_folder_that_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no lstm model: there is no network\.json"):
        language_model(f"lstm:{tmp_path}")


def test_folder_of_seeds_is_several_models(copy: tuple[str, Path], tmp_path: Path) -> None:
    name, folder = copy
    kind = name.partition(":")[0]
    (tmp_path / "seeds").mkdir()
    folder.rename(tmp_path / "seeds" / "seed-4")
    with pytest.raises(InputError, match="this folder holds 1 models"):
        language_model(f"{kind}:{tmp_path / 'seeds'}")
