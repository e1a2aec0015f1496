"""Logs of other harnesses as runs. The logs here were made by lm-evaluation-harness 0.4.13 and Inspect 0.3.285 from
our own suite, exported by `suites export`; of Inspect's the events are left out. lm-evaluation-harness printed
acc 0.6667 (as `gardenpath surprisal` did of the same model), Inspect accuracy 0.5.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.errors import InputError, UsageError
from gardenpath.runs.record.run import Run
from gardenpath.suites.regions.conversion import harness_task
from gardenpath.suites.regions.reader import read_region_suite
from verdict_checks import check_verdicts

HERE = Path(__file__).parent
LM_EVAL = next((HERE / "ngram").glob("samples_*.jsonl"))
INSPECT = HERE / "inspect_pairs.json"


def test_lm_evaluation_harness_gives_its_own_accuracy() -> None:
    result = gp.load(HERE / "ngram")
    assert result.value("accuracy") == pytest.approx(200 / 3)
    assert (result.systems, result.findings[0].suite, result.findings[0].n) == (["ngram"], "pairs", 12)
    check_verdicts(result)


def test_inspect_gives_its_own_accuracy_and_the_order_of_the_dataset(tmp_path: Path) -> None:
    log = json.loads(INSPECT.read_bytes())
    printed = log["results"]["scores"][0]["metrics"]["accuracy"]["value"]
    result = gp.load(INSPECT, run=tmp_path / "run")
    assert result.value("accuracy") == 100 * printed
    rows = Run.load(tmp_path / "run").observations()
    assert rows["item"].to_list() == log["eval"]["dataset"]["sample_ids"] != [sample["id"] for sample in log["samples"]]
    assert rows["text"][0] == "the dog barks . / the dog bark ."


def test_an_eval_file_is_the_same_log(tmp_path: Path) -> None:
    log = json.loads(INSPECT.read_bytes())
    with zipfile.ZipFile(tmp_path / "log.eval", "w", zipfile.ZIP_DEFLATED) as packed:
        for sample in log.pop("samples"):
            packed.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
        packed.writestr("header.json", json.dumps(log))
    assert gp.load(tmp_path / "log.eval").findings == gp.load(INSPECT).findings


def test_zstd_is_told_with_what_to_do(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as packed:
        packed.writestr("header.json", "{}")
    data = (tmp_path / "log.eval").read_bytes()
    at = data.index(b"PK\x01\x02") + 10  # the method of the only member, in the central directory
    (tmp_path / "log.eval").write_bytes(data[:at] + b"\x5d\x00" + data[at + 2 :])
    with pytest.raises(UsageError, match="inspect log convert"):
        gp.load(tmp_path / "log.eval")


def test_runs_of_two_models_are_compared_sample_by_sample(tmp_path: Path) -> None:
    """The second model has all wrong that the first has right: 8 of 12 lost, 4 gained."""
    lines = [json.loads(line) for line in LM_EVAL.read_text(encoding="utf-8").splitlines()]
    (tmp_path / "other").mkdir()
    turned = "".join(json.dumps({**line, "acc": 1 - line["acc"]}) + "\n" for line in lines)
    (tmp_path / "other" / LM_EVAL.name).write_text(turned, encoding="utf-8")
    before = gp.load(LM_EVAL, run=tmp_path / "before")
    now = gp.load(tmp_path / "other", run=tmp_path / "now")
    compared = gp.compare(before, now, by=())
    assert compared.findings[0].value == pytest.approx(-100 / 3)
    check_verdicts(compared)
    assert [case.failed for case in gp.check(before, now, by=()).cases] == [False]
    assert next(finding for finding in compared.findings if finding.measure.endswith("_p")).n == 12


def test_a_sample_without_a_score_is_wrong_and_counted(tmp_path: Path) -> None:
    log = json.loads(INSPECT.read_bytes())
    right = next(sample for sample in log["samples"] if sample["scores"]["choice"]["value"] == "C")
    right["scores"] = None
    (tmp_path / "log.json").write_text(json.dumps(log), encoding="utf-8")
    result = gp.load(tmp_path / "log.json")
    assert result.value("accuracy") == pytest.approx(100 * 5 / 12)
    assert result.failures == {"samples without a score": 1}


SAMPLE = {"doc_id": 0, "doc": {}, "metrics": ["acc", "ppl"], "acc": 1.0, "ppl": 7.5, "filter": "none"}


@pytest.mark.parametrize(
    ("sample", "metric", "message"),
    [
        ({}, "", "not a sample of lm-evaluation-harness"),
        (SAMPLE, "ppl", "not between 0 and 1"),
        (SAMPLE, "acccc", "did you mean acc"),
        ({**SAMPLE, "metrics": []}, "", "no metric was logged"),
        ([1], "", "not an object of JSON"),
    ],
)
def test_what_is_no_log(sample: object, metric: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "samples_x_2026-01-01T00-00-00.0.jsonl"
    path.write_text(json.dumps(sample), encoding="utf-8")
    with pytest.raises((InputError, UsageError), match=message):
        gp.load(path, metric=metric)


def test_one_sample_twice_and_no_logs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="twice"):
        gp.load(LM_EVAL, LM_EVAL)
    with pytest.raises(InputError, match="no logs in this folder"):
        gp.load(tmp_path)
    (tmp_path / "log.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="not a log of Inspect"):
        gp.load(tmp_path / "log.json")


def test_exported_tasks_have_the_good_sentence_first_and_second_by_turns(tmp_path: Path) -> None:
    """As they were when the harnesses ran them: what is in their logs is what is exported now."""
    suite = read_region_suite(HERE / "pairs.tsv")
    files = harness_task(suite, tmp_path, "lm-eval")
    rows = [json.loads(line) for line in files["pairs.jsonl"].splitlines()]
    logged = [json.loads(line)["doc"] for line in LM_EVAL.read_text(encoding="utf-8").splitlines()]
    assert rows == logged
    assert [row["label"] for row in rows] == [0, 1] * 6
    assert all(row["choices"][row["label"]] == row["sentence_good"] for row in rows)
    data = json.loads(files["pairs.yaml"])["dataset_kwargs"]["data_files"]
    assert data == {"validation": str(tmp_path / "pairs.jsonl")}
    asked = [json.loads(line) for line in harness_task(suite, tmp_path, "inspect")["pairs.jsonl"].splitlines()]
    by_id = {sample["id"]: sample for sample in json.loads(INSPECT.read_bytes())["samples"]}
    assert [(row["choices"], row["target"]) for row in asked] == [
        (by_id[row["id"]]["choices"], by_id[row["id"]]["target"]) for row in asked
    ]
    with pytest.raises(UsageError, match="unknown harness"):
        harness_task(suite, tmp_path, "helm")


def test_logs_without_samples_are_refused(tmp_path: Path) -> None:
    (tmp_path / "samples_x.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match="no sample is in these logs"):
        gp.load(tmp_path / "samples_x.jsonl")
