"""`udpipe-rest:URL#MODEL`: a server that speaks the REST protocol of UDPipe, such as LINDAT's."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from ...errors import SystemFailure, UsageError, unknown_name
from ...runs.record.signatures import digest, signature
from ..asking.protocol import Habits
from ..asking.request import MODES, Request
from ..asking.servers import JsonServer
from .udpipe import with_gold_layers

LIMIT = 900_000
"""Bytes of data in a request; servers refuse a megabyte."""
_GREETING = 30.0
"""Seconds that the list of models may take, which comes before any work and its time limit."""
_PROBE = """The old man the boats that sank , said 3 of them . Der Hund , den die Katze sah , schläft heute nicht .
Мама мыла раму , и он ушёл . Le chat n' a rien vu ; el perro lo vio todo ! 他 昨天 没有 来 。"""
"""Words of several languages, for the answers to which the models of any two trainings hardly agree."""


class UDPipeRest:
    """A model on a server. A server that is busy or slow is asked again, ever more patiently."""

    modes = MODES
    habits = Habits(chunk=500, own_limit=True)

    def __init__(self, argument: str) -> None:
        self.url, _, wish = argument.partition("#")
        self.url = self.url.rstrip("/")
        self.server = JsonServer(self.url)
        if not wish:
            raise UsageError(
                "no model is named", where=argument, todo="write URL#MODEL; a server's own choice may be any language"
            )
        self.model, self._parts = self._model(wish)
        self.name = f"udpipe-rest:{self.url}#{self.model}"

    def _model(self, wish: str) -> tuple[str, list[str]]:
        """The full name on the server (as given, or the only one that begins so), and its parts."""
        models = self._ask("models", {}, _GREETING).get("models")
        if not isinstance(models, dict):
            raise SystemFailure("the server does not list its models", where=self.url, todo="is it a UDPipe server?")
        matching = [name for name in models if name == wish] or [name for name in models if name.startswith(wish)]
        if len(matching) == 1:
            parts = models[matching[0]]
            return str(matching[0]), [str(part) for part in parts] if isinstance(parts, list) else []
        if matching:
            todo = "choose one: " + ", ".join(sorted(matching))
            raise UsageError(f"{len(matching)} models begin with {wish}", where=self.url, todo=todo)
        raise unknown_name("model", wish, map(str, models), where=self.url)

    @property
    def signature(self) -> str:
        return signature(
            ("kind", "udpipe-rest"), ("server", self.url.partition("//")[2]), ("model", self.model),
            ("answers", self._fingerprint),
        )  # fmt: skip

    @cached_property
    def _fingerprint(self) -> str:
        """A digest of what the model makes of a few words.

        The protocol tells names, not versions, and a server may put another model under the same name.
        """
        rows = [f"{number}\t{word}" + "\t_" * 8 for number, word in enumerate(_PROBE.split(), 1)]
        steps = {part: "" for part in ("tagger", "parser") if part in self._parts or not self._parts}
        asked = Request("tokens", frozenset(), ())
        lines = self._process("\n".join([*rows, "", ""]), asked, {"input": "conllu", **steps}).splitlines()
        kept = [
            line for line in lines if not line.startswith("#") or line.startswith(("# generator", "# udpipe_model"))
        ]
        return digest(*kept)[:12]

    def parse(self, request: Request) -> str:
        if request.mode == "tokens":
            blocks = [block + "\n\n" for block in request.conllu.split("\n\n") if block.strip()]
            return "".join(self._tokens(replace(request, texts=(), conllu=piece)) for piece in _gathered(blocks, ""))
        texts = [" ".join(text.split()) for text in request.texts]
        options = {"tokenizer": "presegmented", "tagger": "", "parser": ""}
        if request.mode == "text":  # a paragraph that no request can hold is cut at blanks
            options["tokenizer"] = ""
            long = [len(text.encode("utf-8")) >= LIMIT for text in texts]
            texts = [
                part
                for text, is_long in zip(texts, long, strict=True)
                for part in (_gathered(text.split(" "), " ") if is_long else [text])
            ]
        pieces = _gathered(texts, "\n\n" if request.mode == "text" else "\n")
        return "".join(self._process(piece, request, options) for piece in pieces)

    def _tokens(self, request: Request) -> str:
        given = {"input": "conllu"}
        if {"tags", "feats"} <= request.gold:
            return self._process(request.conllu, request, {**given, "parser": ""})
        if not request.gold:
            return self._process(request.conllu, request, {**given, "tagger": "", "parser": ""})
        tagged = self._process(request.conllu, request, {**given, "tagger": ""})
        return self._process(with_gold_layers(tagged, request), request, {**given, "parser": ""})

    def _process(self, data: str, request: Request, options: dict[str, str]) -> str:
        fields = {"data": data, "model": self.model, "output": "conllu", **options}
        answer = self._ask("process", fields, request.time_limit)
        result = answer.get("result")
        if not isinstance(result, str):
            raise SystemFailure("the answer of the server has no result", where=self.name)
        if answer.get("model") not in (None, self.model):
            raise SystemFailure(f"the server used another model: {answer['model']}", where=self.name)
        return result if result.endswith("\n\n") else result.rstrip("\n") + "\n\n"

    def _ask(self, path: str, fields: dict[str, str], limit: float | None) -> dict[str, Any]:
        if not fields:
            return self.server.ask(path, None, "", limit)
        # multipart/form-data: text goes as it is, where the other form would take three bytes for a tab.
        border = secrets.token_hex(16)
        parts = [
            f'--{border}\r\nContent-Disposition: form-data; name="{name}"\r\n'
            f"Content-Type: text/plain; charset=utf-8\r\n\r\n{value}\r\n"
            for name, value in fields.items()
        ]
        body = "".join([*parts, f"--{border}--\r\n"]).encode("utf-8")
        return self.server.ask(path, body, f"multipart/form-data; boundary={border}", limit)


def _gathered(parts: list[str], separator: str) -> Iterator[str]:
    """Parts joined to texts below the limit; a single one above it stays alone."""
    kept, size = list[str](), 0
    for part in parts:
        length = len(part.encode("utf-8")) + len(separator)
        if kept and size + length >= LIMIT:
            yield separator.join(kept)
            kept, size = [], 0
        kept.append(part)
        size += length
    if kept:
        yield separator.join(kept)
