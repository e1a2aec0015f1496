"""UDPipe's REST protocol against a real server on the loopback, which also fails in all ways servers do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from udpipe_server import Server, serving

from gardenpath.errors import SystemFailure, UsageError
from gardenpath.runs.where import Where
from gardenpath.systems import Parser, json_server, parse_with, system, train, udpipe_rest
from gardenpath.treebank import Treebank


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


@pytest.mark.parametrize("plan", [["500"], ["garbage"], ["cut"], ["500", "slow", "garbage", "cut"]])
def test_trouble_that_passes_is_waited_out(server: Server, dev: Treebank, plan: list[str]) -> None:
    parser = known(server)
    server.plan = list(plan)
    result = parse_with(parser, dev[:3], where=Where(time_limit=0.5 if "slow" in plan else None))
    assert not result.failures
    assert len(server.sizes) == len(plan) + 1


@pytest.mark.parametrize(
    ("trouble", "told", "tries"),
    [
        ("500", "500 .*the model is busy", 5),
        ("garbage", "not JSON", 5),
        ("cut", "the connection broke", 5),
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
