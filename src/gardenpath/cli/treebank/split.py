"""The command treebank split: train, dev and test from dependency or phrase trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...formats import bare
from ..options import Format, FormatOption, NearOption, SeedOption
from ..output import emit

if TYPE_CHECKING:
    from ...phrase.tree import PhraseTree
    from ...treebank.format.treebank import Treebank
    from ...treebank.split.deal import Split


_EXPORT = "export"


@dataclass(frozen=True)
class SplitMaterial:
    """The sentences to deal out. Of phrase trees the treebank has the words alone, and the trees are written."""

    treebank: Treebank
    suffix: str = ".conllu"
    trees: Sequence[PhraseTree] = ()
    format: str = ""
    excluded: int = 0

    def content(self, split: Split, part: str) -> bytes:
        """The bytes of the file of a part."""
        if not self.format:
            return split.conllu(self.treebank, part)
        from ...phrase.formats.source import written

        trees = [self.trees[number] for number in split.parts[part].tolist()]
        return "".join(written(trees, self.format)).encode("utf-8")


def is_phrases(inputs: Sequence[str]) -> bool:
    from ...phrase.formats.sniffing import holds_phrases

    return bool(inputs) and inputs[0] != "-" and holds_phrases(inputs[0])


def split_material(inputs: Sequence[str], exclude: Sequence[str]) -> SplitMaterial:
    """Reads the inputs; sentences with the words of a sentence in `exclude` are left out and counted."""
    known = {words for name in exclude for words in sentences_of(name)}
    if is_phrases(inputs):
        return _phrase_material(inputs, known)
    from ...treebank.format.reading import read

    treebank = read(list(inputs))
    if not known:
        return SplitMaterial(treebank)
    kept = [number for number, sentence in enumerate(treebank) if tuple(word.form for word in sentence) not in known]
    return SplitMaterial(treebank[kept], excluded=len(treebank) - len(kept))


def _phrase_material(inputs: Sequence[str], known: set[tuple[str, ...]]) -> SplitMaterial:
    from ...phrase.formats.source import FORMATS, document_of, formats_of, read
    from ...treebank import Draft, Word, from_drafts

    formats = set[str]().union(*(formats_of(file) for file in inputs))
    format = formats.pop() if len(formats) == 1 else _EXPORT
    format = format if format in FORMATS.writable else _EXPORT
    kept: list[PhraseTree] = []
    drafts, count = list[Draft](), 0
    for path in inputs:
        trees = read(path)
        count += len(trees)
        document, genre = document_of(path)
        begin = [f"newdoc id = {document}"] if len(inputs) > 1 else []
        begin += [f"genre = {genre}"] if genre else []
        for tree in (tree for tree in trees if tree.words not in known):
            comments = [*begin, *([f"sent_id = {tree.sent_id}"] if tree.sent_id else [])]
            drafts.append(Draft([Word(form) for form in tree.words], comments=comments))
            kept.append(tree)
            begin = []
    words = from_drafts(drafts, name="<words>")
    return SplitMaterial(words, FORMATS[format].suffixes[0], kept, format, count - len(kept))


def sentences_of(name: str) -> list[tuple[str, ...]]:
    """The words of the sentences of a suite of constructions, of phrase trees, or of a treebank."""
    from ...data.store import local
    from ...phrase.formats.source import read
    from ...suites.constructions.storage import is_constructions, read_parallel
    from ...treebank.format.reading import read as read_treebank

    place = local(name)
    if is_constructions(place):
        return [item.tree.words for suite in read_parallel(place).values() for item in suite.items]
    if is_phrases([str(place)]):
        return [tree.words for tree in read(place)]
    return [tuple(word.form for word in sentence) for sentence in read_treebank(place)]


def prefix_of(inputs: list[str]) -> str:
    """What the names of the inputs begin with: en_ewt-ud for en_ewt-ud-train.conllu and en_ewt-ud-test.conllu."""
    names = [_stem(Path(path).name).split("-") for path in inputs if path != "-"]
    alike = takewhile(lambda pieces: len(set(pieces)) == 1, zip(*names, strict=False))
    return "-".join(pieces[0] for pieces in alike) or "split"


def _stem(name: str) -> str:
    stem, suffix, _ = name.partition(".conll")
    return stem if suffix else bare(name).rpartition(".")[0] or name


def inputs_of(names: list[str]) -> list[str]:
    """The files of phrase trees or of CoNLL-U."""
    from ...phrase.formats.source import files
    from ...treebank.format.reading import paths

    return [path for name in names for path in (files(name) if is_phrases([name]) else paths(name))]


_MOST_BYTES = 4_000_000_000
"""What many splits together may write."""


class ProcedureName(StrEnum):
    """The most extreme split that is found, or the one that the EDV paper's sampling gives."""

    best = "best"
    paper = "paper"


