"""Answers of chat models to questions: the exchange of texts, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import FailedOnInput, SystemFailure
from ..runs.where import HERE, Where, Workplace
from .asking import ask
from .protocol import JUDGE, ChatModel
from .registry import chat_model
from .sentences import OfSentences, SentenceBlock

Replies = list[str | None]


def replies_with(
    model: str | ChatModel, questions: Sequence[str], *, where: Where | Workplace = HERE
) -> tuple[Replies, dict[int, FailedOnInput]]:
    """What a model answers to each question, None and the failure where it gives no answer.

    What was asked before comes from the cache.
    """
    given = chat_model(model) if isinstance(model, str) else model
    replies: Replies = []
    failures: dict[int, FailedOnInput] = {}
    for answers in ask(_Judging(), given, [SentenceBlock.of([[question] for question in questions])], where):
        for _, (some, failure) in answers:
            if failure is not None:
                failures |= dict.fromkeys(range(len(replies), len(replies) + len(some)), failure)
            replies += some
    return replies, failures


class _Judging(OfSentences[tuple[Replies, FailedOnInput | None]]):
    """Questions out (each a sentence of one long word), answers back as text."""

    label = "judging"
    role = JUDGE

    @property
    def answer(self) -> Callable[[Any, Any], Any]:
        return reply_to

    def received(self, units: SentenceBlock, answer: Any, first: int) -> tuple[Replies, FailedOnInput | None]:
        return list(answer), None

    def lost(self, units: SentenceBlock, failure: FailedOnInput, first: int) -> tuple[Replies, FailedOnInput | None]:
        return [None] * len(units.sentences), failure


def reply_to(model: ChatModel, block: SentenceBlock) -> list[str]:
    """The answers of one piece."""
    questions = [question for (question,) in block.sentences]
    replies = model.replies(questions)
    if len(replies) != len(questions):
        raise SystemFailure(f"{len(replies)} answers to {len(questions)} questions", where=model.name)
    return list(replies)
