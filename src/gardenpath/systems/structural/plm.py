"""Parsing as language modelling (Qian et al. 2021): a Transformer over words and the brackets of their tree.

The symbols are the openings of phrases, the words, and one closing bracket. As in the RNNG, a symbol is predicted in
two parts, the action and, if that is GEN, the word: one softmax over all symbols would have to be computed over the
whole vocabulary at every bracket as well. Imported only with torch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ..neural.transformer import Block
from .actions import FIRST_NT, GEN_ID, REDUCE_ID, Ids, Inventory
from .memory import Memory
from .saying import FIRST_OUTPUT, NEVER, Saying
from .schedule import Derivation
from .settings import Shape


class PLM(nn.Module):  # type: ignore[misc]
    """p(action | symbols before) over the possible actions, and p(word | symbols before, GEN)."""

    def __init__(self, inventory: Inventory, vocabulary: int, shape: Shape) -> None:
        super().__init__()
        self.inventory, self.shape = inventory, shape
        size = shape.hidden
        self.words = nn.Embedding(vocabulary, size)
        self.brackets = nn.Embedding(len(inventory), size)  # the number of GEN stands for the begin
        self.positions = nn.Parameter(torch.empty(shape.positions, size))
        self.blocks = nn.ModuleList(Block(size, shape.heads, shape.dropout) for _ in range(shape.layers))
        self.last = nn.LayerNorm(size)
        self.dropout = nn.Dropout(shape.dropout)
        self.act = nn.Linear(size, len(inventory))
        self.say = Saying(size, self.words, tied=shape.tied)
        for name, weight in self.named_parameters():  # the first weights of GPT-2
            if name.endswith(("mixed.weight", "narrow.weight")):
                nn.init.normal_(weight, std=0.02 / math.sqrt(2 * shape.layers))
            elif (name.endswith(".weight") and weight.dim() == 2) or name == "positions":
                nn.init.normal_(weight, std=0.02)
            elif name.startswith("blocks") and name.endswith(".bias"):
                nn.init.zeros_(weight)

    def loss(self, items: Sequence[Derivation]) -> torch.Tensor:
        """The sum of -ln p over all actions and words of these derivations."""
        acts, words = self.log_probabilities(items)
        return -acts.sum() - words.sum()

    def log_probabilities(self, items: Sequence[Derivation]) -> tuple[torch.Tensor, torch.Tensor]:
        """ln p of each action, and of each word given GEN."""
        width = max(len(item) for item in items)
        actions, words = np.full((len(items), width), GEN_ID), np.zeros((len(items), width), np.int64)
        there = np.zeros((len(items), width), np.bool_)
        for row, item in enumerate(items):  # what is read is one behind what is predicted
            actions[row, 1 : len(item)], words[row, 1 : len(item)] = item.actions[:-1], item.words[:-1]
            there[row, : len(item)] = True
        states = self._read(torch.from_numpy(actions), torch.from_numpy(words)) + self.positions[:width]
        states = self.dropout(states)
        for block in self.blocks:
            states = block(states)
        hidden = self.last(states)[torch.from_numpy(there)]
        done = torch.from_numpy(np.concatenate([item.actions for item in items]))
        said = torch.from_numpy(np.concatenate([item.words for item in items]))
        possible = torch.from_numpy(np.concatenate([item.possible for item in items]))
        chosen = self._act(hidden, possible).gather(1, done[:, None])[:, 0]
        spoken = torch.nonzero(done == GEN_ID)[:, 0]
        targets = said[spoken] - FIRST_OUTPUT
        return chosen, -functional.cross_entropy(self.say(hidden[spoken]), targets, reduction="none")

    def _read(self, actions: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """Vectors of symbols: of the word where there is one, else of the bracket."""
        return torch.where((words > 0)[..., None], self.words(words), self.brackets(actions))

    def _act(self, hidden: torch.Tensor, possible: torch.Tensor) -> torch.Tensor:
        return functional.log_softmax(self.act(hidden).masked_fill(~possible, NEVER), 1)

    # ---- hypotheses, for the beam

    def start(self) -> Symbols:
        """One hypothesis with nothing in it."""
        zero = np.zeros(1, np.int64)
        memory = Memory([torch.empty(0, self.shape.hidden) for _ in range(2 * self.shape.layers)])
        empty = Symbols(memory, np.zeros((1, 0), np.int64), zero, torch.empty(1, self.shape.hidden), zero, zero)
        return self._appended(empty, torch.tensor([GEN_ID]), torch.tensor([0]))

    def predict(self, now: Symbols, words: Ids) -> tuple[torch.Tensor, torch.Tensor]:
        """ln p of each action, and of the given word given GEN (0: none is asked)."""
        possible = self.inventory.possible(now.open, now.run)
        possible[now.lengths >= self.shape.positions] = False  # such a hypothesis goes no further
        acts = self._act(now.hidden, torch.from_numpy(possible))
        said = torch.zeros(len(now))
        asked = np.flatnonzero((words > 0) & (now.open > 0))
        if len(asked):
            rows = torch.from_numpy(asked)
            targets = torch.from_numpy(words[asked]) - FIRST_OUTPUT
            said[rows] = -functional.cross_entropy(self.say(now.hidden[rows]), targets, reduction="none")
        full = torch.from_numpy(now.lengths >= self.shape.positions)
        return acts.masked_fill(full[:, None], -math.inf), said

    def extend(self, now: Symbols, rows: Ids, actions: Ids, words: Ids) -> Symbols:
        """The hypotheses of these rows after one action each; `words` are said by GEN."""
        opened = actions >= FIRST_NT
        new = now.at(rows)
        new = replace(
            new, open=new.open + opened - (actions == REDUCE_ID), run=np.where(opened, new.run + 1, 0)
        )  # fmt: skip
        spoken = np.where(actions == GEN_ID, words, 0)
        return self._appended(new, torch.from_numpy(actions), torch.from_numpy(spoken))

    def _appended(self, new: Symbols, actions: torch.Tensor, words: torch.Tensor) -> Symbols:
        """Reads one symbol more; keys and values of those before come from the memory."""
        states = self._read(actions, words) + self.positions[torch.from_numpy(new.lengths)]
        count, width = states.shape
        heads = self.shape.heads
        before = np.arange(new.symbols.shape[1])[None] < new.lengths[:, None]
        seen = torch.from_numpy(np.append(before, np.ones((count, 1), np.bool_), 1))[:, None, None]
        kept: list[torch.Tensor] = []
        for layer, block in enumerate(self.blocks):
            query, key, value = block.attention(block.before_attention(states)).chunk(3, 1)
            kept += [key, value]
            keys, values = (
                torch.cat([new.memory.rows(2 * layer + at, new.symbols), part[:, None]], 1)
                .view(count, -1, heads, width // heads).transpose(1, 2)
                for at, part in enumerate((key, value))
            )  # fmt: skip
            found = functional.scaled_dot_product_attention(
                query.view(count, 1, heads, -1).transpose(1, 2), keys, values, attn_mask=seen
            )
            states = states + block.mixed(found.transpose(1, 2).reshape(count, width))
            wide = functional.gelu(block.wide(block.before_wide(states)), approximate="tanh")
            states = states + block.narrow(wide)
        numbers = new.memory.append(kept)
        longest = int(new.lengths.max(initial=0)) + 1
        symbols = np.zeros((count, max(longest, new.symbols.shape[1])), np.int64)
        symbols[:, : new.symbols.shape[1]] = new.symbols
        symbols[np.arange(count), new.lengths] = numbers
        return replace(new, symbols=symbols[:, :longest], lengths=new.lengths + 1, hidden=self.last(states))


@dataclass(frozen=True)
class Symbols:
    """Partial derivations: what was read, as rows of a shared memory of keys and values."""

    memory: Memory
    symbols: Ids
    lengths: Ids
    hidden: torch.Tensor
    """The last state of each."""
    open: Ids
    run: Ids

    def __len__(self) -> int:
        return len(self.lengths)

    def at(self, rows: Ids) -> Symbols:
        """Some of them, or some of them more than once."""
        return Symbols(
            self.memory, self.symbols[rows], self.lengths[rows], self.hidden[torch.from_numpy(rows)], self.open[rows],
            self.run[rows],
        )  # fmt: skip

    def joined(self, others: Sequence[Symbols]) -> Symbols:
        """These and others of the same memory, one after the other."""
        every = [self, *others]
        width = max(one.symbols.shape[1] for one in every)
        symbols = [np.pad(one.symbols, ((0, 0), (0, width - one.symbols.shape[1]))) for one in every]
        return Symbols(
            self.memory,
            np.concatenate(symbols),
            np.concatenate([one.lengths for one in every]),
            torch.cat([one.hidden for one in every]),
            np.concatenate([one.open for one in every]),
            np.concatenate([one.run for one in every]),
        )

    def tidied(self) -> Symbols:
        """The memory holds nothing any more but what these need."""
        there = np.arange(self.symbols.shape[1])[None] < self.lengths[:, None]
        renamed = self.memory.kept(np.append(self.symbols[there], 0))
        return replace(self, symbols=np.where(there, renamed[np.where(there, self.symbols, 0)], 0))
