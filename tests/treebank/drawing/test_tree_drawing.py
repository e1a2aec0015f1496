"""Drawings of trees: what the lines say is the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.data import bundled
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.drawing import (
    _LINES,
    GAP,
    Marked,
    Tree,
    Word,
    differing_parts,
    drawn,
    drawn_difference,
    levels,
    svg,
    svg_of_all,
    tikz,
)
from gardenpath.treebank.trees.displacement import counted, displacements

_UP, _DOWN, _RIGHT = 4, 8, 2
_BITS = {char: bits for bits, char in _LINES.items()}


def tree_of(heads: list[int], forms: list[str] | None = None) -> Tree:
    names = forms or [f"w{place}" for place in range(1, len(heads) + 1)]
    words = tuple(
        Word(name, "X", head, "root" if head == 0 else "dep") for name, head in zip(names, heads, strict=True)
    )
    return Tree("s1", " ".join(names), words)


@st.composite
def projective(draw: st.DrawFn, most: int = 14) -> list[int]:
    """Heads of a projective tree, made by cutting spans at random."""
    heads = [0] * draw(st.integers(1, most))

    def hang(low: int, high: int, head: int) -> None:
        while low <= high:
            end = draw(st.integers(low, high))
            root = draw(st.integers(low, end))
            heads[root - 1] = head
            hang(low, root - 1, root)
            hang(root + 1, end, root)
            low = end + 1 if head else high + 1
            if not head:
                return

    size = len(heads)
    root = draw(st.integers(1, size))
    hang(1, root - 1, root)
    hang(root + 1, size, root)
    return heads


def runs(lines: list[str], width: int) -> list[list[int]]:
    """The upright lines of a drawing: for each the rows (from 1) to which it has a branch."""
    found = []
    for column in range(width):
        rows: list[int] = []
        for row, line in enumerate(lines, 1):
            bits = _BITS[line[column]]
            if bits & _RIGHT and bits & (_UP | _DOWN):
                rows.append(row)
            if rows and not bits & _DOWN:
                found.append(rows)
                rows = []
    return found


@given(projective())
def test_the_lines_of_a_projective_tree_are_its_edges(heads: list[int]) -> None:
    tree = tree_of(heads)
    lines = drawn(tree).splitlines()[1:]
    width = min(line.index("w") for line in lines) - 2
    edges = []
    for rows in runs(lines, width):
        (head,) = [row for row in rows if all(row == other or heads[other - 1] == row for other in rows)]
        edges += [(head, row) for row in rows if row != head]
    assert sorted(edges) == sorted(tree.arcs)
    tips = [line[width] for line in lines]
    assert [tip == "►" for tip in tips] == [head > 0 for head in heads]
    assert [tip == "*" for tip in tips] == [head == 0 for head in heads]


@given(st.integers(2, 12).flatmap(lambda n: st.lists(st.tuples(st.integers(1, n), st.integers(1, n)), unique=True)))
def test_longer_arcs_go_over_shorter_ones(arcs: list[tuple[int, int]]) -> None:
    arcs = [arc for arc in arcs if arc[0] != arc[1]]
    heights = dict(zip(arcs, levels(arcs), strict=True))
    for one, two in combinations(arcs, 2):
        (a, b), (c, d) = sorted(one), sorted(two)
        if a < d and c < b:  # they share a gap between two words
            assert heights[one] != heights[two]
            if b - a != d - c:
                assert (heights[one] > heights[two]) == (b - a > d - c)


def test_a_small_tree_as_it_looks() -> None:
    tree = read(bundled("de-test"))[2]
    assert drawn(Tree.of(tree)).splitlines() == [
        "# de-test-garten-003: Die Gärtnerin hat gestern zwanzig Rosen gepflanzt.",
        " ╭► Die       DET   det",
        "╭┴► Gärtnerin NOUN  nsubj",
        "├─► hat       AUX   aux",
        "├─► gestern   ADV   advmod",
        "│╭► zwanzig   NUM   nummod",
        "├┴► Rosen     NOUN  obj",
        "╰┬* gepflanzt VERB  root",
        " ╰► .         PUNCT punct",
    ]


def test_edges_may_have_their_displacements_as_labels() -> None:
    """Figure 1 of the EDV paper: the position of a word less that of its head; the root has none."""
    treebank = read(bundled("de-test"))
    labels = [word.label for sentence in treebank for word in Tree.of(sentence).displaced().words]
    counts = counted(displacements(treebank))
    expected = {f"{value:+d}": count for value, count in zip(counts.values, counts.counts, strict=True) if count}
    assert Counter(labels) == {**expected, "root": len(treebank)}
    tree = Tree.of(treebank[2]).displaced()
    assert [word.label for word in tree.words] == ["-1", "-5", "-4", "-3", "-1", "-1", "root", "+1"]
    assert all(f">{label}</text>" in svg(tree) for label in ("-5", "+1", "root"))
    assert "\\depedge{7}{2}{-5}" in tikz(tree)


def test_a_difference_is_marked_on_both_sides() -> None:
    text = drawn_difference(tree_of([2, 0, 2]), tree_of([2, 0, 1]))
    assert text.splitlines()[1:] == [
        "╭► dep    w1 dep  ◄┬╮",
        "├* root   w2 root *╯│",
        "╰► dep  ≠ w3 dep  ◄─╯",
        "1 of 3 words differ",
    ]
    assert "\x1b" not in text
    assert drawn_difference(tree_of([2, 0]), tree_of([0, 1]), colour=True).count("\x1b[31m") == 2


def test_other_words_are_drawn_one_below_the_other() -> None:
    assert "other words:" in drawn_difference(tree_of([0]), tree_of([0], ["x"]))


@pytest.mark.parametrize("draw", [drawn, svg, tikz])
def test_text_of_a_file_is_only_text(draw: object) -> None:
    tree = tree_of([0, 1], ["<script>&\x1b[2J", "a\tb\x9b"])
    text = draw(tree)  # type: ignore[operator]
    assert "\x1b" not in text
    assert "\x9b" not in text
    if draw is svg:
        assert "<script" not in text
        ElementTree.fromstring(text)


def test_svg_has_an_arc_for_each_edge_and_marks_differences() -> None:
    tree, other = tree_of([2, 0, 2, 3]), tree_of([2, 0, 2, 2])
    root = ElementTree.fromstring(svg(tree, other))
    space = "{http://www.w3.org/2000/svg}"
    groups = root.findall(f"{space}g")
    assert len(groups) == 8
    assert sum(group.get("class") == "d" for group in groups) == 2
    assert [text.text for text in root.findall(f"{space}text[@class='w']")] == list(tree.forms)


def test_right_to_left_words_run_from_the_right() -> None:
    space = "{http://www.w3.org/2000/svg}"
    for forms, rising in ((["אני", "כאן"], False), (["here", "now"], True)):
        words = ElementTree.fromstring(svg(tree_of([0, 1], forms))).findall(f"{space}text[@class='w']")
        first, second = (float(word.get("x", "")) for word in words)
        assert (second > first) == rising


def test_latex_of_partial_gold() -> None:
    tree = Tree("s", "a_b c", (Word("a_b", "X", None, "_"), Word("c", "X", 1, "obj")))
    lines = tikz(tree).splitlines()
    assert "a\\_b \\& c \\\\" in lines
    assert [
        line for line in lines if "dep" in line and "{" in line and "dependency" not in line and "text" not in line
    ] == ["\\depedge{1}{2}{obj}"]


@pytest.mark.parametrize("names", ["bundled:de-test bundled:en-test bundled:zh-test made:odd", "ud"])
def test_every_sentence_can_be_drawn(names: str, file_named: Callable[[str], Path]) -> None:
    paths = [file_named(name) for name in names.split()]
    for path in sorted(paths[0].glob("UD_*/*-test.conllu"))[:6] if names == "ud" else paths:
        for sentence in list(read(path))[:60]:
            tree = Tree.of(sentence)
            assert len(drawn(tree).splitlines()) == len(tree.words) + 1
            ElementTree.fromstring(svg(tree))


# ---- what differs between several analyses of one sentence


@st.composite
def analyses(draw: st.DrawFn) -> list[list[tuple[int, str, str]]]:
    """Several analyses of the same words: head, label and features of each word."""
    size = draw(st.integers(1, 7))
    word = st.tuples(st.integers(0, size), st.sampled_from(["a", "b"]), st.sampled_from(["_", "X=1"]))
    return draw(st.lists(st.lists(word, min_size=size, max_size=size), min_size=1, max_size=4))


def as_treebank(given_analyses: list[list[tuple[int, str, str]]]) -> Treebank:
    rows = [
        "".join(
            f"{n}\tw{n}\t_\tX\t_\t{feats}\t{head}\t{label}\t_\t_\n" for n, (head, label, feats) in enumerate(one, 1)
        )
        for one in given_analyses
    ]
    return Treebank("".join(f"{block}\n" for block in rows).encode())


@given(analyses())
def test_only_what_differs_is_drawn_with_its_heads(several: list[list[tuple[int, str, str]]]) -> None:
    size = len(several[0])
    differ = {at for at in range(size) if len({one[at] for one in several}) > 1}
    kept = sorted(differ | {one[at][0] - 1 for one in several for at in differ if one[at][0]}) or list(range(size))
    for one, (tree, marks) in zip(several, differing_parts(list(as_treebank(several))), strict=True):
        assert [word.form for word in tree.words if word.form != GAP] == [f"w{at + 1}" for at in kept]
        assert (GAP, GAP) not in pairwise(tree.forms)
        number = {form: place for place, form in enumerate(tree.forms, 1)}
        for at in kept:
            word, mark = tree.words[number[f"w{at + 1}"] - 1], marks[number[f"w{at + 1}"] - 1]
            head, label, feats = one[at]
            assert word.head == (0 if head == 0 else number.get(f"w{head}"))
            assert word.label == label
            names = ("head", "deprel", "feats")
            expected = [
                name for name, mine, theirs in zip(names, one[at], several[0][at], strict=True) if mine != theirs
            ]
            assert mark == ", ".join(expected)
            if len({another[at][2] for another in several}) > 1:
                assert word.upos == f"X {feats}"


def test_an_analysis_of_other_words_stays_whole() -> None:
    trees = [as_treebank([[(0, "a", "_")] * size])[0] for size in (2, 3)]
    parts = differing_parts(trees)
    assert [len(tree.words) for tree, _ in parts] == [2, 3]
    assert not any(mark for _, marks in parts for mark in marks)


def test_marks_are_drawn_in_all_formats() -> None:
    (first, _), (second, marks) = differing_parts(
        list(as_treebank([[(0, "root", "_"), (1, "a", "_")], [(0, "root", "_"), (1, "b", "X=1")]]))
    )
    assert drawn(second, marks).splitlines()[-1].endswith("≠ deprel, feats")
    assert "dashed" in tikz(second, None, marks)
    assert "dashed" not in tikz(first)
    root = ElementTree.fromstring(svg_of_all([Marked(first, ("", "")), Marked(second, marks)], "two"))
    kinds = [part.get("class") for part in root.iter()]
    assert kinds.count("d") == kinds.count("t m") == 1


def test_a_word_that_is_its_own_head_has_no_arc() -> None:
    """No tree has one, but a file may."""
    tree = tree_of([1, 0, 2])
    assert tree.arcs == [(2, 3)]
    for picture in (svg(tree), svg(tree, tree_of([2, 0, 2])), tikz(tree)):
        assert "w1" in picture
