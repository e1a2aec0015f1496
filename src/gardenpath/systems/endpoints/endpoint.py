"""What stands in the name of an endpoint: `kind:URL#model=NAME#key=VARIABLE#option=value`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from ...errors import GardenpathError, UnreadableAnswer, UsageError
from ..json_server import JsonServer
from ..name_options import split_options

CHOICES: dict[str, Sequence[str]] = {"model": (), "key": ()}
OTHERS = {"model": r".+", "key": r"[A-Za-z_][A-Za-z0-9_]*"}
BLAMED = (400, 413, 422, 500)
"""Codes with which servers of language models refuse a prompt, such as one that is too long."""
LARGEST = 20_000_000
"""Bytes of an answer."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Endpoint:
    """A model on a server that speaks OpenAI's protocol."""

    name: str
    """As a worker elsewhere may ask for it: with all options, without the key."""
    server: JsonServer
    model: str
    options: Mapping[str, str]

    @property
    def place(self) -> str:
        """The server as signatures have it."""
        return self.server.url.partition("//")[2]

    def ask(self, path: str, body: Mapping[str, Any], limit: float | None = None) -> dict[str, Any]:
        """The first choice of the answer, with its `usage`."""
        answer = self.server.ask_json(path, {"model": self.model, **body}, limit, BLAMED)
        choices = answer.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise UnreadableAnswer(
                "the answer of the server has no choices", where=self.name, todo="does it speak OpenAI's protocol?"
            )
        return {**choices[0], "usage": answer.get("usage")}


def endpoint(kind: str, argument: str, choices: Mapping[str, Sequence[str]], others: Mapping[str, str]) -> Endpoint:
    """The endpoint of an argument; options that every endpoint has come to those of its kind."""
    url, given = split_options(kind, argument, {**CHOICES, **choices}, {**OTHERS, **others})
    url, where = url.rstrip("/"), f"{kind}:{argument}"
    try:
        server = JsonServer(url, given.get("key", ""), LARGEST)
    except GardenpathError as error:
        raise UsageError(error.what, where=error.where or where, todo=error.todo) from None
    if not given.get("model"):
        raise UsageError("no model is named", where=where, todo=f"write {kind}:URL#model=NAME")
    parts = urlsplit(url)
    if server.key and parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        warnings.warn(f"{where}: the key goes to {parts.hostname} unencrypted; write https:// if it can", stacklevel=2)
    options = {name: given.get(name, values[0] if values else "") for name, values in choices.items()}
    shown = "".join(f"#{name}={value}" for name, value in given.items())
    return Endpoint(f"{kind}:{url}{shown}", server, given["model"], options)
