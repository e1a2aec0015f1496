"""Language models behind servers: the numbers of the model itself, or a refusal."""

from __future__ import annotations

import json
import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import FailedOnInput, NoAnswer, SystemFailure, UnreadableAnswer, UsageError
from gardenpath.runs.work.where import Where
from gardenpath.systems.asking import servers as json_server
from gardenpath.systems.asking.protocol import JUDGE, LANGUAGE_MODEL, PARSER
from gardenpath.systems.asking.registry import language_model, made
from gardenpath.systems.language_models.completions import spans_of
from gardenpath.systems.language_models.running_text import readings_with
from gardenpath.systems.language_models.scoring import score_with
from loopback import LoopbackHandler, LoopbackServer, running
from model_server import LIARS, PieceModel, Server, Tokens, known, named

TEXTS = ["The dog that the cats chased sleeps", "Dogs", "naïve cats — déjà vu", "他昨天没有来", "", "The  dog"]


# ---- the tokens of a server in the text


@pytest.mark.parametrize(
    ("text", "pieces", "spans"),
    [
        ("a dog", ["a", " dog"], [(0, 1), (2, 5)]),
        ("a dog", ["a", " ", "dog"], [(0, 1), (2, 2), (2, 5)]),
        ("a dog", ["a", "dog", " barks", "!"], [(0, 1), (2, 5)]),
        ("a dog", ["<s>", "a", " d", "og"], [None, (0, 1), (2, 3), (3, 5)]),
        ("a dog", ["", "a", " dog"], [None, (0, 1), (2, 5)]),
        ("a dog", ["", " dog"], [(0, 1), (2, 5)]),
        ("the the", ["", " the"], [(0, 3), (4, 7)]),
        ("aé b", ["a", "\ufffd", "\ufffd", " b"], [(0, 1), (1, 2), (1, 2), (3, 4)]),
        ("aé", ["a", "", "", " x"], [(0, 1), (1, 2), (1, 2)]),
        ("aé", ["a", "bytes:\\xc3", "bytes:\\xa9"], [(0, 1), (1, 2), (1, 2)]),
        ("没有来", ["\ufffd", "\ufffd", "有", "来"], [(0, 1), (0, 1), (1, 2), (2, 3)]),
        ("没有来", ["", "", "", "来"], [(0, 2)] * 3 + [(2, 3)]),
        (
            "没有来",
            ["bytes:\\xe6\\xb2", "bytes:\\xa1\\xe6", "bytes:\\x9c\\x89", "来"],
            [(0, 1), (0, 2), (1, 2), (2, 3)],
        ),
        ("他昨天", ["他", "", "", "昨", "天"], [(0, 1), (1, 2), (1, 2), (1, 2), (2, 3)]),  # vLLM: the last part is all
        ("昨天", ["<s>", "", "", "昨", "天"], [None, (0, 1), (0, 1), (0, 1), (1, 2)]),
        ("昨昨a", ["<s>", "", "", "", "昨", "a"], [None, *[(0, 1)] * 3, (1, 2), (2, 3)]),
        ("a dog", ["a", " cat"], None),
        ("a dog", ["a"], None),
        ("a dog", ["x", "y", "z", "w", "a", " dog"], None),
        ("a dog", [], None),
    ],
)
def test_tokens_are_found_in_the_text(text: str, pieces: list[str], spans: object) -> None:
    assert spans_of(text, pieces) == spans


# ---- an honest server


@pytest.mark.parametrize("form", ["echo", "prompt_logprobs"])
@pytest.mark.parametrize(("parts", "bos"), [("\ufffd", ""), ("", "<s>"), ("bytes:", "")])
def test_the_numbers_are_those_of_the_model(
    server: Server, pieces: PieceModel, form: str, parts: str, bos: str
) -> None:
    server.form, server.parts, server.bos = form, parts, bos
    readings, failures = readings_with(known(server), TEXTS)
    assert not failures
    for text, reading in zip(TEXTS, readings, strict=True):
        expected = [-nats / math.log(2) for _, nats in pieces(text) if nats is not None] if text else []
        np.testing.assert_allclose(reading.surprisals, expected, rtol=1e-9)
        assert "".join(reading.tokens).replace(" ", "").startswith(text[:1])
    assert readings[3].begins.tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3 + [5] * 3
    assert readings[0].tokens[:3] == ("The", "dog", "that")


