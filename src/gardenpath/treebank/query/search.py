"""Ask a treebank: the matches of a request with their words, sentences and groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from .conditions import reference_codes
from .matcher import further_holds, matches
from .nodes import QueryNodes
from .parser import has_blocks, read_request, request_text
from .request import ANY, EdgeClause, Reference, Request


class Matches:
    """All matches of a request in the trees, in the order of the text; one that is indexed has nodes by name.

    >>> import gardenpath as gp
    >>> matches = gp.read("bundled:de-test").search("V -[nsubj]-> S; V -[obj]-> O; O << V; V << S")
    >>> len(matches), matches[0]["O"].form, matches.counts("S.upos")
    (7, 'Garten', {('NOUN',): 6, ('PRON',): 1})
    """

    def __init__(self, request: Request, nodes: QueryNodes) -> None:
        self.request, self.nodes = request, nodes
        self._bound = matches(request, nodes)
        self._edges = {
            clause.name: clause for clause in request.pattern if isinstance(clause, EdgeClause) and clause.name
        }

    def __len__(self) -> int:
        return len(self._bound)

    def __repr__(self) -> str:
        return f"<{len(self)} matches in {len(self.sentences)} of {self.nodes.sentence_count} sentences>"

    def words(self, name: str) -> NDArray[np.int64]:
        """The words of a node, or the dependants of an edge, one for each match, numbered through the treebank."""
        node = self._edges[name].target if name in self._edges else name
        if node == ANY or node not in self._bound.columns:
            raise unknown_name("node or edge", name, [*self.request.nodes, *self.request.edges])
        return self._bound.columns[node]

    @property
    def sentence_of(self) -> NDArray[np.int64]:
        """The number of each match's sentence."""
        return self.nodes.sentence_of[self.words(self.request.nodes[0])]

    @property
    def sentences(self) -> NDArray[np.int64]:
        """The numbers of the sentences that have a match."""
        return np.unique(self.sentence_of)

    @property
    def dependants(self) -> NDArray[np.int64]:
        """The words whose edges the pattern names (`e: …`), or all of its edges where none has a name."""
        edges = [clause for clause in self.request.pattern if isinstance(clause, EdgeClause) and clause.target != ANY]
        named = [clause for clause in edges if clause.name] or edges
        if not named:
            return np.unique(np.concatenate([self.words(name) for name in self.request.nodes]))
        return np.unique(np.concatenate([self._bound.columns[clause.target] for clause in named]))

    def having(self, blocks: str) -> NDArray[np.bool_]:
        """For each match: do these further `with` and `without` blocks hold?"""
        text = self.request.text
        whole = read_request(f"{text if has_blocks(text) else f'pattern {{ {text} }}'}\n{blocks}")
        required, forbidden = len(self.request.required), len(self.request.forbidden)
        further = replace(whole, required=whole.required[required:], forbidden=whole.forbidden[forbidden:])
        return further_holds(further, self.nodes, self._bound)

    def __getitem__(self, number: int) -> dict[str, Any]:
        """The nodes of one match."""
        places = {name: int(self._bound.columns[name][number]) for name in self.request.nodes}
        return self.nodes.views(int(self.nodes.sentence_of[places[self.request.nodes[0]]]), places)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[number] for number in range(len(self)))

    def values(self, key: str) -> list[str | None]:
        """`V.Tense`, `e.label`, `e.length`, … of each match; None where it is not there."""
        name, dot, feature = key.partition(".")
        known = [*self.request.nodes, *self.request.edges]
        if not dot or not feature:
            todo = f"write NAME.FEATURE, where NAME is one of {', '.join(known)}"
            raise UsageError("this names no feature of a node or an edge", where=key, todo=todo)
        if name not in known:
            raise unknown_name("node or edge", name, known)
        codes, values = reference_codes(Reference(name, feature), self._bound, self.nodes, self._edges)
        return [None if code < 0 else values[code] for code in codes.tolist()]

    def counts(self, *keys: str) -> dict[tuple[str | None, ...], int]:
        """How many matches have which values of the keys, the most frequent first."""
        columns = [self.values(key) for key in keys]
        counted = Counter(zip(*columns, strict=True)) if columns else Counter()
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1], [value or "" for value in pair[0]])))


@dataclass(frozen=True)
class Hit:
    """A match for people: where it is, and its sentence with the words of the nodes marked."""

    sentence: str
    text: str
    nodes: dict[str, str]


def hits(matches: Matches, which: Sequence[int]) -> list[Hit]:
    """Some matches, each in its sentence with its nodes marked."""
    sentences = matches.sentence_of
    return [Hit(*matches.nodes.shown(int(sentences[number]), matches[number])) for number in which]


def search(nodes: QueryNodes, pattern: str) -> Matches:
    """The matches of a request in the pattern language of Grew, or of one in a file (@FILE)."""
    return Matches(read_request(request_text(pattern)), nodes)
