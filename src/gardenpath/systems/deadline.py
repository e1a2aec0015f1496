"""A request over HTTP that is over when its time is, however slowly a server drips: the line is cut."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from types import TracebackType
from typing import Any
from urllib.request import HTTPHandler, HTTPSHandler, Request


class Deadline:
    """Seconds in which everything must be done: name, connection, header and content.

    A limit on a socket holds for each wait alone; a server that sends a byte at a time never breaks it.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._lines: list[Any] = []
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        if self.over and (error is None or isinstance(error, OSError | HTTPException | ValueError)):
            raise TimeoutError from error

    @property
    def over(self) -> bool:
        return time.monotonic() >= self._end

    def _cut(self) -> None:
        for line in self._lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def handlers(self) -> list[HTTPHandler | HTTPSHandler]:
        """For `build_opener`: handlers whose connections are cut."""
        return [_Plain(self), _Secure(self)]

    def watch(self, connection: HTTPConnection) -> HTTPConnection:
        """The connection, which is known here from the moment it is made."""
        make = connection._create_connection  # type: ignore[attr-defined]
        connect = connection.connect

        def made(*place: Any, **options: Any) -> Any:
            line = make(*place, **options)
            self._lines.append(line)
            return line

        def connected() -> None:
            connect()
            self._lines.append(connection.sock)  # of TLS, where it is another one
            if self.over:
                raise TimeoutError

        connection._create_connection = made  # type: ignore[attr-defined]
        connection.connect = connected  # type: ignore[method-assign]
        return connection


class _Plain(HTTPHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(lambda host, **options: self._deadline.watch(HTTPConnection(host, **options)), req)


class _Secure(HTTPSHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(lambda host, **options: self._deadline.watch(HTTPSConnection(host, **options)), req)
