"""One sentence for each that was asked: tokens and comments of the input, the parser's tree, failures marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..errors import InputError
from ..treebank import Sentence, Treebank
from ..treebank.fields import text_of
from ..treebank.matching import SentenceKey, match
from .answer import Answer, answers, characters, forms
from .request import LAYERS, paragraph_starts
from .spacing import Spacing, length
from .surface import surface, texts, with_spaces

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


@dataclass(frozen=True, slots=True)
class Reconciled:
    """CoNLL-U of the sentences and what failed, by kind."""

    conllu: str
    failures: Counter[str] = field(default_factory=Counter)
    garbage: InputError | None = None
    """What is wrong with the first sentence that was returned as no CoNLL-U."""


def reconcile(
    given: Treebank,
    output: Treebank | str,
    *,
    mode: str = "tokens",
    gold: frozenset[str] = frozenset(),
    partial: bool = False,
    first: int = 1,
    where: str = "the parser",
) -> Reconciled:
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
        fault = _fault(answer, number is not None and asked[place].content == keys[number].content, partial)
        usable = answer if fault not in ("unparsed", "malformed", "other-tokens") else None
        if mode == "tokens" or usable is None:
            rows = with_spaces(_on_tokens(sentence.rows, usable, gold), written[place])
        else:
            rows, _ = Spacing([(sentence.rows, written[place])]).applied(usable.rows)
        lines += _comments(sentence, written[place], first + place, fault)
        lines += ["\t".join(row) for row in rows] + [""]
        if fault:
            failures[fault] += 1
    return Reconciled("\n".join([*lines, ""]), failures, garbage)


def _characters(rows: Sequence[Sequence[str]]) -> str:
    return characters("".join(form for form, _ in surface(rows)))


def _fault(answer: Answer | None, same: bool, partial: bool) -> str:
    if answer is None:
        return "unparsed"
    if answer.fault:
        return answer.fault
    return tree_fault([row[6] for row in answer.words], partial) if same else "other-tokens"


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
) -> Reconciled:
    """The given sentences without heads, each marked by this failure."""
    lines: list[str] = []
    for place, (sentence, text) in enumerate(zip(given, texts(given), strict=True)):
        lines += _comments(sentence, text, first + place, fault, numbers=numbers)
        lines += ["\t".join(row) for row in _on_tokens(sentence.rows, None, frozenset())] + [""]
    return Reconciled("\n".join([*lines, ""]), Counter({fault: len(given)}), garbage)


def _reconcile_text(given: Treebank, returned: list[Answer], first: int, garbage: InputError | None) -> Reconciled:
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
    return Reconciled("\n".join([*lines, ""]), failures, garbage)


def _headings(given: Treebank, written: list[str]) -> dict[int, list[str]]:
    """`# newdoc` and `# newpar` lines by the number of characters before them."""
    starts, by_place, at = set(paragraph_starts(given)), dict[int, list[str]](), 0
    for number, (sentence, text) in enumerate(zip(given, written, strict=True)):
        if number in starts:
            marks = [f"# {c}" for c in sentence.comments if c.split(" ", 1)[0] in ("newdoc", "newpar")]
            by_place[at] = marks
        at += length("".join(text.split()))
    return by_place
