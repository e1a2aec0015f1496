"""What a parser gave back, sentence by sentence, however incomplete or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import InputError
from ..treebank import Treebank
from ..treebank.matching import composed
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
    answered = []
    for block in output.replace("\r\n", "\n").split("\n\n"):
        if not block.strip():
            continue
        try:
            answered += _answers(_treebank(block + "\n\n", where))
        except InputError:
            answered.append(_broken(block))
    return answered, first


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
