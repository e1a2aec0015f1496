"""What servers on the loopback share: they run in a thread and can misbehave request by request."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar


class LoopbackServer(ThreadingHTTPServer):
    """Does what `plan` says, request by request, and then serves rightly."""

    daemon_threads = True
    path = ""
    """Where it serves, below its address."""

    def __init__(self, handler: type[LoopbackHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.plan: list[str] = []
        self.ended = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}{self.path}"


class LoopbackHandler(BaseHTTPRequestHandler):
    def answer(self, text: str, code: int = 200, headers: dict[str, str] | None = None) -> None:
        data = text.encode("utf-8")
        self.send_response(code)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def cut(self) -> None:
        """An answer that promises more than it sends."""
        self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\n{")

    def log_message(self, format: str, *args: Any) -> None:
        """Standard error belongs to the tests."""


Served = TypeVar("Served", bound=LoopbackServer)


@contextmanager
def running(server: Served) -> Iterator[Served]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
