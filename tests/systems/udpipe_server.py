"""A real UDPipe server on the loopback: ufal.udpipe behind the REST protocol, which can also misbehave."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from email import message_from_bytes
from email.policy import HTTP
from pathlib import Path

from loopback import LoopbackHandler, LoopbackServer, running


class Server(LoopbackServer):
    """Troubles: 500, slow, garbage, cut, 400, other-model."""

    path = "/api"

    def __init__(self, model: Path) -> None:
        from ufal.udpipe import Model

        super().__init__(Handler)
        self.model = Model.load(str(model))
        self.sizes: list[int] = []


class Handler(LoopbackHandler):
    server: Server

    def do_GET(self) -> None:
        models = {"german-garden": ["tokenizer", "tagger", "parser"], "german-other": [], "czech": []}
        self.answer(json.dumps({"models": models, "default_model": "czech"}))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.sizes.append(len(body))
        trouble = self.server.plan.pop(0) if self.server.plan else ""
        if trouble == "500":
            self.answer("the model is busy", 500)
        elif trouble == "400":
            self.answer("Required argument 'data' is missing", 400)
        elif trouble == "slow":
            self.server.ended.wait(60)
        elif trouble == "other-model":
            self.answer(json.dumps({"model": "czech", "result": ""}))
        else:
            self.answer(json.dumps({"model": "german-garden", "result": self._parsed(_fields(self, body))}))

    def _parsed(self, fields: dict[str, str]) -> str:
        from ufal.udpipe import Pipeline, ProcessingError

        given = f"tokenizer={fields['tokenizer']}" if "tokenizer" in fields else fields["input"]
        on = {part: Pipeline.DEFAULT if part in fields else Pipeline.NONE for part in ("tagger", "parser")}
        error = ProcessingError()
        pipeline = Pipeline(self.server.model, given, on["tagger"], on["parser"], fields["output"])
        text: str = pipeline.process(fields["data"], error)
        assert not error.occurred(), error.message
        return "# generator = UDPipe on loopback\n" + text


def _fields(handler: Handler, body: bytes) -> dict[str, str]:
    head = f"Content-Type: {handler.headers['Content-Type']}\r\n\r\n".encode()
    message = message_from_bytes(head + body, policy=HTTP)
    fields = {}
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        assert isinstance(payload, bytes)
        fields[str(name)] = payload.decode("utf-8").replace("\r\n", "\n")
    return fields


def serving(model: Path) -> AbstractContextManager[Server]:
    return running(Server(model))
