"""Parsers whose weights come inside packages of the registry: they parse text, and their labels are those of UD.

The packages are large, so each test skips where its own is not installed.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from gardenpath.systems import parse_with, text_treebank

UD = {"nsubj", "obj", "obl", "advmod", "root", "case", "punct", "nmod", "mark", "aux", "cop", "amod", "conj", "advcl"}


def model_file(package: str, pattern: str) -> Path:
    """A file of an installed package, which is not imported."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip(f"needs {package}")
    return next(Path(spec.submodule_search_locations[0]).rglob(pattern))


@pytest.mark.parametrize(
    ("package", "pattern", "text"),
    [
        ("udkanbun", "ud-kanbun.udpipe", "不入虎穴不得虎子"),
        ("unidic2ud", "*.udpipe", "太郎は本を読んだ。"),
    ],
)
def test_a_model_of_udpipe_out_of_a_wheel(package: str, pattern: str, text: str) -> None:
    file = model_file(package, pattern)
    result = parse_with(f"udpipe:{file}", text_treebank(text, by_line=False), mode="text")
    assert not result.failures
    words = [word for sentence in result.treebank for word in sentence]
    assert "".join(word.form for word in words) == text
    assert UD & {word.deprel.partition(":")[0] for word in words}


def test_ginza_is_a_pipeline_of_spacy_with_labels_of_ud() -> None:
    pytest.importorskip("spacy")
    if find_spec("ja_ginza") is None:
        pytest.skip("needs ja-ginza")
    result = parse_with(
        "spacy:ja_ginza", text_treebank("太郎は東京で本を読んだ。彼女は来なかった。", by_line=False), mode="text"
    )
    assert not result.failures
    assert len(result.treebank) == 2
    labels = {word.deprel for sentence in result.treebank for word in sentence}
    assert {"nsubj", "obj", "case", "root"} <= labels
    assert "labels:" not in result.signature  # no bridge
