"""Role suites read by their content and written in another form: what a file leaves open is asked, a loss is listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...data import is_data_name, locate
from ...errors import InputError, UsageError, unknown_name
from ...formats import ROLES
from ...treebank.format.reading import Source, open_files, paths
from .model import RoleSuite
from .names import HEADERS, RELEASES, first_line, is_row, order_today, properties_today


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
            raise UsageError("only a TSV has positions", where=name, todo="leave out positions")
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
        " the clauses of a treebank without them: gardenpath roles FILE SYSTEM, with CoNLL-U"
    )
    if not is_row(line.split("\t")):
        what = "this is not a suite: neither CoNLL nor TSV with a known header"
        todo = f"expected rows of CoNLL, or one of the headers: {' / '.join(HEADERS[0])}; {' / '.join(HEADERS[1])}"
    raise InputError(what, where=f"{name}:{number}", todo=todo)


def holds_roles(source: object) -> bool:
    """Return whether a source is a suite of roles, by the first lines of its first file."""
    head = _head(source)
    return head is not None and ROLES.sniffed(*head) is not None


def is_plain_treebank(source: object) -> bool:
    """Return whether a source is CoNLL-U that says nothing of orders and properties, by its first lines."""
    from ...treebank.format.sentence import Sentence
    from ...treebank.format.treebank import Treebank

    if isinstance(source, list | tuple) and source:
        source = source[0]
    if isinstance(source, Sentence | Treebank):
        return True
    head = _head(source)
    return head is not None and ROLES.sniffed(*head) is None and is_row(first_line(head[0])[2].split("\t"))


def _head(source: object) -> tuple[bytes, str] | None:
    """Return the beginning of a file or a treebank, with its name; None of what cannot be read."""
    if not isinstance(source, str | Path) or str(source) == "-":
        return None
    try:
        name, data, _ = next(iter(open_files(paths(source)[0], tolerant=False)))
    except (InputError, UsageError):
        return None
    return data[:_HEAD], name


_HEAD = 1 << 16
NAMES = ("original", "today")


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of a suite in another form, and what they do not hold, one line each."""

    data: bytes
    losses: tuple[str, ...] = ()


def convert(suite: RoleSuite, to: str, *, names: str = "original", partial: bool = False) -> Written:
    """The suite as `conll` (FEATS with `:`), `conllu-feats` (with `=`), `conllu` (both in comments) or `tsv`.

    `names`: those of the file, or today's; `partial`: only the gold arcs and the verb, where all heads are given.
    """
    write = ROLES.writer(to)
    if names not in NAMES:
        raise unknown_name("choice of names", names, NAMES)
    marked = list(suite.marked)
    if names == "today" and suite.kind == "roles":
        release = suite.release
        marked = [(order_today(order, release), properties_today(props, release)) for order, props in marked]
    written: Written = write(suite, marked, today=names == "today", partial=partial)
    return written


def head_distance(suite: RoleSuite, number: int) -> int:
    return next((abs(at - head) for at, head, label in suite.arcs_of(number) if label != "case"), -1)


def what_tsv_lacked(suite: RoleSuite) -> list[str]:
    """What another form has a place for and a suite from TSV does not tell."""
    arcs = suite.arcs
    counts = {
        "heads of subject and object, which TSV does not have (HEAD is _)": np.count_nonzero(arcs.head < 0),
        "positions outside the sentence": np.count_nonzero(arcs.dependent > suite.treebank.lengths[arcs.item]),
        "head_distance that is not the distance of noun and head": sum(
            distance != head_distance(suite, number) for number, distance in enumerate(suite.distances)
        ),
    }
    return [f"{what}: {count:,}" for what, count in counts.items() if count]
