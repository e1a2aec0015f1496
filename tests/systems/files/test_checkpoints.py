"""Systems with an axis: names with steps in braces, kept checkpoints, several seeds, objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.systems.asking.entrants import entrants_of
from gardenpath.systems.files.models import (
    CARD,
    CHECKPOINTS,
    growing_steps,
    kept_steps,
    split_step,
    steps_in,
    systems_by_step,
)

ROLE = "language model"


def kept_model(folder: Path, *steps: int) -> Path:
    """What of a model an axis looks at."""
    (folder / CHECKPOINTS).mkdir(parents=True)
    (folder / CARD).write_text("{}", encoding="utf-8")
    for step in steps:
        (folder / CHECKPOINTS / f"step-{step}.pt").write_bytes(b"")
    return folder


def test_steps_in_braces_are_one_system():
    entrants = entrants_of(["A=hf:me/model@step{4,1,8..24..8}#dtype=bfloat16", "hf:b-{2,10}", "hf:plain"], ROLE)
    assert [entrant.step for entrant in entrants] == [1, 4, 8, 16, 24, 2, 10, None]
    assert [entrant.axis for entrant in entrants] == ["A"] * 5 + ["hf:b-{2,10}"] * 2 + [""]
    assert entrants[1].name == "A@4"
    assert entrants[1].given == ("hf:me/model@step4#dtype=bfloat16",)
    assert entrants[6].name == "hf:b-10"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hf:x@step{3..1}", "names none"),
        ("hf:x@step{1,1}", "one of them twice"),
        ("hf:x@step{1,2.5}", "'2.5' is not a step"),
        ("hf:x{1,2}@step{1,2}", "one axis"),
        ("hf:x@step{0..99999999}", "more than 10,000 steps"),
        ("lstm:nowhere@all", "no checkpoints were kept"),
    ],
)
def test_an_axis_that_is_none(name, message):
    with pytest.raises(UsageError, match=message):
        entrants_of([name], ROLE)


def test_braces_in_the_name_of_a_file_are_no_axis(tmp_path):
    (tmp_path / "{1,2}").mkdir()
    assert systems_by_step(f"hf:{tmp_path}/{{1,2}}") == {}
    (tmp_path / "x@step8").mkdir()
    assert split_step(f"{tmp_path}/x@step8") == (f"{tmp_path}/x@step8", None)
    assert split_step("x@step8") == ("x", 8)


def test_all_is_what_every_seed_has(tmp_path):
    for seed, steps in enumerate([(1, 2, 10, 40), (1, 2, 10)]):
        kept_model(tmp_path / "models" / f"seed-{seed}", *steps)
    assert kept_steps(tmp_path / "models" / "seed-0") == [1, 2, 10, 40]
    entrants = entrants_of({"L": f"lstm:{tmp_path}/models@all"}, ROLE)
    assert [entrant.name for entrant in entrants] == ["L@1", "L@2", "L@10"]
    assert entrants[2].given == tuple(f"lstm:{tmp_path}/models/seed-{seed}@step10" for seed in (0, 1))
    (only,) = entrants_of(f"lstm:{tmp_path}/models@step2", ROLE)
    assert len(only) == 2
    assert not only.axis


def test_seeds_that_are_listed_have_the_same_steps():
    entrants = entrants_of("L=lstm:a@step{1,2},lstm:b@step{1,2}", ROLE)
    assert [entrant.given for entrant in entrants] == [
        ("lstm:a@step1", "lstm:b@step1"),
        ("lstm:a@step2", "lstm:b@step2"),
    ]
    with pytest.raises(UsageError, match="different checkpoints"):
        entrants_of("L=lstm:a@step{1,2},lstm:b@step{1,4}", ROLE)


@pytest.mark.parametrize("other", ["L=lstm:c", "L=lstm:c@step{4,8}"])
def test_an_axis_has_a_name_of_its_own(other):
    with pytest.raises(UsageError, match="named twice: L"):
        entrants_of(["L=lstm:a@step{1,2}", other], ROLE)


def test_entrants_are_taken_as_they_are():
    entrants = entrants_of("L=lstm:a@step{1,2}", ROLE)
    assert entrants_of(entrants, ROLE) == entrants


@pytest.mark.parametrize("name", ["command:xargs -I {} parse {}", "command:awk '{1}'", "hf:{a,b}"])
def test_other_braces_are_no_axis(name):
    (entrant,) = entrants_of([name], ROLE)
    assert entrant.given == (name,)


def test_objects_by_step():
    entrants = entrants_of({"m": {20: "lstm:b", 3: lambda sentences: []}}, ROLE)
    assert [(entrant.name, entrant.axis, entrant.step) for entrant in entrants] == [("m@3", "m", 3), ("m@20", "m", 20)]
    with pytest.raises(UsageError, match="known by their steps"):
        entrants_of({"m": {"late": "lstm:b"}}, ROLE)


@pytest.mark.parametrize(("count", "last"), [(1, 1), (1, 50), (2, 50), (12, 12), (12, 13), (12, 5000), (20, 7)])
def test_growing_steps_are_distinct_and_end_with_the_last(count, last):
    steps = growing_steps(count, last)
    assert len(set(steps)) == len(steps) == min(count, last)
    assert steps == sorted(steps)
    assert (steps[-1], steps[0]) == (last, last if count == 1 else 1)


def test_growing_steps_grow_by_a_factor():
    assert growing_steps(7, 1_000_000) == [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
    assert steps_in("0..6..3, 1", "x") == [0, 1, 3, 6]
