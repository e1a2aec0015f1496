"""Actions of a top-down generative parser, which of them are possible when, and trees as actions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import GardenpathError, InputError
from gardenpath.phrase import ROOT, PhraseTree, grown, raised

from ..neural.vocabulary import read_stored, strings

REDUCE, GEN = "REDUCE", "GEN"
REDUCE_ID, GEN_ID, FIRST_NT = 0, 1, 2
"""Numbers of actions; from 2 on a phrase is opened."""
FORMAT = "gardenpath-actions 1"
Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]


def opening(label: str) -> str:
    """`NT(NP)`: the action that opens a phrase."""
    return f"NT({label})"


def opened(action: str) -> str | None:
    """The category that an action opens, if it opens one."""
    return action[3:-1] if action.startswith("NT(") and action.endswith(")") else None


@dataclass(frozen=True)
class Inventory:
    """The categories that can be opened, and the limits that make the derivations of a sentence finitely many.

    A derivation is in one of few situations, told by how many phrases are open and how many were opened since the
    last other action (the run). Possible are: opening a phrase if neither limit is reached; GEN if a phrase is open;
    REDUCE if a phrase is open and not empty (the run is 0). GEN is always possible after an opening, so there is no
    dead end: a model that gives its probability to the possible actions alone sums to 1 over all derivations.
    The sentence ends with the REDUCE that closes the last phrase.
    """

    labels: tuple[str, ...]
    max_open: int
    """Phrases that may be open at once."""
    max_run: int
    """Phrases that may be opened in a row, unary chains among them."""
    functions: bool = False
    """Are the categories `NP:SB`, with functions?"""

    def __post_init__(self) -> None:
        if not self.labels or len(set(self.labels)) != len(self.labels):
            raise InputError("an inventory of actions has categories, and each once")
        if self.max_open < 1 or self.max_run < 1:
            raise InputError("the limits of open phrases and of phrases opened in a row are 1 or more")

    def __len__(self) -> int:
        return FIRST_NT + len(self.labels)

    @cached_property
    def _ids(self) -> dict[str, int]:
        named = {opening(label): number for number, label in enumerate(self.labels, FIRST_NT)}
        return {REDUCE: REDUCE_ID, GEN: GEN_ID, **named}

    def encode(self, actions: Sequence[str], where: str = "") -> Ids:
        """Numbers of actions; an error for a category that the inventory does not have."""
        try:
            return np.array([self._ids[action] for action in actions], np.int64)
        except KeyError as error:
            known = ", ".join(self.labels[:12]) + (", …" if len(self.labels) > 12 else "")
            raise InputError(
                f"the model has no action {error.args[0]}", where=where, todo=f"categories it has: {known}"
            ) from None

    def decode(self, ids: Iterable[int]) -> tuple[str, ...]:
        names = (REDUCE, GEN, *map(opening, self.labels))
        return tuple(names[number] for number in ids)

    def possible(self, open_phrases: Ids, run: Ids) -> Mask:
        """For each situation a row: which actions are possible."""
        possible = np.empty((*np.shape(open_phrases), len(self)), np.bool_)
        some = open_phrases > 0
        possible[..., REDUCE_ID] = some & (run == 0)
        possible[..., GEN_ID] = some
        possible[..., FIRST_NT:] = ((open_phrases < self.max_open) & (run < self.max_run))[..., None]
        return possible

    def situations(self, actions: Ids) -> tuple[Ids, Ids]:
        """Open phrases and run before each action of a derivation."""
        opens = np.where(actions == REDUCE_ID, -1, (actions >= FIRST_NT).astype(np.int64))
        before = np.cumsum(opens) - opens
        run = np.zeros(len(actions), np.int64)
        for at in range(1, len(actions)):
            run[at] = run[at - 1] + 1 if actions[at - 1] >= FIRST_NT else 0
        return before, run

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, indent=0)

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Inventory:
        """Return what `to_json` wrote; an error where it is something else."""

        def made(saved: dict[str, Any]) -> Inventory:
            labels = strings(saved.get("labels"), "its categories are not a list of names")
            limits = saved.get("max_open"), saved.get("max_run")
            if not all(type(limit) is int for limit in limits) or type(saved.get("functions")) is not bool:
                raise ValueError("its limits are not numbers")
            return cls(labels, saved["max_open"], saved["max_run"], saved["functions"])

        return read_stored(text, where, FORMAT, made, "this is not an inventory of actions")


TOP = "<root>"
"""The phrase over a tree with several roots, or whose root is a token: a derivation is one phrase."""


@dataclass(frozen=True)
class Oracle:
    """The derivation of one sentence. Tags are kept for the way back; no model predicts them."""

    actions: tuple[str, ...]
    words: tuple[str, ...]
    tags: tuple[str, ...] = ()
    sent_id: str = ""

    @property
    def open_phrases(self) -> int:
        """The most phrases that are open at once."""
        most = now = 0
        for action in self.actions:
            now += -1 if action == REDUCE else action != GEN
            most = max(most, now)
        return most

    @property
    def run(self) -> int:
        """The most phrases that are opened in a row."""
        most = now = 0
        for action in self.actions:
            now = now + 1 if opened(action) is not None else 0
            most = max(most, now)
        return most


@dataclass(frozen=True)
class Oracles:
    """Oracles of many trees, and what was done to the trees."""

    made: list[Oracle]
    raised: int = 0
    """Trees with crossing branches, which were raised."""
    topped: int = 0
    """Trees that got a phrase over several roots, or over a token."""
    unary: Counter[int] = field(default_factory=Counter)
    """Chains of phrases over one phrase or token, by how many phrases they have (2 or more)."""


def oracle_of(tree: PhraseTree, *, functions: bool = False) -> Oracle:
    """The derivation of a tree without gaps; with `functions`, categories are `NP:SB`.

    Functions of tokens, lemmas, morphology and secondary edges are not in it.
    """
    where = f"sentence {tree.sent_id}" if tree.sent_id else " ".join(tree.words[:8])
    if not tree.words:
        raise InputError("a tree without words has no derivation", where=where)
    for node in tree.inner:
        if node.has_gap:
            raise InputError(
                f"the phrase {node.label} has a gap: no top-down derivation makes it", where=where,
                todo="raise crossing branches first (gardenpath.phrase.edits.splitting)",
            )  # fmt: skip
        if node.label == TOP:
            raise InputError(f"the category {TOP} is reserved", where=where, todo="rename it")
        if functions and ":" in node.function:
            raise InputError(f"the function {node.function!r} has a colon", where=where, todo="leave functions out")
    actions: list[str] = []
    size = len(tree)
    topped = needs_top(tree)
    todo = [*reversed(tree.children[ROOT])]
    if topped:
        actions.append(opening(TOP))
        todo.insert(0, size + len(tree.labels))
    while todo:
        number = todo.pop()
        if number < 0 or number == size + len(tree.labels):
            actions.append(REDUCE)
        elif number < size:
            actions.append(GEN)
        else:
            node = tree[number]
            actions.append(opening(f"{node.label}:{node.function}" if functions else node.label))
            todo.append(-number)
            todo += reversed(tree.children[number])
    return Oracle(tuple(actions), tree.words, tree.tags, tree.sent_id)


def needs_top(tree: PhraseTree) -> bool:
    """Has the tree several roots, or a token as its root?"""
    roots = tree.children[ROOT]
    return len(roots) != 1 or roots[0] < len(tree)


def tree_of(
    actions: Sequence[str],
    words: Sequence[str],
    tags: Sequence[str] = (),
    *,
    functions: bool = False,
    sent_id: str = "",
) -> PhraseTree:
    """The tree that a derivation makes: of an oracle, the tree it was made of."""
    where = f"sentence {sent_id}" if sent_id else " ".join(words[:8])
    labels: list[str] = []
    inner_mothers: list[int] = []
    token_mothers: list[int] = []
    path: list[int] = []
    size = len(words)
    for at, action in enumerate(actions):
        label = opened(action)
        if at and not path:
            raise InputError(f"the derivation goes on after its end with {action}", where=where)
        if label is not None:
            inner_mothers.append(path[-1] if path else ROOT)
            path.append(size + len(labels))
            labels.append(label)
        elif action == GEN and path:
            token_mothers.append(path[-1])
        elif action == REDUCE and path:
            path.pop()
        else:
            raise InputError(f"{action} is not possible as action {at + 1}", where=where)
    if path or not actions:
        raise InputError("the derivation ends before its phrases are closed", where=where)
    if len(token_mothers) != size:
        raise InputError(f"the derivation has {len(token_mothers)} words, the sentence {size}", where=where)
    mothers = [*token_mothers, *inner_mothers]
    if labels[0] == TOP:
        mothers = [ROOT if mother == size else mother - (mother > size) for mother in mothers]
        del mothers[size], labels[0]
    named = [label.rpartition(":")[::2] if functions else (label, "") for label in labels]
    return grown(
        words,
        tags or [""] * size,
        [label for label, _ in named],
        [""] * size + [function for _, function in named],
        mothers,
        sent_id=sent_id,
        where=where,
    )


def oracles(trees: Iterable[PhraseTree], *, functions: bool = False) -> Oracles:
    """The derivations of trees; crossing branches are raised, and what was done is counted."""
    made: list[Oracle] = []
    lifted = topped = 0
    unary: Counter[int] = Counter()
    for number, tree in enumerate(trees, 1):
        if any(node.has_gap for node in tree.inner):
            tree = raised(tree)
            lifted += 1
        topped += needs_top(tree)
        unary.update(unary_chains(tree))
        try:
            made.append(oracle_of(tree, functions=functions))
        except GardenpathError as error:
            where = error.where if tree.sent_id else f"tree {number}"
            raise InputError(error.what, where=where, todo=error.todo) from error
    return Oracles(made, lifted, topped, unary)


def unary_chains(tree: PhraseTree) -> list[int]:
    """How many phrases each chain of single children has."""
    size = len(tree)
    lengths = []
    for number in range(size, len(tree.mothers)):
        mother = tree.mothers[number]
        if mother != ROOT and len(tree.children[mother]) == 1:
            continue  # counted from its top
        length, low = 1, number
        while len(tree.children[low]) == 1 and tree.children[low][0] >= size:
            low = tree.children[low][0]
            length += 1
        if length > 1:
            lengths.append(length)
    return lengths


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
