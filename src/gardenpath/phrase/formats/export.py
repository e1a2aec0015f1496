"""NEGRA export, versions 3 and 4: a token or inner node a line, each with the number of its mother.

Version 3 is `word tag morph edge parent`, version 4 has the lemma after the word; pairs of label and mother behind
the parent are secondary edges. `--` is "nothing". What else stands behind the parent (comments after `%%`, further
fields as in TüBa-D/Z) becomes a comment of the tree that begins with `WORD 3:` or `NODE 502:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...errors import InputError
from ...formats import Format
from ..tree import ROOT, Edge, PhraseTree, grown

EMPTY = "--"
FIRST, LAST = 500, 999
"""Numbers of inner nodes."""
_NODE = re.compile(r"#[0-9]{3,}$")
_NUMBER = re.compile(r"s[0-9]+$")
_ODD_BLANK = re.compile(r"[^\S \t\n]")
_BLANK = re.compile(r"[ \t\n\r]")
_COLUMNS = re.compile(r"%%\s*word\s+(?:lemma\s+)?tag\b")
"""A header that names the columns, as disco-dop and others write it: no comment on a sentence."""
_RESERVED = re.compile(r"#(?:[0-9]{3,}|BOS|EOS|BOT|EOT|FORMAT)$|%%")


def read_export(text: str, name: str = "") -> Iterator[PhraseTree]:
    """The trees of a file; `name` is for messages. `#FORMAT` is trusted; without it each line says its version."""
    version, remarks = 0, list[str]()
    bos: list[str] | None = None
    lines: list[str] = []
    begin, in_table = 0, False
    for number, line in enumerate(text.split("\n"), 1):
        if bos is not None and not line.startswith(("#BOS", "#EOS", "%%")):
            lines.append(line if line.strip() else "")  # empty ones keep the line numbers of messages
        elif line.startswith("%%"):
            if not _COLUMNS.match(line):
                remarks.append(line[2:].strip())
            if bos is not None:
                lines.append("")
        elif line.startswith("#BOS"):
            if bos is not None:
                raise InputError("a sentence begins inside another", where=f"{name}:{number}", todo="is #EOS missing?")
            bos, begin, lines = line[4:].split(None, 1), number, []
        elif line.startswith("#EOS"):
            if bos is None:
                raise InputError("#EOS without #BOS", where=f"{name}:{number}")
            yield _tree(bos, lines, version, remarks, name, begin)
            bos, remarks = None, []
        elif line.startswith("#FORMAT"):
            version, remarks = _version(line, f"{name}:{number}"), []
        elif line.startswith(("#BOT", "#EOT")):
            in_table, remarks = line.startswith("#BOT"), []
        elif line.strip() and not in_table:
            todo = "sentences stand between #BOS and #EOS, tables between #BOT and #EOT"
            raise InputError(f"outside of any sentence: {line.strip()[:40]!r}", where=f"{name}:{number}", todo=todo)
    if bos is not None:
        raise InputError(
            f"the sentence that begins here is not closed: {' '.join(bos)[:40]}",
            where=f"{name}:{begin}",
            todo="was the file written to the end? a sentence ends with #EOS",
        )


def _version(line: str, where: str) -> int:
    version = line[7:].strip()
    if version not in ("3", "4"):
        raise InputError(f"export version {version!r} is not known", where=where, todo="3 and 4 are")
    return int(version)


def _tree(bos: list[str], lines: list[str], version: int, remarks: list[str], name: str, begin: int) -> PhraseTree:
    words, tags, lemmas, morphs = list[str](), list[str](), list[str](), list[str]()
    labels, token_functions, inner_functions = list[str](), list[str](), list[str]()
    token_mothers, inner_mothers = list[str](), list[str]()
    inner: dict[str, int] = {}
    rest: list[tuple[str, int, list[str]]] = []
    for at, line in enumerate(lines, begin + 1):
        if not line:
            continue
        fields = re.split(r"[ \t]+", line.strip(" \t\r")) if _ODD_BLANK.search(line) else line.split()
        lemma = version == 4 or (version == 0 and not (len(fields) > 4 and fields[4].isdigit()))
        if lemma:
            if len(fields) < 6 or not fields[5].isdigit():
                raise _bad_line(fields, version, f"{name}:{at}")
            word, own, tag, morph, function, mother = fields[:6]
        else:
            if len(fields) < 5 or not fields[4].isdigit():
                raise _bad_line(fields, version, f"{name}:{at}")
            word, tag, morph, function, mother = fields[:5]
            own = EMPTY
        if word[0] == "#" and _NODE.match(word):
            if word[1:] in inner:
                raise InputError(f"two nodes have the number {word}", where=f"{name}:{at}", todo="renumber them")
            inner[word[1:]] = len(labels)
            labels.append(tag)
            inner_functions.append("" if function == EMPTY else function)
            inner_mothers.append(mother)
        else:
            words.append(word)
            tags.append(tag)
            lemmas.append("" if own == EMPTY else own)
            morphs.append("" if morph == EMPTY else morph)
            token_functions.append("" if function == EMPTY else function)
            token_mothers.append(mother)
        if len(fields) > 5 + lemma:
            rest.append((word if word[1:] in inner else "", len(words) - 1, fields[5 + lemma :]))
    size = len(words)
    numbers = {"0": ROOT} | {number: size + at for number, at in inner.items()}
    sent_id = bos[0] if bos else ""
    where = f"{name}:{begin}, sentence {sent_id}" if sent_id else f"{name}:{begin}"
    try:
        mothers = [numbers[mother] for mother in token_mothers + inner_mothers]
    except KeyError as error:
        what = f"a node hangs at {error.args[0]}, which is not in the sentence"
        raise InputError(what, where=where, todo="0 is the root, other mothers have a line of their own") from None
    secondary, comments = _behind(rest, numbers)
    return grown(
        words,
        tags,
        labels,
        token_functions + inner_functions,
        mothers,
        secondary,
        lemmas=lemmas if any(lemmas) else (),
        morphs=morphs if any(morphs) else (),
        sent_id=sent_id,
        comments=[*remarks, *_heading(bos), *comments],
        where=where,
    )


def _bad_line(fields: list[str], version: int, where: str) -> InputError:
    expected = "word tag morph edge parent" if version == 3 else "word lemma tag morph edge parent"
    form = f"version {version}" if version else "neither version 3 nor 4"
    return InputError(
        f"not a line of {form}: {' '.join(fields)[:60]!r}",
        where=where,
        todo=f"expected: {expected}, the parent a number" + ("; is #FORMAT right?" if version else ""),
    )


def _heading(bos: list[str]) -> Iterator[str]:
    """What stands behind the number at #BOS: editor, date and origin as `#BOS 2 108 1`, and a comment."""
    if len(bos) > 1:
        numbers, _, comment = bos[1].partition("%%")
        if numbers.strip():
            yield f"#BOS {' '.join(numbers.split())}"
        if comment.strip():
            yield comment.strip()


