"""`gardenpath score`."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from ..runs.where import Where
from .options import Format, FormatOption, JobsOption, OutputOption
from .output import check_target, emit, message

if TYPE_CHECKING:
    from ..runs.result import Result, Value
    from ..systems.language_model import SurprisalScores
    from ..systems.perplexity import Perplexity

app = typer.Typer()


@app.command(no_args_is_help=True)
def score(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM", help="A language model by name, such as ngram:MODEL; gardenpath systems lists them."
        ),
    ],
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT", help="Tokenised text, one sentence a line, or CoNLL-U: a file, a folder, a glob or -."
        ),
    ],
    output: OutputOption = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print perplexity and counts instead of the surprisals.")
    ] = False,
    format: FormatOption = Format.table,
    jobs: JobsOption = 1,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Score anew even what was scored before.")] = False,
) -> None:
    """Surprisal of every token, in bits, as tab-separated text: sentence_id, token_id, token, surprisal.

    Perplexity goes to standard error, or with --summary, in any --format, to standard output.

    Example: gardenpath score ngram:news.npz test.txt -o surprisals.tsv

    Example: gardenpath score ngram:news.npz test.conllu --summary --format json
    """
    from ..errors import UsageError
    from ..systems.language_model import score_blocks
    from ..systems.perplexity import Perplexity, perplexity
    from ..systems.registry import language_model

    if format != Format.table and not summary:
        raise UsageError(
            "surprisals are tab-separated text", where="--format", todo="leave it out, or ask for the --summary"
        )
    check_target(output)
    model = language_model(system)
    total = Perplexity()
    asked: deque[list[list[str]]] = deque()
    with _target(output, summary) as stream:
        if stream is not None:
            stream.write(b"sentence_id\ttoken_id\ttoken\tsurprisal\n")
        for scores in score_blocks(system, _kept(source, asked), where=Where(cache=not no_cache, jobs=jobs)):
            sentences = asked.popleft()
            if stream is not None:
                stream.write(_rows(sentences, scores, total.sentences + 1))
            total += perplexity(scores)
    if summary:
        emit(_result(total, model.name, model.signature, source), format, output)
    else:
        _tell(total, model.signature)


_SIZE = 1 << 21
"""Bytes of text whose surprisals are in memory at a time."""


def _kept(source: str, asked: deque[list[list[str]]]) -> Iterator[list[list[str]]]:
    """The sentences of each stretch, which the rows need once more."""
    from ..systems.tokenised import read_stretches

    for stretch in read_stretches(source, _SIZE):
        sentences = stretch.sentences()
        asked.append(sentences)
        yield sentences


def _rows(sentences: list[list[str]], scores: SurprisalScores, first: int) -> bytes:
    from ..runs.tsv import cells

    lines = [
        f"{number}\t{at}\t{token}\t{value!r}\n"
        for number, (sentence, found) in enumerate(zip(sentences, scores.surprisals, strict=True), first)
        for at, (token, value) in enumerate(zip(cells(sentence), found.tolist(), strict=True), 1)
    ]
    return "".join(lines).encode("utf-8")


@contextmanager
def _target(output: Path | None, summary: bool) -> Iterator[BinaryIO | None]:
    """Standard output, or a file that is there only when all is written; nothing for a summary."""
    if summary:
        yield None
    elif output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        from ..runs.atomic import atomic_writer

        with atomic_writer(output) as stream:
            yield stream


def _found(total: Perplexity) -> list[tuple[str, float]]:
    """Perplexities, those that there are, by what they are a mean over."""
    values = (
        ("tokens and ends of sentences", total.value()),
        ("tokens and ends of sentences, without OOV", total.value(oov=False)),
        ("tokens", total.value(ends=False)),
        ("tokens, without OOV", total.value(oov=False, ends=False)),
    )
    return [(over, value) for over, value in values if value is not None]


def _result(total: Perplexity, system: str, facts: str, source: str) -> Result:
    from ..runs.result import Finding, Result, Table

    findings = [
        Finding("score", source, system, "perplexity", value, n=total.tokens, by={"over": over})
        for over, value in _found(total)
    ]
    counts = {"sentences": total.sentences, "tokens": total.tokens, "oov": total.oov}
    findings += [Finding("score", source, system, name, value) for name, value in counts.items()]
    findings += [Finding("score", source, system, "bits", total.bits, n=total.tokens, by={"over": "tokens"})]
    note = f"{total.sentences} sentences, {total.tokens} tokens, {total.oov} of them unknown to the model (OOV)."
    rows: list[list[Value]] = [[over, value] for over, value in _found(total)]
    table = Table(f"Perplexity of {system} on {source}", ["per event over", "perplexity"], rows, 4, note)
    facts, _, version = facts.rpartition("|")
    return Result(f"command:score|{facts}|unit:bits|{version}", findings, [table])


def _tell(total: Perplexity, facts: str) -> None:
    counts = (
        f"{total.sentences} sentence{'s' * (total.sentences != 1)}, {total.tokens} token{'s' * (total.tokens != 1)}"
    )
    message(f"{counts}, {total.oov} unknown (OOV); surprisal in bits")
    for over, value in _found(total):
        message(f"perplexity {value:.4f} over {over}")
    message(f"signature: {facts}")
