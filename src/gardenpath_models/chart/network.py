"""Network of a span parser: an encoder of characters and words, spans and edges. Needs torch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from gardenpath.boundary import read_object
from gardenpath.errors import InputError
from gardenpath.systems import CAUSAL, MASKED, load_network, load_tokenizer, longest, model_files

from ..neural.training_loop import padded
from .lessons import PretrainedText

if TYPE_CHECKING:
    from .system import Shape


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


_READ_AT_ONCE = 512
"""Pieces, where a model does not say how many it can read."""
_REMEMBERED = 1 << 30
"""Bytes of vectors that are kept while a parser learns; sentences beyond that are read again in each epoch."""


class Pretrained(nn.Module):  # type: ignore[misc]
    """The last layer of the model at one piece of each word (B × N+2 × D); 0 for what has no piece.

    While the parser learns, each sentence is read by itself and remembered: it comes again in every epoch.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network.requires_grad_(False)
        self.remembering = False
        self.remembered: dict[bytes, Tensor] = {}
        self.room = _REMEMBERED

    @property
    def width(self) -> int:
        return int(self.network.config.get_text_config().hidden_size)

    def train(self, mode: bool = True) -> Pretrained:
        """It does not learn, so it drops nothing either."""
        super().train(False)
        self.remembering = mode
        return self

    def forward(self, pieces: Pieces) -> Tensor:
        if not self.remembering:
            return self._read(pieces)
        vectors = torch.zeros((*pieces.places.shape, self.width))
        for number, there in enumerate(pieces.there.sum(1).tolist()):
            own = Pieces(*(part[number : number + 1] for part in (pieces.ids, pieces.there, pieces.places)))
            words = int((own.places >= 0).nonzero()[:, 1].amax()) + 1 if (own.places >= 0).any() else 0
            own = Pieces(own.ids[:, :there], own.there[:, :there], own.places[:, :words])
            vectors[number, :words] = self._remembered(own)
        return vectors

    def _remembered(self, sentence: Pieces) -> Tensor:
        key = sentence.ids.numpy().tobytes() + sentence.places.numpy().tobytes()
        vectors = self.remembered.get(key)
        if vectors is None:
            vectors = self._read(sentence)[0]
            if vectors.nbytes <= self.room:
                self.room -= vectors.nbytes
                self.remembered[key] = vectors
        return vectors

    def _read(self, pieces: Pieces) -> Tensor:
        with torch.no_grad():
            states = self.network(input_ids=pieces.ids, attention_mask=pieces.there).last_hidden_state
        at = pieces.places.clamp(min=0)[..., None].expand(-1, -1, states.shape[-1])
        vectors: Tensor = states.gather(1, at) * (pieces.places >= 0)[..., None]
        return vectors


def read_pretrained(folder: str) -> tuple[PretrainedText, nn.Module, str]:
    """A model in a folder that `hf:` can read: its texts, its network without the head, and its SHA-256."""
    files = model_files(folder)
    if files.task not in (MASKED, CAUSAL):
        raise InputError(
            f"a {files.architecture} is not an encoder for a parser",
            where=folder,
            todo="name a folder with a masked or causal language model of Transformers, or a GGUF file",
        )
    network, tokenizer = load_network(files, files.task, "float32"), load_tokenizer(files)
    text = PretrainedText(
        files.task,
        json.dumps(network.config.to_dict(), sort_keys=True),
        tokenizer.backend_tokenizer.to_str(),
        longest(network, tokenizer) or _READ_AT_ONCE,
    )
    return text, network.base_model, files.sha256


def built(text: PretrainedText) -> Pretrained:
    """A network of this configuration, whose weights are still to be filled in; only Transformers' own code is run."""
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMaskedLM

    auto: Any = {MASKED: AutoModelForMaskedLM, CAUSAL: AutoModelForCausalLM}[text.task]
    try:
        config = dict(read_object(text.config.encode(), "encoder", finite=False))
        known = AutoConfig.for_model(str(config.pop("model_type", "")), **config)
        return Pretrained(auto.from_config(known, trust_remote_code=False).base_model)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"the encoder cannot be built: {error}", todo="train the parser again") from error


class PieceReader:
    """Sentences as pieces of the model, with blanks between the words.

    A masked model is asked for the first piece of a word; a causal one, which has not seen what comes after a piece,
    for the last.
    """

    def __init__(self, text: PretrainedText) -> None:
        from tokenizers import Tokenizer

        self.longest, self.last = text.longest, text.task == CAUSAL
        self.tokenizer = Tokenizer.from_str(text.tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def pieces(self, sentences: Sequence[Sequence[str]]) -> Pieces:
        """All pieces, and one of each word; a word without one, or too far behind, has none."""
        rows, places = [], []
        encoded = self.tokenizer.encode_batch([" ".join(sentence) for sentence in sentences])
        for sentence, own in zip(sentences, encoded, strict=True):
            word_at = [number for number, word in enumerate(sentence) for _ in range(len(word) + 1)]
            blank = {end - 1 for end in accumulate(len(word) + 1 for word in sentence)}
            place: dict[int, int] = {}
            for at, (begin, end) in enumerate(own.offsets[: self.longest]):
                if end > begin and end - 1 not in blank and (self.last or word_at[end - 1] not in place):
                    place[word_at[end - 1]] = at
            rows.append(own.ids[: self.longest])
            places.append([-1, *(place.get(word, -1) for word in range(len(sentence))), -1])
        there = [[1] * len(row) for row in rows]
        return Pieces(*(torch.from_numpy(padded(part, fill)) for part, fill in ((rows, 0), (there, 0), (places, -1))))
