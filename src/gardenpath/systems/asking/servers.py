"""Servers that answer in JSON, and models behind them: `kind:URL#model=NAME#key=VARIABLE#option=value`.

A request is bounded in time and size, however slowly a server drips; it is made again where the fault may pass, and the
key is never in what is said.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import threading
import time
import warnings
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection, IncompleteRead
from types import TracebackType
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from ...boundary.structured import read_object
from ...errors import EmptyAnswer, FailedOnInput, GardenpathError, NoAnswer, SystemFailure, UnreadableAnswer, UsageError
from .registry import split_options


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


class _Watched(HTTPHandler, HTTPSHandler):
    """Opens connections, plain and secure, that are known to a deadline."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(lambda host, **options: self._deadline.watch(HTTPConnection(host, **options)), req)

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(lambda host, **options: self._deadline.watch(HTTPSConnection(host, **options)), req)


TRIES = 5
PAUSE = 1.0
"""Seconds before the second try; doubled before each further one."""
TIME_LIMIT = 120.0
"""Seconds that one request may take where no limit is given."""
_LONGEST_PAUSE = 60.0
_AGAIN = (408, 429, 500, 502, 503, 504)
_TODO = {
    401: "it wants a key, or another one",
    403: "it wants a key, or another one",
    404: "check the address, and that it has the model",
}


@dataclass(frozen=True)
class JsonServer:
    """An address, and the name of the environment variable that has its key, if it needs one."""

    url: str
    key_variable: str = ""
    largest: int = 200_000_000
    """Bytes of an answer."""

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise UsageError(f"{self.url!r} is not an address of a server", todo="write http://… or https://…")
        if parts.username or parts.password or parts.query:
            what = "an address with a password or a query in it"
            todo = "it would stand in results; a key belongs in an environment variable"
            raise UsageError(what, where=f"{parts.scheme}://{parts.hostname}", todo=todo)

    @property
    def key(self) -> str:
        """The key itself, read when it is needed and kept nowhere."""
        if not self.key_variable:
            return ""
        key = os.environ.get(self.key_variable, "").strip()
        if not key:
            where, todo = self.url, f"export {self.key_variable}=…, also where workers run"
            raise UsageError(f"the environment variable {self.key_variable} has no key", where=where, todo=todo)
        if not (key.isascii() and key.isprintable()):  # the HTTP library would say so with the key in its message
            what = f"the key in the environment variable {self.key_variable} has a character that no key has"
            raise UsageError(what, where=self.url, todo="it may have a line break in it: export it again")
        return key

    def ask(
        self, path: str, body: bytes | None, content_type: str, limit: float | None = None,
        blamed: Collection[int] = (),
    ) -> dict[str, Any]:  # fmt: skip
        """The JSON object that the server gives; again and again where the fault may pass.

        `blamed` are codes of HTTP that blame what was asked: a failure on this input, not of the server.
        """
        reason, todo, failure, key = "", "", SystemFailure, self.key
        asked_to_wait = 0.0
        for number in range(TRIES):
            if number:
                time.sleep(max(PAUSE * 2 ** (number - 1), min(asked_to_wait, _LONGEST_PAUSE)))
            failure, asked_to_wait = SystemFailure, 0.0
            try:
                return self._ask_once(path, body, content_type, key, limit or TIME_LIMIT)
            except HTTPError as error:
                with error:
                    answer = error.read(2000).decode("utf-8", "replace").strip()
                reason = f"it answers {error.code} {error.reason}: {answer}".rstrip(": ")
                todo = _TODO.get(error.code, "")
                if error.code in blamed:
                    failure = FailedOnInput
                if error.code not in _AGAIN:
                    if target := error.headers.get("Location"):
                        todo = f"it sends to {target}: write that address"
                    break
                wait = str(error.headers.get("Retry-After", ""))  # by a busy server, perhaps not in seconds
                asked_to_wait = float(wait) if wait.isdecimal() else 0.0
            except TimeoutError:
                failure = NoAnswer
                reason = f"no answer within {limit or TIME_LIMIT:g} s"
            except URLError as error:
                reason = f"it cannot be reached: {error.reason}"
            except (OSError, HTTPException) as error:
                reason = f"the connection broke: {error or type(error).__name__}"
            except UnreadableAnswer as error:
                reason = error.what
            except ValueError as error:
                reason = f"its answer cannot be read: {error}"
        what = f"the server fails: {reason}"
        if key:
            what, todo = what.replace(key, "…"), todo.replace(key, "…")
        raise failure(what, where=f"{self.url}/{path}", todo=todo or "check the address, or try later")

    def _ask_once(self, path: str, body: bytes | None, content_type: str, key: str, limit: float) -> dict[str, Any]:
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = content_type
        if key:
            headers["Authorization"] = f"Bearer {key}"
        request = Request(f"{self.url}/{path}", body, headers)
        pieces, size = [], 0
        with Deadline(limit) as deadline:
            opener = build_opener(_NoRedirect, _Watched(deadline))
            with opener.open(request, timeout=limit) as answer:
                while piece := answer.read1(1 << 16):
                    pieces.append(piece)
                    size += len(piece)
                    if size > self.largest:
                        raise ValueError("it is too large")
                if answer.length:  # read1 does not mind
                    raise IncompleteRead(b"", answer.length)
        data = b"".join(pieces)
        if key:  # a server may repeat what it was sent, and answers are kept
            data = data.replace(key.encode(), b"...").replace(json.dumps(key)[1:-1].encode(), b"...")
        return read_object(data, f"{self.url}/{path}", "its answer", kind=UnreadableAnswer)


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would carry the key to another server, and drops what was asked."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if req.data is None and not req.has_header("Authorization"):
            return super().redirect_request(req, fp, code, msg, headers, newurl)
        return None


