"""`conllu:FILE`: trees that a parser wrote into a file, found again by sentence id, text or order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..runs.signature import signature
from ..treebank import Treebank, read
from .answer import Key, answers, characters, forms
from .model_file import model_bytes
from .protocol import Habits
from .request import Request


class ConlluFile:
    """A parsed file. It may hold more sentences than are asked for, in another order, or fewer."""

    modes = ("tokens",)
    habits = Habits(chunk=None, cached=False)

    def __init__(self, argument: str) -> None:
        self.path = Path(argument).expanduser().resolve()
        self.name = f"conllu:{self.path}"
        _, self.sha256 = model_bytes(self.path)
        self._treebank = read(str(self.path))
        self.aligned = ""
        """By what the last request was aligned: id, text or order."""

    @property
    def signature(self) -> str:
        return signature(("kind", "conllu"), ("file", self.sha256[:12]), ("aligned", self.aligned or None))

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"sentences of {self.path.name} were found by {self.aligned}",) if self.aligned else ()

    def parse(self, request: Request) -> Treebank:
        asked = [Key(forms(sentence.rows), sentence.sent_id) for sentence in request.tokens]
        there = [Key(forms(answer.rows), answer.sent_id) for answer in answers(self._treebank, self.name)[0]]
        self.aligned, places = aligned(asked, there)
        if self.aligned != "text":
            self._check(request, asked, there, places)
        return self._treebank[[place for place in places if place is not None]]

    def _check(
        self, request: Request, asked: Sequence[Key], there: Sequence[Key], places: Sequence[int | None]
    ) -> None:
        """A file of another text is a mistake of the call, not of the parser."""
        for number, place in enumerate(places):
            if place is None or asked[number].content == there[place].content:
                continue
            mine, other = request.tokens[number], self._treebank[place]
            if characters(mine.text) == characters("".join(token.form for token in other.tokens)):
                continue  # the same text in other tokens: counted as a failure of the parser
            raise InputError(
                f"sentence {mine.sent_id or number + 1} differs: {_difference(mine.text, other.text)}",
                where=self._treebank.place(int(self._treebank.index.blocks[place])),
                todo=f"the sentences were aligned by {self.aligned}: is this the output for this input?",
            )


def aligned(asked: Sequence[Key], there: Sequence[Key]) -> tuple[str, list[int | None]]:
    """By what sentences can be found (id, else text, else order), and the place of each."""
    ids = {key.sent_id: place for place, key in enumerate(there)}
    unique = len(ids) == len(there) and len({key.sent_id for key in asked}) == len(asked)
    if unique and "" not in ids and all(key.sent_id for key in asked) and any(key.sent_id in ids for key in asked):
        return "id", [ids.get(key.sent_id) for key in asked]
    contents = {key.content for key in there}
    hits = sum(key.content in contents for key in asked)
    if hits and (len(asked) != len(there) or hits > len(asked) // 2):
        return "text", _by_text(asked, there)
    return "order", [place if place < len(there) else None for place in range(len(asked))]


def _by_text(asked: Sequence[Key], there: Sequence[Key]) -> list[int | None]:
    """Sentences that occur more than once are taken in their order."""
    places: dict[object, list[int]] = {}
    for place in range(len(there) - 1, -1, -1):
        places.setdefault(there[place].content, []).append(place)
    return [places[key.content].pop() if places.get(key.content) else None for key in asked]


def _difference(mine: str, other: str) -> str:
    """The first word in which two texts differ, with the words before it."""
    left, right = mine.split(), other.split()
    pairs = zip(left, right, strict=False)
    at = next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
    before = " ".join(left[max(0, at - 3) : at])
    here, there = " ".join(left[at : at + 3]) or "(end)", " ".join(right[at : at + 3]) or "(end)"
    return (
        f"after {before!r} the input has {here!r}, the file {there!r}"
        if before
        else f"the input has {here!r}, the file {there!r}"
    )
