"""The index against a plain split of lines: the slow way that cannot be wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_treebanks import treebanks

from gardenpath.treebank import index
from gardenpath.treebank.index import EMPTY, FIELDS, MULTIWORD, WORD
from gardenpath.treebank.treebank import Treebank

anyhow = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)


def split(data: bytes) -> list[list[list[bytes]]]:
    """Sentences, rows, fields."""
    found: list[list[list[bytes]]] = [[]]
    for line in data.split(b"\n"):
        if not line:
            found.append([])
        elif not line.startswith(b"#"):
            found[-1].append(line.split(b"\t"))
    return [rows for rows in found if rows]


@anyhow
@given(data=treebanks(), chunk=st.sampled_from([1, 7, 64, 300, 1 << 19]))
def test_offsets_are_those_of_a_plain_split(data: bytes, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_CHUNK", chunk)  # small chunks: sentences straddle their borders
    treebank = Treebank(data)
    found, expected = treebank.index, split(data)
    rows = [row for sentence in expected for row in sentence]
    assert np.diff(found.rows).tolist() == [len(sentence) for sentence in expected]
    for number, row in enumerate(rows):
        begins = [int(found.starts[number]), *(int(end) + 1 for end in found.separators[number, :-1])]
        ends = found.separators[number].tolist()
        assert [treebank.data[a:b] for a, b in zip(begins, ends, strict=True)] == row
    kinds = [MULTIWORD if b"-" in row[0] else EMPTY if b"." in row[0] else WORD for row in rows]
    assert found.kinds.tolist() == kinds
    numbers = [tuple(map(int, row[0].replace(b"-", b".").split(b"."))) for row in rows]
    assert found.numbers.tolist() == [number[0] for number in numbers]
    assert found.seconds == {row: number[1] for row, number in enumerate(numbers) if len(number) > 1}
    assert found.heads.tolist() == [-1 if row[6] == b"_" else int(row[6]) for row in rows]
    assert b"".join(treebank.block(number) for number in range(len(treebank))) == treebank.data


@anyhow
@given(data=treebanks(), chunk=st.sampled_from([1, 100, 1 << 19]))
def test_columns_are_those_of_a_plain_split(data: bytes, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_CHUNK", chunk)
    treebank = Treebank(data)
    words = [[row for row in sentence if row[0].isdigit()] for sentence in split(data)]
    assert treebank.lengths.tolist() == [len(sentence) for sentence in words]
    assert treebank.word_count == treebank.offsets[-1] == sum(map(len, words))
    assert treebank.ids.tolist() == [int(row[0]) for sentence in words for row in sentence]
    assert treebank.sentence_of.tolist() == [number for number, sentence in enumerate(words) for _ in sentence]
    for place, name in enumerate(FIELDS):
        assert treebank.column(name).strings() == [row[place].decode() for sentence in words for row in sentence]


def test_the_chunk_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "\t".join(["{}", "form", *["_"] * 4, "0", *["_"] * 3]) + "\n"
    data = "".join(
        f"# sent_id = {i}\n" + "".join(line.format(k + 1) for k in range(i % 7 + 1)) + "\n" for i in range(60)
    )
    whole = Treebank(data.encode()).index
    for size in range(1, 200, 13):
        monkeypatch.setattr(index, "_CHUNK", size)
        part = Treebank(data.encode()).index
        for name in ("separators", "starts", "kinds", "numbers", "heads", "rows", "blocks"):
            assert np.array_equal(getattr(part, name), getattr(whole, name)), (size, name)


@pytest.mark.parametrize("number", [9, 10, 99, 100, 1000])
def test_numbers_of_any_length_are_read(number: int) -> None:
    lines = ["\t".join([str(i), "w", *["_"] * 4, str(number - i), *["_"] * 3]) for i in range(1, number + 1)]
    treebank = Treebank("\n".join(lines).encode())
    assert treebank.ids.tolist() == list(range(1, number + 1))
    assert treebank.heads.tolist() == list(range(number - 1, -1, -1))
