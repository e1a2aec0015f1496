"""Reading suites: what a file is, is decided by its content, and what it leaves open is asked, not guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ...data import is_data_name, locate
from ...errors import InputError, UsageError, unknown_name
from ...formats import ROLES
from ...treebank.format.reading import Source, open_files, paths
from .model import RoleSuite
from .names import HEADERS, RELEASES, first_line, is_row


def read_suite(
    source: Source, *, positions: int | None = None, release: str = "", language: str = "", name: str = ""
) -> RoleSuite:
    """The suite in one file: CoNLL with partial gold or all heads, FEATS with `:` or `=`, CoNLL-U, or TSV.

    `positions` says whether the positions of a TSV count from 0 or 1, `release` whose names are used, `language`
    which one it is, where the file does not.
    """
    if is_data_name(str(source)) and len(files := paths(source)) > 1:
        names = [f"{source}/{Path(file).relative_to(locate(str(source))).as_posix()}" for file in files]
        what = f"{len(files)} files where one suite is expected"
        raise UsageError(what, where=str(source), todo="name one of them: " + ", ".join(names))
    suites = list(read_suites(source, positions=positions, release=release, language=language))
    if len(suites) != 1:
        what = f"{len(suites)} files where one suite is expected"
        raise UsageError(what, where=str(source), todo="name one file")
    return replace(suites[0], name=name) if name else suites[0]


def read_suites(
    source: Source, *, positions: int | None = None, release: str = "", language: str = ""
) -> Iterator[RoleSuite]:
    """A suite per file of a folder, a glob or an archive, one at a time."""
    if release and release not in RELEASES:
        raise unknown_name("release", release, RELEASES)
    if positions not in (None, 0, 1):
        raise UsageError(f"positions count from 0 or from 1, not from {positions}")
    for name, data, _ in open_files(source, tolerant=False):
        format = detect(data, name)
        if positions is not None and format != "tsv":
            raise UsageError("only a TSV has positions", where=name, todo="leave out --positions")
        read = ROLES.reader(format)
        yield read(data, name, positions=positions, release=release, language=language)


def detect(data: bytes, name: str = "<bytes>") -> str:
    """`conll`, `conllu-feats`, `conllu` or `tsv`, by the first lines; a file that is none of them is an error."""
    if format := ROLES.sniffed(data, name):
        return format
    number, _, line = first_line(data)
    if not line:
        raise InputError("the file is empty", where=name)
    what = "this is not a suite: FEATS has neither order nor props"
    todo = (
        "FEATS of every word must say order and props, as in order:VF[S]LK[V]MF[O]|props:base-acc,"
        " or each sentence in comments: # order = VF[S]LK[V]MF[O] and # props = base-acc;"
        " the clauses of a treebank without them: gardenpath roles --treebank FILE SYSTEM"
    )
    if not is_row(line.split("\t")):
        what = "this is not a suite: neither CoNLL nor TSV with a known header"
        todo = f"expected rows of CoNLL, or one of the headers: {' / '.join(HEADERS[0])}; {' / '.join(HEADERS[1])}"
    raise InputError(what, where=f"{name}:{number}", todo=todo)
