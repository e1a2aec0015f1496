"""Do wheels of all dependencies, within our own bounds, resolve for the Pythons we name? Nothing is installed.

`python tools/check_wheels.py [3.12 …]` asks the package index extra by extra, as uv resolves them from metadata alone;
the last row of a Python has all extras together.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

PYTHONS = ("3.12", "3.13", "3.14")
PLATFORM = "x86_64-manylinux_2_28"
FROM_SOURCE = ("docopt",)
"""What has no wheels at all, for any Python: the first is compiled where it is installed, the second is one file."""
PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def main() -> int:
    """Exit 0: all resolve; 1: some do not."""
    extras = list(tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"])
    sets = {"base": [], **{extra: [extra] for extra in extras}, "all": extras}
    failed = 0
    for python in sys.argv[1:] or PYTHONS:
        for name, chosen in sets.items():
            packages, fault = resolved(python, chosen)
            failed += bool(fault)
            source = [package for package in packages if package in FROM_SOURCE]
            wheels = f"{len(packages) - len(source)} wheels" + "".join(f", {package} from source" for package in source)
            print(f"{python:6}{name:9}{fault or wheels}", flush=True)
    return int(failed > 0)


def resolved(python: str, extras: list[str]) -> tuple[list[str], str]:
    """The packages that a Python would get with these extras, or what is wrong."""
    command = [
        sys.executable, "-m", "uv", "pip", "compile", str(PROJECT), "--quiet", "--no-header", "--no-annotate",
        "--python-version", python, "--python-platform", PLATFORM, "--only-binary", ":all:",
        *(word for package in FROM_SOURCE for word in ("--no-binary", package)),
        *(word for extra in extras for word in ("--extra", extra)),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return [], " ".join(done.stderr.split()) or "uv failed"
    return [line.partition("==")[0] for line in done.stdout.splitlines() if "==" in line], ""


if __name__ == "__main__":
    sys.exit(main())
