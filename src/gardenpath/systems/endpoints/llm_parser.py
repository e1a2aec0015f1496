"""`llm:URL#model=NAME`: a chat model that is asked for the heads and labels of given words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...errors import EmptyAnswer
from ...runs.signature import digest, signature
from ...treebank import Sentence
from ..protocol import Habits
from ..request import Request
from .chat_endpoint import answer_to, messages
from .endpoint import endpoint
from .head_lists import AGAIN, FAULTS, HeadList, hung_on_root, instruction, question, read_lines

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
