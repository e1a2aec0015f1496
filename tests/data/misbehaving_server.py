"""A web server on this machine that can misbehave, and an archive made on the spot."""

from __future__ import annotations

import io
import threading
import zipfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler


@dataclass
class Answer:
    """One answer of the server; a path has a list of them, the last one is given ever after."""

    data: bytes = b""
    status: int = 200
    etag: str | None = '"one"'
    ranges: bool = True
    cut: int | None = None
    """Send only so many bytes of the body, then hang up."""
    length: int | None = None
    """Claim this length instead of the true one."""
    stall: bool = False
    """Send nothing after the header."""
    headers: dict[str, str] = field(default_factory=dict)


class Site:
    """What is served under which path, which requests came, and how many bytes of bodies went out."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.answers: dict[str, list[Answer]] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.sent = 0
        self.closing = threading.Event()
        self.lock = threading.Lock()

    def offer(self, path: str, *answers: Answer) -> str:
        self.answers[path] = list(answers)
        return self.address + path

    def next(self, path: str, headers: dict[str, str]) -> Answer:
        with self.lock:
            self.requests.append((path, headers))
            known = self.answers.get(path, [Answer(status=404)])
            return known.pop(0) if len(known) > 1 else known[0]


class Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        answer = self.site.next(self.path, dict(self.headers))
        status, start = answer.status, 0
        asked = self.headers.get("Range", "")
        if (
            status == 200
            and answer.ranges
            and asked
            and self.headers.get("If-Range") in (answer.etag, answer.headers.get("Last-Modified"))
        ):
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            status = 206 if start < len(answer.data) else 416
        self.send_response(status)
        body = answer.data[start:] if status != 416 else b""
        if status == 206 and "Content-Range" not in answer.headers:
            self.send_header("Content-Range", f"bytes {start}-{len(answer.data) - 1}/{len(answer.data)}")
        if status == 416:
            self.send_header("Content-Range", f"bytes */{len(answer.data)}")
        if answer.etag is not None:
            self.send_header("ETag", answer.etag)
        if "Transfer-Encoding" not in answer.headers:
            self.send_header("Content-Length", str(len(body) if answer.length is None else answer.length))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if answer.stall:
            self.wfile.flush()
            self.site.closing.wait()
            return
        part = body if answer.cut is None else body[: answer.cut]
        with self.site.lock:  # before it is sent: whoever has read it finds it counted
            self.site.sent += len(part)
        self.wfile.write(part)

    def log_message(self, format: str, *args: object) -> None:
        """The tests read `requests` instead."""


def zipped(files: dict[str, bytes | str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
