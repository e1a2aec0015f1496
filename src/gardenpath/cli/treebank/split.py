"""The command treebank split: train, dev and test from dependency or phrase trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...formats import bare
from ...studies.engine.declaration import parts_of
from ..options import Format, FormatOption, SeedOption
from ..output import emit
from ..settings import NearSetting, Rare

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
    kept = [number for number, words in enumerate(treebank.sentence_words) if words not in known]
    return SplitMaterial(treebank[kept], excluded=len(treebank) - len(kept))


def _phrase_material(inputs: Sequence[str], known: set[tuple[str, ...]]) -> SplitMaterial:
    from ...phrase.formats.source import FORMATS, document_of, formats_of, read

    formats = set[str]().union(*(formats_of(file) for file in inputs))
    format = formats.pop() if len(formats) == 1 else _EXPORT
    format = format if format in FORMATS.writable else _EXPORT
    kept: list[PhraseTree] = []
    sentences, count = list[tuple[Sequence[str], Sequence[str]]](), 0
    for path in inputs:
        trees = read(path)
        count += len(trees)
        document, genre = document_of(path)
        begin = [f"newdoc id = {document}"] if len(inputs) > 1 else []
        begin += [f"genre = {genre}"] if genre else []
        for tree in (tree for tree in trees if tree.words not in known):
            sentences.append((tree.words, [*begin, *([f"sent_id = {tree.sent_id}"] if tree.sent_id else [])]))
            kept.append(tree)
            begin = []
    words = words_treebank(sentences, "<words>")
    return SplitMaterial(words, FORMATS[format].suffixes[0], kept, format, count - len(kept))


def words_treebank(sentences: Iterable[tuple[Sequence[str], Sequence[str]]], name: str) -> Treebank:
    """Return a treebank of words without annotation, from the words and comments of sentences."""
    from ...treebank import Draft, Word, from_drafts

    drafts = (Draft([Word(form) for form in words], comments=list(comments)) for words, comments in sentences)
    return from_drafts(drafts, name=name)


def overlap_material(name: str) -> Treebank:
    """Return a treebank as it is; of phrase trees, or of a suite of constructions, the words."""
    from ...data.store import local
    from ...suites.constructions.storage import is_constructions
    from ...treebank.format.reading import read

    place = local(name)
    if is_constructions(place) or is_phrases([str(place)]):
        return words_treebank(((words, ()) for words in sentences_of(name)), name)
    return read(name)


def sentences_of(name: str) -> list[tuple[str, ...]]:
    """The words of the sentences of a suite of constructions, of phrase trees, or of a treebank."""
    from ...data.store import local
    from ...phrase.formats.source import read
    from ...suites.constructions.storage import is_constructions, read_parallel
    from ...treebank.format.reading import read as read_treebank

    place = local(name)
    if is_constructions(place):
        return list(dict.fromkeys(item.tree.words for suite in read_parallel(place).values() for item in suite.items))
    if is_phrases([str(place)]):
        return [tree.words for tree in read(place)]
    return read_treebank(place).sentence_words


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


PROCEDURES = ("best", "paper")
PARTS = ("train", "dev", "test")


class Method(StrEnum):
    """How sentences are dealt out."""

    random = "random"
    min_edv = "min-edv"
    max_edv = "max-edv"
    length = "length"


def split(
    files: Annotated[
        list[str],
        typer.Argument(
            help="The treebank: CoNLL-U files, folders or globs, taken together; or phrase trees.", metavar="FILE..."
        ),
    ],
    folder: Annotated[Path, typer.Option("--output", "-o", help="The folder for PREFIX-train.conllu and so on.")],
    method: Annotated[
        Method,
        typer.Option(
            help="random; min-edv or max-edv: train and test as similar or as different in edge displacement as "
            "possible; length: the longest sentences go to test.",
        ),
    ] = Method.random,
    shares: Annotated[
        str,
        typer.Option(
            help="Shares of train, dev and test: three numbers, or some by name (dev=0). Default: 0.8,0.1,0.1 for "
            "random, else 0.6,0.2,0.2.",
        ),
    ] = "",
    seed: SeedOption = 0,
    by_document: Annotated[
        bool,
        typer.Option(
            "--by-document",
            help="Keep documents together: from one # newdoc to the next; of phrase trees, each file is one.",
        ),
    ] = False,
    tolerance: Annotated[
        float | None, Rare("By how much parts of whole documents may miss their shares (0.01).")
    ] = None,
    deduplicate: Annotated[
        bool, typer.Option("--deduplicate", help="Of sentences with the same words, or nearly, keep the first.")
    ] = False,
    near: NearSetting = 0.6,
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
        str,
        typer.Option(help="Number of folds (each sentence is in test once), or documents: each is a test part."),
    ] = "",
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats", help="How many random splits, or sets of folds, with one seed after the other.", min=1
        ),
    ] = 1,
    procedure: Annotated[
        str, Rare("min-edv and max-edv: the most extreme split (best), or the paper's sampling.", PROCEDURES)
    ] = "best",
    draws: Annotated[int | None, Rare("Random splits to compare the split's EDV with (100); 0 for none.")] = None,
    prefix: Annotated[str, Rare("Begin file names with this, not with the input's name.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    format: FormatOption = Format.table,
) -> None:
    """Split a treebank at random, by edge displacement (the easiest and the hardest honest split), or by length.

    Example: gardenpath treebank split treebank.conllu -o parts --shares 0.8,0.1,0.1 --seed 1

    Example: gardenpath treebank split treebank/ -o hard --method max-edv

    Example: gardenpath treebank split ctb/bracketed -o parts --parts shao2017.txt

    Example: gardenpath treebank split treebank/ -o folds --folds 10 --by-document --stratify genre --shares dev=0.1
    """
    import os
    from contextlib import ExitStack

    from ...errors import UsageError
    from ...runs.record.signatures import describe_input, digest
    from ...runs.record.writing import atomic_writer, writable_target
    from ...treebank.split.methods import TOLERANCE, listed_split, read_parts
    from ...treebank.split.report import DRAWS, WrittenSplit, distance, split_result

    if prefix != Path(prefix).name:
        raise UsageError(f"--set prefix={prefix} is not a file name", todo="name the folder with --output")
    documents, number = folds == "documents", _fold_count(folds)
    if tolerance is not None and not (by_document or documents):
        raise UsageError(
            "sentences meet their shares, documents may miss them", where="--set tolerance", todo="leave it out"
        )
    if procedure != "best" and not method.endswith("edv"):
        where = f"--method {method}"
        raise UsageError("--set procedure is for min-edv and max-edv", where=where, todo="leave it out")
    asked = _shares(shares)
    _check_many(method, folds, repeats, stratify, asked, draws)
    if parts is not None:
        unfit = {
            f"--method {method}": method != Method.random, "--shares": shares, "--folds": folds,
            "--repeats": repeats > 1, "--stratify": stratify, "--deduplicate": deduplicate,
            "--by-document": by_document, "--seed": seed, "--set draws": draws,
        }  # fmt: skip
        if name := next((name for name, given in unfit.items() if given), ""):
            raise UsageError(f"--parts says which documents are in which part, {name} does too", todo=f"remove {name}")
        draws = 0
    usual = (0.8, 0.1, 0.1) if method == Method.random else (0.6, 0.2, 0.2)  # the latter are those of the EDV paper
    sizes = [asked.get(part, 0.0 if folds else share) for part, share in zip(PARTS, usual, strict=True)]
    if draws and not (sizes[0] and sizes[2]):
        what = "random splits are compared by the distance of their test part from training, and one is missing"
        raise UsageError(what, where=f"--set draws={draws}", todo="leave it out, or give both parts a share")
    inputs = inputs_of(files)
    if is_phrases(inputs) and method.endswith("edv"):
        raise UsageError(f"--method {method} is for CoNLL-U", where=inputs[0], todo="leave it out for phrase trees")
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
        splits = _splits(treebank, method, sizes, procedure, options, number, documents, range(seed, seed + repeats))
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
    marks: dict[str, object] = {
        "input": f"{prefix_of(inputs)}#{digest(treebank.to_bytes())[:8]}", "method": "parts" if parts else method.value,
    }  # fmt: skip
    marks |= {"parts": f"{parts.name}#{str(describe_input(parts)['sha256'])[:8]}"} if parts else {}
    marks |= {"by": "document" if by_document or documents or parts else "sentence", "near": f"{near:g}"}
    marks |= {"exclude": [Path(name).name for name in exclude] if exclude else None}
    marks |= {"deduplicate": deduplicate or None, "seed": seed, "folds": "document" if documents else number}
    marks |= {"repeats": repeats if repeats > 1 else None, "stratify": stratify or None}
    marks |= {"tolerance": TOLERANCE if tolerance is None else tolerance} if by_document or documents else {}
    marks |= {"procedure": procedure} if method.endswith("edv") else {}
    if not parts:
        marks |= {part: f"{share:g}" for part, share in zip(PARTS, sizes, strict=True) if share or not folds}
    result = split_result(treebank, written, marks, near=alike, stratify=stratify)
    if left := len(treebank) - sum(map(len, splits[""].parts.values())) if parts else 0:
        result = replace(result, failures={**result.failures, "in no listed document, left out": left})
    if material.excluded:
        excluded = {"with the words of an excluded sentence, left out": material.excluded}
        result = replace(result, failures={**result.failures, **excluded})
    emit(result, format)


def _fold_count(folds: str) -> int | None:
    """Return the number of folds; None where documents are the folds, or there are none."""
    from ...errors import UsageError

    if folds in ("", "documents"):
        return None
    if not folds.isdecimal() or int(folds) < 2:
        raise UsageError(f"--folds {folds}: not a number of folds", todo="write 2 or more, or documents")
    return int(folds)


def _shares(text: str) -> dict[str, float]:
    """Return `0.8,0.1,0.1` or `dev=0` by part."""
    from ...errors import UsageError

    given = parts_of(text)
    named = "=" in text
    pairs = [part.partition("=")[::2] for part in given] if named else list(zip(PARTS, given, strict=False))
    try:
        shares = {name.strip(): float(share) for name, share in pairs}
        if not set(shares) <= set(PARTS) or (given and not named and len(given) != len(PARTS)):
            raise ValueError
    except ValueError:
        todo = "write three numbers, such as 0.8,0.1,0.1, or some by name, such as dev=0"
        raise UsageError(f"--shares {text}: not the shares of train, dev and test", todo=todo) from None
    return shares


def _check_many(
    method: Method, folds: str, repeats: int, stratify: str, shares: Mapping[str, float], draws: int | None
) -> None:
    """Folds are random splits of sizes that follow from their number."""
    from ...errors import UsageError

    if folds == "documents" and (repeats > 1 or stratify):
        where = "--repeats" if repeats > 1 else "--stratify"
        raise UsageError("every document is test once, nothing is drawn", where=where, todo="leave it out")
    many = {"--folds": folds, "--repeats": repeats > 1, "--stratify": stratify}
    option = next((name for name, wanted in many.items() if wanted), "")
    if option and method != Method.random:
        raise UsageError(f"{option} is for random splits", where=f"--method {method}", todo="leave out one of the two")
    if folds:
        size = "--set draws" if draws is not None else "--shares" if set(shares) - {"dev"} else ""
        if size:
            todo = "leave it out; only dev may be given a share: --shares dev=0.1"
            raise UsageError("--folds determines the sizes of train and test", where=size, todo=todo)
    elif repeats > 1 and draws:
        what = "many random splits are not compared with others"
        raise UsageError(what, where="--set draws", todo="leave it out, their spread is shown")


def _splits(
    treebank: Treebank,
    method: Method,
    shares: list[float],
    procedure: str,
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
    named: dict[str, Any] = {**dict(zip(PARTS, shares, strict=True)), **options}
    if method in ("min-edv", "max-edv"):
        named |= {"procedure": procedure, "seed": seeds[0]}
        return {"": displacement_split(treebank, "min" if method == "min-edv" else "max", **named)}
    make = random_split if method == Method.random else length_split
    if len(seeds) == 1:
        return {"": make(treebank, seed=seeds[0], **named)}
    return {f"repeat-{seed - seeds[0] + 1}": make(treebank, seed=seed, **named) for seed in seeds}


def _check_targets(targets: Mapping[str, Path], inputs: list[str], force: bool) -> None:
    from ...errors import UsageError

    for target in targets.values():
        if any(Path(path).exists() and target.exists() and Path(path).samefile(target) for path in inputs):
            raise UsageError(
                "this is the input itself", where=str(target), todo="name another folder, or --set prefix=NAME"
            )
        if target.exists() and not force:
            raise UsageError("file already exists", where=str(target), todo="replace it with --force")
        if target.is_dir():
            raise UsageError(
                "cannot write: this is a folder", where=str(target), todo="name another one: --set prefix=NAME"
            )
