"""`stats`: describing one treebank, whole processes, against scripts with Udapi and conllu that count the same."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from .measure import BenchmarkError, child, gardenpath_command, in_child, interleaved
from .setting import Setting, missing
from .table import Table, at_least, compared

_OURS = "gardenpath treebank stats"
_PEERS = Path(__file__).parent / "peers"
SCRIPTS = {"Udapi": _PEERS / "udapi_stats.py", "conllu": _PEERS / "conllu_stats.py"}


def run(setting: Setting) -> list[Table]:
    path = setting.folder / "stats.conllu"
    name, size = setting.corpus.treebank(path, min(2.0, setting.size))
    ours: list[str | Path] = [*gardenpath_command(), "treebank", "stats", path]
    absent = missing(Udapi="udapi", conllu="conllu")
    scripts: dict[str, list[str | Path]] = {
        f"{peer} script": [sys.executable, place, path] for peer, place in SCRIPTS.items() if peer not in absent
    }
    child(ours)
    expected = _measures(json.loads(child([*ours, "--format", "json"])[1])["findings"])
    for peer, command in scripts.items():
        check(peer, json.loads(child(command)[1]), expected)
    contestants = {_OURS: in_child(ours)} | {peer: in_child(command) for peer, command in scripts.items()}
    found = interleaved(contestants, setting.repeats, setting.tell)
    targets = {}
    if scripts:
        targets[min(scripts, key=lambda peer: found[peer].cpu)] = at_least(1.5)
    rows = compared(found, ours=_OURS, megabytes=size, targets=targets)
    notes = ["the scripts find the same numbers; ours also counts crossings, depths and multiword tokens"]
    return [Table(f"stats: {name} (whole processes, CPU time)", rows, [*notes, *absent.values()])]


def _measures(findings: list[dict[str, Any]]) -> dict[str, Any]:
    """Findings in the form that the scripts print."""
    found: dict[str, Any] = {"upos": {}, "deprel": {}, "displacement": {}}
    for finding in findings:
        group = next((key for key in ("upos", "deprel", "displacement") if key in finding), None)
        if group is None:
            found[finding["measure"]] = finding["value"]
        elif finding["measure"] == "count" and finding["value"]:
            found[group][str(finding[group])] = finding["value"]
    return found


def check(peer: str, found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Every number that the script prints is ours."""
    for name, value in found.items():
        own = expected[name]
        same = own == value if isinstance(value, dict) else math.isclose(own, value, rel_tol=1e-9)
        if not same:
            raise BenchmarkError(f"{peer} finds another {name} than gardenpath: {value}, {own}")
