"""`baseline:NAME`: parsers that know nothing, to see what a score is worth: rules, and trees drawn at random.

No baseline sees what it is judged on. It sees the words, gold tags where its rule needs them, and which words are
asked: for `subject-first` the arguments with their gold heads, for `nearest-candidate` and `always-verb` the
preposition and the noun of a PP, whose heads and labels are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple
from unicodedata import category

from ...errors import InputError, UsageError, unknown_name
from ...phrase.tree import ROOT, PhraseTree, grown
from ...runs.record.signatures import signature
from ...suites import FREQUENT
from ...treebank import Sentence
from ..asking.protocol import Habits
from ..asking.registry import split_options
from ..asking.request import HEADS, Request

Rows = list[list[str]]


class Baseline:
    """A rule over the tokens of a sentence. Needs no model."""

    modes = ("tokens",)

    def __init__(self, name: str, rule: Callable[[Sentence], Rows], habits: Habits, seed: int | None = None) -> None:
        self.name, self.habits, self._rule = f"baseline:{name}" + (f"#seed={seed}" if seed else ""), habits, rule
        self._facts = ("rule", name), ("seed", seed)

    @property
    def signature(self) -> str:
        gold = sorted(self.habits.needs) or None
        return signature(("kind", "baseline"), *self._facts, ("sees", gold))

    def parse(self, request: Request) -> str:
        lines: list[str] = []
        for sentence in request.tokens:
            lines += [f"# {comment}" for comment in sentence.comments]
            lines += ["\t".join(row) for row in self._rule(sentence)] + [""]
        return "\n".join([*lines, ""])


class RightBranching(Baseline):
    """The one rule that draws trees of both kinds."""

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        return [right_branching_phrases(words) if words else None for words in sentences]


def baseline(argument: str) -> Baseline:
    """A rule by its name; one that draws may have a seed, `random-projective#seed=1`."""
    name, options = split_options("baseline", argument, {"seed": ()}, {"seed": "[0-9]+"})
    if name in _DRAWN:
        seed = int(options.get("seed", 0))
        return Baseline(name, drawn_rows(_DRAWN[name], seed), _FREE, seed)
    if name not in _RULES:
        raise unknown_name("baseline", name, [*_RULES, *_DRAWN], where=f"baseline:{name}")
    if options:
        raise UsageError("nothing is drawn", where=f"baseline:{argument}", todo="leave #seed out")
    return (RightBranching if name == "right-branching" else Baseline)(name, *_RULES[name])


def subject_first(sentence: Sentence) -> Rows:
    """Call the first argument of a verb its subject and the others objects; heads are gold, other labels `dep`.

    The baseline of SORTS: it sees gold heads, because its rule decides labels only.
    """
    rows = word_rows(sentence)
    arguments: dict[str, list[list[str]]] = {}
    for row in rows:
        if row[7] != "_":  # without gold heads (suites in TSV) all arguments are of one verb
            arguments.setdefault(row[6], []).append(row)
        elif row[6] != "_":
            row[7] = "dep" if int(row[6]) else "root"
    for own_rows in arguments.values():
        for number, row in enumerate(own_rows):
            row[7] = "obj" if number else "nsubj"
    return rows


def right_branching(sentence: Sentence) -> Rows:
    """Every word depends on the one before it, the first is the root."""
    rows = word_rows(sentence)
    for number, row in enumerate(rows):
        row[6], row[7] = str(number), "dep" if number else "root"
    return rows


def right_branching_phrases(words: Sequence[str]) -> PhraseTree:
    """Every word but the last opens a clause (S) with all words that follow; all words are nouns (NN).

    Punctuation at the end hangs at the top, as in treebanks: else no clause could be right.
    """
    size = len(words)
    inside = size
    while inside > 1 and all(category(sign)[0] in "PS" for sign in words[inside - 1]):
        inside -= 1
    clauses = max(1, inside - 1)
    token_mothers = [size + min(number, clauses - 1) for number in range(inside)] + [ROOT] * (size - inside)
    mothers = [ROOT, *range(size, size + clauses - 1)]
    return grown(words, ["NN"] * size, ["S"] * clauses, [""] * (size + clauses), token_mothers + mothers)


_HEADS_OF = {
    "DET": (1, "det", ("NOUN", "PROPN")),
    "ADJ": (1, "amod", ("NOUN", "PROPN")),
    "NUM": (1, "nummod", ("NOUN", "PROPN")),
    "ADP": (1, "case", ("NOUN", "PROPN", "PRON")),
    "AUX": (0, "aux", ("VERB",)),
    "ADV": (0, "advmod", ("VERB", "ADJ")),
    "PART": (0, "advmod", ("VERB", "ADJ")),
    "NOUN": (0, "dep", ("VERB",)),
    "PROPN": (0, "dep", ("VERB",)),
    "PRON": (0, "dep", ("VERB",)),
    "SCONJ": (1, "mark", ("VERB",)),
    "CCONJ": (1, "cc", ("NOUN", "PROPN", "VERB", "ADJ")),
}
"""By tag: to look only to the right (1) or to both sides, the label, and the tags of possible heads."""


def nearest_head(sentence: Sentence) -> Rows:
    """Every word depends on the nearest word whose tag can be its head.

    The root is the first verb, else the first noun, else the first word; what finds no head depends on it.
    """
    rows = word_rows(sentence)
    tags = [row[3] for row in rows]
    if all(tag == "_" for tag in tags):
        what = f"needs tags, and {sentence.text!r} comes without them"
        todo = "allow gold tags (--gold tags) if there are any; a PP suite has baseline:nearest-candidate"
        raise UsageError(what, where="baseline:nearest-head", todo=todo)
    root = next((tags.index(tag) for tag in ("VERB", "NOUN", "PROPN", "AUX", "ADJ") if tag in tags), 0)
    for number, row in enumerate(rows):
        if number == root:
            row[6], row[7] = "0", "root"
            continue
        right_only, label, heads = _HEADS_OF.get(tags[number], (0, "punct" if tags[number] == "PUNCT" else "dep", ()))
        near = [at for at, tag in enumerate(tags) if tag in heads and at != number and (at > number or not right_only)]
        at = min(near, key=lambda place: (abs(place - number), place), default=root)
        row[6], row[7] = str(at + 1), label
    # Two words that are nearest to each other cannot both be the head: the first goes to the root.
    for number in range(len(rows)):
        at, seen = number, set[int]()
        while at != root and at not in seen:
            seen.add(at)
            at = int(rows[at][6]) - 1
        if at != root:
            rows[at][6] = str(root + 1)
    return rows


class _Candidates(NamedTuple):
    """The PP that is asked, and the words it may belong to; places count from 0."""

    preposition: int
    noun: int
    nouns: set[int]
    verbs: set[int]


def nearest_candidate(sentence: Sentence) -> Rows:
    """Attach the PP to the nearest noun or verb before it; a PP with neither before it to the first verb after it."""
    found = _candidates(sentence)
    head = _nearest(found.verbs | found.nouns, found)
    return _attached(sentence, found, head, "nmod" if head in found.nouns else "obl")


def always_verb(sentence: Sentence) -> Rows:
    """Attach the PP to the nearest verb before it, else to the first one after it; to the root if there is none."""
    found = _candidates(sentence)
    return _attached(sentence, found, _nearest(found.verbs, found), "obl")


def _nearest(before: set[int], found: _Candidates) -> int:
    """Return the last of `before` that precedes the PP, else the first verb that follows it, else -1."""
    begin, end = sorted((found.preposition, found.noun))
    left = [place for place in before if place < begin]
    return max(left) if left else min((place for place in found.verbs if place > end), default=-1)


def _attached(sentence: Sentence, found: _Candidates, head: int, label: str) -> Rows:
    rows = word_rows(sentence)
    for row in rows:
        row[6:8] = ["_", "_"]
    rows[found.preposition][6:8] = [str(found.noun + 1), "case"]
    rows[found.noun][6:8] = [str(head + 1), label]
    return rows


def _candidates(sentence: Sentence) -> _Candidates:
    """Return the first PP of which words are asked, with all nouns and verbs of the sentence.

    Nouns and verbs are known by their tags. Without tags, capitalised words are nouns, as in German, and the verb is
    the first other word that is neither frequent nor asked, at best one without a noun after it, as an adjective has.
    """
    rows = word_rows(sentence)
    asked = [place for place, row in enumerate(rows) if row[7] != "_"]
    if any(row[3] != "_" for row in rows):
        nouns = {place for place, row in enumerate(rows) if row[3] in ("NOUN", "PROPN")}
        verbs = {place for place, row in enumerate(rows) if row[3] == "VERB"}
        prepositions = [place for place in asked if rows[place][3] == "ADP"]
    else:
        nouns = {place for place, row in enumerate(rows) if place and row[1][:1].isupper()}
        prepositions = [place for place in asked if place not in nouns]
        others = [place for place, row in enumerate(rows) if row[1][:1].islower() and place not in asked]
        others = [place for place in others if rows[place][1] not in FREQUENT["de"]]
        verbs = set(([place for place in others if place + 1 not in nouns] or others)[:1])
        if asked and not nouns & set(asked):
            what = "its nouns cannot be told: there are no tags, and nouns are not capitalised"
            raise InputError(what, where=repr(sentence.text), todo="give the suite tags (UPOS)")
    preposition = next(iter(prepositions), -1)
    objects = [place for place in asked if place not in prepositions]
    if preposition < 0 or not objects:
        todo = "nearest-candidate and always-verb are rules for PP suites, such as PPATS"
        raise InputError("no PP with gold: case, and obl or nmod", where=repr(sentence.text), todo=todo)
    noun = next((place for place in objects if place > preposition), objects[-1])
    return _Candidates(preposition, noun, nouns, verbs)


def word_rows(sentence: Sentence) -> Rows:
    """The rows of the words, to be changed: without those of multiword tokens and empty nodes."""
    return [row.copy() for row in sentence.rows if row[0].isdecimal()]


# A projective tree over n words is a head with a forest to its left and one to its right; a forest over n words is a
# tree over the first m of them and a forest over the rest. Each tree is made in one way, so with
#     trees(n) = sum over l of forests(l) * forests(n - 1 - l)
#     forests(n) = sum over m of trees(m) * forests(n - m),  forests(0) = 1
# a tree is drawn uniformly by drawing l and m in proportion to what they lead to.


@cache
def tree_count(words: int) -> int:
    """How many projective trees with one root there are: 1, 2, 7, 30, 143 (OEIS A006013)."""
    return sum(_left_sizes(words))


@cache
def forest_count(words: int) -> int:
    return sum(_first_sizes(words)) if words else 1


@cache
def _left_sizes(words: int) -> tuple[int, ...]:
    return tuple(forest_count(left) * forest_count(words - 1 - left) for left in range(words))


@cache
def _first_sizes(words: int) -> tuple[int, ...]:
    return tuple(tree_count(first) * forest_count(words - first) for first in range(1, words + 1))


def random_projective(words: int, draw: Random) -> list[int]:
    """A projective tree, each as likely as any other."""
    for size in range(words):  # from the bottom, or recursion gets too deep
        tree_count(size)
        forest_count(size)
    heads = [0] * words
    trees = [(0, words, 0)] if words else []  # begin, end, head
    while trees:
        begin, end, head = trees.pop()
        at = begin + _drawn(_left_sizes(end - begin), draw)
        heads[at] = head
        for first, last in ((begin, at), (at + 1, end)):
            while first < last:
                size = 1 + _drawn(_first_sizes(last - first), draw)
                trees.append((first, first + size, at + 1))
                first += size
    return heads


def _drawn(weights: Sequence[int], draw: Random) -> int:
    """A place in proportion to its weight; numbers are too large for floating point."""
    left = draw.randrange(sum(weights))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    raise AssertionError("no weight is left")


def random_labelled(words: int, draw: Random) -> list[int]:
    """A rooted tree over numbered nodes, each as likely as any other: a Prüfer sequence and a root."""
    if words < 2:
        return [0] * words
    sequence = [draw.randrange(words) for _ in range(words - 2)]
    degrees = [1] * words
    for node in sequence:
        degrees[node] += 1
    neighbours: list[list[int]] = [[] for _ in range(words)]
    for node in [*sequence, -1]:
        leaf = degrees.index(1)
        degrees[leaf] = 0
        neighbour = node if node >= 0 else degrees.index(1)
        degrees[neighbour] -= 1
        neighbours[leaf].append(neighbour)
        neighbours[neighbour].append(leaf)
    root = draw.randrange(words)
    heads, waiting = [-1] * words, [root]
    heads[root] = 0
    while waiting:
        node = waiting.pop()
        for neighbour in neighbours[node]:
            if heads[neighbour] < 0:
                heads[neighbour] = node + 1
                waiting.append(neighbour)
    return heads


def shortest_arrangement(heads: Sequence[int]) -> list[int]:
    """The same tree with its nodes in the projective order in which dependencies are shortest in sum.

    The dependents of a node go to its two sides in turn, small subtrees near to it and large ones outside; those of a
    node that has its own head on one side begin on the other (Gildea & Temperley 2007; Alemany-Puig et al. 2022).
    """
    dependents: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for node, head in enumerate(heads, 1):
        dependents[head].append(node)
    order = [0]
    for node in order:
        order += dependents[node]
    sizes = [1] * (len(heads) + 1)
    for node in reversed(order[1:]):
        sizes[heads[node - 1]] += sizes[node]
    places = [0] * (len(heads) + 1)
    waiting = [(dependents[0][0], 1, -1)] if heads else []  # node, first place of its subtree, side of its head
    while waiting:
        node, first, side = waiting.pop()
        sides: dict[int, list[int]] = {-1: [], 1: []}
        # The largest subtree goes outermost, away from the head; the next to the other side, and so on.
        for rank, child in enumerate(sorted(dependents[node], key=lambda child: (-sizes[child], child))):
            sides[-side if rank % 2 == 0 else side].append(child)
        for child in sides[-1]:
            waiting.append((child, first, 1))
            first += sizes[child]
        places[node] = first
        first += 1
        for child in reversed(sides[1]):
            waiting.append((child, first, -1))
            first += sizes[child]
    arranged = [0] * len(heads)
    for node, head in enumerate(heads, 1):
        arranged[places[node] - 1] = places[head] if head else 0
    return arranged


def optimal_arrangement(words: int, draw: Random) -> list[int]:
    """A random tree whose nodes are put where its dependencies are shortest."""
    return shortest_arrangement(random_labelled(words, draw))


def drawn_rows(heads_of: Callable[[int, Random], list[int]], seed: int) -> Callable[[Sentence], Rows]:
    """A rule that draws the heads of a sentence; words and seed decide them, whatever else is parsed with it."""

    def rule(sentence: Sentence) -> Rows:
        from ...runs.record.signatures import digest

        rows = word_rows(sentence)
        draw = Random(digest(str(seed), *(row[1] for row in rows)))
        for row, head in zip(rows, heads_of(len(rows), draw), strict=True):
            row[6], row[7] = str(head), "dep" if head else "root"
        return rows

    return rule


_FREE = Habits(chunk=None, cached=False, repeatable=True)
_SEES_HEADS = Habits(chunk=None, cached=False, needs=frozenset({"arguments", HEADS}), partial=True, repeatable=True)
_SEES_TAGS = Habits(chunk=None, cached=False, needs=frozenset({"phrase", "tags"}), partial=True, repeatable=True)
_RULES: dict[str, tuple[Callable[[Sentence], Rows], Habits]] = {
    "subject-first": (subject_first, _SEES_HEADS),
    "nearest-candidate": (nearest_candidate, _SEES_TAGS),
    "always-verb": (always_verb, _SEES_TAGS),
    "nearest-head": (nearest_head, _FREE),
    "right-branching": (right_branching, _FREE),
}
_DRAWN = {"random-projective": random_projective, "optimal-linear-arrangement": optimal_arrangement}
