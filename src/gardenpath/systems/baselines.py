"""`baseline:NAME`: systems that know nothing, to see what a score is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from unicodedata import category

from ..errors import unknown_name
from ..phrase.tree import ROOT, PhraseTree, grown
from ..runs.signature import signature
from ..treebank import Sentence
from .protocol import Habits
from .request import HEADS, Request

Rows = list[list[str]]
ARGUMENTS = ("nsubj", "obj", "iobj")


class Baseline:
    """A rule over the tokens of a sentence. Needs no model."""

    modes = ("tokens",)

    def __init__(self, argument: str, rule: Callable[[Sentence], Rows], habits: Habits) -> None:
        self.name, self.habits, self._rule = f"baseline:{argument}", habits, rule
        self._argument = argument

    @property
    def signature(self) -> str:
        gold = sorted(self.habits.needs) or None
        return signature(("kind", "baseline"), ("rule", self._argument), ("sees", gold))

    def parse(self, request: Request) -> str:
        lines: list[str] = []
        for sentence in request.tokens:
            lines += [f"# {comment}" for comment in sentence.comments]
            lines += ["\t".join(row) for row in self._rule(sentence)] + [""]
        return "\n".join([*lines, ""])


class RightBranching(Baseline):
    """The one rule that draws trees of both kinds."""

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        return [right_branching_phrases(words) if words else None for words in sentences]


def baseline(name: str) -> Baseline:
    if name not in _RULES:
        raise unknown_name("baseline", name, _RULES, where=f"baseline:{name}")
    return (RightBranching if name == "right-branching" else Baseline)(name, *_RULES[name])


def subject_first(sentence: Sentence) -> Rows:
    """The first argument of a verb is its subject, the others are objects; all else is taken from gold.

    The baseline of SORTS: the one exception that sees heads and labels, because its suites have gold on
    arguments only and its rule decides nothing else.
    """
    rows = _words(sentence)
    arguments: dict[str, list[list[str]]] = {}
    for row in rows:
        if row[7].partition(":")[0] in ARGUMENTS:  # without gold heads (suites in TSV) all are of one verb
            arguments.setdefault(row[6], []).append(row)
    for found in arguments.values():
        for number, row in enumerate(found):
            row[7] = "obj" if number else "nsubj"
    return rows


def right_branching(sentence: Sentence) -> Rows:
    """Every word depends on the one before it, the first is the root."""
    rows = _words(sentence)
    for number, row in enumerate(rows):
        row[6], row[7] = str(number), "dep" if number else "root"
    return rows


def right_branching_phrases(words: Sequence[str]) -> PhraseTree:
    """Every word but the last opens a clause (S) with all words that follow; all words are nouns (NN).

    Punctuation at the end hangs at the top, as in treebanks: else no clause could be right.
    """
    size = len(words)
    inside = size
    while inside > 1 and all(category(sign)[0] in "PS" for sign in words[inside - 1]):
        inside -= 1
    clauses = max(1, inside - 1)
    token_mothers = [size + min(number, clauses - 1) for number in range(inside)] + [ROOT] * (size - inside)
    mothers = [ROOT, *range(size, size + clauses - 1)]
    return grown(words, ["NN"] * size, ["S"] * clauses, [""] * (size + clauses), token_mothers + mothers)


_HEADS_OF = {
    "DET": (1, "det", ("NOUN", "PROPN")),
    "ADJ": (1, "amod", ("NOUN", "PROPN")),
    "NUM": (1, "nummod", ("NOUN", "PROPN")),
    "ADP": (1, "case", ("NOUN", "PROPN", "PRON")),
    "AUX": (0, "aux", ("VERB",)),
    "ADV": (0, "advmod", ("VERB", "ADJ")),
    "PART": (0, "advmod", ("VERB", "ADJ")),
    "NOUN": (0, "dep", ("VERB",)),
    "PROPN": (0, "dep", ("VERB",)),
    "PRON": (0, "dep", ("VERB",)),
    "SCONJ": (1, "mark", ("VERB",)),
    "CCONJ": (1, "cc", ("NOUN", "PROPN", "VERB", "ADJ")),
}
"""By tag: to look only to the right (1) or to both sides, the label, and the tags of possible heads."""


def nearest_head(sentence: Sentence) -> Rows:
    """Every word depends on the nearest word whose tag can be its head; without tags, on the one before it.

    The root is the first verb, else the first noun, else the first word; what finds no head depends on it.
    """
    rows = _words(sentence)
    tags = [row[3] for row in rows]
    if set(tags) == {"_"}:
        return right_branching(sentence)
    root = next((tags.index(tag) for tag in ("VERB", "NOUN", "PROPN", "AUX", "ADJ") if tag in tags), 0)
    for number, row in enumerate(rows):
        if number == root:
            row[6], row[7] = "0", "root"
            continue
        right_only, label, heads = _HEADS_OF.get(tags[number], (0, "punct" if tags[number] == "PUNCT" else "dep", ()))
        near = [at for at, tag in enumerate(tags) if tag in heads and at != number and (at > number or not right_only)]
        at = min(near, key=lambda place: (abs(place - number), place), default=root)
        row[6], row[7] = str(at + 1), label
    return _without_cycles(rows, root)


def _without_cycles(rows: Rows, root: int) -> Rows:
    """Two words that are nearest to each other cannot both be the head: the first goes to the root."""
    for number in range(len(rows)):
        at, seen = number, set[int]()
        while at != root and at not in seen:
            seen.add(at)
            at = int(rows[at][6]) - 1
        if at != root:
            rows[at][6] = str(root + 1)
    return rows


def _words(sentence: Sentence) -> Rows:
    return [row.copy() for row in sentence.rows if row[0].isdecimal()]


_RULES: dict[str, tuple[Callable[[Sentence], Rows], Habits]] = {
    "subject-first": (subject_first, Habits(chunk=None, cached=False, needs=frozenset({HEADS}), partial=True)),
    "nearest-head": (nearest_head, Habits(chunk=None, cached=False)),
    "right-branching": (right_branching, Habits(chunk=None, cached=False)),
}