ENDPOINT_CHOICES: dict[str, Sequence[str]] = {"model": (), "key": ()}
_VARIABLE = r"[A-Z_][A-Z0-9_]*"
ENDPOINT_OTHERS = {"model": r".+", "key": _VARIABLE}
_SECRET = re.compile(
    rf"key=(?!{_VARIABLE}(#|$))|\b(sk-|gsk_|hf_|ghp_|AIza|xox[abp]-)[A-Za-z0-9_-]{{16,}}|(?i:bearer |api[-_]?key)"
)
"""What looks like a key in the name of a system."""
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
        asked = json.dumps({"model": self.model, **body}).encode("utf-8")
        answer = self.server.ask(path, asked, "application/json", limit, BLAMED)
        choices = answer.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise UnreadableAnswer(
                "the answer of the server has no choices", where=self.name, todo="does it speak OpenAI's protocol?"
            )
        return {**choices[0], "usage": answer.get("usage")}


def endpoint(kind: str, argument: str, choices: Mapping[str, Sequence[str]], others: Mapping[str, str]) -> Endpoint:
    """The endpoint of an argument; options that every endpoint has come to those of its kind."""
    if _SECRET.search(argument):
        what = "there seems to be a key in this name, which results and messages repeat"
        todo = "export it as an environment variable, such as MY_KEY, and write #key=MY_KEY"
        place = re.split("[#?]", argument)[0].rpartition("@")[2]
        raise UsageError(what, where=f"{kind}:{place}", todo=todo)
    url, given = split_options(kind, argument, {**ENDPOINT_CHOICES, **choices}, {**ENDPOINT_OTHERS, **others})
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


def answer_to(
    endpoint: Endpoint, instruction: str, question: str, most: int, counts: Counter[str], limit: float | None = None
) -> str:
    """The answer in at most so many tokens, drawn at temperature 0; `counts` gets what it cost."""
    asked = [{"role": "system", "content": instruction}, {"role": "user", "content": question}]
    choice = endpoint.ask("chat/completions", {"messages": asked, "max_tokens": most, "temperature": 0}, limit)
    counts["requests"] += 1
    usage: Any = choice.get("usage")
    for key, name in (("prompt_tokens", "prompt tokens"), ("completion_tokens", "answer tokens")):
        if isinstance(usage, dict) and isinstance(usage.get(key), int):
            counts[name] += usage[key]
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise EmptyAnswer("the model answered nothing", where=endpoint.name, todo="is it a chat model?")
    return text
