"""What a parser gave back, sentence by sentence, however incomplete or wrong, matched to what was asked."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from unicodedata import is_normalized, normalize

from ..errors import InputError
from ..treebank import Treebank
from ..treebank.tolerant import repair


@dataclass(frozen=True, slots=True)
class Answer:
    """One returned sentence; `fault` says why its rows cannot be used."""

    sent_id: str
    rows: list[list[str]]
    fault: str = ""

    @property
    def words(self) -> list[list[str]]:
        return [row for row in self.rows if row[0].isdecimal()]


def answers(output: Treebank | str, where: str) -> tuple[list[Answer], InputError | None]:
    """The sentences of an output, broken ones marked, and what is wrong with the first of these."""
    if isinstance(output, Treebank):
        return _answers(output), None
    if not output.strip():
        return [], None
    try:
        return _answers(_treebank(output, where)), None
    except InputError as error:
        first = error
    found = []
    for block in output.replace("\r\n", "\n").split("\n\n"):
        if not block.strip():
            continue
        try:
            found += _answers(_treebank(block + "\n\n", where))
        except InputError:
            found.append(_broken(block))
    return found, first


def _treebank(text: str, where: str) -> Treebank:
    data, _ = repair(text.encode("utf-8", "replace"), where)
    return Treebank(data, name=f"<output of {where}>")


def _answers(treebank: Treebank) -> list[Answer]:
    ids = treebank.sent_ids
    return [Answer(sent_id, sentence.rows) for sentence, sent_id in zip(treebank, ids, strict=True)]


def _broken(block: str) -> Answer:
    lines = block.split("\n")
    ids = [line.partition("=")[2].strip() for line in lines if line.replace(" ", "").startswith("#sent_id=")]
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return Answer(ids[0] if ids else "", [row for row in rows if len(row) > 1], "malformed")


def forms(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The forms of the words, composed (NFC): servers normalise, and that makes no other token."""
    return tuple(composed(row[1]) for row in rows if row[0].isdecimal())


def characters(text: str) -> str:
    """Text without white space: what must stay the same whoever cuts it into tokens."""
    return composed("".join(text.split()))


def composed(text: str) -> str:
    return text if is_normalized("NFC", text) else normalize("NFC", text)


@dataclass(frozen=True, slots=True)
class Key:
    """By what sentences are matched: their content (tokens or characters) and their id."""

    content: Hashable
    sent_id: str


def match(asked: Sequence[Key], returned: Sequence[Key]) -> list[int | None]:
    """For each asked sentence the number of the returned one.

    Same content first, then the same id, then (where the counts agree) the same place: a parser that lost
    one sentence and numbered anew loses one, not all that follow.
    """
    if len(asked) == len(returned) and all(a.content == b.content for a, b in zip(asked, returned, strict=True)):
        return list(range(len(asked)))
    found: list[int | None] = [None] * len(asked)
    passes: list[Callable[[Key], Hashable | None]] = [
        lambda key: (key.content, key.sent_id),
        lambda key: (key.content,),
        lambda key: key.sent_id or None,
    ]
    free = set(range(len(returned)))
    for by in passes:
        places: defaultdict[Hashable, deque[int]] = defaultdict(deque)
        for number in sorted(free):
            if (name := by(returned[number])) is not None:
                places[name].append(number)
        for number, key in enumerate(asked):
            if found[number] is None and (name := by(key)) is not None and places[name]:
                found[number] = places[name].popleft()
        free -= {number for number in found if number is not None}
    if len(asked) == len(returned):
        for number in range(len(asked)):
            if found[number] is None and number in free:
                found[number] = number
                free.remove(number)
    return found
