"""ARPA files and our own: there and back, as others write them, and every fault with its line."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.systems.ngram.arpa import read_arpa
from gardenpath.systems.ngram.encode import encoded
from gardenpath.systems.ngram.kneser_ney import estimate
from gardenpath.systems.ngram.model import BackoffModel
from gardenpath.systems.ngram.storage import check_kind, load, save
from gardenpath.systems.tokenised import read_stretches
from scored_text import read_sentences

# A bigram model by hand: log10 p(a) = -0.5, p(b | a) = -0.2; "b" has no back-off weight, as SRILM writes zeros.
TINY = """\
made by hand

\\data\\
ngram 1=5
ngram 2=3

\\1-grams:
-1.5\t<unk>
-99\t<s>\t-0.3
-0.7\t</s>
-0.5\ta\t-0.25
-0.9\tb

\\2-grams:
-0.1\t<s> a
-0.2\ta b
-0.4\tb </s>

\\end\\
"""


def arpa(tmp_path: Path, text: str = TINY) -> Path:
    path = tmp_path / "m.arpa"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(samples: Path) -> BackoffModel:
    pieces = (stretch.tokens() for stretch in read_stretches(samples / "de_garden-train.conllu"))
    return estimate(encoded(pieces), 4, prune=(0, 0, 1)).model


@pytest.mark.parametrize("name", ["m.arpa", "m.arpa.gz", "m.npz", "model"])
def test_what_is_written_is_read_again(model: BackoffModel, samples: Path, tmp_path: Path, name: str) -> None:
    save(model, tmp_path / name)
    check_kind(tmp_path / name)
    found = load(tmp_path / name)
    assert found.words == model.words
    for own, read in zip(model.levels, found.levels, strict=True):
        assert read.keys.tolist() == own.keys.tolist()
        assert read.logprob == pytest.approx(own.logprob, rel=1e-6)
        assert read.backoff == pytest.approx(own.backoff, rel=1e-6, abs=1e-7)
    sentences = read_sentences(samples / "de_garden-dev.conllu")
    for mine, theirs in zip(model.score(sentences), found.score(sentences), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-5)
    again = tmp_path / ("again" + name)
    save(found, again)
    assert load(again).words == model.words
    first = (tmp_path / name).read_bytes()
    save(model, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first  # no time is in it


def test_a_model_by_hand_is_scored_by_hand(tmp_path: Path) -> None:
    model = read_arpa(arpa(tmp_path))
    tokens, ends = model.score([["a", "b"], ["b", "a", "z"], []])
    log10 = [-0.1, -0.2, -0.3 - 0.9, 0 - 0.5, -0.25 - 1.5]
    assert tokens == pytest.approx(-np.array(log10) * np.log2(10))
    assert ends == pytest.approx(-np.array([-0.4, -0.7, -0.3 - 0.7]) * np.log2(10))


def test_windows_line_ends_and_capital_unk(tmp_path: Path) -> None:
    path = tmp_path / "m.arpa.gz"
    path.write_bytes(gzip.compress(TINY.replace("<unk>", "<UNK>").replace("\n", "\r\n").encode()))
    model = read_arpa(path)
    assert model.words == ["<unk>", "<s>", "</s>", "a", "b"]
    assert model.levels[0].logprob[0] == -1.5


def test_a_model_without_unk_finds_unknown_words_next_to_impossible_as_kenlm_does(tmp_path: Path) -> None:
    model = read_arpa(arpa(tmp_path, TINY.replace("-1.5\t<unk>\n", "").replace("ngram 1=5", "ngram 1=4")))
    tokens, _ = model.score([["b", "z"]])
    assert tokens[1] == pytest.approx(100 * np.log2(10))


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("\\data\\", "data", 19, "no ARPA file"),
        ("ngram 2=3", "ngram 3=3", 5, "expected the number of 2-grams"),
        ("ngram 2=3", "ngram 2=4", 18, "more 2-grams"),
        ("ngram 2=3", "ngram 2=2", 17, "expected \\end\\"),
        ("ngram 1=5", "ngram 1=4", 12, "expected \\2-grams:"),
        ("\\2-grams:", "\\3-grams:", 14, "expected \\2-grams:"),
        ("-0.2\ta b", "-0.2\ta", 16, "2 fields"),
        ("-0.2\ta b", "-0.2\ta b -0.1", 16, "4 fields"),
        ("-0.2\ta b", "0.2\ta b", 16, "cannot be 0.2"),
        ("-0.2\ta b", "nan\ta b", 16, "'nan' is not a probability"),
        ("-0.2\ta b", "x\ta b", 16, "'x' is not a probability"),
        ("a\t-0.25", "a\t-inf", 11, "'-inf' is not a back-off weight"),
        ("-0.2\ta b", "-0.2\ta c", 16, "'c' is not among the 1-grams"),
        ("-0.2\ta b", "-0.2\t<s> a", 16, "second time"),
        ("-0.9\tb", "-0.9\ta", 12, "the 1-gram 'a' comes a second time"),
        ("-0.7\t</s>", "-0.7\tc", 12, "there is no </s>"),
        ("\\end\\\n", "\\end\\\n\nmore\n", 21, "there is 'more'"),
        ("\n\\end\\\n", "", 17, "before \\end\\"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, told: str) -> None:
    path = arpa(tmp_path, TINY.replace(old, new, 1))
    with pytest.raises(InputError, match=re.escape(told)) as raised:
        read_arpa(path)
    assert raised.value.where == f"{path}:{line}"


def test_an_ngram_whose_context_is_missing_is_told(tmp_path: Path) -> None:
    text = TINY.replace("ngram 2=3\n", "ngram 2=3\nngram 3=1\n").replace(
        "\\end\\", "\\3-grams:\n-0.1\tb a b\n\n\\end\\"
    )
    with pytest.raises(InputError, match=r"m\.arpa:21: the first 2 words"):
        read_arpa(arpa(tmp_path, text))


def test_a_damaged_gz_is_told(tmp_path: Path) -> None:
    path = tmp_path / "m.arpa.gz"
    path.write_bytes(gzip.compress(TINY.encode())[:-6])
    with pytest.raises(InputError, match="damaged"):
        read_arpa(path)


def test_words_with_blanks_fit_npz_but_not_arpa(tmp_path: Path) -> None:
    model = estimate(encoded([[b"vingt et un", b"a", b"</s>"]]), 2).model
    with pytest.raises(UsageError, match=r"write the model as \.npz"):
        save(model, tmp_path / "m.arpa")
    save(model, tmp_path / "m.npz")
    assert load(tmp_path / "m.npz").words[3] == "vingt et un"


def changed(path: Path, **arrays: np.ndarray) -> None:
    """The model with some arrays replaced."""
    with np.load(path, allow_pickle=False) as found:
        old = {name: found[name] for name in found.files}
    np.savez(path, **{**old, **arrays})


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"keys2": np.arange(7)}, "are not"),
        ({"logprob1": np.full(5, np.nan, "f4")}, "not numbers"),
        ({"keys2": np.array([5, 4, 6])}, "not in order"),
        ({"keys2": np.array([1, 2, 1 << 40])}, "not in order"),
        ({"words": np.frombuffer(b"a\nb", np.uint8)}, "words do not fit"),
        ({"about": np.frombuffer(json.dumps({"format": "x 9"}).encode(), np.uint8)}, "its format is x 9"),
        ({"about": np.frombuffer(b"[]", np.uint8)}, "damaged"),
    ],
)
def test_a_damaged_npz_is_one_error(tmp_path: Path, arrays: dict[str, np.ndarray], told: str) -> None:
    path = tmp_path / "m.npz"
    save(read_arpa(arpa(tmp_path)), path)
    changed(path, **arrays)
    with pytest.raises(InputError, match=told):
        load(path)


def test_a_pickle_in_a_model_is_not_opened_and_a_bomb_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, about=np.array([{"format": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="is no array of numbers or text"):
        load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("words.npy", b"\0" * 100_000)
    with pytest.raises(InputError, match="packed"):
        load(path)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"hello\n", "not an n-gram model"),
        (b"mmap lm http://kheafield.com/code format version 5\n", "binary file of KenLM"),
    ],
)
def test_other_files_are_told(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(InputError, match=told):
        check_kind(tmp_path / "m")
