"""What of many derivations can be computed at once: all phrases of one height, all stack elements of one depth.

A phrase is composed from its children, so phrases of the same height do not wait for each other; an element of the
stack depends on its own content and on the element below it, so elements of the same depth do not either. A batch of
derivations takes as many steps as its highest tree and its deepest stack have levels, not as its longest sentence
has actions; nothing is padded but the children of a phrase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .actions import FIRST_NT, GEN_ID, REDUCE_ID, Ids, Inventory, Mask


@dataclass(frozen=True)
class Derivation:
    """The actions of a sentence as numbers, with what each of them does to the stack.

    State 0 is the empty stack, state i the stack after i actions. Every action puts one element on the stack.
    """

    actions: Ids
    words: Ids
    """Of GEN the word; 0 of others."""
    labels: Ids
    """Of an opening and of REDUCE the category, from 0; -1 of GEN."""
    below: Ids
    """The state on whose top the element is put."""
    depths: Ids
    """Of the element, from 1."""
    heights: Ids
    """Of REDUCE: levels of phrases in it; 0 of others."""
    children: tuple[Ids, ...]
    """Of each REDUCE in turn: the actions that made its children."""
    inside: Ids
    """The category of the phrase that is open after the action, from 0; -1: none is."""
    read: Ids
    """How many children that phrase then has."""
    possible: Mask
    """Actions that are possible in each state."""

    def __len__(self) -> int:
        return len(self.actions)


def derivation(inventory: Inventory, actions: Ids, words: Ids) -> Derivation:
    """What the actions do; `words` are the words in order."""
    size = len(actions)
    spelt, labels = np.zeros(size, np.int64), np.full(size, -1, np.int64)
    below, depths, heights, read = (np.zeros(size, np.int64) for _ in range(4))
    inside = np.full(size, -1, np.int64)
    children: list[Ids] = []
    stack: list[int] = []  # the actions that made the elements
    opens: list[int] = []  # where in it the open phrases are
    spelt[actions == GEN_ID] = words
    for at, action in enumerate(actions.tolist()):
        if action == REDUCE_ID:
            begin = opens.pop()
            elements = stack[begin + 1 :]
            children.append(np.array(elements, np.int64))
            labels[at] = labels[stack[begin]]
            heights[at] = 1 + max(int(heights[child]) for child in elements)
            del stack[begin:]
        elif action >= FIRST_NT:
            labels[at] = action - FIRST_NT
            opens.append(len(stack))
        below[at] = stack[-1] + 1 if stack else 0
        stack.append(at)
        depths[at] = len(stack)
        if opens:
            inside[at], read[at] = labels[stack[opens[-1]]], len(stack) - opens[-1] - 1
    possible = inventory.possible(*inventory.situations(actions))
    return Derivation(actions, spelt, labels, below, depths, heights, tuple(children), inside, read, possible)


@dataclass(frozen=True)
class Composition:
    """Phrases of one height: categories, and where the contents of their children are (padded with 0)."""

    labels: Ids
    children: Ids
    lengths: Ids


@dataclass(frozen=True)
class Level:
    """Elements of one depth: where their contents are, and which element of the level above (in this list) is below."""

    contents: Ids
    below: Ids


@dataclass(frozen=True)
class Batch:
    """Derivations laid out for a network. Contents are numbered: words, categories, then phrases by height.

    The last REDUCE of a sentence needs no content and no state: nothing is predicted from it.
    """

    words: Ids
    labels: Ids
    compositions: list[Composition]
    levels: list[Level]
    states: Ids
    """For each prediction the row of its state: 0 is the empty stack, then the elements level by level."""
    actions: Ids
    possible: Mask
    generated: Ids
    """The predictions whose action is GEN, and (below) the words."""
    targets: Ids
    lengths: tuple[int, ...]
    """Predictions of each sentence."""


def batched(items: Sequence[Derivation]) -> Batch:
    """The layout of a batch."""
    lengths = [len(item) for item in items]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    actions = np.concatenate([item.actions for item in items])
    words = np.concatenate([item.words for item in items])
    labels = np.concatenate([item.labels for item in items])
    heights = np.concatenate([item.heights for item in items])
    depths = np.concatenate([item.depths for item in items])
    owner = np.repeat(np.arange(len(items)), lengths)
    used = np.ones(len(actions), np.bool_)
    used[starts[1:] - 1] = False
    children: dict[int, Ids] = {}
    for item, start in zip(items, starts[:-1], strict=True):
        for at, places in zip(np.flatnonzero(item.actions == REDUCE_ID).tolist(), item.children, strict=True):
            children[int(start) + at] = places + start
    spoken, opened = np.flatnonzero(actions == GEN_ID), np.flatnonzero(actions >= FIRST_NT)
    place = np.full(len(actions), -1, np.int64)
    place[spoken] = np.arange(len(spoken))
    place[opened] = np.arange(len(opened)) + len(spoken)
    filled = len(spoken) + len(opened)
    compositions = []
    for height in range(1, int(heights[used].max(initial=0)) + 1):
        here = np.flatnonzero((heights == height) & used)
        sizes = np.array([len(children[at]) for at in here.tolist()], np.int64)
        inside = np.zeros((len(here), int(sizes.max())), np.int64)
        for number, at in enumerate(here.tolist()):
            inside[number, : sizes[number]] = place[children[at]]
        compositions.append(Composition(labels[here], inside, sizes))
        place[here] = np.arange(len(here)) + filled
        filled += len(here)
    # State s of a sentence is the element that its action s-1 made: below points at states, rows at elements.
    below = np.concatenate([item.below for item in items])
    row = np.zeros(len(actions), np.int64)  # of the element, in all levels one after the other; 0 is the empty stack
    inner = np.zeros(len(actions), np.int64)  # the same within its level
    levels, total = [], 1
    for depth in range(1, int(depths[used].max(initial=0)) + 1):
        here = np.flatnonzero((depths == depth) & used)
        inner[here] = np.arange(len(here))
        row[here] = inner[here] + total
        total += len(here)
        under = inner[starts[owner[here]] + below[here] - 1] if depth > 1 else np.zeros(len(here), np.int64)
        levels.append(Level(place[here], under))
    before = np.arange(len(actions)) - 1
    states = np.where(np.isin(np.arange(len(actions)), starts[:-1]), 0, row[before])
    return Batch(
        words[spoken],
        labels[opened],
        compositions,
        levels,
        states,
        actions,
        np.concatenate([item.possible for item in items]),
        spoken,
        words[spoken],
        tuple(lengths),
    )
