"""The commands check and convert of `gardenpath suite`, and what `gardenpath show` says of a suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .checks import IgnoreOption, LimitOption, ListOption, OnlyOption, ids, show_problems
from .options import Format, FormatOption, OutputOption
from .output import check_target, emit, fail_if, message, write_data
from .settings import Rare

if TYPE_CHECKING:
    from ..runs.result.result import Result
    from ..suites.regions.model import RegionSuite
    from ..suites.roles.model import RoleSuite


PositionsSetting = Annotated[
    int | None, Rare("Where positions of a TSV begin (0 or 1), if not as its header says.", least=0, most=1)
]
ReleaseSetting = Annotated[str, Rare("Which release's names the file uses, 2020 or 2026, if they do not say.")]
LayoutSetting = Annotated[
    list[str] | None,
    Rare(
        "What the columns of a file of pairs are, if their names do not say: good=COLUMN, bad, sentence, "
        "label, item, class, paradigm, target; encoding=NAME, separator=SIGN, order=good-bad of plain lines. "
        "Repeatable.",
        repeated=True,
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
            raise UsageError(f"{option} is for suites of roles, and this is none", where=name, todo=todo)


def is_regions(name: str, layout: Mapping[str, str] | None = None) -> bool:
    """Is this a suite of regions (or a folder or archive of them), and not one of roles?"""
    from ..errors import UsageError
    from ..suites.regions.pairs import WRITING
    from ..suites.regions.reader import holds_regions

    regions = name != "-" and holds_regions(name, layout)
    if layout and not regions and Path(name).exists():
        columns = ", ".join(value for key, value in layout.items() if key not in WRITING)
        todo = f"it has no columns {columns}; a layout is for tables and JSON lines of pairs"
        raise UsageError("this is not a file of pairs in this layout", where=name, todo=todo)
    return regions


def show_suite(file: str, item: str, positions: int | None, release: str, layout: list[str] | None) -> Result:
    """Return what a suite holds: orders, properties, pairs; conditions, regions, predictions; or one item of it."""
    from ..errors import UsageError
    from ..suites.overview import one_item, overview
    from ..suites.regions.pairs import parse_layout
    from ..suites.roles.reader import read_suite

    columns = parse_layout(layout or ())
    if not is_regions(file, columns):
        suite = read_suite(file, positions=positions, release=release)
        return one_item(suite, item) if item else overview(suite)
    from ..suites.overview import one_region_item, overview_of_pairs, region_overview
    from ..suites.regions.hierarchy import by_paradigm
    from ..suites.regions.reader import read_region_suites, unread_files

    refuse_for_regions(file, positions=positions, release=release)
    suites = read_region_suites(file, columns)
    paradigms = by_paradigm(suites)
    if not item and len(paradigms) > 1:
        return overview_of_pairs(paradigms, file, len(suites), unread_files(file, columns))
    if len(suites) > 1:
        raise UsageError(f"{len(suites)} suites where one is expected", where=file, todo="name one file")
    return one_region_item(suites[0], item) if item else region_overview(suites[0])


def convert(
    source: Annotated[str, typer.Argument(help="A suite of roles or of regions (also .gz, .xz), or -.", metavar="IN")],
    target: Annotated[
        str,
        typer.Argument(
            help="The file to write, or - for standard output; of a harness, the folder of the task.", metavar="OUT"
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="Roles: conll (FEATS with :), conllu-feats (with =), conllu (comments) or tsv. Regions: syntaxgym, "
            "blimp, climp, mandarin, mandarin-csv, pairs, pair-rows or labelled-lines; tasks of harnesses: lm-eval or "
            "inspect. Default: by OUT's name.",
        ),
    ] = "",
    names: Annotated[str, Rare("Names of orders and properties: original (as in IN) or today.")] = "original",
    partial: Annotated[bool, Rare("Keep only the gold arcs and the verb.")] = False,
    positions: PositionsSetting = None,
    release: ReleaseSetting = "",
    layout: LayoutSetting = None,
) -> None:
    """Write a suite in another form, completely or not at all; what the form cannot hold is listed.

    Example: gardenpath suite convert suite.conll suite.tsv

    Example: gardenpath suite convert paradigm.jsonl suite.json --to syntaxgym

    Example: gardenpath suite convert pairs.tsv tasks --to lm-eval
    """
    from ..errors import UsageError
    from ..formats import REGIONS, ROLES
    from ..runs.record.writing import writable_target, write_text
    from ..suites.regions.conversion import HARNESSES, convert_regions, harness_task
    from ..suites.regions.pairs import parse_layout
    from ..suites.regions.reader import read_region_suite, read_region_suites
    from ..suites.roles.reader import convert as convert_roles
    from ..suites.roles.reader import read_suite

    columns = parse_layout(layout or ())
    if to in HARNESSES:
        for pairs in read_region_suites(source, columns):
            for name, text in harness_task(pairs, Path(target), to).items():
                write_text(Path(target) / name, text)
                message(f"{Path(target) / name}")
        return
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
    most: LimitOption = 20,
    list_checks: ListOption = False,
    positions: PositionsSetting = None,
    release: ReleaseSetting = "",
    layout: LayoutSetting = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find what is wrong in suites: roles, positions, names, repeats, pairs; conditions, regions, formulas, targets.

    Several ids are given as --ignore A,B or --ignore A --ignore B. Exit 0: no errors; 1: there are errors;
    2: the call is wrong or a file cannot be read.

    Example: gardenpath suite check suite.conll --against suite.tsv

    Example: gardenpath suite check mandarin-suites --against ctb-train.mrg --only frequency-differs,not-in-corpus

    Example: gardenpath suite check suites/*.json --ignore words-differ --format json -o problems.json
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
                if is_regions(against):
                    todo = "name a text or a treebank"
                    raise UsageError(
                        "regions are compared with a corpus, and this is a suite", where=against, todo=todo
                    )
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
