"""Fixtures: a web server that can misbehave, an empty store, a catalogue to fill."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from misbehaving_server import Handler, Site

from gardenpath.data import catalogue as registry
from gardenpath.data.catalogue import Record


@pytest.fixture
def site() -> Iterator[Site]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site = Site(f"http://127.0.0.1:{server.server_port}")
    server.RequestHandlerClass = type("Handler", (Handler,), {"site": site})
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield site
    site.closing.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, and no mirror."""
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GARDENPATH_MIRROR", raising=False)
    return tmp_path / "cache" / "data"


@pytest.fixture
def catalogue(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Record]:
    """Adds records to an otherwise empty catalogue."""
    known: dict[str, Record] = {}
    monkeypatch.setattr(registry, "_catalogue", lambda: known)

    def add(name: str, *urls: str, **fields: object) -> Record:
        given = {"title": name, "about": "", "licence": "MIT", "citation": "@misc{x}\n", "place": f"made/{name}"}
        known[name] = Record(name=name, urls=urls, **{**given, **fields})  # type: ignore[arg-type]
        return known[name]

    return add
