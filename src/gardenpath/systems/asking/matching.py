"""Matching of a parser's output to the sentences it was given: their tokens, its trees, failures marked."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from unicodedata import normalize

from ...errors import InputError
from ...treebank import Sentence, Treebank
from ...treebank.format.convert import repair
from ...treebank.format.fields import text_of
from ...treebank.trees.alignment import SentenceKey, composed, match
from .request import LAYERS, paragraph_starts, surface, texts, with_spaces


@dataclass(frozen=True, slots=True)
class Answer:
    """One returned sentence; `fault` says why its rows cannot be used."""

    sent_id: str
    rows: list[list[str]]
    fault: str = ""

    @property
    def words(self) -> list[list[str]]:
        return [row for row in self.rows if row[0].isdecimal()]


def answers(output: Treebank | str, where: str) -> tuple[list[Answer], InputError | None]:
    """The sentences of an output, broken ones marked, and what is wrong with the first of these."""
    if isinstance(output, Treebank):
        return _answers(output), None
    if not output.strip():
        return [], None
    name = f"<output of {where}>"
    try:
        return _answers(Treebank(repair(output.encode("utf-8", "replace"), where)[0], name=name)), None
    except InputError as error:
        first = error
    answered = []
    for block in output.replace("\r\n", "\n").split("\n\n"):
        if not block.strip():
            continue
        try:
            data, _ = repair((block + "\n\n").encode("utf-8", "replace"), where)
            answered += _answers(Treebank(data, name=name))
        except InputError:
            lines = block.split("\n")
            ids = [line.partition("=")[2].strip() for line in lines if line.replace(" ", "").startswith("#sent_id=")]
            rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
            answered.append(Answer(ids[0] if ids else "", [row for row in rows if len(row) > 1], "malformed"))
    return answered, first


def _answers(treebank: Treebank) -> list[Answer]:
    ids = treebank.sent_ids
    return [Answer(sent_id, sentence.rows) for sentence, sent_id in zip(treebank, ids, strict=True)]


def forms(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The forms of the words, composed (NFC): servers normalise, and that makes no other token."""
    return tuple(composed(row[1]) for row in rows if row[0].isdecimal())


def characters(text: str) -> str:
    """Text without white space: what must stay the same whoever cuts it into tokens."""
    return composed("".join(text.split()))


Rows = list[list[str]]
NO_SPACE = "SpaceAfter=No"
AFTER, BEFORE = "SpacesAfter", "SpacesBefore"
"""White space that is not one blank, in the manner of UDPipe: `SpacesAfter=\\n`."""
_ESCAPES = {"\\": "\\\\", " ": "\\s", "\t": "\\t", "\r": "\\r", "\n": "\\n", "|": "\\p"}


def spaces_after(space: str) -> dict[str, str]:
    """MISC of a token that this white space follows."""
    if not space:
        return {"SpaceAfter": "No"}
    return {} if space == " " else {AFTER: escaped(space)}


def escaped(space: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in space)


class Spacing:
    """The characters of sentences without white space, and what MISC says of the white space between them.

    Places are counts of characters in canonical decomposition, which stay the same when a parser composes.
    """

    def __init__(self, sentences: Iterable[tuple[Rows, str]]) -> None:
        self._after: dict[int, list[str]] = {}
        self._before: dict[int, list[str]] = {}
        pieces: list[str] = []
        at = 0
        for rows, text in sentences:
            words = text.split()
            begin = at
            for word in words:
                at += length(word)
                self._after[at] = []
            self._told(rows, begin, at)
            pieces += words
        self._characters = "".join(pieces)
        self._ends = [] if self._characters.isascii() else _ends(self._characters)

    def _told(self, rows: Rows, begin: int, end: int) -> None:
        """What the input's own MISC adds: other white space than a blank, and none at the end of a sentence."""
        tokens = surface(rows)
        spans, at = [], begin
        for form, misc in tokens:
            spans.append((at, at := at + length("".join(form.split())), misc.split("|")))
        if at != end:  # its tokens do not make its text, which is what the parser got
            spans = [(begin, end, spans[-1][2])] if spans else []
        for first, last, parts in spans:
            if before := [part for part in parts if part.startswith(BEFORE + "=")]:
                self._before[first] = before
            if last in self._after and (after := [part for part in parts if part.startswith(AFTER + "=")]):
                self._after[last] = after
        if spans and NO_SPACE in spans[-1][2]:
            self._after.pop(end, None)

    def applied(self, rows: Rows, at: int = 0) -> tuple[Rows, int]:
        """The rows of a parser that begin at this place, with the forms and the white space of the input; the end."""
        result, covered = [], 0
        for row in rows:
            row = row.copy()
            own = ("_", "SpaceAfter", AFTER, BEFORE)
            parts = [part for part in row[9].split("|") if part.partition("=")[0] not in own]
            multiword = "-" in row[0]
            if multiword or (row[0].isdecimal() and int(row[0]) > covered):
                covered = int(row[0].partition("-")[2]) if multiword else covered
                begin, bare = at, "".join(row[1].split())
                at += length(bare)
                if bare == row[1]:  # where a server composed it, the input's own characters
                    row[1] = self._slice(begin, at) or row[1]
                parts = [*self._before.get(begin, []), *self._after.get(at, [NO_SPACE]), *parts]
            row[9] = "|".join(parts) or "_"
            result.append(row)
        return result, at

    def _slice(self, begin: int, end: int) -> str:
        if not self._ends:
            return self._characters[begin:end]
        first, last = (bisect_left(self._ends, place) for place in (begin, end))
        if self._ends[first] != begin or last >= len(self._ends) or self._ends[last] != end:
            return ""  # cut inside a character
        return self._characters[first:last]


