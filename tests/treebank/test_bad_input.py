"""Whatever is in the file: a treebank that comes back byte for byte, or an error with its place and a hint."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_treebanks import conllu, treebanks

from gardenpath.errors import GardenpathError, InputError
from gardenpath.treebank import Treebank, crossings, depths, read
from gardenpath.treebank.tolerant import repair
from gardenpath.treebank.treebank import first_bad_utf8

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
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD, ":1: the file begins with a byte order mark", "--tolerant"),
    "CRLF": (GOOD.replace(b"\n", b"\r\n"), ":1: a carriage return", "--tolerant"),
    "a carriage return inside": (changed(b"w2", b"w\r2"), ":2: a carriage return", "--tolerant"),
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
