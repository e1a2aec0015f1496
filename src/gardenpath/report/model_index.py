"""Findings of runs as the results block of a model card: `model-index`, as hubs read it from the top of README.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from ..errors import UsageError
from ..runs.record import Run
from ..runs.result import Finding
from .page.definitions import measure_of
from .scores import main_scores

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
            lines += _result(run, finding)
    return "\n".join(["---", *lines, "---", ""])


def _result(run: Run, finding: Finding) -> Iterator[str]:
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
