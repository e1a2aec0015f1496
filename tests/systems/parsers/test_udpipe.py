"""UDPipe: real models, all modes; its REST protocol against a server that fails in all ways servers do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from udpipe_server import Server, serving

from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.runs.work.where import Where
from gardenpath.systems import Parser, parse_with, system, train
from gardenpath.systems.asking import servers as json_server
from gardenpath.systems.parsers import udpipe_rest
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
@pytest.mark.parametrize("kind", ["udpipe", "spacy"])
def test_raw_text_keeps_every_character(kind: str, request: pytest.FixtureRequest, dev: Treebank, mode: str) -> None:
    if kind == "spacy":
        pytest.importorskip("spacy", reason="needs the extra spacy")
    result = parse_with(f"{kind}:{request.getfixturevalue(f'{kind}_model')}", dev, mode=mode)
    assert not result.failures
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
    from gardenpath.systems.files.models import model_folder

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


@pytest.fixture
def server(udpipe_model: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(json_server, "PAUSE", 0.0)
    with serving(udpipe_model) as running:
        yield running


def name(server: Server, model: str = "german-garden") -> str:
    return f"udpipe-rest:{server.url}#{model}"


def known(server: Server) -> Parser:
    """A parser that has asked its server for all that the signature needs."""
    parser = system(name(server))
    assert "answers:" in parser.signature
    server.sizes.clear()
    return parser


@pytest.mark.parametrize(
    ("mode", "gold"), [("tokens", ""), ("tokens", "tags"), ("tokens", "tags,feats"), ("sentences", ""), ("text", "")]
)
def test_the_server_parses_as_the_library_does(
    server: Server, udpipe_model: Path, dev: Treebank, mode: str, gold: str
) -> None:
    here = parse_with(f"udpipe:{udpipe_model}", dev, mode=mode, gold=gold)
    there = parse_with(name(server), dev, mode=mode, gold=gold)
    assert there.treebank.to_bytes() == here.treebank.to_bytes()
    assert not there.failures
    assert "model:german-garden" in there.signature


@pytest.mark.parametrize("mode", ["tokens", "sentences", "text"])
def test_requests_stay_below_the_limit(
    server: Server, dev: Treebank, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(udpipe_rest, "LIMIT", 300)
    result = parse_with(known(server), dev, mode=mode)
    assert not result.failures
    assert len(server.sizes) > 3
    assert max(server.sizes) < 300 + 1000  # the form around the data


@pytest.mark.parametrize(
    ("trouble", "told", "tries"),
    [
        ("500", "500 .*the model is busy", 5),
        ("400", "Required argument 'data' is missing", 1),
        ("other-model", "used another model: czech", 1),
    ],
)
def test_trouble_that_stays_is_one_clear_error(
    server: Server, dev: Treebank, trouble: str, told: str, tries: int
) -> None:
    parser = known(server)
    server.plan = [trouble] * 9
    with pytest.raises(SystemFailure, match=told):
        parse_with(parser, dev[:3])
    assert len(server.sizes) == tries


def test_a_server_that_only_waits_is_given_up(server: Server, dev: Treebank) -> None:
    parser = known(server)
    server.plan = ["slow"] * 99
    with pytest.raises(SystemFailure, match=r"no answer within 0\.05 s"):
        parse_with(parser, dev[:3], where=Where(time_limit=0.05))


def test_what_was_parsed_is_kept_until_the_model_under_the_name_is_another(
    server: Server, training: Treebank, dev: Treebank, tmp_path: Path
) -> None:
    from ufal.udpipe import Model

    first = parse_with(name(server), dev)
    server.sizes.clear()
    again = parse_with(name(server), dev)
    assert len(server.sizes) == 1  # the few words by which the model is known
    assert (again.treebank.to_bytes(), again.signature) == (first.treebank.to_bytes(), first.signature)
    options = {"parser.iterations": "1", "tagger.iterations": "1"}
    trained = train("udpipe", training[:60], output=tmp_path / "new.udpipe", preset="tiny", seed=5, options=options)
    server.model = Model.load(str(trained.path))
    other = parse_with(name(server), dev)
    assert other.signature != first.signature
    assert other.treebank.to_bytes() == parse_with(trained.system, dev).treebank.to_bytes() != first.treebank.to_bytes()


def test_models_by_the_start_of_their_names(server: Server) -> None:
    assert system(name(server, "german-g")).name == name(server)
    with pytest.raises(UsageError, match="choose one: german-garden, german-other"):
        system(name(server, "german"))
    with pytest.raises(UsageError, match="did you mean german-garden"):
        system(name(server, "german-gardn"))


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("file:///etc/passwd#x", "not an address"),
        ("http://127.0.0.1:9/api", "no model"),
        ("nowhere#x", "not an address"),
    ],
)
def test_what_is_no_server_is_said(argument: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        system(f"udpipe-rest:{argument}")


def test_a_server_that_is_not_there(server: Server) -> None:
    gone = name(server)
    server.shutdown()
    server.server_close()
    with pytest.raises(SystemFailure, match="cannot be reached"):
        system(gone)
