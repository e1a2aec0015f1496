"""The Sinica Treebank: `#1:1.[0] VP(Head:VC2:按|goal:NP(Head:Nab:門鈴))#，(COMMACATEGORY)`, read only.

Semantic roles are functions. The punctuation mark behind the tree is a token at the virtual root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import InputError
from ...formats import Format
from ..tree import ROOT, PhraseTree, grown

_NUMBER = re.compile(r"#(\S*\[[0-9]*\]) *")
_MARK = re.compile(r"([^()]++)\(([A-Z]+)\)")
_PART = re.compile(r"([^()|]*+)([()|])")


def read_sinica(text: str, name: str = "") -> Iterator[PhraseTree]:
    """The trees of a file, one a line; `name` is for messages."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        body, mark, category = _split(line.removeprefix("\ufeff").rstrip())
        match = _NUMBER.match(body)
        if match is None:
            todo = "expected #1:1.[0] CAT(role:TAG:word|…)#。(PERIODCATEGORY)"
            raise InputError(f"not a line of the Sinica Treebank: {line[:40]!r}", where=where, todo=todo)
        yield _tree(match[1], body[match.end() :], mark, category, where)


def _split(line: str) -> tuple[str, str | None, str | None]:
    """What stands before the # at the end of the tree, and the punctuation mark and its category behind it; in one
    pass, however many # there are: the tree ends at the first one behind its last bracket."""
    if line.endswith("#"):
        return line[:-1], None, None
    last = max(line.rfind(bracket, 0, line.rfind("(")) for bracket in "()")
    at = line.find("#", last + 1)
    match = _MARK.fullmatch(line, at + 1) if at >= 0 else None
    return (line[:at], match[1], match[2]) if match else ("", None, None)


def _tree(sent_id: str, brackets: str, mark: str | None, category: str | None, where: str) -> PhraseTree:
    words, tags, roles, token_mothers = list[str](), list[str](), list[str](), list[int]()
    labels, inner_roles, mothers, path = list[str](), list[str](), list[int](), list[int]()
    at = 0
    while (match := _PART.match(brackets, at)) and (path or not at):
        at = match.end()
        name, sign = match.groups()
        if sign == "(":
            role, _, label = name.rpartition(":")
            labels.append(label)
            inner_roles.append(role)
            mothers.append(path[-1] if path else ROOT)
            path.append(len(labels) - 1)
            continue
        if name:
            role_and_tag, _, word = name.rpartition(":")
            role, _, tag = role_and_tag.rpartition(":")
            role = role.rpartition(":")[2]  # two words of the sample have a role twice: Head:Head:Nab:鱟
            if not (word and tag and path):
                raise InputError(f"the part {name!r} is not a role:TAG:word", where=where)
            words.append(word)
            tags.append(tag)
            roles.append(role)
            token_mothers.append(path[-1])
        if sign == ")":
            if not path:
                break
            path.pop()
    if path or at != len(brackets) or not labels:
        raise InputError("the brackets do not fit", where=f"{where}, sentence {sent_id}", todo="correct the line")
    if mark:
        words.append(mark.strip())
        tags.append(category or "")
        roles.append("")
        token_mothers.append(ROOT)
    size = len(words)
    shifted = [mother if mother == ROOT else mother + size for mother in token_mothers + mothers]
    return grown(words, tags, labels, roles + inner_roles, shifted, sent_id=sent_id, where=where)


_BEGIN = re.compile(rb"#[0-9:.]*\[[0-9]*\] ")
FORMATS = (
    Format(
        "sinica",
        "the Sinica Treebank",
        (".sinica",),
        sniff=lambda data, _: _BEGIN.match(data) is not None,
        read=lambda data, name, how: read_sinica(how.text(data, name), name),
    ),
)
