"""JSON from a server: bounded in time and size, asked again where the fault may pass, the key never in what is said."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage, IncompleteRead
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ..boundary.structured import read_object
from ..errors import FailedOnInput, NoAnswer, SystemFailure, UnreadableAnswer, UsageError
from .deadline import Deadline

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
            raise UsageError(
                "an address with a password or a query in it",
                where=f"{parts.scheme}://{parts.hostname}",
                todo="it would stand in results; a key belongs in an environment variable",
            )

    @property
    def key(self) -> str:
        """The key itself, read when it is needed and kept nowhere."""
        if not self.key_variable:
            return ""
        key = os.environ.get(self.key_variable, "").strip()
        if not key:
            where, todo = self.url, f"export {self.key_variable}=…, also where workers run"
            raise UsageError(f"the environment variable {self.key_variable} has no key", where=where, todo=todo)
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
                asked_to_wait = _seconds(error.headers)
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

    def ask_json(
        self, path: str, body: dict[str, Any], limit: float | None = None, blamed: Collection[int] = ()
    ) -> dict[str, Any]:
        """The same for a request that is JSON itself."""
        return self.ask(path, json.dumps(body).encode("utf-8"), "application/json", limit, blamed)

    def _ask_once(self, path: str, body: bytes | None, content_type: str, key: str, limit: float) -> dict[str, Any]:
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = content_type
        if key:
            headers["Authorization"] = f"Bearer {key}"
        request = Request(f"{self.url}/{path}", body, headers)
        pieces, size = [], 0
        with Deadline(limit) as deadline:
            opener = build_opener(_NoRedirect, *deadline.handlers())
            with opener.open(request, timeout=limit) as answer:
                while piece := answer.read1(1 << 16):
                    pieces.append(piece)
                    size += len(piece)
                    if size > self.largest:
                        raise ValueError("it is too large")
                if answer.length:  # read1 does not mind
                    raise IncompleteRead(b"", answer.length)
        return read_object(b"".join(pieces), f"{self.url}/{path}", "its answer", kind=UnreadableAnswer)


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would carry the key to another server, and drops what was asked."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if req.data is None and not req.has_header("Authorization"):
            return super().redirect_request(req, fp, code, msg, headers, newurl)
        return None


def _seconds(headers: Any) -> float:
    """What a busy server says to wait; 0 where it does not say it in seconds."""
    value = str(headers.get("Retry-After", ""))
    return float(value) if value.isdecimal() else 0.0
