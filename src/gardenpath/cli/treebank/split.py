"""`gardenpath treebank split`: train, dev and test from one treebank."""

from __future__ import annotations

from enum import StrEnum
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options import Format, FormatOption, SeedOption
from ..output import emit

if TYPE_CHECKING:
    from ...runs.result import Finding, Table
    from ...treebank.split import Split
    from ...treebank.split_chance import Distance
    from ...treebank.treebank import Treebank

_SHARES = {
    "random": (0.8, 0.1, 0.1),
    "min-edv": (0.6, 0.2, 0.2),
    "max-edv": (0.6, 0.2, 0.2),
    "by-length": (0.6, 0.2, 0.2),
}
"""Train, dev and test if none is given; those of the EDV paper but for random splits."""


class ProcedureName(StrEnum):
    """The most extreme split that is found, or the one that the EDV paper's sampling gives."""

    best = "best"
    paper = "paper"


def split(
    files: Annotated[
        list[str],
        typer.Argument(help="The treebank: CoNLL-U files, folders or globs, taken together.", metavar="FILE..."),
    ],
    folder: Annotated[Path, typer.Option("--output", "-o", help="The folder for PREFIX-train.conllu and so on.")],
    random: Annotated[bool, typer.Option("--random", help="Deal the sentences out by chance (the default).")] = False,
    min_edv: Annotated[
        bool, typer.Option("--min-edv", help="Make train and test as alike in edge displacement as can be.")
    ] = False,
    max_edv: Annotated[
        bool, typer.Option("--max-edv", help="Make them as different as can be, with lengths alike.")
    ] = False,
    by_length: Annotated[bool, typer.Option("--by-length", help="The longest sentences go to test.")] = False,
    train: Annotated[
        float | None, typer.Option("--train", help="Share of the training part: 0.6, with --random 0.8.")
    ] = None,
    dev: Annotated[
        float | None, typer.Option("--dev", help="Share of the development part: 0.2, with --random 0.1; 0 for none.")
    ] = None,
    test: Annotated[
        float | None, typer.Option("--test", help="Share of the test part: 0.2, with --random 0.1; 0 for none.")
    ] = None,
    seed: SeedOption = 0,
    by_document: Annotated[
        bool, typer.Option("--by-document", help="Keep documents (from one # newdoc to the next) together.")
    ] = False,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance", help="By how much parts of whole documents may miss their shares (0.01).", min=0, max=1
        ),
    ] = None,
    deduplicate: Annotated[
        bool, typer.Option("--deduplicate", help="Of sentences with the same words keep the first.")
    ] = False,
    procedure: Annotated[
        ProcedureName,
        typer.Option(
            "--procedure", help="Of --min-edv and --max-edv: the most extreme split, or the paper's sampling."
        ),
    ] = ProcedureName.best,
    draws: Annotated[
        int | None,
        typer.Option("--draws", help="Random splits to compare the split's EDV with (100); 0 for none.", min=0),
    ] = None,
    prefix: Annotated[
        str, typer.Option("--prefix", help="Begin file names with this, not with the input's name.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    format: FormatOption = Format.table,
) -> None:
    """Split a treebank by chance, by edge displacement (the easiest and the hardest honest split), or by length.

    Example: gardenpath treebank split treebank.conllu -o parts --train 0.8 --dev 0.1 --test 0.1 --seed 1

    Example: gardenpath treebank split treebank/ -o hard --max-edv
    """
    from ...errors import UsageError
    from ...runs.atomic import writable_target
    from ...runs.signature import digest
    from ...treebank.source import paths, read
    from ...treebank.split import TOLERANCE
    from ...treebank.split_chance import DRAWS, distance

    if prefix != Path(prefix).name:
        raise UsageError(f"--prefix {prefix} is no file name", todo="name the folder with --output")
    method = _method({"random": random, "min-edv": min_edv, "max-edv": max_edv, "by-length": by_length})
    if tolerance is not None and not by_document:
        raise UsageError(
            "sentences meet their shares, documents may miss them", where="--tolerance", todo="leave it out"
        )
    if procedure is not ProcedureName.best and not method.endswith("edv"):
        raise UsageError("--procedure is for --min-edv and --max-edv", where=f"--{method}", todo="leave it out")
    given = zip((train, dev, test), _SHARES[method], strict=True)
    shares = [usual if share is None else share for share, usual in given]
    if draws and not (shares[0] and shares[2]):
        what = "random splits are compared by the distance of their test part from training, and one is missing"
        raise UsageError(what, where=f"--draws {draws}", todo="leave out --draws, or give both parts a share")
    found = [path for file in files for path in paths(file)]
    writable_target(folder / "part")
    treebank = read(found)
    options: dict[str, Any] = {"seed": seed, "by_document": by_document, "deduplicate": deduplicate}
    if tolerance is not None:
        options["tolerance"] = tolerance
    parts = _split(treebank, method, shares, procedure, options)
    targets = {part: folder / f"{prefix or _prefix(found)}-{part}.conllu" for part in parts.parts}
    _check_targets(targets, found, force)
    apart = distance(treebank, parts, draws=DRAWS if draws is None else draws, seed=seed)
    _write(treebank, parts, targets)
    marks: dict[str, object] = {"input": f"{_prefix(found)}#{digest(treebank.to_bytes())[:8]}", "method": method}
    marks |= {"by": "document" if by_document else "sentence", "deduplicate": deduplicate or None, "seed": seed}
    marks |= {"tolerance": TOLERANCE if tolerance is None else tolerance} if by_document else {}
    marks |= {"procedure": procedure.value} if method.endswith("edv") else {}
    marks |= {part: f"{share:g}" for part, share in zip(("train", "dev", "test"), shares, strict=True)}
    _report(treebank, parts, apart, targets, marks, format)


def _method(asked: dict[str, bool]) -> str:
    from ...errors import UsageError

    names = [name for name, wanted in asked.items() if wanted] or ["random"]
    if len(names) > 1:
        raise UsageError("a split is made in one way: " + " or ".join(f"--{name}" for name in names))
    return names[0]


def _split(
    treebank: Treebank, method: str, shares: list[float], procedure: ProcedureName, options: dict[str, Any]
) -> Split:
    from ...treebank.displacement_split import displacement_split
    from ...treebank.split import length_split, random_split

    named: dict[str, Any] = {**dict(zip(("train", "dev", "test"), shares, strict=True)), **options}
    if method in ("min-edv", "max-edv"):
        named["procedure"] = procedure.value
        return displacement_split(treebank, "min" if method == "min-edv" else "max", **named)
    return (random_split if method == "random" else length_split)(treebank, **named)


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
        if target.is_dir():
            raise UsageError("cannot write: this is a folder", where=str(target), todo="name another --prefix")


def _write(treebank: Treebank, split: Split, targets: dict[str, Path]) -> None:
    """All files or none: each takes its place only when all are on the disk."""
    import os
    from contextlib import ExitStack

    from ...runs.atomic import atomic_writer

    with ExitStack() as stack:
        streams = {part: stack.enter_context(atomic_writer(target)) for part, target in targets.items()}
        for part, stream in streams.items():
            stream.write(split.conllu(treebank, part))
            stream.flush()
            os.fsync(stream.fileno())


def _report(
    treebank: Treebank,
    split: Split,
    apart: Distance | None,
    targets: dict[str, Path],
    marks: dict[str, object],
    format: Format,
) -> None:
    from ...runs.result import Finding, Result, Table, Value
    from ...runs.signature import signature

    findings: list[Finding] = []
    rows: list[list[Value]] = []
    dealt = sum(map(len, split.parts.values()))
    for part, numbers in split.parts.items():
        words = int(treebank.lengths[numbers].sum())
        share = len(numbers) / dealt
        rows.append([part, len(numbers), words, share, str(targets[part])])
        for name, value in (("sentences", len(numbers)), ("words", words), ("share", share)):
            findings.append(Finding("treebank", targets[part].name, "", name, value, len(numbers), by={"part": part}))
    doubles, note = _duplicates(treebank, split, targets)
    findings += doubles
    tables = [Table("Split", ["part", "sentences", "words", "share", "file"], rows, digits=3, note=note)]
    if apart is not None:
        more, table = _distance(apart, targets["test"].name, len(split.parts["test"]))
        findings, tables = findings + more, [*tables, table]
        marks = {**marks, "draws": apart.draws or None}
    left = {"shorter than 3 words, left out": split.removed, "with the words of another, left out": split.repeated}
    failures = {why: count for why, count in left.items() if count}
    emit(Result(signature(("command", "treebank split"), *marks.items()), findings, tables, failures), format)


def _duplicates(treebank: Treebank, split: Split, targets: dict[str, Path]) -> tuple[list[Finding], str]:
    """How many sentences have the words of an earlier one, and how many of each part are in train, too."""
    from ...runs.result import Finding
    from ...treebank.duplicates import repeats, shared

    if not (count := repeats(treebank, split.parts.values())):
        return [], ""
    first = next(iter(split.parts))
    findings = [Finding("treebank", targets[first].name, "", "repeated", count, by={"part": "all"})]
    held = {
        part: shared(treebank, split.parts[first], numbers) for part, numbers in split.parts.items() if part != first
    }
    findings += [
        Finding("treebank", targets[part].name, "", f"in_{first}", value, len(split.parts[part]), by={"part": part})
        for part, value in held.items()
    ]
    inside = ", ".join(f"{value} of {part}" for part, value in held.items())
    return findings, f"{count} sentences have the words of an earlier one; in {first}, too: {inside}."


def _distance(apart: Distance, suite: str, n: int) -> tuple[list[Finding], Table]:
    from ...runs.result import Finding, Table, Value

    values: list[tuple[str, str, float | None]] = [
        ("EDV", "edv", apart.edv),
        ("EDV of heights, as published", "edv_heights", apart.edv_heights),
        ("noise: EDV of random splits, mean", "edv_noise_mean", apart.mean),
        ("noise, standard deviation", "edv_noise_sd", apart.sd),
        ("excess: EDV less noise", "edv_excess", apart.excess),
        ("z: excess in standard deviations", "edv_z", apart.z),
    ]
    kept = [one for one in values if one[2] is not None]
    findings = [
        Finding("treebank", suite, "", key, value, n if key in ("edv", "edv_heights") else apart.draws)
        for _, key, value in kept
    ]
    rows: list[list[Value]] = [[label, value] for label, _, value in kept]
    title = "Train to test" + (f", beside {apart.draws} random splits of these sizes" if apart.draws else "")
    return findings, Table(title, ["measure", "value"], rows, digits=5)
