"""JSON, TOML and arrays of strangers."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.boundary.arrays import ABOUT, read_arrays, text_array
from gardenpath.boundary.structured import DEEPEST, _within, read_json, read_object, read_toml
from gardenpath.errors import InputError, UnreadableAnswer

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(['"', "\\", "[", "]{", '\\"[', "}}"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab[]{}\"\\"), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def height(value: Any) -> int:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(height, parts), default=0)


@settings(max_examples=150, deadline=None)
@given(VALUES, st.booleans(), st.integers(0, 6))
def test_depth_is_counted_as_the_parser_counts_it(value: Any, ascii_only: bool, most: int) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert _within(text.encode(), most) == (height(value) <= most)
    assert read_json(text, "a") == value


@settings(max_examples=150, deadline=None)
@given(st.text('[]{}",:1\\ aeN-.', max_size=30) | st.binary(max_size=20))
def test_what_is_no_json_is_our_error(text: str | bytes) -> None:
    try:
        value = read_json(text, "a.json")
    except InputError as error:
        assert error.where.startswith("a.json")  # noqa: PT017
        return
    assert value == json.loads(text)


@pytest.mark.parametrize("deep", ["[" * DEEPEST + "]" * DEEPEST, '{"a":' * DEEPEST + "1" + "}" * DEEPEST])
def test_the_deepest_is_read_and_one_more_is_not(deep: str) -> None:
    assert height(read_json(deep, "a")) == DEEPEST
    with pytest.raises(InputError, match=f"nested more than {DEEPEST} levels deep"):
        read_json(f"[{deep}]", "a")
    with pytest.raises(InputError, match=f"nested more than {DEEPEST} levels deep"):
        read_json("[" * 200_000, "a")


def test_the_kind_of_error_is_the_callers() -> None:
    with pytest.raises(UnreadableAnswer, match="the answer is not an object of JSON\n  try again"):
        read_object("[]", "http://x", "the answer", "try again", kind=UnreadableAnswer)


def test_toml_is_bounded_too() -> None:
    assert read_toml(b'a = [1, 2.5]\n[b]\nc = "x"\nd = true', "a.toml") == {"a": [1, 2.5], "b": {"c": "x", "d": True}}
    assert tomllib.loads(".".join("a" * 500) + " = 1")  # dotted keys nest without any bracket
    for text in (".".join("a" * 500) + " = 1", "a = " + "[" * 5000, "a = " + "9" * 5000, "a = inf", "a = nan", "a = "):
        with pytest.raises(InputError, match=r"a\.toml: this is not TOML: ") as caught:
            read_toml(text.encode(), "a.toml")
        assert len(str(caught.value)) < 300
    with pytest.raises(InputError, match=r"a\.toml:2: this is not UTF-8 text"):
        read_toml(b"a = 1\nb = '\xff'", "a.toml")


ARRAYS = {
    "whole": np.arange(6, dtype="<i4").reshape(2, 3),
    "by columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "texts": np.array(["ab", "ü"]),
    "none": np.zeros((0, 3)),
    "one": np.array(3, np.float32),
    "truths": np.array([True, False]),
    "other end first": np.arange(3, dtype=">i4"),
    "more than a block": np.arange(200_000),
}


def test_the_same_as_numpy(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, **{ABOUT: text_array('{"format": "x"}')}, **ARRAYS)
    about, arrays = read_arrays(path, "x", "it", "")
    assert about == {"format": "x"}
    with np.load(path) as stored:
        assert arrays.keys() == set(stored.files) - {ABOUT}
        for name, array in arrays.items():
            np.testing.assert_array_equal(array, stored[name])
            assert (array.dtype, array.shape) == (stored[name].dtype, stored[name].shape)
            assert array.flags.f_contiguous == stored[name].flags.f_contiguous


@pytest.mark.parametrize("array", [np.array([{}], dtype=object), np.zeros(2, dtype=[("a", "<i4")]), np.zeros(2, "<c8")])
def test_what_is_neither_number_nor_text_is_refused(tmp_path: Path, array: np.ndarray) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, allow_pickle=True, **{ABOUT: text_array('{"format": "x"}')}, a=array)
    with pytest.raises(InputError, match=r"'a\.npy' is no array of numbers or text"):
        read_arrays(path, "x", "it", "")
