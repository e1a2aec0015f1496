"""Displacement: the fast way against the full reader and a loop over Udapi's nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.displacement import (
    displacements,
    distribution,
    histogram,
    histogram_of_bytes,
    histogram_of_file,
)


def row(number: object, head: object, form: str = "w") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t_\n"


def sentence(*heads: object) -> str:
    return "".join(row(number, head) for number, head in enumerate(heads, 1)) + "\n"


# The devil eats flies: Not has two dependents before it, Fliegen stands three words after its head (EDV, Figure 1).
DEVIL = "# text = In der Not frisst der Teufel Fliegen\n" + sentence(3, 3, 4, 0, 6, 4, 4)


def test_displacement_is_position_minus_position_of_the_head() -> None:
    assert displacements(Treebank(DEVIL.encode())).tolist() == [-2, -1, -1, -1, 2, 3]


def test_histogram_leaves_out_roots_and_words_without_head() -> None:
    found = histogram(Treebank((DEVIL + sentence(0, "_", 1)).encode()))
    assert dict(zip(found.values.tolist(), found.counts.tolist(), strict=True)) == {
        **dict.fromkeys(range(-30, 31), 0), -2: 1, -1: 3, 2: 2, 3: 1
    }  # fmt: skip
    assert (found.outside, found.edges, found.limit) == (0, 7, 30)


def test_long_edges_are_counted_apart() -> None:
    heads = [0, *[1] * 39]
    found = histogram(Treebank(sentence(*heads).encode()))
    assert found.counts.sum() == 30
    assert found.outside == 9
    assert histogram(Treebank(sentence(*heads).encode()), limit=2).outside == 37


def test_distribution_sums_to_one_and_needs_edges() -> None:
    shares = distribution(Treebank(DEVIL.encode()))
    assert shares.sum() == pytest.approx(1)
    assert shares[30 - 1] == pytest.approx(3 / 6)
    with pytest.raises(InputError, match="no edge"):
        distribution(Treebank(sentence(0).encode()))


def test_histograms_of_files_add_up(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(DEVIL)
    (tmp_path / "b.conllu").write_text(sentence(2, 0))
    together = histogram_of_file(tmp_path)
    apart = histogram_of_file(tmp_path / "a.conllu") + histogram_of_file(tmp_path / "b.conllu")
    assert together.counts.tolist() == apart.counts.tolist()
    assert together.edges == 7


GOOD = [
    DEVIL,
    DEVIL.rstrip("\n"),
    DEVIL.rstrip("\n") + "\n",
    "\n\n" + DEVIL + "\n\n\n" + DEVIL,
    sentence(0) + "#\n" + sentence("_", 0, 2),
    row("1-2", "_") + sentence(2, 0, 2),
    row(1, 0) + row("2-3", "_") + row(2, 3) + row(3, 1) + "\n",
    row("0.1", "_") + row("0.2", "_") + row(1, 0) + row("1.1", "_") + row("2-3", "_") + row("1.2", 7) + row(2, 1)
    + row(3, 2) + "\n",
    sentence(*[0, *range(1, 120)]),
    row(1, 0, form="3-4") + row(2, 1, form="8.1") + "\n",
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_fast_way_equals_the_reader(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = histogram(Treebank(text.encode()))
    monkeypatch.setattr("gardenpath.treebank.displacement.Treebank", None)  # so that it cannot fall back
    found = histogram_of_bytes(text.encode())
    assert (found.counts.tolist(), found.outside) == (expected.counts.tolist(), expected.outside)


def test_numbers_of_five_digits_are_left_to_the_reader() -> None:
    text = sentence(*[0, *range(1, 10_050)]).encode()
    assert histogram_of_bytes(text).counts[31] == 10_049


BAD = [
    "",
    "\n\n",
    "#\n\n",
    "# a\n# b\n\n" + DEVIL,
    "\ufeff" + DEVIL,
    DEVIL.replace("\n", "\r\n"),
    DEVIL + "\0",
    row(1, 0) + "# late\n" + row(2, 1) + "\n",
    row(1, 0).replace("\t_\n", "\n") + "\n",
    row(1, 0).replace("\t_\n", "\t_\t_\n") + "\n",
    " " + DEVIL,
    DEVIL + " \n\n",
    sentence(2),
    sentence(0, 3),
    sentence("x"),
    sentence(""),
    sentence("-1"),
    sentence("__"),
    sentence("00"),
    sentence(0, "01"),
    row("01", 0) + "\n",
    row("01-2", "_") + sentence(0, 1),
    row(1, 0) + row("1.01", "_") + "\n",
    row(1, 0) + row("1.0", "_") + "\n",
    row(2, 0) + "\n",
    row(1, 0) + row(3, 1) + "\n",
    row(1, 0) + row(1, 0) + "\n",
    row("x", 0) + "\n",
    row("", 0) + "\n",
    row("1-2", "_") + "\n",
    row("1-1", "_") + sentence(0),
    row("1-3", "_") + sentence(0, 1),
    row("2-3", "_") + sentence(0, 1, 1),
    row("1-2", "_") + row(1, 0) + row("2-3", "_") + row(2, 1) + row(3, 1) + "\n",
    row("1-2", "x") + sentence(0, 1),
    row("1-2.1", "_") + sentence(0, 1),
    row("1.1", "_") + sentence(0),
    row("0.2", "_") + sentence(0),
    row(1, 0) + row("1.1", "_") + row("1.1", "_") + "\n",
    row(1, 0) + row("1.x", "_") + "\n",
]


@pytest.mark.parametrize("text", BAD)
def test_fast_way_refuses_what_the_reader_refuses(text: str) -> None:
    with pytest.raises(InputError) as expected:
        Treebank(text.encode(), name="some.conllu")
    with pytest.raises(InputError) as found:
        histogram_of_bytes(text.encode(), name="some.conllu")
    assert str(found.value) == str(expected.value)


def test_fast_way_refuses_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    (tmp_path / "latin1.conllu").write_bytes(DEVIL.replace("w", "ü").encode("latin-1"))
    with pytest.raises(InputError, match=r"latin1.conllu:2: byte 0xfc is not UTF-8"):
        histogram_of_file(tmp_path / "latin1.conllu")


@given(st.lists(st.binary(max_size=3), max_size=30), st.data())
def test_damaged_rows_are_never_counted_differently(pieces: list[bytes], data: st.DataObject) -> None:
    """Some bytes of a good file are replaced: both ways give one answer, or one error."""
    text = bytearray("".join(GOOD[:8]).encode())
    for piece in pieces:
        at = data.draw(st.integers(0, len(text)))
        text[at : at + len(piece)] = piece
    outcomes: list[object] = []
    for way in (lambda d: histogram(Treebank(d)), histogram_of_bytes):
        try:
            found = way(bytes(text))
            outcomes.append((found.counts.tolist(), found.outside))
        except InputError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


def test_long_input_is_cut_between_sentences() -> None:
    text = (DEVIL + GOOD[7]).encode() * 9_000
    one = histogram_of_bytes((DEVIL + GOOD[7]).encode())
    assert histogram_of_bytes(text).counts.tolist() == (one.counts * 9_000).tolist()


@pytest.mark.parametrize("name", ["UD_French-Sequoia/fr_sequoia-ud-test", "UD_Tamil-TTB/ta_ttb-ud-test"])
def test_real_treebank_equals_udapi(shared: Path, name: str) -> None:
    from udapi.core.document import Document

    path = shared / "ud" / f"{name}.conllu"
    expected = np.zeros(61, dtype=np.int64)
    outside = 0
    for bundle in Document(str(path)).bundles:
        for node in bundle.get_tree().descendants:
            if node.parent.ord == 0:
                continue
            if abs(node.ord - node.parent.ord) > 30:
                outside += 1
            else:
                expected[node.ord - node.parent.ord + 30] += 1
    found = histogram_of_file(path)
    assert (found.counts.tolist(), found.outside) == (expected.tolist(), outside)
    assert histogram(read(path)).counts.tolist() == expected.tolist()
