"""A plan in the making: each shard does its part, whoever dies is stood in for, and at the end runs are made of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import GardenpathError, SystemFailure, UsageError
from ...runs.record.signatures import short, signature
from ...runs.result.result import Result, Table
from ...runs.work.claims import ClaimBoard
from ...runs.work.where import Where
from ..engine.study import run
from .planning import WHOLE, PlanPiece, PlanWorker, StudyPlan, check_inputs


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `count`, from 1."""

    number: int = 1
    count: int = 1

    @classmethod
    def of(cls, text: str) -> Shard:
        """`2/8`.

        >>> Shard.of("2/3").part(range(10))
        range(3, 6)
        """
        number, slash, count = text.partition("/")
        if not (slash and number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
            raise UsageError(f"{text!r} is not a shard", where="--shard", todo="write I/N, such as 1/8 to 8/8")
        return cls(int(number), int(count))

    def part(self, pieces: Sequence[Any]) -> Sequence[Any]:
        """Neighbours stay together, so that one model is loaded by few."""
        size = len(pieces)
        return pieces[(self.number - 1) * size // self.count : self.number * size // self.count]


@dataclass(frozen=True)
class ShardReport:
    """What became of a shard's pieces: done here, done before, being done by others, failed."""

    done: int
    before: int
    elsewhere: dict[int, str]
    failed: dict[int, str]


def work_through(
    board: ClaimBoard,
    pieces: Sequence[PlanPiece],
    do: Callable[[PlanPiece], dict[str, Any]],
    tell: Callable[[str], None] | None = None,
) -> ShardReport:
    """Does the pieces that nobody has; what another process that lives is at is left to it."""
    done, before, elsewhere, failed = 0, 0, dict[int, str](), dict[int, str]()
    with board.alive():
        for piece in pieces:
            if not board.claim(piece.number):
                if board.is_done(piece.number):
                    before += 1
                else:
                    elsewhere[piece.number] = board.holder(piece.number)
                continue
            begin = time.perf_counter()
            try:
                record = do(piece)
            except GardenpathError as error:
                failed[piece.number] = str(error)
                board.fail(piece.number, str(error))
                continue
            board.finish(piece.number, {**record, "seconds": round(time.perf_counter() - begin, 4)})
            done += 1
            if tell is not None:
                tell(f"{done + before} of {len(pieces)}: {piece.model}")
    return ShardReport(done, before, elsewhere, failed)


def run_shard(
    plan: StudyPlan, shard: Shard, *, jobs: int = 1, tell: Callable[[str], None] | None = None
) -> ShardReport:
    """The part of a plan that is this shard's; what was done before, by whomever, is not done again."""
    pieces = PlanWorker(plan)
    with Where(jobs, cache=plan.cache, progress=False).opened() as place:
        return work_through(
            ClaimBoard(plan.folder), shard.part(plan.pieces), lambda piece: pieces.do(piece, place), tell
        )


def collect(plan: StudyPlan) -> tuple[Result, list[Path]]:
    """Makes the runs of all studies whose pieces are done, and tells what is missing of the others."""
    board = ClaimBoard(plan.folder)
    records, failures = board.records(), board.failures()
    where = Where(cache=plan.cache, progress=False)
    rows, folders, missing = [], [], 0
    for number, planned in enumerate(plan.studies):
        pieces = plan.of_study(number)
        absent = [piece for piece in pieces if piece.number not in records]
        missing += len(absent)
        state = "collected"
        if absent:
            models = list(dict.fromkeys(piece.model for piece in absent))
            why = next((failures[piece.number] for piece in absent if piece.number in failures), "")
            state = f"{len(absent)} missing: {', '.join(models[:3])}{', …' if len(models) > 3 else ''}"
            state += f" ({why.splitlines()[0]})" if why else ""
        else:
            folder = plan.run_folder(number)
            with chdir(plan.base):
                check_inputs(planned)
                _check_models(plan, pieces, records)
                run(planned.study, planned.source, list(planned.systems), planned.chosen, where=where, folder=folder)
            folders.append(folder)
        rows.append((planned.name, len(pieces), len(pieces) - len(absent), state))
    title = (
        f"Plan: {len(folders)} of {len(plan.studies)} runs collected, {missing} of {len(plan.pieces)} pieces missing"
    )
    table = Table(title, ("run", "pieces", "done", "state"), rows)
    failed = {"pieces missing": missing} if missing else {}
    signed = signature(
        ("plan", short("|".join(planned.name for planned in plan.studies))), ("pieces", len(plan.pieces))
    )
    return Result(signed, tables=[table], failures=failed), folders


def _check_models(plan: StudyPlan, pieces: Sequence[PlanPiece], records: dict[int, dict[str, Any]]) -> None:
    """The models here must be those that answered: else all would be asked again, here."""
    for piece in pieces:
        if piece.entrant == WHOLE:
            continue
        here = plan.entrant_of(piece).members[piece.member].signature
        there = str(records[piece.number].get("signature", ""))
        if here != there:
            raise SystemFailure(
                f"here this is {here}, but {there} was asked", where=piece.model,
                todo="collect where the same model and the same versions are",
            )  # fmt: skip
