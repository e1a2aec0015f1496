"""Span parser at work: sentences as tensors, CKY over spans, decoding of trees, and the loss. Needs torch."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from gardenpath.phrase import PhraseTree

from ..neural.training_loop import bucketed, padded
from ..neural.vocabulary import BEGIN_ID, END_ID, PADDING_ID, Vocabulary
from ..pcfg.treebank_grammar import Preparation
from .lessons import LOWER, Candidates, Inventory, Lesson, Numbers, Skeleton, candidates, skeleton_of, tree_of
from .network import NOTHING, Encoded, Inputs, Nodes, SpanParser, Views

if TYPE_CHECKING:
    from .network import PieceReader


Forgotten = Mapping[str, float]
"""The probability with which a word is read as an unknown one; of words that are not in it: 0."""


@dataclass(frozen=True)
class Reader:
    """Words as a model reads them."""

    vocabulary: Vocabulary
    inventory: Inventory

    def inputs(self, sentences: Sequence[Sequence[str]], forgotten: Forgotten | None = None) -> Inputs:
        """A batch; with `forgotten` some words are read as unknown ones, by chance."""
        rows, places = [], []
        begin, end = self.inventory.edges
        spellings: dict[str, int] = {}
        for sentence in sentences:
            ids = self.vocabulary.encode(sentence)
            if forgotten is not None:
                chance = np.array([forgotten.get(word, 0.0) for word in sentence])
                for at in np.flatnonzero(torch.rand(len(sentence)).numpy() < chance).tolist():
                    ids[at] = self.vocabulary.unknown(sentence[at])
            rows.append(np.r_[BEGIN_ID, ids, END_ID])
            places.append([0, *(spellings.setdefault(word, 2 + len(spellings)) for word in sentence), 1])
        spelled = [begin, end, *map(self.inventory.spelled, spellings)]
        return Inputs(
            torch.from_numpy(padded(rows, PADDING_ID)),
            torch.from_numpy(padded(spelled, 0)),
            torch.from_numpy(padded([[], [], *map(self.inventory.affixed, spellings)], 0)),
            torch.from_numpy(padded(places, 0)),
            torch.tensor([len(sentence) for sentence in sentences]),
            self._piece_reader.pieces(sentences) if self._piece_reader else None,
        )

    @cached_property
    def _piece_reader(self) -> PieceReader | None:
        if self.inventory.pretrained is None:
            return None
        from .network import PieceReader

        return PieceReader(self.inventory.pretrained)

    def nodes(self, trees: Sequence[Skeleton]) -> Nodes:
        """The rows of all trees, one after the other."""
        places, mothers = [], []
        before = 0
        for number, tree in enumerate(trees):
            names = self.inventory.named(tree.names)
            places.append(np.stack([np.full(len(names), number), tree.begins, tree.ends, names], axis=1))
            mothers.append(tree.mothers + before)
            before += len(names)
        counts = tuple(len(tree.names) for tree in trees)
        return Nodes(torch.from_numpy(np.concatenate(places)), torch.from_numpy(np.concatenate(mothers)), counts)


@dataclass(frozen=True)
class Pairs:
    """The candidates of all trees of a batch, by their rows among the nodes of the batch."""

    children: Tensor
    targets: Tensor
    firsts: Tensor
    """Where the pairs of each child begin: the first is the node it hangs at."""
    groups: Tensor
    """Which child each pair is of, among those that have candidates."""


def pairs_of(candidates: Sequence[Candidates], nodes: Nodes) -> Pairs:
    children, targets, firsts, groups = [], [], [], []
    rows = pairs = group = 0
    for own, count in zip(candidates, nodes.counts, strict=True):
        children.append(own.children + rows)
        targets.append(own.targets + rows)
        firsts.append(own.firsts + pairs)
        groups.append(own.groups + group)
        rows, pairs, group = rows + count, pairs + len(own.children), group + len(firsts[-1])
    return Pairs(*(torch.from_numpy(np.concatenate(each)) for each in (children, targets, firsts, groups)))


@dataclass(frozen=True)
class Spans:
    """All spans of a batch: M × (sentence, begin, end)."""

    places: Tensor
    posts: int
    """Fenceposts of the longest sentence."""
    sentences: int

    def square(self, values: Tensor, fill: float) -> Tensor:
        """One value of each span at [sentence, begin, end], and the filling elsewhere."""
        square = values.new_full((self.sentences, self.posts, self.posts), fill)
        square[self.places[:, 0], self.places[:, 1], self.places[:, 2]] = values
        return square


def spans_of_all(lengths: Sequence[int]) -> Spans:
    places = []
    for number, length in enumerate(lengths):
        begins, ends = np.triu_indices(length + 1, 1)
        places.append(np.stack([np.full(len(begins), number), begins, ends], axis=1))
    return Spans(torch.from_numpy(np.concatenate(places)), max(lengths) + 1, len(lengths))


@dataclass(frozen=True)
class Answers:
    """What a lesson says, as numbers."""

    tags: Numbers
    chains: Numbers
    """k × (begin, end, chain)."""
    functions: Numbers


def answers_of(lesson: Lesson, inventory: Inventory) -> Answers:
    tags = {tag: number for number, tag in enumerate(inventory.tags)}
    chains = {chain: number for number, chain in enumerate(inventory.chains)}
    functions = {function: number for number, function in enumerate(inventory.functions)}
    spans = [(begin, end, chains[chain]) for begin, end, chain in lesson.chains]
    return Answers(
        np.array([tags[tag] for tag in lesson.tree.names[: lesson.tree.tokens]], np.int64),
        np.array(spans, np.int64).reshape(-1, 3),
        np.array([functions[function] for function in lesson.functions], np.int64),
    )


Span = tuple[int, int]


def best_splits(scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The score of the best tree of each sentence (B), and where its spans are split (B × N+1 × N+1).

    `scores` (B × N+1 × N+1) has at [b, i, j] what the span from fencepost i to j adds to a tree.

    best(i, i+1) = scores(i, i+1);  best(i, j) = scores(i, j) + max over i < k < j of best(i, k) + best(k, j)

    All spans of one width are computed together. `left[b, i, w]` is best(i, i+w), `right[b, j, w]` best(j-w, j): the
    parts of a span of width w are then two stretches of memory, widths 1 to w-1 upwards and downwards.
    """
    batch, posts = scores.shape[0], scores.shape[1]
    left = scores.new_full((batch, posts, posts), -torch.inf)
    right = left.clone()
    splits = torch.zeros((batch, posts, posts), dtype=torch.long)
    at = torch.arange(posts)
    for width in range(1, posts):
        begin, end = at[: posts - width], at[width:]
        best = scores[:, begin, end]
        if width > 1:
            parts = left[:, : posts - width, 1:width] + right[:, width:, 1:width].flip(-1)
            inner, split = parts.max(-1)
            best = best + inner
            splits[:, begin, end] = begin + 1 + split
        left[:, : posts - width, width] = best
        right[:, width:, width] = best
    return left[torch.arange(batch), 0, lengths], splits


