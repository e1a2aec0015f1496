"""Search in a treebank: matches of a request with their words, sentences and groups, and the result of a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...runs.record.signatures import digest, signature
from ...runs.result.layout import Column, measured, table
from ...runs.result.result import Finding, Result, Value
from .matcher import further_holds, matches, reference_codes
from .names import check_names, feature_fault, lacking_feature
from .nodes import QueryNodes, QueryWords
from .parser import has_blocks, read_request, request_text
from .request import ANY, EdgeClause, Reference, Request


class Matches:
    """All matches of a request in the trees, in the order of the text; one that is indexed has nodes by name.

    >>> import gardenpath as gp
    >>> matches = gp.read("bundled:de-test").search("V -[nsubj]-> S; V -[obj]-> O; O << V; V << S")
    >>> len(matches), matches[0]["O"].form, matches.counts("S.upos")
    (7, 'Garten', {('NOUN',): 6, ('PRON',): 1})
    """

    def __init__(self, request: Request, nodes: QueryNodes, notes: Sequence[str] = ()) -> None:
        """`notes` are on names in the request that these trees lack."""
        self.request, self.nodes, self.notes = request, nodes, notes
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
        if isinstance(self.nodes, QueryWords) and name not in self._edges:
            fault = feature_fault(feature, self.nodes)
        else:
            fault = self.nodes.refused(Reference(name, feature), list(self._edges))
        if fault:
            raise UsageError(fault, where=key)
        codes, values = reference_codes(Reference(name, feature), self._bound, self.nodes, self._edges)
        return [None if code < 0 else values[code] for code in codes.tolist()]

    def counts(self, *keys: str) -> dict[tuple[str | None, ...], int]:
        """How many matches have which values of the keys, the most frequent first."""
        columns = [self.values(key) for key in keys]
        counted = Counter(zip(*columns, strict=True)) if columns else Counter()
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1], [value or "" for value in pair[0]])))


def search(nodes: QueryNodes, pattern: str) -> Matches:
    """The matches of a request in the pattern language of Grew, or of one in a file (@FILE).

    A name that the formalism does not know is an error; one that these trees lack is in the notes.
    """
    request = read_request(request_text(pattern))
    return Matches(request, nodes, check_names(request, nodes))


STUDY = "search"
NONE = "(none)"
"""Stands for a feature that a word does not have."""


def search_result(matches: Matches, by: Sequence[str] = (), limit: int = 10) -> Result:
    """Matches and the sentences that have one, matches by the values of `by`, and the first `limit` as examples."""
    suite, count = PurePath(matches.nodes.name).name, matches.nodes.sentence_count
    findings = [
        Finding(STUDY, suite, "", "matches", len(matches), count),
        Finding(STUDY, suite, "", "sentences", len(matches.sentences), count),
    ]
    columns = [Column("", ["matches", "sentences with a match"]), *measured("count", findings)]
    lacking = [lacking_feature(key.partition(".")[2], matches.nodes) for key in by if _is_lacking(key, matches)]
    notes = list(dict.fromkeys([*matches.notes, *lacking]))
    tables = [table(f"{suite}: {count:,} sentences", columns, name="matches", note="\n".join(notes))]
    total = len(matches)
    if by:
        counts, shares = list[Finding](), list[Finding]()
        for values, number in matches.counts(*by).items():
            group: dict[str, Value] = dict(zip(by, (NONE if value is None else value for value in values), strict=True))
            counts.append(Finding(STUDY, suite, "", "matches", number, total, by=group))
            shares.append(Finding(STUDY, suite, "", "share", 100 * number / total, total, by=group))
            findings += [counts[-1], shares[-1]]
        columns = [Column(key, [finding.by[key] for finding in counts]) for key in by]
        columns += [*measured("matches", counts), *measured("%", shares)]
        tables.append(table(f"By {', '.join(by)}", columns, name="groups"))
    sentences = matches.sentence_of[:limit].tolist()
    shown = [matches.nodes.shown(sentence, matches[number]) for number, sentence in enumerate(sentences)]
    if shown:
        more = f", the first {len(shown)}" if total > len(shown) else ""
        columns = [Column("sentence", [name for name, _, _ in shown]), Column("text", [text for _, text, _ in shown])]
        tables.append(table(f"{total:,} match{'es' if total != 1 else ''}{more}", columns, name="examples"))
    details: dict[str, Any] = {"examples": [{"sentence": name, "text": text, **nodes} for name, text, nodes in shown]}
    if notes:
        details["notes"] = notes
    content = digest(matches.nodes.to_bytes())[:8]
    pattern = " ".join(matches.request.text.split())
    marks = signature(
        ("command", "treebank search"), ("treebank", f"{suite}#{content}"), ("pattern", pattern), *matches.nodes.facts
    )
    return Result(marks, findings, tables, details=details)


def _is_lacking(key: str, matches: Matches) -> bool:
    """Does `X.Case` ask for a feature that no word has?"""
    node, _, feature = key.partition(".")
    is_node = node in matches.request.nodes and not matches.nodes.is_dear(feature)
    return is_node and not matches.nodes.feature(feature)[1]
