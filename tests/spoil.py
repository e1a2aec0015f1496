"""Makes a parser's mistakes: a seeded, spoiled copy of a treebank with the same text."""

from __future__ import annotations

import random

from gardenpath.treebank import Draft, Treebank, Word, from_drafts
from gardenpath.treebank.format.draft import Span

LABELS = ["nsubj", "obj", "obl", "nmod", "det", "case", "aux", "punct", "advmod", "conj", "cc", "flat:name", "obl:arg"]
FEATS = [{}, {"Case": "Nom"}, {"Number": "Sing"}, {"Case": "Acc", "Number": "Plur"}, {"Foo": "Bar"}]


def spoiled(
    gold: Treebank, seed: int, *, labels: float = 0.2, tokens: float = 0.0, sentences: float = 0.0, spans: float = 0.0
) -> Treebank:
    """Other tags, heads and labels; with `tokens` also split and merged words, with `spans` multiword tokens
    made and dissolved, with `sentences` other sentence borders. All sentences stay trees."""
    rng = random.Random(seed)
    drafts = []
    for sentence in gold:
        draft = sentence.edit()
        draft.drop_enhanced()
        drafts.append(draft)
    for draft in drafts:
        for number in range(len(draft.words), 0, -1):
            if rng.random() < tokens:
                _split(draft, number)
        for number in range(len(draft.words) - 1, 0, -1):
            if rng.random() < tokens:
                _merge(draft, number)
        if rng.random() < spans:
            _respan(draft, rng)
        for word in draft.words:
            _relabel(word, rng, labels)
        _reattach(draft, rng, labels)
    joined: list[Draft] = []
    for draft in drafts:
        if joined and rng.random() < sentences:
            _join(joined[-1], draft)
        else:
            joined.append(draft)
    return from_drafts(joined, name=f"spoiled {seed}")


def _relabel(word: Word, rng: random.Random, share: float) -> None:
    if rng.random() < share:
        word.upos = rng.choice(["NOUN", "VERB", "ADJ", "ADP"])
    if rng.random() < share:
        word.xpos = rng.choice(["A", "B"])
    if rng.random() < share:
        word.lemma = rng.choice(["_", "x", word.lemma])
    if rng.random() < share:
        word.feats = dict(rng.choice(FEATS))
    if rng.random() < share and word.head:
        word.deprel = rng.choice(LABELS)


def _reattach(draft: Draft, rng: random.Random, share: float) -> None:
    heads = [word.head or 0 for word in draft.words]

    def above(number: int) -> set[int]:
        seen: set[int] = set()
        while number and number not in seen:
            seen.add(number)
            number = heads[number - 1]
        return seen

    for number, word in enumerate(draft.words, 1):
        if word.head and rng.random() < share:
            new = rng.randrange(1, len(heads) + 1)
            if number not in above(new):
                heads[number - 1] = word.head = new


def _in_span(draft: Draft, number: int) -> bool:
    return any(span.first <= number <= span.last for span in draft.spans)


def _split(draft: Draft, number: int) -> None:
    word = draft.words[number - 1]
    if len(word.form.replace(" ", "")) < 2 or _in_span(draft, number) or " " in word.form:
        return
    middle = len(word.form) // 2
    rest = Word(word.form[middle:], misc=dict(word.misc), head=number, deprel="goeswith")
    word.form, word.misc = word.form[:middle], {"SpaceAfter": "No"}
    draft.insert(number + 1, rest)


def _merge(draft: Draft, number: int) -> None:
    if _in_span(draft, number) or _in_span(draft, number + 1) or draft.words[number].head == 0:
        return
    first, second = draft.words[number - 1], draft.words[number]
    if first.head == number + 1:
        return
    first.form, first.misc = first.form + second.form, dict(second.misc)
    draft.remove(number + 1)


def _respan(draft: Draft, rng: random.Random) -> None:
    """Dissolves multiword tokens into one word each, and makes one word into a multiword token."""
    if draft.spans and rng.random() < 0.5:
        span = draft.spans[0]
        if all(draft.words[n - 1].head != 0 for n in range(span.first + 1, span.last + 1)):
            inside = set(range(span.first, span.last + 1))
            if draft.words[span.first - 1].head not in inside:
                first, last, form = span.first, span.last, span.form
                for number in range(last, first, -1):
                    draft.remove(number)
                draft.words[first - 1].form = form
                draft.words[first - 1].misc = dict(span.misc)
        return
    number = rng.randrange(1, len(draft.words) + 1)
    word = draft.words[number - 1]
    if not _in_span(draft, number) and len(word.form) > 2:
        form, misc = word.form, dict(word.misc)
        word.form, word.misc = form[:2].upper(), {}
        draft.insert(number + 1, Word(form[1:], head=number, deprel="case", upos="ADP"))
        draft.spans.append(Span(number, number + 1, form, misc))
        draft.spans.sort(key=lambda span: span.first)


def _join(draft: Draft, other: Draft) -> None:
    shift = len(draft.words)
    root = next(number for number, word in enumerate(draft.words, 1) if word.head == 0)
    for word in other.words:
        if word.head == 0:
            word.head, word.deprel = root, "parataxis"
        elif word.head:
            word.head += shift
    draft.words += other.words
    draft.spans += [Span(s.first + shift, s.last + shift, s.form, s.misc, s.feats) for s in other.spans]