def split(
    files: Annotated[
        list[str],
        typer.Argument(
            help="The treebank: CoNLL-U files, folders or globs, taken together; or phrase trees.", metavar="FILE..."
        ),
    ],
    folder: Annotated[Path, typer.Option("--output", "-o", help="The folder for PREFIX-train.conllu and so on.")],
    random: Annotated[bool, typer.Option("--random", help="Split at random (the default).")] = False,
    min_edv: Annotated[
        bool, typer.Option("--min-edv", help="Make train and test as alike in edge displacement as possible.")
    ] = False,
    max_edv: Annotated[
        bool, typer.Option("--max-edv", help="Make them as different as possible, with the same sentence lengths.")
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
        bool,
        typer.Option(
            "--by-document",
            help="Keep documents together: from one # newdoc to the next; of phrase trees, each file is one.",
        ),
    ] = False,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance", help="By how much parts of whole documents may miss their shares (0.01).", min=0, max=1
        ),
    ] = None,
    deduplicate: Annotated[
        bool, typer.Option("--deduplicate", help="Of sentences with the same words, or nearly, keep the first.")
    ] = False,
    near: NearOption = 0.6,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude",
            help="Leave out sentences with the words of one in this suite or treebank; may be repeated.",
            metavar="SUITE",
        ),
    ] = None,
    stratify: Annotated[
        str,
        typer.Option(
            "--stratify",
            help="Keep the shares of a comment, such as genre, in all parts; id for what ids begin with. CTB's files "
            "(chtb_0931.nw) have a genre.",
            metavar="COMMENT",
        ),
    ] = "",
    parts: Annotated[
        Path | None,
        typer.Option(
            "--parts",
            help="A file that lists the documents of each part, in lines such as: dev 0301-0325 chtb_0400.",
            metavar="LIST",
        ),
    ] = None,
    folds: Annotated[
        int | None, typer.Option("--folds", help="How many folds; each sentence is in test once.", min=2)
    ] = None,
    documents: Annotated[
        bool, typer.Option("--leave-one-document-out", help="A split for each document, which is its test part.")
    ] = False,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats", help="How many random splits, or sets of folds, with one seed after the other.", min=1
        ),
    ] = 1,
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
    """Split a treebank at random, by edge displacement (the easiest and the hardest honest split), or by length.

    Example: gardenpath treebank split treebank.conllu -o parts --train 0.8 --dev 0.1 --test 0.1 --seed 1

    Example: gardenpath treebank split treebank/ -o hard --max-edv

    Example: gardenpath treebank split ctb/bracketed -o parts --parts shao2017.txt

    Example: gardenpath treebank split treebank/ -o folds --folds 10 --by-document --stratify genre --dev 0.1
    """
    import os
    from contextlib import ExitStack

    from ...errors import UsageError
    from ...runs.record.signatures import describe_input, digest
    from ...runs.record.writing import atomic_writer, writable_target
    from ...treebank.split.methods import TOLERANCE, listed_split, read_parts
    from ...treebank.split.report import DRAWS, WrittenSplit, distance, split_result

    if prefix != Path(prefix).name:
        raise UsageError(f"--prefix {prefix} is not a file name", todo="name the folder with --output")
    methods = {"random": random, "min-edv": min_edv, "max-edv": max_edv, "by-length": by_length}
    method, *others = [name for name, wanted in methods.items() if wanted] or ["random"]
    if others:
        raise UsageError("a split is made in one way: " + " or ".join(f"--{name}" for name in (method, *others)))
    if tolerance is not None and not (by_document or documents):
        raise UsageError(
            "sentences meet their shares, documents may miss them", where="--tolerance", todo="leave it out"
        )
    if procedure is not ProcedureName.best and not method.endswith("edv"):
        raise UsageError("--procedure is for --min-edv and --max-edv", where=f"--{method}", todo="leave it out")
    _check_many(method, folds, documents, repeats, stratify, {"--train": train, "--test": test, "--draws": draws})
    if parts is not None:
        usual = {
            "--random": random, f"--{method}": method != "random", "--train": train, "--dev": dev, "--test": test,
            "--folds": folds, "--leave-one-document-out": documents, "--repeats": repeats > 1, "--stratify": stratify,
            "--deduplicate": deduplicate, "--by-document": by_document, "--seed": seed, "--draws": draws,
        }  # fmt: skip
        if name := next((name for name, given in usual.items() if given not in (None, False, "", 0)), ""):
            raise UsageError(f"--parts says which documents are in which part, {name} does too", todo=f"remove {name}")
        method, draws = "parts", 0
    many = bool(folds or documents)
    usual_shares = (0.8, 0.1, 0.1) if method == "random" else (0.6, 0.2, 0.2)  # the latter are those of the EDV paper
    asked = zip((train, dev, test), (0.0, 0.0, 0.0) if many else usual_shares, strict=True)
    shares = [usual if share is None else share for share, usual in asked]
    if draws and not (shares[0] and shares[2]):
        what = "random splits are compared by the distance of their test part from training, and one is missing"
        raise UsageError(what, where=f"--draws {draws}", todo="leave out --draws, or give both parts a share")
    inputs = inputs_of(files)
    if is_phrases(inputs) and method.endswith("edv"):
        raise UsageError(f"--{method} is for CoNLL-U", where=inputs[0], todo="leave it out for phrase trees")
    writable_target(folder / "part")
    material = split_material(inputs, exclude or ())
    treebank = material.treebank
    alike = near or None
    options: dict[str, Any] = {"deduplicate": deduplicate, "near": alike}
    options |= {} if documents else {"by_document": by_document}
    options |= {} if tolerance is None else {"tolerance": tolerance}
    options |= {"stratify": stratify} if stratify else {}
    if parts is not None:
        splits = {"": listed_split(treebank, read_parts(parts))}
    else:
        splits = _splits(treebank, method, shares, procedure, options, folds, documents, range(seed, seed + repeats))
    if sum(len(numbers) for split in splits.values() for numbers in split.parts.values()) * len(treebank.data) > (
        _MOST_BYTES * len(treebank)
    ):
        todo = "make fewer folds, or use gardenpath.folds in Python, which writes nothing"
        raise UsageError(f"{len(splits)} splits of this treebank are more than 4 GB", where=str(folder), todo=todo)
    name = prefix or prefix_of(inputs)
    targets = {
        label: {part: folder / label / f"{name}-{part}{material.suffix}" for part in split.parts}
        for label, split in splits.items()
    }
    for files_of_split in targets.values():
        _check_targets(files_of_split, inputs, force)
    asked_draws = (0 if len(splits) > 1 else DRAWS) if draws is None else draws
    written = [
        WrittenSplit(split, targets[label], distance(treebank, split, draws=asked_draws, seed=seed), label)
        for label, split in splits.items()
    ]
    for made in written:  # all files or none: each takes its place only when all are on the disk
        with ExitStack() as stack:
            for part, target in made.targets.items():
                stream = stack.enter_context(atomic_writer(target))
                stream.write(material.content(made.split, part))
                stream.flush()
                os.fsync(stream.fileno())
    marks: dict[str, object] = {"input": f"{prefix_of(inputs)}#{digest(treebank.to_bytes())[:8]}", "method": method}
    marks |= {"parts": f"{parts.name}#{str(describe_input(parts)['sha256'])[:8]}"} if parts else {}
    marks |= {"by": "document" if by_document or documents or parts else "sentence", "near": f"{near:g}"}
    marks |= {"exclude": [Path(name).name for name in exclude] if exclude else None}
    marks |= {"deduplicate": deduplicate or None, "seed": seed, "folds": "document" if documents else folds}
    marks |= {"repeats": repeats if repeats > 1 else None, "stratify": stratify or None}
    marks |= {"tolerance": TOLERANCE if tolerance is None else tolerance} if by_document or documents else {}
    marks |= {"procedure": procedure.value} if method.endswith("edv") else {}
    named = zip(("train", "dev", "test"), shares, strict=True)
    marks |= {} if parts else {part: f"{share:g}" for part, share in named if share or not many}
    result = split_result(treebank, written, marks, near=alike, stratify=stratify)
    if left := len(treebank) - sum(map(len, splits[""].parts.values())) if parts else 0:
        result = replace(result, failures={**result.failures, "in no listed document, left out": left})
    if material.excluded:
        excluded = {"with the words of an excluded sentence, left out": material.excluded}
        result = replace(result, failures={**result.failures, **excluded})
    emit(result, format)


