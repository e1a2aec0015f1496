"""Findings for others: every-eval-ever records, which come back as the same numbers, and a model card's results."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import gardenpath as gp
from gardenpath.errors import InputError, UsageError
from gardenpath.report.ci import render_cases
from gardenpath.report.exports import SCHEMA
from gardenpath.runs.result.result import CheckCase

REQUIRED = {
    "schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info", "eval_library",
    "evaluation_results",
}  # fmt: skip
SAMPLE = {
    "schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input",
    "output", "answer_attribution", "evaluation",
}  # fmt: skip
"""What the schema of every-eval-ever 0.3.0 asks for; all files were checked against it with jsonschema, too."""
UUID4 = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "run"
    gp.roles("bundled:de-roles", ["baseline:subject-first", "baseline:right-branching"], by="order", run=folder)
    return folder


def test_records_have_what_the_schema_asks_for(run: Path, tmp_path: Path) -> None:
    record_file, samples_file, *_ = gp.report(run, to="every-eval-ever", output=tmp_path)
    place = samples_file.relative_to(tmp_path).as_posix()
    assert re.fullmatch(rf"data/gardenpath-roles/baseline/subject-first/{UUID4}_samples\.jsonl", place)
    record = json.loads(record_file.read_bytes())
    assert record.keys() >= REQUIRED
    first, *groups = record["evaluation_results"]
    assert (first["evaluation_name"], first["score_details"]["score"]) == ("de_garden-roles.conllu", 72.65)
    assert first["score_details"]["uncertainty"]["num_samples"] == 4000
    assert first["metric_config"]["lower_is_better"] is False
    assert any("order=VF[O]LK[V]MF[S]" in group["evaluation_name"] for group in groups)
    details = record["detailed_evaluation_results"]
    assert details["file_path"] == place
    assert details["checksum"] == hashlib.sha256(samples_file.read_bytes()).hexdigest()
    samples = [json.loads(line) for line in samples_file.read_bytes().splitlines()]
    assert len(samples) == details["total_rows"] == 4000
    assert all(sample.keys() >= SAMPLE and sample["schema_version"] == SCHEMA for sample in samples)
    assert {sample["evaluation_result_id"] for sample in samples} == {first["evaluation_result_id"]}
    assert all(isinstance(value, str) for sample in samples for value in sample["metadata"].values())
    again = gp.report(run, to="every-eval-ever", output=tmp_path / "again")
    assert again[0].read_bytes() == record_file.read_bytes()


def test_what_goes_out_comes_in_with_the_same_score(run: Path, tmp_path: Path) -> None:
    gp.report(run, to="every-eval-ever", output=tmp_path)
    read = gp.load(tmp_path)
    assert read.value("accuracy", system="baseline/subject-first") == pytest.approx(72.65)
    assert read.value("accuracy", system="baseline/right-branching") == 0


def test_samples_of_others(tmp_path: Path) -> None:
    """Two metrics of each sample, one sample twice, one that failed, and a score that is not a share."""
    path = tmp_path / "x_samples.jsonl"

    def sample(item: str, score: float, result: str = "a", **more: object) -> dict[str, object]:
        judged = {"score": score, "is_correct": score > 0}
        return {
            "evaluation_name": "t", "model_id": "org/m", "sample_id": item, "evaluation_result_id": result,
            "input": {"raw": f"text {item}"}, "evaluation": judged, **more,
        }  # fmt: skip

    rows = [
        sample("1", 1), sample("1", 0, "b"), sample("1", 0), sample("2", 1, error="timeout"), sample("3", 7.5),
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = gp.load(path)
    assert (result.value("accuracy"), result.findings[0].n) == (50.0, 4)
    assert result.failures == {"samples without a score": 1}
    assert gp.load(path, metric="b").findings[0].n == 1
    with pytest.raises(UsageError, match="unknown metric"):
        gp.load(path, metric="c")
    path.write_text('{"sample_id": "1"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="not a sample of every-eval-ever"):
        gp.load(path)


def test_a_results_block_is_read_by_the_hub_s_own_library(run: Path, tmp_path: Path) -> None:
    hub = pytest.importorskip("huggingface_hub")
    (file,) = gp.report(run, to="model-card", output=tmp_path / "card.md", system="baseline:subject-first")
    (result,) = hub.ModelCard(file.read_text(encoding="utf-8")).data.eval_results
    assert (result.metric_type, result.metric_value, result.dataset_name) == ("las", 72.65, "de_garden-roles.conllu")
    assert result.metric_name == "LAS [70.5, 74.7], n 4000"
    assert result.metric_args["signature"].startswith("study:roles|")
    with pytest.raises(UsageError, match="of one system, and here are 2"):
        gp.report(run, to="model-card", output=tmp_path / "card.md")
    with pytest.raises(UsageError, match="unknown target of a report"):
        gp.report(run, to="helm", output=tmp_path / "x")


# ---- checks as continuous integrations read them; what they would read as their own is escaped


CASES = [
    CheckCase("las-worse", "mine: all", "worse: 70 → 60\n  1: <Hund> & Katze \x07", "error", "runs/now/run.json"),
    CheckCase("las-worse", "mine: order OVS", "perhaps, 100 %: yes", "warning", "a,b:c", 7),
    CheckCase("condition", "mine: roles.las>=40", "holds", "pass", "runs/now/run.json"),
]


def test_junit_counts_all_and_fails_what_failed() -> None:
    root = ElementTree.fromstring(render_cases(CASES, "junit"))
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "3", "1")
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root] == [
        ("gardenpath.las-worse", "2", "1"), ("gardenpath.condition", "1", "0"),
    ]  # fmt: skip
    (failure,) = root.iter("failure")
    assert failure.get("message") == "worse: 70 → 60"
    assert failure.text == "worse: 70 → 60\n  1: <Hund> & Katze \\x07"
    assert [output.text for output in root.iter("system-out")] == ["warning: perhaps, 100 %: yes"]


def test_sarif_has_rules_levels_and_places() -> None:
    log = json.loads(render_cases(CASES, "sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["tool"]["driver"]["name"] == "gardenpath"
    assert run["tool"]["driver"]["rules"] == [{"id": "las-worse"}]
    assert [(entry["ruleId"], entry["ruleIndex"], entry["level"]) for entry in run["results"]] == [
        ("las-worse", 0, "error"), ("las-worse", 0, "warning"),
    ]  # fmt: skip
    places = [entry["locations"][0]["physicalLocation"] for entry in run["results"]]
    assert [(place["artifactLocation"]["uri"], place["region"]) for place in places] == [
        ("runs/now/run.json", {"startLine": 1}), ("a,b:c", {"startLine": 7}),
    ]  # fmt: skip


def test_annotations_are_one_line_each() -> None:
    assert render_cases(CASES, "github").split("\n") == [
        "::error file=runs/now/run.json,line=1,title=las-worse::worse: 70 → 60%0A  1: <Hund> & Katze  ",
        "::warning file=a%2Cb%3Ac,line=7,title=las-worse::perhaps, 100 %25: yes",
        "",
    ]


def test_an_unknown_format() -> None:
    with pytest.raises(UsageError, match="did you mean junit"):
        render_cases(CASES, "junitt")
