"""`gardenpath treebank split`: train, dev and test from one treebank."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..options import Format, FormatOption, SeedOption
from ..output import emit

if TYPE_CHECKING:
    from ...treebank.split import Split
    from ...treebank.treebank import Treebank


def split(
    files: Annotated[
        list[str],
        typer.Argument(help="The treebank: CoNLL-U files, folders or globs, taken together.", metavar="FILE..."),
    ],
    folder: Annotated[Path, typer.Option("--output", "-o", help="The folder for PREFIX-train.conllu and so on.")],
    random: Annotated[bool, typer.Option("--random", help="Deal the sentences out by chance (the default).")] = False,
    train: Annotated[float, typer.Option("--train", help="Share of the training part.")] = 0.8,
    dev: Annotated[float, typer.Option("--dev", help="Share of the development part; 0 for none.")] = 0.1,
    test: Annotated[float, typer.Option("--test", help="Share of the test part; 0 for none.")] = 0.1,
    seed: SeedOption = 0,
    by_document: Annotated[
        bool, typer.Option("--by-document", help="Keep documents (from one # newdoc to the next) together.")
    ] = False,
    prefix: Annotated[
        str, typer.Option("--prefix", help="Begin file names with this, not with the input's name.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    format: FormatOption = Format.table,
) -> None:
    """Split a treebank by chance into parts that keep their sentences' bytes and order.

    Example: gardenpath treebank split treebank.conllu -o parts --train 0.8 --dev 0.1 --test 0.1 --seed 1
    """
    from ...errors import UsageError
    from ...runs.atomic import writable_target, write_bytes
    from ...treebank.source import paths, read
    from ...treebank.split import random_split

    if prefix != Path(prefix).name:
        raise UsageError(f"--prefix {prefix} is no file name", todo="name the folder with --output")
    found = [path for file in files for path in paths(file)]
    writable_target(folder / "part")
    treebank = read(found)
    parts = random_split(treebank, train=train, dev=dev, test=test, seed=seed, by_document=by_document)
    targets = {part: folder / f"{prefix or _prefix(found)}-{part}.conllu" for part in parts.parts}
    _check_targets(targets, found, force)
    for part, target in targets.items():
        write_bytes(target, parts.conllu(treebank, part))
    marks = {"method": "random", "by": "document" if by_document else "sentence", "seed": seed}
    shares = {"train": train, "dev": dev, "test": test}
    _report(treebank, parts, targets, {**marks, **{part: f"{share:g}" for part, share in shares.items()}}, format)


def _prefix(found: list[str]) -> str:
    """What the names of the inputs begin with: en_ewt-ud for en_ewt-ud-train.conllu and en_ewt-ud-test.conllu."""
    names = [Path(path).name.partition(".conll")[0].split("-") for path in found if path != "-"]
    alike = takewhile(lambda pieces: len(set(pieces)) == 1, zip(*names, strict=False))
    return "-".join(pieces[0] for pieces in alike) or "split"


def _check_targets(targets: dict[str, Path], found: list[str], force: bool) -> None:
    from ...errors import UsageError

    for target in targets.values():
        if any(Path(path).exists() and target.exists() and Path(path).samefile(target) for path in found):
            raise UsageError("this is the input itself", where=str(target), todo="name another folder or --prefix")
        if target.exists() and not force:
            raise UsageError("this file is there already", where=str(target), todo="replace it with --force")


def _report(
    treebank: Treebank, split: Split, targets: dict[str, Path], marks: dict[str, object], format: Format
) -> None:
    from ...runs.result import Finding, Result, Table, Value
    from ...runs.signature import signature

    findings: list[Finding] = []
    rows: list[list[Value]] = []
    for part, numbers in split.parts.items():
        words = int(treebank.lengths[numbers].sum())
        share = len(numbers) / len(treebank)
        rows.append([part, len(numbers), words, share, str(targets[part])])
        for name, value in (("sentences", len(numbers)), ("words", words), ("share", share)):
            findings.append(Finding("treebank", targets[part].name, "", name, value, len(numbers), by={"part": part}))
    table = Table("Split", ["part", "sentences", "words", "share", "file"], rows, digits=3)
    emit(Result(signature(("command", "treebank split"), *marks.items()), findings, [table]), format)
