"""The sentences behind a number: where the system took one label for another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import UsageError, unknown_name
from ...treebank.scores import Scores
from ...treebank.sentence import Sentence


@dataclass(frozen=True, slots=True)
class ErrorExample:
    """One word that the system got wrong, marked in its sentence."""

    sent_id: str
    place: str
    word: int
    marked: str
    """The text with the word in «…»."""
    gold: str
    """`label ← head`, as in gold."""
    predicted: str
    """The same, as the system has it."""


def find_examples(scores: Scores, wanted: str, limit: int = 10) -> tuple[list[ErrorExample], int]:
    """Words that are `GOLD` in gold and `SYSTEM` in the system for "GOLD:SYSTEM"; all errors of a label for "GOLD".

    Returns the first `limit` and how many there are.
    """
    words, alignment = scores.words, scores.alignment
    gold_label, colon, system_label = wanted.partition(":")
    for label in (gold_label, *([system_label] if colon else [])):
        if label not in words.deprels:
            error = unknown_name("label", label, words.deprels)
            raise UsageError(error.what, where=wanted, todo=error.todo + "; labels are compared without subtypes")
    chosen = words.scored & words.aligned & (words.gold_deprels == words.deprels.index(gold_label))
    if system_label:
        chosen &= words.system_deprels == words.deprels.index(system_label)
    if gold_label != system_label:
        chosen &= ~words.las
    places = np.flatnonzero(chosen)
    gold, system = alignment.gold, alignment.system
    shown = []
    for word in places[:limit].tolist():
        partner = int(alignment.system_of[word])
        sentence = gold[int(gold.sentence_of[word])]
        other = system[int(system.sentence_of[partner])]
        mine = sentence.words[word - int(gold.offsets[sentence.number])]
        theirs = other.words[partner - int(system.offsets[other.number])]
        row = int(gold.word_rows[word])
        shown.append(
            ErrorExample(
                sentence.sent_id or str(sentence.number + 1),
                gold.place(int(gold.index.starts[row])),
                mine.ord,
                marked_text(sentence, mine.ord),
                _edge(mine.deprel, mine.parent.form if mine.parent else "?"),
                _edge(theirs.deprel, theirs.parent.form if theirs.parent else "?"),
            )
        )
    return shown, len(places)


def _edge(label: str, head: str) -> str:
    return f"{label} ← {'ROOT' if head == '<ROOT>' else head}"


def marked_text(sentence: Sentence, word: int) -> str:
    """The text of a sentence with one word (or the multiword token it is in) in «…»."""
    pieces = []
    for token in sentence.tokens:
        form = f"«{token.form}»" if token.first <= word <= token.last else token.form
        pieces.append(form if "SpaceAfter=No" in token.misc.split("|") else form + " ")
    return "".join(pieces).rstrip()
