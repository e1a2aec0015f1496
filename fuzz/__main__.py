"""`python -m fuzz [READER …] --inputs N --seconds S`: attacks readers and says what came of it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from .attack import Tally, attack
from .counts import Slice, keep, kept, total
from .targets import TARGETS

SLICE, SLICE_SECONDS = 20_000, 120.0
"""Inputs, and seconds of the clock, before counts are written and the next reader has its turn."""


def main() -> int:
    """Exit 0: nothing but errors of ours; 1: something else, whose inputs were kept."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(TARGETS)}; all without a name")
    parser.add_argument("--inputs", type=int, default=20_000, help="for each reader")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each reader on average, at most")
    parser.add_argument("--seed", type=int, default=0, help="of the first slice of inputs; the next has the next one")
    parser.add_argument("--keep", type=Path, default=Path("fuzz/found"), help="where crashing inputs are put")
    parser.add_argument("--counts", type=Path, help="a file that counts over many calls: --inputs are those of all")
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.readers if name not in TARGETS]:
        parser.error(f"unknown reader {unknown[0]}")
    readers = chosen.readers or list(TARGETS)
    slices, end = kept(chosen.counts) if chosen.counts else [], time.monotonic() + chosen.seconds * len(readers)
    failed = False
    while True:
        totals = [total(name, slices) for name in readers]
        if not (open := [so_far for so_far in totals if so_far.inputs < chosen.inputs]) or time.monotonic() > end:
            break
        so_far = min(open, key=lambda part: part.inputs)
        seed, wanted = max(chosen.seed, so_far.seed), min(SLICE, chosen.inputs - so_far.inputs)
        tally = attack(TARGETS[so_far.reader], wanted, seconds=min(SLICE_SECONDS, end - time.monotonic()), seed=seed)
        slices.append(_slice(so_far.reader, seed, tally))
        failed |= bool(tally.faults)
        _keep_faults(chosen.keep, so_far.reader, tally)
        if chosen.counts:
            keep(chosen.counts, slices[-1])
    _print(totals)
    return int(failed)


def _slice(reader: str, seed: int, tally: Tally) -> Slice:
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    figures = (tally.inputs, tally.refused, round(tally.slowest, 3), round(tally.memory), len(tally.faults))
    return Slice(date, reader, seed, *figures)


def _keep_faults(folder: Path, reader: str, tally: Tally) -> None:
    for kind, (data, trace) in tally.faults.items():
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{reader}-{len(list(folder.iterdir()))}"
        file.write_bytes(data)
        print(f"  {kind}: {file}\n{trace}", file=sys.stderr, flush=True)


def _print(totals: Sequence[Slice]) -> None:
    print("reader          inputs    refused  slowest s     MB   faults")
    for part in totals:
        figures = f"{part.inputs:10,}{part.refused:11,}{part.slowest:11.2f}{part.memory:7.0f}{part.faults:9}"
        print(f"{part.reader:12}{figures}")


if __name__ == "__main__":
    sys.exit(main())
