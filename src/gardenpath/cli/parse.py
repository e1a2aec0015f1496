"""`gardenpath parse`."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from .options import ClusterOption, JobsOption, OutputOption
from .output import check_target, message

if TYPE_CHECKING:
    from ..systems.parsing import ParseResult
    from ..treebank import Treebank

app = typer.Typer()


@app.command(no_args_is_help=True)
def parse(
    system: Annotated[
        str,
        typer.Argument(metavar="SYSTEM", help="A system by name, such as udpipe:MODEL; gardenpath systems lists them."),
    ],
    source: Annotated[
        str, typer.Argument(metavar="INPUT", help="CoNLL-U or plain text: a file, a folder, a glob or -.")
    ],
    output: OutputOption = None,
    mode: Annotated[
        str | None,
        typer.Option(help="What the parser gets: tokens (default for CoNLL-U), sentences (one a line) or text."),
    ] = None,
    gold: Annotated[
        str, typer.Option(help="Gold layers it may use: lemmas, tags, feats (comma-separated); else it uses its own.")
    ] = "",
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Parse anew even what was parsed before.")] = False,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds that one call of a program or server may take.")
    ] = None,
) -> None:
    """Parse a treebank or text: CoNLL-U out, every sentence in its place, failures marked and counted.

    Example: gardenpath parse udpipe:de.udpipe test.conllu -o parsed.conllu --gold tags,feats --jobs 2

    Example: gardenpath parse "command:./parser --fast" test.conllu -o parsed.conllu --time-limit 60
    """
    from ..systems.input import read_blocks
    from ..systems.parsing import parse_with
    from ..systems.protocol import habits_of
    from ..systems.registry import system as named

    check_target(output)
    whole = habits_of(named(system)).chunk is None  # it has to see all sentences at once
    done = Tally()
    begin = time.perf_counter()
    with ExitStack() as stack:
        stream = stack.enter_context(_target(output))
        workers = None
        if cluster is not None:
            from ..runs.cluster import connect

            workers = stack.enter_context(connect(cluster))  # one for all blocks
        for treebank, found in _all(read_blocks(source, mode)) if whole else read_blocks(source, mode):
            result = parse_with(
                system, treebank, mode=found, gold=gold, jobs=jobs, cluster=workers, cache=not no_cache,
                time_limit=time_limit, first=done.sentences + 1,
            )  # fmt: skip
            stream.write(result.treebank.to_bytes())
            done.add(result)
        stream.flush()
    for line in done.lines(time.perf_counter() - begin):
        message(line)


def _all(blocks: Iterable[tuple[Treebank, str]]) -> list[tuple[Treebank, str]]:
    from ..treebank import concatenate

    found = list(blocks)
    return [(concatenate([treebank for treebank, _ in found]), found[0][1])]


@contextmanager
def _target(output: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that is there only when all is written."""
    if output is None:
        yield sys.stdout.buffer
    else:
        from ..runs.atomic import atomic_writer

        with atomic_writer(output) as stream:
            yield stream


@dataclass
class Tally:
    """How it went, over all blocks, for the person who waits."""

    sentences: int = 0
    words: int = 0
    seconds: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)
    notes: tuple[str, ...] = ()
    signature: str = ""

    def add(self, result: ParseResult) -> None:
        self.sentences += len(result.treebank)
        self.words += result.treebank.word_count
        self.seconds += result.seconds
        self.failures.update(result.failures)
        self.notes, self.signature = result.notes, result.signature

    def lines(self, took: float) -> list[str]:
        speed = self.words / self.seconds if self.seconds else 0.0
        lines = [
            f"{self.sentences} sentences, {self.words} words in {took:.1f} s; the parser itself took "
            f"{self.seconds:.1f} s ({speed:.0f} words/s)",
            *self.notes,
        ]
        if self.failures:
            counts = ", ".join(f"{kind} {count}" for kind, count in sorted(self.failures.items()))
            lines.append(f"failures: {counts} (marked by # gardenpath_failure)")
        return [*lines, f"signature: {self.signature}"]
