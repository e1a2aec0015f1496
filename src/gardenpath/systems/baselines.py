"""`baseline:NAME`: systems that know nothing, to see what a score is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from unicodedata import category

from ..errors import UsageError, unknown_name
from ..phrase.tree import ROOT, PhraseTree, grown
from ..runs.signature import signature
from ..treebank import Sentence, Treebank
from .name_options import split_options
from .pp_baselines import Rows, always_verb, check_candidates, check_phrases, nearest_candidate, word_rows
from .protocol import Habits
from .random_trees import drawn_rows, optimal_arrangement, random_projective
from .request import HEADS, Request

Check = Callable[[Treebank], None]
"""Raises where the sentences lack what a rule needs."""
ARGUMENTS = ("nsubj", "obj", "iobj")


class Baseline:
    """A rule over the tokens of a sentence. Needs no model."""

    modes = ("tokens",)

    def __init__(
        self, name: str, rule: Callable[[Sentence], Rows], habits: Habits, check: Check, seed: int | None = None
    ) -> None:
        self.name, self.habits, self._rule = f"baseline:{name}" + (f"#seed={seed}" if seed else ""), habits, rule
        self._facts, self._check = (("rule", name), ("seed", seed)), check

    @property
    def signature(self) -> str:
        gold = sorted(self.habits.needs) or None
        return signature(("kind", "baseline"), *self._facts, ("sees", gold))

    def parse(self, request: Request) -> str:
        self._check(request.tokens)
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
        return Baseline(name, drawn_rows(_DRAWN[name], seed), _FREE, _needs_nothing, seed)
    if name not in _RULES:
        raise unknown_name("baseline", name, [*_RULES, *_DRAWN], where=f"baseline:{name}")
    if options:
        raise UsageError("nothing is drawn", where=f"baseline:{argument}", todo="leave #seed out")
    return (RightBranching if name == "right-branching" else Baseline)(name, *_RULES[name])


def subject_first(sentence: Sentence) -> Rows:
    """The first argument of a verb is its subject, the others are objects; all else is taken from gold.

    The baseline of SORTS: the one exception that sees heads and labels, because its suites have gold on
    arguments only and its rule decides nothing else.
    """
    rows = word_rows(sentence)
    arguments: dict[str, list[list[str]]] = {}
    for row in rows:
        if row[7].partition(":")[0] in ARGUMENTS:  # without gold heads (suites in TSV) all are of one verb
            arguments.setdefault(row[6], []).append(row)
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
    root = next((tags.index(tag) for tag in ("VERB", "NOUN", "PROPN", "AUX", "ADJ") if tag in tags), 0)
    for number, row in enumerate(rows):
        if number == root:
            row[6], row[7] = "0", "root"
            continue
        right_only, label, heads = _HEADS_OF.get(tags[number], (0, "punct" if tags[number] == "PUNCT" else "dep", ()))
        near = [at for at, tag in enumerate(tags) if tag in heads and at != number and (at > number or not right_only)]
        at = min(near, key=lambda place: (abs(place - number), place), default=root)
        row[6], row[7] = str(at + 1), label
    return _without_cycles(rows, root)


def _without_cycles(rows: Rows, root: int) -> Rows:
    """Two words that are nearest to each other cannot both be the head: the first goes to the root."""
    for number in range(len(rows)):
        at, seen = number, set[int]()
        while at != root and at not in seen:
            seen.add(at)
            at = int(rows[at][6]) - 1
        if at != root:
            rows[at][6] = str(root + 1)
    return rows


def _needs_tags(tokens: Treebank) -> None:
    for sentence in tokens:
        if all(row[3] == "_" for row in sentence.rows):
            todo = "allow gold tags (--gold tags) if there are any; a PP suite has baseline:nearest-candidate"
            raise UsageError(
                f"needs tags, and {sentence.text!r} comes without them", where="baseline:nearest-head", todo=todo
            )


def _needs_nothing(_: Treebank) -> None:
    pass


_FREE = Habits(chunk=None, cached=False)
_SEES_HEADS = Habits(chunk=None, cached=False, needs=frozenset({HEADS}), partial=True)
_SEES_ALL = Habits(chunk=None, cached=False, needs=frozenset({HEADS, "tags"}), partial=True)
_RULES: dict[str, tuple[Callable[[Sentence], Rows], Habits, Check]] = {
    "subject-first": (subject_first, _SEES_HEADS, _needs_nothing),
    "nearest-candidate": (nearest_candidate, _SEES_ALL, check_candidates),
    "always-verb": (always_verb, _SEES_ALL, check_phrases),
    "nearest-head": (nearest_head, _FREE, _needs_tags),
    "right-branching": (right_branching, _FREE, _needs_nothing),
}
_DRAWN = {"random-projective": random_projective, "optimal-linear-arrangement": optimal_arrangement}
