"""Questions to a chat model, and what its answers cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...errors import EmptyAnswer
from .endpoint import Endpoint

Messages = list[dict[str, str]]


def messages(instruction: str, *turns: str) -> Messages:
    """An instruction, a question, and what was answered and asked after it."""
    roles = ["system"] + ["user", "assistant"] * len(turns)
    return [{"role": role, "content": text} for role, text in zip(roles, [instruction, *turns], strict=False)]


def answer_to(
    endpoint: Endpoint, asked: Sequence[dict[str, str]], most: int, counts: Counter[str], limit: float | None = None
) -> str:
    """The answer in at most so many tokens, drawn at temperature 0; `counts` gets what it cost."""
    body = {"messages": list(asked), "max_tokens": most, "temperature": 0}
    choice = endpoint.ask("chat/completions", body, limit)
    counts["requests"] += 1
    usage: Any = choice.get("usage")
    for key, name in (("prompt_tokens", "prompt tokens"), ("completion_tokens", "answer tokens")):
        if isinstance(usage, dict) and isinstance(usage.get(key), int):
            counts[name] += usage[key]
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise EmptyAnswer("the model answered nothing", where=endpoint.name, todo="is it a chat model?")
    return text
