"""Downloading from a server that cuts, lies, refuses, changes its mind, and fails."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from misbehaving_server import Answer, Site

from gardenpath.data.download import DownloadError, Patience, check_url, download
from gardenpath.errors import GardenpathError

DATA = random.Random(1).randbytes(300_000)
SHA256 = hashlib.sha256(DATA).hexdigest()
AT_ONCE = Patience(pause=0.0, timeout=10.0)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_whole_file_arrives(site: Site, tmp_path: Path) -> None:
    url = site.offer("/a.zip", Answer(DATA))
    seen: list[tuple[int, int | None]] = []
    path = download(url, tmp_path / "a", sha256=SHA256, progress=lambda *x: seen.append(x), patience=AT_ONCE)
    assert path.read_bytes() == DATA
    assert names(tmp_path) == ["a"]
    assert seen[0] == (0, len(DATA))
    assert seen[-1] == (len(DATA), len(DATA))


def test_a_cut_connection_is_continued_not_begun_again(site: Site, tmp_path: Path) -> None:
    url = site.offer("/a.zip", Answer(DATA, cut=100_000), Answer(DATA, cut=50_000), Answer(DATA))
    assert download(url, tmp_path / "a", sha256=SHA256, patience=AT_ONCE).read_bytes() == DATA
    assert site.sent == len(DATA)
    assert [headers.get("Range") for _, headers in site.requests] == [None, "bytes=100000-", "bytes=150000-"]


def test_an_interrupted_call_is_continued_by_the_next(site: Site, tmp_path: Path) -> None:
    url = site.offer("/a.zip", Answer(DATA, cut=200_000), Answer(DATA))

    def stop(done: int, total: int | None) -> None:
        if done >= 150_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(url, tmp_path / "a", progress=stop, patience=AT_ONCE)
    assert not (tmp_path / "a").exists()
    kept = (tmp_path / "a.part").stat().st_size
    assert kept >= 150_000
    assert download(url, tmp_path / "a", sha256=SHA256, patience=AT_ONCE).read_bytes() == DATA
    assert site.requests[-1][1]["Range"] == f"bytes={kept}-"
    assert names(tmp_path) == ["a"]


def test_a_part_that_is_whole_is_not_fetched_again(site: Site, tmp_path: Path) -> None:
    url = site.offer("/a.zip", Answer(DATA))

    def stop(done: int, total: int | None) -> None:
        if done == total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(url, tmp_path / "a", progress=stop, patience=AT_ONCE)
    assert download(url, tmp_path / "a", sha256=SHA256, patience=AT_ONCE).read_bytes() == DATA
    assert site.sent == len(DATA)


DATED = {"Last-Modified": "Sun, 15 Nov 2026 08:00:00 GMT"}
REST = {"Content-Range": f"bytes 100000-{len(DATA) - 1}/{len(DATA)}"}
OTHER_PART = Answer(DATA[:7], status=206, headers={"Content-Range": f"bytes 0-6/{len(DATA)}"})
OLD, NEW = Answer(bytes(len(DATA)), cut=100_000, etag='"old"'), Answer(DATA, etag='"new"')
WEAK = [Answer(DATA, cut=cut, etag='W/"weak"', headers=DATED) for cut in (100_000, None)]


@pytest.mark.parametrize(
    ("answers", "sent"),
    [
        ([Answer(DATA, cut=100_000, ranges=False), Answer(DATA, ranges=False)], 100_000 + len(DATA)),
        (WEAK, len(DATA)),  # a date will do for an etag
        ([OLD, NEW], None),  # the file changed meanwhile
        ([OLD, Answer(DATA[100_000:], status=206, etag='"new"', headers=REST), NEW], None),  # If-Range is ignored
        ([Answer(DATA, cut=100_000), OTHER_PART, Answer(DATA)], None),  # another part than asked for
        ([Answer(b"ff\r\nonly a bit", headers={"Transfer-Encoding": "chunked"}), Answer(DATA, etag='"two"')], None),
    ],
)
def test_the_file_is_put_together_from_what_fits(
    site: Site, tmp_path: Path, answers: list[Answer], sent: int | None
) -> None:
    url = site.offer("/a.zip", *answers)
    assert download(url, tmp_path / "a", sha256=SHA256, patience=AT_ONCE).read_bytes() == DATA
    assert sent in (None, site.sent)


@pytest.mark.parametrize("answer", [Answer(DATA, length=1000), Answer(DATA[::-1])])
def test_a_wrong_hash_leaves_nothing(site: Site, tmp_path: Path, answer: Answer) -> None:
    with pytest.raises(DownloadError, match="not the file it should be"):
        download(site.offer("/a.zip", answer), tmp_path / "a", sha256=SHA256, patience=AT_ONCE)
    assert names(tmp_path) == []


@pytest.mark.parametrize("etag", [None, 'W/"weak"'])
def test_without_a_strong_etag_nothing_is_continued(site: Site, tmp_path: Path, etag: str | None) -> None:
    url = site.offer("/a.zip", Answer(DATA, cut=100_000, etag=etag), Answer(DATA, etag=etag))
    assert download(url, tmp_path / "a", sha256=SHA256, patience=AT_ONCE).read_bytes() == DATA
    assert all("Range" not in headers for _, headers in site.requests)


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_a_failure_that_passes_is_tried_again(site: Site, tmp_path: Path, status: int) -> None:
    url = site.offer("/a.zip", Answer(b"sorry", status=status), Answer(DATA))
    assert download(url, tmp_path / "a", sha256=SHA256, patience=AT_ONCE).read_bytes() == DATA
    assert len(site.requests) == 2


def test_a_failure_that_stays_ends_after_the_tries(site: Site, tmp_path: Path) -> None:
    url = site.offer("/a.zip", Answer(b"sorry", status=500))
    with pytest.raises(DownloadError, match="500, 3 times"):
        download(url, tmp_path / "a", patience=Patience(pause=0.0, tries=3))
    assert len(site.requests) == 3
    assert names(tmp_path) == []


def test_a_missing_file_is_not_tried_again(site: Site, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="404"):
        download(site.address + "/nothing", tmp_path / "a", patience=AT_ONCE)
    assert len(site.requests) == 1


def test_a_server_that_promises_more_than_it_has(site: Site, tmp_path: Path) -> None:
    url = site.offer("/a.zip", Answer(DATA, length=len(DATA) + 1, ranges=False))
    with pytest.raises(DownloadError, match="300000 of 300001"):
        download(url, tmp_path / "a", patience=AT_ONCE)
    assert not (tmp_path / "a").exists()


def test_a_silent_server_times_out_and_is_tried_again(site: Site, tmp_path: Path) -> None:
    url = site.offer("/a.zip", Answer(DATA, stall=True), Answer(DATA))
    patience = Patience(pause=0.0, timeout=0.2)
    assert download(url, tmp_path / "a", sha256=SHA256, patience=patience).read_bytes() == DATA


@pytest.mark.parametrize("length", [None, 10])
def test_too_big_is_not_kept(site: Site, tmp_path: Path, length: int | None) -> None:
    chunked = {"Transfer-Encoding": "chunked"} if length is None else {}
    body = b"400\r\n" + bytes(1024) + b"\r\n0\r\n\r\n" if length is None else DATA
    url = site.offer("/a.zip", Answer(body, headers=chunked))
    with pytest.raises(DownloadError, match="bigger than 1000 bytes"):
        download(url, tmp_path / "a", patience=Patience(size=1000, pause=0.0))
    assert names(tmp_path) == []


def test_no_connection_is_said(tmp_path: Path, site: Site) -> None:
    port_of_nobody = "http://127.0.0.1:1/a.zip"
    with pytest.raises(DownloadError, match="no connection"):
        download(port_of_nobody, tmp_path / "a", patience=Patience(pause=0.0, tries=2))


def test_redirections_are_followed_with_the_range(site: Site, tmp_path: Path) -> None:
    site.offer("/real", Answer(DATA, cut=100_000), Answer(DATA))
    url = site.offer("/a.zip", Answer(status=302, headers={"Location": "/real"}))
    assert download(url, tmp_path / "a", sha256=SHA256, patience=AT_ONCE).read_bytes() == DATA
    assert site.sent == len(DATA)


@pytest.mark.parametrize("location", ["http://example.org/a", "file:///etc/passwd", "ftp://127.0.0.1/a"])
def test_redirections_out_of_https_are_not_followed(site: Site, tmp_path: Path, location: str) -> None:
    url = site.offer("/a.zip", Answer(status=302, headers={"Location": location}))
    with pytest.raises(GardenpathError, match=r"only https|not allowed"):
        download(url, tmp_path / "a", patience=AT_ONCE)


@pytest.mark.parametrize(
    "url",
    ["http://example.org/a", "file:///etc/passwd", "ftp://example.org/a", "https:///a", "a.zip",
     "http://127.0.0.1.example.org/a", "http://[::1/a"],
)  # fmt: skip
def test_only_https_and_this_machine(url: str) -> None:
    with pytest.raises(DownloadError):
        check_url(url)


def test_https_never_leads_to_http_on_this_machine() -> None:
    check_url("http://127.0.0.1/a")
    check_url("http://[::1]:80/a")
    with pytest.raises(DownloadError):
        check_url("http://127.0.0.1/a", https_only=True)


def test_a_place_that_cannot_be_written_is_named(site: Site, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GardenpathError, match="cannot write"):
        download(site.offer("/a", Answer(DATA)), tmp_path / "file" / "a", patience=AT_ONCE)
