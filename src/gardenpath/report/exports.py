"""Findings for others: every-eval-ever records (schema 0.3.0), and the results block of a model card."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from .._version import __version__
from ..errors import UsageError
from ..runs.record.run import Run, checksum_of
from ..runs.result.result import Finding
from .page.definitions import measure_of
from .scores import main_scores

SCHEMA = "0.3.0"
_TEXTS = ("text", "sentence")
"""Columns of observations that hold what was asked."""
_OWN = frozenset({"study", "suite", "item", "system", "value", *_TEXTS})


def every_eval_ever(run: Run) -> dict[str, bytes]:
    """The files of all systems of a run by their paths: a record, and the samples where a run keeps observations."""
    findings = main_scores(run.result())
    systems = list(dict.fromkeys(finding.system for finding in findings))
    if not systems:
        raise UsageError("this run has no scores of systems", where=str(run.folder), todo="name another run")
    files: dict[str, bytes] = {}
    for system in systems:
        files |= _system(run, system, [finding for finding in findings if finding.system == system])
    return files


def _system(run: Run, system: str, findings: Sequence[Finding]) -> dict[str, bytes]:
    study = findings[0].study
    model = model_id(system)
    checksum, made = checksum_of(run.record), str(run.record.get("finished") or "")
    name = UUID(bytes=hashlib.sha256(f"{checksum}\n{made}\n{system}".encode()).digest()[:16], version=4)
    folder = f"data/gardenpath-{_slug(study)}/{model}"
    # The moment of the run, so that the same run always makes the same record.
    stamp = f"{datetime.fromisoformat(made).timestamp():.0f}" if made else "0"
    evaluation = f"gardenpath-{study}/{model}/{stamp}"
    record: dict[str, Any] = {
        "schema_version": SCHEMA, "evaluation_id": evaluation, "evaluation_timestamp": stamp,
        "retrieved_timestamp": stamp,
        "source_metadata": {
            "source_name": f"gardenpath {study}", "source_type": "evaluation_run",
            "source_organization_name": "unknown", "evaluator_relationship": "other",
            "additional_details": {
                "signature": str(run.record.get("signature") or ""), "sha256": checksum,
                "call": str(run.record.get("call") or ""),
            },
        },
        "eval_library": {"name": "gardenpath", "version": __version__},
        "model_info": {
            "name": system, "id": model,
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [_result(finding) for finding in findings],
    }  # fmt: skip
    files: dict[str, bytes] = {}
    if run.has_observations:
        lines = [json.dumps(sample, ensure_ascii=False) for sample in _samples(run, system, evaluation, findings)]
        samples = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        files[f"{folder}/{name}_samples.jsonl"] = samples
        record["detailed_evaluation_results"] = {
            "format": "jsonl", "file_path": f"{folder}/{name}_samples.jsonl", "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(samples).hexdigest(), "total_rows": len(lines),
        }  # fmt: skip
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    return {f"{folder}/{name}.json": text.encode("utf-8", "replace"), **files}


def _result(finding: Finding) -> dict[str, Any]:
    measure = measure_of(finding.measure)
    uncertainty: dict[str, Any] = {} if finding.n is None else {"num_samples": finding.n}
    if finding.low is not None and finding.high is not None:
        uncertainty["confidence_interval"] = {
            "lower": finding.low, "upper": finding.high, "confidence_level": 0.95, "method": "by clusters of items",
        }  # fmt: skip
    return {
        "evaluation_result_id": _result_id(finding), "evaluation_name": _evaluation_name(finding),
        "source_data": {"dataset_name": finding.suite, "source_type": "other"},
        "metric_config": {
            "evaluation_description": measure.meaning or measure.title,
            "metric_id": f"gardenpath.{finding.study}.{finding.measure}", "metric_name": measure.title,
            "metric_unit": "percent", "lower_is_better": measure.better == "less", "score_type": "continuous",
            "min_score": 0, "max_score": 100,
        },
        "score_details": {"score": float(finding.value or 0), "uncertainty": uncertainty},
    }  # fmt: skip


def _samples(run: Run, system: str, evaluation: str, findings: Sequence[Finding]) -> Iterator[dict[str, Any]]:
    """A line for each judgement; all of a suite belong to its score over all items."""
    overall = {finding.suite: _result_id(finding) for finding in reversed(findings) if not finding.by}
    rows = run.observations()
    texts = next((name for name in _TEXTS if name in rows.columns), "")
    for row in rows.filter(rows["system"] == system).iter_rows(named=True):
        suite, value = str(row["suite"] or ""), row["value"]
        asked = str(row[texts] or "") if texts else ""
        unit = [str(row[key]) for key in ("condition", "unit", "seed") if row.get(key) not in (None, "")]
        sample: dict[str, Any] = {
            "schema_version": SCHEMA, "evaluation_id": evaluation, "model_id": model_id(system),
            "evaluation_name": suite, "sample_id": "/".join([str(row["item"]), *unit]),
            "sample_hash": hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest() if asked else None,
            "interaction_type": "single_turn", "input": {"raw": asked, "reference": []}, "output": {"raw": []},
            "answer_attribution": [],
            "evaluation": {"score": float(value or 0), "is_correct": row["outcome"] == "right" or value == 1},
            "metadata": {key: str(cell) for key, cell in row.items() if key not in _OWN and cell not in (None, "")},
        }  # fmt: skip
        if suite in overall:
            sample["evaluation_result_id"] = overall[suite]
        yield sample


def model_id(system: str) -> str:
    """`organisation/model`, as hubs have it: `hf:org/name` as it is, any other with its kind in front.

    >>> model_id("hf:EleutherAI/pythia-70m@step1"), model_id("udpipe:models/de.udpipe")
    ('EleutherAI/pythia-70m-step1', 'udpipe/de.udpipe')
    """
    kind, colon, argument = system.partition(":")
    parts = [_slug(part) for part in (argument if colon else kind).split("/") if part]
    if kind == "hf" and len(parts) == 2:
        return "/".join(parts)
    return f"{_slug(kind) if colon else 'local'}/{parts[-1] if parts else 'model'}"


def _evaluation_name(finding: Finding) -> str:
    return " ".join([finding.suite, *(f"{key}={value}" for key, value in finding.by.items())])


def _result_id(finding: Finding) -> str:
    return f"{_evaluation_name(finding)} {finding.measure}"


def _slug(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text).strip("-") or "model"


_TASKS = {"surprisal": "text-generation", "judgement": "text-generation"}
"""The kinds of tasks that hubs know; parsing is none of its own, and is a labelling of tokens."""


def model_index(runs: Sequence[Run], name: str = "") -> str:
    """YAML with the overall scores of one system in all runs; its interval and signature stand beside each score."""
    scores = [(run, finding) for run in runs for finding in main_scores(run.result()) if not finding.by]
    systems = list(dict.fromkeys(finding.system for _, finding in scores))
    if name and name not in systems:
        raise UsageError(f"no run has scores of {name}", todo=f"name one of {', '.join(systems)}")
    if not systems or (len(systems) > 1 and not name):
        what = f"a model card is of one system, and here are {len(systems)}" if systems else "no scores of a system"
        raise UsageError(what, where=str(runs[0].folder), todo=f"add --system, one of {', '.join(systems) or 'them'}")
    chosen = name or systems[0]
    lines = ["model-index:", f"- name: {_quoted(chosen)}", "  results:"]
    for run, finding in scores:
        if finding.system == chosen:
            lines += _index_entry(run, finding)
    return "\n".join(["---", *lines, "---", ""])


def _index_entry(run: Run, finding: Finding) -> Iterator[str]:
    measure = measure_of(finding.measure)
    interval = "" if finding.low is None or finding.high is None else f" [{finding.low:.1f}, {finding.high:.1f}]"
    size = "" if finding.n is None else f", n {finding.n}"
    yield "  - task:"
    yield f"      type: {_TASKS.get(finding.study, 'token-classification')}"
    yield f"      name: {_quoted(f'gardenpath {finding.study}')}"
    yield "    dataset:"
    yield f"      type: {_quoted(re.sub(r'[^a-z0-9.-]+', '-', finding.suite.lower()).strip('-') or 'suite')}"
    yield f"      name: {_quoted(finding.suite)}"
    yield "    metrics:"
    yield f"    - type: {_quoted(finding.measure)}"
    yield f"      value: {float(finding.value or 0):.2f}"
    yield f"      name: {_quoted(f'{measure.title}{interval}{size}')}"
    yield "      args:"
    yield f"        signature: {_quoted(str(run.record.get('signature') or ''))}"


def _quoted(text: str) -> str:
    """As JSON has it, which is YAML too; nothing in a name can end its line."""
    return json.dumps(text, ensure_ascii=True)
