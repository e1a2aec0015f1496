"""Do wheels of all dependencies, within our own bounds, resolve for the Pythons we name? Nothing is installed.

`python tools/check_wheels.py [3.12 …]` asks the package index that pip is set up with, extra by extra.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PYTHONS = ("3.12", "3.13", "3.14")
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
EXTRAS = ("", "pcfg", "mixed", "cluster", "neural", "stanza", "spacy", "hf")


def main() -> int:
    """Exit 0: all resolve; 1: some do not."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    failed = 0
    for python in sys.argv[1:] or PYTHONS:
        for extra in EXTRAS:
            wanted = project["dependencies"] if not extra else project["optional-dependencies"][extra]
            fault, count = resolved(python, wanted)
            failed += bool(fault)
            print(f"{python:6}{extra or 'base':9}{fault or f'{count} wheels'}", flush=True)
    return int(failed > 0)


def resolved(python: str, wanted: list[str]) -> tuple[str, int]:
    """What is wrong, if anything, and how many wheels it would be."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [
            sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet",
            "--disable-pip-version-check", "--only-binary=:all:", "--implementation", "cp", "--python-version", python,
            *(word for platform in PLATFORMS for word in ("--platform", platform)),
            "--target", str(Path(folder, "nothing")), "--report", str(report), *wanted,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            return (lines or ["pip failed"])[-1], 0
        return "", len(json.loads(report.read_text("utf-8"))["install"])


if __name__ == "__main__":
    sys.exit(main())