def length(text: str) -> int:
    """Characters in canonical decomposition: of parts, they add up to those of the whole."""
    return len(text) if text.isascii() else len(normalize("NFD", text))


def _ends(characters: str) -> list[int]:
    ends, at = [0], 0
    for char in characters:
        at += 1 if char < "\x80" else len(normalize("NFD", char))
        ends.append(at)
    return ends


MARK = "gardenpath_failure"
"""The comment that marks a sentence the parser failed on: `# gardenpath_failure = two-roots`."""
FAILURES = {
    "unparsed": "not returned",
    "other-tokens": "returned with other tokens or another text",
    "malformed": "returned as something that is not CoNLL-U",
    "incomplete": "a word has no head",
    "no-root": "no word is the root",
    "two-roots": "more than one word is the root",
    "cycle": "a word stands above itself",
    "crashed": "the parser failed on it, also when it was alone",
    "too-long": "longer than the system reads",
    "no-answer": "no answer within the time limit",
    "surplus": "returned without having been asked for",
}


@dataclass(frozen=True)
class ParseResult:
    """Sentences with their trees, and how it went: of a piece of the input, and of all of it."""

    parsed: Treebank | str
    """A sentence for each that was asked, as CoNLL-U."""
    failures: Counter[str] = field(default_factory=Counter)
    """Sentences that failed, by kind (see `FAILURES`); they are in the treebank, marked by a comment."""
    seconds: float = 0.0
    """What the parser itself took, summed over all pieces; of kept results, what they took when they were made."""
    signature: str = ""
    notes: tuple[str, ...] = ()
    counts: Counter[str] = field(default_factory=Counter)
    """What the parser counted beside: tokens that were paid for, labels that were unknown."""
    garbage: InputError | None = None
    """What is wrong with the first sentence that was returned as no CoNLL-U."""

    @cached_property
    def treebank(self) -> Treebank:
        return self.parsed if isinstance(self.parsed, Treebank) else Treebank(self.parsed.encode("utf-8"))

    @property
    def conllu(self) -> str:
        return self.parsed if isinstance(self.parsed, str) else self.parsed.data.decode("utf-8")

    @property
    def repairs(self) -> dict[str, int]:
        """Of what was counted, what was not as it should have been."""
        return {kind: count for kind, count in self.counts.items() if kind.startswith("unknown")}


def counts_text(counts: Counter[str]) -> str:
    """`12 requests, 5,321 prompt tokens`; empty where nothing was counted."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


def reconcile(
    given: Treebank,
    output: Treebank | str,
    *,
    mode: str = "tokens",
    gold: frozenset[str] = frozenset(),
    partial: bool = False,
    first: int = 1,
    where: str = "the parser",
) -> ParseResult:
    """The given sentences with the trees of the output. No sentence is ever lost.

    A sentence without a usable answer keeps its input tokens and has no heads; a tree with a fault of
    structure (roots, cycle) is kept as it is. `first` numbers sentences that have no id.
    """
    returned, garbage = answers(output, where)
    if mode == "text":
        return _reconcile_text(given, returned, first, garbage)
    sentences, written = list(given), texts(given)
    if mode == "tokens":
        contents: list[object] = [forms(sentence.rows) for sentence in sentences]
    else:
        contents = [characters(text) for text in written]
    asked = [SentenceKey(content, sent_id) for content, sent_id in zip(contents, given.sent_ids, strict=True)]
    content_of = forms if mode == "tokens" else _characters
    keys = [SentenceKey(content_of(answer.rows) if not answer.fault else None, answer.sent_id) for answer in returned]
    pairs = match(asked, keys, near=True)
    failures = Counter[str]()
    if surplus := len(returned) - sum(number is not None for number in pairs):
        failures["surplus"] = surplus
    lines: list[str] = []
    for place, (sentence, number) in enumerate(zip(sentences, pairs, strict=True)):
        answer = returned[number] if number is not None else None
        if answer is None or number is None:
            fault = "unparsed"
        elif answer.fault or asked[place].content != keys[number].content:
            fault = answer.fault or "other-tokens"
        else:
            fault = tree_fault([row[6] for row in answer.words], partial)
        usable = answer if fault not in ("unparsed", "malformed", "other-tokens") else None
        if mode == "tokens" or usable is None:
            rows = with_spaces(_on_tokens(sentence.rows, usable, gold), written[place])
        else:
            rows, _ = Spacing([(sentence.rows, written[place])]).applied(usable.rows)
        lines += _comments(sentence, written[place], first + place, fault)
        lines += ["\t".join(row) for row in rows] + [""]
        if fault:
            failures[fault] += 1
    return ParseResult("\n".join([*lines, ""]), failures, garbage=garbage)


def _characters(rows: Sequence[Sequence[str]]) -> str:
    return characters("".join(form for form, _ in surface(rows)))


def tree_fault(heads: Sequence[str], partial: bool = False) -> str:
    """Why the heads of a sentence are no tree, or nothing."""
    if "_" in heads:
        return "" if partial else "incomplete"
    roots = heads.count("0")
    if roots != 1:
        return "two-roots" if roots else "no-root"
    up = [0, *map(int, heads)]
    state = [1] + [0] * len(heads)  # 1: known to reach the root
    for word in range(1, len(up)):
        path, at = [], word
        while not state[at]:
            state[at] = 2
            path.append(at)
            at = up[at]
        if state[at] == 2:
            return "cycle"
        for passed in path:
            state[passed] = 1
    return ""


def _on_tokens(rows: Iterable[list[str]], answer: Answer | None, gold: frozenset[str]) -> list[list[str]]:
    """The rows of the input with the parser's columns; multiword tokens and empty nodes stay as they are."""
    kept = {column for layer in gold & LAYERS.keys() for column in LAYERS[layer]}
    taken = [column for column in range(2, 8) if column not in kept]
    words = iter(answer.words if answer else ())
    result = []
    for row in rows:
        cells = row.copy()
        if row[0].isdecimal():
            answered = next(words, None)
            for column in taken:
                cells[column] = answered[column] if answered else "_"
            cells[8] = "_"
        result.append(cells)
    return result


