"""UDPipe: real models, all modes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.systems import parse_with, system, train
from gardenpath.treebank import Treebank, score, tree_mask


def test_gold_tokens_give_trees_that_know_something(udpipe_model: Path, dev: Treebank) -> None:
    result = parse_with(f"udpipe:{udpipe_model}", dev)
    assert not result.failures
    assert tree_mask(result.treebank.heads, result.treebank.offsets).all()
    assert score(dev, result.treebank).f1("LAS") > 40


def test_trees_are_those_of_the_library_itself(udpipe_model: Path, dev: Treebank) -> None:
    """Oracle: ufal.udpipe's own pipeline on the file as it is."""
    from ufal.udpipe import Model, Pipeline, ProcessingError

    model, error = Model.load(str(udpipe_model)), ProcessingError()
    own = Pipeline(model, "conllu", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu").process(dev.data.decode(), error)
    gold = Pipeline(model, "conllu", Pipeline.NONE, Pipeline.DEFAULT, "conllu").process(dev.data.decode(), error)
    for layers, expected in (("", Treebank(own.encode())), ("tags,feats", Treebank(gold.encode()))):
        parsed = parse_with(f"udpipe:{udpipe_model}", dev, gold=layers).treebank
        assert parsed.heads.tolist() == expected.heads.tolist()
        for column in ("deprel", "upos", "xpos", "feats"):
            assert parsed.column(column).strings() == expected.column(column).strings()


def test_gold_layers_are_kept_and_help(udpipe_model: Path, dev: Treebank) -> None:
    name = f"udpipe:{udpipe_model}"
    own = parse_with(name, dev).treebank
    tags = parse_with(name, dev, gold="tags").treebank
    both = parse_with(name, dev, gold="tags,feats").treebank
    upos = dev.column("upos").strings()
    assert own.column("upos").strings() != upos
    assert tags.column("upos").strings() == both.column("upos").strings() == upos
    assert tags.column("feats").strings() != dev.column("feats").strings()
    assert both.column("feats").strings() == dev.column("feats").strings()
    assert score(dev, both).f1("LAS") > score(dev, own).f1("LAS")


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_raw_text_keeps_every_character(udpipe_model: Path, dev: Treebank, mode: str) -> None:
    result = parse_with(f"udpipe:{udpipe_model}", dev, mode=mode)
    given, found = ("".join("".join(s.text for s in bank).split()) for bank in (dev, result.treebank))
    assert given == found
    assert all(sentence.text == sentence.edit().text() for sentence in result.treebank)
    if mode == "sentences":
        assert result.treebank.sent_ids == dev.sent_ids


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"", "not a UDPipe model"), (b"PK\x03\x04 something else", "not a UDPipe model"), (None, "damaged")],
)
def test_a_file_that_is_no_model_is_named(udpipe_model: Path, tmp_path: Path, content: bytes | None, told: str) -> None:
    path = tmp_path / "bad.udpipe"
    path.write_bytes(udpipe_model.read_bytes()[:5000] if content is None else content)
    with pytest.raises(InputError, match=told):
        system(f"udpipe:{path}")
    with pytest.raises(InputError, match="folder"):
        system(f"udpipe:{tmp_path}")


def test_a_model_without_a_part_says_what_to_do(training: Treebank, dev: Treebank, tmp_path: Path) -> None:
    options = {"tokenizer": "none", "tagger": "none", "parser.iterations": "1"}
    trained = train("udpipe", training[:20], output=tmp_path / "m.udpipe", preset="tiny", options=options)
    with pytest.raises(UsageError, match="--gold tags,feats"):
        parse_with(trained.system, dev)
    with pytest.raises(UsageError, match="no tokenizer"):
        parse_with(trained.system, dev, mode="text")
    assert not parse_with(trained.system, dev, gold="tags,feats").failures


def test_a_model_of_another_kind_says_which(udpipe_model: Path, tmp_path: Path) -> None:
    from gardenpath.systems.model_file import model_folder

    for kind, files in (("spacy", ("config.cfg", "meta.json")), ("stanza", ("depparse.pt", "resources.json"))):
        (tmp_path / kind).mkdir()
        for name in files:
            (tmp_path / kind / name).touch()
        with pytest.raises(InputError, match=f"a folder, not a model file\n  .*write {kind}:{tmp_path / kind}"):
            system(f"udpipe:{tmp_path / kind}")
    with pytest.raises(InputError, match=r"a spaCy pipeline is a folder\n  .*write udpipe:"):
        model_folder(udpipe_model, ("config.cfg",), "spaCy pipeline")
    with pytest.raises(InputError, match=r"there is no config\.cfg\n  .*write stanza:"):
        model_folder(tmp_path / "stanza", ("config.cfg",), "spaCy pipeline")
