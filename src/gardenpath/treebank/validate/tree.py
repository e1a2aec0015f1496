"""Checks of HEAD: numbers that lead to words, and one tree with one root."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import eq

from .check import Hit, check_of_piece, check_of_sentence, shown
from .piece import DEPREL, HEAD, ID, MISSING, UNREADABLE, Piece, Sentence, heads


def _is_word(token: str) -> bool:
    """Ranges and empty nodes are looked at elsewhere."""
    return "-" not in token and "." not in token


@check_of_piece(
    "head-form", "HEAD is not a number.",
    "HEAD is the ID of a word, or 0 for the root", skips="the tree",
)  # fmt: skip
def head_form(piece: Piece) -> Iterator[Hit]:
    unreadable = {text: text for text in piece.distinct(HEAD) if heads[text] == UNREADABLE and text}
    for line, token, text in piece.where(HEAD, unreadable):
        if _is_word(token):
            yield Hit(line, f"HEAD is {shown(text)}, not a number", token)


@check_of_piece("self-loop", "A word is its own head.", "HEAD is the ID of another word, or 0")
def self_loop(piece: Piece) -> Iterator[Hit]:
    if not any(map(eq, piece.columns[ID], piece.columns[HEAD])):
        return
    for line, token, head in zip(piece.row_lines, piece.columns[ID], piece.columns[HEAD], strict=True):
        if token == head and heads[head] > 0:
            yield Hit(line, f"word {token} is its own head", token)


@check_of_piece(
    "head-zero-not-root", "A word with HEAD 0 is not labelled root.",
    "DEPREL of the root is root, without a subtype or root:…",
)  # fmt: skip
def head_zero_not_root(piece: Piece) -> Iterator[Hit]:
    if all(head != "0" or _is_root(deprel) for head, deprel in piece.pairs(HEAD, DEPREL)):
        return
    for row, head in enumerate(piece.columns[HEAD]):
        if head == "0" and not _is_root(piece.columns[DEPREL][row]):
            token, deprel = piece.columns[ID][row], piece.columns[DEPREL][row]
            if _is_word(token) and deprel:
                yield Hit(piece.row_lines[row], f"HEAD is 0 and DEPREL is {shown(deprel)}", token)


@check_of_piece("root-not-head-zero", "A word labelled root has another HEAD than 0.", "set HEAD to 0, or relabel")
def root_not_head_zero(piece: Piece) -> Iterator[Hit]:
    if not any(heads[head] > 0 and _is_root(deprel) for head, deprel in piece.pairs(HEAD, DEPREL)):
        return
    for row, deprel in enumerate(piece.columns[DEPREL]):
        if _is_root(deprel) and piece.heads[row] > 0:
            token = piece.columns[ID][row]
            yield Hit(piece.row_lines[row], f"DEPREL is root and HEAD is {piece.heads[row]}", token)


def _is_root(deprel: str) -> bool:
    return deprel == "root" or deprel.startswith("root:")


@check_of_sentence(
    "missing-head", "Words have no HEAD.",
    "annotate them; for partial gold use --ignore missing-head",
)  # fmt: skip
def missing_head(sentence: Sentence) -> Iterator[Hit]:
    if MISSING in sentence.heads and not sentence.broken:
        at = sentence.heads.index(MISSING)
        count = sentence.heads.count(MISSING)
        yield Hit(sentence.lines[at], f"{count} of {sentence.words} words have no HEAD; this is the first", str(at + 1))


@check_of_sentence("head-outside", "HEAD is not a word of the sentence.", "use the ID of a word, or 0")
def head_outside(sentence: Sentence) -> Iterator[Hit]:
    if not sentence.broken and max(sentence.heads, default=0) > sentence.words:
        for at, head in enumerate(sentence.heads):
            if head > sentence.words:
                yield Hit(sentence.lines[at], f"HEAD {head} in a sentence of {sentence.words} words", str(at + 1))


@check_of_sentence("no-root", "No word has HEAD 0.", "exactly one word of a sentence has HEAD 0")
def no_root(sentence: Sentence) -> Iterator[Hit]:
    numbers = sentence.heads
    if not sentence.is_tree_readable or 0 in numbers or MISSING in numbers or max(numbers) > sentence.words:
        return
    # A word that is its own head has been reported, and is where the root should be.
    if not any(head == at for at, head in enumerate(numbers, 1)):
        yield Hit(sentence.first_row, "no word has HEAD 0")


@check_of_sentence("two-roots", "Several words have HEAD 0.", "exactly one word of a sentence has HEAD 0")
def two_roots(sentence: Sentence) -> Iterator[Hit]:
    if sentence.heads.count(0) > 1 and not sentence.broken:
        roots = [at for at, head in enumerate(sentence.heads) if head == 0]
        names = ", ".join(str(at + 1) for at in roots[:10]) + (", …" if len(roots) > 10 else "")
        yield Hit(sentence.lines[roots[1]], f"{len(roots)} words have HEAD 0: {names}", str(roots[1] + 1))


@check_of_sentence("cycle", "Heads lead in a circle.", "give one of these words a head outside the circle")
def cycle(sentence: Sentence) -> Iterator[Hit]:
    # Without a root there is always a circle: one message is enough.
    if not sentence.is_tree_readable or not (0 in sentence.heads or MISSING in sentence.heads):
        return
    if circle := _first_circle(sentence.heads):
        names = " → ".join(map(str, circle[:10])) + (" → …" if len(circle) > 10 else f" → {circle[0]}")
        yield Hit(sentence.lines[circle[0] - 1], f"heads lead in a circle: {names}", str(circle[0]))


def _first_circle(numbers: Sequence[int]) -> list[int]:
    """Return the words of a circle of two or more, lowest first; each word is visited once."""
    size = len(numbers)
    came_by = [0] * (size + 1)
    for start in range(1, size + 1):
        word = start
        while 0 < word <= size and not came_by[word]:
            came_by[word] = start
            word = numbers[word - 1]
        # Back where this path came by; a word that is its own head has a check of its own.
        if 0 < word <= size and came_by[word] == start and numbers[word - 1] != word:
            circle = [word]
            while (above := numbers[circle[-1] - 1]) != word:
                circle.append(above)
            lowest = circle.index(min(circle))
            return circle[lowest:] + circle[:lowest]
    return []
