"""Sentences of generated suites of roles, read from their CoNLL-U."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Row(NamedTuple):
    form: str
    lemma: str
    upos: str
    feats: dict[str, str]
    head: int
    deprel: str
    field: str


class Item(NamedTuple):
    text: str
    order: str
    props: frozenset[str]
    rows: list[Row]

    def head(self, label: str) -> Row:
        return next(row for row in self.rows if row.deprel == label)

    def phrase(self, label: str) -> list[Row]:
        """The word with this label and its dependents, as they stand."""
        at = self.rows.index(self.head(label)) + 1
        return [row for number, row in enumerate(self.rows, 1) if at in (number, row.head)]

    @property
    def subject(self) -> list[Row]:
        return self.phrase("nsubj")

    @property
    def object(self) -> list[Row]:
        return self.phrase("obj")


def pairs(text: str) -> dict[str, str]:
    return {} if text == "_" else dict(part.split("=", 1) for part in text.split("|"))


@lru_cache(maxsize=2)
def items(data: bytes) -> list[Item]:
    found = []
    for block in data.decode("utf-8").strip("\n").split("\n\n"):
        lines = block.split("\n")
        comments = dict(line[2:].split(" = ", 1) for line in lines if line[0] == "#")
        columns = [line.split("\t") for line in lines if line[0] != "#"]
        rows = [Row(c[1], c[2], c[3], pairs(c[5]), int(c[6]), c[7], pairs(c[9]).get("Topo", "")) for c in columns]
        props = frozenset(comments["props"].split("-")) - {"base"}
        found.append(Item(comments["text"], comments["order"], props, rows))
    return found
