"""Fetch one file over https: resumed where it stopped, tried again, checked, and only then put in place."""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import json
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import IO, Any

from .._version import __version__
from ..boundary.structured import read_object
from ..boundary.texts import file_bytes
from ..errors import GardenpathError, InputError, UsageError
from ..runs.record.signatures import file_hash

Progress = Callable[[int, int | None], None]
"""Called with the bytes that are there and the bytes there will be, None where the server does not say."""
_BLOCK = 1 << 16
_AGAIN = {408, 425, 429, 500, 502, 503, 504}


class DownloadError(GardenpathError):
    """A file could not be fetched, or is not the file it should be."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How big, how long, how often."""

    size: int = 4 << 30
    timeout: float = 60.0
    """Seconds without a single byte."""
    tries: int = 5
    pause: float = 1.0
    """Seconds before the second try; doubled each time."""


class _CutError(Exception):
    """The connection ended, or the server failed, in a way that may pass."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


def download(
    url: str,
    target: Path,
    *,
    sha256: str | None = None,
    progress: Progress | None = None,
    patience: Patience = Patience(),
) -> Path:
    """Bring `url` to `target`; until it is whole and right it lies beside it as `NAME.part`.

    A part of an earlier call is continued if the server says (by ETag or date) that the file is the same.
    """
    check_url(url)
    part = _Part(target.with_name(target.name + ".part"), url)
    for attempt in range(1, patience.tries + 1):
        try:
            _receive(url, part, progress, patience)
            break
        except _CutError as cut:
            if attempt == patience.tries:
                todo = "what has arrived is kept: call it again to go on" if part.size else "try again later"
                raise DownloadError(f"{cut}, {attempt} times", where=url, todo=todo) from cut
            time.sleep(max(patience.pause * 2 ** (attempt - 1), min(cut.wait, 60.0)))
        except OSError as error:
            raise UsageError(f"cannot write: {error.strerror or error}", where=str(part.path)) from error
    if sha256 is not None and (digest := file_hash(part.path)) != sha256:
        part.drop()
        raise DownloadError(
            f"this is not the file it should be: SHA-256 {digest}, expected {sha256}",
            where=url,
            todo="nothing was kept; the source has changed, or someone between changes it",
        )
    part.path.replace(target)
    part.drop()
    return target


def check_url(url: str, *, https_only: bool = False) -> None:
    """Only https, so that nobody on the way can change the data; plain http to this machine itself."""
    try:
        parts = urllib.parse.urlsplit(url)
        host = parts.hostname or ""
    except ValueError as error:
        raise DownloadError(f"no address: {error}", where=url) from error
    if parts.scheme == "https" and host:
        return
    if parts.scheme == "http" and not https_only and _is_loopback(host):
        return
    raise DownloadError("only https addresses are fetched", where=url, todo="use the https address of the data")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Part:
    """What has arrived so far, and what the server said it is a part of."""

    def __init__(self, path: Path, url: str) -> None:
        self.path, self.url = path, url
        self.note = path.with_name(path.name + ".json")

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def validator(self) -> str:
        """The ETag or date under which the part was received; empty if it cannot be continued."""
        try:
            note = read_object(file_bytes(self.note), str(self.note))
        except InputError:
            return ""
        return str(note.get("validator", "")) if note.get("url") == self.url and self.size else ""

    def begin(self, headers: Message) -> IO[bytes]:
        etag = headers.get("ETag", "")
        strong = etag if etag.startswith('"') else headers.get("Last-Modified", "")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.note.unlink(missing_ok=True)
        stream = self.path.open("wb")
        self.note.write_text(json.dumps({"url": self.url, "validator": strong}), encoding="utf-8")
        return stream

    def drop(self) -> None:
        self.path.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)


def _receive(url: str, part: _Part, progress: Progress | None, patience: Patience) -> None:
    """One request: the whole file, or what is missing of it."""
    headers = {"User-Agent": f"gardenpath/{__version__}", "Accept-Encoding": "identity"}
    have = 0
    if validator := part.validator():
        have = part.size
        headers |= {"Range": f"bytes={have}-", "If-Range": validator}
    response = _open(urllib.request.Request(url, headers=headers), part, patience)
    if response is None:
        return
    with contextlib.closing(response):
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise DownloadError("the server sends the file in a coding that was not asked for", where=url)
        if response.status == 206:
            total = _total(response.headers, have)
            changed = validator.startswith('"') and response.headers.get("ETag", validator) != validator
            if not have or total is None or changed:
                part.drop()
                raise _CutError("the server sent another part of the file than was asked for")
            stream: IO[bytes] = part.path.open("ab")
        else:
            have, length = 0, response.headers.get("Content-Length")
            total = int(length) if length is not None and length.isdigit() else None
            stream = part.begin(response.headers)
        with stream:
            have = _copy(response, stream, have, total, part, progress, patience)
    if total is not None and have > total:
        part.drop()
        raise _CutError("the server sent more than it announced")
    if total is not None and have < total:
        raise _CutError(f"the connection ended after {have} of {total} bytes")


def _open(request: urllib.request.Request, part: _Part, patience: Patience) -> Any:
    """The response; None if the part is the whole file already; failures that may pass become `_CutError`."""
    host = urllib.parse.urlsplit(request.full_url).hostname or ""
    # A proxy cannot reach what this machine serves to itself.
    handlers = [urllib.request.ProxyHandler({})] if _is_loopback(host) else []
    try:
        return urllib.request.build_opener(_Redirect, *handlers).open(request, timeout=patience.timeout)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416 and request.has_header("Range"):
            if error.headers.get("Content-Range", "") == f"bytes */{part.size}":
                return None
            part.drop()
            raise _CutError("the server has no such part of the file") from error
        if error.code in _AGAIN:
            wait = error.headers.get("Retry-After", "") if error.headers else ""
            raise _CutError(f"the server answers {error.code}", float(wait) if wait.isdigit() else 0.0) from error
        todo = "the address may have changed: see the data's home page" if error.code in (404, 410) else ""
        raise DownloadError(
            f"the server answers {error.code} {error.reason}", where=request.full_url, todo=todo
        ) from error
    except urllib.error.URLError as error:
        if isinstance(error.reason, ssl.SSLCertVerificationError):
            raise DownloadError(f"its certificate is not trusted: {error.reason}", where=request.full_url) from error
        if isinstance(error.reason, socket.gaierror):
            todo = "is this machine online? GARDENPATH_MIRROR=FOLDER serves data without a network"
            raise DownloadError(f"cannot find {host}", where=request.full_url, todo=todo) from error
        raise _CutError(f"no connection ({error.reason})") from error
    except (OSError, http.client.HTTPException) as error:
        raise _CutError(f"no answer ({error or type(error).__name__})") from error


def _total(headers: Message, have: int) -> int | None:
    """The size of the whole file by Content-Range, if the part begins where ours ends."""
    unit, _, rest = headers.get("Content-Range", "").partition(" ")
    span, _, total = rest.partition("/")
    first = span.partition("-")[0]
    return int(total) if unit == "bytes" and first == str(have) and total.isdigit() else None


def _copy(
    response: Any, stream: IO[bytes], have: int, total: int | None, part: _Part, progress: Progress | None,
    patience: Patience,
) -> int:  # fmt: skip
    while True:
        if max(have, total or 0) > patience.size:
            stream.close()
            part.drop()
            what = f"the file is bigger than {patience.size} bytes"
            raise DownloadError(what, where=part.url, todo="nothing was kept")
        if progress is not None:
            progress(have, total)
        try:
            block = response.read(_BLOCK)
        except (OSError, http.client.HTTPException) as error:
            raise _CutError(f"the connection broke after {have} bytes ({error or type(error).__name__})") from error
        if not block:
            return have
        stream.write(block)
        have += len(block)


class _Redirect(urllib.request.HTTPRedirectHandler):
    """Redirections are followed, but never from https to plain http."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        check_url(newurl, https_only=req.full_url.startswith("https:"))
        return super().redirect_request(req, fp, code, msg, headers, newurl)
