"""`gardenpath treebank augment`: variants of sentences that must not matter, for training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from ...studies.engine.declaration import parts_of
from ..options import Format, FormatOption
from ..output import emit, message, nothing_random
from ..settings import Rare

if TYPE_CHECKING:
    from ...runs.result.result import Result
    from ...treebank.perturb.batch import Augmentation
    from ...treebank.perturb.registry import Perturbation

TRAIN = "train"
"""The set of values that is usual here."""
BLOCK = 1 << 22
"""Bytes of input that are in memory at a time."""


def augment(
    source: Annotated[
        str,
        typer.Argument(help="A file (also .gz, .xz, .zip), a folder, a glob, or -.", metavar="TREEBANK"),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file for the augmented treebank.")],
    change: Annotated[
        list[str] | None,
        typer.Option(
            "--change", "-c", help="A kind, as for consistency: numerals, names, typos, names+years, FILE.toml"
        ),
    ] = None,
    per_sentence: Annotated[
        int | None, typer.Option("--per-sentence", help="Variants of a sentence at most (20).", min=1)
    ] = None,
    substitute: Annotated[
        str, typer.Option("--substitute", help="Add nothing; put this token in place of the value.", metavar="TOKEN")
    ] = "",
    split: Annotated[str, Rare("Values to train with, or to test with; none is in both.", ("train", "test"))] = TRAIN,
    language: Annotated[
        str, typer.Option("--language", "-l", help="de, en, ja, ru, sv, uk or zh; by default from the file's name.")
    ] = "",
    values: Annotated[Path | None, Rare("A list of your own, one value a line; needs match.")] = None,
    match: Annotated[str, Rare("The words that your values replace.")] = "",
    match_pattern: Annotated[
        str, Rare("The words that your values replace, by a query: those of its first node.")
    ] = "",
    upos: Annotated[str, Rare("Parts of speech of those words (comma-separated).")] = "",
    variants_only: Annotated[bool, typer.Option("--variants-only", help="Leave the original sentences out.")] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of drawn values, instead of the published ones.", min=0)
    ] = None,
    format: FormatOption = Format.table,
) -> None:
    """Add variants of sentences in which a year, a name or a currency is replaced, with the gold tree.

    Example: gardenpath treebank augment en_ewt-ud-train.conllu --change numerals --per-sentence 20 -o more.conllu

    Example: gardenpath treebank augment en_ewt-ud-train.conllu --change numerals --substitute NNNN -o same.conllu
    """
    from ...errors import UsageError
    from ...runs.record.writing import atomic_writer, writable_target
    from ...treebank.format.reading import paths
    from ...treebank.perturb.batch import PER_SENTENCE, Augmentation
    from ...treebank.perturb.values import own_values

    if substitute and (per_sentence is not None or variants_only):
        raise UsageError("--substitute adds no variants", todo="leave --per-sentence and --variants-only out")
    files = paths(source)
    if any(Path(path).exists() and output.exists() and Path(path).samefile(output) for path in files):
        raise UsageError("this is the input itself", where=str(output), todo="name another file")
    writable_target(output)
    chosen = _perturbations(change or [], language, files, split, seed)
    own = own_values(values, match, parts_of(upos), query=match_pattern)
    chosen += [own] if own is not None else []
    work = Augmentation(chosen, per_sentence or PER_SENTENCE, substitute)
    with atomic_writer(output) as stream:
        _write(source, files, work, stream, variants_only)
        if not work.variants:
            why = [
                f"{name}: {reason} ({count})"
                for name, tally in work.tallies.items()
                for reason, count in tally.refused.most_common()
            ]
            message("no sentence has a match: " + ", ".join(why))
            raise SystemExit(1)
    emit(_result(work, output.name, 0 if variants_only else work.sentences), format)


def _perturbations(
    names: list[str], language: str, files: list[str], split: str, seed: int | None
) -> list[Perturbation]:
    from ...errors import UsageError
    from ...treebank.perturb.registry import PerturbationSettings, check_language, language_of, perturbation

    wanted = [name.strip() for part in names for name in part.split(",")]
    check_language(wanted, language)
    spoken = language or language_of(files)

    def made(split: str, seed: int | None) -> list[Perturbation]:
        return [perturbation(name, PerturbationSettings(spoken, split, seed)) for name in wanted]

    chosen = made(split, seed)
    signatures = [perturbed.signature for perturbed in chosen]
    if seed is not None and signatures == [perturbed.signature for perturbed in made(split, None)]:
        raise nothing_random("leave it out: these values are not drawn")
    if split != TRAIN and signatures == [perturbed.signature for perturbed in made(TRAIN, seed)]:
        what = "these values are not divided into a set to train and a set to test with"
        raise UsageError(what, where=f"--set split={split}", todo="leave it out, or name another --change")
    return chosen


def _write(source: str, files: list[str], work: Augmentation, stream: BinaryIO, variants_only: bool) -> None:
    """The sentences piece by piece as they are read; the variants, kept aside, after the last of them."""
    from shutil import copyfileobj
    from tempfile import SpooledTemporaryFile

    from ...runs.work.progress_bars import progress
    from ...treebank.format.reading import blocks
    from ...treebank.format.treebank import Treebank

    size = sum(Path(path).stat().st_size for path in files if Path(path).is_file())
    with SpooledTemporaryFile(max_size=1 << 26) as aside, progress(size >> 10, "augment (kB)") as bar:
        for block in blocks(source, BLOCK):
            piece = Treebank(block.data, name=block.name, repairs=block.repairs, lines_before=block.lines_before)
            kept, variants = work.feed(piece)
            if not variants_only:
                stream.write(kept)
            aside.write(variants)
            bar.advance(len(block.data) >> 10)
        work.check()
        aside.seek(0)
        if work.documents and work.variants and not work.token and not variants_only:
            stream.write(b"# newdoc id = variants\n")  # they are no part of the last document
        copyfileobj(aside, stream)


def _result(work: Augmentation, name: str, originals: int) -> Result:
    from ...runs.record.signatures import signature
    from ...runs.result.result import Finding, Result, Table, Value

    findings: list[Finding] = []
    rows: list[list[Value]] = []
    reasons: list[list[Value]] = []
    for kind, tally in work.tallies.items():
        counts = {"sentences": tally.sentences, "batches": tally.batches, "variants": tally.variants}
        counts["distinct_variants"] = tally.distinct
        rows.append([kind, *counts.values()])
        findings += [Finding("treebank", name, "", key, n, tally.sentences, by={"perturbation": kind})
                     for key, n in counts.items()]  # fmt: skip
        for what, counted in (("not_perturbed", tally.refused), ("values_skipped", tally.skipped)):
            for reason, n in sorted(counted.items()):
                reasons.append([kind, what.replace("_", " "), reason, n])
                by = {"perturbation": kind, "reason": reason}
                findings.append(Finding("treebank", name, "", what, n, tally.sentences, by=by))
    added = 0 if work.token else work.variants
    findings.append(Finding("treebank", name, "", "sentences_written", originals + added, work.sentences))
    tables = [
        Table("Augmentation", ["perturbation", "sentences", "perturbed", "variants", "different"], rows),
        Table("What was not done", ["perturbation", "what", "reason", "count"], reasons),
    ]
    marks: list[tuple[str, object]] = [("command", "treebank augment")]
    marks += [("perturb", [one.signature for one in work.perturbations])]
    marks += [("substitute", work.token)] if work.token else [("per-sentence", work.per_sentence)]
    return Result(signature(*marks), findings, [table for table in tables if table.rows])