def _comments(sentence: Sentence, text: str, number: int, fault: str, *, numbers: bool = False) -> list[str]:
    """Those of the input, with an id and a text in any case, and the mark of a failure.

    With `numbers` an id that is a number gives way to ours, which other sentences may have been given.
    """
    comments = [comment for comment in sentence.comments if not comment.startswith(MARK)]
    if numbers and sentence.sent_id.isdecimal():
        comments = [comment for comment in comments if not comment.startswith("sent_id = ")]
    if not any(comment.startswith("sent_id = ") for comment in comments):
        comments.append(f"sent_id = {number}")
    if not any(comment.startswith("text = ") for comment in comments):
        comments.append(f"text = {text}")
    if fault:
        comments.append(f"{MARK} = {fault}")
    return [f"# {comment}" for comment in comments]


def marked(
    given: Treebank, fault: str, first: int, *, numbers: bool = False, garbage: InputError | None = None
) -> ParseResult:
    """The given sentences without heads, each marked by this failure."""
    lines: list[str] = []
    for place, (sentence, text) in enumerate(zip(given, texts(given), strict=True)):
        lines += _comments(sentence, text, first + place, fault, numbers=numbers)
        lines += ["\t".join(row) for row in _on_tokens(sentence.rows, None, frozenset())] + [""]
    return ParseResult("\n".join([*lines, ""]), Counter({fault: len(given)}), garbage=garbage)


def _reconcile_text(given: Treebank, returned: list[Answer], first: int, garbage: InputError | None) -> ParseResult:
    """Sentences as the parser cut them, if their characters are those of the text; else the input, marked."""
    written = texts(given)
    asked = characters("".join(written))
    failures = Counter[str]()
    broken = any(answer.fault for answer in returned)
    lines: list[str] = []
    if broken or characters("".join(_characters(answer.rows) for answer in returned)) != asked:
        fault = "malformed" if broken else "other-tokens" if returned else "unparsed"
        return marked(given, fault, first, numbers=True, garbage=garbage)
    heading = _headings(given, written)
    spacing = Spacing((sentence.rows, text) for sentence, text in zip(given, written, strict=True))
    at = 0
    for place, answer in enumerate(returned):
        fault = tree_fault([row[6] for row in answer.words])
        lines += heading.pop(at, [])
        rows, at = spacing.applied(answer.rows, at)
        lines += [f"# sent_id = {first + place}", f"# text = {text_of(surface(rows))}"]
        if fault:
            lines.append(f"# {MARK} = {fault}")
            failures[fault] += 1
        lines += ["\t".join(row) for row in rows] + [""]
    return ParseResult("\n".join([*lines, ""]), failures, garbage=garbage)


def _headings(given: Treebank, written: list[str]) -> dict[int, list[str]]:
    """`# newdoc` and `# newpar` lines by the number of characters before them."""
    starts, by_place, at = set(paragraph_starts(given)), dict[int, list[str]](), 0
    for number, (sentence, text) in enumerate(zip(given, written, strict=True)):
        if number in starts:
            marks = [f"# {c}" for c in sentence.comments if c.split(" ", 1)[0] in ("newdoc", "newpar")]
            by_place[at] = marks
        at += length("".join(text.split()))
    return by_place