def log_partition(scores: Tensor, lengths: Tensor) -> Tensor:
    """ln of the sum of exp(score) over all binary trees of each sentence (B); gradients go through it.

    inside(i, i+1) = scores(i, i+1);  inside(i, j) = scores(i, j) + ln sum over k of exp(inside(i, k) + inside(k, j))
    """
    total: Tensor = _LogPartition.apply(scores, lengths)
    return total


class _LogPartition(torch.autograd.Function):  # type: ignore[misc]
    """Inside forwards and outside backwards, laid out as in `best_splits`. The gradient is how likely each span is.

    outside(0, n) = 1;  outside(i, j) = sum over the spans of which (i, j) is a part of
    outside(span) exp(inside(i, j) + inside(its other part) - ln sum over all splits of the span)

    The gradient is not differentiable again.
    """

    @staticmethod
    def forward(context: Any, scores: Tensor, lengths: Tensor) -> Tensor:
        batch, posts = scores.shape[0], scores.shape[1]
        left = scores.new_zeros((batch, posts, posts))
        right, sums = left.clone(), left.clone()
        for width in range(1, posts):
            inside = scores.diagonal(width, 1, 2)
            if width > 1:
                parts = left[:, : posts - width, 1:width] + right[:, width:, 1:width].flip(-1)
                inner = torch.logsumexp(parts, -1)
                sums[:, : posts - width, width] = inner
                inside = inside + inner
            left[:, : posts - width, width] = inside
            right[:, width:, width] = inside
        context.save_for_backward(left, right, sums, lengths)
        return left[torch.arange(batch), 0, lengths]

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(context: Any, given: Tensor) -> tuple[Tensor, None]:
        left, right, sums, lengths = context.saved_tensors
        batch, posts = left.shape[0], left.shape[1]
        as_left, as_right, outside = torch.zeros_like(left), torch.zeros_like(left), torch.zeros_like(left)
        as_left[torch.arange(batch), 0, lengths] = given
        for width in range(posts - 1, 0, -1):
            count = posts - width
            own = as_left[:, :count, width] + as_right[:, width:, width]
            outside.diagonal(width, 1, 2).copy_(own)
            if width > 1:
                parts = left[:, :count, 1:width] + right[:, width:, 1:width].flip(-1)
                shares = torch.exp(parts - sums[:, :count, width, None]) * own[..., None]
                as_left[:, :count, 1:width] += shares
                as_right[:, width:, 1:width] += shares.flip(-1)
        return outside, None


