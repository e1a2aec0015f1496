"""Reading treebanks: files of all kinds, bad input, repairs."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_treebanks import conllu, treebanks

from gardenpath.boundary import unpacking
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.runs.record.writing import writable_target
from gardenpath.treebank import Treebank, crossings, depths, read, read_each
from gardenpath.treebank.format.convert import repair
from gardenpath.treebank.format.reading import blocks
from gardenpath.treebank.format.treebank import first_bad_utf8

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


GOOD = conllu([0, 1, 1])
"""Three words; the fault comes into line 2 or stands at the end, from line 5 on."""


def changed(old: bytes, new: bytes) -> bytes:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def row(number: str, head: str = "1") -> bytes:
    return f"{number}\tx\t_\t_\t_\t_\t{head}\t_\t_\t_\n".encode()


BAD = {
    "columns missing": (changed(b"w2\t_", b"w2"), ":2: 9 columns instead of 10", "10 columns separated by single tabs"),
    "columns too many": (
        changed(b"w2", b"w\t2"),
        ":2: 11 columns instead of 10",
        "10 columns separated by single tabs",
    ),
    "blanks for tabs": (GOOD.replace(b"\t", b" "), ":1: 1 column instead of 10", "separated by blanks"),
    "a line of blanks": (GOOD[:-1] + b"  \n" + GOOD, ":4: 1 column instead of 10", "must be empty"),
    "a line of tabs": (GOOD + b"\t" * 9 + b"\n", ":5: FORM is empty", "written as _"),
    "not UTF-8": (changed(b"w2", "ü".encode("latin-1")), ":2: byte 0xfc is not UTF-8", "iconv"),
    "UTF-16": (GOOD.decode().encode("utf-16"), ":1: a NUL byte", "UTF-16"),
    "a NUL byte": (changed(b"w2", b"w\0"), ":2: a NUL byte", "damaged"),
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD, ":1: the file begins with a byte order mark", "--repair"),
    "CRLF": (GOOD.replace(b"\n", b"\r\n"), ":1: a carriage return", "--repair"),
    "a carriage return inside": (changed(b"w2", b"w\r2"), ":2: a carriage return", "--repair"),
    "an ID of letters": (changed(b"2\tw2", b"b\tw2"), ":2: ID is 'b'", "an ID is a number"),
    "an ID with a zero before": (changed(b"2\tw2", b"02\tw2"), ":2: ID is '02'", "an ID is a number"),
    "an ID of eight digits": (changed(b"2\tw2", b"20000000\tw2"), ":2: ID is '20000000'", "an ID is a number"),
    "a negative ID": (changed(b"2\tw2", b"-2\tw2"), ":2: ID is '-2'", "an ID is a number"),
    "an ID in other digits": (changed(b"2\tw2", "٢\tw2".encode()), ":2: ID is '٢'", "an ID is a number"),
    "an empty node zero": (changed(b"2\tw2", b"1.0\tw2"), ":2: ID is '1.0'", "8.1 for an empty node"),
    "a long ID": (changed(b"2\tw2", b"x" * 99 + b"\tw2"), f":2: ID is '{'x' * 40}'…", "an ID is a number"),
    "a gap": (changed(b"2\tw2", b"3\tw2"), ":2: ID 3 where 2 should stand", "1, 2, 3"),
    "an ID twice": (changed(b"2\tw2", b"1\tw2"), ":2: ID 1 where 2 should stand", "1, 2, 3"),
    "it begins with zero": (changed(b"1\tw1", b"0\tw1"), ":1: ID 0 where 1 should stand", "1, 2, 3"),
    "a missing blank line": (GOOD[:-1] + GOOD, ":4: ID 1 where 4 should stand", "1, 2, 3"),
    "a range past the end": (row("1-4") + GOOD, ":1: the range 1-4 does not fit its place", "two or more words"),
    "a range over one word": (row("1-1") + GOOD, ":1: the range 1-1 does not fit its place", "two or more words"),
    "a range backwards": (
        changed(b"2\tw2", b"3-2\tx" + b"\t_" * 8 + b"\n2\tw2"),
        ":2: the range 3-2 does not",
        "before",
    ),
    "a range too late": (GOOD[:-1] + row("1-2"), ":4: the range 1-2 does not fit its place", "before its first word"),
    "overlapping ranges": (
        row("1-2") + changed(b"2\tw2", b"2-3\tx" + b"\t_" * 8 + b"\n2\tw2"),
        ":3: the range 2-3 does not fit its place",
        "overlaps no other",
    ),
    "a range from zero": (row("0-2") + GOOD, ":1: ID is '0-2'", "a range such as 3-4"),
    "a misplaced empty node": (
        row("3.1", "_") + GOOD,
        ":1: the empty node 3.1 does not fit",
        "the next empty node is 0.1",
    ),
    "an empty node left out": (
        GOOD[:-1] + row("3.1", "_") + row("3.3", "_"),
        ":5: the empty node 3.3 does not fit",
        "the next empty node is 3.2",
    ),
    "a head past the end": (changed(b"\t0\troot", b"\t4\troot"), ":1: HEAD 4 in a sentence of 3 words", "or 0"),
    "a head of letters": (changed(b"\t0\troot", b"\tROOT\troot"), ":1: HEAD is 'ROOT', not a plain number", "or 0"),
    "a negative head": (changed(b"\t0\troot", b"\t-1\troot"), ":1: HEAD is '-1', not a plain number", "or 0"),
    "an empty head": (changed(b"\t0\troot", b"\t\troot"), ":1: HEAD is empty", "written as _"),
    "a head with a zero before": (changed(b"\t0\troot", b"\t02\troot"), ":1: HEAD is '02', not a plain number", "or 0"),
    "a comment inside": (changed(b"2\tw2", b"# no\n2\tw2"), ":2: a comment inside a sentence", "blank line missing"),
    "a comment after": (GOOD[:-1] + b"# no\n", ":4: a comment inside a sentence", "blank line missing"),
    "comments only": (b"# a\n# b\n\n", ":1: comments without a sentence", "give the sentence its words"),
    "comments at the end": (GOOD + b"\n# a\n", ":6: comments without a sentence", "give the sentence its words"),
    "empty nodes only": (row("0.1", "_"), ":1: a sentence without words", "ID 1"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_fault_is_named_with_its_place_and_a_hint(name: str) -> None:
    data, what, todo = BAD[name]
    for before in (b"", GOOD * 3):  # also further down in the file
        with pytest.raises(InputError) as caught:
            Treebank(before + data if not data.startswith((b"\xef\xbb\xbf", b"\xff")) else data, name="x.conllu")
        if not before:
            assert str(caught.value).startswith("x.conllu" + what)
        assert what.partition(": ")[2] in caught.value.what
        assert todo in caught.value.todo
        assert caught.value.where.startswith("x.conllu:")


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n\n\n", b" \n\t\n"])
def test_an_empty_file_says_so(data: bytes) -> None:
    with pytest.raises(InputError, match=r"x\.conllu: the file is empty"):
        Treebank(data, name="x.conllu")


def test_a_sentence_of_a_million_words_is_read() -> None:
    size = 1_000_000
    row = "\tw\t_\t_\t_\t_\t"
    data = "".join([f"{i}{row}{i - 1}\tdep\t_\t_\n" for i in range(1, size + 1)]).encode()
    treebank = Treebank(GOOD + data + b"\n" + GOOD)
    assert treebank.lengths.tolist() == [3, size, 3]
    assert np.array_equal(treebank.heads[3:-3], np.arange(size))
    assert depths(treebank.heads, treebank.offsets).max() == size
    assert crossings(treebank.heads, treebank.offsets).too_long.tolist() == [False, True, False]
    assert treebank.to_bytes() == GOOD + data + b"\n" + GOOD


def test_a_field_of_a_megabyte_is_read() -> None:
    long = "長" * 350_000
    treebank = Treebank(GOOD.replace(b"w2", long.encode()) + GOOD)
    assert treebank.column("form").strings() == ["w1", long, "w3", "w1", "w2", "w3"]
    assert treebank[0].words[1].form == long


def test_a_comment_of_a_megabyte_is_read() -> None:
    data = b"# text = " + b"x\t" * 500_000 + b"\n" + GOOD
    assert len(Treebank(data).texts[0]) == 1_000_000


@pytest.mark.parametrize("at", [0, 1, 2, (1 << 20) - 2, (1 << 20) - 1, 1 << 20, (1 << 20) + 1])
def test_bad_bytes_are_found_at_the_border_of_pieces(at: int) -> None:
    text = b"a" * at + "é長🦔".encode() * 3
    assert first_bad_utf8(text) is None
    assert first_bad_utf8(b"a" * at + b"\xe9b") == at
    assert first_bad_utf8(b"a" * at + b"\x80" * 9) == at
    assert first_bad_utf8(text + b"\xff" + text) == len(text)


@settings(deadline=None)
@given(
    st.binary(max_size=300)
    | st.lists(st.sampled_from([b"1", b"2", b"\t", b"\n", b"#", b"_", b"-", b".", b"0", b"\xc3"])).map(b"".join)
)
def test_random_bytes(data: bytes) -> None:
    assert_read_or_refused(data)


PIECES = [b"", b"\t", b"\n", b"\n\n", b"\r", b"\0", b"#", b"1", b"9", b"_", b"-", b".", b" ", b"\xff", b"1-2", b"0.1"]
CUTS = st.tuples(st.integers(0, 1 << 16), st.integers(0, 8), st.sampled_from(PIECES))


@settings(deadline=None, max_examples=300)
@given(treebanks(), st.lists(CUTS, min_size=1, max_size=4))
def test_random_changes_of_valid_files(data: bytes, cuts: list[tuple[int, int, bytes]]) -> None:
    for place, size, new in cuts:
        at = place % (len(data) + 1)
        data = data[:at] + new + data[at + size :]
    assert_read_or_refused(data)


def assert_read_or_refused(data: bytes) -> None:
    """Strictly and tolerantly: nothing but a treebank that is whole, or an error of ours with a place."""
    for tolerant in (False, True):
        try:
            given = repair(data, "x")[0] if tolerant else data
            treebank = Treebank(given, name="x")
        except GardenpathError as error:
            assert error.where.startswith("x")  # noqa: PT017 (it may be read or refused)
            continue
        assert treebank.to_bytes() == given
        assert sum(len(sentence.words) for sentence in treebank) == treebank.word_count
        for sentence in treebank:
            assert len(sentence.edit().words) == len(sentence)
            assert all(node.depth <= len(sentence) for node in sentence)
        depths(treebank.heads, treebank.offsets)
        crossings(treebank.heads, treebank.offsets)


def test_a_fault_of_a_file_names_the_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("bad") / "x.conllu"
    path.write_bytes(BAD["a gap"][0])
    with pytest.raises(InputError, match=rf"{path}:2: ID 3 where 2 should stand"):
        read(path)


ROW = b"1\tHund\tHund\tNOUN\tNN\torder:VF[S]\t0\troot\t_\t_\n"


@settings(deadline=None)
@given(treebanks())
def test_what_is_right_is_left_alone(data: bytes) -> None:
    if not data.startswith(b"\xef\xbb\xbf"):
        assert repair(data) == (data, {})


@pytest.mark.parametrize(
    ("broken", "counts"),
    [
        (b"\xef\xbb\xbf" + ROW, {"byte order mark": 1}),
        (ROW.replace(b"\n", b"\r\n"), {"carriage returns": 1}),
        (ROW.replace(b"\n", b"\r"), {"carriage returns": 1}),
        (ROW.replace(b"\t_\t_\n", b"\t_\n"), {"missing columns": 1}),
        (ROW.replace(b"\t_\t_\n", b"\n"), {"missing columns": 2}),
        (ROW.replace(b"\t_\t_\n", b"\t\t\n"), {"empty fields": 2}),
        (ROW.replace(b"\t_\t_\n", b"\t\n"), {"missing columns": 1, "empty fields": 1}),
        (b" \t\n" + ROW, {"blanks on empty lines": 1}),
    ],
)
def test_each_repair_is_counted(broken: bytes, counts: dict[str, int]) -> None:
    data, found = repair(broken)
    assert found == counts
    assert data.lstrip(b"\n") == ROW
    assert Treebank(data)[0].words[0].feats == {"order": "VF[S]"}


def test_all_at_once() -> None:
    rows = [ROW.replace(b"\t_\t_\n", b"\t_\n"), b"  \n", ROW.replace(b"root", b""), b"\n", ROW]
    data, found = repair(b"\xef\xbb\xbf" + b"".join(rows).replace(b"\n", b"\r\n"))
    assert found == {"byte order mark": 1, "carriage returns": 5, "missing columns": 1, "blanks on empty lines": 1,
                     "empty fields": 1}  # fmt: skip
    assert len(Treebank(data)) == 3


@pytest.mark.parametrize(
    ("line", "what"), [(b"1 a b", "1 column instead"), (b"1\ta\tb", "3 columns"), (ROW + b"2\t" + ROW, "11 columns")]
)
def test_what_cannot_be_filled_up(line: bytes, what: str) -> None:
    with pytest.raises(InputError, match=rf"x\.conll:\d: {what}"):
        repair(line, "x.conll")


def test_other_faults_are_named_by_the_strict_reader() -> None:
    data, _ = repair(ROW.replace(b"\t0\t", b"\tzero\t").replace(b"\t_\t_\n", b"\t_\n"))
    with pytest.raises(InputError, match="HEAD is 'zero'"):
        Treebank(data)


def test_all_suites_of_the_roles_folder_are_read(shared: Path) -> None:
    files = sorted((shared / "roles").rglob("*.conll"))
    assert len(files) == 13
    repaired = {file.name: treebank.repairs for file in files if (treebank := read(file)).repairs}
    assert repaired["pp-test-suite-annotated.conll"] == {"missing columns": 34700}
    assert {kind for repairs in repaired.values() for kind in repairs} == {"carriage returns", "missing columns"}
    gold = read(shared / "roles" / "sorts-2026" / "german" / "german_amb_gold.conll")
    assert len(gold) == 6812
    assert (gold.heads == -1).any()
    assert {"order", "props"} <= gold[0].words[0].feats.keys()
