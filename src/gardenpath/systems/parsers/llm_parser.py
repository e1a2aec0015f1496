"""`llm:URL#model=NAME`: a chat model that is asked for the heads and labels of given words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ...errors import EmptyAnswer
from ...runs.record.signatures import digest, signature
from ...treebank.format.universal import RELATIONS
from ..asking.protocol import Habits
from ..asking.request import Request
from ..asking.servers import answer_to, endpoint

INSTRUCTION = """\
You annotate sentences with Universal Dependencies (version 2). You are given a sentence, one word per line: its \
number, a tab, the word{tags}. Answer with one line per word, in the same order: its number, the word, the number of \
its head, and its relation to the head, separated by tabs. Exactly one word has the head 0 and the relation root; all \
others depend on another word, and no word depends on itself, directly or through others.
Relations: {relations}.
Answer with these lines alone."""
_TOKENS, _TOKENS_PER_WORD = 200, 40
"""An answer may be so long."""


def instruction(tags: bool) -> str:
    return INSTRUCTION.format(
        tags=", a tab, its part of speech" if tags else "", relations=", ".join(sorted(RELATIONS))
    )


def read_lines(text: str, words: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return form, head and label of each word as a model wrote them: lines of number, word (perhaps), head and label.

    A table and CoNLL-U are read too. A head that is no other word is `_`; so are all where words are missing, doubled
    or more than asked.
    """
    rows = []
    for line in text.splitlines():
        line = line.strip().strip("|").strip()
        separator = "\t" if "\t" in line else r"\|" if "|" in line else r"\s+"
        cells = [cell.strip() for cell in re.split(separator, line)]
        number = cells[0].rstrip(".):")
        if number.isdecimal() and len(cells) in (3, 4, 10):
            form = cells[1] if len(cells) > 3 else ""
            head, label = cells[6:8] if len(cells) == 10 else cells[-2:]
            rows.append((int(number), form, head, label.lower()))
    if [number for number, *_ in rows] != list(range(1, len(words) + 1)):
        return [(word, "_", "dep") for word in words]
    arcs = []
    for word, (number, form, head, label) in zip(words, rows, strict=True):
        usable = head.isdecimal() and int(head) <= len(words) and int(head) != number
        arcs.append((form or word, str(int(head)) if usable else "_", label))
    return arcs


class LlmParser:
    """One question for each sentence; an answer that is no tree is a counted failure."""

    modes = ("tokens",)
    habits = Habits(chunk=20, own_limit=True)

    def __init__(self, argument: str) -> None:
        self.endpoint = endpoint("llm", argument, {}, {})
        self.name = self.endpoint.name
        self.counts = Counter[str]()
        """Requests, tokens and unknown labels of the last call of `parse`."""

    @property
    def signature(self) -> str:
        prompt = digest(instruction(False), instruction(True))[:8]
        return signature(
            ("kind", "llm"), ("server", self.endpoint.place), ("model", self.endpoint.model), ("prompt", prompt)
        )

    def parse(self, request: Request) -> str:
        self.counts = Counter()
        lines: list[str] = []
        tagged = "tags" in request.gold
        for sentence in request.tokens:
            rows = [row for row in sentence.rows if row[0].isdecimal()]
            question = "\n".join("\t".join([row[0], row[1], *([row[3]] if tagged else [])]) for row in rows)
            most = _TOKENS + _TOKENS_PER_WORD * len(rows)
            try:
                answer = answer_to(self.endpoint, instruction(tagged), question, most, self.counts, request.time_limit)
            except EmptyAnswer:
                continue
            lines += [f"# sent_id = {sentence.sent_id}"] if sentence.sent_id else []
            for number, (form, head, label) in enumerate(read_lines(answer, [row[1] for row in rows]), 1):
                if label.partition(":")[0] not in RELATIONS:
                    self.counts["unknown labels, now dep"] += 1
                    label = "dep"
                lines.append("\t".join([str(number), form, "_", "_", "_", "_", head, label, "_", "_"]))
            lines.append("")
        return "\n".join([*lines, ""])
