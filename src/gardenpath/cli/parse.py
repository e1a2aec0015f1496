"""`gardenpath parse`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import ClusterOption, JobsOption, OutputOption
from .output import message

if TYPE_CHECKING:
    from ..systems.parsing import ParseResult

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
    from ..runs.atomic import writable_target
    from ..systems.input import read_input
    from ..systems.parsing import parse_with

    if output is not None:
        writable_target(output)
    treebank, found = read_input(source, mode)
    begin = time.perf_counter()
    result = parse_with(
        system,
        treebank,
        mode=found,
        gold=gold,
        jobs=jobs,
        cluster=cluster,
        cache=not no_cache,
        time_limit=time_limit,
    )
    took = time.perf_counter() - begin
    _write(result, output)
    for line in summary(result, took):
        message(line)


def _write(result: ParseResult, output: Path | None) -> None:
    if output is None:
        sys.stdout.buffer.write(result.treebank.to_bytes())
        sys.stdout.buffer.flush()
    else:
        result.treebank.write(output)


def summary(result: ParseResult, took: float) -> list[str]:
    """How it went, in a few lines for the person who waits."""
    bank = result.treebank
    lines = [
        f"{len(bank)} sentences, {bank.word_count} words in {took:.1f} s; the parser itself took "
        f"{result.seconds:.1f} s ({result.words_per_second:.0f} words/s)"
    ]
    lines += list(result.notes)
    if result.failures:
        counts = ", ".join(f"{kind} {count}" for kind, count in sorted(result.failures.items()))
        lines.append(f"failures: {counts} (marked by # gardenpath_failure)")
    return [*lines, f"signature: {result.signature}"]
