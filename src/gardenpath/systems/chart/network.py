"""The network of a span parser: an encoder of characters and words, and what it says about spans and edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from .settings import Shape

NOTHING = 0
"""The chain of a span that is not a phrase; its score is 0."""


@dataclass(frozen=True)
class Sizes:
    """How many there are of each."""

    words: int
    characters: int
    affixes: int
    tags: int
    chains: int
    names: int
    """Tags and categories together, and the virtual root."""
    functions: int
    pretrained: int = 0
    """The width of the vectors of a pretrained model, where there is one."""


@dataclass(frozen=True)
class Pieces:
    """A batch as a pretrained model reads it."""

    ids: Tensor
    """B × P."""
    there: Tensor
    """B × P: 1 where there is a piece, 0 where it is filled up."""
    places: Tensor
    """B × N+2: the piece that stands for each word; -1 of what has none."""


@dataclass(frozen=True)
class Inputs:
    """A batch of B sentences with at most N words, BEGIN and END around them; V different spellings."""

    words: Tensor
    """B × N+2."""
    spellings: Tensor
    """V × C: the characters of each different word, filled up at the right."""
    affixes: Tensor
    """V × A: its beginnings and endings, filled up with 0."""
    spelling: Tensor
    """B × N+2: which of the spellings."""
    lengths: Tensor
    """B: words, without the two marks."""
    pieces: Pieces | None = None


@dataclass(frozen=True)
class Encoded:
    """What the encoder makes of a batch."""

    tags: Tensor
    """B × N × tags: scores."""
    words: Tensor
    """B × N × 2H."""
    posts: Tensor
    """B × N+1 × 2H: the fenceposts between words."""


@dataclass(frozen=True)
class Nodes:
    """The nodes of a batch of trees, one tree after the other: R rows in all, virtual roots included."""

    places: Tensor
    """R × (sentence, begin, end, name)."""
    mothers: Tensor
    """R: the row at which each hangs; that of a root is itself."""
    counts: tuple[int, ...]
    """Rows of each tree."""


@dataclass(frozen=True)
class Views:
    """The nodes of a batch as children and as mothers: R × E each."""

    child: Tensor
    mother: Tensor


class BothWays(nn.Module):  # type: ignore[misc]
    """LSTMs that read rows (B × N × D) forwards and backwards, each row from its own end: B × N × 2H, twice.

    Rows are filled up at the right, which forwards nothing sees; backwards they are turned round, and turned back.
    Packed rows would do the same in nearly twice the time.
    """

    def __init__(self, given: int, hidden: int) -> None:
        super().__init__()
        self.forwards = nn.LSTM(given, hidden, batch_first=True)
        self.backwards = nn.LSTM(given, hidden, batch_first=True)

    def forward(self, rows: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        at = torch.arange(rows.shape[1])
        turned = torch.where(at < lengths[:, None], lengths[:, None] - 1 - at, at)[..., None]
        backwards, _ = self.backwards(rows.gather(1, turned.expand_as(rows)))
        return self.forwards(rows)[0], backwards.gather(1, turned.expand_as(backwards))


class Spelling(nn.Module):  # type: ignore[misc]
    """Words by their characters (V × C) as vectors (V × S): the strongest answer of filters three characters wide."""

    def __init__(self, characters: int, given: int, filters: int) -> None:
        super().__init__()
        self.characters = nn.Embedding(characters, given, padding_idx=0)
        self.filters = nn.Conv1d(given, filters, kernel_size=3, padding=2)

    def forward(self, spellings: Tensor) -> Tensor:
        answers = self.filters(self.characters(spellings).transpose(1, 2))
        return torch.relu(answers.amax(-1))


class Encoder(nn.Module):  # type: ignore[misc]
    """Words, their characters and affixes in, vectors of words and fenceposts out.

    The first layer tells the tags, and the others read what it takes them for. With a pretrained model the first
    layer also reads what that makes of each word.
    """

    def __init__(self, sizes: Sizes, shape: Shape, pretrained: nn.Module | None = None) -> None:
        super().__init__()
        self.pretrained = pretrained
        self.pretrained_norm = nn.LayerNorm(sizes.pretrained) if pretrained is not None else None
        self.words = nn.Embedding(sizes.words, shape.embedding, padding_idx=0)
        self.spelling = Spelling(sizes.characters, shape.characters, shape.spelling)
        self.affixes = nn.EmbeddingBag(sizes.affixes, shape.affixes, mode="sum", padding_idx=0)
        given, width = shape.embedding + shape.spelling + shape.affixes + sizes.pretrained, 2 * shape.hidden
        widths = [given, *[width + shape.tag] * (shape.layers - 1)]
        self.context = nn.ModuleList(BothWays(each, shape.hidden) for each in widths)
        self.tag = nn.Sequential(
            nn.Linear(width, shape.units), nn.ReLU(), nn.Dropout(shape.dropout), nn.Linear(shape.units, sizes.tags)
        )
        self.tagged = nn.Linear(sizes.tags, shape.tag, bias=False)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, inputs: Inputs) -> Encoded:
        spelled = torch.cat([self.spelling(inputs.spellings), self.affixes(inputs.affixes)], -1)
        states = torch.cat([self.words(inputs.words), spelled[inputs.spelling]], -1)
        if self.pretrained is not None and self.pretrained_norm is not None:
            states = torch.cat([states, self.pretrained_norm(self.pretrained(inputs.pieces))], -1)
        scores: Tensor | None = None
        for layer in self.context:
            if scores is not None:
                states = torch.cat([states, self.tagged(torch.softmax(scores, -1))], -1)
            states = torch.cat(layer(self._dropped(states), inputs.lengths + 2), -1)
            if scores is None:
                scores = self.tag(self._dropped(states))
        assert scores is not None
        states = self._dropped(states)
        forwards, backwards = states.chunk(2, -1)
        return Encoded(scores[:, 1:-1], states[:, 1:-1], torch.cat([forwards[:, :-1], -backwards[:, 1:]], -1))

    def _dropped(self, states: Tensor) -> Tensor:
        """The same units are dropped in all words of a sentence (Gal and Ghahramani 2016)."""
        return states * self.dropout(states.new_ones((len(states), 1, states.shape[-1]))) if self.training else states


class NodeView(nn.Module):  # type: ignore[misc]
    """A node by what is between its ends, its first and last word, and its name: R × E."""

    def __init__(self, width: int, edge: int) -> None:
        super().__init__()
        self.span, self.first, self.last = nn.Linear(width, edge), nn.Linear(width, edge), nn.Linear(width, edge)
        self.name = nn.Linear(edge, edge, bias=False)

    def forward(self, encoded: Encoded, places: Tensor, names: Tensor) -> Tensor:
        sentence, begin, last = places[:, 0], places[:, 1], places[:, 2] - 1
        words = self.first(encoded.words)[sentence, begin] + self.last(encoded.words)[sentence, last]
        view: Tensor = _over(self.span(encoded.posts), places) + words + self.name(names)
        return view


class SpanParser(nn.Module):  # type: ignore[misc]
    """Scores of tags, of chains over spans, of functions, and of mothers for what may belong elsewhere.

    The first layer over a span (i, j) is linear in post(j) - post(i), so it is computed for fenceposts, not for spans.
    """

    def __init__(self, sizes: Sizes, shape: Shape, pretrained: nn.Module | None = None) -> None:
        super().__init__()
        self.encoder = Encoder(sizes, shape, pretrained)
        width = 2 * shape.hidden
        self.span = nn.Linear(width, shape.units)
        self.span_norm = nn.LayerNorm(shape.units)
        self.chain = nn.Linear(shape.units, sizes.chains - 1)
        self.names = nn.Embedding(sizes.names, shape.edge)
        self.child, self.mother = NodeView(width, shape.edge), NodeView(width, shape.edge)
        self.function = nn.Linear(shape.edge, sizes.functions)
        self.stray, self.host = nn.Linear(shape.edge, shape.edge), nn.Linear(shape.edge, shape.edge)
        self.stray_function = nn.Linear(sizes.functions, shape.edge, bias=False)
        self.attach = nn.Linear(shape.edge, 1)
        self.dropout = nn.Dropout(shape.dropout)

    def chains(self, posts: Tensor, spans: Tensor) -> Tensor:
        """M × chains; the spans are M × (sentence, begin, end)."""
        hidden = torch.relu(self.span_norm(_over(self.span(posts), spans)))
        if self.training:  # one mask for all spans of a sentence: to draw one for each takes longer than the rest
            hidden = hidden * self.dropout(hidden.new_ones((len(posts), hidden.shape[-1])))[spans[:, 0]]
        scores = self.chain(hidden)
        return torch.cat([scores.new_zeros((len(scores), 1)), scores], -1)

    def views(self, encoded: Encoded, nodes: Nodes) -> Views:
        """Each node as a child and as a mother."""
        names = self.names(nodes.places[:, 3])
        return Views(self.child(encoded, nodes.places, names), self.mother(encoded, nodes.places, names))

    def functions(self, views: Views, nodes: Nodes) -> Tensor:
        """R × functions, of each node where it hangs."""
        scores: Tensor = self.function(self.dropout(torch.relu(views.child + views.mother[nodes.mothers])))
        return scores

    def mothers(self, views: Views, functions: Tensor, children: Tensor, targets: Tensor) -> Tensor:
        """How well each of the targets (rows) would do as the mother of its child; the functions are R × scores."""
        child = self.stray(views.child) + self.stray_function(torch.softmax(functions, -1))
        host = self.host(views.mother)
        scores: Tensor = self.attach(torch.relu(self.dropout(child)[children] + self.dropout(host)[targets]))
        return scores.squeeze(-1)


def _over(posts: Tensor, rows: Tensor) -> Tensor:
    """The difference of fenceposts of each row (sentence, begin, end, …)."""
    return posts[rows[:, 0], rows[:, 2]] - posts[rows[:, 0], rows[:, 1]]
