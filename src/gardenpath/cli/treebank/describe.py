"""Commands that describe treebanks: stats, search, diff, overlap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ...phrase.schemes.registry import LISTED
from ...studies.engine.declaration import parts_of
from ..options import Format, FormatOption, JobsOption, OutputOption, RunOption
from ..output import check_target, emit, write_data
from ..settings import NearSetting, Rare

if TYPE_CHECKING:
    from ...runs.result.result import Result
    from ...treebank.trees.measures import Descriptions, Task, Variant


class By(StrEnum):
    """One description of each file, of each argument (a folder as a whole), or of all files together."""

    file = "file"
    argument = "argument"
    all = "all"


def stats(
    files: Annotated[
        list[str],
        typer.Argument(
            help="CoNLL-U files (also .gz, .xz, .zip), folders, globs, or -; or phrase trees and tokenised text, of "
            "which the words are counted.",
            metavar="FILE...",
        ),
    ],
    by: Annotated[
        By, typer.Option("--by", help="Describe each file, each argument (a folder as one), or all files together.")
    ] = By.file,
    tables: Annotated[bool, Rare("With counts of tags, relations, displacements and sentence lengths.")] = True,
    variant: Annotated[
        Literal["text", "script"],
        Rare(
            "Morphological complexity as the EDV paper's text or its script has it: text or script.", ("text", "script")
        ),
    ] = "text",
    jobs: JobsOption = "1",
    run: RunOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Sizes, trees, projectivity, crossings, depth, displacement, morphology, tags and relations of treebanks.

    Of phrase trees and text: sentences, words, vocabulary and sentence lengths, without traces.

    Example: gardenpath treebank stats en_ewt-ud-test.conllu

    Example: gardenpath treebank stats treebanks/ --jobs all --set tables=no --format tsv -o stats.tsv

    Example: gardenpath treebank stats ctb/bracketed xinhua.txt --by argument --run lengths
    """
    from ...report.measures import COLUMNS, MAIN

    check_target(output, runs=[run])
    named = {file: _files_of(file) for file in files}
    words = any(of_words for _, of_words in named.values())
    all_paths = list(dict.fromkeys(path for paths, _ in named.values() for path in paths))
    suites = ["<stdin>" if path == "-" else Path(path).name for path in all_paths]
    if len(set(suites)) < len(suites):  # two files have one name
        suites = all_paths
    # Files that belong together and the name they go by.
    tasks = (
        [(all_paths, "all")]
        if by is By.all and len(all_paths) > 1
        else [(paths, file) for file, (paths, _) in named.items()]
        if by is By.argument
        else [([path], suite) for path, suite in zip(all_paths, suites, strict=True)]
    )
    settings = {"by": by.value, "variant": variant, "tables": tables} | ({"words": True} if words else {})
    if run is not None:
        result = _recorded(run, tasks, all_paths, {**settings, "suites": suites}, jobs)
        emit(result, format, output, run)
        return
    # Of many files a person sees the main measures and no tags or relations, and these are all there is to keep.
    main = format not in (Format.tsv, Format.json) and len(tasks) > COLUMNS
    measures = [name for names in MAIN.values() for name in names] if main else None
    described = _described(tasks, variant, jobs, measures=measures, tables=tables and not main, words=words)
    emit(_result(described, settings), format, output)


def _files_of(name: str) -> tuple[list[str], bool]:
    """The files of an argument, and whether only their words are described: phrase trees or text."""
    from ...phrase.formats.sniffing import phrase_place
    from ...phrase.formats.source import files as phrase_files
    from ...systems.files.text_input import TEXTS
    from ...treebank.format.reading import paths

    if place := phrase_place(name):
        return phrase_files(place), True
    return paths(name), name.lower().endswith(TEXTS)


def _described(
    tasks: Sequence[Task],
    variant: Variant,
    jobs: str,
    run: Any = None,
    *,
    measures: Sequence[str] | None = None,
    tables: bool = True,
    words: bool = False,
) -> Descriptions:
    from functools import partial

    from ...systems.files.text_input import read_sentences
    from ...treebank.trees.measures import MEASURES, Descriptions, batches, describe, describe_words

    described: Callable[[Sequence[Task]], dict[str, Any]]
    if words:
        described = partial(describe_words, read=read_sentences)
    else:
        described = partial(describe, variant=variant, measures=measures or MEASURES, tables=tables)
    if len(tasks) == 1 and run is None:  # spares the loading of what distributes work
        return Descriptions([described(tasks)])
    from ...errors import UsageError
    from ...runs.work.where import Where

    if jobs != "1" and any("-" in files for files, _ in tasks):
        raise UsageError("standard input cannot be shared by processes", where="-", todo="use --jobs 1")
    parts = batches(tasks)
    suites = [[suite for _, suite in part] for part in parts]
    return Descriptions(
        Where(jobs, cache=False).map(
            described,
            parts,
            label="treebank stats",
            sizes=list(map(len, parts)),
            names=[names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}" for names in suites],
            keys=["\n".join(names) for names in suites],
            run=run,
        )
    )


