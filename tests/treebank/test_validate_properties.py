"""Whatever bytes come: the reader refuses them politely or reads them, and validate always has an answer."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import GardenpathError
from gardenpath.treebank import Treebank
from gardenpath.treebank.validate.report import validate_bytes

CASES = sorted((Path(__file__).parent / "cases").glob("*.conllu"))
SEEDS = [path.read_bytes() for path in CASES]
SNIPPETS = [
    b"\t", b"\n", b"\n\n", b"\r", b"\0", b" ", b"#", b"_", b"-", b".", b"|", b"=", b":", b"0", b"1", b"2", b"9", b"-1",
    b"1-2", b"2.1", b"0.1", b"99999999", b"root", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc2\xa0",
    b"\xcc\x88", b"# sent_id = s1\n", b"# text =", b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n",
]  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    """A case with some bytes, fields or lines taken out, put in, doubled or swapped."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["delete", "insert", "replace", "line", "double", "swap", "field"]))
        at = draw(st.integers(0, len(data)))
        if kind in ("delete", "insert", "replace"):
            gone = 0 if kind == "insert" else draw(st.integers(1, 6))
            new = b"" if kind == "delete" else draw(st.sampled_from(SNIPPETS) | st.binary(max_size=3))
            data = data[:at] + new + data[at + gone :]
            continue
        lines = data.split(b"\n")
        here = draw(st.integers(0, len(lines) - 1))
        if kind == "line":
            del lines[here]
        elif kind == "double":
            lines.insert(here, lines[here])
        elif kind == "swap":
            there = draw(st.integers(0, len(lines) - 1))
            lines[here], lines[there] = lines[there], lines[here]
        else:
            fields = lines[here].split(b"\t")
            fields[draw(st.integers(0, len(fields) - 1))] = draw(st.sampled_from(SNIPPETS))
            lines[here] = b"\t".join(fields)
        data = b"\n".join(lines)
    return data


def assert_reader_and_validator_agree(data: bytes) -> None:
    """Validate answers, and has an error for all that the reader refuses."""
    problems = list(validate_bytes(data, "x.conllu"))
    last = data.count(b"\n") + 1
    for problem in problems:
        assert 1 <= problem.line <= last
        assert str(problem).isprintable()
    try:
        treebank = Treebank(data)
    except GardenpathError:
        assert any(problem.level == "error" for problem in problems)
        return
    for sentence in treebank:
        assert sentence.text is not None
        assert len(sentence.words) == len(sentence)
    assert treebank.to_bytes() == data


@settings(max_examples=400, deadline=None)
@given(mutations())
def test_mutations(data: bytes) -> None:
    assert_reader_and_validator_agree(data)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    assert_reader_and_validator_agree(data)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(SNIPPETS), max_size=60))
def test_random_snippets(pieces: list[bytes]) -> None:
    assert_reader_and_validator_agree(b"".join(pieces))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-1, 7), min_size=1, max_size=6))
def test_trees_as_the_tree_module_sees_them(heads: list[int]) -> None:
    """No tree problem if and only if tree_mask says it is a tree."""
    import numpy as np

    from gardenpath.treebank import tree_mask

    size = len(heads)
    rows = [
        f"{i}\tw\tw\tX\t_\t_\t{'_' if h < 0 else h}\t{'root' if h == 0 else '_' if h < 0 else 'dep'}\t_\t_"
        for i, h in enumerate(heads, 1)
    ]
    text = "# sent_id = s\n# text = " + " ".join("w" * size) + "\n" + "\n".join(rows) + "\n\n"
    inside = all(head <= size for head in heads)
    is_tree = inside and bool(tree_mask(np.array(heads), np.array([0, size]))[0])
    assert (not list(validate_bytes(text.encode()))) == is_tree
