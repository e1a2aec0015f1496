from __future__ import annotations

import os
import subprocess
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.runs.record.cache import ResultCache, parse_size


def entries(cache: ResultCache) -> list[Path]:
    return sorted(path for path in cache.folder.rglob("*") if path.is_file() and not path.name.startswith("key"))


def put_many(folder: str) -> int:
    """The same keys from several processes, and reads in between: whatever is found must be whole."""
    cache = ResultCache(folder)
    wrong = 0
    for number in range(60):
        data = bytes([number]) * 5000
        cache.put(f"key {number}", data)
        wrong += cache.get(f"key {(number * 7) % 60}") not in (None, bytes([(number * 7) % 60]) * 5000)
    return wrong


def test_what_was_put_is_got(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path)
    assert cache.get("a") is None
    cache.put("a", b"one\ntwo")
    cache.put("b", b"")
    assert (cache.get("a"), cache.get("b")) == (b"one\ntwo", b"")
    cache.put("a", b"other")
    assert ResultCache(tmp_path).get("a") == b"other"
    assert cache.size() == sum(path.stat().st_size for path in entries(cache))
    (tmp_path / "ab").mkdir(exist_ok=True)
    (tmp_path / "ab" / "mine.txt").write_text("not of the cache")
    freed = cache.size()
    assert cache.clear() == freed
    assert [path.name for path in entries(cache)] == ["mine.txt"]


def test_made_only_once(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        return b"A"

    for _ in range(3):
        assert ResultCache(tmp_path).get_or_make("k", make) == b"A"
    assert made == [1]


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "header"])
def test_a_damaged_entry_is_removed_and_made_again(tmp_path: Path, damage: str) -> None:
    cache = ResultCache(tmp_path)
    cache.put("k", b"payload")
    (path,) = entries(cache)
    whole = path.read_bytes()
    broken = {"cut": whole[:-1], "changed": whole[:-1] + b"D", "empty": b"", "header": b"x" + whole}
    path.write_bytes(broken[damage])
    messages = {"cut": "was cut .6 of 7 bytes", "changed": "was changed, or written by somebody else"}
    with pytest.warns(UserWarning, match=messages.get(damage, "was cut or changed") + ".*; it is computed again"):
        assert cache.get("k") is None
    assert entries(cache) == []
    assert cache.get_or_make("k", lambda: b"payload") == b"payload"
    assert path.read_bytes() == whole


def test_an_entry_in_the_place_of_another_is_none(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path)
    cache.put("k", b"right")
    (place,) = entries(cache)
    cache.put("other", b"wrong")
    (wrong,) = set(entries(cache)) - {place}
    wrong.replace(place)
    with pytest.warns(UserWarning, match="was put in the place of another one"):
        assert cache.get_or_make("k", lambda: b"right") == b"right"
    assert cache.get("k") == b"right"


def test_nobody_else_can_plant_an_entry(tmp_path: Path) -> None:
    """Another user has a key of their own: neither name nor signature of their entries is ours."""
    theirs, ours = ResultCache(tmp_path / "theirs"), ResultCache(tmp_path / "ours")
    theirs.put("k", b"planted")
    ours.put("k", b"right")
    (planted,), (own,) = entries(theirs), entries(ours)
    assert planted.name != own.name
    (ours.folder / planted.name[:2]).mkdir(exist_ok=True)
    (ours.folder / planted.name[:2] / planted.name).write_bytes(planted.read_bytes())
    assert ours.get("k") == b"right"
    own.write_bytes(planted.read_bytes())
    with pytest.warns(UserWarning, match="was changed, or written by somebody else"):
        assert ours.get("k") is None
    # What the format was before there were keys: a name and a hash that anyone can make.
    ours.put("k", b"right")
    own.write_bytes(b"gardenpath-result 1 " + sha256(b"planted").hexdigest().encode() + b"\nplanted")
    with pytest.warns(UserWarning, match="was cut or changed"):
        assert ours.get("k") is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users and permissions")
def test_the_key_is_the_users_alone(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "results")
    assert cache.get("k") is None
    assert not cache.folder.exists()  # looking makes nothing
    cache.put("k", b"data")
    (key,) = cache.folder.glob("key-*")
    assert key.stat().st_mode & 0o777 == 0o600
    assert cache.folder.stat().st_mode & 0o777 == 0o700
    assert ResultCache(cache.folder).get("k") == b"data"
    cache.clear()
    assert key.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users and permissions")
