"""Training span parsers and parsing with them: what is learned, odd input, interruptions, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra neural is not installed")

from toy_trees import OPTIONS

from gardenpath.errors import GardenpathError, InputError
from gardenpath.phrase import PhraseTree
from gardenpath.runs.work.where import Where
from gardenpath.systems import parse_trees_with, phrase_parser, train
from gardenpath.systems.files.models import read_card
from interrupted_training import interrupt_after_an_epoch

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

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (open, (str(tmp_path / "run"),))

    for file in Path(model.partition(":")[2]).iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "weights.pt").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(InputError, match="nothing of it was run"):
        phrase_parser(f"chart:{tmp_path}").parse_trees([["Hund"]])
    assert not (tmp_path / "run").exists()
