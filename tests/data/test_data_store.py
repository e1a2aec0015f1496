"""From a name to a folder: fetched once, checked, whole or not at all; or served from a mirror."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from misbehaving_server import Answer, Site, zipped

from gardenpath.data import Fetched, fetch, get, locate, whereabouts
from gardenpath.data.catalogue import Record
from gardenpath.data.download import DownloadError, Patience
from gardenpath.data.store import RECORD_FILE, tree_hash
from gardenpath.errors import GardenpathError, InputError, UsageError

AT_ONCE = Patience(pause=0.0)
SUITE = zipped({"repo-123/gold/a.conll": "1\tIch\n", "repo-123/LICENSE": "free", "repo-123/more/b.txt": "b" * 99})
MOVES = {"gold": ""}


@pytest.fixture
def suite(site: Site, cache: Path, catalogue: Callable[..., Record]) -> Record:
    """A record whose data the server has."""
    url = site.offer("/suite.zip", Answer(SUITE))
    return catalogue("suite", url, moves=MOVES, expects=("a.conll",))


def in_store(cache: Path) -> list[str]:
    """All that a user could take for data, and all leftovers."""
    found = (path.relative_to(cache).as_posix() for path in cache.rglob("*") if path.is_file())
    return sorted(path for path in found if not path.startswith((".locks/", ".hashes/")))


def test_data_is_fetched_arranged_and_recorded(suite: Record, cache: Path) -> None:
    with pytest.raises(UsageError, match="gardenpath data get suite"):
        locate("suite")
    fetched = fetch("suite", patience=AT_ONCE)
    assert fetched == Fetched(cache / "suite", "download", tree_hash(cache / "suite"), trusted=True)
    assert in_store(cache) == [f"suite/{name}" for name in (RECORD_FILE, "LICENSE", "a.conll", "more/b.txt")]
    note = json.loads((cache / "suite" / RECORD_FILE).read_text())
    assert (note["name"], note["url"], note["licence"]) == ("suite", suite.urls[0], "MIT")
    assert note["tree"] == fetched.tree
    assert note["retrieved"].endswith("+00:00")
    assert locate("suite") == get("suite") == cache / "suite"


def test_what_is_here_is_not_fetched_again(suite: Record, site: Site) -> None:
    fetch("suite", patience=AT_ONCE)
    again = fetch("suite", patience=AT_ONCE)
    assert (again.origin, again.trusted) == ("store", False)
    assert len(site.requests) == 1


def test_changed_files_are_noticed_and_can_be_restored(suite: Record, cache: Path) -> None:
    fetch("suite", patience=AT_ONCE)
    (cache / "suite" / "a.conll").write_text("changed")
    with pytest.raises(InputError, match="changed since"):
        fetch("suite", patience=AT_ONCE)
    restored = fetch("suite", patience=AT_ONCE, again=True)
    assert (restored.origin, restored.trusted) == ("download", False)
    assert (cache / "suite" / "a.conll").read_text() == "1\tIch\n"


def test_other_bytes_of_the_archive_with_the_same_content_are_accepted(suite: Record, site: Site) -> None:
    first = fetch("suite", patience=AT_ONCE)
    other = zipped(
        {"other-456/more/b.txt": "b" * 99, "other-456/LICENSE": "free", "other-456/gold/a.conll": "1\tIch\n"}
    )
    assert other != SUITE
    site.offer("/suite.zip", Answer(other))
    assert fetch("suite", again=True, patience=AT_ONCE).tree == first.tree


def test_a_source_that_changed_is_refused_and_the_old_data_stays(suite: Record, site: Site, cache: Path) -> None:
    fetch("suite", patience=AT_ONCE)
    before = in_store(cache)
    site.offer("/suite.zip", Answer(zipped({"r/gold/a.conll": "other"})))
    with pytest.raises(DownloadError, match="not what it was") as caught:
        fetch("suite", again=True, patience=AT_ONCE)
    assert ".hashes" in caught.value.todo
    assert in_store(cache) == before
    assert (cache / "suite" / "a.conll").read_text() == "1\tIch\n"


def test_a_first_hash_is_remembered_when_the_data_is_deleted(suite: Record, site: Site, cache: Path) -> None:
    fetch("suite", patience=AT_ONCE)
    for path in sorted((cache / "suite").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (cache / "suite").rmdir()
    site.offer("/suite.zip", Answer(zipped({"r/gold/a.conll": "other"})))
    with pytest.raises(DownloadError, match="not what it was"):
        fetch("suite", patience=AT_ONCE)
    assert in_store(cache) == []


def test_a_published_hash_is_checked(site: Site, cache: Path, catalogue: Callable[..., Record]) -> None:
    catalogue("suite", site.offer("/suite.zip", Answer(SUITE)), sha256="0" * 64)
    with pytest.raises(DownloadError, match="expected 0000"):
        fetch("suite", patience=AT_ONCE)
    assert in_store(cache) == []


def test_data_without_its_files_is_not_the_data(suite: Record, site: Site, cache: Path) -> None:
    site.offer("/suite.zip", Answer(zipped({"r/README": "moved elsewhere"})))
    with pytest.raises(InputError, match=r"has no a\.conll"):
        fetch("suite", patience=AT_ONCE)
    assert in_store(cache) == []


@pytest.mark.parametrize(
    "data",
    [zipped({"../evil": "x"}), zipped({"/evil": "x"}), SUITE[:-30], b"<html>", b""],
    ids=["outside", "absolute", "truncated", "no archive", "empty"],
)
def test_bad_archives_leave_nothing(suite: Record, site: Site, cache: Path, data: bytes) -> None:
    site.offer("/suite.zip", Answer(data))
    with pytest.raises(InputError):
        fetch("suite", patience=AT_ONCE)
    assert in_store(cache) == []
    site.offer("/suite.zip", Answer(SUITE))
    assert fetch("suite", patience=AT_ONCE).origin == "download"


def test_an_interrupted_fetch_goes_on(suite: Record, site: Site, cache: Path) -> None:
    site.offer("/suite.zip", Answer(SUITE, cut=100), Answer(b"", status=500), Answer(b"", status=500), Answer(SUITE))
    with pytest.raises(DownloadError, match="what has arrived is kept"):
        fetch("suite", patience=Patience(pause=0.0, tries=2))
    assert whereabouts("suite") is None
    assert in_store(cache) == [".downloads/suite.part", ".downloads/suite.part.json"]
    fetch("suite", patience=AT_ONCE)
    assert site.sent == len(SUITE)
    assert not [path for path in in_store(cache) if path.startswith(".downloads")]


def test_what_a_killed_process_left_is_cleared(suite: Record, cache: Path) -> None:
    (cache / ".downloads" / "suite.dead" / "unpacked").mkdir(parents=True)
    (cache / ".downloads" / "suite.dead" / "unpacked" / "half").write_text("")
    fetch("suite", patience=AT_ONCE)
    assert not [path for path in in_store(cache) if path.startswith(".downloads")]


def test_the_second_address_is_tried(site: Site, cache: Path, catalogue: Callable[..., Record]) -> None:
    catalogue("suite", site.address + "/gone.zip", site.offer("/suite.zip", Answer(SUITE)))
    fetch("suite", patience=AT_ONCE)
    assert json.loads((cache / "suite" / RECORD_FILE).read_text())["url"].endswith("/suite.zip")


def test_two_at_once_fetch_it_once(suite: Record, site: Site) -> None:
    start, found = threading.Barrier(4), []

    def work() -> None:
        start.wait()
        found.append(fetch("suite", patience=AT_ONCE).origin)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == ["download", "store", "store", "store"]
    assert len(site.requests) == 1


def test_the_lock_holds_between_processes(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from gardenpath.runs.record.writing import locked
for _ in range(20):
    with locked(Path(sys.argv[1])):
        count = int(Path(sys.argv[2]).read_text())
        Path(sys.argv[2]).write_text(str(count + 1))
"""
    (tmp_path / "count").write_text("0")
    call = [sys.executable, "-c", code, str(tmp_path / "lock"), str(tmp_path / "count")]
    processes = [subprocess.Popen(call) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert (tmp_path / "count").read_text() == "60"


def test_a_store_that_cannot_be_written(suite: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "file"))
    with pytest.raises(GardenpathError, match="cannot keep data"):
        fetch("suite", patience=AT_ONCE)


