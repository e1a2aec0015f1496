"""Arrays of a model's file: as NumPy reads them, and nothing that would have to be evaluated or unpickled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gardenpath.boundary.arrays import ABOUT, read_arrays, text_array
from gardenpath.errors import InputError

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
