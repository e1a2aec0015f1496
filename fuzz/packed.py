"""Readers of what is packed or a folder: models, archives and recorded runs."""

from __future__ import annotations

import contextlib
import gzip
import json
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

from . import mutate

ARPA = b"""\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1\t<unk>\t0
-99\t<s>\t-0.3
-0.5\t</s>
-0.5\ta\t-0.2

\\2-grams:
-0.2\t<s> a
-0.1\ta </s>

\\end\\
"""
TREE = b"(TOP (S (NP (D a) (N b)) (V c)))\n"
WORD = b"1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
FILES = ("run.json", "result.json", "observations.tsv")
_BETWEEN = b"\n\x1e\n"
"""Stands between the files of a run, which are one input."""


def ngram(data: bytes, path: Path) -> object:
    from gardenpath_models.ngram.system import check_kind, load

    path.write_bytes(data)
    check_kind(path)
    return load(path)


def ngram_seeds() -> Sequence[bytes]:
    from gardenpath_models.ngram.model import read_arpa
    from gardenpath_models.ngram.system import save

    with tempfile.TemporaryDirectory() as folder:
        arpa, packed = Path(folder, "m.arpa"), Path(folder, "m.npz")
        arpa.write_bytes(ARPA)
        save(read_arpa(arpa), packed)
        return [packed.read_bytes()]


def pcfg(data: bytes, path: Path) -> object:
    from gardenpath_models.pcfg.model import check_kind, load

    path.write_bytes(data)
    check_kind(path)
    return load(path)


def pcfg_seeds() -> Sequence[bytes]:
    from gardenpath.phrase import read
    from gardenpath_models.pcfg.model import learn, save

    with tempfile.TemporaryDirectory() as folder:
        tree, packed = Path(folder, "t.mrg"), Path(folder, "m.npz")
        tree.write_bytes(TREE)
        save(learn(read(tree)), packed)
        return [packed.read_bytes()]


def run_folder(data: bytes, path: Path) -> object:
    """The sums are made to fit, so that readers behind them are reached; each input is shown in one of the formats."""
    from gardenpath.report.formats import _FORMATS, render
    from gardenpath.runs.record.run import Run

    contents = dict(zip(FILES, data.split(_BETWEEN, 2), strict=False))
    with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):  # a broken record is an attack as well
        record = json.loads(contents["run.json"])
        files = {name: {"sha256": sha256(contents[name]).hexdigest()} for name in FILES[1:]}
        contents["run.json"] = json.dumps({**record, "files": files}).encode()
    folder = path.with_name("run")
    folder.mkdir(exist_ok=True)
    for name in FILES:
        (folder / name).write_bytes(contents.get(name, b""))
    run = Run.load(folder)
    read: list[object] = [run.trees()]
    intact = run_seeds()[0].split(_BETWEEN, 2)
    if contents.get(FILES[1]) != intact[1]:  # what is as it was has been read before
        read.append(render(run.result(), list(_FORMATS)[zlib.crc32(data) % len(_FORMATS)]))
    if contents.get(FILES[2]) != intact[2]:
        read.append(run.observations())
    return read


@cache
def run_seeds() -> Sequence[bytes]:
    from gardenpath.runs.record.run import Run
    from gardenpath.runs.result.observations import COLUMNS, Observations
    from gardenpath.runs.result.result import Finding, Result, Table, Verdict

    finding = Finding("evaluate", "s", "p", "LAS", 0.5, 3, 0.1, 0.9, {"order": "SVO"})
    verdict = Verdict("p is at 0.5.", "shown", (finding,))
    table = Table("T", ["a", "b"], [["x", 1.0], ["y", [0.1, 0.9]]])
    with tempfile.TemporaryDirectory() as folder:
        with Run.open(Path(folder, "r"), command="evaluate", settings={"seed": 1}) as run:
            rows = Observations({**dict.fromkeys(COLUMNS, "a"), "seed": 1, "value": [0.5, 1.0]})
            run.finish(Result("a:b|version:1", [finding], [table], {"missing": 1}, {"more": [1]}, [verdict]), rows)
        record = json.loads(Path(folder, "r", FILES[0]).read_bytes())
        record = {**record, "versions": {"gardenpath": "0"}}
        return [
            _BETWEEN.join((json.dumps(record).encode(), *(Path(folder, "r", name).read_bytes() for name in FILES[1:])))
        ]


def change_run(data: bytes, draw: Random) -> bytes:
    """One of the three files changes; they stay three."""
    parts = data.split(_BETWEEN, 2)
    at = draw.randrange(len(parts))
    fitting = mutate.change_json if parts[at][:1] == b"{" else mutate.change_cells
    parts[at] = (fitting if draw.random() < 0.8 else mutate.flip_bytes)(parts[at], draw)
    return _BETWEEN.join(parts)


def archive(data: bytes, path: Path) -> object:
    """Unpacked into a folder and read as a treebank: two ways into the same archive."""
    from gardenpath.data.store import unpack
    from gardenpath.errors import GardenpathError
    from gardenpath.treebank import read

    suffix = ".zip" if data[:2] == b"PK" else ".tar.gz" if data[:2] == b"\x1f\x8b" else ".tar"
    file = path.with_name(f"a{suffix}")
    file.write_bytes(data)
    folder = path.with_name("unpacked")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with contextlib.suppress(GardenpathError):
        unpack(file, folder)
    return read(str(file))


def archive_seeds() -> Sequence[bytes]:
    tarred = b""
    for name, kind in (("d", tarfile.DIRTYPE), ("d/a.conllu", tarfile.REGTYPE), ("l", tarfile.SYMTYPE)):
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "d/a.conllu" if kind == tarfile.SYMTYPE else ""
        member.size = len(WORD) if kind == tarfile.REGTYPE else 0
        tarred += member.tobuf(tarfile.GNU_FORMAT) + (WORD.ljust(512, b"\0") if member.size else b"")
    tarred += bytes(1024)
    packed = mutate.zipped([("d/", b""), ("d/a.conllu", WORD), ("b.conllu", WORD)], packed=True)
    return [packed, tarred, gzip.compress(tarred, 1)]


def change_tar(data: bytes, draw: Random) -> bytes:
    """A tar whose headers change and whose checksums fit again; packed as it was."""
    is_packed = data[:2] == b"\x1f\x8b"
    try:
        plain = bytearray(gzip.decompress(data) if is_packed else data)
    except (OSError, EOFError, zlib.error):
        return mutate.flip_bytes(data, draw)
    if data[:2] == b"PK" or len(plain) < 512:
        return mutate.flip_bytes(data, draw)
    block = 512 * draw.randrange(min(6, len(plain) // 512))
    for _ in range(draw.choice((1, 3))):
        place = block + draw.choice((0, 1, 100, 124, 130, 135, 156, 157, 257, 345))
        plain[place] = draw.choice((0, 48, 50, 76, 120, 255))
    plain[block + 148 : block + 156] = b" " * 8
    plain[block + 148 : block + 156] = b"%06o\0 " % (sum(plain[block : block + 512]) & 0o777777)
    return gzip.compress(bytes(plain), 1) if is_packed else bytes(plain)
