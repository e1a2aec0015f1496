"""`vote:KIND.LANGUAGE/N:SYSTEM`: a parser that parses N variants of every sentence too, and lets all trees vote.

Nothing of gold is needed: the parser's own analysis says where a name or a number stands. Every parse votes for its
arcs; the tree is the maximum spanning tree of the votes. Labels, parts of speech and features go by majority.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ...errors import UsageError
from ...runs.record.signatures import signature
from ...systems.asking.protocol import Habits, Parser, habits_of
from ...systems.asking.registry import system
from ...systems.asking.request import LAYERS, Request, request_for
from ...treebank import Sentence, Treebank
from ...treebank.perturb.batch import Batch, perturb
from ...treebank.perturb.registry import PerturbationSettings, perturbation
from ...treebank.trees.tree import spanning_tree, tree_mask

if TYPE_CHECKING:
    from ...treebank.format.sentence import Node
    from ...treebank.perturb.registry import Perturbation

VARIANTS = 10
"""Variants of a sentence that vote with it, if nothing is said."""
_ARGUMENT = re.compile(r"(?P<kind>[^.:/]+)(?:\.(?P<language>[a-z]{2,3}))?(?:/(?P<variants>[1-9]\d*))?:(?P<system>.+)")
_UPOS, _FEATS, _HEAD, _LABEL, _DEPS = 3, 5, 6, 7, 8
Value = TypeVar("Value")


class Voting:
    """A parser in the plural. Values are those to train with, so that none is tested."""

    def __init__(self, parser: Parser, kind: Perturbation, variants: int, name: str = "") -> None:
        self.parser, self.kind, self.variants = parser, kind, variants
        self.name = name or f"vote of {parser.name}"
        self.habits = Habits(repeatable=habits_of(parser).repeatable)
        if "tokens" not in parser.modes:
            todo = "name a parser that takes tokens"
            raise UsageError("variants can vote only where tokens stay", where=self.name, todo=todo)
        self.asked = self.answered = 0
        """Sentences that were asked for, and parses that were made for them."""

    @property
    def modes(self) -> tuple[str, ...]:
        return self.parser.modes

    @property
    def signature(self) -> str:
        own = signature(("kind", "vote"), ("perturb", self.kind.signature), ("variants", self.variants))
        return f"{own}/{self.parser.signature}"

    def parse(self, request: Request) -> Treebank | str:
        first = _treebank(self.parser.parse(request))
        batches = [perturb(self.kind, sentence, self.variants) for sentence in self._analysed(first, request)]
        usable = [batch if isinstance(batch, Batch) and not batch.has_aside else None for batch in batches]
        more = [variant.conllu for batch in usable if batch for variant in batch.variants]
        parsed: list[Sentence] = []
        if more:
            variants = Treebank("".join(more).encode("utf-8"))
            asked = request_for(variants, "tokens", request.gold, request.time_limit)
            parsed = list(_treebank(self.parser.parse(asked)))
        self.asked += len(first)
        self.answered += len(first) + len(more)
        if len(parsed) != len(more):  # some were lost: nobody knows whose
            return first
        at, done = 0, []
        for sentence, batch in zip(first, usable, strict=True):
            own = parsed[at : at + len(batch.variants)] if batch else []
            at += len(own)
            done.append(voted(sentence, own, batch.words if batch else ()))
        return "".join(done)

    def _analysed(self, first: Treebank, request: Request) -> Iterator[Sentence]:
        """What the perturbation sees: the parser's own analysis, with the gold layers that it was given."""
        given = list(request.tokens) if request.gold else []
        columns = [column for layer in sorted(request.gold & LAYERS.keys()) for column in LAYERS[layer]]
        for number, sentence in enumerate(first):
            rows = [list(row) for row in sentence.rows]
            if number < len(given) and len(given[number].rows) == len(rows):
                for row, gold in zip(rows, given[number].rows, strict=True):
                    for column in columns:
                        row[column] = gold[column]
            comments = [f"# {comment}" for comment in sentence.comments if not comment.startswith("text =")]
            lines = [*comments, f"# text = {sentence.text}", *("\t".join(row) for row in rows), "", ""]
            yield Treebank("\n".join(lines).encode("utf-8"))[0]


def voting(argument: str) -> Voting:
    """`numerals:udpipe:en.udpipe`, `names.de/20:stanza:de`."""
    match = _ARGUMENT.fullmatch(argument)
    if match is None:
        todo = "vote:KIND.LANGUAGE/N:SYSTEM, such as vote:names.de/10:udpipe:de.udpipe"
        raise UsageError("this says not what votes", where=f"vote:{argument}", todo=todo)
    parser = system(match["system"])
    kind = perturbation(match["kind"], PerturbationSettings(match["language"] or "", "train"))
    variants = int(match["variants"] or VARIANTS)
    head = f"{match['kind']}.{match['language']}" if match["language"] else match["kind"]
    return Voting(parser, kind, variants, f"vote:{head}/{variants}:{parser.name}")


def voted(sentence: Sentence, variants: Sequence[Sentence], edited: Sequence[int] = ()) -> str:
    """The sentence with the tree that most of the parses vote for; of equals, with the arcs that it has itself.

    A parse of other words, or one that is not a tree, has no vote; what is not a tree itself stays as it is if no other
    votes. Features of edited words are those of the sentence: variants have other words there.
    """
    length = len(sentence)
    parses = (sentence, *variants)
    heads = [parse.heads for parse in parses]
    sound = [len(own) == length and bool(tree_mask(own, np.array([0, length]))[0]) for own in heads]
    voters = [parse for parse, good in zip(parses, sound, strict=True) if good]
    if len(voters) < 2:
        return sentence.to_conllu()
    votes = np.zeros((length + 1, length + 1), dtype=np.int64)  # head × word
    words = np.arange(1, length + 1)
    for voter in voters:
        votes[voter.heads, words] += length + 1
    if sound[0]:
        votes[sentence.heads, words] += 1  # all of these together are less than one vote
    tree = spanning_tree(votes)
    rows, fixed = [], set(edited)
    for row in sentence.rows:
        if row[0].isdigit():
            place = int(row[0]) - 1
            row = _settled(list(row), tree[place], [voter.words[place] for voter in voters], place + 1 in fixed)
        rows.append("\t".join(row))
    comments = [f"# {comment}" for comment in sentence.comments]
    return "\n".join([*comments, *rows, "", ""])


def _settled(row: list[str], head: int, votes: Sequence[Node], fixed: bool) -> list[str]:
    """Head by the tree, label by those who vote for this head, part of speech and features by all."""
    labels = [vote.deprel for vote in votes if vote.head == head]
    row[_HEAD], row[_DEPS] = str(head), "_"
    row[_LABEL] = _majority(labels) if labels else row[_LABEL]
    if not fixed:
        row[_UPOS], row[_FEATS] = _majority([(vote.upos, vote["feats"]) for vote in votes])
    return row


def _majority(values: Sequence[Value]) -> Value:
    """The most frequent; of equals, the first: that of the sentence itself."""
    return Counter(values).most_common(1)[0][0]


def _treebank(answer: Treebank | str) -> Treebank:
    return answer if isinstance(answer, Treebank) else Treebank(answer.encode("utf-8"))
