"""Checks of bytes, lines and columns, of IDs, of comments and text, and of HEAD."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from operator import eq

from ...runs.result.verdict import count_text
from ..format.index import EMPTY, FIELDS, MULTIWORD
from .check import Hit, check_of_file, check_of_piece, check_of_sentence, shown
from .piece import (
    BROKEN,
    DEPREL,
    FEATS,
    HEAD,
    ID,
    MISC,
    MISSING,
    UNREADABLE,
    Other,
    Piece,
    Remembered,
    Sentence,
    heads,
    ids,
)


def _ranges(sentence: Sentence) -> Iterator[Other]:
    return (other for other in sentence.others if other.kind == MULTIWORD)


def odd_ranges(sentence: Sentence) -> bool:
    """Do ranges leave it open which tokens are on the surface?"""
    return any(
        not span.words_before + 1 == span.first < span.second <= sentence.words or span.first <= span.covered
        for span in _ranges(sentence)
    )


@check_of_piece(
    "broken-id", "An ID is neither a number, a range nor an empty node.",
    "an ID is 3, a range such as 3-4, or 8.1 for an empty node", skips="the tree and the text",
)  # fmt: skip
def broken_id(piece: Piece) -> Iterator[Hit]:
    broken = {token: token for token in piece.distinct(ID) if ids[token][0] == BROKEN}
    for line, _, token in piece.where(ID, broken):
        yield Hit(line, f"ID is {shown(token)}")


@check_of_sentence(
    "id-sequence", "Words are not numbered 1, 2, 3, …",
    "renumber the words; is a blank line missing?", skips="the tree and the text",
)  # fmt: skip
def id_sequence(sentence: Sentence) -> Iterator[Hit]:
    if sentence.misnumbered:
        line, token, expected = sentence.misnumbered
        yield Hit(line, f"ID {token} where {expected} should stand", token)


@check_of_sentence(
    "range-order", "A range does not cover two or more words.",
    "write the first word, then the last", skips="the text", needs="others",
)  # fmt: skip
def range_order(sentence: Sentence) -> Iterator[Hit]:
    for span in _ranges(sentence):
        if span.first >= span.second:
            yield Hit(span.line, f"the range {span.id} does not go up", span.id)


@check_of_sentence(
    "range-place", "A range does not stand right before its first word.",
    "move the range before its first word", skips="the text", needs="others",
)  # fmt: skip
def range_place(sentence: Sentence) -> Iterator[Hit]:
    for span in _ranges(sentence):
        if span.first != span.words_before + 1 and not sentence.broken:
            yield Hit(span.line, f"the range {span.id} stands before word {span.words_before + 1}", span.id)


@check_of_sentence(
    "range-overlap", "Two ranges overlap.", "a word is in one range at most", skips="the text", needs="others"
)
def range_overlap(sentence: Sentence) -> Iterator[Hit]:
    for span in _ranges(sentence):
        if span.words_before < span.first <= span.covered:
            yield Hit(span.line, f"the range {span.id} begins before the last one ends, at {span.covered}", span.id)


@check_of_sentence(
    "range-outside", "A range ends after the last word.",
    "is the range wrong, or are words missing?", skips="the text", needs="others",
)  # fmt: skip
def range_outside(sentence: Sentence) -> Iterator[Hit]:
    for span in _ranges(sentence):
        if span.second > sentence.words and not sentence.broken:
            yield Hit(span.line, f"the range {span.id} in a sentence of {sentence.words} words", span.id)


def _filled(piece: Piece, kind: int, columns: tuple[int, ...]) -> Iterator[tuple[int, str, int, str]]:
    """Rows of a kind whose columns should be `_` and are not."""
    mark = "-" if kind == MULTIWORD else "."
    if not any(mark in token for token in piece.distinct(ID)):
        return
    for row, token in enumerate(piece.columns[ID]):
        if mark in token and ids[token][0] == kind:
            for column in columns:
                value = piece.columns[column][row]
                # An empty field is a problem of its own.
                if value not in ("_", "") and not (column == FEATS and value == "Typo=Yes" and kind == MULTIWORD):
                    yield piece.row_lines[row], token, column, value
                    break


@check_of_piece(
    "range-columns", "A range has more than FORM and MISC.",
    "put _ there (FEATS may be Typo=Yes); the words of the range have the rest",
)  # fmt: skip
def range_columns(piece: Piece) -> Iterator[Hit]:
    for line, token, column, value in _filled(piece, MULTIWORD, tuple(range(2, MISC))):
        yield Hit(line, f"{FIELDS[column].upper()} of a range is {shown(value)}, not _", token)


@check_of_piece(
    "empty-node-columns", "An empty node has HEAD or DEPREL.",
    "put _ there; an empty node has its relations in DEPS",
)  # fmt: skip
def empty_node_columns(piece: Piece) -> Iterator[Hit]:
    for line, token, column, value in _filled(piece, EMPTY, (HEAD, DEPREL)):
        yield Hit(line, f"{FIELDS[column].upper()} of an empty node is {shown(value)}, not _", token)


@check_of_sentence(
    "empty-node-place", "An empty node does not fit its place.",
    "after word 8 stand 8.1, 8.2, …, before a range that begins there", needs="others",
)  # fmt: skip
def empty_node_place(sentence: Sentence) -> Iterator[Hit]:
    before, count, last = -1, 0, MULTIWORD
    for node in () if sentence.broken else sentence.others:
        same = node.words_before == before
        count = count if same else 0
        if node.kind == EMPTY:
            if (node.first, node.second) != (node.words_before, count + 1):
                yield Hit(node.line, f"{node.id} where {node.words_before}.{count + 1} should stand", node.id)
            elif same and last == MULTIWORD:
                yield Hit(node.line, f"{node.id} stands between a range and its first word", node.id)
            count += 1
        before, last = node.words_before, node.kind


_REPAIR = "gardenpath treebank convert --repair FILE -o OUT repairs it"


@check_of_file("empty-file", "The file holds nothing.", "was it written to the end?")
def empty_file(data: bytes) -> Iterator[Hit]:
    if not data or data.isspace():
        yield Hit(1, "the file is empty" if not data else "the file holds nothing but white space")


@check_of_file("byte-order-mark", "The file begins with a byte order mark.", _REPAIR)
def byte_order_mark(data: bytes) -> Iterator[Hit]:
    if data.startswith(b"\xef\xbb\xbf"):
        yield Hit(1, "the file begins with a byte order mark")


@check_of_file("nul", "There are NUL bytes.", "is the file compressed, UTF-16 or damaged?")
def nul(data: bytes) -> Iterator[Hit]:
    if (at := data.find(b"\0")) >= 0:
        yield Hit(data.count(b"\n", 0, at) + 1, f"{count_text(data.count(0), 'NUL byte')}; this is the first")


@check_of_file("carriage-return", "Lines end with CR LF, or a CR stands elsewhere.", _REPAIR)
def carriage_return(data: bytes) -> Iterator[Hit]:
    if (at := data.find(b"\r")) >= 0:
        pairs = data.count(b"\r\n")
        what = "CR LF line end" if pairs == data.count(b"\r") else "carriage return"
        yield Hit(data.count(b"\n", 0, at) + 1, f"{count_text(data.count(13), what)}; this is the first")


@check_of_piece("not-utf8", "A line is not UTF-8.", "convert the file, e.g. iconv -f latin1 -t utf-8")
def not_utf8(piece: Piece) -> Iterator[Hit]:
    for line, place, byte in piece.not_utf8:
        yield Hit(line, f"byte 0x{byte:02x} at place {place} of the line is not UTF-8")


@check_of_piece("not-nfc", "A line is not in Unicode's normal form NFC.", "normalise the file, e.g. uconv -x nfc")
def not_nfc(piece: Piece) -> Iterator[Hit]:
    if piece.text.isascii() or unicodedata.is_normalized("NFC", piece.text):
        return
    for number, line in enumerate(piece.lines, piece.first_line):
        if not unicodedata.is_normalized("NFC", line):
            part = next((f for f in line.split("\t") if not unicodedata.is_normalized("NFC", f)), line)
            yield Hit(number, f"{shown(part)} is not in normal form NFC")


@check_of_piece(
    "missing-columns", "A row has fewer than ten columns.",
    "columns are separated by single tabs, an empty one is _; " + _REPAIR, skips="the tree and the text",
)  # fmt: skip
def missing_columns(piece: Piece) -> Iterator[Hit]:
    for line, fields in piece.misshapen:
        if len(fields) < 10:
            blanks = len(fields) == 1 and len(fields[0].split()) >= 8
            hint = "; it is separated by blanks, not tabs" if blanks else ""
            yield Hit(line, f"{count_text(len(fields), 'column')} instead of 10{hint}", fields[0] if fields[1:] else "")


@check_of_piece(
    "extra-columns", "A row has more than ten columns.",
    "is there a tab inside a field?", skips="the tree and the text",
)  # fmt: skip
def extra_columns(piece: Piece) -> Iterator[Hit]:
    for line, fields in piece.misshapen:
        if len(fields) > 10:
            yield Hit(line, f"{len(fields)} columns instead of 10", fields[0])


@check_of_piece("white-line", "A line looks empty but holds white space.", _REPAIR)
def white_line(piece: Piece) -> Iterator[Hit]:
    for line in piece.white_lines:
        yield Hit(line, "a line between sentences must be empty, this one holds white space")


@check_of_piece("extra-blank-line", "There are blank lines that end no sentence.", "remove them")
def extra_blank_line(piece: Piece) -> Iterator[Hit]:
    for line in piece.extra_blank:
        yield Hit(line, "a blank line that ends no sentence")


@check_of_piece(
    "missing-final-blank-line", "The last sentence is not followed by a blank line.",
    "add a blank line; was the file written to the end?",
)  # fmt: skip
def missing_final_blank_line(piece: Piece) -> Iterator[Hit]:
    if piece.unfinished:
        yield Hit(piece.unfinished, "the file ends without a blank line after the last sentence")


@check_of_piece(
    "comment-inside-sentence", "A comment stands after the first row of a sentence.",
    "comments stand before the first row; is a blank line missing?",
)  # fmt: skip
def comment_inside_sentence(piece: Piece) -> Iterator[Hit]:
    for line in piece.late_comments:
        yield Hit(line, "a comment inside a sentence")


@check_of_sentence("comments-only", "There are comments without a sentence.", "add its rows or remove them")
def comments_only(sentence: Sentence) -> Iterator[Hit]:
    if not sentence.first_row:
        yield Hit(sentence.first_line, "comments, but no rows after them")


@check_of_sentence("no-words", "A sentence has rows but no words.", "every sentence needs the word with ID 1")
def no_words(sentence: Sentence) -> Iterator[Hit]:
    if sentence.first_row and not sentence.words and not sentence.broken:
        yield Hit(sentence.first_row, "a sentence without words")


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


@check_of_sentence("missing-text", "A sentence has no text.", "gardenpath treebank convert --set add_text=yes adds it")
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