def test_an_examined_server_scores_here_and_in_processes(server: Server, pieces: PieceModel) -> None:
    sentences = [["The", "dog", "sleeps"], ["Dogs", "sleep"], ["The", "cats", "came", "."]]
    model = language_model(named(server))
    examined = len(server.requests)
    assert examined == 1 + 1 + 24  # the probe twice, twelve sentences and their scrambled forms
    scores = score_with(model, sentences)
    assert len(server.requests) == examined + len(sentences)
    for words, values in zip(sentences, scores.surprisals, strict=True):
        total = sum(-nats for _, nats in pieces(" ".join(words)) if nats is not None) / math.log(2)
        assert values.sum() == pytest.approx(total)
    assert score_with(model, sentences).surprisals[0].tolist() == scores.surprisals[0].tolist()
    assert len(server.requests) == examined + len(sentences)  # from the cache
    there = score_with(model, sentences, where=Where(jobs=2, cache=False))
    assert [values.tolist() for values in there.surprisals] == [values.tolist() for values in scores.surprisals]
    assert there.signature == scores.signature
    assert re.search(r"kind:openai\|server:127\.0\.0\.1:\d+/v1\|model:pieces\|bos:server\|answers:", scores.signature)


def test_a_token_before_the_text_is_not_of_the_text(server: Server, pieces: PieceModel) -> None:
    (reading,), _ = readings_with(known(server, "bos=;;"), ["The dog"])
    assert reading.tokens == ("The", "dog")
    expected = [-nats / math.log(2) for _, nats in pieces(";;The dog")[2:] if nats is not None]
    np.testing.assert_allclose(reading.surprisals, expected)
    assert "|bos:;;|" in language_model(known(server, "bos=;;")).signature


def test_a_token_before_the_text_may_be_left_out_of_the_answer(server: Server, pieces: PieceModel) -> None:
    """As llama-cpp-python does, which also gives no number for the token after it."""
    server.model = lambda prompt: [(piece, nats if at else None) for at, (piece, nats) in enumerate(pieces(prompt)[2:])]
    (reading,), _ = readings_with(known(server, "bos=;;"), ["The dog"])
    assert reading.tokens == ("The", "dog")
    assert reading.scored.tolist() == [False, True]
    assert reading.surprisals[1] == pytest.approx(-pieces(";;The dog")[3][1] / math.log(2))  # type: ignore[operator]


def test_another_model_behind_the_same_name_is_seen(server: Server, pieces: PieceModel) -> None:
    name = known(server)
    server.model = lambda prompt: [(piece, nats and nats * 1.1) for piece, nats in pieces(prompt)]
    with pytest.raises(SystemFailure, match="another model behind this name"):
        language_model(name)


# ---- servers that lie


@pytest.mark.parametrize("lie", LIARS, ids=lambda lie: str(lie.__name__))
def test_a_server_that_lies_is_refused(server: Server, lie: Callable[[Tokens, int], Tokens]) -> None:
    server.lie = lie
    reasons = {
        "no_prompt": "no log-probabilities of the prompt",
        "leads": "changes with what follows it",
        "lags": "different tokens at one place have the same",
        "top_only": "different tokens at one place have the same",
        "random_each_time": "the same call twice",
        "random_by_text": "changes with what follows it",
        "random_by_beginning": "not more likely than scrambled",
    }
    with pytest.raises(SystemFailure, match=reasons[lie.__name__]) as raised:
        language_model(named(server))
    assert raised.value.todo
    assert not isinstance(raised.value, FailedOnInput)  # it ends the work, and is no counted failure


