"""Tokens as a server names them, found again in the text that it was asked about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..hf.tokens import placed

Span = tuple[int, int]
UNKNOWN = ("<unk>", "[UNK]")
"""What servers write for a token that stands for what the model does not know."""
_BYTES = re.compile(r"bytes:((?:\\x[0-9a-fA-F]{2})+)")
_SKIPPED = 3
"""So many tokens that are not of the text may stand before it: marks of the begin."""


def spans_of(text: str, pieces: Sequence[str]) -> list[Span | None] | None:
    """Begin and end of each token without the blanks around it; None of tokens that stand before the text, and no
    list where the tokens are not those of the text. What stands behind the text is left out: the model made it up.

    A token that is a part of a character comes as nothing, as a replacement character or as bytes; the last part may
    come as the whole character. It has the span of its character; where several such tokens make up several
    characters, that of all of these.

    >>> spans_of("a dog", ["<s>", "a", " dog", " barks"])
    [None, (0, 1), (2, 5)]
    """
    for blanks in (True, False):  # some servers leave the blanks out of the tokens
        chars = [(place, char) for place, char in enumerate(text) if blanks or not char.isspace()]
        places = [place for place, char in chars for _ in char.encode("utf-8")]
        data = "".join(char for _, char in chars).encode("utf-8")
        known = [_bytes_of(piece, blanks) for piece in pieces]
        for least in (0, 1):  # bytes of a first token that does not say what it is: a mark before the text, or a word
            for late in (False, True):
                spans = _byte_spans(data, known, least, late=late)
                if spans is not None:
                    return _characters(text, places, spans)
    return None


def _byte_spans(data: bytes, known: Sequence[bytes | None], least: int, *, late: bool) -> list[Span | None] | None:
    """`late`: parts of a character come as nothing, and the last of them as the whole character (vLLM)."""
    spans: list[Span | None] = []
    at, hidden = 0, 0  # bytes that have been found; tokens since then whose bytes are not known

    def place_hidden(end: int) -> None:
        """Of as many tokens as there are bytes each has one; else each of them stands for all.

        Of more tokens than bytes at the begin, the first ones are marks before the text.
        """
        marks = 0 if at else max(0, hidden - end)
        single = hidden - marks == end - at
        spans.extend([None] * marks)
        spans.extend((begin, begin + 1) if single else (at, end) for begin in range(at, at + hidden - marks))

    for number, piece in enumerate(known):
        if at == len(data):
            break
        if piece is None or (hidden and not piece):
            hidden += 1
            continue
        if late and hidden and (at or spans) and data.startswith(piece, at):
            spans.extend([(at, at + len(_first_character(piece)))] * hidden + [(at, at + len(piece))])
            at, hidden = at + len(piece), 0
            continue
        begin = data.find(piece, at + (1 if at else least)) if hidden else at
        if hidden and spans and not begin:  # what stands behind a mark that has a name is none itself
            return None
        if begin < 0 and number == len(known) - 1:
            break  # the token that follows the prompt
        if begin < 0 or not data.startswith(piece, begin):
            if at or hidden or len(spans) >= _SKIPPED:
                return None
            spans.append(None)
            continue
        place_hidden(begin)
        spans.append((begin, begin + len(piece)))
        at, hidden = begin + len(piece), 0
    if at < len(data) and not hidden:
        return None
    place_hidden(len(data))
    return spans


def _first_character(piece: bytes) -> bytes:
    return piece.decode("utf-8", "replace")[:1].encode("utf-8")


def _characters(text: str, places: Sequence[int], spans: Sequence[Span | None]) -> list[Span | None]:
    """Spans of bytes as spans of characters."""
    ends = [*places, len(text)]
    inside = [(ends[begin], ends[end - 1] + 1 if end > begin else ends[begin]) for begin, end in filter(None, spans)]
    trimmed = iter(zip(*(side.tolist() for side in placed(text, inside)), strict=True))
    return [None if span is None else next(trimmed) for span in spans]


def _bytes_of(piece: str, blanks: bool) -> bytes | None:
    """What a token says that it is; None where it does not say it."""
    if escaped := _BYTES.fullmatch(piece):
        return bytes.fromhex(escaped[1].replace("\\x", ""))
    if not piece or "\ufffd" in piece or piece in UNKNOWN:
        return None
    return (piece if blanks else "".join(piece.split())).encode("utf-8")
