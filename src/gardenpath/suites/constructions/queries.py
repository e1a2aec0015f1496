"""Constructions in dependency trees, found by the requests of a file (`ud.toml`): anchors are nodes of a match."""

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
from ...phrase.tree import PhraseTree
from ...treebank.treebank import Treebank
from .model import PHENOMENA, Construction

FILE = Path(__file__).with_name("ud.toml")
_OWN = frozenset({"phenomenon", "variant", "pattern", "finite", "anchors", "node", "flags"})
"""Keys of a rule; others are lists of alternatives that `${key}` in the pattern stands for."""

_FINITE = "[VerbForm=Fin]|[Mood, !VerbForm]"
"""Some treebanks have no VerbForm; then a mood tells."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One request, all alternatives decided."""

    phenomenon: str
    variant: str
    pattern: str
    anchors: tuple[tuple[str, str], ...]
    """The name of each anchor and its node."""
    node: str
    flags: tuple[tuple[str, tuple[str, ...]], ...]
    """Further blocks, of which one must hold."""


def find_in_arcs(trees: Sequence[PhraseTree], phenomena: Sequence[str]) -> Iterator[tuple[int, Construction]]:
    """The constructions of these phenomena with the number of the tree, tree by tree, phenomenon by phenomenon."""
    treebank = to_treebank(trees)
    hits = dict.fromkeys(hit for rule in rules() if rule.phenomenon in phenomena for hit in _hits(rule, treebank))
    order = list(PHENOMENA)

    def place(hit: tuple[int, Construction]) -> tuple[int, int, tuple[int, ...]]:
        number, construction = hit
        return number, order.index(construction.phenomenon), tuple(token for _, token in construction.anchors)

    for number, construction in sorted(hits, key=place):
        head = construction.node
        yield number, Construction(
            construction.phenomenon, construction.variant, trees[number].mothers[head], construction.anchors,
            construction.flags,
        )  # fmt: skip


@cache
def rules() -> tuple[Rule, ...]:
    """The rules of the file, one for each combination of alternatives."""
    table = read_toml(FILE.read_bytes(), str(FILE))
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
    )  # fmt: skip


def _hits(rule: Rule, treebank: Treebank) -> Iterator[tuple[int, Construction]]:
    """Matches as constructions; their node is still the word that heads them."""
    matches = _matches(rule, treebank)
    flagged = {
        flag: {match for text in texts for match in _matches(rule, treebank, text)}
        for flag, texts in (rule.flags if matches else ())
    }
    for match in matches:
        number, head, *tokens = match
        anchors = tuple((name, token) for (name, _), token in zip(rule.anchors, tokens, strict=True))
        flags = tuple(flag for flag, having in flagged.items() if match in having)
        yield number, Construction(rule.phenomenon, rule.variant, head, anchors, flags)


def _matches(rule: Rule, treebank: Treebank, further: str = "") -> list[tuple[int, ...]]:
    """The sentence, the head and the anchors of each match, as numbers in the sentence."""
    matches = treebank.search(rule.pattern + further)
    sentences = matches.sentence_of
    begins = treebank.offsets[sentences]
    columns = [matches.words(node) - begins for node in (rule.node, *(node for _, node in rule.anchors))]
    return list(zip(sentences.tolist(), *(column.tolist() for column in columns), strict=True))
