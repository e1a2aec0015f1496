"""The parser trained as is, augmented and substituted: compared on the same batches, and resumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.runs import Run
from gardenpath.studies.consistency import remedies
from gardenpath.studies.consistency.remedies import Plan, retraining
from gardenpath.treebank import read
from gardenpath.treebank.perturb import OwnValues, Settings, perturbation


def plan(samples: Path, **more: object) -> Plan:
    settings: dict[str, object] = {"preset": "tiny", "augmented": 3, "limit": 4, "per_sentence": 4, **more}
    data = read(samples / "de_garden-train.conllu")
    both = {split: [perturbation("names", Settings("de", split))] for split in ("test", "train")}
    test = read(samples / "de_garden-test.conllu")
    return Plan(data[:80], [test], both["test"], both["train"], **settings)  # type: ignore[arg-type]


def test_all_three_are_compared_and_a_run_goes_on(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = plan(samples)

    def opened(folder: str) -> Run:
        return Run.open(tmp_path / folder, command="consistency --retrain", settings={}, inputs=[])

    with opened("whole") as record:
        whole, parts = retraining(given, draws=20, run=record, progress=False)
    done: list[str] = []
    real = remedies.retrained

    def stops(task: remedies.Retraining) -> dict[str, object]:
        if len(done) == 1:
            raise KeyboardInterrupt
        done.append(task.remedy)
        return real(task)

    monkeypatch.setattr(remedies, "retrained", stops)
    with opened("broken") as record, pytest.raises(KeyboardInterrupt):
        retraining(given, draws=20, run=record, progress=False)
    assert done == ["as is"]
    done.clear()
    monkeypatch.setattr(remedies, "retrained", lambda task: done.append(task.remedy) or real(task))
    with opened("broken") as record:
        again, _ = retraining(given, draws=20, run=record, progress=False)
    assert done == ["augment", "substitute"]  # as is was kept
    assert again == whole
    assert {one.system for one in whole.findings} == {"udpipe as is", "udpipe augment", "udpipe substitute"}
    las = {one.system: one.value for one in whole.findings if one.measure == "las"}
    assert len(las) == 3
    assert all(0 < float(value or 0) <= 100 for value in las.values())
    rows = [list(row)[:3] for row in whole.tables[0].rows]
    assert [row[2] for row in rows] == ["as is", "augment", "substitute"]
    substituted = next(
        one for one in whole.findings if one.system == "udpipe substitute" and one.measure == "originals_considered"
    )
    assert substituted.value == 4
    asked, judged, _ = parts[0]
    assert len(asked.cases) == 4
    assert {system for system, _, _ in judged} == {"udpipe as is", "udpipe augment"}


def test_what_each_model_is_trained_on(samples: Path) -> None:
    given = plan(samples, dev=read(samples / "de_garden-dev.conllu"))
    as_is, augmented, substituted = remedies._tasks(given, given.tested)
    assert as_is.train == given.train.data
    matches = augmented.train.count(b"# perturbation = ") // 3
    assert matches > 2
    assert augmented.train.startswith(as_is.train)
    assert substituted.train.count(b"\tNNNN\tNNNN\t") >= matches
    assert len(substituted.tests[0].asked) < len(as_is.tests[0].asked)
    assert b"NNNN" in substituted.tests[0].asked
    assert b"NNNN" not in as_is.train + as_is.dev + augmented.train
    assert len({task.key for task in (as_is, augmented, substituted)}) == 3
    learnt = {line for line in augmented.train.split(b"\n") if line.startswith(b"# perturbation")}
    values = {line.rpartition(b">")[2].decode() for line in learnt}
    tested = {value for case in given.tested[0].asked.cases for value in case.values}
    assert not values & tested  # disjoint: the model has not seen what it is tested with


def test_wrong_plans(samples: Path) -> None:
    with pytest.raises(UsageError, match="did you mean augment"):
        plan(samples, remedies=["augmet"]).check()
    given = plan(samples)
    two = [*given.to_test, perturbation("places", Settings("de"))]
    with pytest.raises(UsageError, match="one perturbation"):
        Plan(given.train, given.tests, two, two).check()
    nothing = [OwnValues(["a"], "nowhere")]
    with pytest.raises(InputError, match="no sentence has a match"):
        retraining(Plan(given.train, given.tests, nothing, nothing))
    with pytest.raises(InputError, match="no training sentence has a match"):
        retraining(Plan(given.train, given.tests, given.to_test, nothing))
