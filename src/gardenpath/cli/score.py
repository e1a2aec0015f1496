"""`gardenpath score`."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..runs.work.where import HERE, Where
from .options import Format, FormatOption, OutputOption, QuietOption
from .output import check_target, emit, message, output_stream

if TYPE_CHECKING:
    from ..runs.result.result import Result, Value
    from ..systems.asking.protocol import LanguageModel
    from ..systems.language_models.scoring import Perplexity, SurprisalScores


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
            metavar="INPUT",
            help="Tokenised text, one sentence a line, CoNLL-U or phrase trees: a file, a folder, a glob or -.",
        ),
    ],
    output: OutputOption = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print perplexity and counts instead of the surprisals.")
    ] = False,
    format: FormatOption = Format.table,
    where: Where = HERE,
    quiet: QuietOption = False,
) -> None:
    """Surprisal of every token, in bits, as tab-separated text: sentence_id, token_id, token, surprisal.

    Perplexity goes to standard error, or with --summary, in any --format, to standard output. A sentence on which the
    model fails has nan, is counted, and is left out of the perplexity.

    Example: gardenpath score ngram:news.npz test.txt -o surprisals.tsv

    Example: gardenpath score ngram:news.npz test.conllu --summary --format json
    """
    from ..errors import UsageError
    from ..systems.asking.registry import language_model
    from ..systems.files.models import seeds_of

    if format != Format.table and not summary:
        raise UsageError(
            "surprisals are tab-separated text", where="--format", todo="leave it out, or ask for the --summary"
        )
    check_target(output)
    models = [language_model(name) for name in seeds_of(system)]
    if len(models) > 1 and not summary:
        todo = f"add --summary, or name one of them, such as {models[0].name}"
        raise UsageError(f"{len(models)} models, one for each seed", where=system, todo=todo)
    scored = [_scored(model, source, where, output, summary) for model in models]
    failures = sum((one.failures for one in scored), Counter[str]())
    facts = "+".join(model.signature for model in models)
    if summary:
        emit(_result(scored, failures, system, facts, source), format, output)
    if not quiet:
        _tell_failures(failures, [note for one in scored for note in one.notes])
        if not summary:
            _tell(scored[0].total, facts)


@dataclass
class Scored:
    """What came of one model."""

    total: Perplexity
    failures: Counter[str]
    notes: list[str]


def _scored(model: LanguageModel, source: str, where: Where, output: Path | None, summary: bool) -> Scored:
    """Score the input with one model; without --summary the surprisals are written."""
    from ..systems.language_models.scoring import Perplexity, perplexity, score_blocks

    total, written, failures, notes = Perplexity(), 0, Counter[str](), list[str]()
    asked: deque[list[list[str]]] = deque()
    with where.opened() as place, nullcontext() if summary else output_stream(output) as stream:
        header = b"sentence_id\ttoken_id\ttoken\tsurprisal\n"
        for scores in score_blocks(model, _kept(source, asked), where=place):
            sentences: list[list[str]] = []
            while len(sentences) < len(scores.surprisals):  # a model that works on the whole is given all stretches
                sentences += asked.popleft()
            if stream is not None:
                stream.write(header + _rows(sentences, scores, written + 1))
                header = b""
            written += len(sentences)
            total += perplexity(scores)
            failures += scores.failures
            notes += scores.notes
        if stream is not None:
            stream.write(header)
    return Scored(total, failures, notes)


_SIZE = 1 << 21
"""Bytes of text whose surprisals are in memory at a time."""


def _kept(source: str, asked: deque[list[list[str]]]) -> Iterator[list[list[str]]]:
    """The sentences of each stretch, which the rows need once more."""
    from ..systems.files.text_input import read_stretches

    for stretch in read_stretches(source, _SIZE):
        sentences = stretch.sentences()
        asked.append(sentences)
        yield sentences


def _rows(sentences: list[list[str]], scores: SurprisalScores, first: int) -> bytes:
    from ..runs.result.encoding import cells

    lines = [
        f"{number}\t{at}\t{token}\t{value!r}\n"
        for number, (sentence, surprisals) in enumerate(zip(sentences, scores.surprisals, strict=True), first)
        for at, (token, value) in enumerate(zip(cells(sentence), surprisals.tolist(), strict=True), 1)
    ]
    return "".join(lines).encode("utf-8")


def _found(total: Perplexity) -> list[tuple[str, float, int]]:
    """Perplexities, those that there are, with what they are a mean over and how many these are."""
    ways = (
        ("tokens and ends of sentences", True, True),
        ("tokens and ends of sentences, without OOV", False, True),
        ("tokens", True, False),
        ("tokens, without OOV", False, False),
    )
    values = ((over, total.value(oov=oov, ends=ends), total.events(oov=oov, ends=ends)) for over, oov, ends in ways)
    return [(over, value, events) for over, value, events in values if value is not None]


def _result(scored: Sequence[Scored], failures: Mapping[str, int], system: str, facts: str, source: str) -> Result:
    """Return perplexities and counts; of several seeds the means, the lowest and highest, and those of each."""
    from ..runs.result.result import Finding, Result, Table

    total = scored[0].total
    columns = ["per event over", "perplexity", *(["lowest", "highest"] if len(scored) > 1 else [])]
    findings: list[Finding] = []
    rows: list[list[Value]] = []
    for over, value, events in _found(total):
        values = [{name: own for name, own, _ in _found(one.total)}.get(over, value) for one in scored]
        mean = sum(values) / len(values)
        findings.append(Finding("score", source, system, "perplexity", mean, n=events, by={"over": over}))
        rows.append([over, mean, *([min(values), max(values)] if len(scored) > 1 else [])])
        if len(scored) > 1:
            findings += [
                Finding("score", source, system, "perplexity_of_seed", own, n=events, by={"over": over, "seed": seed})
                for seed, own in enumerate(values)
            ]
    counts = {"sentences": total.sentences, "tokens": total.tokens, "oov": total.oov}
    findings += [Finding("score", source, system, name, value) for name, value in counts.items()]
    findings += [Finding("score", source, system, "bits", total.bits, n=total.tokens, by={"over": "tokens"})]
    note = f"{total.sentences} sentences, {total.tokens} tokens, {total.oov} of them unknown to the model (OOV)."
    note += f" Mean of {len(scored)} seeds." if len(scored) > 1 else ""
    table = Table(f"Perplexity of {system} on {source}", columns, rows, 4, note)
    facts, _, version = facts.rpartition("|")
    return Result(f"command:score|{facts}|unit:bits|{version}", findings, [table], dict(failures))


def _tell_failures(failures: Mapping[str, int], notes: Sequence[str]) -> None:
    """How many sentences have no surprisal, and the first reason."""
    for kind, count in failures.items():
        message(f"{count} sentence{'s' * (count != 1)} without surprisal ({kind}): nan, and left out of the perplexity")
    for note in notes[:1]:
        message(note)


def _tell(total: Perplexity, facts: str) -> None:
    counts = (
        f"{total.sentences} sentence{'s' * (total.sentences != 1)}, {total.tokens} token{'s' * (total.tokens != 1)}"
    )
    message(f"{counts}, {total.oov} unknown (OOV); surprisal in bits")
    for over, value, _ in _found(total):
        message(f"perplexity {value:.4f} over {over}")
    message(f"signature: {facts}")
