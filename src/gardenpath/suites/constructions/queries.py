"""Constructions found by the requests of a file (`ud.toml`, `ptb.toml`): anchors are nodes of a match, or heads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from ...boundary.structured import read_toml
from ...phrase.dependency_phrases import to_treebank
from ...phrase.heads import head_token, nominal_head
from ...phrase.query import PhraseNodes
from ...phrase.schemes.model import Scheme
from ...phrase.tree import PhraseTree
from ...treebank.query.nodes import QueryNodes
from ...treebank.query.search import search
from .model import PHENOMENA, Construction

_OWN = frozenset({"phenomenon", "variant", "pattern", "finite", "anchors", "node", "flags", "wide"})
"""Keys of a rule; others are lists of alternatives that `${key}` in the pattern stands for."""

_ANCHOR = re.compile(r"(?:(head|noun)\()?(\w+)\)?")
"""`X`, or the head of X, or its noun: of a prepositional phrase what stands with the preposition."""
_FINITE = "[VerbForm=Fin]|[Mood, !VerbForm]"
"""Some treebanks have no VerbForm; then a mood tells."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One request, all alternatives decided."""

    phenomenon: str
    variant: str
    pattern: str
    anchors: tuple[tuple[str, str], ...]
    """The name of each anchor and its node, as `X`, `head(X)` or `noun(X)`."""
    node: str
    """What the construction is: in dependency trees the word that heads it."""
    flags: tuple[tuple[str, tuple[str, ...]], ...]
    """Further blocks, of which one must hold."""
    wide: bool
    """Is it asked with `--wide` alone?"""


def has_file(scheme: str) -> bool:
    """Are the constructions of this scheme requests in a file?"""
    return _file(scheme).is_file()


def _file(scheme: str) -> Path:
    return Path(__file__).with_name(f"{scheme}.toml")


def find_by_requests(
    trees: Sequence[PhraseTree], scheme: Scheme, phenomena: Sequence[str], wide: bool = False
) -> Iterator[tuple[int, Construction]]:
    """The constructions of these phenomena with the number of the tree, tree by tree, phenomenon by phenomenon."""
    nodes: QueryNodes = to_treebank(trees).query_words if scheme.arcs else PhraseNodes(trees)
    asked = [rule for rule in rules(scheme.name) if rule.phenomenon in phenomena and (wide or not rule.wide)]
    hits = dict.fromkeys(hit for rule in asked for hit in _hits(rule, nodes, trees, scheme))
    order = list(PHENOMENA)

    def place(hit: tuple[int, Construction]) -> tuple[int, int, tuple[int, ...]]:
        number, construction = hit
        return number, order.index(construction.phenomenon), tuple(token for _, token in construction.anchors)

    yield from sorted(hits, key=place)


@cache
def rules(scheme: str) -> tuple[Rule, ...]:
    """The rules of the file, one for each combination of alternatives."""
    file = _file(scheme)
    table = read_toml(file.read_bytes(), str(file))
    return tuple(rule for entry in table["rule"] for rule in _expanded(entry))


def _expanded(entry: Mapping[str, Any]) -> Iterator[Rule]:
    lists = {key: values for key, values in entry.items() if key not in _OWN}
    finite: Mapping[str, str] = entry.get("finite", {})
    for choice in product(*lists.values()):
        pattern: str = entry["pattern"]
        for key, text in zip(lists, choice, strict=True):
            pattern = pattern.replace(f"${{{key}}}", text)
        for helped in product((False, True), repeat=len(finite)):
            yield _decided(entry, pattern, list(zip(finite.items(), helped, strict=True)))


def _decided(entry: Mapping[str, Any], pattern: str, finite: Sequence[tuple[tuple[str, str], bool]]) -> Rule:
    """A rule whose finite verbs are auxiliaries and copulas (`helped`), or the heads of their clauses themselves."""
    same = {verb: head for (verb, head), helped in finite if not helped}

    def renamed(text: str) -> str:
        return re.sub(r"\b\w+\b", lambda word: same.get(word[0], word[0]), text)

    further = "".join(
        f"pattern {{ {head} -[1=aux|cop]-> {verb}; {verb} {_FINITE} }}" if helped else f"pattern {{ {head} {_FINITE} }}"
        for (verb, head), helped in finite
    )
    return Rule(
        entry["phenomenon"], entry.get("variant", ""), renamed(pattern) + further,
        tuple((name, same.get(node, node)) for name, node in entry["anchors"].items()), entry["node"],
        tuple((flag, tuple(map(renamed, texts))) for flag, texts in entry.get("flags", {}).items()),
        entry.get("wide", False),
    )  # fmt: skip


def _hits(
    rule: Rule, nodes: QueryNodes, trees: Sequence[PhraseTree], scheme: Scheme
) -> Iterator[tuple[int, Construction]]:
    """Matches as constructions."""
    matches = _matches(rule, nodes)
    flagged = {
        flag: {match for text in texts for match in _matches(rule, nodes, text)}
        for flag, texts in (rule.flags if matches else ())
    }
    for match in matches:
        number, node, *places = match
        tree = trees[number]
        anchors = tuple(
            (name, _token(tree, place, term, scheme)) for (name, term), place in zip(rule.anchors, places, strict=True)
        )
        flags = tuple(flag for flag, having in flagged.items() if match in having)
        whole = tree.mothers[node] if scheme.arcs else node  # a word is written as the head of its phrase
        yield number, Construction(rule.phenomenon, rule.variant, whole, anchors, flags)


def _token(tree: PhraseTree, place: int, term: str, scheme: Scheme) -> int:
    """The token of an anchor: the node itself, its head, or its noun."""
    if term.startswith("head("):
        return head_token(tree[place], scheme)
    return nominal_head(tree[place], scheme) if term.startswith("noun(") else place


def _matches(rule: Rule, nodes: QueryNodes, further: str = "") -> list[tuple[int, ...]]:
    """The sentence, the node and those of the anchors of each match, as numbers in the sentence."""
    matches = search(nodes, rule.pattern + further)
    sentences = matches.sentence_of
    begins = nodes.offsets[sentences]
    names = (rule.node, *(_named(term) for _, term in rule.anchors))
    columns = [matches.words(name) - begins for name in names]
    return list(zip(sentences.tolist(), *(column.tolist() for column in columns), strict=True))


def _named(term: str) -> str:
    """The node of an anchor: X of `head(X)`."""
    match = _ANCHOR.fullmatch(term)
    assert match is not None, term  # the files are ours
    return match[2]
