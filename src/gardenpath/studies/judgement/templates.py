"""The questions that a chat model is asked about a pair of sentences, and how its answers are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

CHOICE, YES_NO = "choice", "yes-no"


@dataclass(frozen=True)
class Template:
    """A question with places for the sentences, and the words that answer it."""

    kind: str
    text: str
    answers: tuple[str, str]
    """Of a choice: the first sentence, the second; else yes, no."""

    def read(self, reply: str | None) -> int | None:
        """Which of its two answers a reply is: the only one of them that stands in it as a word, in any case."""
        words = set(re.findall(r"\w+", (reply or "").casefold()))
        named = [number for number, answer in enumerate(self.answers) if answer.casefold() in words]
        return named[0] if len(named) == 1 else None


TEMPLATES: Mapping[str, Template] = {
    "better": Template(
        CHOICE,
        "Which of these two sentences is better formed? Answer with 1 or 2.\n1: {first}\n2: {second}",
        ("1", "2"),
    ),
    "native": Template(
        CHOICE,
        "Here are two sentences, X and Y. A native speaker would say only one of them. Answer with X or Y.\n"
        "X: {first}\nY: {second}",
        ("X", "Y"),
    ),
    "grammatical": Template(YES_NO, "Is this sentence grammatical? Answer with yes or no.\n{first}", ("yes", "no")),
    "acceptable": Template(
        YES_NO, "Would a native speaker accept this sentence? Answer with yes or no.\n{first}", ("yes", "no")
    ),
}
ORDERS = ("good first", "bad first")
"""Of a choice."""
