"""A span parser that reads the vectors of a pretrained model, against Transformers' own; random tiny models."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the extra neural is not installed")
transformers = pytest.importorskip("transformers", reason="the extra hf is not installed")

from toy_trees import OPTIONS  # noqa: E402

from gardenpath.errors import GardenpathError  # noqa: E402
from gardenpath.phrase import PhraseTree  # noqa: E402
from gardenpath.systems import phrase_parser, train  # noqa: E402
from gardenpath.systems.files.models import read_card  # noqa: E402
from interrupted_training import interrupt_after_an_epoch  # noqa: E402
from systems.hf.tiny_transformers import bpe, metaspace, saved, wordpiece  # noqa: E402


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder") / "bert"
    saved(folder, "bert", wordpiece())
    return folder


def test_it_learns_with_a_pretrained_model_and_keeps_it(
    bert: Path, toy_file: Path, toy: list[PhraseTree], tmp_path: Path
) -> None:
    """The model of the parser is whole: the folder of the encoder may go."""
    encoder = tmp_path / "bert"
    shutil.copytree(bert, encoder)
    made = train("chart", toy_file, output=tmp_path / "m", preset="tiny", options={**OPTIONS, "encoder": str(encoder)})
    shutil.rmtree(encoder)
    parser = phrase_parser(made.system)
    assert parser.parse_trees([tree.words for tree in toy]) == toy
    stored = parser.network.encoder.pretrained.network.state_dict()
    own = transformers.BertForMaskedLM.from_pretrained(bert).bert.state_dict()
    assert stored.keys() == own.keys()
    assert all(torch.equal(stored[name], weight) for name, weight in own.items()), "it learned nothing"
    assert len(read_card(Path(made.system.partition(":")[2]))["log"]["encoder"]) == 64


def test_an_interrupted_training_does_not_store_the_encoder(bert: Path, toy_file: Path, tmp_path: Path) -> None:
    options = {**OPTIONS, "epochs": "3", "dropout": "0.2", "encoder": str(bert)}

    def trained(name: str) -> str:
        made = train("chart", toy_file, output=tmp_path / name, preset="tiny", options=options)
        return str(made.card["signature"])

    whole = trained("whole")
    interrupt_after_an_epoch(lambda: trained("part"))
    stored = torch.load(tmp_path / "part.checkpoint", weights_only=True)
    assert not [name for name in stored["module"] if name.startswith("encoder.pretrained.")]
    assert trained("part") == whole


def test_vectors_are_those_of_transformers(bert: Path) -> None:
    """At the first piece of each word, in a batch as alone; what has no piece has zeros."""
    from gardenpath_models.chart.network import PieceReader, Pretrained, read_pretrained

    text, network, _ = read_pretrained(str(bert))
    sentences = [["The", "keys", "sleeps", "zebra"], ["dog", "", "!"], ["a"] * 80]
    vectors = Pretrained(network).train()(PieceReader(text).pieces(sentences))
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    plain = transformers.BertForMaskedLM.from_pretrained(bert).bert.eval()
    for number, words in enumerate(sentences[:2]):
        batch = tokenizer(words, is_split_into_words=True, return_tensors="pt")
        with torch.no_grad():
            states = plain(**batch).last_hidden_state[0]
        of_words = batch.word_ids()
        for at, word in enumerate(words):
            wanted = states[of_words.index(at)] if word else torch.zeros(states.shape[-1])
            assert torch.allclose(vectors[number, 1 + at], wanted, atol=1e-5)
        assert not vectors[number, 0].any()
    reader = PieceReader(text).pieces(sentences)
    assert torch.allclose(Pretrained(network).eval()(reader), vectors, atol=1e-5), "in a batch as alone"
    assert text.longest == 64
    assert vectors[2, 63].any(), "the 63rd word is the 64th piece"
    assert not vectors[2, 64:].any(), "what is behind the longest text has no vector"


@pytest.mark.parametrize(("kind", "tokenizer"), [("llama", metaspace), ("gpt2", bpe)])
def test_a_causal_model_is_asked_at_the_end_of_a_word(kind: str, tokenizer: Callable[[], Any], tmp_path: Path) -> None:
    """The piece that ends where the word ends in the text with blanks; the same is not read twice."""
    from gardenpath_models.chart.network import PieceReader, Pretrained, read_pretrained

    saved(tmp_path / kind, kind, tokenizer())
    text, network, _ = read_pretrained(str(tmp_path / kind))
    sentences = [["The", "keys", "zebra", "café", "."], ["Dogs"], ["The", "keys"]]
    pieces = PieceReader(text).pieces(sentences)
    encoder = Pretrained(network).train()
    vectors = encoder(pieces)
    own = transformers.AutoTokenizer.from_pretrained(tmp_path / kind)
    plain = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / kind).base_model.eval()
    for number, words in enumerate(sentences):
        batch = own(" ".join(words), return_tensors="pt", return_offsets_mapping=True)
        ends = [end for _, end in batch.pop("offset_mapping")[0].tolist()]
        with torch.no_grad():
            states = plain(input_ids=batch["input_ids"]).last_hidden_state[0]
        for at in range(len(words)):
            place = len(ends) - 1 - ends[::-1].index(len(" ".join(words[: at + 1])))
            assert torch.allclose(vectors[number, 1 + at], states[place], atol=1e-5)
    assert len(encoder.remembered) == 3
    encoder.network.embed_tokens = encoder.network.wte = None  # it could read nothing now
    assert torch.equal(encoder(pieces), vectors)


def test_what_is_no_encoder(bert: Path, toy_file: Path, tmp_path: Path) -> None:
    pickled = tmp_path / "pickled"
    pickled.mkdir()
    shutil.copy(bert / "config.json", pickled)
    (pickled / "pytorch_model.bin").write_bytes(b"pickle")
    for folder, message in ((pickled, "pickle"), (tmp_path / "nowhere", "no such folder")):
        with pytest.raises(GardenpathError, match=message):
            train("chart", toy_file, output=tmp_path / "m", preset="tiny", options={**OPTIONS, "encoder": str(folder)})