def spans_of(splits: list[list[int]], length: int) -> list[Span]:
    """The spans of one tree, mothers before their daughters and from left to right."""
    spans, waiting = [], [(0, length)]
    while waiting:
        begin, end = waiting.pop()
        spans.append((begin, end))
        if end - begin > 1:
            middle = splits[begin][end]
            waiting += [(middle, end), (begin, middle)]
    return spans


_BATCH = 1500
"""Words that are parsed together, with their padding."""
_WORTH = 0.4
"""A phrase is worth its probability less this. The best F1 is had with half the F1 that can be reached where
probabilities are right; those of the network are too sure, and dev asked for a little more. The best binary tree has
too many phrases: the probability of a flat tree is spread over all binary trees that come to it."""
_NEARLY = 1.0
"""A phrase that would have one child gets another, where that is at most so much less likely, in nats, to hang there.
Chosen on dev, like the other."""


def parsed(network: SpanParser, reader: Reader, sentences: Sequence[Sequence[str]]) -> list[PhraseTree]:
    """The tree of each sentence, which has words."""
    trees: dict[int, PhraseTree] = {}
    network.eval()
    with torch.no_grad():
        for numbers in bucketed([len(sentence) for sentence in sentences], _BATCH):
            batch = [sentences[number] for number in numbers]
            trees |= zip(numbers.tolist(), _parsed(network, reader, batch), strict=True)
    return [trees[number] for number in range(len(sentences))]


def _parsed(network: SpanParser, reader: Reader, sentences: Sequence[Sequence[str]]) -> list[PhraseTree]:
    inputs = reader.inputs(sentences)
    encoded = network.encoder(inputs)
    trees = _skeletons(network, reader, encoded, inputs.lengths)
    nodes, inventory = reader.nodes(trees), reader.inventory
    views = network.views(encoded, nodes)
    scores = network.functions(views, nodes)
    functions = scores.argmax(-1).split(nodes.counts)
    lowering = inventory.gaps == LOWER
    hanging = _mothers(network, views, nodes, scores, trees, inventory) if lowering else None
    single = inventory.single if lowering else None
    preparation = Preparation(inventory.gaps, at_root=frozenset(inventory.at_root))
    return [
        preparation.restored(
            tree_of(
                sentence,
                tree,
                [inventory.functions[number] for number in functions[at][:-1].tolist()],
                (tree.mothers[:-1] if hanging is None else hanging[at]).tolist(),
                single,
            )
        )
        for at, (sentence, tree) in enumerate(zip(sentences, trees, strict=True))
    ]


def _skeletons(network: SpanParser, reader: Reader, encoded: Encoded, lengths: Tensor) -> list[Skeleton]:
    """The best tree of spans of each sentence, with its tags."""
    inventory = reader.inventory
    spans = spans_of_all(lengths.tolist())
    worth, chains = (probabilities(network.chains(encoded.posts, spans.places), spans, lengths)[:, 1:] - _WORTH).max(-1)
    chains = torch.where(worth > 0, chains + 1, NOTHING)
    _, splits = best_splits(spans.square(worth.clamp(min=0), 0.0), lengths)
    tags, split_at, chain_at = (
        encoded.tags.argmax(-1).tolist(),
        splits.tolist(),
        spans.square(chains, 0).tolist(),
    )
    trees = []
    for number, length in enumerate(lengths.tolist()):
        phrases = [
            (begin, end, inventory.chains[chain])
            for begin, end in spans_of(split_at[number], length)
            if (chain := chain_at[number][begin][end])
        ]
        trees.append(skeleton_of(phrases, [inventory.tags[tag] for tag in tags[number][:length]]))
    return trees


def probabilities(scores: Tensor, spans: Spans, lengths: Tensor) -> Tensor:
    """M × chains: how likely each span has each chain, over all trees. They are the gradient of the log partition."""
    with torch.enable_grad():
        given = scores.detach().requires_grad_()
        log_partition(spans.square(torch.logsumexp(given, -1), 0.0), lengths).sum().backward()
    assert given.grad is not None
    return given.grad


