"""Where treebanks come from: files, compressed files, archives, folders, patterns, standard input."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_treebanks import conllu

from gardenpath.boundary import unpacking
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.runs.atomic import writable_target
from gardenpath.treebank import Treebank, read, read_each
from gardenpath.treebank.source import blocks

ONE, TWO = conllu([0, 1]), conllu([0], [2, 0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "b.conllu").write_bytes(ONE)
    (tmp_path / "deep" / "er" / "a.conllu.gz").write_bytes(gzip.compress(TWO))
    (tmp_path / "deep" / "c.conllu.xz").write_bytes(lzma.compress(ONE))
    (tmp_path / "notes.txt").write_text("nothing")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "pack"), [("x.conllu", bytes), ("x.conllu.gz", gzip.compress), ("x.conllu.XZ", lzma.compress)]
)
def test_a_file_plain_or_compressed(tmp_path: Path, name: str, pack: type[bytes]) -> None:
    (tmp_path / name).write_bytes(pack(TWO))
    treebank = read(tmp_path / name)
    assert treebank.to_bytes() == TWO
    assert treebank.name == str(tmp_path / name)
    assert read(str(tmp_path / name), name="mine").name == "mine"


def test_the_members_of_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("z/two.conllu", TWO)
        archive.writestr("one.conll", ONE.replace(b"\n", b"\r\n"))
        archive.writestr("README", "no treebank")
    treebank = read(path)
    assert treebank.lengths.tolist() == [2, 1, 2]
    assert treebank.repairs == {"carriage returns": 3}
    assert treebank.place(treebank.data.index(TWO)) == f"{path}/z/two.conllu:1"
    assert [one.name for one in read_each(path)] == [f"{path}/one.conll", f"{path}/z/two.conllu"]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("README", "no treebank")
    with pytest.raises(InputError, match=r"no \*\.conllu or \*\.conll or \*\.conllx in this archive"):
        read(path)


def test_a_folder_is_read_to_its_depth_in_the_order_of_names(folder: Path) -> None:
    treebank = read(folder)
    names = ["b.conllu", "deep/c.conllu.xz", "deep/er/a.conllu.gz"]
    assert [file for file, _ in treebank.files] == [str(folder / name) for name in names]
    assert treebank.lengths.tolist() == [2, 2, 1, 2]
    assert treebank.name == str(folder)
    assert [len(one) for one in read_each(folder)] == [1, 1, 2]


def test_patterns_and_lists(folder: Path) -> None:
    assert read(str(folder / "*.conllu")).lengths.tolist() == [2]
    assert read(str(folder / "**" / "*.gz")).lengths.tolist() == [1, 2]
    assert read(str(folder / "d*")).lengths.tolist() == [2, 1, 2]
    both = read(path for path in [folder / "deep" / "c.conllu.xz", folder / "b.conllu"])
    assert both.name == f"{folder / 'deep' / 'c.conllu.xz'} + {folder / 'b.conllu'}"
    (folder / "odd[1].conllu").write_bytes(TWO)
    assert len(read(folder / "odd[1].conllu")) == 2


def test_files_without_an_end_are_not_run_together(tmp_path: Path) -> None:
    for name, end in (("a", b""), ("b", b"\n"), ("c", b"\n\n\n")):
        (tmp_path / f"{name}.conllu").write_bytes(ONE.rstrip(b"\n") + end)
    treebank = read(tmp_path)
    assert treebank.lengths.tolist() == [2, 2, 2]
    starts = [int(treebank.index.starts[row]) for row in treebank.index.rows[:-1]]
    assert [treebank.place(start) for start in starts] == [str(tmp_path / f"{name}.conllu:1") for name in "abc"]


def test_a_fault_in_one_of_several_files_is_found_in_its_file(folder: Path) -> None:
    (folder / "m.conllu").write_bytes(ONE + ONE.replace(b"\t1\t", b"\t7\t"))
    with pytest.raises(InputError, match=r"m\.conllu:5: HEAD 7 in a sentence of 2 words"):
        read(folder)
    for bad, what in ((b"\xef\xbb\xbf" + ONE, "byte order mark"), (b" \n", "empty"), (b"", "empty")):
        (folder / "m.conllu").write_bytes(bad)
        with pytest.raises(InputError, match=rf"m\.conllu.*{what}"):
            read(folder)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TWO)))
    treebank = read("-")
    assert (treebank.name, treebank.to_bytes()) == ("<stdin>", TWO)
    with pytest.raises(InputError, match="<stdin>: the file is empty"):
        read("-")


@pytest.mark.parametrize(("name", "pack"), [("x.conllu.gz", gzip.compress), ("x.conllu.xz", lzma.compress)])
def test_damaged_compressed_files(tmp_path: Path, name: str, pack: type[bytes]) -> None:
    whole = pack(TWO * 50)
    for damaged in (whole[: len(whole) // 2], whole[:-3], b"", whole[:20] + b"\0\1\2\3" + whole[24:], TWO):
        (tmp_path / name).write_bytes(damaged)
        with pytest.raises(InputError, match=name):
            read(tmp_path / name)


@settings(deadline=None, max_examples=150)
@given(cut=st.integers(0, 400), place=st.integers(0, 400), byte=st.integers(0, 255), kind=st.sampled_from([8, 12, 14]))
def test_damaged_archives(tmp_path_factory: pytest.TempPathFactory, cut: int, place: int, byte: int, kind: int) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.zip"
    with zipfile.ZipFile(path, "w", compression=kind) as archive:
        archive.writestr("a.conllu", TWO * 20)
    whole = bytearray(path.read_bytes())
    whole[place % len(whole)] = byte
    path.write_bytes(whole[: len(whole) - cut] if cut % 2 else whole)
    try:
        assert read(path).to_bytes() == TWO * 20
    except GardenpathError as error:
        assert str(path) in str(error)  # noqa: PT017 (it may be read or refused)


def test_what_unpacks_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "HARMLESS", 1 << 20)
    (tmp_path / "bomb.conllu.gz").write_bytes(gzip.compress(bytes(3 << 20)))
    with pytest.raises(InputError, match="unpacks to more than"):
        read(tmp_path / "bomb.conllu.gz")


def test_names_that_lead_nowhere(folder: Path) -> None:
    with pytest.raises(InputError, match=r"no such file or folder\n  did you mean .*b\.conllu\?"):
        read(folder / "bb.conllu")
    with pytest.raises(InputError, match=r"no such file or folder$"):
        read(folder / "no" / "where")
    with pytest.raises(InputError, match="no file matches"):
        read(str(folder / "*.nothing"))
    with pytest.raises(UsageError, match="no treebank is named"):
        read([])
    with pytest.raises(InputError, match="cannot read: File name too long"):
        read("x" * 5000)
    (folder / "void").mkdir()
    with pytest.raises(InputError, match=r"no treebank in this folder\n  expected files named"):
        read(folder / "void")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    closed = tmp_path / "closed.conllu"
    closed.write_bytes(ONE)
    closed.chmod(0)
    unreadable = Path("/proc/self/mem") if os.access(closed, os.R_OK) else closed  # root reads everything
    if not unreadable.exists():
        pytest.skip("everything is readable here")
    with pytest.raises(InputError, match=f"{unreadable}: cannot read: "):
        read(unreadable)


def test_conll_is_read_tolerantly_unless_told_otherwise(tmp_path: Path) -> None:
    short = ONE.replace(b"\t_\t_\n", b"\t_\n")
    for name, pack in (("x.conll", bytes), ("x.conllx", bytes), ("x.conll.gz", gzip.compress)):
        (tmp_path / name).write_bytes(pack(short))
        assert read(tmp_path / name).repairs == {"missing columns": 2}
    with pytest.raises(InputError, match="9 columns instead of 10"):
        read(tmp_path / "x.conll", tolerant=False)
    (tmp_path / "x.conllu").write_bytes(short)
    with pytest.raises(InputError, match="9 columns instead of 10"):
        read(tmp_path / "x.conllu")
    assert read(tmp_path / "x.conllu", tolerant=True).to_bytes() == ONE


def test_an_output_that_cannot_be_written_is_found_early(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="cannot be written"):
        writable_target(tmp_path / "file" / "out.conllu")
    for fine in (tmp_path, tmp_path / "new.conllu", tmp_path / "new" / "folder" / "x"):
        writable_target(fine)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_blocks_are_the_file_in_whole_sentences(suffix: str, samples: Path, tmp_path: Path) -> None:
    data = (samples / "de_garden-test.conllu").read_bytes()
    path = tmp_path / f"a.conllu{suffix}"
    path.write_bytes({"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}[suffix](data))
    found = list(blocks(path, 1000))
    assert len(found) > 10
    assert b"".join(block.data for block in found) == data
    assert all(block.data.endswith(b"\n\n") for block in found)
    before = b""
    for block in found:
        treebank = Treebank(block.data, name="x", lines_before=block.lines_before)
        assert treebank.place(0) == f"x:{before.count(10) + 1}"
        before += block.data


def test_a_fault_in_a_later_block_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(ONE * 50 + ONE.replace(b"\t0\t", b"\t9\t"))
    *_, last = blocks(path, 100)
    with pytest.raises(InputError, match=rf"a\.conllu:{50 * ONE.count(10) + 1}"):
        Treebank(last.data, name=last.name, lines_before=last.lines_before)


def test_blocks_without_an_end(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\nthree")
    lines = list(blocks(tmp_path / "a.txt", 5, lambda _: b"\n"))
    assert [block.data for block in lines] == [b"one\n", b"two\n", b"three"]
    assert [block.lines_before for block in lines] == [0, 1, 2]
    assert [block.data for block in blocks(tmp_path / "a.txt", 5)] == [b"one\ntwo\nthree"]
