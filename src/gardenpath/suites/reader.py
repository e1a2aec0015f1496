"""Reading suites: what a file is, is decided by its content, and what it leaves open is asked, not guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..errors import InputError, UsageError, unknown_name
from ..treebank.source import Source, open_files
from .model import RoleSuite
from .names import RELEASES
from .tabular import HEADERS

CONLL, CONLLU_FEATS, CONLLU, TSV = "conll", "conllu-feats", "conllu", "tsv"
FORMATS = (CONLL, CONLLU_FEATS, CONLLU, TSV)
_MARK = re.compile(r"(?:^|\|)(?:order|props)([:=])")
_COMMENT = re.compile(rb"^#[ \t]*props[ \t]*=", re.MULTILINE)


def read_suite(
    source: Source, *, positions: int | None = None, release: str = "", language: str = "", name: str = ""
) -> RoleSuite:
    """The suite in one file: CoNLL with partial gold or all heads, FEATS with `:` or `=`, CoNLL-U, or TSV.

    `positions` says whether the positions of a TSV count from 0 or 1, `release` whose names are used, `language`
    which one it is, where the file does not.
    """
    suites = list(read_suites(source, positions=positions, release=release, language=language))
    if len(suites) != 1:
        what = f"{len(suites)} files where one suite is expected"
        raise UsageError(what, where=str(source), todo="name one file")
    if not name:
        return suites[0]
    from dataclasses import replace

    return replace(suites[0], name=name)


def read_suites(
    source: Source, *, positions: int | None = None, release: str = "", language: str = ""
) -> Iterator[RoleSuite]:
    """A suite per file of a folder, a glob or an archive, one at a time."""
    from .conll import from_conll
    from .tabular import from_tsv

    if release and release not in RELEASES:
        raise unknown_name("release", release, RELEASES)
    if positions not in (None, 0, 1):
        raise UsageError(f"positions count from 0 or from 1, not from {positions}")
    for name, data, _ in open_files(source, tolerant=False):
        kind = detect(data, name)
        if kind == TSV:
            yield from_tsv(data, name, positions=positions, release=release, language=language)
        else:
            yield from_conll(data, name, format=kind, release=release, language=language)


def detect(data: bytes, name: str = "<bytes>") -> str:
    """`conll`, `conllu-feats`, `conllu` or `tsv`, by the first lines; a file that is none of them is an error."""
    number, begin, line = _first_line(data)
    if line is None:
        raise InputError("the file is empty", where=name)
    fields = line.split("\t")
    if tuple(field.strip().casefold() for field in fields) in {tuple(map(str.casefold, one)) for one in HEADERS}:
        return TSV
    where = f"{name}:{number}"
    if len(fields) < 6 or not fields[0][:1].isdigit():
        todo = f"expected rows of CoNLL, or one of the headers: {' / '.join(HEADERS[0])}; {' / '.join(HEADERS[1])}"
        raise InputError("this is no suite: neither CoNLL nor TSV with a known header", where=where, todo=todo)
    found = _MARK.search(fields[5].rstrip("\r"))
    if found is None and _COMMENT.search(data, 0, begin):
        return CONLLU
    if found is None:
        todo = (
            "FEATS of every word must say order and props, as in order:VF[S]LK[V]MF[O]|props:base-acc,"
            " or each sentence in comments: # order = VF[S]LK[V]MF[O] and # props = base-acc"
        )
        raise InputError("this is no suite: FEATS has neither order nor props", where=where, todo=todo)
    return CONLL if found[1] == ":" else CONLLU_FEATS


def _first_line(data: bytes) -> tuple[int, int, str | None]:
    """Number, place and text of the first line that is neither empty nor a comment; a header of TSV counts as one."""
    begin, number = 3 if data.startswith(b"\xef\xbb\xbf") else 0, 0
    while begin < len(data):
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        number += 1
        line = data[begin:end].rstrip(b"\r")
        if line.strip() and not line.startswith(b"#"):
            return number, begin, line.decode("utf-8", "replace")
        begin = end + 1
    return number, begin, None


FREQUENT = {
    "de": frozenset(
        "der die das den dem des ein eine einen einem einer kein keine keinen er sie es ihn ihm wird werden "
        "weil deshalb nicht und in".split()
    ),
    "nl": frozenset("de het een geen hij zij ze hem haar hen zal zullen omdat daarom niet en".split()),
}
"""Words that tell the language, and that do not tell one sentence from another."""


def language_of(forms: Sequence[str], counts: Sequence[int]) -> str:
    """German or Dutch by their most frequent words; empty where they do not tell."""
    found = {
        language: sum(count for form, count in zip(forms, counts, strict=True) if form.casefold() in words)
        for language, words in FREQUENT.items()
    }
    best = max(found, key=lambda language: found[language])
    others = max(count for language, count in found.items() if language != best)
    return best if found[best] > 2 * others else ""


def ambiguity_of(name: str, properties: Sequence[tuple[str, ...]]) -> str:
    """`part` where some items carry `amb` or `dat`, else what the name of the file says."""
    from pathlib import PurePath

    if any("amb" in one or "dat" in one for one in properties):
        return "part"
    stem = PurePath(name).name.casefold()
    if re.search(r"part[-_ ]?amb", stem):
        return "part"
    return "full" if re.search(r"(^|[-_. ])amb(ig|[-_. ]|$)", stem) else ""