def test_numbers_of_the_token_after_itself_are_refused(server: Server, pieces: PieceModel) -> None:
    """As llama-cpp-python does where no BOS stands before the text: p(token | all up to and with the token)."""

    def model(prompt: str) -> Tokens:
        cut = pieces.pieces(prompt)
        return [
            (piece, pieces(b"".join([*cut[: at + 1], piece]).decode("utf-8", "replace"))[-1][1])
            for at, piece in enumerate(cut)
        ]

    server.model = model
    with pytest.raises(SystemFailure, match=r"not more likely than scrambled ones .*English [0-9] and"):
        language_model(named(server))


# ---- servers that fail


@pytest.mark.parametrize("plan", [["500"], ["429", "503"], ["garbage"], ["cut"], ["dies"], ["list"]])
def test_trouble_that_passes_is_waited_out(server: Server, plan: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    model = language_model(known(server))
    monkeypatch.setattr(json_server.time, "sleep", pauses.append)
    server.plan, before = list(plan), len(server.requests)
    score_with(model, [["The", "dog"]])
    assert len(server.requests) == before + len(plan) + 1
    assert pauses == [7.0 if trouble == "429" else 0.0 for trouble in plan]  # what a busy server asks for


@pytest.mark.parametrize(
    ("trouble", "error", "message", "tries"),
    [
        ("503", SystemFailure, "it answers 503", 5),
        ("garbage", SystemFailure, "not JSON", 5),
        ("huge", SystemFailure, "it is too large", 5),
        ("dies", SystemFailure, "the connection broke", 5),
        ("404", SystemFailure, "check the address", 1),
        ("307", SystemFailure, "it sends to http://elsewhere", 1),
        ("no-choices", UnreadableAnswer, "no choices", 1),
        ("400", FailedOnInput, "it answers 400", 1),
    ],
)
def test_trouble_that_stays_is_one_clear_error(
    server: Server, monkeypatch: pytest.MonkeyPatch, trouble: str, error: type[SystemFailure], message: str, tries: int
) -> None:
    monkeypatch.setattr("gardenpath.systems.asking.servers.LARGEST", 20_000)
    model = language_model(known(server))
    server.plan, before = [trouble] * 9, len(server.requests)
    with pytest.raises(error, match=message):
        model.readings(["The dog"])
    assert len(server.requests) == before + tries


@pytest.mark.parametrize("trouble", ["silent", "drip"])
def test_a_server_that_only_waits_or_drips_is_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    model = language_model(known(server))
    monkeypatch.setattr(json_server, "TIME_LIMIT", 0.05)
    monkeypatch.setattr(json_server, "TRIES", 2)
    server.plan = [trouble] * 9
    for ask in (lambda: model.readings(["The dog"]), lambda: language_model(named(server))):
        with pytest.raises(NoAnswer, match=r"no answer within 0\.05 s"):
            ask()


def test_a_sentence_that_the_server_refuses_is_counted(server: Server) -> None:
    model = language_model(known(server))
    server.plan = ["400", "400"]
    scores = score_with(model, [["The", "dog"], ["Dogs", "sleep"]])
    assert scores.failures == {"crashed": 1}
    assert np.isnan(scores.surprisals[0]).all()
    assert np.isfinite(scores.surprisals[1]).all()


# ---- the key


def test_the_key_is_sent_and_shown_nowhere(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    server.key = "sk-very-secret"
    monkeypatch.setenv("GARDEN_KEY", "sk-very-secret")
    model = language_model(known(server, "key=GARDEN_KEY"))
    scores = score_with(model, [["The", "dog"]])
    assert set(server.keys) == {"Bearer sk-very-secret"}
    assert "secret" not in model.name + model.signature + scores.signature
    assert "key" not in model.signature
    kept = [file for file in (tmp_path / "cache").rglob("*") if file.is_file()]
    assert len(kept) > 1
    assert not any(b"secret" in file.read_bytes() for file in kept)
    server.plan = ["418"]
    with pytest.raises(SystemFailure, match="no, Bearer …") as raised:
        model.readings(["The dog"])
    assert "secret" not in str(raised.value)


def test_a_key_that_is_wrong_or_not_there_is_said(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.key = "right"
    with pytest.raises(SystemFailure, match="it wants a key"):
        language_model(named(server))
    monkeypatch.delenv("GARDEN_KEY", raising=False)
    with pytest.raises(UsageError, match="GARDEN_KEY has no key"):
        language_model(named(server, "key=GARDEN_KEY"))


@pytest.mark.parametrize(
    "options",
    [
        "#model=m,key=sk-0123456789abcdefghij",
        "#model=m#key=sk-0123456789abcdefghij",
        "#model=m#key=aSecretWord",
        "#model=m#key=Bearer abc",
        "#model=sk-0123456789abcdefghij",
        "#key=GARDEN_KEY,key=oops#model=m",
    ],
)
@pytest.mark.parametrize(("kind", "role"), [("openai", LANGUAGE_MODEL), ("chat", JUDGE), ("llm", PARSER)])
def test_a_key_in_a_name_is_refused_and_not_repeated(kind: str, role: str, options: str) -> None:
    with pytest.raises(UsageError, match="seems to be a key") as refused:
        made(f"{kind}:https://host/v1{options}", role)
    assert not re.search("sk-0|aSecret|abc|oops", str(refused.value))


def test_a_key_with_a_line_break_is_not_repeated(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDEN_KEY", "very\nsecret")
    with pytest.raises(UsageError, match="has a character that no key has") as refused:
        language_model(named(server, "key=GARDEN_KEY"))
    assert "secret" not in str(refused.value)


def test_a_key_that_the_server_repeats_is_kept_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    class Repeats(LoopbackHandler):
        def do_POST(self) -> None:
            said = self.headers.get("Authorization", "")
            self.answer(json.dumps({"choices": [{"text": said, said: 1}], "usage": {"said": said}}), 200)

    monkeypatch.setenv("GARDEN_KEY", "very/secret-key")
    with running(LoopbackServer(Repeats)) as server:
        answer = json_server.JsonServer(server.url, "GARDEN_KEY").ask("completions", b"{}", "application/json")
    assert "secret" not in json.dumps(answer)
    assert answer["choices"][0]["text"] == "Bearer ..."


def test_a_key_on_an_open_line_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    from gardenpath.systems.asking.servers import endpoint

    monkeypatch.setenv("GARDEN_KEY", "x")
    with pytest.warns(UserWarning, match="the key goes to far.example unencrypted"):
        warned = endpoint("openai", "http://far.example/v1#model=m#key=GARDEN_KEY", {}, {})
    assert (warned.model, warned.place, warned.server.key) == ("m", "far.example/v1", "x")
    assert warned.name == "openai:http://far.example/v1#model=m#key=GARDEN_KEY"  # the variable, never the key
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for address in ("https://far.example/v1", "http://127.0.0.1:9/v1"):
            assert endpoint("openai", f"{address}#model=m#key=GARDEN_KEY", {}, {}).server.key == "x"


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("file:///etc/passwd#model=x", "not an address"),
        ("http://127.0.0.1:9/v1", "no model"),
        ("https://user:password@host/v1#model=x", "password or a query"),
        ("https://host/v1?api-key=1#model=x", "v1: there seems to be a key"),
        ("http://127.0.0.1:9/v1#model=x#bos=yes", "unknown value of bos"),
        ("http://127.0.0.1:9/v1#model=x#modle=x", "did you mean model"),
    ],
)
def test_a_name_that_means_nothing_is_said(argument: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        language_model(f"openai:{argument}")
    assert "password@" not in str(raised.value)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(SystemFailure, match="cannot be reached"):
        language_model("openai:http://127.0.0.1:9/v1#model=x")