def _check_many(
    method: str, folds: int | None, documents: bool, repeats: int, stratify: str, shares: dict[str, float | None]
) -> None:
    """Folds are random splits of sizes that follow from their number."""
    from ...errors import UsageError

    if folds and documents:
        raise UsageError("folds of documents are single documents", where="--folds", todo="leave out one of the two")
    if documents and (repeats > 1 or stratify):
        where = "--repeats" if repeats > 1 else "--stratify"
        raise UsageError("every document is test once, nothing is drawn", where=where, todo="leave it out")
    many = {"--folds": folds, "--leave-one-document-out": documents, "--repeats": repeats > 1, "--stratify": stratify}
    option = next((name for name, wanted in many.items() if wanted), "")
    if option and method != "random":
        raise UsageError(f"{option} is for random splits", where=f"--{method}", todo="leave out one of the two")
    if folds or documents:
        size = next((name for name, share in shares.items() if share is not None), "")
        if size:
            raise UsageError(f"{option} says how large the parts are", where=size, todo="leave it out")
    elif repeats > 1 and shares["--draws"]:
        what = "many random splits are not compared with others"
        raise UsageError(what, where="--draws", todo="leave it out, their spread is shown")


def _splits(
    treebank: Treebank,
    method: str,
    shares: list[float],
    procedure: ProcedureName,
    options: dict[str, Any],
    folds: int | None,
    documents: bool,
    seeds: range,
) -> dict[str, Split]:
    """By the name of their folder: none where there is one split."""
    from ...treebank.split.displacement import displacement_split
    from ...treebank.split.methods import document_splits, fold_splits, length_split, random_split

    if documents:
        made = document_splits(treebank, dev=shares[1], seed=seeds[0], **options)
        return {f"document-{number}": split for number, split in enumerate(made, start=1)}
    if folds:
        return {
            f"fold-{number}" if len(seeds) == 1 else f"repeat-{seed - seeds[0] + 1}-fold-{number}": split
            for seed in seeds
            for number, split in enumerate(fold_splits(treebank, folds, dev=shares[1], seed=seed, **options), start=1)
        }
    named: dict[str, Any] = {**dict(zip(("train", "dev", "test"), shares, strict=True)), **options}
    if method in ("min-edv", "max-edv"):
        named |= {"procedure": procedure.value, "seed": seeds[0]}
        return {"": displacement_split(treebank, "min" if method == "min-edv" else "max", **named)}
    make = random_split if method == "random" else length_split
    if len(seeds) == 1:
        return {"": make(treebank, seed=seeds[0], **named)}
    return {f"repeat-{seed - seeds[0] + 1}": make(treebank, seed=seed, **named) for seed in seeds}


def _check_targets(targets: Mapping[str, Path], inputs: list[str], force: bool) -> None:
    from ...errors import UsageError

    for target in targets.values():
        if any(Path(path).exists() and target.exists() and Path(path).samefile(target) for path in inputs):
            raise UsageError("this is the input itself", where=str(target), todo="name another folder or --prefix")
        if target.exists() and not force:
            raise UsageError("this file is there already", where=str(target), todo="replace it with --force")
        if target.is_dir():
            raise UsageError("cannot write: this is a folder", where=str(target), todo="name another --prefix")
