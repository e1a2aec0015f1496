"""Trees as lessons: nothing is lost on the way there and back, and candidates are what the definition says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gardenpath.phrase import PhraseTree, from_notation, raised, to_notation
from gardenpath.phrase.heads import head_child
from gardenpath.phrase.punctuation import at_root, lowered
from gardenpath.phrase.source import read
from gardenpath.phrase.tree import Node
from gardenpath.systems.chart.inventory import Inventory, inventory_of
from gardenpath.systems.chart.lessons import Lesson, Skeleton, lesson_of, skeleton_of, tree_of

MARKS = frozenset({"$.", "$,", "$("})


def head(node: Node) -> Node:
    return head_child(node, "tiger")


def restored(lesson: Lesson) -> PhraseTree:
    return at_root(tree_of(lesson.words, lesson.tree, lesson.functions, lesson.mothers.tolist()), MARKS)


def bare(tree: PhraseTree) -> tuple[object, ...]:
    return tree.words, tree.tags, tree.labels, tree.functions, tree.mothers


def test_trees_come_back(file_named: Callable[[str], Path]) -> None:
    """The bundled trees, 22 of which have gaps; what hangs where it was raised to is the raised tree."""
    trees = [lowered(tree) for tree in read(file_named("bundled:de-constructions/tiger/trees.export"))]
    assert sum(any(node.has_gap for node in tree.inner) for tree in trees) > 20
    for tree in trees:
        lesson = lesson_of(tree, head, MARKS)
        assert lesson.lost == 0
        assert bare(restored(lesson)) == bare(at_root(tree, MARKS))
        raised_tree = tree_of(lesson.words, lesson.tree, lesson.functions, lesson.tree.mothers[:-1].tolist())
        assert bare(raised_tree) == bare(raised(tree, head))


def test_most_trees_of_a_corpus_come_back(shared: Path) -> None:
    trees = [lowered(tree) for tree in read(sorted((shared / "phrase/tiger-pcc/syntax").glob("*.xml"))[:40])]
    lessons = [lesson_of(tree, head, MARKS) for tree in trees]
    same = [bare(restored(lesson)) == bare(at_root(tree, MARKS)) for lesson, tree in zip(lessons, trees, strict=True)]
    assert np.mean(same) > 0.99
    assert sum(lesson.lost for lesson in lessons) <= len(same) - sum(same)


def path_up(tree: Skeleton, row: int) -> list[int]:
    path = [row]
    while path[-1] != tree.root:
        path.append(int(tree.mothers[path[-1]]))
    return path


def test_candidates_are_the_nodes_below_the_mother_that_stand_apart(toy: list[PhraseTree]) -> None:
    for tree in toy:
        lesson = lesson_of(lowered(tree), head, MARKS)
        rows = lesson.tree
        expected = []
        for row in range(rows.root):
            mother = int(rows.mothers[row])
            below = [
                inner
                for inner in range(rows.tokens, rows.root)
                if mother in path_up(rows, inner)[1:]
                and (rows.ends[inner] < rows.begins[row] or rows.ends[row] < rows.begins[inner])
            ]
            if below and rows.names[row] not in MARKS:
                expected += [(row, target) for target in (mother, *below)]
        pairs = lesson.candidates
        assert list(zip(pairs.children.tolist(), pairs.targets.tolist(), strict=True)) == expected
        assert pairs.groups.tolist() == [sorted({row for row, _ in expected}).index(row) for row, _ in expected]


def test_chains_are_the_nodes_over_one_span() -> None:
    lesson = lesson_of(from_notation("(S (CVP:OC (VP:CJ (VVPP:HD gelebt))) (VAFIN:HD hat))"), head, MARKS)
    assert lesson.chains == ((0, 2, ("S",)), (0, 1, ("CVP", "VP")))
    assert lesson.tree.names == ("VVPP", "VAFIN", "S", "CVP", "VP", "")
    assert lesson.functions == ("HD", "HD", "", "OC", "CJ")
    assert lesson.tree.mothers.tolist() == [4, 2, 5, 2, 3, 5]


def test_mothers_that_would_make_a_circle_are_not_taken() -> None:
    tree = skeleton_of([(0, 6, ("S",)), (0, 2, ("A",)), (4, 6, ("B",))], ["T"] * 6)
    mothers = tree.mothers[:-1].tolist()
    mothers[7], mothers[8] = 8, 7  # A below B, and B below A
    parsed = tree_of("abcdef", tree, [""] * 9, mothers)
    assert sorted(parsed.labels) == ["A", "B", "S"]
    assert {parsed.labels[node.number - 6]: node.words for node in parsed.inner}["B"] == tuple("abef")


def test_phrases_with_one_child_are_left_out_unless_their_category_may_have_one() -> None:
    lesson = lesson_of(from_notation("(S (CVP:OC (VP:CJ (VVPP:HD gelebt))) (VAFIN:HD hat))"), head, MARKS)
    row = lesson.words, lesson.tree, lesson.functions, lesson.mothers.tolist()
    assert to_notation(tree_of(*row, single=["CVP", "VP"])) == to_notation(tree_of(*row))
    assert to_notation(tree_of(*row, single=["CVP"])) == "(S (CVP:OC (VVPP:CJ gelebt)) (VAFIN:HD hat))"
    assert to_notation(tree_of(*row, single=[])) == "(S (VVPP:OC gelebt) (VAFIN:HD hat))"


def test_an_inventory_is_read_as_it_was_written() -> None:
    """Also with a phrase in a phrase of the same category, over the same words."""
    lines = ["(S (NP (NP (NE Anna) (NE Berta))) (VVFIN singt))", "(S (NP (NE Anna)) (VVFIN singt))"]
    made = inventory_of([lesson_of(from_notation(line), head, MARKS) for line in lines], MARKS, gaps="lower")
    assert ("NP", "NP") in made.chains
    assert made.single == ("NP",)
    assert Inventory.from_json(made.to_json()) == made


@pytest.mark.parametrize("line", ["(NE Anna)", "(NP (NE Anna))", "($. .)"])
def test_one_word(line: str) -> None:
    tree = from_notation(line)
    assert bare(restored(lesson_of(tree, head, MARKS))) == bare(tree)
