"""`gardenpath parse`."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from ..runs.where import Where
from .options import (
    AnyLanguageOption,
    ClusterOption,
    JobsOption,
    MemoryLimitOption,
    NoCacheOption,
    OutputOption,
    QuietOption,
    TimeLimitOption,
)
from .output import check_target, message, output_stream

if TYPE_CHECKING:
    from ..systems.label_bridges import LabelBridge
    from ..systems.parse_result import ParseResult

app = typer.Typer()


@app.command(no_args_is_help=True)
def parse(
    system: Annotated[
        str,
        typer.Argument(metavar="SYSTEM", help="A system by name, such as udpipe:MODEL; gardenpath systems lists them."),
    ],
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="CoNLL-U or plain text: a file, a folder, a glob or -; for a phrase parser also phrase trees, or one "
            "tokenised sentence a line.",
        ),
    ],
    output: OutputOption = None,
    mode: Annotated[
        str | None,
        typer.Option(help="What the parser gets: tokens (default for CoNLL-U), sentences (one a line) or text."),
    ] = None,
    gold: Annotated[
        str, typer.Option(help="Gold layers that parsers may use: lemmas, tags, feats (comma-separated).")
    ] = "",
    traces: Annotated[
        bool,
        typer.Option(
            "--traces", help="Phrase trees: traces of Penn Treebank files (-NONE-) count as words; else they go."
        ),
    ] = False,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    no_cache: NoCacheOption = False,
    time_limit: TimeLimitOption = None,
    memory_limit: MemoryLimitOption = None,
    any_language: AnyLanguageOption = False,
    quiet: QuietOption = False,
) -> None:
    """Parse a treebank or text: CoNLL-U out, every sentence in its place, failures marked and counted.

    A phrase parser (pcfg, chart, rnng, plm) writes phrase trees: NEGRA export, or what the ending of --output says.

    Example: gardenpath parse udpipe:de.udpipe test.conllu -o parsed.conllu --gold tags,feats --jobs 2

    Example: gardenpath parse pcfg:de.npz test.export -o parsed.export

    Example: gardenpath parse "command:./parser --fast" test.conllu -o parsed.conllu --time-limit 60
    """
    from ..errors import UsageError
    from ..systems.input import read_blocks
    from ..systems.parsing import parse_blocks
    from ..systems.protocol import PARSER, PHRASE_PARSER
    from ..systems.registry import kind_of
    from ..systems.registry import system as named_system

    where = Where(jobs, cluster, not no_cache, time_limit, False if quiet else None, memory_limit)
    roles = kind_of(system)[0].roles
    if PHRASE_PARSER in roles and PARSER not in roles:
        from .parse_phrases import parse_phrases

        given = {"--mode": mode, "--any-language": any_language}
        if unfit := [name for name, value in given.items() if value]:
            raise UsageError(f"{', '.join(unfit)} is not for phrase parsers", where=system, todo="leave it out")
        parse_phrases(system, source, output=output, where=where, quiet=quiet, traces=traces, gold=gold)
        return
    if traces:
        raise UsageError("--traces is for phrase parsers", where=system, todo="leave it out")
    check_target(output)
    parser = named_system(system)
    done = Tally(getattr(parser, "bridge", None))
    begin = time.perf_counter()
    with output_stream(output) as stream:
        blocks = read_blocks(source, mode)
        anyway = any_language or None
        for result in parse_blocks(parser, blocks, gold=gold, any_language=anyway, tell=message, where=where):
            stream.write(result.treebank.to_bytes())
            done.add(result)
    for line in done.lines(time.perf_counter() - begin):
        if not quiet or line.startswith("failures: "):
            message(line)


@dataclass
class Tally:
    """How it went, over all blocks, for the person who waits."""

    bridge: LabelBridge | None = None
    unbridged: Counter[str] = field(default_factory=Counter)
    sentences: int = 0
    words: int = 0
    seconds: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)
    notes: tuple[str, ...] = ()
    counts: Counter[str] = field(default_factory=Counter)
    signature: str = ""

    def add(self, result: ParseResult) -> None:
        self.sentences += len(result.treebank)
        self.words += result.treebank.word_count
        self.seconds += result.seconds
        self.failures.update(result.failures)
        self.counts.update(result.counts)
        if self.bridge:
            from ..systems.label_bridges import without_counterpart

            self.unbridged.update(without_counterpart(result.treebank))
        self.notes, self.signature = result.notes, result.signature

    def lines(self, took: float) -> list[str]:
        from ..systems.parse_result import counts_text

        speed = self.words / self.seconds if self.seconds else 0.0
        lines = [
            f"{self.sentences} sentence{'s' * (self.sentences != 1)}, {self.words} word{'s' * (self.words != 1)} in "
            f"{took:.1f} s; the parser itself took {self.seconds:.1f} s ({speed:.0f} words/s)",
            *(note for note in self.notes if not note.startswith("warning: ")),  # these were told at the start
            *([counts_text(self.counts)] if self.counts else []),
        ]
        if self.bridge:
            from ..systems.label_bridges import note_on

            lines.append(note_on(self.bridge, self.unbridged, self.words))
        marked = [f"{kind} {count}" for kind, count in sorted(self.failures.items()) if kind != "surplus"]
        failures = [", ".join(marked) + " (marked by # gardenpath_failure)"] if marked else []
        if surplus := self.failures["surplus"]:
            failures.append(f"surplus {surplus} (left out)")
        return [*lines, *(["failures: " + "; ".join(failures)] if failures else []), f"signature: {self.signature}"]
