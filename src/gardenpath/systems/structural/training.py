"""Training structural models: `gardenpath train rnng` and `gardenpath train plm`, with a card and several seeds."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..._version import __version__
from ...errors import UsageError, unknown_name
from ...phrase import PhraseTree
from ...phrase.parseval import score_trees
from ...phrase.source import Source
from ...runs.inputs import environment
from ...runs.signature import digest
from ...runs.strict_json import to_text
from ..card import card_path, model_place, read_card
from ..language_model import score_with
from ..language_model_training import CHECKPOINT, scores
from ..perplexity import perplexity
from ..seeds import seed_folder
from ..training import PRESETS, Outcome, Tell, Trained
from .lesson import learn
from .settings import KINDS, Settings, settings_of
from .system import PLMModel, RNNGModel, StructuralModel
from .trees import Trees, trees_of

_MODELS: dict[str, type[StructuralModel]] = {"rnng": RNNGModel, "plm": PLMModel}


@dataclass(frozen=True)
class TreePlan:
    """What is asked: trees, preset, seed, options by name, and whom to tell how far it is."""

    kind: str
    train: Trees
    dev: Trees | None
    preset: str
    seed: int
    options: Mapping[str, str]
    tell: Tell

    @property
    def settings(self) -> Settings:
        return settings_of(self.kind, self.preset, self.options)

    @property
    def request(self) -> str:
        """What was asked, in a few letters: the same trees, preset, seed and options, of the same version."""
        found = [one.sha256() if one else "" for one in (self.train, self.dev)]
        options = to_text(sorted(self.options.items()))
        return digest(__version__, self.kind, *found, self.preset, str(self.seed), options)[:16]


def plan_of(
    kind: str,
    train: Source | Iterable[Source],
    dev: Source | Iterable[Source] | None = None,
    *,
    preset: str = "default",
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    progress: Tell | None = None,
) -> TreePlan:
    """The plan, if all in it is right: nothing is read yet."""
    if kind not in KINDS:
        raise unknown_name("kind of structural model", kind, KINDS)
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    if seed < 0:
        raise UsageError(f"{seed} is no seed", todo="give 0 or more")
    tell = progress or (lambda _: None)
    way = settings_of(kind, preset, options or {}).nonprojective
    held_out = trees_of(dev, way, tell) if dev else None
    return TreePlan(kind, trees_of(train, way, tell), held_out, preset, seed, dict(options or {}), tell)


def train_structural(
    kind: str,
    train: Source | Iterable[Source],
    dev: Source | Iterable[Source] | None = None,
    *,
    output: str | os.PathLike[str],
    preset: str = "default",
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    resume: bool = True,
    progress: Tell | None = None,
) -> Trained:
    """Trains a model from trees and puts it, with its card, at `output`: whole or not at all.

    It goes on where a call with the same arguments was interrupted, unless `resume` is false. Dev trees stop it by
    the joint probability of words and trees; the card has the perplexity of words and the F1 of brackets by beam
    search, on `dev_sample` of them.
    """
    plan = plan_of(kind, train, dev, preset=preset, seed=seed, options=options, progress=progress)
    return trained(plan, Path(output), resume)


def trained(plan: TreePlan, target: Path, resume: bool = True) -> Trained:
    """The model of a plan."""
    settings = plan.settings
    checkpoint = target.with_name(target.name + CHECKPOINT)
    if not resume:
        checkpoint.unlink(missing_ok=True)
    begin = time.perf_counter()
    with model_place(target, folder=True) as place:
        trees = plan.train.read()
        held_out = plan.dev.read() if plan.dev else []
        log = learn(plan.kind, trees, held_out, settings, place, seed=plan.seed, tell=plan.tell, checkpoint=checkpoint)
        seconds = time.perf_counter() - begin
        model = _MODELS[plan.kind](str(place))
        found, sample = _on_dev(model, held_out, settings, plan.tell)
        joint = log.pop("joint_perplexity")
        card = {
            "signature": model.signature,
            "train": plan.train.described(log.pop("sentences"), log.pop("words")),
            "dev": plan.dev.described(len(held_out), sum(map(len, held_out))) if plan.dev else None,
            "preset": plan.preset,
            "seed": plan.seed,
            "request": plan.request,
            "options": settings.described(),
            "dev_scores": {**found, **({"joint perplexity": joint} if joint is not None else {})},
            "log": {**log, "dev_sample": sample},
            "seconds": round(seconds, 2),
            "environment": environment(),
        }
        card_path(place).write_text(to_text(card, indent=1) + "\n", encoding="utf-8")
    checkpoint.unlink(missing_ok=True)
    return Trained(target, f"{plan.kind}:{target}", card)


def train_structural_seeds(
    kind: str,
    train: Source | Iterable[Source],
    dev: Source | Iterable[Source] | None = None,
    *,
    output: str | os.PathLike[str],
    seeds: int,
    preset: str = "default",
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    resume: bool = True,
    progress: Tell | None = None,
) -> list[Trained]:
    """`seeds` models, the first with `seed`, as `output/seed-0` and so on: together one system, `kind:output`.

    A seed that an interrupted call has finished is not trained again, unless `resume` is false.
    """
    from ..seed_training import check_folder

    if seeds < 1:
        raise UsageError(f"{seeds} is no number of seeds", where="--seeds", todo="give 1 or more")
    folder = Path(output)
    wanted = {number: seed_folder(folder, number) for number in range(seed, seed + seeds)}
    check_folder(folder, wanted.values())
    found = []
    for number, place in wanted.items():
        plan = plan_of(kind, train, dev, preset=preset, seed=number, options=options, progress=progress)
        card = read_card(place) if resume and place.is_dir() else {}
        if card and card.get("request") == plan.request:
            plan.tell(f"seed {number} is there already: {place}")
            found.append(Trained(place, f"{kind}:{place}", card))
            continue
        plan.tell(f"seed {number}")
        found.append(trained(plan, place, resume))
    return found


class StructuralTrainer:
    """The trainer of one kind, for whoever has read the trees already (`PhrasePlan`); `train` does all."""

    folder = True
    resumes = True

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def check(self, plan: Any) -> None:
        settings_of(self.kind, plan.preset, plan.options)

    def __call__(self, plan: Any, target: Path) -> Outcome:
        settings = settings_of(self.kind, plan.preset, plan.options)
        dev = plan.dev.trees if plan.dev else []
        checkpoint = getattr(plan, "checkpoint", None)
        log = learn(
            self.kind, plan.train.trees, dev, settings, target, seed=plan.seed, tell=plan.tell, checkpoint=checkpoint
        )
        return Outcome(settings.described(), log)


train_rnng, train_plm = StructuralTrainer("rnng"), StructuralTrainer("plm")


def _on_dev(
    model: StructuralModel, dev: Sequence[PhraseTree], settings: Settings, tell: Tell
) -> tuple[dict[str, float], int]:
    """Perplexity of words, and F1 of brackets (single words left out), by beam search; and on how many sentences."""
    fitting = [tree for tree in dev if len(tree) <= settings.shape.longest]
    if not fitting:
        return {}, 0
    if settings.dev_sample and len(fitting) > settings.dev_sample:
        chosen = np.random.default_rng(0).permutation(len(fitting))[: settings.dev_sample]
        tell(f"scoring the words of {settings.dev_sample} of {len(fitting)} dev sentences by beam search")
        fitting = [fitting[number] for number in sorted(chosen.tolist())]
    sentences = [list(tree.words) for tree in fitting]
    found = scores(perplexity(score_with(model, sentences, cache=False, progress=False)))
    counts = score_trees(fitting, model.parse_trees(sentences))
    for name in ("labelled", "unlabelled"):
        matched = [getattr(one, name) for one in counts]
        right, total = sum(one.right for one in matched), sum(one.gold + one.system for one in matched)
        found[f"{name} F1"] = round(200 * right / total, 2) if total else 0.0
    return found, len(fitting)