@pytest.mark.parametrize("harm", ["readable", "short", "link", "owner"])
def test_a_key_that_others_may_know_is_not_used(tmp_path: Path, harm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "results"
    ResultCache(folder).put("k", b"data")
    (key,) = folder.glob("key-*")
    if harm == "readable":
        key.chmod(0o640)
    elif harm == "short":
        key.write_bytes(b"0")
    elif harm == "link":
        key.rename(tmp_path / "elsewhere")
        key.symlink_to(tmp_path / "elsewhere")
    else:
        user = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: user + 1)
        key.rename(folder / f"key-{user + 1}")
    with pytest.warns(UserWarning, match=r"results are not cached in .*its key .*remove .*key-"):
        assert ResultCache(folder).get("k") is None
    assert ResultCache(folder).get_or_make("k", lambda: b"made") == b"made"


def test_many_processes_write_at_once(tmp_path: Path) -> None:
    with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(put_many, [str(tmp_path)] * 3)) == [0, 0, 0]
    cache = ResultCache(tmp_path)
    assert all(cache.get(f"key {number}") == bytes([number]) * 5000 for number in range(60))
    assert len(entries(cache)) == 60  # and no temporary files


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path, limit=10_000)
    for number in range(8):
        cache.put(str(number), b"x" * 1000)
    for age, path in enumerate(entries(cache)):
        os.utime(path, (1000 + age, 1000 + age))
    assert cache.get("0") is not None  # now the newest
    for number in range(8, 12):
        cache.put(str(number), b"x" * 1000)
    assert cache.size() <= 10_000
    assert cache.get("0") is not None
    assert cache.get("11") is not None
    assert sum(cache.get(str(number)) is None for number in range(12)) in (3, 4, 5)
    cache.put("too large", b"x" * 10_000)
    assert cache.get("too large") is None


def test_the_limit_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path))
    monkeypatch.setenv("GARDENPATH_CACHE_LIMIT", "2GB")
    assert ResultCache().limit == 2_000_000_000
    assert ResultCache().folder == tmp_path / "results"
    monkeypatch.setenv("GARDENPATH_CACHE_LIMIT", "much")
    with pytest.raises(UsageError, match=r"GARDENPATH_CACHE_LIMIT.*'much'"):
        ResultCache()
    monkeypatch.setenv("GARDENPATH_CACHE_LIMIT", "0")
    ResultCache().put("k", b"data")
    assert ResultCache().get("k") is None
    monkeypatch.delenv("GARDENPATH_CACHE")
    monkeypatch.delenv("GARDENPATH_CACHE_LIMIT")
    assert ResultCache().folder.parts[-2:] == ("gardenpath", "results")
    assert ResultCache().limit == 5_000_000_000


def test_sizes() -> None:
    assert [parse_size(text) for text in ("12", "500 MB", "1.5GiB", "2g")] == [12, 5 * 10**8, 3 * 2**29, 2 * 10**9]
    for wrong in ("", "GB", "-1GB", "2 XB", "1iB"):
        with pytest.raises(UsageError):
            parse_size(wrong)


def test_a_folder_that_cannot_be_written_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "file").touch()  # a folder below a file cannot be made, not even by root
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            cache = ResultCache(tmp_path / "file" / "cache")
            assert cache.get_or_make("k", lambda: b"made") == b"made"
            assert cache.get_or_make("k", lambda: b"made") == b"made"
            assert (cache.size(), cache.clear()) == (0, 0)
    assert ["GARDENPATH_CACHE" in str(warning.message) for warning in caught] == [True]


@settings(deadline=None)
@given(st.dictionaries(st.text(), st.binary(), max_size=5))
def test_any_key_and_any_bytes(tmp_path_factory: pytest.TempPathFactory, pairs: dict[str, bytes]) -> None:
    cache = ResultCache(tmp_path_factory.mktemp("cache"))
    for key, data in pairs.items():
        cache.put(key, data)
    assert {key: cache.get(key) for key in pairs} == pairs


def test_the_package_loads_nothing_heavy() -> None:
    names = "'numpy', 'polars', 'rich', 'dask', 'distributed', 'platformdirs'"
    code = "import sys, gardenpath.runs.record.run, gardenpath.runs.work.where\n"
    code += "import gardenpath.runs.work.cluster, gardenpath.runs.record.cache\n"
    code += "from gardenpath.runs.work.progress_bars import progress\nwith progress(3, 'x') as bar: bar.advance(3)\n"
    code += f"print([name for name in ({names}) if name in sys.modules])"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert told.stdout == "[]\n"
    assert told.stderr == ""
