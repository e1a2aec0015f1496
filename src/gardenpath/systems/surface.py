"""The surface of a sentence: its tokens as they stand in the text, and the text."""

from __future__ import annotations

from collections.abc import Sequence

from ..treebank import Treebank
from ..treebank.fields import text_of


def surface(rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """(form, MISC) of the surface tokens: multiword tokens, and the words outside them."""
    tokens, covered = [], 0
    for row in rows:
        if "-" in row[0]:
            covered = int(row[0].partition("-")[2])
            tokens.append((row[1], row[9]))
        elif row[0].isdecimal() and int(row[0]) > covered:
            tokens.append((row[1], row[9]))
    return tokens


def texts(treebank: Treebank) -> list[str]:
    """`# text` of every sentence, or what its tokens make."""
    return [text or text_of(surface(treebank[number].rows)) for number, text in enumerate(treebank.texts)]


def with_spaces(rows: list[list[str]], text: str) -> list[list[str]]:
    """SpaceAfter=No where the text has no blank; left alone where the input says it already, or nothing fits."""
    tokens = surface(rows)
    if any("SpaceAfter" in misc for _, misc in tokens) or text_of(tokens) == text:
        return rows
    glued = glued_tokens([form for form, _ in tokens], text)
    if glued is None:
        return rows
    at, covered = iter(glued), 0
    result = []
    for row in rows:
        row = row.copy()
        multiword = "-" in row[0]
        if multiword or (row[0].isdecimal() and int(row[0]) > covered):
            parts = [part for part in row[9].split("|") if part != "_" and not part.startswith("SpaceAfter=")]
            row[9] = "|".join(["SpaceAfter=No", *parts] if next(at) else parts) or "_"
            covered = int(row[0].partition("-")[2]) if multiword else covered
        result.append(row)
    return result


def glued_tokens(tokens: Sequence[str], text: str) -> list[bool] | None:
    """For each token: does the next one follow without a blank? None where the tokens do not make the text."""
    glued, at = [], 0
    text = text.strip()
    for token in tokens:
        while at < len(text) and text[at].isspace():
            at += 1
        if not text.startswith(token, at):
            return None
        at += len(token)
        glued.append(at < len(text) and not text[at].isspace())
    return glued if at == len(text) else None
