"""Displacement and its histogram, against a loop over Udapi's nodes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gardenpath.treebank import Treebank, read
from gardenpath.treebank.displacement import counted, displacements


def row(number: object, head: object, form: str = "w") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t_\n"


def sentence(*heads: object) -> str:
    return "".join(row(number, head) for number, head in enumerate(heads, 1)) + "\n"


# The devil eats flies: Not has two dependents before it, Fliegen stands three words after its head (EDV, Figure 1).
DEVIL = "# text = In der Not frisst der Teufel Fliegen\n" + sentence(3, 3, 4, 0, 6, 4, 4)


def test_displacement_is_position_minus_position_of_the_head() -> None:
    assert displacements(Treebank(DEVIL.encode())).tolist() == [-2, -1, -1, -1, 2, 3]


def test_histogram_leaves_out_roots_and_words_without_head() -> None:
    found = counted(displacements(Treebank((DEVIL + sentence(0, "_", 1)).encode())))
    assert dict(zip(found.values.tolist(), found.counts.tolist(), strict=True)) == {
        **dict.fromkeys(range(-30, 31), 0), -2: 1, -1: 3, 2: 2, 3: 1
    }  # fmt: skip
    assert (found.outside, found.edges, found.limit) == (0, 7, 30)


def test_long_edges_are_counted_apart() -> None:
    heads = [0, *[1] * 39]
    values = displacements(Treebank(sentence(*heads).encode()))
    found = counted(values)
    assert found.counts.sum() == 30
    assert found.outside == 9
    assert counted(values, limit=2).outside == 37


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-test",
        "made:odd",
        "ud/UD_French-Sequoia/fr_sequoia-ud-test.conllu",
        "ud/UD_Tamil-TTB/ta_ttb-ud-test.conllu",
    ],
)
def test_real_treebank_equals_udapi(file_named: Callable[[str], Path], name: str) -> None:
    from udapi.core.document import Document

    path = file_named(name)
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
    found = counted(displacements(read(path)))
    assert (found.counts.tolist(), found.outside) == (expected.tolist(), outside)
