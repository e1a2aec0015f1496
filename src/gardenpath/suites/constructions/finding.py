"""Constructions found in gold trees by the queries of a scheme's rule file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from ..._text import either
from ...boundary.structured import read_toml
from ...errors import UsageError, unknown_name
from ...phrase.dependencies import to_treebank
from ...phrase.query import PhraseNodes
from ...phrase.schemes.model import Scheme
from ...phrase.schemes.registry import SCHEMES as KNOWN
from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.schemes.registry import scheme_of
from ...phrase.tree import NO_FUNCTION, PhraseTree
from ...treebank.query.nodes import Ints, QueryNodes
from ...treebank.query.parser import read_request
from ...treebank.query.search import Matches
from .model import ANCHORS, PHENOMENA, SCHEMES, Construction

_OWN = frozenset({"phenomenon", "variant", "pattern", "finite", "anchors", "each", "node", "flags", "wide"})
"""Keys of a rule; others are alternatives that `${key}` in the pattern stands for."""
_PLACEHOLDER = re.compile(r"\$\{([\w.]+)\}")
_FINITE = "[VerbForm=Fin]|[Mood, !VerbForm]"
"""Some treebanks have no VerbForm; then a mood tells."""


@dataclass(frozen=True, slots=True)
class FindingRule:
    """One request, all alternatives decided."""

    phenomenon: str
    variant: str
    pattern: str
    anchors: tuple[tuple[str, tuple[str, ...]], ...]
    """The name of each anchor and its terms, `X` or `noun(X)`, of which the first counts that gives a node."""
    each: str
    """The node that differs between the matches of one construction: its anchors are numbered."""
    node: str
    """What the construction is: in dependency trees the word that heads it."""
    flags: tuple[tuple[str, tuple[str, ...]], ...]
    """Further blocks, of which one must hold."""
    wide: bool
    """Is it asked with `wide` alone?"""


@cache
def _rule_file(scheme: Scheme) -> tuple[dict[str, Any], Callable[[str], str]]:
    """Return the scheme's file, and what fills the labels into a pattern."""
    file = Path(__file__).with_name(f"{scheme.name}.toml")
    table = read_toml(file.read_bytes(), str(file))
    labels: dict[str, str] = {}

    def filled(text: str) -> str:
        return _PLACEHOLDER.sub(lambda key: labels[key[1]] if key[1] in labels else _labels_of(scheme, key[1]), text)

    for key, text in table.get("labels", {}).items():
        labels[key] = filled(text)
    return table, filled


@cache
def finding_rules(scheme: Scheme) -> tuple[FindingRule, ...]:
    """The rules of the scheme's file, one for each combination of alternatives."""
    table, filled = _rule_file(scheme)
    return tuple(
        replace(
            rule,
            pattern=filled(rule.pattern),
            flags=tuple((flag, tuple(map(filled, texts))) for flag, texts in rule.flags),
        )
        for entry in table["rule"]
        for rule in _expanded(entry)
    )


def _labels_of(scheme: Scheme, path: str) -> str:
    """`tags.finite` as alternatives of a request."""
    value: Any = scheme
    for name in path.split("."):
        value = getattr(value, name)
    return "|".join(f'"{label}"' for label in sorted([value] if isinstance(value, str) else value))


def _expanded(entry: Mapping[str, Any]) -> Iterator[FindingRule]:
    """One rule for each variant, each choice of alternatives, and each way in which clauses have their finite verb."""
    own = {key: values for key, values in entry.items() if key not in _OWN}
    variants = next(
        (list(values) for values in own.values() if isinstance(values, Mapping)), [entry.get("variant", "")]
    )
    wide = entry.get("wide", False)
    finite: Mapping[str, str] = entry.get("finite", {})
    for variant in variants:
        lists = [[values[variant]] if isinstance(values, Mapping) else values for values in own.values()]
        for choice in product(*lists):
            pattern: str = entry["pattern"]
            for key, text in zip(own, choice, strict=True):
                pattern = pattern.replace(f"${{{key}}}", text)
            for helped in product((False, True), repeat=len(finite)):
                rule = _decided(entry, pattern, list(zip(finite.items(), helped, strict=True)))
                yield replace(rule, variant=variant, wide=variant in wide if isinstance(wide, list) else wide)


def _decided(entry: Mapping[str, Any], pattern: str, finite: Sequence[tuple[tuple[str, str], bool]]) -> FindingRule:
    """A rule whose finite verbs are auxiliaries and copulas (`helped`), or the heads of their clauses themselves."""
    same = {verb: head for (verb, head), helped in finite if not helped}

    def renamed(text: str) -> str:
        return re.sub(r"\b\w+\b", lambda word: same.get(word[0], word[0]), text) if same else text

    further = "".join(
        f"pattern {{ {head} -[1=aux|cop]-> {verb}; {verb} {_FINITE} }}" if helped else f"pattern {{ {head} {_FINITE} }}"
        for (verb, head), helped in finite
    )
    terms = {name: [given] if isinstance(given, str) else given for name, given in entry["anchors"].items()}
    return FindingRule(
        entry["phenomenon"], "", renamed(pattern) + further,
        tuple((name, tuple(map(renamed, texts))) for name, texts in terms.items()), entry.get("each", ""),
        entry["node"], tuple((flag, tuple(map(renamed, texts))) for flag, texts in entry.get("flags", {}).items()),
        False,
    )  # fmt: skip


