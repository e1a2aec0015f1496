"""What is to be parsed, from a file: CoNLL-U with its tokens, or plain text cut at white space."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike

from ..errors import InputError, UsageError
from ..treebank import Draft, Treebank, Word, concatenate, from_drafts
from ..treebank.source import blocks

Source = str | PathLike[str]


BLOCK = 1 << 24
"""Bytes of input that are in memory at a time."""


def read_input(source: Source, mode: str | None = None) -> tuple[Treebank, str]:
    """All sentences to parse, and the mode: by default gold tokens for CoNLL-U and `text` for text."""
    found = list(read_blocks(source, mode))
    return concatenate([treebank for treebank, _ in found]), found[0][1]


def read_blocks(source: Source, mode: str | None = None, size: int = BLOCK) -> Iterator[tuple[Treebank, str]]:
    """The same in stretches of bounded size; the first decides the mode for all."""
    done = 0
    line_by_line = mode == "sentences"
    for block in blocks(source, size, lambda data: b"\n" if line_by_line and not is_conllu(data) else b"\n\n"):
        if is_conllu(block.data):
            treebank = Treebank(block.data, name=block.name, repairs=block.repairs, lines_before=block.lines_before)
            mode = mode or "tokens"
        else:
            treebank = _from_text(block.data, block.name, mode, done)
            mode = mode or "text"
        done += len(treebank)
        yield treebank, mode


def is_conllu(data: bytes) -> bool:
    """Is the first line that is neither blank nor a comment one of several columns?"""
    for line in data[: 1 << 16].splitlines():
        if line.strip() and not line.startswith(b"#"):
            return line.count(b"\t") >= 5 or (line.count(b"\t") > 0 and line.split(b"\t")[0].isdigit())
    return True  # nothing but comments: the reader of CoNLL-U says what is wrong


def _from_text(data: bytes, name: str, mode: str | None, done: int) -> Treebank:
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
    return text_treebank(text, by_line=mode == "sentences", name=name, first=done + 1)


def text_treebank(text: str, *, by_line: bool, name: str = "<text>", first: int = 1) -> Treebank:
    """A sentence per line, or a paragraph per block of lines; words are what white space separates.

    Their sent_ids are numbers from `first`."""
    pieces = text.splitlines() if by_line else text.replace("\r\n", "\n").split("\n\n")
    drafts: list[Draft] = []
    for piece in pieces:
        words = piece.split()
        if words:
            comments = [] if by_line else ["newpar"]
            drafts.append(
                Draft([Word(word) for word in words], comments=[*comments, f"sent_id = {len(drafts) + first}"])
            )
    if not drafts:
        raise InputError("there is no text in it", where=name)
    return from_drafts(drafts, name=name)
