"""`gardenpath data`: what goes to standard output, what to standard error, and the exit codes."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from calls import call
from gardenpath.data import catalogue as registry
from gardenpath.data.catalogue import Record, records

run = partial(call, "data")


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GARDENPATH_MIRROR", raising=False)
    return tmp_path / "cache" / "data"


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mirror" / "roles" / "sorts-2026").mkdir(parents=True)
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path / "mirror"))
    return tmp_path / "mirror"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Record]:
    """A record whose archive is served from this machine."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("top/file.txt", "text")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(buffer.getvalue())))
            self.end_headers()
            self.wfile.write(buffer.getvalue())

        def log_message(self, format: str, *args: object) -> None:
            """Standard error belongs to the program under test."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/suite.zip"
    record = Record("suite", "A suite", "about", (url,), "MIT", "@misc{x,\n}\n", "made/suite")
    monkeypatch.setattr(registry, "_catalogue", lambda: {"suite": record})
    yield record
    server.shutdown()
    server.server_close()
    thread.join()


def test_list_shows_every_name(capsys: pytest.CaptureFixture[str], mirror: Path) -> None:
    assert run("list") == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line for line in lines if line}
    assert {record.name for record in records()} <= set(rows)
    assert rows["sorts"].endswith("mirror")
    assert rows["ppats"].endswith("no")
    assert "ud:LANGUAGE-TREEBANK[@RELEASE]" in rows


def test_list_as_json(capsys: pytest.CaptureFixture[str], mirror: Path) -> None:
    assert run("list", "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    here = {finding["suite"]: (finding["value"], finding["path"]) for finding in data["findings"]}
    assert here["sorts"] == ("mirror", str(mirror / "roles" / "sorts-2026"))
    assert here["blimp"] == ("no", None)
    assert "ud:German-GSD" in data["treebanks"]


@pytest.mark.parametrize(("form", "mark"), [("tsv", "study\tsuite"), ("markdown", "| name |"), ("latex", "\\toprule")])
def test_list_in_other_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, mark: str) -> None:
    assert run("list", "--format", form, "--output", str(tmp_path / "list")) == 0
    assert mark in (tmp_path / "list").read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""


def test_get_prints_the_path_alone(capsys: pytest.CaptureFixture[str], mirror: Path) -> None:
    assert run("get", "sorts") == 0
    assert capsys.readouterr().out == f"{mirror / 'roles' / 'sorts-2026'}\n"


def test_a_wrong_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("get", "ud:Germna-GSD") == 2
    assert "did you mean ud:German-GSD" in capsys.readouterr().err


def test_get_says_what_it_did(served: Record, own_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("get", "suite") == 0
    first = capsys.readouterr()
    assert first.out == f"{own_store / 'suite'}\n"
    assert "fetched" in first.err
    assert "kept and checked from now on" in first.err
    assert run("get", "suite") == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert second.err == "suite: was here already, and is unchanged\n"
    assert (own_store / "suite" / "file.txt").read_text() == "text"


def test_get_from_the_mirror(mirror: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("get", "sorts") == 0
    assert "is in the mirror" in capsys.readouterr().err
    assert run("get", "sorts", "ppats") == 2
    assert str(mirror / "roles" / "ppats") in capsys.readouterr().err


def test_cite_prints_bibtex(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("cite", "sorts", "ud:German-GSD@2.14") == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith("@inproceedings{fischer-etal-2020-beards,")
    assert "@misc{ud-german-gsd-2.14," in captured.out
