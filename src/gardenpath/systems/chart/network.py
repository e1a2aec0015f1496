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
    tags: int
    chains: int
    names: int
    """Tags and categories together, and the virtual root."""
    functions: int


@dataclass(frozen=True)
class Inputs:
    """A batch of B sentences with at most N words, BEGIN and END around them; V different spellings."""

    words: Tensor
    """B × N+2."""
    spellings: Tensor
    """V × C: the characters of each different word, filled up at the right."""
    spelling: Tensor
    """B × N+2: which of the spellings."""
    lengths: Tensor
    """B: words, without the two marks."""


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
    """Words and their characters in, a vector for every word (B × N × 2H) and every fencepost (B × N+1 × 2H) out."""

    def __init__(self, sizes: Sizes, shape: Shape) -> None:
        super().__init__()
        self.words = nn.Embedding(sizes.words, shape.embedding, padding_idx=0)
        self.spelling = Spelling(sizes.characters, shape.characters, shape.spelling)
        widths = [shape.embedding + shape.spelling, *[2 * shape.hidden] * (shape.layers - 1)]
        self.context = nn.ModuleList(BothWays(width, shape.hidden) for width in widths)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, inputs: Inputs) -> tuple[Tensor, Tensor]:
        spelled = self.spelling(inputs.spellings)[inputs.spelling]
        states = torch.cat([self.words(inputs.words), spelled], -1)
        for layer in self.context:
            forwards, backwards = layer(self.dropout(states), inputs.lengths + 2)
            states = torch.cat([forwards, backwards], -1)
        states = self.dropout(states)
        forwards, backwards = states.chunk(2, -1)
        return states[:, 1:-1], torch.cat([forwards[:, :-1], -backwards[:, 1:]], -1)


class SpanParser(nn.Module):  # type: ignore[misc]
    """Scores of tags, of chains over spans, of functions, and of mothers for what may belong elsewhere.

    The first layer over a span (i, j) is linear in post(j) - post(i), so it is computed for fenceposts, not for spans.
    """

    def __init__(self, sizes: Sizes, shape: Shape) -> None:
        super().__init__()
        self.encoder = Encoder(sizes, shape)
        width = 2 * shape.hidden
        self.tag = nn.Sequential(
            nn.Linear(width, shape.units), nn.ReLU(), nn.Dropout(shape.dropout), nn.Linear(shape.units, sizes.tags)
        )
        self.span = nn.Linear(width, shape.units)
        self.span_norm = nn.LayerNorm(shape.units)
        self.chain = nn.Linear(shape.units, sizes.chains - 1)
        self.names = nn.Embedding(sizes.names, shape.edge)
        self.child, self.mother = nn.Linear(width, shape.edge), nn.Linear(width, shape.edge)
        self.mother_name = nn.Linear(shape.edge, shape.edge, bias=False)
        self.function = nn.Linear(shape.edge, sizes.functions)
        self.stray, self.host = nn.Linear(width, shape.edge), nn.Linear(width, shape.edge)
        self.stray_name, self.host_name = (nn.Linear(shape.edge, shape.edge, bias=False) for _ in range(2))
        self.attach = nn.Linear(shape.edge, 1)
        self.dropout = nn.Dropout(shape.dropout)

    def chains(self, posts: Tensor, spans: Tensor) -> Tensor:
        """M × chains; the spans are M × (sentence, begin, end)."""
        hidden = torch.relu(self.span_norm(_over(self.span(posts), spans)))
        if self.training:  # one mask for all spans of a sentence: to draw one for each takes longer than the rest
            hidden = hidden * self.dropout(hidden.new_ones((len(posts), hidden.shape[-1])))[spans[:, 0]]
        scores = self.chain(hidden)
        return torch.cat([scores.new_zeros((len(scores), 1)), scores], -1)

    def functions(self, posts: Tensor, children: Tensor, mothers: Tensor) -> Tensor:
        """E × functions; children and mothers are E × (sentence, begin, end, name)."""
        child = _over(self.child(posts), children) + self.names(children[:, 3])
        mother = _over(self.mother(posts), mothers) + self.mother_name(self.names(mothers[:, 3]))
        scores: Tensor = self.function(self.dropout(torch.relu(child + mother)))
        return scores

    def mothers(self, posts: Tensor, children: Tensor, targets: Tensor) -> Tensor:
        """E: how well each target would do as the mother of each child."""
        child = _over(self.stray(posts), children) + self.stray_name(self.names(children[:, 3]))
        target = _over(self.host(posts), targets) + self.host_name(self.names(targets[:, 3]))
        scores: Tensor = self.attach(self.dropout(torch.relu(child + target))).squeeze(-1)
        return scores


def _over(posts: Tensor, rows: Tensor) -> Tensor:
    """The difference of fenceposts of each row (sentence, begin, end, …)."""
    return posts[rows[:, 0], rows[:, 2]] - posts[rows[:, 0], rows[:, 1]]