def _behind(rest: list[tuple[str, int, list[str]]], numbers: dict[str, int]) -> tuple[list[Edge], list[str]]:
    """Secondary edges and comments from what stands behind the parent."""
    edges: list[Edge] = []
    comments: list[str] = []
    for node, token, fields in rest:
        at = 0
        while at + 1 < len(fields) and fields[at] != "%%" and fields[at + 1] in numbers:
            label = "" if fields[at] == EMPTY else fields[at]
            edges.append((numbers[node[1:]] if node else token, label, numbers[fields[at + 1]]))
            at += 2
        if raw := " ".join(fields[at:]).removeprefix("%%").strip():
            comments.append(f"NODE {node[1:]}: {raw}" if node else f"WORD {token + 1}: {raw}")
    return edges, comments


def write_export(trees: Iterable[PhraseTree], version: int = 4) -> Iterator[str]:
    """The file in pieces, a sentence each. `s12`, as TIGER-XML names sentences, is written 12."""
    yield f"#FORMAT {version}\n"
    for number, tree in enumerate(trees, 1):
        yield _written(tree, version, number)


def _written(tree: PhraseTree, version: int, number: int) -> str:
    size, sent_id = len(tree), tree.sent_id or str(number)
    _check(tree, sent_id)
    if _NUMBER.match(sent_id):
        sent_id = sent_id[1:]
    tails = [""] * len(tree.mothers)
    for node, label, mother in tree.secondary:
        tails[node] += f"\t{label or EMPTY}\t{0 if mother == ROOT else mother - size + FIRST}"
    heading = f"#BOS {sent_id}"
    lines = []
    for comment in tree.comments:
        if comment.startswith("#BOS "):
            heading += comment[4:]
        else:
            lines.append("%% " + comment.replace("\n", " "))
    lines.append(heading)
    for node, (function, mother) in enumerate(zip(tree.functions, tree.mothers, strict=True)):
        if node < size:
            word, tag = tree.words[node], tree.tags[node]
            lemma = (tree.lemmas[node] if tree.lemmas else "") or EMPTY
            morph = (tree.morphs[node] if tree.morphs else "") or EMPTY
        else:
            word, tag, lemma, morph = f"#{node - size + FIRST}", tree.labels[node - size], EMPTY, EMPTY
        first = f"{word}\t{lemma}\t{tag or EMPTY}" if version == 4 else f"{word}\t{tag or EMPTY}"
        parent = 0 if mother == ROOT else mother - size + FIRST
        lines.append(f"{first}\t{morph}\t{function or EMPTY}\t{parent}{tails[node]}")
    lines.append(f"#EOS {sent_id}\n")
    return "\n".join(lines)


def _check(tree: PhraseTree, sent_id: str) -> None:
    """What export cannot hold: over 499 inner nodes, blanks in a field, words that look like numbers of nodes."""
    where = f"sentence {sent_id}"
    if len(tree.labels) > LAST - FIRST:
        what = f"{len(tree.labels)} inner nodes, export files have room for {LAST - FIRST} ({FIRST} to {LAST - 1})"
        raise InputError(what, where=where, todo="write TIGER-XML or brackets")
    for field in (sent_id, *tree.words, *tree.tags, *tree.labels, *tree.functions, *tree.lemmas, *tree.morphs):
        if _BLANK.search(field):
            todo = "export separates fields by blanks: write TIGER-XML, or change it"
            raise InputError(f"a blank in {field!r}", where=where, todo=todo)
    for word in tree.words:
        if not word or (word[0] in "#%" and _RESERVED.match(word)):
            what = f"the word {word!r} means something else in export files" if word else "an empty word"
            raise InputError(what, where=where, todo="write TIGER-XML or brackets")


_BEGIN = re.compile(rb"#BOS|#FORMAT|#BOT|%%")
FORMATS = (
    Format(
        "export",
        "NEGRA export 3 and 4",
        (".export", ".negra"),
        sniff=lambda data, _: _BEGIN.match(data) is not None,
        read=lambda data, name, how: read_export(how.text(data, name), name),
        write=lambda trees, _: write_export(trees),
    ),
)
