"""Groups of items by columns: values in the order in which they come, numbers in order and cut at quartiles."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.cli.main import main
from gardenpath.data import bundled
from gardenpath.errors import UsageError
from gardenpath.runs.record.run import Run
from gardenpath.studies.displacement.declaration import PairSettings
from gardenpath.studies.displacement.pair import DISPLACEMENT_PAIR
from gardenpath.studies.engine.grouping import SINGLE, asked_groups, column_groups, known_column
from gardenpath.studies.engine.study import command_line, run
from gardenpath.studies.evaluation.declaration import GROUPINGS, EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.studies.roles.declaration import WordOrderSettings
from gardenpath.studies.roles.word_order import WORD_ORDER
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.systems.asking.entrants import entrants_of
from gardenpath.treebank import read
from group_checks import group, same


def test_texts_and_few_numbers_have_a_group_each() -> None:
    made = column_groups(["domain"], {"domain": ["news", "books", " news ", None, ""]})
    assert list(made.groups) == [{"domain": "news"}, {"domain": "books"}]
    assert [members.tolist() for members in made.members] == [
        [True, False, True, False, False], [False, True, False, False, False],
    ]  # fmt: skip
    assert made.note == "2 items without a value are in no group"
    depth = column_groups(["depth"], {"depth": ["10", "2", "2", "1.5"]})
    assert [group["depth"] for group in depth.groups] == [1.5, 2, 10]


def test_many_numbers_are_cut_at_the_quartiles() -> None:
    values = list(range(1, 101))
    made = column_groups(["x"], {"x": [str(value) for value in values]})
    assert [group["x"] for group in made.groups] == ["1 to 25", "26 to 50", "51 to 75", "76 to 100"]
    assert [int(members.sum()) for members in made.members] == [25, 25, 25, 25]
    assert made.note == "x: 100 different numbers, cut at the quartiles of all items"


@pytest.mark.parametrize("seed", range(5))
def test_bins_hold_every_number_once_in_order_and_never_part_equal_ones(seed: int) -> None:
    values = np.random.default_rng(seed).geometric(0.1, 300)
    made = column_groups(["x"], {"x": values.tolist()})
    assert np.sum(made.members, axis=0).tolist() == [1] * 300
    parts = [set(values[members].tolist()) for members in made.members]
    assert len(np.unique(values)) > SINGLE
    for lower, upper in pairwise(parts):
        assert max(lower) < min(upper)


def test_two_columns_cross() -> None:
    made = column_groups(["a", "b"], {"a": ["x", "x", "y"], "b": [2, 1, 1]})
    assert list(made.groups) == [{"a": "x", "b": 1}, {"a": "x", "b": 2}, {"a": "y", "b": 1}]


def test_truth_values_are_no_numbers_and_too_many_groups_are_refused() -> None:
    assert [group["x"] for group in column_groups(["x"], {"x": [True, False]}).groups] == ["True", "False"]
    with pytest.raises(UsageError, match="x make 401 groups"):
        column_groups(["x"], {"x": [f"s{number}" for number in range(401)]})


def test_a_column_is_found_by_its_letters_and_an_unknown_one_lists_all() -> None:
    columns = ["Number (phenomenon)", "tree_depth"]
    assert known_column("TREE-depth", columns, ()) == "tree_depth"
    with pytest.raises(
        UsageError, match=r"unknown grouping 'xyz'\n  known: Number \(phenomenon\), all, class, tree_depth"
    ):
        known_column("xyz", columns, ["class"])


def test_an_item_of_several_values_is_in_several_groups() -> None:
    made = column_groups(["p", "g"], {"p": [("x", "y"), ("y",), ()], "g": ["a", "b", "a"]})
    assert list(made.groups) == [{"p": "x", "g": "a"}, {"p": "y", "g": "a"}, {"p": "y", "g": "b"}]
    assert [members.tolist() for members in made.members] == [
        [True, False, False], [True, False, False], [False, True, False],
    ]  # fmt: skip
    assert made.note == "1 items without a value are in no group"


def test_a_column_does_not_pass_for_what_findings_say_of_themselves() -> None:
    made = asked_groups(["system", "kind"], {"system": ["a"], "kind": ["b"]}, (), ("kind",))
    assert made is not None
    assert list(made.groups) == [{"column system": "a", "column kind": "b"}]
    with pytest.raises(UsageError, match="3 columns to cross"):
        asked_groups(["a", "b", "c"], {"a": [1], "b": [1], "c": [1]}, ())
    assert known_column("genre", ["meta::genre"], ()) == "meta::genre"


# ---- `--by COLUMN`: a group of sentences has the score that the study has on its sentences alone


def sentences(count: int, genres: Sequence[str]) -> dict[str, bytes]:
    """Blocks of a generated suite of roles, each with a comment that says its genre: all, and those of each genre."""
    trees = gp.read("bundled:de-roles")
    blocks = [trees.block(number) for number in range(count)]
    marked = [(f"# genre = {genres[number % len(genres)]}\n").encode() + block for number, block in enumerate(blocks)]
    parts = {name: b"".join(marked[place :: len(genres)]) for place, name in enumerate(genres)}
    return {"": b"".join(marked), **parts}


@pytest.fixture(scope="module")
def genres(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    folder = tmp_path_factory.mktemp("genres")
    for name, data in sentences(60, ["news", "books", "news"]).items():
        (folder / f"{name or 'all'}.conllu").write_bytes(data)
    return {name: folder / f"{name or 'all'}.conllu" for name in ("", "books")}


def test_roles(genres: Mapping[str, Path]) -> None:
    """By a comment; crossed with order; and by property, of which an item has several."""
    result = gp.roles(genres[""], ["baseline:subject-first"], by="genre")
    alone = gp.roles(genres["books"], ["baseline:subject-first"])
    for measure in ("las", "uas", "label"):
        same(group(result, measure, genre="books"), group(alone, measure))
    assert group(result, "size", genre="books").value == 20
    assert [shown.name for shown in result.tables if not shown.folded] == ["systems", "by-genre"]
    crossed = gp.roles(genres[""], ["baseline:subject-first"], by="genre,order")
    for finding in alone.findings:
        if finding.measure == "las" and set(finding.by) == {"order"}:
            same(group(crossed, "las", genre="books", order=finding.by["order"]), finding)
    properties = gp.roles(genres[""], ["baseline:subject-first"], by=("property", "genre"))
    for finding in alone.findings:
        if finding.measure == "las" and set(finding.by) == {"property"}:
            same(group(properties, "las", genre="books", property=finding.by["property"]), finding)
    assert "|by:genre,order|" in crossed.signature
    assert "|by:" not in gp.roles(genres[""], ["baseline:subject-first"], by="property").signature


def test_evaluation(genres: Mapping[str, Path]) -> None:
    result = gp.evaluate(genres[""], ["baseline:right-branching"], by="genre")
    alone = gp.evaluate(genres["books"], ["baseline:right-branching"])
    right, total = group(alone, "las_correct"), group(alone, "las_aligned")
    assert group(result, "las", genre="books").value == pytest.approx(total.value)
    assert right.value
    with pytest.raises(UsageError, match="unknown grouping 'gnre'\n  did you mean genre"):
        gp.evaluate(genres[""], ["baseline:right-branching"], by="gnre")


def test_settings_tell_tables_from_columns() -> None:
    from gardenpath.studies.roles.declaration import GROUPINGS, RolesSettings

    assert RolesSettings(by=("order", "pairs")).columns == ()
    crossing = RolesSettings(by=("order", "pairs", "genre"))
    assert (crossing.columns, crossing.tables) == (("order", "genre"), ("pairs",))
    assert RolesSettings(by=("all",)).tables == GROUPINGS


def test_a_run_is_found_again_and_another_column_is_another_run(genres: Mapping[str, Path], tmp_path: Path) -> None:
    from gardenpath.studies.roles.declaration import RolesSettings
    from gardenpath.studies.roles.study import ROLES

    chosen = RolesSettings(by=("genre",))
    first = run(ROLES, str(genres[""]), ["baseline:subject-first"], chosen, folder=tmp_path / "run")
    again = run(ROLES, str(genres[""]), ["baseline:subject-first"], chosen, folder=tmp_path / "run")
    assert [table.name for table in again.tables] == [table.name for table in first.tables]
    assert again.signature == first.signature


# ---- the command line that a run keeps: typed again, it asks for the same settings and the same systems


def test_only_what_is_not_as_by_default_is_named() -> None:
    systems = entrants_of({"near": "baseline:nearest-head", "a:b": "baseline:right-branching"}, "parser")
    settings = EvaluationSettings(gold=("tags",), by=GROUPINGS, independent=True)
    assert command_line(EVALUATION, "my gold.conllu", systems, settings) == (
        "gardenpath evaluate 'my gold.conllu' near=baseline:nearest-head baseline:right-branching "
        "--set independent=yes --gold tags --by all"
    )
    pair = command_line(DISPLACEMENT_PAIR, ("a", "b"), [], PairSettings(draws=50, seed=3))
    assert pair == "gardenpath displacement a b --set draws=50 --seed 3"
    clauses = command_line(WORD_ORDER, "gold.conllu", [], WordOrderSettings())
    assert clauses == "gardenpath roles gold.conllu"


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
