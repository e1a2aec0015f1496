"""Trees while they grow: inner nodes in the order they are made, tokens at the place of their words."""

from __future__ import annotations

from ....phrase.schemes.model import Scheme
from ....phrase.tree import ROOT, PhraseTree, grown
from .clause import Word

_NAMES = {"indirect": "indirect_object", "oblique": "prepositional_object", "adverbial": "modifier"}


def functions_of(scheme: Scheme) -> dict[str, str]:
    """The scheme's name for what each part of an abstract clause is to its verb."""
    roles = ("subject", "object", "indirect", "predicate", "oblique", "agent", "adverbial", "complement")
    return {role: getattr(scheme.functions, _NAMES.get(role, role)) for role in roles}


class Bracketing:
    """Columns of a phrase tree; tokens hang at the virtual root until they get a mother."""

    __slots__ = ("functions", "labels", "mothers", "secondary", "size", "token_functions", "words")

    def __init__(self, words: list[Word]) -> None:
        self.words, self.size = words, len(words)
        self.token_functions = [""] * self.size
        self.mothers = [ROOT] * self.size
        self.labels: list[str] = []
        self.functions: list[str] = []
        self.secondary: list[tuple[int, str, int]] = []

    def inner(self, label: str, function: str, mother: int) -> int:
        self.labels.append(label)
        self.functions.append(function)
        self.mothers.append(mother)
        return self.size + len(self.labels) - 1

    def leaf(self, word: Word, function: str, mother: int) -> int:
        self.token_functions[word.at] = function
        self.mothers[word.at] = mother
        return word.at

    def tree(self, sent_id: str = "") -> PhraseTree:
        words = self.words
        return grown(
            [word.form for word in words],
            [word.xpos for word in words],
            self.labels,
            self.token_functions + self.functions,
            self.mothers,
            self.secondary,
            lemmas=[word.lemma for word in words],
            sent_id=sent_id,
        )