def _mothers(
    network: SpanParser, views: Views, nodes: Nodes, functions: Tensor, trees: Sequence[Skeleton], inventory: Inventory
) -> list[Numbers]:
    """The best mother of each row among those it may have."""
    possible = [candidates(tree, inventory.at_root) for tree in trees]
    pairs = pairs_of(possible, nodes)
    scores = network.mothers(views, functions, pairs.children, pairs.targets)
    own = scores.split([len(each.children) for each in possible])
    return [
        best_mothers(tree, each, scored.numpy(), inventory.single)
        for tree, each, scored in zip(trees, possible, own, strict=True)
    ]


def best_mothers(tree: Skeleton, pairs: Candidates, scores: NDArray[np.float32], single: Collection[str]) -> Numbers:
    """The mother with the highest score for each child; then a phrase that would have one child may take another."""
    mothers = tree.mothers[:-1].copy()
    order = np.lexsort((scores, pairs.groups))  # the best of each group is its last
    chosen = order[np.flatnonzero(np.diff(np.r_[pairs.groups[order], -1]))]
    mothers[pairs.children[chosen]] = pairs.targets[chosen]
    loss = scores[chosen][pairs.groups] - scores
    children = np.bincount(mothers, minlength=tree.root)
    for row in range(tree.tokens, tree.root):
        if children[row] == 1 and tree.names[row] not in single:
            others = np.flatnonzero((pairs.targets == row) & (mothers[pairs.children] != row))
            if len(others) and loss[nearest := others[np.argmin(loss[others])]] <= _NEARLY:
                mothers[pairs.children[nearest]] = row
    return mothers


def loss(
    network: SpanParser, reader: Reader, lessons: Sequence[Lesson], answers: Sequence[Answers], forgotten: Forgotten
) -> Tensor:
    """The sum over a batch: spans, tags, functions, and mothers of nodes that may have been raised."""
    inputs = reader.inputs([lesson.words for lesson in lessons], forgotten)
    encoded = network.encoder(inputs)
    lengths = inputs.lengths.tolist()
    inside = torch.arange(max(lengths)) < inputs.lengths[:, None]
    total = cross_entropy(encoded.tags[inside], _joined([answer.tags for answer in answers]), reduction="sum")
    spans = spans_of_all(lengths)
    total = total + tree_loss(network.chains(encoded.posts, spans.places), spans, inputs.lengths, answers)
    nodes = reader.nodes([lesson.tree for lesson in lessons])
    views = network.views(encoded, nodes)
    functions = network.functions(views, nodes)
    hanging = nodes.mothers != torch.arange(len(nodes.mothers))
    true = _joined([answer.functions for answer in answers])
    total = total + cross_entropy(functions[hanging], true, reduction="sum")
    pairs = pairs_of([lesson.candidates for lesson in lessons], nodes)
    if reader.inventory.gaps != LOWER or not len(pairs.children):
        return total
    # -log of the softmax over the candidates of each child, at the true one
    scores = network.mothers(views, functions, pairs.children, pairs.targets)
    chosen = _joined([lesson.right - lesson.candidates.firsts for lesson in lessons]) + pairs.firsts
    highest = scores.new_full((len(chosen),), -torch.inf).scatter_reduce(0, pairs.groups, scores.detach(), "amax")
    sums = scores.new_zeros(len(chosen)).index_add(0, pairs.groups, torch.exp(scores - highest[pairs.groups]))
    return total + (highest + torch.log(sums) - scores[chosen]).sum()


def tree_loss(scores: Tensor, spans: Spans, lengths: Tensor, answers: Sequence[Answers]) -> Tensor:
    """-ln p of the true trees in a conditional random field over trees, but for a constant. Scores are M × chains.

    p(tree) is proportional to exp of the scores of its chains, and `no phrase` scores 0: all binary trees that come to
    one tree with more branches have the same score, and how many they are does not depend on the network.
    """
    chains = torch.zeros((spans.sentences, spans.posts, spans.posts), dtype=torch.long)  # 0 where no phrase is
    for number, answer in enumerate(answers):
        begins, ends, names = torch.from_numpy(answer.chains).T
        chains[number, begins, ends] = names
    true = scores[torch.arange(len(scores)), chains[spans.places[:, 0], spans.places[:, 1], spans.places[:, 2]]]
    every = spans.square(torch.logsumexp(scores, -1), 0.0)
    return log_partition(every, lengths).sum() - true.sum()


def _joined(arrays: Sequence[np.ndarray[tuple[int], np.dtype[np.int64]]]) -> Tensor:
    return torch.from_numpy(np.concatenate(arrays))
