"""Commands of `gardenpath suites`: list, show, check, convert, export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..data.catalogue import STUDIES
from .checks import IgnoreOption, ListOption, OnlyOption, ids, show_problems
from .options import Format, FormatOption, OutputOption
from .output import check_target, emit, fail_if, message, write_data

if TYPE_CHECKING:
    from ..runs.result.result import Value
    from ..suites.regions.model import RegionSuite
    from ..suites.roles.model import RoleSuite


COLUMNS = ("name", "study", "language", "items", "licence", "where")


def list_suites(format: FormatOption = Format.table, output: OutputOption = None) -> None:
    """Show the suites that are known by name: study, language, size, licence, and where they are on this machine.

    Items are counted in the suites that come with gardenpath.

    Example: gardenpath suites list --format tsv
    """
    from ..data import records, whereabouts
    from ..runs.record.signatures import signature
    from ..runs.result.result import Finding, Result, Table

    rows: list[list[Value]] = []
    findings = []
    for name, study, language, items, path in _bundled():
        by: dict[str, Value] = {"for": study, "language": language, "licence": "MIT", "path": path}
        findings.append(Finding("suites", name, "", "here", "bundled", items, by=by))
        rows.append([name, study, language, items, "MIT", path])
    for record in records():
        study = record.study
        if not study:
            continue
        here = whereabouts(record.name)
        place = str(here.path) if here else None
        by = {
            "for": study,
            "language": record.language,
            "licence": record.licence,
            "title": record.title,
            "path": place,
        }
        findings.append(Finding("suites", record.name, "", "here", here.origin if here else "no", by=by))
        where = place or f"gardenpath data get {record.name}"
        rows.append([record.name, study, record.language, None, record.licence, where])
    table = Table("Suites by name", COLUMNS, rows)
    emit(Result(signature(("command", "suites list")), findings, [table]), format, output)


def _bundled() -> Iterator[tuple[str, str, str, int, str]]:
    """Name, study, language, number of items and path of the suites that come with the package."""
    from ..data import bundled, bundled_names
    from ..suites.constructions.storage import read_constructions
    from ..suites.regions.reader import read_region_suites
    from ..suites.roles.reader import read_suite

    for short in bundled_names():
        language, _, study = short.partition("-")
        if study in STUDIES:
            path = bundled(short)
            if study == "roles":
                items = len(read_suite(path))
            elif study == "surprisal":
                items = sum(len(suite) for suite in read_region_suites(path))
            else:
                items = len(read_constructions(path / "tiger").items)
            yield f"bundled:{short}", study, language, items, str(path)


def export(
    source: Annotated[str, typer.Argument(help="A suite of pairs (a file, or data by name).", metavar="SUITE")],
    folder: Annotated[Path, typer.Argument(help="Where the task goes.", metavar="DIR")],
    harness: Annotated[str, typer.Option("--harness", help="lm-eval (YAML and data) or inspect (Python and data).")],
) -> None:
    """Write a suite of pairs as a task of lm-evaluation-harness or of Inspect; `gardenpath logs` reads what they log.

    Example: gardenpath suites export pairs.tsv tasks --harness lm-eval
    """
    from ..runs.record.writing import write_text
    from ..suites.regions.conversion import harness_task
    from ..suites.regions.reader import read_region_suites

    for suite in read_region_suites(source):
        for name, text in harness_task(suite, folder, harness).items():
            write_text(folder / name, text)
            message(f"{folder / name}")


PositionsOption = Annotated[
    int | None,
    typer.Option(
        "--positions", help="Where positions of a TSV begin (0 or 1), if not as its header says.", min=0, max=1
    ),
]
ReleaseOption = Annotated[
    str, typer.Option("--release", help="Which release's names the file uses, 2020 or 2026, if they do not say.")
]
LayoutOption = Annotated[
    list[str] | None,
    typer.Option(
        "--layout",
        help="What the columns of a file of pairs are, if their names do not say: good=COLUMN, bad, sentence, "
        "label, item, class, paradigm, target; encoding=NAME, separator=SIGN, order=good-bad of plain lines; may be "
        "repeated.",
        metavar="KEY=VALUE",
    ),
]


def expanded(name: str) -> list[str]:
    """What a glob matches, or the name itself; a name that is none of a file is left to the reader to complain of."""
    if not any(char in name for char in "*?[") or Path(name).exists():
        return [name]
    from glob import glob

    from ..errors import InputError

    matched = sorted(glob(name, recursive=True))  # noqa: PTH207 (Path.glob takes no absolute pattern)
    if not matched:
        raise InputError("no file matches", where=name)
    return matched


def refuse_for_regions(name: str, **given: object) -> None:
    """Options that are about suites of roles mean nothing to a suite of regions."""
    from ..errors import UsageError

    for option, value in given.items():
        if value is not None and value is not False and value != "":
            todo = "leave it out"
            raise UsageError(f"--{option} is for suites of roles, and this is none", where=name, todo=todo)


def is_regions(name: str, layout: Mapping[str, str] | None = None) -> bool:
    """Is this a suite of regions (or a folder or archive of them), and not one of roles?"""
    from ..errors import UsageError
    from ..suites.regions.pairs import WRITING
    from ..suites.regions.reader import holds_regions

    regions = name != "-" and holds_regions(name, layout)
    if layout and not regions and Path(name).exists():
        columns = ", ".join(value for key, value in layout.items() if key not in WRITING)
        todo = f"it has no columns {columns}; --layout is for tables and JSON lines of pairs"
        raise UsageError("this is not a file of pairs in this layout", where=name, todo=todo)
    return regions


def show(
    file: Annotated[
        str,
        typer.Argument(
            help="A suite of roles or of regions (also .gz, .xz), or -; a folder or an archive of pairs.",
            metavar="FILE",
        ),
    ],
    item: Annotated[
        str | None, typer.Option("--item", help="Show this item: its sent_id, or its number from 1.", metavar="ID")
    ] = None,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    layout: LayoutOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Show what a suite holds: orders, properties, pairs; conditions, regions, predictions; or one item of it.

    Example: gardenpath suites show suite.conll

    Example: gardenpath suites show suite.tsv --item 17 --format json

    Example: gardenpath suites show BLiMP.zip
    """
    from ..errors import UsageError
    from ..suites.overview import one_item, overview
    from ..suites.regions.pairs import parse_layout
    from ..suites.roles.reader import read_suite

    columns = parse_layout(layout or ())
    if is_regions(file, columns):
        from ..suites.overview import one_region_item, overview_of_pairs, region_overview
        from ..suites.regions.hierarchy import by_paradigm
        from ..suites.regions.reader import read_region_suites, unread_files

        refuse_for_regions(file, positions=positions, release=release)
        suites = read_region_suites(file, columns)
        paradigms = by_paradigm(suites)
        if item is None and len(paradigms) > 1:
            emit(overview_of_pairs(paradigms, file, len(suites), unread_files(file, columns)), format, output)
            return
        if len(suites) > 1:
            raise UsageError(f"{len(suites)} suites where one is expected", where=file, todo="name one file")
        emit(region_overview(suites[0]) if item is None else one_region_item(suites[0], item), format, output)
        return
    suite = read_suite(file, positions=positions, release=release)
    emit(overview(suite) if item is None else one_item(suite, item), format, output)


