"""`chat:URL#model=NAME`: a chat model on a server; questions to any chat model, and its answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...errors import EmptyAnswer, FailedOnInput, SystemFailure
from ...runs.record.signatures import digest, signature
from ...runs.work.where import HERE, Where, Workplace
from ..asking.exchange import SentenceBlock, ask_sentences, loaded
from ..asking.protocol import JUDGE, ChatModel, Habits
from ..asking.registry import chat_model
from ..asking.servers import answer_to, endpoint

Replies = list[str | None]


def replies_with(
    model: str | ChatModel, questions: Sequence[str], *, where: Where | Workplace = HERE
) -> tuple[Replies, dict[int, FailedOnInput]]:
    """What a model answers to each question, None and the failure where it gives no answer.

    What was asked before comes from the cache.
    """
    given = chat_model(model) if isinstance(model, str) else model
    block = _Questions.of([[question] for question in questions])
    ((replies, failures),) = ask_sentences([block], given, where)
    return replies, failures


class _Questions(SentenceBlock):
    label, role = "judging", JUDGE

    @staticmethod
    def answer(name: str, signature: str, block: SentenceBlock) -> list[str]:
        """The answers of one piece."""
        model: ChatModel = loaded(name, signature, JUDGE)
        questions = [question for (question,) in block.sentences]
        replies = model.replies(questions)
        if len(replies) != len(questions):
            raise SystemFailure(f"{len(replies)} answers to {len(questions)} questions", where=model.name)
        return list(replies)

    def received(self, answer: list[str]) -> list[str]:
        return answer


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
                replies.append(answer_to(self.endpoint, INSTRUCTION, question, self._most, Counter()))
            except EmptyAnswer:
                replies.append("")
        return replies
