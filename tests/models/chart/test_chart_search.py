"""Span parser: search against brute force, and training."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from gardenpath.phrase import PhraseTree, from_notation, raised, to_notation, write
from gardenpath.phrase.edits.tokens import at_root, lowered
from gardenpath.phrase.formats.source import read
from gardenpath.phrase.heads import head_child
from gardenpath.phrase.tree import Node
from gardenpath_models.chart.lessons import Inventory, Lesson, Skeleton, inventory_of, lesson_of, skeleton_of, tree_of

torch = pytest.importorskip("torch", reason="the extra neural is not installed")
from toy_trees import LINES, OPTIONS  # noqa: E402

from gardenpath.errors import GardenpathError, InputError  # noqa: E402
from gardenpath.runs.work.where import Where  # noqa: E402
from gardenpath.systems import parse_trees_with, phrase_parser, train  # noqa: E402
from gardenpath.systems.files.models import read_card  # noqa: E402
from gardenpath_models.chart.decoding import (  # noqa: E402
    Answers,
    best_mothers,
    best_splits,
    probabilities,
    spans_of,
    spans_of_all,
    tree_loss,
)
from gardenpath_models.chart.lessons import candidates  # noqa: E402
from hostile import Hostile  # noqa: E402
from interrupted_training import interrupt_after_an_epoch  # noqa: E402

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


Tree = tuple[tuple[int, int], ...]


def binary_trees(begin: int, end: int) -> Iterator[Tree]:
    """Every binary tree over these fenceposts, as its spans."""
    if end - begin == 1:
        yield ((begin, end),)
    for middle in range(begin + 1, end):
        for left, right in product(binary_trees(begin, middle), binary_trees(middle, end)):
            yield ((begin, end), *left, *right)


def test_the_best_tree_of_all() -> None:
    """Sentences of 1 to 6 words in one batch; 42 trees over 6 words."""
    lengths = [1, 6, 3, 2, 5, 4]
    scores = torch.randn((len(lengths), 7, 7), generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    best, splits = best_splits(scores, torch.tensor(lengths))
    for number, length in enumerate(lengths):
        trees = list(binary_trees(0, length))
        sums = [sum(float(scores[number, begin, end]) for begin, end in tree) for tree in trees]
        assert float(best[number]) == pytest.approx(max(sums))
        chosen = spans_of(splits[number].tolist(), length)
        assert sorted(chosen) == sorted(trees[int(np.argmax(sums))])
        assert chosen == sorted(chosen, key=lambda span: (span[0], -span[1])), "mothers first"
    assert len(list(binary_trees(0, 6))) == 42


def gold_of(chains: list[tuple[int, int, int]]) -> Answers:
    return Answers(np.zeros(0, np.int64), np.array(chains, np.int64).reshape(-1, 3), np.zeros(0, np.int64))


def test_the_loss_is_that_of_a_distribution_over_all_trees() -> None:
    """Brute force: every binary tree with every chain at every span, of sentences of 4, 1 and 2 words, 3 chains.

    Summed over the binary trees that come to it, the probability of gold is exp(-loss) times their number.
    """
    lengths, gold = [4, 1, 2], [{(0, 4): 1, (1, 3): 2}, {(0, 1): 1}, {(0, 1): 2}]
    spans = spans_of_all(lengths)
    at = {tuple(place): number for number, place in enumerate(spans.places.tolist())}
    answers = [gold_of([(begin, end, chain) for (begin, end), chain in own.items()]) for own in gold]
    scores = torch.randn((len(at), 3), generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    scores[:, 0] = 0
    marginal = probabilities(scores, spans, torch.tensor(lengths))
    plain = scores.tolist()
    expected = 0.0
    for number, (length, true) in enumerate(zip(lengths, gold, strict=True)):
        every = right = 0.0
        same = 0
        likely: dict[tuple[int, int], float] = {}
        for tree in binary_trees(0, length):
            for chains in product(range(3), repeat=len(tree)):
                labelled = dict(zip(tree, chains, strict=True))
                weight = math.exp(sum(plain[at[number, *span]][chain] for span, chain in labelled.items()))
                every += weight
                for place, chain in ((at[number, *span], chain) for span, chain in labelled.items()):
                    likely[place, chain] = likely.get((place, chain), 0.0) + weight
                if {span: chain for span, chain in labelled.items() if chain} == true:
                    right += weight
                    same += 1
        expected -= math.log(right / every / same)
        for (place, chain), weight in likely.items():
            assert float(marginal[place, chain]) == pytest.approx(weight / every)
    scores.requires_grad_()
    assert float(tree_loss(scores, spans, torch.tensor(lengths), answers).detach()) == pytest.approx(expected)
    assert torch.autograd.gradcheck(lambda given: tree_loss(given, spans, torch.tensor(lengths), answers), (scores,))


@pytest.mark.parametrize(
    ("loss", "single", "mother"),
    [(0.5, (), "VP"), (2.0, (), "S"), (0.5, ("VP",), "S"), (-0.5, ("VP",), "VP")],
    ids=["nearly as likely", "much less likely", "may have one child", "more likely"],
)
def test_a_phrase_with_one_child_takes_what_nearly_belongs_there(
    loss: float, single: tuple[str, ...], mother: str
) -> None:
    """*Das Buch hat er gelesen*: S over all, NP over the first two words, VP over the last."""
    tree = skeleton_of([(0, 5, ("S",)), (0, 2, ("NP",)), (4, 5, ("VP",))], ["ART", "NN", "VAFIN", "PPER", "VVPP"])
    pairs = candidates(tree, ())
    named = [f"{tree.names[a]} at {tree.names[b]}" for a, b in zip(pairs.children, pairs.targets, strict=True)]
    assert {"NP at S", "NP at VP"} < set(named)
    scores = [-loss if name == "NP at VP" else 0 if name.endswith("S") else -9 for name in named]
    found = best_mothers(tree, pairs, np.array(scores, np.float32), single)
    changed = {tree.names[row]: tree.names[found[row]] for row in np.flatnonzero(found != tree.mothers[:-1])}
    assert changed == ({"NP": "VP"} if mother == "VP" else {})


SHORT = {**OPTIONS, "epochs": "3"}


def test_it_learns_labels_functions_tags_and_gaps(model: str, toy: list[PhraseTree]) -> None:
    trees = parse_trees_with(model, [tree.words for tree in toy], where=Where(cache=False)).trees
    assert trees == toy
    assert sum(node.has_gap for tree in toy for node in tree.inner) == 2
    card = read_card(Path(model.partition(":")[2]))
    assert card["dev_scores"] == {"labelled F1": 100.0, "coverage": 100.0}
    assert card["log"]["scheme"] == "tiger"
    assert card["log"]["raised"] == 6
    assert card["signature"] == phrase_parser(model).signature


def test_odd_input(model: str, toy: list[PhraseTree]) -> None:
    """Unknown words and characters have a tree, a word alone too; nothing and too much have none."""
    parser = phrase_parser(model)
    odd = [["der", "Æsir", "schläft", "."], ["Katze"], [], ["☃"], ["a"] * 151, [""]]
    trees = parser.parse_trees([*odd, toy[0].words])
    assert [tree is None for tree in trees] == [False, False, True, False, True, False, False]
    assert [tree.words for tree in trees if tree] == [tuple(odd[at]) for at in (0, 1, 3, 5)] + [toy[0].words]
    assert trees[-1] == toy[0], "what is parsed with it makes no difference"
    assert parser.parse_trees([]) == []


def test_trees_without_gaps_teach_none(toy: list[PhraseTree], tmp_path: Path) -> None:
    """Nothing is learned about mothers from such trees; untrained, their scores would move nodes at random."""
    solid = [tree for tree in toy if not any(node.has_gap for node in tree.inner)]
    inside = [from_notation(LINES[0].replace(") ($. .)", " ($. .))"), f"inside-{number}") for number in range(4)]
    write([*solid, *inside], tmp_path / "solid.export")
    model = train("chart", tmp_path / "solid.export", output=tmp_path / "m", preset="tiny", options=OPTIONS).system
    words = sorted({word for tree in toy for word in tree.words})
    random = np.random.default_rng(1)
    sentences = [random.choice(words, size).tolist() for size in range(3, 13) for _ in range(8)]
    trees = phrase_parser(model).parse_trees(sentences)
    assert len(trees) == 80
    assert not any(node.has_gap for tree in trees for node in tree.inner)


def test_gaps_can_be_left_raised(toy_file: Path, toy: list[PhraseTree], tmp_path: Path) -> None:
    made = train(
        "chart", toy_file, output=tmp_path / "raised", preset="tiny", options={**SHORT, "gaps": "raise", "keep": "0,2"}
    )
    assert phrase_parser(f"{made.system}@step0").parse_trees([["Hund"]]) != [None]
    trees = phrase_parser(made.system).parse_trees([tree.words for tree in toy])
    assert not any(node.has_gap for tree in trees if tree for node in tree.inner)


def test_gaps_can_be_learned_in_pieces(toy_file: Path, toy: list[PhraseTree], tmp_path: Path) -> None:
    """Pieces are phrases of their own to the network; parses have the nodes whole again, and no marks."""
    made = train("chart", toy_file, output=tmp_path / "split", preset="tiny", options={**OPTIONS, "gaps": "split"})
    trees = phrase_parser(made.system).parse_trees([tree.words for tree in toy])
    assert trees == toy
    assert made.card["log"]["raised"] == 0


def test_an_interrupted_training_goes_on_to_the_same_weights(toy_file: Path, tmp_path: Path) -> None:
    options = {**SHORT, "dropout": "0.2", "forget": "0.5"}

    def trained(name: str, seed: int = 3) -> str:
        made = train("chart", toy_file, output=tmp_path / name, preset="tiny", seed=seed, options=options)
        return str(made.card["signature"])

    whole = trained("whole")
    interrupt_after_an_epoch(lambda: trained("part"))
    assert (tmp_path / "part.checkpoint").exists()
    assert trained("part") == whole
    assert trained("other", seed=4) != whole


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gaps": "splitt"}, "did you mean split"),
        ({"scheme": "tigre"}, "did you mean tiger"),
        ({"hiden": "3"}, "did you mean hidden"),
        ({"dropout": "1"}, "not a share"),
        ({"forget": "-1"}, "less than 0"),
        ({"longest": "3"}, "no training sentence has 3 words or less"),
    ],
)
def test_options_that_cannot_be(toy_file: Path, tmp_path: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(GardenpathError, match=message):
        train("chart", toy_file, output=tmp_path / "m", preset="tiny", options=options)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("inventory.json", lambda saved: saved | {"format": "2"}, "the format is not"),
        ("inventory.json", lambda saved: saved | {"tags": ["NN", "NN"]}, "not lists of different names"),
        ("inventory.json", lambda saved: saved | {"functions": saved["functions"][:-1]}, "weights do not fit"),
        ("inventory.json", lambda saved: saved | {"gaps": "lowered"}, "what it does with gaps"),
        ("network.json", lambda saved: saved | {"hidden": 7}, "weights do not fit"),
        ("network.json", lambda saved: saved | {"kind": "rnng"}, "not settings of a chart parser"),
    ],
)
def test_spoiled_models(model: str, tmp_path: Path, name: str, change: object, message: str) -> None:
    folder = Path(model.partition(":")[2])
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    spoiled = tmp_path / name
    spoiled.write_text(json.dumps(change(json.loads(spoiled.read_text(encoding="utf-8")))), encoding="utf-8")  # type: ignore[operator]
    with pytest.raises(InputError, match=message):
        phrase_parser(f"chart:{tmp_path}").parse_trees([["Hund"]])


def test_weights_that_are_code_are_not_run(model: str, tmp_path: Path) -> None:
    import pickle

    for file in Path(model.partition(":")[2]).iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "weights.pt").write_bytes(pickle.dumps(Hostile(tmp_path / "run")))
    with pytest.raises(InputError, match="nothing of it was run"):
        phrase_parser(f"chart:{tmp_path}").parse_trees([["Hund"]])
    assert not (tmp_path / "run").exists()