def _recorded(folder: Path, tasks: Sequence[Task], files: Sequence[str], settings: dict[str, Any], jobs: str) -> Result:
    from ...errors import UsageError
    from ...runs.record.run import Run

    if "-" in files:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")
    with Run.open(folder, command="treebank stats", settings=settings, inputs=files) as run:
        if run.finished:
            return run.result()
        words = settings.get("words", False)
        described = _described(tasks, settings["variant"], jobs, run, tables=settings["tables"], words=words)
        result = _result(described, settings)
        run.finish(result)
        return result


def _result(described: Descriptions, settings: Mapping[str, Any]) -> Result:
    from ...report.measures import measure_tables
    from ...runs.record.signatures import signature
    from ...runs.result.result import Result

    variant = () if settings.get("words") else (("variant", settings["variant"]),)
    marks = signature(("command", "treebank stats"), ("by", settings["by"]), *variant)
    return Result(marks, described, measure_tables(described), described.failures)


def search(
    treebank: Annotated[
        str, typer.Argument(help="A CoNLL-U file or one of phrase trees, a folder or a glob.", metavar="TREEBANK")
    ],
    pattern: Annotated[str, typer.Argument(help="The request, or @FILE that holds it.", metavar="PATTERN")],
    by: Annotated[
        str, typer.Option("--by", help="Count by features of nodes and edges: S.Number,V.Tense or e.label.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", help="Matches to show; 0 for counts alone.", min=0)] = 10,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", help="Write the matching sentences in this format: conllu; of phrase trees export, penn …"
        ),
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option("--scheme", help=f"Of phrase trees, for their heads and the like: {LISTED}; else what they show."),
    ] = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find every place in a treebank that fits a pattern, and count what is there.

    A pattern is written as for Grew: nodes with their features, edges with their labels, and order. In phrase trees
    X -> Y is a mother and her daughter, with the function as the label, and X ->> Y any node inside of X.

    Example: gardenpath treebank search bundled:de-test "V -[nsubj]-> S; V -[obj]-> O; O << V" --by S.upos

    Example: gardenpath treebank search bundled:de-test "V [upos=VERB]; V -[obj]-> O" --to conllu

    Example: gardenpath treebank search trees.export "S [cat=S]; S -[OA]-> O; S -[SB]-> X; O << X" --by O.cat

    Example: gardenpath treebank search trees.export "C [cat=S, order=vl]; V = verb(C)" --scheme tiger --by V.form
    """
    from ...errors import UsageError, unknown_name
    from ...library.tools import search as matches_in
    from ...phrase.query import PhraseNodes
    from ...treebank.query.search import search_result

    check_target(output)
    if to is not None and by:
        raise UsageError("--to gives sentences, and --by counts", todo="leave out one of the two")
    matches = matches_in(treebank, pattern, scheme)
    nodes = matches.nodes
    if isinstance(nodes, PhraseNodes):
        if to is not None:
            from ...phrase.formats.source import written

            chosen = [nodes.trees[number] for number in matches.sentences.tolist()]
            write_data("".join(written(chosen, to)).encode(), output)
            return
    elif to is not None:
        if to != "conllu":
            raise unknown_name("format", to, ["conllu"], where="--to")
        write_data(nodes.trees.select(matches.sentences).to_bytes() if len(matches) else b"", output)
        return
    emit(search_result(matches, parts_of(by), limit), format, output)


def diff(
    old: Annotated[str, typer.Argument(help="The first release: a CoNLL-U file, a folder or a glob.")],
    new: Annotated[str, typer.Argument(help="The second release.")],
    parsed: Annotated[
        str,
        typer.Option(
            "--parsed",
            help="A parse to score against both: how much of a difference in LAS is due to changed gold.",
            metavar="FILE",
        ),
    ] = "",
    near: NearSetting = 0.5,
    limit: Annotated[int, typer.Option("--limit", help="How many examples to show (10).", min=0)] = 10,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Compare two releases of a treebank: sentences added, removed and changed, and which heads and labels differ.

    Example: gardenpath treebank diff UD_Turkish-IMST@r2.6 UD_Turkish-IMST

    Example: gardenpath treebank diff old.conllu new.conllu --parsed parsed.conllu
    """
    from ...treebank.format.reading import read
    from ...treebank.trees.diff import diff as compared
    from ...treebank.trees.diff import diff_result

    check_target(output)
    both = compared(read(old), read(new), near or None)
    emit(diff_result(both, read(parsed) if parsed else None, near or None, limit), format, output)


def overlap(
    train: Annotated[str, typer.Argument(help="What was trained on: CoNLL-U or phrase trees; a file, folder or glob.")],
    test: Annotated[str, typer.Argument(help="What is tested on, also a suite of constructions.")],
    near: NearSetting = 0.6,
    limit: Annotated[int, typer.Option("--limit", help="How many examples to show (10).", min=0)] = 10,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find the sentences and documents of a test set that are in the training data, word for word or nearly.

    Example: gardenpath treebank overlap en_ewt-ud-train.conllu en_ewt-ud-test.conllu

    Example: gardenpath treebank overlap bundled:de-train bundled:de-test --set near=0.5
    """
    from ...treebank.trees.duplicates import overlap as common
    from ...treebank.trees.duplicates import overlap_result
    from .split import overlap_material

    check_target(output)
    found = common(overlap_material(train), overlap_material(test), near or None)
    emit(overlap_result(found, near or None, limit), format, output)
