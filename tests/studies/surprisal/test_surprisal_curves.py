"""The surprisals that a run keeps for the report: bits of words, whatever the tokens of the model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gardenpath.data import bundled
from gardenpath.errors import InputError
from gardenpath.studies.surprisal.asking import AskedSuite, ScoredSentence, fit
from gardenpath.studies.surprisal.outcomes import SURPRISALS, attached, read_curves, word_bits
from gardenpath.studies.surprisal.study import JudgedSurprisal, judged_suites
from gardenpath.suites.regions.reader import read_region_suites
from gardenpath.systems.training.training import train


@pytest.fixture(scope="module")
def suite() -> AskedSuite:
    return AskedSuite(next(iter(read_region_suites(bundled("zh-surprisal")))))


def scored(words: list[str], tokens: list[str]) -> ScoredSentence:
    return ScoredSentence(tuple(tokens), np.ones(len(tokens)), None, fit(words, tokens))


def test_bits_of_a_word_are_those_of_its_tokens(suite: AskedSuite) -> None:
    sentences = []
    for words in suite.sentences:
        tokens = [char for word in words for char in word]
        sentences.append(scored(words, tokens))
    assert [bits.tolist() for bits in word_bits(suite, sentences)] == [
        [len(word) for word in ws] for ws in suite.sentences
    ]


def test_a_word_that_was_not_seen_has_no_bits(suite: AskedSuite) -> None:
    sentences = [scored(words, [*words[:-1], "???"]) for words in suite.sentences]
    for words, bits in zip(suite.sentences, word_bits(suite, sentences), strict=True):
        assert np.isnan(bits[-1])
        assert bits[:-1].tolist() == [1.0] * (len(words) - 1)


def test_what_is_kept_is_what_the_model_said(
    suite: AskedSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the means over seeds are made once, not for every item: 67,000 pairs would never end."""
    model = tmp_path / "model.npz"
    train("ngram", bundled("zh-text"), output=model, options={"order": "2"})
    judged = judged_suites(suite.suite, f"bigram=ngram:{model}")
    path, bits, asked = tmp_path / SURPRISALS, judged.bits, list[int]()
    with monkeypatch.context() as patched:
        patched.setattr(JudgedSurprisal, "bits", property(lambda _: asked.append(1) or bits))
        path.write_bytes(attached(judged))
    assert asked == [1]
    found = list(read_curves(path))
    assert [one.item for one in found] == [item.id for item in suite.suite.items]
    first = found[0]
    assert [name for name, _, _ in first.conditions] == [one.name for one in suite.suite.items[0].conditions]
    assert first.conditions[0][1] == tuple(suite.sentences[0])
    assert len(first.bits["bigram"][0]) == len(suite.sentences[0])
    assert np.allclose(np.array(first.bits["bigram"][0], dtype=float), judged.bits["bigram"][0][0], atol=5e-4)


@pytest.mark.parametrize("line", ["[]", '{"suite": 1}', "{", '{"conditions": [["a", ["b"], []]], "bits": {}}'])
def test_a_file_that_is_something_else(tmp_path: Path, line: str) -> None:
    (tmp_path / SURPRISALS).write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match="not surprisals"):
        list(read_curves(tmp_path / SURPRISALS))
