"""Checks of `# sent_id`, `# text`, and of the text that the forms make."""

from __future__ import annotations

from collections.abc import Iterator

from .check import Hit, check_of_piece, check_of_sentence, shown
from .piece import ID, MISC, Piece, Remembered, Sentence
from .structure import odd_ranges


@check_of_sentence("missing-sent-id", "A sentence has no sent_id.", "add the comment # sent_id = …")
def missing_sent_id(sentence: Sentence) -> Iterator[Hit]:
    if sentence.first_row and not sentence.sent_ids:
        yield Hit(sentence.first_line, "no # sent_id")


@check_of_sentence("repeated-sent-id", "A sentence has two sent_ids.", "keep one; is a blank line missing?")
def repeated_sent_id(sentence: Sentence) -> Iterator[Hit]:
    for line, value in sentence.sent_ids[1:]:
        yield Hit(line, f"another sent_id, {shown(value)}, in the same sentence")


@check_of_sentence("duplicate-sent-id", "Two sentences have the same sent_id.", "sent_ids are unique in a file")
def duplicate_sent_id(sentence: Sentence) -> Iterator[Hit]:
    for line, value in sentence.sent_ids[:1]:
        first = sentence.seen_ids.setdefault(value, line)
        if value and first != line:
            yield Hit(line, f"sent_id {shown(value)} stands in line {first} too")


@check_of_sentence("sent-id-form", "A sent_id is empty or holds white space.", "a sent_id is one word")
def sent_id_form(sentence: Sentence) -> Iterator[Hit]:
    for line, value in sentence.sent_ids:
        if not value or len(value.split()) != 1 or value != value.strip():
            yield Hit(line, f"sent_id is {shown(value)}")


@check_of_sentence("missing-text", "A sentence has no text.", "gardenpath treebank convert --add-text adds it")
def missing_text(sentence: Sentence) -> Iterator[Hit]:
    if sentence.first_row and not sentence.texts:
        yield Hit(sentence.first_line, "no # text")
    for line, value in sentence.texts:
        if not value.strip():
            yield Hit(line, "# text is empty")


@check_of_sentence("repeated-text", "A sentence has two texts.", "keep one; is a blank line missing?")
def repeated_text(sentence: Sentence) -> Iterator[Hit]:
    for line, _ in sentence.texts[1:]:
        yield Hit(line, "another # text in the same sentence")


@check_of_sentence("text-outer-space", "The text begins or ends with white space.", "take it away")
def text_outer_space(sentence: Sentence) -> Iterator[Hit]:
    for line, value in sentence.texts:
        if value != value.strip() and value.strip():
            yield Hit(line, f"# text {'ends' if value != value.rstrip() else 'begins'} with white space")


@check_of_piece(
    "comment-form", "A comment with sent_id or text has unusual blanks.",
    "write # sent_id = …, with one blank around each part: many readers know no other form", level="warning",
)  # fmt: skip
def comment_form(piece: Piece) -> Iterator[Hit]:
    for line, key in piece.odd_comments:
        yield Hit(line, f"not of the form # {key} = …")


@check_of_sentence(
    "text-mismatch", "The text is not what the forms and SpaceAfter make.",
    "correct the text, a form, or SpaceAfter=No in MISC",
)  # fmt: skip
def text_mismatch(sentence: Sentence) -> Iterator[Hit]:
    if sentence.broken or not sentence.words or len(sentence.texts) != 1:
        return
    line, text = sentence.texts[0]
    made = "".join(sentence.surface)
    if text == made[:-1] or text == made or odd_ranges(sentence):
        return
    text, made = text.strip(), made.strip()
    # Any white space may stand between tokens: SpacesAfter says which, and is not standard.
    if not text or text == made or text.split() == made.split():
        return
    pairs = enumerate(zip(text, made, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(text), len(made)))
    yield Hit(line, f"differs at character {at + 1}: text {_around(text, at)}, forms {_around(made, at)}")


def _around(text: str, at: int) -> str:
    begin, end = max(0, at - 10), at + 15
    return repr(("…" if begin else "") + text[begin:end] + ("…" if end < len(text) else ""))


@check_of_sentence(
    "space-after-inside-range", "A word inside a range says SpaceAfter=No.",
    "SpaceAfter belongs to the range, not to its words", needs="others",
)  # fmt: skip
def space_after_inside_range(sentence: Sentence) -> Iterator[Hit]:
    if not sentence.broken:
        for line, token in sentence.spaceless:
            yield Hit(line, "SpaceAfter=No on a word inside a range", token)


@check_of_piece("space-after-empty-node", "An empty node says SpaceAfter.", "an empty node has no text")
def space_after_empty_node(piece: Piece) -> Iterator[Hit]:
    if any("." in token for token in piece.distinct(ID)):
        for line, token, misc in zip(piece.row_lines, piece.columns[ID], piece.columns[MISC], strict=True):
            if "." in token and any(part.startswith("SpaceAfter=") for part in misc.split("|")):
                yield Hit(line, "SpaceAfter on an empty node", token)


@Remembered
def _odd_space_after(misc: str) -> str:
    values = [part for part in misc.split("|") if part.startswith(("SpaceAfter=", "NoSpaceAfter="))]
    return next((part for part in values if part != "SpaceAfter=No"), "")


@check_of_piece("space-after-value", "SpaceAfter is not No.", "write SpaceAfter=No, or nothing; or SpacesAfter=…")
def space_after_value(piece: Piece) -> Iterator[Hit]:
    wrong = {misc: part for misc in piece.distinct(MISC) if (part := _odd_space_after[misc])}
    for line, token, part in piece.where(MISC, wrong):
        if "." not in token:
            yield Hit(line, f"{shown(part)} in MISC", token)
