"""`llm:URL#model=NAME`: a chat model that is asked for the heads and labels of given words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import EmptyAnswer
from ...runs.record.signatures import digest, signature
from ...treebank import Sentence
from ...treebank.trees.alignment import composed
from ...treebank.validate.fields import RELATIONS
from ..asking.matching import tree_fault
from ..asking.protocol import Habits
from ..asking.request import Request
from ..asking.servers import answer_to, endpoint, messages

INSTRUCTION = """\
You annotate sentences with Universal Dependencies (version 2). You are given a sentence, one word per line: its \
number, a tab, the word{tags}. Answer with one line per word, in the same order: its number, the word, the number of \
its head, and its relation to the head, separated by tabs. Exactly one word has the head 0 and the relation root; all \
others depend on another word, and no word depends on itself, directly or through others.
Relations: {relations}.
Answer with these lines alone."""
AGAIN = "This is no tree over the {words} words: {fault}. Answer again, with one line for each of the words."
"""What is said to a model whose answer was faulty."""
FAULTS = {
    "no-lines": "no line has a number, a head and a relation",
    "wrong-length": "words are missing, named twice, or more than asked",
    "other-words": "the words are not those that were asked",
    "bad-head": "a head is not a number of a word",
    "no-root": "no word is the root",
    "two-roots": "more than one word is the root",
    "cycle": "a word stands above itself",
    "unknown-label": "a relation is none of Universal Dependencies",
}


@dataclass(frozen=True)
class HeadList:
    """Heads and labels of a sentence as a model gave them; None of a word of which it said nothing usable."""

    heads: tuple[int | None, ...]
    labels: tuple[str, ...]
    forms: tuple[str, ...]
    """The words as the model wrote them, or as they were asked."""
    fault: str = ""
    """The first of FAULTS that it has."""
    unknown_labels: int = 0
    """Words whose label is none of UD; they have `dep`."""


def question(words: Sequence[str], tags: Sequence[str] = ()) -> str:
    """The words as lines with their numbers, and their tags where these are given."""
    columns = zip(words, tags, strict=True) if tags else zip(words, strict=True)
    return "\n".join("\t".join([str(number), *cells]) for number, cells in enumerate(columns, 1))


def instruction(tags: bool) -> str:
    return INSTRUCTION.format(
        tags=", a tab, its part of speech" if tags else "", relations=", ".join(sorted(RELATIONS))
    )


def read_lines(text: str, words: Sequence[str]) -> HeadList:
    """What a model wrote, as heads and labels: lines with number, head and label, the word perhaps, or CoNLL-U."""
    rows = [row for line in text.splitlines() if (row := _row(line)) is not None]
    size = len(words)
    heads: list[int | None] = [None] * size
    labels, forms = ["dep"] * size, list(words)
    numbers = [number for number, *_ in rows]
    fault = "" if rows else "no-lines"
    if rows and numbers != list(range(1, size + 1)):
        fault = "wrong-length"
    unknown, bad_head, other_words = 0, False, False
    for number, form, head, label in rows:
        if not 1 <= number <= size or numbers.count(number) > 1:
            continue
        place = number - 1
        other_words = other_words or (form is not None and composed(form) != composed(words[place]))
        forms[place] = form or words[place]
        if head.isdecimal() and int(head) <= size and int(head) != number:
            heads[place] = int(head)
        else:
            bad_head = True
        known = label.partition(":")[0] in RELATIONS
        labels[place] = label if known else "dep"
        unknown += not known
    if not fault:
        shape = "" if None in heads else tree_fault([str(head) for head in heads])
        by_kind = {"other-words": other_words, "bad-head": bad_head, shape: bool(shape), "unknown-label": bool(unknown)}
        fault = next((kind for kind, is_there in by_kind.items() if is_there), "")
    return HeadList(tuple(heads), tuple(labels), tuple(forms), fault, unknown)


def _row(line: str) -> tuple[int, str | None, str, str] | None:
    """Number, word (if it is there), head and label of a line; None of a line that is none of these."""
    line = line.strip().strip("|").strip()
    separator = "\t" if "\t" in line else r"\|" if "|" in line else r"\s+"
    cells = [cell.strip() for cell in re.split(separator, line)]
    if not cells[0].rstrip(".):").isdecimal() or len(cells) not in (3, 4, 10):
        return None
    head, label = cells[6:8] if len(cells) == 10 else cells[-2:]
    label = label.lower()
    return int(cells[0].rstrip(".):")), cells[1] if len(cells) > 3 else None, head, label


def hung_on_root(tree: HeadList) -> tuple[list[int], list[str]]:
    """The rule `root`: what is broken depends on the root.

    The root is the first word with the head 0, else the first without a usable head, else the first. Other words with
    the head 0 or without a usable one depend on it, and so does the first word of every cycle.
    """
    roots = [place for place, head in enumerate(tree.heads) if head == 0]
    lost = [place for place, head in enumerate(tree.heads) if head is None]
    root = (roots or lost or [0])[0]
    heads = [head or root + 1 for head in tree.heads]
    heads[root] = 0
    for word in range(len(heads)):
        seen, at = set[int](), word
        while at != root and at not in seen:
            seen.add(at)
            at = heads[at] - 1
        if at != root:
            heads[min(_cycle(heads, at))] = root + 1
    labels = [
        "root" if not head else "dep" if label == "root" else label
        for head, label in zip(heads, tree.labels, strict=True)
    ]
    return heads, labels


def _cycle(heads: Sequence[int], begin: int) -> list[int]:
    """The words of the cycle that this one is in."""
    cycle, at = [begin], heads[begin] - 1
    while at != begin:
        cycle.append(at)
        at = heads[at] - 1
    return cycle


CHOICES = {"repair": ("none", "root"), "tries": ("2", "1", "3", "4", "5")}
_TOKENS, _TOKENS_PER_WORD = 200, 40
"""An answer may be so long."""


class LlmParser:
    """A faulty answer is asked for again, and then repaired by a named rule, or it fails; all of it is counted."""

    modes = ("tokens",)
    habits = Habits(chunk=20, own_limit=True)

    def __init__(self, argument: str) -> None:
        self.endpoint = endpoint("llm", argument, CHOICES, {})
        self.name = self.endpoint.name
        self.tries, self.repair = int(self.endpoint.options["tries"]), self.endpoint.options["repair"]
        self.counts = Counter[str]()
        """Requests, tokens, answers that were asked for again and repaired: of the last call of `parse`."""

    @property
    def signature(self) -> str:
        prompt = digest(instruction(False), instruction(True), AGAIN, *FAULTS.values())[:8]
        return signature(
            ("kind", "llm"), ("server", self.endpoint.place), ("model", self.endpoint.model), ("prompt", prompt),
            ("tries", self.tries), ("repair", self.repair),
        )  # fmt: skip

    def parse(self, request: Request) -> str:
        self.counts = Counter()
        lines: list[str] = []
        for sentence in request.tokens:
            tree = self._tree(sentence, request)
            if tree is None:
                continue
            heads, labels = self._usable(tree)
            lines += [f"# sent_id = {sentence.sent_id}"] if sentence.sent_id else []
            for number, (form, head, label) in enumerate(zip(tree.forms, heads, labels, strict=True), 1):
                cells = [str(number), form, "_", "_", "_", "_", "_" if head is None else str(head), label, "_", "_"]
                lines.append("\t".join(cells))
            lines.append("")
        return "\n".join([*lines, ""])

    def _usable(self, tree: HeadList) -> tuple[Sequence[int | None], Sequence[str]]:
        """Heads and labels as they were given, repaired, or none where the words are not those that were asked."""
        if tree.unknown_labels:
            self.counts["unknown labels, now dep"] += tree.unknown_labels
        if self.repair == "root" and tree.fault not in ("", "other-words", "unknown-label"):
            self.counts[f"repaired ({tree.fault})"] += 1
            return hung_on_root(tree)
        lost = tree.fault in ("no-lines", "wrong-length", "bad-head")
        return [None] * len(tree.heads) if lost else tree.heads, tree.labels

    def _tree(self, sentence: Sentence, request: Request) -> HeadList | None:
        """The first answer without a fault, or the last; None where there was no answer."""
        rows = [row for row in sentence.rows if row[0].isdecimal()]
        words = [row[1] for row in rows]
        tags = [row[3] for row in rows] if "tags" in request.gold else []
        turns, tree = [question(words, tags)], None
        for number in range(self.tries):
            if number and tree is not None:
                self.counts[f"asked again ({tree.fault})"] += 1
                turns.append(AGAIN.format(words=len(words), fault=FAULTS[tree.fault]))
            asked = messages(instruction(bool(tags)), *turns)
            try:
                answer = answer_to(
                    self.endpoint, asked, _TOKENS + _TOKENS_PER_WORD * len(words), self.counts, request.time_limit
                )
            except EmptyAnswer:
                continue
            tree = read_lines(answer, words)
            if not tree.fault:
                break
            turns.append(answer)
        return tree
