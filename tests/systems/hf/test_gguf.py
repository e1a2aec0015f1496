"""GGUF files by llama.cpp: the bookkeeping with an engine of our own, the numbers with the real one where it is."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tiny_transformers import SENTENCES

from gardenpath.errors import FailedOnInput, InputError, MissingPackage, TooLong, UsageError
from gardenpath.systems.gguf.system import GGUFModel, nats

TEXTS = [*SENTENCES, "他昨天買了三本書。", "  two  blanks ", ""]


class PairEngine:
    """Tokens of two bytes; what may follow is drawn from all that was read."""

    size, longest, goes_back = 600, 64, True

    def __init__(self, blank: bool = False) -> None:
        self.blank = b" " if blank else b""
        self.read: list[int] = []
        self.last: list[int] = []
        self.pieces: list[bytes] = [b"<s>", b"</s>", *(bytes([value]) for value in range(256))]

    def tokens(self, text: str, special: bool = False) -> list[int]:
        data = text.encode()
        if special and data in self.pieces:
            return [self.pieces.index(data)]
        data = self.blank + data if data else data
        cut = [data[at : at + 2] for at in range(0, len(data), 2)]
        self.pieces += [piece for piece in dict.fromkeys(cut) if piece not in self.pieces]
        return [self.pieces.index(piece) for piece in cut]

    def piece(self, token: int) -> bytes:
        return self.pieces[token] if token < len(self.pieces) else b""

    def is_unknown(self, token: int) -> bool:
        return self.pieces[token] == b"ze"

    def row(self, path: list[int]) -> np.ndarray:
        return np.random.default_rng(path).normal(0, 3, self.size).astype(np.float32)

    def logits(self, tokens: list[int], start: int = 0) -> np.ndarray:
        self.last[start:] = tokens
        self.read.append(len(tokens))
        return np.array([self.row(self.last[:end]) for end in range(start + 1, len(self.last) + 1)])

    def close(self) -> None:
        self.read.clear()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    from test_hf_files import gguf

    return gguf(tmp_path / "model.gguf", ["<s>", "</s>", "a"], bos=0, eos=1)


def with_engine(name: str, engine: PairEngine) -> GGUFModel:
    model = GGUFModel(name)
    model.__dict__["engine"] = engine
    return model


def expected_bits(engine: PairEngine, text: str, prefix: list[int]) -> list[float]:
    """The oracle: one token after the other, in double precision."""
    ids = [*prefix, *engine.tokens(text)]
    bits = []
    for at in range(1, len(ids)):
        row = engine.row(ids[:at]).astype(np.float64)
        bits.append((math.log(np.exp(row).sum()) - row[ids[at]]) / math.log(2))
    return bits


@pytest.mark.parametrize("goes_back", [True, False])
def test_what_sentences_share_is_read_once_and_says_the_same(file: Path, goes_back: bool) -> None:
    engine = PairEngine()
    engine.goes_back = goes_back
    model = with_engine(str(file), engine)
    for text, reading in zip(TEXTS, model.readings(TEXTS), strict=True):
        np.testing.assert_allclose(reading.surprisals, expected_bits(engine, text, [0]), atol=1e-5)
        assert reading.text == text
    tokens = sum(len(engine.tokens(text)) for text in set(TEXTS))
    assert sum(engine.read) < tokens + 40
    assert min(engine.read) == 8  # never few alone


def test_tokens_are_placed_by_their_bytes(file: Path) -> None:
    for blank in (False, True):  # some models put a blank before every text
        reading = with_engine(str(file), PairEngine(blank)).readings(["a  Hündin"])[0]
        assert reading.begins.tolist() == ([0, 3, 4, 5, 7] if not blank else [0, 3, 3, 4, 6, 8])
        assert reading.ends.tolist() == ([1, 4, 5, 7, 9] if not blank else [1, 3, 5, 6, 8, 9])
    (chinese,) = with_engine(str(file), PairEngine()).readings(["他昨"])
    assert list(zip(chinese.begins.tolist(), chinese.ends.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 2)]
    (words,) = with_engine(str(file), PairEngine()).oov([["a", "zebra"]])
    assert words.tolist() == [False, True]


def test_what_stands_before_a_sentence(file: Path) -> None:
    engine = PairEngine()
    without = with_engine(f"{file}#bos=none", engine).readings(["dogs"])[0]
    assert math.isnan(without.surprisals[0])
    np.testing.assert_allclose(without.surprisals[1:], expected_bits(engine, "dogs", []), atol=1e-5)
    end = with_engine(f"{file}#bos=eos", engine)
    np.testing.assert_allclose(end.readings(["dogs"])[0].surprisals, expected_bits(engine, "dogs", [1]), atol=1e-5)
    assert "|bos:</s>|" in end.signature
    with pytest.raises(InputError, match="the model has no token <nowhere>"):
        with_engine(f"{file}#bos=<nowhere>", engine).readings(["dogs"])


def test_the_blank_can_belong_to_the_word_before(file: Path) -> None:
    """The sum over a sentence stays; the tokens with a blank and those before them change."""
    text = "a b c d"  # tokens: "a ", "b ", "c ", "d" or, after a blank, " a", " b", " c", " d"
    plain = with_engine(str(file), PairEngine(True)).readings([text])[0].surprisals
    moved = with_engine(f"{file}#space=corrected", PairEngine(True)).readings([text])[0].surprisals
    assert moved.sum() == pytest.approx(plain.sum())
    assert (np.abs(moved - plain) > 1e-3).all()


def test_what_cannot_be_read_is_said(file: Path, tmp_path: Path) -> None:
    with pytest.raises(TooLong, match="a sentence of 101 tokens, and the model reads 64"):
        with_engine(str(file), PairEngine()).readings(["ab" * 100])
    engine = PairEngine()
    engine.piece = lambda token: b"?"  # type: ignore[method-assign]
    with pytest.raises(FailedOnInput, match="do not sum to the text"):
        with_engine(str(file), engine).readings(["dogs"])
    with pytest.raises(InputError, match="no such file"):
        GGUFModel(str(tmp_path / "nothing.gguf"))
    with pytest.raises(UsageError, match="unknown value of device"):
        GGUFModel(f"{file}#device=tpu")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "config.json").write_text("{}")
    (tmp_path / "folder" / "model.safetensors").write_bytes(b"")
    with pytest.raises(InputError, match="this is no GGUF file"):
        GGUFModel(str(tmp_path / "folder"))


def test_a_study_runs_and_keeps_a_record(file: Path, tmp_path: Path) -> None:
    from test_hf_study import PAIR, suite

    from gardenpath.studies.engine import run
    from gardenpath.studies.surprisal.study import SURPRISAL

    model = with_engine(str(file), PairEngine())
    result = run(SURPRISAL, suite(PAIR, "(2;%are%) < (2;%is%)"), {"m": model}, folder=tmp_path / "run")
    assert {finding.n for finding in result.findings if finding.measure == "accuracy"} == {1}
    assert (tmp_path / "run" / "run.json").exists()


def test_names_and_signatures(file: Path) -> None:
    model = GGUFModel(f"{file}#joiner=none#bos=</s>")
    assert model.name == f"gguf:{file}#bos=</s>#joiner=none"
    assert model.signature.startswith("kind:gguf|model:")
    assert "|joiner:none|" in model.signature
    assert "llama-cpp-python:" in model.signature
    model.release()  # nothing was read


def test_without_the_package_one_sentence_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gardenpath.systems import registry

    find = registry.find_spec
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name == "llama_cpp" else find(name))
    with pytest.raises(MissingPackage, match="llama_cpp is not installed") as caught:
        registry.language_model(f"gguf:{file}")
    assert caught.value.todo == 'install it with: pip install "gardenpath[gguf]"'


# --- with llama.cpp itself --------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A random Llama as a folder of Transformers, and its weights as a GGUF file in single precision."""
    pytest.importorskip("llama_cpp")
    pytest.importorskip("gguf")
    pytest.importorskip("transformers")
    from tiny_gguf import write_llama
    from tiny_transformers import bpe, loaded, saved

    folder = tmp_path_factory.mktemp("gguf") / "llama"
    saved(folder, "llama", bpe())
    return folder, write_llama(folder.with_suffix(".gguf"), *loaded(folder))


