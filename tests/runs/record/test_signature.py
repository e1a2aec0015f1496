"""Signatures and digests: the same settings give the same text, other settings another."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from gardenpath._version import __version__
from gardenpath.runs.record.signatures import digest, pairs_of, short, signature


def test_a_signature_is_ordered_pairs_with_the_version_last() -> None:
    found = signature(("study", "roles"), ("seed", 1), ("share", 0.5), ("lower", True), ("cache", False))
    assert found == f"study:roles|seed:1|share:0.5|lower:yes|cache:no|version:{__version__}"


def test_what_is_not_set_is_left_out_and_lists_are_joined() -> None:
    assert signature(("a", None), ("b", ["x", 2, True]), ("c", [])) == f"b:x,2,yes|c:|version:{__version__}"
    assert signature() == f"version:{__version__}"


@given(st.text())
def test_a_value_cannot_break_the_signature(value: str) -> None:
    found = signature(("file", value))
    assert found.count("|") == 1
    assert not set(found) & set("\t\n\r")


def test_a_digest_is_sha_256_over_parts_with_their_lengths() -> None:
    expected = hashlib.sha256(b"\0\0\0\0\0\0\0\2" + "ü".encode() + b"\0\0\0\0\0\0\0\1x").hexdigest()
    assert digest("ü", b"x") == expected


@given(st.lists(st.binary(max_size=5), max_size=4), st.lists(st.binary(max_size=5), max_size=4))
def test_digests_differ_where_parts_do(left: list[bytes], right: list[bytes]) -> None:
    assert (digest(*left) == digest(*right)) == (left == right)


def test_the_borders_of_parts_count() -> None:
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("abc", "")}) == 4


def test_short_signatures_and_their_pairs() -> None:
    long = signature(("study", "roles"), ("suite", "a:b#12"))
    assert len(short(long)) == 10
    assert short(long) == short(str(long)) != short(long + "x")
    assert pairs_of(long) == {"study": "roles", "suite": "a:b#12", "version": __version__}