def count_by_requests(trees: Sequence[PhraseTree], scheme: str) -> dict[str, list[tuple[int, int]]]:
    """Return what the scheme's file counts besides constructions: number of the tree and node of each, by its name."""
    annotated = known_scheme(scheme)
    table, filled = _rule_file(annotated)
    counted: dict[str, set[tuple[int, int]]] = {}
    has_secondary = any(tree.secondary for tree in trees)
    for entry in table.get("count", ()):
        if entry.get("secondary", False) and not has_secondary:
            continue  # not annotated, which is not 0
        matches = Matches(read_request(filled(entry["pattern"])), PhraseNodes(trees, annotated=annotated))
        nodes = matches.words(entry["node"]) - matches.nodes.offsets[matches.sentence_of] if len(matches) else ()
        hits = counted.setdefault(entry["name"], set())
        hits |= set(zip(matches.sentence_of.tolist(), map(int, nodes), strict=True))
    return {name: sorted(hits) for name, hits in counted.items()}


Row = tuple[int, int, tuple[int, ...], tuple[bool, ...]]
"""Of a match: the number of the tree, the node, the anchors, and which flags hold."""


def find_by_requests(
    trees: Sequence[PhraseTree], scheme: Scheme, phenomena: Sequence[str], wide: bool = False
) -> Iterator[tuple[int, Construction]]:
    """The constructions of these phenomena with the number of the tree, tree by tree, phenomenon by phenomenon."""
    nodes: QueryNodes = to_treebank(trees).query_words if scheme.arcs else PhraseNodes(trees, annotated=scheme)
    asked = [rule for rule in finding_rules(scheme) if rule.phenomenon in phenomena and (wide or not rule.wide)]
    hits = dict.fromkeys(hit for rule in asked for hit in _hits(rule, nodes, trees, scheme))

    def place(hit: tuple[int, Construction]) -> tuple[int, int, int, tuple[int, ...]]:
        number, construction = hit
        tokens = tuple(token for _, token in construction.anchors)
        return number, phenomena.index(construction.phenomenon), 0 if scheme.arcs else construction.node, tokens

    yield from sorted(hits, key=place)


def _hits(
    rule: FindingRule, nodes: QueryNodes, trees: Sequence[PhraseTree], scheme: Scheme
) -> Iterator[tuple[int, Construction]]:
    """Matches as constructions."""
    for number, node, places, held in _rows(rule, Matches(read_request(rule.pattern), nodes)):
        flags = tuple(flag for (flag, _), holds in zip(rule.flags, held, strict=True) if holds)
        whole = trees[number].mothers[node] if scheme.arcs else node  # a word is written as the head of its phrase
        yield number, Construction(rule.phenomenon, rule.variant, whole, _anchors(rule, places), flags)


def _rows(rule: FindingRule, matches: Matches) -> list[Row]:
    """Each construction once: a flag holds if it does for one of its matches, and what `each` binds is collected."""
    if not len(matches):
        return []
    begins = matches.nodes.offsets[matches.sentence_of]
    columns = [matches.sentence_of.tolist(), (matches.words(rule.node) - begins).tolist()]
    tokens = [_tokens(matches, terms, begins).tolist() for _, terms in rule.anchors]
    flags = [np.logical_or.reduce([matches.having(text) for text in texts]).tolist() for _, texts in rule.flags]
    places, held = (list(zip(*lists, strict=True)) or [()] * len(matches) for lists in (tokens, flags))
    rows = list(zip(*columns, places, held, strict=True))
    if rule.each:
        order = np.argsort(matches.nodes.delta(begins, matches.words(rule.each)), kind="stable")
        rows = [rows[place] for place in order.tolist()]
        groups: dict[tuple[int, int], list[Row]] = {}
        for row in rows:
            groups.setdefault(row[:2], []).append(row)
        rows = [(*key, tuple(dict.fromkeys(row[2][0] for row in some)), some[0][3]) for key, some in groups.items()]
    merged: dict[tuple[int, int, tuple[int, ...]], tuple[bool, ...]] = {}
    for number, node, row_places, row_held in rows:
        before = merged.get((number, node, row_places), row_held)
        merged[number, node, row_places] = tuple(map(max, before, row_held))
    return [(*key, flags_held) for key, flags_held in merged.items()]