def test_the_mirror_comes_first_and_nothing_is_fetched(
    suite: Record, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path / "mirror"))
    place = tmp_path / "mirror" / "made" / "suite"
    place.parent.mkdir(parents=True)
    for call in (locate, get, fetch):
        with pytest.raises(UsageError) as caught:
            call("suite")
        assert str(place) in str(caught.value)
    place.mkdir()
    assert locate("suite") == get("suite") == place
    assert fetch("suite", again=True).origin == "mirror"
    assert site.requests == []


def test_with_a_mirror_the_store_still_counts(
    suite: Record, site: Site, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch("suite", patience=AT_ONCE)
    (tmp_path / "mirror").mkdir()
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path / "mirror"))
    assert locate("suite") == fetch("suite", again=True).path == cache / "suite"
    assert len(site.requests) == 1


def test_a_mirror_that_is_no_folder(suite: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="the mirror is not a folder"):
        locate("suite")


def test_a_mirror_may_have_treebanks_that_the_list_has_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path))
    (tmp_path / "ud" / "UD_Klingon-QQQ").mkdir(parents=True)
    assert locate("ud:Klingon-QQQ") == tmp_path / "ud" / "UD_Klingon-QQQ"
    with pytest.raises(UsageError, match="unknown treebank"):
        locate("ud:Klingon-RRR")


def test_a_release_without_the_treebank_is_explained(site: Site, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gardenpath.data import catalogue as ud

    real = ud.treebank_record

    def served_here(name: str, *, unlisted: bool = False) -> Record:
        from dataclasses import replace

        return replace(real(name, unlisted=unlisted), urls=(site.address + "/absent.zip",))

    monkeypatch.setattr(ud, "treebank_record", served_here)
    with pytest.raises(DownloadError, match=r"release 1\.1 may not have it"):
        fetch("ud:German-LIT@1.1", patience=AT_ONCE)
    with pytest.raises(DownloadError, match="did you mean ud:German-GSD"):
        fetch("ud:German-GSDD@2.14", patience=AT_ONCE)


def test_data_that_no_address_serves(
    cache: Path, catalogue: Callable[..., Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue("tables", by_hand="put the tables there")
    for ask in (fetch, locate):
        with pytest.raises(UsageError, match="tables cannot be fetched") as caught:
            ask("tables")
        assert "put the tables there; then set GARDENPATH_MIRROR=DIR" in str(caught.value)
    (tmp_path / "mirror").mkdir()
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path / "mirror"))
    with pytest.raises(UsageError) as caught:
        fetch("tables")
    assert caught.value.where == str(tmp_path / "mirror" / "made" / "tables")
    (tmp_path / "mirror" / "made" / "tables").mkdir(parents=True)
    assert fetch("tables").origin == "mirror"