def convert(
    source: Annotated[str, typer.Argument(help="A suite of roles or of regions (also .gz, .xz), or -.", metavar="IN")],
    target: Annotated[str, typer.Argument(help="The file to write, or - for standard output.", metavar="OUT")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="Roles: conll (FEATS with :), conllu-feats (with =), conllu (comments) or tsv. Regions: syntaxgym, "
            "blimp, climp, mandarin, mandarin-csv, pairs, pair-rows or labelled-lines. By OUT's name if not given.",
        ),
    ] = "",
    names: Annotated[
        str, typer.Option("--names", help="Names of orders and properties: original (as in IN) or today.")
    ] = "original",
    partial: Annotated[bool, typer.Option("--partial", help="Keep only the gold arcs and the verb.")] = False,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    layout: LayoutOption = None,
) -> None:
    """Write a suite in another form, completely or not at all; what the form cannot hold is listed.

    Example: gardenpath suites convert suite.conll suite.tsv

    Example: gardenpath suites convert paradigm.jsonl suite.json --to syntaxgym
    """
    from ..errors import UsageError
    from ..formats import REGIONS, ROLES
    from ..runs.record.writing import writable_target
    from ..suites.regions.conversion import convert_regions
    from ..suites.regions.pairs import parse_layout
    from ..suites.regions.reader import read_region_suite
    from ..suites.roles.reader import convert as convert_roles
    from ..suites.roles.reader import read_suite

    columns = parse_layout(layout or ())
    regions = is_regions(source, columns)
    if regions:
        today = names != "original" and names
        refuse_for_regions(source, names=today, partial=partial, positions=positions, release=release)
    formats = REGIONS if regions else ROLES
    to = to or formats.by_suffix(target) or ""
    if not to:
        *first, last = formats.writable
        raise UsageError(f"which form is {target}?", todo=f"say --to {', '.join(first)} or {last}")
    if target != "-":
        writable_target(target)
    repairs: Mapping[str, int] = {}
    if regions:
        written = convert_regions(read_region_suite(source, columns), to)
    else:
        suite = read_suite(source, positions=positions, release=release)
        written, repairs = convert_roles(suite, to, names=names, partial=partial), suite.treebank.repairs
    write_data(written.data, None if target == "-" else target)
    for what, count in repairs.items():
        message(f"repaired: {what} ({count:,})")
    for loss in written.losses:
        message(f"not in {to}: {loss}")


