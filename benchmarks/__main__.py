"""Runs benchmarks and prints their tables."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from gardenpath.errors import GardenpathError

from .corpus import Corpus
from .measure import BenchmarkError
from .registry import NAMES, about, benchmark
from .setting import FULL, Setting, facts


def main(arguments: list[str] | None = None) -> int:
    """Exit 0: all benchmarks ran; 1: one of them could not; 2: the call is wrong."""
    given = _options().parse_args(arguments)
    if given.list:
        print("\n".join(f"{name:14}{about(name)}" for name in NAMES))
        return 0
    try:
        corpus = Corpus(given.data)
    except BenchmarkError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    known = facts() | {"repeats": str(given.repeats)}
    known["data"] = f"{corpus.name}, {len(corpus.files)} files, {corpus.size:.1f} MB"
    print("\n".join(f"{name}: {value}" for name, value in known.items()))
    print(f"Medians of {given.repeats} runs in turn. 'x ours' is how many times our time a contestant takes.")
    if corpus.note:
        print(f"* {corpus.note}")
    begin = time.perf_counter()
    results = {name: _run(name, corpus, given) for name in given.names or NAMES}
    checks = [row["reached"] for one in results.values() for table in one["tables"] for row in table["rows"]
              if "reached" in row]  # fmt: skip
    failed = [name for name, one in results.items() if "error" in one]
    print(f"\n{sum(checks)} of {len(checks)} targets reached, in {time.perf_counter() - begin:.0f} s")
    if failed:
        print(f"could not run: {', '.join(failed)}")
    if given.output:
        report = {"facts": known, "note": corpus.note, "benchmarks": results}
        given.output.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if failed else 0


def _run(name: str, corpus: Corpus, given: argparse.Namespace) -> dict[str, Any]:
    def tell(step: str) -> None:
        print(f"[{name}] {step}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="gardenpath-bench-") as folder:
        tell("makes its input")
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path(folder) / "inductor")  # PyTorch makes it, unasked
        setting = Setting(corpus, Path(folder), given.repeats, given.size, given.offline, tell)
        try:
            tables = benchmark(name)(setting)
        except (BenchmarkError, GardenpathError, ImportError) as error:
            print(f"\n{name}: could not run: {error}", flush=True)
            return {"error": str(error), "tables": []}
    for table in tables:
        print(f"\n{table.text()}", flush=True)
    return {"tables": [table.data() for table in tables]}


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="gardenpath beside its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", type=_name, help="which ones; all if none is named")
    parser.add_argument("--repeats", type=_positive(int), default=5, help="runs of each contestant (default 5)")
    parser.add_argument(
        "--size", type=_positive(float), default=FULL, help="MB of the main input (default 50); others scale"
    )
    parser.add_argument("--data", type=Path, help="a folder with .conllu files to make the input from")
    parser.add_argument("--output", type=Path, help="write all numbers to this JSON file")
    parser.add_argument("--offline", action="store_true", help="download nothing (leaves out the CoNLL 2018 script)")
    parser.add_argument("--list", action="store_true", help="list the benchmarks")
    return parser


def _name(text: str) -> str:
    if text not in NAMES:
        raise argparse.ArgumentTypeError(f"no benchmark {text}; there are {', '.join(NAMES)}")
    return text


def _positive(kind: type[int] | type[float]) -> Any:
    def parse(text: str) -> float:
        value = kind(text)
        if not 0 < value < float("inf"):
            raise ValueError(text)
        return value

    parse.__name__ = f"positive {kind.__name__}"
    return parse


if __name__ == "__main__":
    sys.exit(main())
