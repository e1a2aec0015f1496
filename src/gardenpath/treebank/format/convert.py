"""Treebanks in other forms: repaired, with changed comments, FEATS and DEPS, or as text, TSV and word lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from ...errors import InputError, UsageError, unknown_name
from ...formats import TREEBANKS, Format
from .fields import parse_comment
from .index import FIELDS
from .treebank import Treebank

_BOM = b"\xef\xbb\xbf"


def repair(data: bytes, name: str = "<bytes>") -> tuple[bytes, dict[str, int]]:
    """Bytes that the strict reader takes, and how often what was repaired.

    `byte order mark`, `carriage returns`, `blanks on empty lines`, `missing columns` (filled with `_` at the
    end) and `empty fields` (made `_`). Nothing is guessed: other faults stay, and the reader names them.
    """
    counts: dict[str, int] = {}
    if data.startswith(_BOM):
        data, counts["byte order mark"] = data[len(_BOM) :], 1
    if b"\r" in data:
        counts["carriage returns"] = data.count(b"\r")
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if _needs_rows(data):
        data = _repair_rows(data, counts, name)
    return data, counts


def _needs_rows(data: bytes) -> bool:
    if b"\t\t" in data or b"\t\n" in data or b"\n " in data or b"\n\t" in data:
        return True
    return any(line.count(b"\t") != 9 for line in data.split(b"\n") if line and line[:1] != b"#")


def _repair_rows(data: bytes, counts: dict[str, int], name: str) -> bytes:
    lines = data.split(b"\n")
    for number, line in enumerate(lines):
        if line[:1] == b"#" or not line:
            continue
        if not line.strip():
            lines[number] = b""
            counts["blanks on empty lines"] = counts.get("blanks on empty lines", 0) + 1
            continue
        fields = line.split(b"\t")
        if not 6 <= len(fields) <= 10:
            raise InputError(
                f"{len(fields)} column{'s' if len(fields) > 1 else ''} instead of 10",
                where=f"{name}:{number + 1}",
                todo="between 6 and 9 columns can be filled up, this line cannot",
            )
        if len(fields) < 10:
            counts["missing columns"] = counts.get("missing columns", 0) + 10 - len(fields)
            fields += [b"_"] * (10 - len(fields))
        empty = sum(not field for field in fields)
        if empty:
            counts["empty fields"] = counts.get("empty fields", 0) + empty
            fields = [field or b"_" for field in fields]
        lines[number] = b"\t".join(fields)
    return b"\n".join(lines)


FLAVOURS = ("equals", "colon")
_NO_BREAK_SPACE = "\u00a0"


def convert(
    treebank: Treebank,
    *,
    feats: str = "",
    drop_enhanced: bool = False,
    add_text: bool = False,
    sent_ids: str | None = None,
    no_spaces: bool = False,
) -> Treebank:
    """The treebank with some things changed; every field and comment that is not asked about stays.

    `feats`: `equals` or `colon`; `drop_enhanced`: DEPS and empty nodes go; `add_text`: `# text` where there is
    none; `sent_ids`: sentences are named anew, this prefix and a number from 1; `no_spaces`: no blanks between words.
    """
    if feats and feats not in FLAVOURS:
        raise unknown_name("flavour of FEATS", feats, FLAVOURS)
    if sent_ids is not None and len(f"{sent_ids}1".split()) != 1:
        raise UsageError(f"a sent_id cannot hold white space: {sent_ids!r}", todo="choose another prefix")
    if not (feats or drop_enhanced or add_text or no_spaces or sent_ids is not None):
        return treebank
    switched = cache(lambda field: switch_feats(field, feats))
    blocks = []
    for number, sentence in enumerate(treebank, 1):
        lines = [line for line in sentence.to_conllu().split("\n") if line]
        comments = [line for line in lines if line[0] == "#"]
        rows = [row.split("\t") for row in lines[len(comments) :]]
        if sent_ids is not None:
            comments = _with_comment(comments, "sent_id", f"{sent_ids}{number}")
        if no_spaces:
            rows = [[*row[:9], _GLUED if row[9] == "_" else f"{row[9]}|{_GLUED}"] for row in map(_loose, rows)]
            comments = _with_comment(comments, "text", sentence.text.replace(" ", ""))
        if add_text and not sentence.metadata.get("text"):
            comments = _with_comment(comments, "text", sentence.text)
        if drop_enhanced:
            rows = [[*row[:8], "_", row[9]] for row in rows if "." not in row[0]]
        if feats:
            rows = [[*row[:5], switched(row[5]), *row[6:]] for row in rows]
        blocks.append("\n".join([*comments, *map("\t".join, rows), "", ""]))
    return Treebank("".join(blocks).encode("utf-8"), name=treebank.name, repairs=treebank.repairs)


_GLUED = "SpaceAfter=No"


def _loose(row: list[str]) -> list[str]:
    """The row without what its MISC says of the space after it."""
    kept = [part for part in row[9].split("|") if not part.startswith(("SpaceAfter=", "SpacesAfter="))]
    return [*row[:9], "|".join(kept) or "_"]


def _with_comment(comments: Sequence[str], key: str, value: str) -> list[str]:
    """Sets `# key = value` where it stands; a new one comes after newdoc, newpar and sent_id."""
    keys = [(parse_comment(comment[1:]) or (comment[1:].strip(), ""))[0] for comment in comments]
    line = f"# {key} = {value}"
    if key in keys:
        at = keys.index(key)
        return [*comments[:at], line, *comments[at + 1 :]]
    before = ("newdoc", "newpar") if key == "sent_id" else ("newdoc", "newpar", "sent_id")
    at = max((place for place, found in enumerate(keys, 1) if found.split(" ")[0] in before), default=0)
    return [*comments[:at], line, *comments[at:]]


def switch_feats(field: str, flavour: str) -> str:
    """`A:x|B:y` as `A=x|B=y`, or back: only the sign after the name changes, so that nothing is lost."""
    old, new = (":", "=") if flavour == "equals" else ("=", ":")
    parts = field.split("|")
    for number, part in enumerate(parts):
        name, sign, value = part.partition(old)
        if name and sign and new not in name:
            parts[number] = f"{name}{new}{value}"
    return "|".join(parts)


# ---- other formats


def export(treebank: Treebank, to: str = "conllu") -> bytes:
    """The treebank as `conllu`, `text`, `tsv`, `horizontal` or `vertical`."""
    data: bytes = TREEBANKS.writer(to)(treebank)
    return data


def _text(treebank: Treebank) -> bytes:
    """One sentence a line: `# text`, or what the forms make."""
    return "".join(f"{sentence.text}\n" for sentence in treebank).encode("utf-8")


def _horizontal(treebank: Treebank) -> bytes:
    """One sentence a line, words separated by blanks; a blank inside a word becomes a no-break space, as in UDPipe."""
    lines = (" ".join(word.replace(" ", _NO_BREAK_SPACE) for word in words) for words in _words(treebank))
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def _vertical(treebank: Treebank) -> bytes:
    """One word a line, a blank line after each sentence."""
    return "".join("\n".join([*words, "", ""]) for words in _words(treebank)).encode("utf-8")


def _words(treebank: Treebank) -> Iterator[list[str]]:
    forms, bounds = treebank.column("form").strings(), treebank.offsets.tolist()
    return (forms[begin:end] for begin, end in pairwise(bounds))


def _tsv(treebank: Treebank) -> bytes:
    """One row per line of CoNLL-U, with the sentence's number and sent_id; read it without quoting."""
    lines = ["\t".join(["sentence", "sent_id", *FIELDS])]
    for number, sentence in enumerate(treebank, 1):
        start = f"{number}\t{sentence.sent_id.replace(chr(9), ' ')}\t"
        lines += [start + "\t".join(row) for row in sentence.rows]
    return ("\n".join(lines) + "\n").encode("utf-8")


FORMATS = (
    Format(
        "conllu",
        "CoNLL-U",
        (".conllu",),
        read=lambda data, _: (data, {}),
        write=lambda treebank: treebank.data,
    ),
    Format("conll", "CoNLL-X and what is nearly CoNLL-U, repaired", (".conll", ".conllx"), read=repair),
    Format("text", "a sentence a line", write=_text),
    Format("tsv", "the rows of CoNLL-U with their sentence", write=_tsv),
    Format("horizontal", "a sentence a line, words separated by blanks", write=_horizontal),
    Format("vertical", "a word a line", write=_vertical),
)
