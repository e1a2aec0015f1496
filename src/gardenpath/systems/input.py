"""What is to be parsed, from a file: CoNLL-U with its tokens, or plain text cut at white space."""

from __future__ import annotations

from os import PathLike

from ..errors import InputError, UsageError
from ..treebank import Draft, Treebank, Word, concatenate, from_drafts
from ..treebank.source import open_files

Source = str | PathLike[str]


def read_input(source: Source, mode: str | None = None) -> tuple[Treebank, str]:
    """The sentences to parse, and the mode: by default gold tokens for CoNLL-U and `text` for text."""
    pieces: list[Treebank] = []
    plain = False
    for name, data, repairs in open_files(source):
        if is_conllu(data):
            pieces.append(Treebank(data, name=name, repairs=repairs))
        else:
            plain = True
            pieces.append(_from_text(data, name, mode))
    treebank = concatenate(pieces)
    return treebank, mode or ("text" if plain else "tokens")


def is_conllu(data: bytes) -> bool:
    """Is the first line that is neither blank nor a comment one of several columns?"""
    for line in data[: 1 << 16].splitlines():
        if line.strip() and not line.startswith(b"#"):
            return line.count(b"\t") >= 5 or (line.count(b"\t") > 0 and line.split(b"\t")[0].isdigit())
    return True  # nothing but comments: the reader of CoNLL-U says what is wrong


def _from_text(data: bytes, name: str, mode: str | None) -> Treebank:
    if mode == "tokens":
        raise UsageError(
            "plain text has no gold tokens", where=name, todo="use --mode text, or sentences for one a line"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"the text is not UTF-8 (byte {error.start})", where=name, todo="convert it with iconv"
        ) from None
    return text_treebank(text, by_line=mode == "sentences", name=name)


def text_treebank(text: str, *, by_line: bool, name: str = "<text>") -> Treebank:
    """A sentence per line, or a paragraph per block of lines; words are what white space separates."""
    pieces = text.splitlines() if by_line else text.replace("\r\n", "\n").split("\n\n")
    drafts: list[Draft] = []
    for piece in pieces:
        words = piece.split()
        if words:
            comments = [] if by_line else ["newpar"]
            drafts.append(Draft([Word(word) for word in words], comments=[*comments, f"sent_id = {len(drafts) + 1}"]))
    if not drafts:
        raise InputError("there is no text in it", where=name)
    return from_drafts(drafts, name=name)
