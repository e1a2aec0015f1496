"""Drawings of phrase trees: what the lines say is the tree, and branches cross only where a node has a gap."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import given

from gardenpath.phrase import ROOT, PhraseTree, from_notation, grown
from gardenpath.phrase.drawing import Layout, different, drawn, drawn_difference, laid_out, stretches, svg, tikz
from phrase.random_trees import trees

GOLD = from_notation("(S (NP:SB (ART:NK Die) (NN:NK Katze)) (VVFIN:HD sieht) (NP:OA (NN:NK Hunde))) ($. .)", "s1")
PARSE = from_notation(
    "(S (VP:OC#1 (NP:OA (ART:NK Die) (NN:NK Katze))) (VVFIN:HD sieht) (VP:OC#1 (NP:OA (NN:NK Hunde)))) ($. .)", "s1"
)
EVIL = "</text><script>alert(1)</script>\"'&\u202e"


def places(tree: PhraseTree) -> list[float]:
    return [10.0 * token for token in range(len(tree))]


def crossed_bars(layout: Layout) -> list[int]:
    """The nodes through whose bars the line of another node goes up."""
    xs, levels, crossed = layout.xs, layout.levels, []
    for node, mother in enumerate(layout.tree.mothers):
        for other, (left, right) in layout.bars.items() if mother != ROOT else ():
            between = other not in (node, mother) and levels[node] < levels[other] < levels[mother]
            if between and left <= xs[node] <= right:
                crossed.append(other)
    return crossed


def is_crossed(tree: PhraseTree, node: int) -> bool:
    """Has the node a gap with a token that is not at the root?"""
    own = tree[node].positions
    between = set(range(own[0], own[-1] + 1)) - set(own)
    return any(tree.mothers[token] != ROOT for token in between)


@given(trees())
def test_lines_cross_where_nodes_have_gaps_and_nowhere_else(tree: PhraseTree) -> None:
    found = laid_out(tree, places(tree))
    crossed = crossed_bars(found)
    assert all(is_crossed(tree, node) for node in crossed)
    if not any(is_crossed(tree, node.number) for node in tree.inner):
        assert crossed == []


@given(trees())
def test_nodes_stand_over_their_own_tokens_and_bars_do_not_touch(tree: PhraseTree) -> None:
    found = laid_out(tree, places(tree), room=1)
    for node in tree.inner:
        x = found.xs[node.number]
        assert any(10 * first <= x <= 10 * last for first, last in stretches(node.mask))
        assert all(found.levels[child.number] < found.levels[node.number] for child in node.children)
    bars = [(found.levels[node], *ends) for node, ends in found.bars.items()]
    for place, (level, left, right) in enumerate(bars):
        for other, begin, end in bars[place + 1 :]:
            assert level != other or right < begin or end < left
    # No label is crossed out: through a node's own place go only lines of its descendants and ancestors.
    for node in tree.inner:
        for other, mother in enumerate(tree.mothers):
            goes_by = mother != ROOT and found.levels[other] < found.levels[node.number] < found.levels[mother]
            if goes_by and found.xs[other] == found.xs[node.number]:
                assert tree.masks[other] & node.mask


@given(trees())
def test_a_tree_does_not_differ_from_itself(tree: PhraseTree) -> None:
    assert not any(different(tree, tree))


@given(trees())
def test_a_drawing_has_a_line_for_each_edge(tree: PhraseTree) -> None:
    root = ElementTree.fromstring(svg(tree))
    lines = [path.get("d") or "" for path in root.iter("{http://www.w3.org/2000/svg}path")]
    assert sum("H" in line for line in lines) == sum(mother != ROOT for mother in tree.mothers)
    assert sum("C" in line for line in lines) == len(tree.secondary)
    assert len(drawn(tree).split("\n")) == 1 + len(tree.mothers)


def test_what_differs() -> None:
    assert different(GOLD, PARSE) == ["", "", "", "", "", "function", "", ""]
    assert different(PARSE, GOLD) == ["", "", "", "", "", "function", "", "node", ""]
    tagged = grown(GOLD.words, ["X", *GOLD.tags[1:]], GOLD.labels, GOLD.functions, GOLD.mothers)
    assert different(GOLD, tagged)[0] == "tag"
    raised = grown(GOLD.words, GOLD.tags, GOLD.labels, GOLD.functions, [*GOLD.mothers[:4], 7, *GOLD.mothers[5:]])
    assert different(GOLD, raised)[4] == "root"


def test_two_trees_in_one_drawing() -> None:
    picture = svg(GOLD, PARSE)
    root = ElementTree.fromstring(picture)
    marked = [one for one in root.iter("{http://www.w3.org/2000/svg}g") if one.get("class") == "d"]
    # Gold: one function, on its line, its label and its box; parse: the same, and the node with line, label and box.
    assert len(marked) == 3 + 6
    assert picture.count(">sieht<") == 2


def test_on_a_terminal() -> None:
    assert drawn(PARSE).split("\n")[1:] == [
        "S",
        "├ OC VP ⌇ 1–2, 4",
        "│ ├ OA NP",
        "│ │ ├ NK ART   1 Die",
        "│ │ ╰ NK NN    2 Katze",
        "│ ╰ OA NP",
        "│   ╰ NK NN    4 Hunde",
        "╰ HD VVFIN     3 sieht",
        "$.             5 .",
    ]
    both = drawn_difference(GOLD, PARSE)
    assert "≠ ├ SB NP  (function)" in both
    assert "≠ ├ OC VP ⌇ 1–2, 4" in both
    assert "1 of 3 nodes of gold are not so in the other, 2 of 4 are not so in gold" in both
    assert "\x1b[31m≠" in drawn_difference(GOLD, PARSE, colour=True)


def test_secondary_edges_and_commas_at_the_root() -> None:
    tree = grown(
        ["a", ",", "b"], ["X", "$,", "X"], ["NP", "S"], ["", "", "", "SB", ""], [3, ROOT, 4, 4, ROOT], [(3, "OA", 4)]
    )
    text = drawn(tree)
    assert "⌇" not in text  # a comma at the root has no branch that could cross
    assert "⇢OA S 1, 3" in text
    assert "\\draw[secondary] (a3) to[bend right] node[function] {OA} (a4);" in tikz(tree)


def test_latex_has_every_node_and_edge() -> None:
    made = tikz(GOLD, PARSE)
    assert made.count("\\node[") == len(GOLD.mothers) + len(PARSE.mothers)
    assert len(re.findall(r"\\draw(?:\[differs\])? ", made)) == sum(
        mother != ROOT for tree in (GOLD, PARSE) for mother in tree.mothers
    )
    assert made.count("{") == made.count("}")


def test_labels_stay_text() -> None:
    tree = grown([EVIL, "שלום"], [EVIL, "X"], [EVIL], [EVIL, "", EVIL], [2, 2, ROOT], [(0, EVIL, 2)])
    root = ElementTree.fromstring(svg(tree))
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))
    shown = EVIL.replace("\u202e", " ")  # what turns the direction of writing does not reach a page
    assert shown in [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_words_of_right_to_left_scripts_begin_at_the_right() -> None:
    tree = from_notation("(S (NP אני) (ADV כאן))")
    root = ElementTree.fromstring(svg(tree))
    words = [text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.get("class") == "w"]
    assert float(words[0].get("x") or 0) > float(words[1].get("x") or 0)


def test_three_hundred_tokens_one_inside_the_other() -> None:
    size = 300
    mothers = [size + token for token in range(size)] + [size + 1 + token for token in range(size - 1)] + [ROOT]
    tree = grown([f"w{n}" for n in range(size)], ["X"] * size, ["NP"] * size, [""] * 2 * size, mothers)
    assert laid_out(tree, places(tree)).height == size
    assert len(drawn(tree).split("\n")) == 1 + 2 * size
    assert svg(tree).startswith("<svg")
