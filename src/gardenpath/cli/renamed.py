"""What commands and options were called before 0.1.0 had its final set: the program answers with the new spelling."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

COMMANDS = {
    "suites generate": "suite make", "suites expand": "suite make TEMPLATE", "suites new": "suite new",
    "suites from-treebank": "suite make pairs TREEBANK", "suites check": "suite check", "suites list": "data list",
    "suites convert": "suite convert", "suites export": "suite convert PAIRS DIR --to lm-eval", "suites show": "show",
    "suites": "suite", "constructions find": "suite make constructions TREEBANK",
    "constructions judge": "constructions",
    "consistency test": "consistency", "consistency tables": "show RUN RUN", "displacement pair": "displacement",
    "displacement collection": "displacement", "data path": "data get", "judge": "surprisal",
    "logs": "show LOG (or compare, check, report)", "verify": "check RUN", "export": "report RUN --to",
    "plan": "batch plan", "run": "batch run", "collect": "batch collect",
}  # fmt: skip
OPTIONS = {
    "--mode": "--input", "--perturb": "--change", "--where": "--by", "--cluster": "--jobs", "--max": "--limit",
    "--equal": "--labels", "--strict": "--labels strict", "--las": "--scores", "--parsed": "--scores",
    "--random": "--splits random:N", "--official": "--splits official", "--figures": "report RUN --to figures",
    "--fail-under": "gardenpath check SOURCE SYSTEM --min", "--fail-if": "gardenpath check A B", "--diff": "show A B",
    "--treebank": "roles TREEBANK", "--tolerant": "--repair", "--raise": "--gaps raise", "--split": "--gaps split",
    "--lexicon": "--grammar", "--most": "--size", "--draw": "--size", "--sample": "--size", "--longest": "--max-length",
    "--item": "--sentence", "--keep-checkpoints": "--checkpoints", "--no-resume": "--restart",
    "--conllu": "--to conllu", "--order": "--set order=N", "--transition": "--set transition=swap",
    "--vocabulary": "--set vocabulary=N", "--prune": "--set prune=0,0,1", "--memory": "--set memory=2G",
    "--gold-tags": "--gold tags", "--harness": "--to", "--write-baseline": "--update-known",
    "--min-edv": "--method min-edv", "--max-edv": "--method max-edv", "--by-length": "--method length",
    "--leave-one-document-out": "--folds documents", "--no-cache": "--set work.cache=no",
    "--time-limit": "--set work.time_limit=N", "--memory-limit": "--set work.memory_limit=N",
    "--option": "--set NAME=VALUE (train), --set train.NAME=VALUE (studies)",
}  # fmt: skip


def new_command(words: Sequence[str]) -> str:
    """Return how to call what an old command did, or nothing if the words are no old command."""
    for size in (2, 1):
        old = " ".join(words[:size])
        if len(words) >= size and old in COMMANDS and not Path(words[size - 1]).exists():
            return f"gardenpath {old} is now: gardenpath {COMMANDS[old]}"
    return ""


def new_option(option: str, settings: Sequence[str]) -> str:
    """Return the new spelling of an option: another option, or a setting of the command."""
    name = option.removeprefix("--").removeprefix("no-").replace("-", "_")
    return f"--set {name}=VALUE" if name in settings else OPTIONS.get(option, "")