def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Suites of roles (CoNLL, TSV) or of regions: files (also .gz, .xz), folders, archives, globs, or -.",
            metavar="FILE...",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            help="Roles: another form of the same suite; say where they disagree. Regions: a text or treebank, such as "
            "training data; say which alternatives differ in frequency.",
        ),
    ] = None,
    ignore: IgnoreOption = None,
    only: OnlyOption = None,
    most: Annotated[int, typer.Option("--max", help="Problems to show of each id and file; 0 for all.", min=0)] = 20,
    list_checks: ListOption = False,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    layout: LayoutOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find what is wrong in suites: roles, positions, names, repeats, pairs; conditions, regions, formulas, targets.

    Several ids are given as --ignore A,B or --ignore A --ignore B. Exit 0: no errors; 1: there are errors;
    2: the call is wrong or a file cannot be read.

    Example: gardenpath suites check suite.conll --against suite.tsv

    Example: gardenpath suites check mandarin-suites --against ctb-train.mrg --only frequency-differs,not-in-corpus

    Example: gardenpath suites check suites/*.json --ignore words-differ --format json -o problems.json
    """
    from ..errors import UsageError
    from ..runs.result.verdict import count_text
    from ..suites.regions.frequencies import frequency_table
    from ..suites.regions.pairs import parse_layout
    from ..suites.regions.reader import read_region_suites
    from ..suites.registry import Problem
    from ..suites.report import as_result, check_list, choose, survey
    from ..suites.roles.reader import read_suite, read_suites
    from ..systems.files.text_input import read_sentences
    from ..treebank.perturb.values import is_word_list, read_values
    from ..treebank.validate.check import Report

    if list_checks:
        emit(check_list(), format, output)
        return
    if not files:
        raise UsageError("no file is named", todo="name a suite")
    left_out, wanted, limit, columns = ids(ignore), ids(only), most or None, parse_layout(layout or ())
    choose(ignore=left_out, only=wanted)
    check_target(output)
    second: RoleSuite | None = None
    counts = Counter[str]()
    counted: list[RegionSuite] = []
    reports = list[Report[Problem]]()
    for file in (path for name in files for path in expanded(name)):
        if is_word_list(file):
            refuse_for_regions(file, against=against, positions=positions, release=release)
            reports.append(Report(file, len(read_values(file)), limit))
            continue
        if is_regions(file, columns):
            refuse_for_regions(file, positions=positions, release=release)
            if against is not None and not counts:
                counts.update(word for sentence in read_sentences(against) for word in sentence)
            found = list(read_region_suites(file, columns))
            counted += found
            compared = counts if against is not None else None
            reports += [survey(suite, against=compared, ignore=left_out, only=wanted, limit=limit) for suite in found]
            continue
        if against is not None and second is None:
            second = read_suite(against, positions=positions, release=release)
        suites = read_suites(file, positions=positions, release=release)
        reports += [survey(suite, against=second, ignore=left_out, only=wanted, limit=limit) for suite in suites]
    result = as_result(reports, against=against, ignore=left_out, only=wanted, limit=limit)
    if counts:
        result = replace(result, tables=[*result.tables, frequency_table(counted, counts)])
    problems = [problem for report in reports for problem in report.problems]
    show_problems(result, [f"{problem}\n  {problem.todo}" for problem in problems], format, output)
    errors = sum(report.errors for report in reports)
    fail_if(errors > 0, count_text(errors, "error"))
