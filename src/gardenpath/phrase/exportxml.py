"""TüBa-D/Z's exportXML, read only: the tree is in the attributes `parent`, not in how the elements are nested.

Words and nodes that no element names as their child hang at the virtual root. `secEdge` stands inside the dependent.
Named entities, anaphora and discourse relations are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InputError
from ..formats import Format
from .tigerxml import attribute_column, has_element, parsed
from .tree import ROOT, PhraseTree, grown

_ID = "xml:id"
_EMPTY = "--"


class _Sentence:
    __slots__ = ("inner", "secondary", "sent_id", "tokens")

    def __init__(self, sent_id: str) -> None:
        self.sent_id = sent_id
        self.tokens: list[dict[str, str]] = []
        self.inner: list[dict[str, str]] = []
        self.secondary: list[tuple[str, dict[str, str]]] = []

    def tree(self, name: str) -> PhraseTree:
        where = f"{name}, sentence {self.sent_id}" if name else f"sentence {self.sent_id}"
        tokens = sorted(self.tokens, key=_place)  # elements are not always in the order of the words
        nodes = tokens + self.inner
        numbers = {node.get(_ID, ""): at for at, node in enumerate(nodes)}
        if len(numbers) != len(nodes) or "" in numbers:
            raise InputError("two nodes have the same xml:id, or none", where=where, todo="ids are unique in a file")
        mothers = []
        for node in nodes:
            mother = node.get("parent")
            if mother is not None and mother not in numbers:
                what = f"{node[_ID]} hangs at {mother}, which is not in the sentence"
                raise InputError(what, where=where, todo="correct parent=")
            mothers.append(ROOT if mother is None else numbers[mother])
        secondary = []
        for child, edge in self.secondary:
            mother = edge.get("parent", "")
            if mother not in numbers or child not in numbers:
                raise InputError(
                    f"{child or 'an element without xml:id'} has a secEdge to {mother!r}, which is not in the sentence",
                    where=where,
                )
            secondary.append((numbers[child], edge.get("cat", ""), numbers[mother]))
        return grown(
            [token.get("form", "") for token in tokens],
            [token.get("pos", _EMPTY) for token in tokens],
            [node.get("cat", _EMPTY) for node in self.inner],
            ["" if node.get("func", _EMPTY) == _EMPTY else node["func"] for node in nodes],
            mothers,
            secondary,
            lemmas=attribute_column(tokens, "lemma"),
            morphs=attribute_column(tokens, "morph"),
            sent_id=self.sent_id,
            where=where,
        )


def _place(word: dict[str, str]) -> int:
    number = word.get(_ID, "").rpartition("_")[2]
    return int(number) if number.isdecimal() and len(number) < 10 else 0


def read_exportxml(data: bytes, name: str = "") -> Iterator[PhraseTree]:
    """The trees of a file; `name` is for messages."""
    sentences: list[_Sentence] = []
    is_corpus, path = False, list[str]()

    def start(element: str, attributes: dict[str, str]) -> None:
        path.append(attributes.get(_ID, "") if element in ("word", "node") else path[-1] if path else "")
        if element == "sentence":
            sentences.append(_Sentence(attributes.get(_ID, "")))
        elif not sentences:
            return  # the schema has elements named node, too
        elif element == "word":
            sentences[-1].tokens.append(attributes)
        elif element == "node":
            sentences[-1].inner.append(attributes)
        elif element == "secEdge":
            sentences[-1].secondary.append((path[-1], attributes))

    def end(_: str) -> None:
        path.pop()

    for _ in parsed(data, name, start, end):
        while len(sentences) > 1:
            is_corpus = True
            yield sentences.pop(0).tree(name)
    if not (sentences or is_corpus):
        raise InputError("no element <sentence>", where=name, todo="is it exportXML?")
    for sentence in sentences:
        yield sentence.tree(name)


FORMATS = (
    Format(
        "exportxml",
        "exportXML of TüBa-D/Z",
        (".exml",),
        sniff=lambda data, _: has_element(data, b"exml-doc", b"exml"),
        read=lambda data, name, _: read_exportxml(data, name),
    ),
)
