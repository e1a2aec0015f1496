"""Training any kind of parser: one call, presets, a seed, scores on dev, and a card beside the model."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..errors import SystemFailure, UsageError, unknown_name
from ..runs.strict_json import to_text
from ..runs.where import Where
from ..treebank import Treebank, score, tree_mask
from .card import card_path, make_card, model_place
from .language import profile
from .parsing import parse_with
from .protocol import Parser
from .registry import TREES, kinds, system

PRESETS = ("tiny", "default", "paper")
"""Seconds, for tests; minutes, for a good model on two cores; what the tool's makers use."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """What a trainer is asked: data, preset, seed, options by name, and whom to tell how far it is."""

    train: Treebank
    dev: Treebank | None
    preset: str
    seed: int
    options: Mapping[str, str]
    tell: Tell

    def option(self, name: str, default: str) -> str:
        return self.options.get(name, default)


@dataclass(frozen=True)
class Outcome:
    """What a trainer says: all options that were in force, its log, and which gold its parser expects."""

    options: Mapping[str, Any]
    log: Mapping[str, Any] = field(default_factory=dict)
    gold: str = ""
    """Layers that the model needs when it parses gold tokens (it has no tagger, or was trained on gold tags)."""


@dataclass(frozen=True)
class Trained:
    """A model on the disk, its name as a system, and its card."""

    path: Path
    system: str
    card: Mapping[str, Any]


class Trainer(Protocol):
    """A trainer of one kind writes a model to a path. `folder` says whether that is a folder or a file.

    It may have `check(plan)`, which raises where the options are wrong, before anything is done.
    """

    folder: bool

    def __call__(self, plan: Plan, target: Path) -> Outcome: ...


def train(
    kind: str,
    train: Treebank,
    dev: Treebank | None = None,
    *,
    output: str | os.PathLike[str],
    preset: str = "default",
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    progress: Tell | None = None,
) -> Trained:
    """Trains a model and puts it, with its card, at `output`: whole or not at all."""
    trainer, plan = prepared(kind, train, dev, preset=preset, seed=seed, options=options, progress=progress)
    target = Path(output)
    begin = time.perf_counter()
    with model_place(target, folder=trainer.folder) as place:
        try:
            outcome = trainer(plan, place)
        except (ImportError, ValueError) as error:  # a tool's own words on an option it does not know
            raise SystemFailure(f"the training of {kind} failed: {error}", todo="check the options") from error
        seconds = time.perf_counter() - begin
        parser = system(f"{kind}:{place}")  # can it be loaded?
        scores = _dev_scores(parser, dev, outcome.gold) if dev is not None else {}
        card = make_card(
            parser.signature, train, dev, preset=preset, seed=seed, options=outcome.options, scores=scores,
            log=outcome.log, seconds=seconds, profile=profile(train, dev),
        )  # fmt: skip
        card_path(place).write_text(to_text(card, indent=1) + "\n", encoding="utf-8")
    return Trained(target, f"{kind}:{target}", card)


def prepared(
    kind: str,
    train: Treebank,
    dev: Treebank | None = None,
    *,
    preset: str = "default",
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    progress: Tell | None = None,
) -> tuple[Trainer, Plan]:
    """The trainer and what it is asked, if all of that is right: nothing is trained yet."""
    trainer = check_kind(kind, preset, seed)
    _check_data(train, "training")
    if dev is not None:
        _check_data(dev, "dev")
    plan = Plan(train, dev, preset, seed, dict(options or {}), progress or (lambda _: None))
    if check := getattr(trainer, "check", None):
        check(plan)
    return trainer, plan


def check_kind(kind: str, preset: str, seed: int) -> Trainer:
    """The trainer of this kind; preset and seed are ones it can have."""
    trainer = _trainer(kind)
    check_preset(preset, seed)
    return trainer


def check_preset(preset: str, seed: int) -> None:
    """Raises where a training can have no such preset or seed."""
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    if seed < 0:
        raise UsageError(f"{seed} is no seed", todo="give 0 or more")


def trainable() -> list[str]:
    """The kinds that can be trained."""
    return [kind.name for kind in kinds().values() if kind.trainer]


def _trainer(kind: str) -> Trainer:
    known = kinds()
    if kind not in known:
        raise unknown_name("kind of system", kind, trainable())
    material = known[kind].learns_from
    if material != TREES:
        what = f"{kind} is a {known[kind].role}, which learns from {material} and not from {TREES}"
        raise UsageError(what, todo="gardenpath train takes what each kind learns from")
    if not known[kind].trainer:
        raise UsageError(f"a {kind} system cannot be trained", todo="trainable: " + ", ".join(trainable()))
    made: Trainer = known[kind].load(known[kind].trainer)
    return made


def _check_data(treebank: Treebank, what: str) -> None:
    """Trees only: a parser learns nothing from half a tree, and the C++ and CUDA beneath may crash on it."""
    trees = tree_mask(treebank.heads, treebank.offsets)
    if not trees.all():
        number = int(np.argmin(trees))
        raise UsageError(
            f"the {what} data has {_no_trees(int((~trees).sum()))}, the first is "
            f"{treebank.sent_ids[number] or number + 1}",
            where=treebank.place(int(treebank.index.blocks[number])),
            todo="every word needs a head, and one word is the root; gardenpath treebank validate shows all",
        )


def _no_trees(count: int) -> str:
    return f"{count} sentences that are no trees" if count != 1 else "a sentence that is no tree"


def _dev_scores(parser: Parser, dev: Treebank, gold: str) -> dict[str, float]:
    result = parse_with(parser, dev, gold=gold, where=Where(cache=False, progress=False))
    found = score(dev, result.treebank)
    return {metric: round(found.f1(metric), 2) for metric in ("UAS", "LAS")}