def _anchors(rule: FindingRule, places: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """The anchors in the order of the phenomenon, -1 for those that the rule does not give; of `each` numbered."""
    if rule.each:
        ((name, _),) = rule.anchors
        return tuple((f"{name}{number}", place) for number, place in enumerate(places, 1))
    given = dict(zip((name for name, _ in rule.anchors), places, strict=True))
    return tuple((name, given.get(name, -1)) for name in ANCHORS[rule.phenomenon])


def _tokens(matches: Matches, terms: Sequence[str], begins: Ints) -> Ints:
    """The token of an anchor in each match, in its sentence: by the first term that gives one, else -1."""
    tokens = np.full(len(matches), -1, dtype=np.int64)
    for term in terms:
        *functions, name = re.findall(r"[\w$]+", term)
        places = matches.words(name)
        for function in reversed(functions):
            places = matches.nodes.applied(function, places)
        tokens = np.where(tokens < 0, np.where(places >= 0, places - begins, -1), tokens)
    return tokens


RULES_VERSION = "1"
"""Of the finding rules: part of every suite and signature, because other rules find other items."""


def find(
    tree: PhraseTree, scheme: str, phenomena: Iterable[str] = tuple(PHENOMENA), wide: bool = False
) -> list[Construction]:
    """All constructions of these phenomena in a tree, phenomenon by phenomenon and from low nodes to high.

    `wide` takes any two unlike categories for a coordination of unlike constituents, not only the paper's three.
    """
    return [construction for _, construction in find_in([tree], scheme, tuple(phenomena), wide)]


def find_in(
    trees: Sequence[PhraseTree], scheme: str, phenomena: Sequence[str], wide: bool = False
) -> Iterator[tuple[int, Construction]]:
    """The same of many trees, each construction with the number (from 0) of its tree, tree by tree."""
    for phenomenon in phenomena:
        if phenomenon not in PHENOMENA:
            raise unknown_name("phenomenon", phenomenon, PHENOMENA)
    annotated = known_scheme(check_scheme(scheme))
    if annotated.arcs and wide:
        raise UsageError("wide is for phrase trees", todo="leave it out: dependency trees have no such categories")

    yield from find_by_requests(trees, annotated, phenomena, wide)


def check_scheme(name: str) -> str:
    """The name, or an error if there is no such scheme, or no rules for it."""
    if name in SCHEMES:
        return name
    if name in KNOWN:
        todo = f"take {either(SCHEMES)}"
        raise UsageError(f"no constructions are known in the annotation scheme {name!r}", todo=todo)
    raise unknown_name("annotation scheme", name, SCHEMES)


def check_phenomena(names: Sequence[str]) -> tuple[str, ...]:
    """The names, `all` being every one; an error for what is no phenomenon."""
    for name in names:
        if name not in (*PHENOMENA, "all"):
            raise unknown_name("phenomenon", name, (*PHENOMENA, "all"), where="phenomena")
    return tuple(PHENOMENA) if "all" in names else tuple(names)


def misgivings(trees: Sequence[PhraseTree], scheme: str) -> str:
    """Why trees do not look like this scheme, if they do not: the rules would find nothing and not say why."""
    annotated = known_scheme(scheme)
    tags, functions = annotated.tags, Counter(one for tree in trees for one in tree.functions if one not in NO_FUNCTION)
    if not annotated.bare:
        if not functions:
            return f"the trees have no functions ({_some(annotated.functions.all)} …), which the rules go by"
        if doubt := _none_of("functions", annotated.functions.all, functions, annotated):
            return doubt
    shown = scheme_of(trees)
    if shown is not None and shown.name != scheme:
        return f"the trees look like {shown.name}, not {scheme}"
    labels = Counter(one for tree in trees for one in tree.labels)
    return _none_of("categories", annotated.categories.known_by, labels, annotated) or _none_of(
        "tags", tags.finite | tags.prepositions, Counter(one for tree in trees for one in tree.tags), annotated
    )


def _none_of(kind: str, known: frozenset[str], there: Counter[str], scheme: Scheme) -> str:
    """That none of the labels of a scheme occurs, and which do; empty where one does."""
    if known & there.keys():
        return ""
    most = ", ".join(name for name, _ in there.most_common(4))
    return f"none of the {kind} of {scheme.title} ({_some(known)} …) occurs in the trees; they have {most} …"


def _some(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)[:4])


def gold_files(source: Any, scheme: str) -> list[str]:
    """The files of a treebank in this scheme."""
    if known_scheme(scheme).arcs:
        from ...treebank.format.reading import paths

        return paths(source)
    from ...phrase.formats.source import files

    return files(source)


def gold_trees(
    source: str | Sequence[str], scheme: str, notice: Callable[[str], None] | None = None
) -> list[PhraseTree]:
    """The trees of a treebank in this scheme, without traces, which no parser sees; `notice` is told what was odd in
    files of phrase trees."""
    if known_scheme(scheme).arcs:
        from ...phrase.dependencies import from_sentence
        from ...treebank import read as read_treebank

        return list(map(from_sentence, read_treebank(source)))
    from ...phrase.edits.tokens import with_extraposed, without_traces
    from ...phrase.formats.source import read

    trees = read(source) if notice is None else read(source, notice=notice)
    return without_traces([with_extraposed(tree) for tree in trees])[0]
