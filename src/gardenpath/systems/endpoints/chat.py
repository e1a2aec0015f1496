"""`chat:URL#model=NAME`: a chat model on a server, which answers questions about sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...errors import EmptyAnswer
from ...runs.signature import digest, signature
from ..protocol import Habits
from .chat_endpoint import answer_to, messages
from .endpoint import endpoint

INSTRUCTION = "You judge sentences. Answer with one word."
CHOICES = {"tokens": ("16",)}
OTHERS = {"tokens": "[1-9][0-9]{0,4}"}


class Chat:
    """Each question is a conversation of its own, at temperature 0."""

    habits = Habits(chunk=50)

    def __init__(self, argument: str) -> None:
        self.endpoint = endpoint("chat", argument, CHOICES, OTHERS)
        self.name, self._most = self.endpoint.name, int(self.endpoint.options["tokens"])

    @property
    def signature(self) -> str:
        return signature(
            ("kind", "chat"), ("server", self.endpoint.place), ("model", self.endpoint.model),
            ("instruction", digest(INSTRUCTION)[:8]), ("tokens", self._most),
        )  # fmt: skip

    def replies(self, questions: Sequence[str]) -> list[str]:
        """An answer to each, empty where the model said nothing."""
        replies = []
        for question in questions:
            try:
                replies.append(answer_to(self.endpoint, messages(INSTRUCTION, question), self._most, Counter()))
            except EmptyAnswer:
                replies.append("")
        return replies
