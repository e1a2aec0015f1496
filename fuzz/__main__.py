"""`python -m fuzz [READER …] --inputs N --seconds S`: attacks readers and says what came of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .attack import attack
from .targets import TARGETS


def main() -> int:
    """Exit 0: nothing but errors of ours; 1: something else, whose inputs were kept."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(TARGETS)}; all without a name")
    parser.add_argument("--inputs", type=int, default=20_000, help="for each reader")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each reader at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("fuzz/found"), help="where crashing inputs are put")
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.readers if name not in TARGETS]:
        parser.error(f"unknown reader {unknown[0]}")
    failed = False
    print("reader         inputs   refused  slowest s     MB   faults")
    for name in chosen.readers or TARGETS:
        tally = attack(TARGETS[name], chosen.inputs, seconds=chosen.seconds, seed=chosen.seed)
        figures = f"{tally.inputs:9,}{tally.refused:10,}{tally.slowest:11.2f}{tally.memory:7.0f}{len(tally.faults):9}"
        print(f"{name:12}{figures}", flush=True)
        for kind, (data, trace) in tally.faults.items():
            failed = True
            chosen.keep.mkdir(parents=True, exist_ok=True)
            number = len(list(chosen.keep.iterdir()))
            (chosen.keep / f"{name}-{number}").write_bytes(data)
            print(f"  {kind}: {chosen.keep / f'{name}-{number}'}\n{trace}", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
