"""A server on the loopback that speaks OpenAI's protocol: a small real model, and every way to lie or fail."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from loopback import LoopbackHandler, LoopbackServer, running

Tokens = list[tuple[bytes, float | None]]
"""Pieces of a prompt with their log-probabilities in nats."""
Chat = Callable[[list[dict[str, str]]], str]


class PieceModel:
    """An n-gram model over pieces of words, cut as byte-level tokenizers cut them: parts of characters too."""

    def __init__(self, path: Path) -> None:
        from gardenpath.systems.asking.registry import language_model

        self.model = language_model(f"ngram:{path}")

    @staticmethod
    def pieces(text: str) -> list[bytes]:
        """Up to four letters with the blank before them; of other scripts than Latin, byte by byte."""
        cut = re.findall(r" ?[a-zA-ZäöüßÄÖÜ]{1,4}|[\x00-\x7f]|.", text)
        return [part for piece in cut for part in ([piece.encode()] if piece[-1] < "\u0250" else _bytes(piece))]

    @classmethod
    def line(cls, text: str) -> str:
        """Pieces as words of an n-gram model."""
        return " ".join(piece.hex() for piece in cls.pieces(text))

    def __call__(self, prompt: str) -> Tokens:
        pieces = self.pieces(prompt)
        (bits,) = self.model.surprisals([[piece.hex() for piece in pieces]])
        return [(piece, -float(value) * math.log(2)) for piece, value in zip(pieces, bits, strict=True)]


def _bytes(piece: str) -> list[bytes]:
    return [bytes([byte]) for byte in piece.encode()]


def hashed(text: str) -> float:
    """A number from 0 to 1 that depends on a text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32


def no_prompt(tokens: Tokens, calls: int) -> Tokens:
    return []


def leads(tokens: Tokens, calls: int) -> Tokens:
    values = [value for _, value in tokens]
    return [(piece, value) for (piece, _), value in zip(tokens, [*values[1:], -1.0], strict=True)]


def lags(tokens: Tokens, calls: int) -> Tokens:
    values = [value for _, value in tokens]
    return [(piece, value) for (piece, _), value in zip(tokens, [None, *values[:-1]], strict=True)]


def top_only(tokens: Tokens, calls: int) -> Tokens:
    """What the most likely token would have, whichever stands there: it depends on what comes before alone."""
    before = "".join
    shown = [piece.hex() for piece, _ in tokens]
    return [(piece, -2 * hashed(before(shown[:at]))) for at, (piece, _) in enumerate(tokens)]


def random_each_time(tokens: Tokens, calls: int) -> Tokens:
    return [(piece, -9 * hashed(f"{calls} {at}")) for at, (piece, _) in enumerate(tokens)]


def random_by_text(tokens: Tokens, calls: int) -> Tokens:
    whole = b"".join(piece for piece, _ in tokens).hex()
    return [(piece, -9 * hashed(f"{whole} {at}")) for at, (piece, _) in enumerate(tokens)]


def random_by_beginning(tokens: Tokens, calls: int) -> Tokens:
    """As a language model of noise: the same beginning has the same numbers."""
    shown = [piece.hex() for piece, _ in tokens]
    return [(piece, -9 * hashed("".join(shown[: at + 1]))) for at, (piece, _) in enumerate(tokens)]


def honest(tokens: Tokens, calls: int) -> Tokens:
    return tokens


LIARS = (no_prompt, leads, lags, top_only, random_each_time, random_by_text, random_by_beginning)


class Server(LoopbackServer):
    path = "/v1"

    def __init__(self, model: Callable[[str], Tokens] | None, chat: Chat | None) -> None:
        super().__init__(Handler)
        self.model, self.chat = model, chat
        self.lie = honest
        self.form = "echo"
        """Of log-probabilities: `echo`, `prompt_logprobs`, or none."""
        self.parts = "\ufffd"
        """What stands for a part of a character: a replacement character, nothing, or `bytes:`."""
        self.bos = ""
        """The token that the server puts before every prompt, as it shows it."""
        self.key = ""
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []


