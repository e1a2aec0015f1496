"""From bytes to pieces of some thousand lines: broken lines are set aside, never refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import add

from ..index import EMPTY, MULTIWORD, WORD
from .piece import DEPS, FORM, HEAD, ID, MISC, MISSING, UNREADABLE, Other, Piece, Remembered, Sentence

BROKEN = 3
_BYTES = 1 << 17

_ID = re.compile(r"([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))?|(0|[1-9][0-9]{0,6})\.([1-9][0-9]{0,6})")
_HEAD = re.compile(r"0|[1-9][0-9]{0,6}")
_COMMENT = re.compile(r"#\s*(sent_id|text)\s*=\s*(.*)")
_DIGITS = frozenset("0123456789")
_TARGET = re.compile(r"(0|[1-9][0-9]{0,6})(\.[1-9][0-9]{0,6})?:")


def _parse_id(text: str) -> tuple[int, int, int]:
    match = _ID.fullmatch(text)
    if match is None:
        return BROKEN, 0, 0
    if match[3] is not None:
        return EMPTY, int(match[3]), int(match[4])
    return (MULTIWORD, int(match[1]), int(match[2])) if match[2] else (WORD, int(match[1]), 0)


def _parse_head(text: str) -> int:
    return MISSING if text == "_" else int(text) if _HEAD.fullmatch(text) else UNREADABLE


def _parse_targets(text: str) -> tuple[int, tuple[str, ...]]:
    """The highest word and the empty nodes that DEPS names."""
    matches = [match for part in text.split("|") if (match := _TARGET.match(part))]
    words = [int(match[1]) for match in matches if not match[2]]
    return max(words, default=0), tuple(match[1] + match[2] for match in matches if match[2])


ids = Remembered(_parse_id)
heads = Remembered(_parse_head)
gaps = Remembered(lambda misc: "" if "SpaceAfter=No" in misc.split("|") else " ")
targets = Remembered(_parse_targets)
_COUNT = tuple(str(number) for number in range(1, 1001))


def _counted(begin: int, size: int) -> tuple[str, ...]:
    """The IDs that the next `size` words should have."""
    end = begin + size
    return _COUNT[begin:end] if end <= len(_COUNT) else tuple(map(str, range(begin + 1, end + 1)))


class Scanner:
    """Goes through a file once; a sentence may run over several pieces."""

    def __init__(self) -> None:
        self._line = 0
        self._sentence: Sentence | None = None
        self._last: Sentence | None = None
        self._in_blanks = False
        self._seen_ids: dict[str, int] = {}

    def pieces(self, data: bytes) -> Iterator[Piece]:
        begin, size = 0, len(data)
        while begin < size:
            end = data.find(b"\n", begin + _BYTES - 1) + 1 or size
            yield self._piece(data[begin:end], begin == 0, end == size)
            begin = end

    def _piece(self, data: bytes, first: bool, last: bool) -> Piece:
        not_utf8: list[tuple[int, int, int]] = []
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = self._decoded(data, not_utf8)
        if first:
            text = text.removeprefix("\ufeff")
        text = text.replace("\r", "")
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        piece = Piece(self._line + 1, text, lines, not_utf8=not_utf8)
        spans = self._rows(piece)
        piece.heads = list(map(heads.__getitem__, piece.columns[HEAD]))
        spaced = list(map(add, piece.columns[FORM], map(gaps.__getitem__, piece.columns[MISC])))
        enhanced = len(piece.distinct(DEPS)) > 1 or "_" not in piece.distinct(DEPS)
        for sentence, begin, end in spans:
            _extend(sentence, piece, begin, end, spaced)
            if enhanced:
                _collect_targets(sentence, piece, begin, end)
        if last and self._sentence is not None:
            piece.unfinished = self._line
            piece.closed.append(self._sentence)
        return piece

    def _decoded(self, data: bytes, not_utf8: list[tuple[int, int, int]]) -> str:
        lines = data.split(b"\n")
        for number, line in enumerate(lines):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                not_utf8.append((self._line + number + 1, error.start + 1, line[error.start]))
                lines[number] = line.decode("utf-8", "replace").encode("utf-8")
        return b"\n".join(lines).decode("utf-8")

    def _rows(self, piece: Piece) -> list[tuple[Sentence, int, int]]:
        """Sorts lines into rows, comments and blanks; returns which rows belong to which sentence."""
        rows: list[str] = []
        row_lines = piece.row_lines
        spans: list[tuple[Sentence, int, int]] = []
        begin, sentence, in_blanks = 0, self._sentence, self._in_blanks
        if self._last is not None:
            piece.sentences.append(self._last)
        for number, line in enumerate(piece.lines, self._line + 1):
            mark = line[:1]
            if mark not in _DIGITS or sentence is None or not sentence.first_row:
                if mark not in _DIGITS and mark != "#" and not line.strip():
                    if line:
                        piece.white_lines.append(number)
                    if sentence is None:
                        if not in_blanks:
                            piece.extra_blank.append(number)
                        in_blanks = True
                        continue
                    spans.append((sentence, begin, len(rows)))
                    piece.closed.append(sentence)
                    begin, sentence = len(rows), None
                    continue
                if sentence is None:
                    sentence = Sentence(number, seen_ids=self._seen_ids)
                    piece.sentences.append(sentence)
                    in_blanks = False
                if mark == "#":
                    if sentence.first_row:
                        piece.late_comments.append(number)
                    self._comment(piece, sentence, number, line)
                    continue
                sentence.first_row = sentence.first_row or number
            if line.count("\t") == 9:
                rows.append(line)
                row_lines.append(number)
            else:
                piece.misshapen.append((number, line.split("\t")))
                sentence.broken = True
        if sentence is not None:
            spans.append((sentence, begin, len(rows)))
        fields = "\t".join(rows).split("\t") if rows else []
        piece.columns = [tuple(fields[column::10]) for column in range(10)]
        self._line, self._sentence, self._in_blanks = self._line + len(piece.lines), sentence, in_blanks
        self._last = piece.sentences[-1] if piece.sentences else None
        return spans

    @staticmethod
    def _comment(piece: Piece, sentence: Sentence, number: int, line: str) -> None:
        match = _COMMENT.match(line)
        if match is None:
            return
        key, value, mark = match[1], match[2], f"# {match[1]} = "
        if line.startswith(mark):
            value = line[len(mark) :]
        elif value:
            piece.odd_comments.append((number, key))
        (sentence.sent_ids if key == "sent_id" else sentence.texts).append((number, value))


def _extend(sentence: Sentence, piece: Piece, begin: int, end: int, spaced: list[str]) -> None:
    """Adds rows of a piece to their sentence. Most are words 1, 2, 3 … and need no second look."""
    tokens = piece.columns[ID][begin:end]
    if sentence.covered <= sentence.words and tokens == _counted(sentence.words, end - begin):
        sentence.words += end - begin
        sentence.heads.extend(piece.heads[begin:end])
        sentence.lines.extend(piece.row_lines[begin:end])
        sentence.surface.append("".join(spaced[begin:end]))
        return
    surface = []
    for row, token in enumerate(tokens, begin):
        kind, first, second = ids[token]
        line = piece.row_lines[row]
        if kind == BROKEN:
            sentence.broken = True
        elif kind == WORD:
            if first != sentence.words + 1 and not sentence.broken:
                sentence.misnumbered = (line, token, sentence.words + 1)
                sentence.broken = True
            sentence.words += 1
            sentence.heads.append(piece.heads[row])
            sentence.lines.append(line)
            if sentence.words > sentence.covered:
                surface.append(spaced[row])
            elif not gaps[piece.columns[MISC][row]]:
                sentence.spaceless.append((line, token))
        else:
            sentence.others.append(Other(kind, first, second, line, token, sentence.words, sentence.covered))
            if kind == MULTIWORD:
                surface.append(spaced[row])
                if sentence.words < first < second and first > sentence.covered:
                    sentence.covered = second
    sentence.surface.append("".join(surface))


def _collect_targets(sentence: Sentence, piece: Piece, begin: int, end: int) -> None:
    tokens, lines = piece.columns[ID], piece.row_lines
    for row, text in enumerate(piece.columns[DEPS][begin:end], begin):
        highest, empty = targets[text]
        if highest > sentence.highest_target[0]:
            sentence.highest_target = (highest, lines[row], tokens[row])
        for target in empty:
            sentence.empty_targets.setdefault(target, (lines[row], tokens[row]))
