"""The parser trained as is, augmented and substituted: compared on the same batches, and resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import InputError, NoAnswer, SystemFailure, UsageError
from gardenpath.runs import Run
from gardenpath.runs.result.result import Result
from gardenpath.runs.work.where import Where
from gardenpath.studies.consistency import remedies
from gardenpath.studies.consistency.declaration import RemediesSettings
from gardenpath.studies.consistency.remedies import REMEDIES
from gardenpath.studies.consistency.retraining import RemedyData, Retraining, retrainings
from gardenpath.studies.engine import study as engine
from gardenpath.treebank import Treebank, read

QUIET = Where(cache=False, progress=False)


QUICK = {"train": ("tokenizer=none", "tagger=none", "parser.iterations=1"), "gold": ("tags", "feats")}
"""A parser alone: UDPipe writes a dictionary for its tagger, which takes four times as long as the rest."""


def settings(**more: Any) -> RemediesSettings:
    usual: dict[str, Any] = {"change": ("names",), "preset": "tiny", "augmented": 3, "sentences": 4, "per_sentence": 4}
    return RemediesSettings(**{**usual, **more})


@pytest.fixture
def source(samples: Path) -> tuple[Treebank, Path]:
    """A treebank that is there already, and one by path."""
    return read(samples / "de_garden-train.conllu")[:80], samples / "de_garden-test.conllu"


def test_all_three_are_compared_and_a_run_goes_on(
    source: tuple[Any, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(folder: str) -> Result:
        chosen = settings(order="both", language="de", **QUICK)
        return engine.run(REMEDIES, source, (), chosen, where=QUIET, folder=tmp_path / folder)

    whole = run("whole")
    done: list[str] = []
    real = remedies.retrained

    def stops(task: Retraining) -> dict[str, object]:
        if len(done) == 1:
            raise KeyboardInterrupt
        done.append(task.remedy)
        return real(task)

    monkeypatch.setattr(remedies, "retrained", stops)
    with pytest.raises(KeyboardInterrupt):
        run("broken")
    assert done == ["as is"]
    done.clear()
    monkeypatch.setattr(remedies, "retrained", lambda task: done.append(task.remedy) or real(task))
    again = run("broken")
    assert done == ["augment", "substitute"]  # as is was kept
    assert again == whole
    assert {finding.system for finding in whole.findings} == {"udpipe as is", "udpipe augment", "udpipe substitute"}
    las = {finding.system: finding.value for finding in whole.findings if finding.measure == "las"}
    assert len(las) == 3
    assert all(0 < float(value or 0) <= 100 for value in las.values())
    rows = [list(row)[:3] for row in whole.tables[0].rows]
    assert [row[2] for row in rows] == ["as is", "augment", "substitute"]
    substituted = next(
        finding
        for finding in whole.findings
        if finding.system == "udpipe substitute" and finding.measure == "originals"
    )
    assert substituted.value == 4
    rows = Run.load(tmp_path / "whole").observations()
    assert len(rows) == 4 * 4 * 2 * 2  # batches, variants, orders, models
    assert set(rows["system"]) == {"udpipe as is", "udpipe augment"}


def gold_trees(task: Retraining) -> dict[str, Any]:
    """A training that takes no time and is always right."""
    return {
        "tests": {
            test.name: {
                "answers": [[sentence.to_conllu(), ""] for sentence in Treebank(test.asked)],
                "surplus": 0, "las": 50.0, "uas": 50.0, "upos": 50.0, "words": 9,
                "training_sentences": 80, "parses_per_sentence": 1.0,
            }
            for test in task.tests
        }
    }  # fmt: skip


def test_a_training_that_takes_too_long_is_counted(source: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    from gardenpath.runs.work import processes as limited

    def within(seconds: Any, gigabytes: Any, prepare: Any, function: Any, task: Any) -> Any:
        if task.remedy == "augment":
            raise NoAnswer(f"no answer within {seconds:g} s")
        return function(task)

    monkeypatch.setattr(limited, "within", within)
    monkeypatch.setattr(remedies, "retrained", gold_trees)
    messages: list[str] = []
    where = Where(cache=False, progress=False, time_limit=60)
    result = engine.run(REMEDIES, source, (), settings(language="de"), where=where, tell=messages.append)
    assert result.failures == {"udpipe augment: training no-answer": 1}
    assert "udpipe augment: its training failed: no answer within 60 s" in messages
    assert {finding.system for finding in result.findings} == {"udpipe as is", "udpipe substitute"}
    with pytest.raises(NoAnswer, match="udpipe augment: no answer"):  # nothing is left to compare
        engine.run(REMEDIES, source, (), settings(language="de", remedy=("augment",)), where=where)


def test_a_parser_that_cannot_be_trained_is_an_error(source: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(task: Retraining) -> dict[str, Any]:
        raise SystemFailure(f"the training of {task.remedy} failed")

    monkeypatch.setattr(remedies, "retrained", fails)
    with pytest.raises(SystemFailure, match="the training of as is failed"):
        engine.run(REMEDIES, source, (), settings(language="de"), where=QUIET)


def material(source: tuple[Any, ...], **more: Any) -> tuple[RemedyData, RemediesSettings]:
    chosen = settings(language="de", **more)
    return REMEDIES.read(source, chosen), chosen


def test_what_each_model_is_trained_on(source: tuple[Any, ...], samples: Path) -> None:
    given, chosen = material(source, dev=str(samples / "de_garden-dev.conllu"))
    as_is, augmented, substituted = retrainings(given, chosen)
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
    tested = {value for case in given.tests[0].asked.cases for value in case.values}
    assert not values & tested  # disjoint: the model has not seen what it is tested with


def test_a_list_of_ones_own_is_divided(source: tuple[Any, ...], tmp_path: Path) -> None:
    path = tmp_path / "values.txt"
    path.write_text("Bert\nClara\nIda\n", encoding="utf-8")
    own = {"change": (), "values": str(path), "match": "Lena|Anna|Paul"}
    given, _ = material(source, **own)
    assert [perturbation.values for perturbation in (*given.to_test, *given.to_train)] == [["Bert", "Ida"], ["Clara"]]  # type: ignore[attr-defined]
    path.write_text("Bert\n", encoding="utf-8")
    with pytest.raises(UsageError, match="half of it is for training"):
        material(source, **own)


def test_every_setting_that_changes_a_training_is_in_the_signature(source: tuple[Any, ...]) -> None:
    def signed(**more: Any) -> str:
        given, chosen = material(source, **more)
        return repr([*REMEDIES.facts(given, chosen), *chosen.facts(), *chosen.random_facts()])

    changes: list[dict[str, Any]] = [
        {}, {"seed": 1}, {"seed": 2}, {"independent": True}, {"preset": "default"}, {"token": "XX"},
        {"train": ("parser.iterations=1",)}, {"augmented": 4}, {"parser": "spacy"}, {"gold": ("tags",)},
    ]  # fmt: skip
    assert len({signed(**more) for more in changes}) == len(changes)


def test_wrong_calls(source: tuple[Any, ...], tmp_path: Path) -> None:
    def run(given: Any = source, **more: Any) -> Result:
        return engine.run(REMEDIES, given, (), settings(**{"language": "de", **more}), where=QUIET)

    with pytest.raises(UsageError, match="no remedy"):
        run(remedy=())
    with pytest.raises(UsageError, match="one perturbation"):
        run(change=("names", "places"))
    with pytest.raises(UsageError, match="--set augmented is for the remedy augment"):
        run(remedy=("substitute",))
    with pytest.raises(UsageError, match="--set token is for the remedy substitute"):
        run(remedy=("augment",), token="XX")
    with pytest.raises(UsageError, match="the same name"):
        run([*source, source[1]])
    with pytest.raises(UsageError, match="write it as name=value"):
        run(train=("tagger",))
    path = tmp_path / "values.txt"
    path.write_text("Bert\nClara\n", encoding="utf-8")
    with pytest.raises(InputError, match="no sentence has a match"):
        run(change=(), values=str(path), match="nowhere", language="")
    train = read(source[1])
    without = train[[number for number, sentence in enumerate(train) if "Lena" not in sentence.text]]
    with pytest.raises(InputError, match="no training sentence has a match"):
        run((without, source[1]), change=(), values=str(path), match="Lena", language="")


def moody_trees(task: Retraining) -> dict[str, Any]:
    """As it is, the training of seed 1 gets every second variant wrong; all others, and all votes, are right."""
    right = gold_trees(task)["tests"]
    wrong = gold_trees(task)["tests"]
    for stored in wrong.values():
        for number, answer in enumerate(stored["answers"]):
            if "# perturbation" in answer[0] and number % 2:
                answer[0] = answer[0].replace("\tnsubj\t", "\tdep\t").replace("\tdet\t", "\tdep\t")
    tests = wrong if task.remedy == "as is" and task.seed == 1 else right
    return {"tests": tests, "voted": right} if task.vote else {"tests": tests}


def test_seeds_have_means_and_widen_the_intervals(source: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remedies, "retrained", moody_trees)
    chosen = settings(language="de", remedy=("augment", "substitute", "vote"), seeds=3, sentences=None)
    result = engine.run(REMEDIES, source, (), chosen, where=QUIET)
    by = {(finding.system, finding.measure): finding for finding in result.findings if finding.measure != "changed"}
    ends = [by["udpipe as is", f"changed_{end}"].value for end in ("mean", "min", "max")]
    assert ends == pytest.approx([50 / 3, 0, 50])
    for remedy in ("augment", "vote"):
        difference = by[f"udpipe {remedy}", "changed_difference"]
        assert difference.value == pytest.approx(-50 / 3)
        assert difference.low is not None
        assert difference.low < -50 < 0 < float(difference.high or 0)  # three seeds, one of which is otherwise
    assert by["udpipe substitute", "right_difference"].value == pytest.approx(50 / 3)
    assert by["udpipe vote", "parses_per_sentence"].value == 1.0
    assert [table.title for table in result.tables][1] == "Over 3 trainings of each"
    assert not any(verdict.sure == "shown" for verdict in result.verdicts)


def test_a_model_whose_variants_vote(source: tuple[Any, ...]) -> None:
    chosen = settings(language="de", remedy=("vote",), augmented=20, voters=3, **QUICK)
    result = engine.run(REMEDIES, source, (), chosen, where=QUIET)
    by = {(finding.system, finding.measure): finding.value for finding in result.findings}
    assert by["udpipe as is", "parses_per_sentence"] == 1.0
    assert 1.0 < float(by["udpipe vote", "parses_per_sentence"] or 0) <= 1.24  # 8 of 100 sentences have a name
    assert by["udpipe vote", "training_sentences"] == 80
    with pytest.raises(UsageError, match="one named perturbation"):
        engine.run(
            REMEDIES, source, (), settings(language="de", remedy=("vote",), augmented=20, change=("names", "places"))
        )
