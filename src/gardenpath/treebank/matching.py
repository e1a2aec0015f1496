"""Sentences found again by what they say: a system's answers in the order of gold, whatever order they came in."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import is_normalized, normalize

from .treebank import Treebank


@dataclass(frozen=True, slots=True)
class SentenceKey:
    """By what a sentence is found: its content (tokens or characters) and its id."""

    content: Hashable
    sent_id: str = ""


def composed(text: str) -> str:
    """In composed characters (NFC): servers normalise, and that makes no other token."""
    return text if is_normalized("NFC", text) else normalize("NFC", text)


def match(asked: Sequence[SentenceKey], returned: Sequence[SentenceKey], *, near: bool = False) -> list[int | None]:
    """For each asked sentence the number of the returned one with the same content.

    Where the same content comes more than once, ids tell them apart, else the order in which they come. With `near`,
    what is left is paired by id, and then, where the counts agree, by place: a system that changed the tokens of a
    sentence answered it all the same.
    """
    if len(asked) == len(returned) and all(a == b for a, b in zip(asked, returned, strict=True)):
        return list(range(len(asked)))
    partners: list[int | None] = [None] * len(asked)
    passes: list[Callable[[SentenceKey], Hashable | None]] = [
        lambda key: (key.content, key.sent_id) if key.sent_id and key.content is not None else None,
        lambda key: (key.content,) if key.content is not None else None,
    ]
    passes += [lambda key: key.sent_id or None] if near else []
    for name_of in passes:
        _pair(partners, [name_of(key) for key in asked], [name_of(key) for key in returned])
    if near and len(asked) == len(returned):
        for number in sorted(set(range(len(returned))) - set(partners)):
            if partners[number] is None:
                partners[number] = number
    return partners


def _pair(partners: list[int | None], mine: Sequence[Hashable | None], theirs: Sequence[Hashable | None]) -> None:
    """Pairs what has no partner yet and the same name, in the order in which they come; None is no name."""
    taken = set(partners)
    places: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for number, name in enumerate(theirs):
        if name is not None and number not in taken:
            places[name].append(number)
    for number, name in enumerate(mine):
        if partners[number] is None and name is not None and places[name]:
            partners[number] = places[name].popleft()


def in_order_of(gold: Treebank, system: Treebank) -> Treebank | None:
    """The system's sentences in the order of gold, found by their characters; None where these are others.

    Ids tell sentences of the same characters apart, if all ids that both have stand with the same characters: others
    were given anew. Then the same words do, then the order in which they come.
    """
    if len(gold) != len(system):
        return None
    mine, theirs = ([composed(text) for text in treebank.surface.sentences()] for treebank in (gold, system))
    if mine == theirs and len(set(mine)) == len(mine):
        return system
    if Counter(mine) != Counter(theirs):
        return None
    partners: list[int | None] = [None] * len(mine)
    by_id = dict(zip(gold.sent_ids, mine, strict=True))
    if all(by_id.get(sent_id, text) == text for sent_id, text in zip(system.sent_ids, theirs, strict=True) if sent_id):
        _pair(partners, _with_ids(gold, mine), _with_ids(system, theirs))
    _pair(partners, _words(gold), _words(system))
    _pair(partners, mine, theirs)
    places = [place for place in partners if place is not None]
    return system if places == list(range(len(places))) else system[places]


def _with_ids(treebank: Treebank, texts: Sequence[str]) -> list[tuple[str, str] | None]:
    return [(text, sent_id) if sent_id else None for text, sent_id in zip(texts, treebank.sent_ids, strict=True)]


def _words(treebank: Treebank) -> list[tuple[str, ...]]:
    forms = treebank.column("form").strings()
    return [tuple(forms[begin:end]) for begin, end in pairwise(treebank.offsets.tolist())]


def difference(mine: Sequence[str], theirs: Sequence[str], there: str = "the file") -> str:
    """The first words in which two sentences differ, with those before them; empty where they are the same."""
    pairs = enumerate(zip(mine, theirs, strict=False))
    at = next((number for number, (a, b) in pairs if a != b), min(len(mine), len(theirs)))
    if at == len(mine) == len(theirs):
        return ""
    before = " ".join(mine[max(0, at - 3) : at])
    ours, others = (" ".join(words[at : at + 3]) or "(end)" for words in (mine, theirs))
    sides = f"the input has {ours!r}, {there} {others!r}"
    return f"after {before!r} {sides}" if before else sides
