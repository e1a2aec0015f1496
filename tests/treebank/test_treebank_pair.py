"""Columns of two treebanks against plain strings."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.treebank import Treebank
from gardenpath.treebank.pair import Pair

LABELS = st.lists(st.sampled_from(["nsubj", "nsubj:pass", "obj", "obl", "obl:agent", "root"]), min_size=1, max_size=20)


def with_labels(labels: list[str]) -> Treebank:
    rows = [f"{n}\tw{n}\t_\t_\t_\t_\t{n - 1}\t{label}\t_\t_\n" for n, label in enumerate(labels, 1)]
    return Treebank(("".join(rows) + "\n").encode())


def plain(label: str) -> str:
    return label.partition(":")[0]


@settings(deadline=None)
@given(LABELS, LABELS)
def test_columns_of_both_share_their_numbering(left: list[str], right: list[str]) -> None:
    pair = Pair(with_labels(left), with_labels(right))
    for label in (str, plain):
        ours, theirs = pair.column("deprel", label)
        labels = [label(text) for text in left + right]
        known = {text: number for number, text in enumerate(dict.fromkeys(labels))}
        assert [*ours.codes.tolist(), *theirs.codes.tolist()] == [known[text] for text in labels]
        assert (ours.strings(), theirs.strings()) == (labels[: len(left)], labels[len(left) :])
        assert list(ours.values) == list(theirs.values) == list(known)
