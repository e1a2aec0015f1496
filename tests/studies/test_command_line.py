"""The command line that a run keeps: typed again, it asks for the same settings and the same systems."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from gardenpath.cli.main import main
from gardenpath.data import bundled
from gardenpath.runs.record.run import Run
from gardenpath.studies.displacement.declaration import PairSettings
from gardenpath.studies.displacement.pair import DISPLACEMENT_PAIR
from gardenpath.studies.engine.study import command_line
from gardenpath.studies.evaluation.declaration import GROUPINGS, EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.studies.roles.declaration import WordOrderSettings
from gardenpath.studies.roles.word_order import WORD_ORDER
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.systems.asking.entrants import entrants_of
from gardenpath.treebank import read


def test_only_what_is_not_as_by_default_is_named() -> None:
    systems = entrants_of({"near": "baseline:nearest-head", "a:b": "baseline:right-branching"}, "parser")
    settings = EvaluationSettings(gold=("tags",), by=GROUPINGS, independent=True)
    assert command_line(EVALUATION, "my gold.conllu", systems, settings) == (
        "gardenpath evaluate 'my gold.conllu' near=baseline:nearest-head baseline:right-branching "
        "--independent --gold tags --by all"
    )
    pair = command_line(DISPLACEMENT_PAIR, ("a", "b"), [], PairSettings(draws=50, seed=3))
    assert pair == "gardenpath displacement pair a b --draws 50 --seed 3"
    clauses = command_line(WORD_ORDER, "gold.conllu", [], WordOrderSettings(treebank="gold.conllu"))
    assert clauses == "gardenpath roles --treebank gold.conllu"


def test_the_checkpoints_of_a_model_are_typed_as_one_system() -> None:
    typed = ["Pythia=hf:pythia@step{1,2,4}", "hf:gpt2,hf:gpt2-medium"]
    systems = entrants_of(typed, "language model")
    assert len(systems) == 4
    assert shlex.split(command_line(SURPRISAL, "suite.json", systems, SurprisalSettings()))[2:] == [
        "suite.json",
        *typed,
    ]


def test_objects_have_no_command_line() -> None:
    gold = read(bundled("de-test"))
    system = entrants_of(["baseline:nearest-head"], "parser")
    assert command_line(EVALUATION, gold, system, EvaluationSettings()) == ""
    assert command_line(EVALUATION, "gold.conllu", entrants_of({"x": gold}, "parser"), EvaluationSettings()) == ""


def test_what_was_typed_is_kept_and_does_not_tell_runs_apart(tmp_path: Path) -> None:
    typed = ["evaluate", "bundled:de-test", "baseline:nearest-head", "--gold", "tags"]
    for folder, more in (("first", []), ("second", ["-f", "json"])):
        with pytest.raises(SystemExit) as ended:
            main([*typed, *more, "--run", str(tmp_path / folder), "-o", str(tmp_path / f"{folder}.txt")])
        assert not ended.value.code
    first, second = (Run.load(tmp_path / name) for name in ("first", "second"))
    assert first.record["call"] == second.record["call"] == f"gardenpath {' '.join(typed)}"
    assert first.id == second.id
