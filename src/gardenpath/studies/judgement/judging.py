"""Answers as judgements: which sentence of a pair a model takes, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .templates import CHOICE, ORDERS, TEMPLATES

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Question:
    """One question about every pair: a template, in an order if it is a choice, about one sentence if it is not."""

    template: str
    form: str
    """An order of a choice; `good` or `bad`, the sentence that yes or no is about."""

    def text(self, good: str, bad: str) -> str:
        first, second = (good, bad) if self.form in (ORDERS[0], "good") else (bad, good)
        return TEMPLATES[self.template].text.format(first=first, second=second)


def questions_of(templates: Sequence[str]) -> list[Question]:
    """All questions that a pair is asked."""
    forms = {name: ORDERS if TEMPLATES[name].kind == CHOICE else ("good", "bad") for name in templates}
    return [Question(name, form) for name in templates for form in forms[name]]


@dataclass(frozen=True, eq=False)
class PairJudgements:
    """What a system said of all pairs: for each question and pair the answer, 0 or 1, and -1 where it is neither."""

    answers: Mapping[Question, NDArray[np.int64]]

    def at(self, chosen: Bools) -> PairJudgements:
        """The judgements of some of the pairs."""
        return PairJudgements({question: answers[chosen] for question, answers in self.answers.items()})

    def of(self, template: str) -> list[tuple[Question, NDArray[np.int64]]]:
        return [(question, answers) for question, answers in self.answers.items() if question.template == template]

    def right(self, question: Question) -> Bools:
        """Of a choice: the good sentence was taken; of yes and no: yes of the good one, no of the bad one."""
        return np.asarray(self.answers[question] == (0 if question.form in (ORDERS[0], "good") else 1))

    def takes(self) -> Iterator[tuple[str, Bools]]:
        """Ways to judge a pair, each with the pairs it gets right: every order of a choice; yes and no together."""
        for template in dict.fromkeys(question.template for question in self.answers):
            asked = [question for question, _ in self.of(template)]
            if TEMPLATES[template].kind == CHOICE:
                yield from ((f"{template}, {question.form}", self.right(question)) for question in asked)
            else:
                yield template, np.all([self.right(question) for question in asked], axis=0)