def test_the_real_engine_says_what_transformers_says(tiny: tuple[Path, Path]) -> None:
    from tiny_transformers import plain_nats

    folder, path = tiny
    model = GGUFModel(str(path))
    for text, reading in zip(TEXTS[:-1], model.readings(TEXTS[:-1]), strict=True):
        np.testing.assert_allclose(reading.surprisals, np.array(plain_nats(folder, text)) / math.log(2), atol=1e-4)
    assert model.readings([""])[0].surprisals.tolist() == []


def test_the_real_engine_and_what_is_read_beside_a_sentence(tiny: tuple[Path, Path]) -> None:
    """Alone, or after others whose beginnings it shares: the same bits."""
    engine = GGUFModel(str(tiny[1])).engine
    sequences = [[0, *engine.tokens(text)] for text in SENTENCES]
    expected = [nats(engine, [sequence])[0][0] for sequence in sequences]
    for values, alone in zip(nats(engine, sequences)[0], expected, strict=True):
        np.testing.assert_allclose(values, alone, atol=1e-6)


def test_the_real_engine_and_what_it_cannot_read(tiny: tuple[Path, Path], tmp_path: Path) -> None:
    from gardenpath.errors import SystemFailure

    path = tmp_path / "cut.gguf"
    path.write_bytes(tiny[1].read_bytes()[:-5000])
    with pytest.raises(SystemFailure, match="the model cannot be loaded"):
        GGUFModel(str(path)).readings(["The keys"])
    with pytest.raises(FailedOnInput, match="and the model reads 64"):
        GGUFModel(str(tiny[1])).readings(["zebra! " * 60])
