"""Store of results by key: what was computed once is read, and an entry that is not ours or not whole is none.

An entry is named and signed with a secret of the user, so that nobody else can put one where it would be looked for.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from ...errors import UsageError
from .signatures import digest
from .writing import workplace, write_bytes

_OWNED = hasattr(os, "geteuid")  # elsewhere folders of users are kept apart by the system


def read_key(folder: Path) -> bytes | None:
    """The key, or None where there is none; one that another user may have made or read is refused."""
    path = _key_path(folder)
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"its key cannot be read: {error.strerror}", where=str(path), todo="remove it") from error
    with os.fdopen(number, "rb") as stream:
        state = os.fstat(number)
        key = stream.read(65)
    if not stat.S_ISREG(state.st_mode) or not re.fullmatch(rb"[0-9a-f]{64}", key):
        raise UsageError("its key is damaged", where=str(path), todo="remove it")
    if _OWNED and (state.st_uid != os.geteuid() or state.st_mode & 0o077):
        what = "its key is not yours alone: another user made it or can read it"
        raise UsageError(what, where=str(path), todo="remove it")
    return key


def make_key(folder: Path) -> bytes:
    """The key, made where there is none; of several processes that make one at once, the first wins."""
    path = _key_path(folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with workplace(path) as temporary:
        temporary.chmod(0o600)
        temporary.write_bytes(secrets.token_hex(32).encode("ascii"))
        try:
            with suppress(FileExistsError):
                os.link(temporary, path)
        except OSError:  # this file system has no links
            if not path.exists():
                temporary.replace(path)
    key = read_key(folder)
    if key is None:
        raise UsageError("its key cannot be written", where=str(path))
    return key


def _key_path(folder: Path) -> Path:
    return folder / (f"key-{os.geteuid()}" if _OWNED else "key")


DEFAULT_LIMIT = 5_000_000_000
_HEADER = re.compile(rb"(gardenpath-result 2 ([0-9a-f]{64}) ([0-9]{1,15}) )([0-9a-f]{64})")
"""Mark, name, size, and the HMAC over these and the data."""
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_warned: set[Path] = set()


class ResultCache:
    """Bytes by key in a folder that many processes may share; the least recently used go when it is full."""

    def __init__(self, folder: str | os.PathLike[str] | None = None, *, limit: int | None = None) -> None:
        self.folder = Path(folder) if folder is not None else default_folder()
        if limit is None:
            wish = os.environ.get("GARDENPATH_CACHE_LIMIT", "").strip()
            try:
                limit = parse_size(wish) if wish else DEFAULT_LIMIT
            except UsageError as error:
                raise UsageError(error.what, where="GARDENPATH_CACHE_LIMIT", todo=error.todo) from None
        self.limit = limit
        self._usable = self.limit > 0
        self._secret: bytes | None = None
        self._known_size: int | None = None  # found by the first put; others may write too, so it is counted anew
        self._written = 0

    def get(self, key: str) -> bytes | None:
        """The bytes put under this key, or None; an entry that is not as it was put is removed, with a warning."""
        if not self._has_secret(make=False):
            return None
        path = self._path(key)
        try:
            head, _, data = path.read_bytes().partition(b"\n")
        except OSError:
            return None
        damage, parts = "", _HEADER.fullmatch(head)
        if parts is None:
            damage = "was cut or changed"
        elif len(data) < int(parts[3]):
            damage = f"was cut ({len(data)} of {int(parts[3])} bytes are left)"
        elif not hmac.compare_digest(self._signed(parts[1], data), parts[4]):
            damage = "was changed, or written by somebody else"
        elif parts[2].decode("ascii") != path.name:
            damage = "was put in the place of another one"
        if damage:
            with suppress(OSError):
                path.unlink()
            warnings.warn(f"{path}: this entry of the cache {damage}; it is computed again", stacklevel=2)
            return None
        with suppress(OSError):
            os.utime(path)  # the time of use, which decides who goes first
        return data

    def put(self, key: str, data: bytes) -> None:
        """Keeps the bytes if it can: where the folder cannot be written there is one warning and no cache."""
        if not self._usable or len(data) + 200 > self.limit or not self._has_secret(make=True):
            return
        path = self._path(key)
        head = f"gardenpath-result 2 {path.name} {len(data)} ".encode("ascii")
        entry = head + self._signed(head, data) + b"\n" + data
        try:
            write_bytes(path, entry)
        except UsageError as error:
            self._give_up(error.what)
            return
        self._written += len(entry)
        if self._known_size is None or self._known_size + self._written > self.limit:
            self._make_room()
        elif self._written > self.limit // 20:
            self._known_size, self._written = self.size(), 0

    def get_or_make(self, key: str, make: Callable[[], bytes]) -> bytes:
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def size(self) -> int:
        """Bytes that all entries take."""
        return sum(size for _, size, _ in self._entries())

    def clear(self) -> int:
        """Removes every entry (and nothing else that lies in the folder); gives the bytes set free."""
        freed = 0
        for _, size, path in list(self._entries()):
            with suppress(OSError):
                path.unlink()
                freed += size
        for drawer in self._drawers():
            with suppress(OSError):
                drawer.rmdir()  # only where it is empty
        self._known_size, self._written = None, 0
        return freed

    def _make_room(self) -> None:
        """Down to nine tenths of the limit, so that not every put has to look at all entries."""
        entries = sorted(self._entries())
        size = sum(entry[1] for entry in entries)
        if size > self.limit:
            for _, freed, path in entries[:-1]:  # the newest was asked for just now
                with suppress(OSError):
                    path.unlink()
                    size -= freed
                if size <= self.limit * 9 // 10:
                    break
        self._known_size, self._written = size, 0
        # Removes what a killed process left half written; an hour is more than any write takes.
        for drawer in self._drawers():
            for leftover in drawer.glob(".*.part"):
                with suppress(OSError):
                    if time.time() - leftover.stat().st_mtime > 3600:
                        leftover.unlink()

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        for drawer in self._drawers():
            with suppress(OSError), os.scandir(drawer) as entries:
                for entry in entries:
                    if re.fullmatch(r"[0-9a-f]{64}", entry.name):
                        with suppress(OSError):
                            state = entry.stat()
                            yield state.st_mtime, state.st_size, Path(entry.path)

    def _drawers(self) -> list[Path]:
        try:
            names = sorted(os.listdir(self.folder))  # noqa: PTH208 (only names are needed)
        except OSError:
            return []
        return [self.folder / name for name in names if re.fullmatch(r"[0-9a-f]{2}", name)]

    def _path(self, key: str) -> Path:
        name = hmac.digest(self._secret or b"", digest(key).encode("ascii"), "sha256").hex()
        return self.folder / name[:2] / name

    def _signed(self, head: bytes, data: bytes) -> bytes:
        code = hmac.new(self._secret or b"", head, "sha256")
        code.update(data)
        return code.hexdigest().encode("ascii")

    def _has_secret(self, *, make: bool) -> bool:
        """Is there a key that only this user knows? `make` makes one; without one nothing is kept or found."""
        if self._secret is None and self._usable:
            try:
                self._secret = read_key(self.folder)
                if self._secret is None and make:
                    self._secret = make_key(self.folder)
            except UsageError as error:
                self._give_up(f"{error.what}; remove {error.where}")
            except OSError as error:
                self._give_up(str(error.strerror or error))
        return self._secret is not None

    def _give_up(self, reason: str) -> None:
        self._usable = False
        if self.folder not in _warned:
            _warned.add(self.folder)
            warnings.warn(
                f"results are not cached in {self.folder} ({reason}); set GARDENPATH_CACHE to a folder you can write",
                stacklevel=3,
            )


def default_folder() -> Path:
    """`$GARDENPATH_CACHE/results`, else the user's cache folder."""
    wish = os.environ.get("GARDENPATH_CACHE")
    if wish:
        return Path(wish).expanduser() / "results"
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("gardenpath")) / "results"


def parse_size(text: str) -> int:
    """`2GB`, `500 MB`, `1.5GiB` or a number of bytes."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(I?)B?\s*", text.upper())
    if match is None or (match[3] and not match[2]):
        raise UsageError(f"{text!r} is not a size", todo="write it as 500MB or 2GB")
    unit = 1024 ** " KMGT".index(match[2]) if match[3] else _UNITS[match[2]]
    return int(float(match[1]) * unit)
