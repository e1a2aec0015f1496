"""Parsers whose weights come inside packages of the registry, natasha among them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.systems import parse_with, system, text_treebank
from gardenpath.treebank import Treebank, score

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


pytest.importorskip("natasha", reason="needs natasha (in the extra dev)")


def test_it_knows_russian(shared: Path) -> None:
    files = sorted((shared / "ud" / "UD_Russian-Taiga@r2.7").glob("*.conllu"))
    data = files[0].read_bytes()[:300_000]
    gold = Treebank(data[: data.rindex(b"\n\n") + 2])[:80]
    result = parse_with("natasha:news", gold)
    assert score(gold, result.treebank).f1("LAS") > 50
    assert sum(result.failures.values()) == sum("gardenpath_failure" in s.metadata for s in result.treebank)
    assert not {"unparsed", "other-tokens", "malformed", "surplus"} & result.failures.keys()


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_it_cuts_text_itself(mode: str) -> None:
    bank = text_treebank("Мама мыла раму. Он ушёл домой.\n\nОна ждёт.", by_line=mode == "sentences")
    result = parse_with(system("natasha:news"), bank, mode=mode)
    assert not result.failures.keys() - {"two-roots", "cycle"}
    assert len(result.treebank) == (2 if mode == "sentences" else 3)
    assert [word.form for word in result.treebank[-1]] == ["Она", "ждёт", "."]
    assert result.treebank[-1].words[1].no_space_after


def test_other_models_are_not_known() -> None:
    with pytest.raises(UsageError, match="did you mean news"):
        system("natasha:new")
