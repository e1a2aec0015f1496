"""The samples of the package by their short names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gardenpath.data import bundled, bundled_names, locate
from gardenpath.errors import UsageError


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("de_garden-train.conllu", "zh_garden-test.conllu", "README.md", ".hidden", "__init__.py"):
        (tmp_path / name).write_text("")
    # By sys.modules: as an attribute of the package, `bundled` is the function.
    monkeypatch.setattr(sys.modules["gardenpath.data.bundle"], "SAMPLES", tmp_path)
    return tmp_path


def test_short_names(samples: Path) -> None:
    assert bundled_names() == ["de-train", "zh-test"]
    assert bundled("de-train") == locate("bundled:de-train") == samples / "de_garden-train.conllu"
    assert bundled("zh_garden-test.conllu") == samples / "zh_garden-test.conllu"


def test_unknown_samples_get_advice(samples: Path) -> None:
    with pytest.raises(UsageError, match="did you mean de-train"):
        locate("bundled:de-trian")


def test_every_sample_of_the_package_has_a_name() -> None:
    folder = Path(sys.modules["gardenpath.data.bundle"].__file__ or "").parent / "samples"
    for path in folder.glob("*.conllu"):
        assert bundled(path.name) == path
        assert path in [bundled(name) for name in bundled_names()]
