"""A real UDPipe server on the loopback: ufal.udpipe behind the REST protocol, which can also misbehave."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Server(ThreadingHTTPServer):
    """Does what `plan` says, request by request (500, slow, garbage, cut, 400), and then serves rightly."""

    daemon_threads = True

    def __init__(self, model: Path) -> None:
        from ufal.udpipe import Model

        super().__init__(("127.0.0.1", 0), Handler)
        self.model = Model.load(str(model))
        self.plan: list[str] = []
        self.sizes: list[int] = []
        self.ended = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/api"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        models = {"german-garden": ["tokenizer", "tagger", "parser"], "german-other": [], "czech": []}
        self._answer(json.dumps({"models": models, "default_model": "czech"}))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.sizes.append(len(body))
        trouble = self.server.plan.pop(0) if self.server.plan else ""
        if trouble == "500":
            self._answer("the model is busy", 500)
        elif trouble == "400":
            self._answer("Required argument 'data' is missing", 400)
        elif trouble == "slow":
            self.server.ended.wait(60)
        elif trouble == "garbage":
            self._answer("<html>Bad gateway</html>")
        elif trouble == "cut":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\n{")
        elif trouble == "other-model":
            self._answer(json.dumps({"model": "czech", "result": ""}))
        else:
            self._answer(json.dumps({"model": "german-garden", "result": self._parsed(_fields(self, body))}))

    def _parsed(self, fields: dict[str, str]) -> str:
        from ufal.udpipe import Pipeline, ProcessingError

        given = f"tokenizer={fields['tokenizer']}" if "tokenizer" in fields else fields["input"]
        on = {part: Pipeline.DEFAULT if part in fields else Pipeline.NONE for part in ("tagger", "parser")}
        error = ProcessingError()
        pipeline = Pipeline(self.server.model, given, on["tagger"], on["parser"], fields["output"])
        text: str = pipeline.process(fields["data"], error)
        assert not error.occurred(), error.message
        return "# generator = UDPipe on loopback\n" + text

    def _answer(self, text: str, code: int = 200) -> None:
        data = text.encode("utf-8")
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Standard error belongs to the tests."""


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


@contextmanager
def serving(model: Path) -> Iterator[Server]:
    server = Server(model)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