class Handler(LoopbackHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        server.requests.append(body)
        server.keys.append(self.headers.get("Authorization", ""))
        trouble = server.plan.pop(0) if server.plan else ""
        if trouble.isdecimal():
            headers = {"Retry-After": "7"} if trouble == "429" else {}
            headers |= {"Location": "http://elsewhere/v1"} if trouble == "307" else {}
            self.answer(json.dumps({"error": f"no, {self.headers.get('Authorization', '')}"}), int(trouble), headers)
        elif trouble == "silent":
            server.ended.wait(60)
        elif trouble == "drip":
            self._drip()
        elif trouble == "garbage":
            self.answer("<html>Bad gateway</html>")
        elif trouble == "list":
            self.answer("[]")
        elif trouble == "no-choices":
            self.answer("{}")
        elif trouble == "huge":
            self.answer('{"choices": "' + "x" * 30_000 + '"}')
        elif trouble == "cut":
            self.cut()
        elif trouble == "dies":
            self.connection.close()
        elif server.key and server.keys[-1] != f"Bearer {server.key}":
            self.answer(json.dumps({"error": f"wrong key: {server.keys[-1]}"}), 401)
        elif self.path == "/v1/completions" and server.model is not None:
            self.answer(json.dumps({"choices": [self._completed(body)]}))
        elif self.path == "/v1/chat/completions" and server.chat is not None:
            message = {"role": "assistant", "content": server.chat(body["messages"])}
            usage = {"prompt_tokens": 100, "completion_tokens": 10}
            self.answer(json.dumps({"choices": [{"message": message}], "usage": usage}))
        else:
            self.answer(json.dumps({"error": "no such path"}), 404)

    def _completed(self, body: dict[str, Any]) -> dict[str, Any]:
        server = self.server
        assert server.model is not None
        tokens = server.lie(server.model(body["prompt"]), len(server.requests))
        shown = [(self._shown(piece), value) for piece, value in tokens]
        if server.bos:
            shown = [(server.bos, None), *shown]
        if server.form == "echo" and body.get("echo") and body.get("logprobs"):
            rows = [*shown, (" and", -1.0)]  # the token that was asked for
            return {"logprobs": {"tokens": [row[0] for row in rows], "token_logprobs": [row[1] for row in rows]}}
        if server.form == "prompt_logprobs" and body.get("prompt_logprobs") == 0:
            places = [
                None if value is None else {"7": {"logprob": value, "rank": 1, "decoded_token": piece}}
                for piece, value in shown
            ]
            return {"text": " and", "prompt_logprobs": places}
        return {"text": " and", "logprobs": {"tokens": [" and"], "token_logprobs": [-1.0]}}

    def _shown(self, piece: bytes) -> str:
        try:
            return piece.decode()
        except UnicodeDecodeError:
            if self.server.parts == "bytes:":
                return "bytes:" + "".join(f"\\x{byte:02x}" for byte in piece)
            return self.server.parts

    def _drip(self) -> None:
        self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not self.server.ended.wait(0.01):
            try:
                self.wfile.write(b" ")
            except OSError:
                return


def serving(model: Callable[[str], Tokens] | None = None, chat: Chat | None = None) -> AbstractContextManager[Server]:
    return running(Server(model, chat))


def named(server: Server, *options: str) -> str:
    """The model of a server as a system."""
    return f"openai:{server.url}#model=pieces" + "".join(f"#{option}" for option in options)


def known(server: Server, *options: str) -> str:
    """The same with what the model is known by, so that it is not examined again."""
    from gardenpath.errors import SystemFailure
    from gardenpath.systems.asking.registry import language_model

    with pytest.raises(SystemFailure) as raised:
        language_model(named(server, *options, "answers=00000000-0.0"))
    (answers,) = re.findall(r"its answers are (\S+) now", str(raised.value))
    return named(server, *options, f"answers={answers}")
