"""Training any kind of system: one call, presets, seeds, scores on dev, and a card beside the model."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import UsageError, unknown_name
from ..runs.atomic import writable_target
from ..runs.inputs import environment
from ..runs.processes import worker_count
from ..runs.strict_json import to_text
from ..runs.work import map_tasks
from ..treebank import Treebank
from .card import card_path, model_place, read_card
from .checkpoints import collecting_folder, copy_kept, drop_kept, kept_steps
from .registry import PHRASES, TEXT, TREES, Kind, kinds, language_model, phrase_parser, system
from .seeds import check_seed_folder, seed_folder
from .trained import Trained
from .trainer import Data, Exam, Plan, Tell, Trainer

PRESETS = ("tiny", "default", "paper")
"""Seconds, for tests; minutes, for a good model on two cores; what the tool's makers use."""
_LOAD: dict[str, Callable[[str], Any]] = {TREES: system, TEXT: language_model, PHRASES: phrase_parser}


def train(
    kind: str,
    train: Data,
    dev: Data | None = None,
    *,
    output: str | os.PathLike[str],
    preset: str = "default",
    seed: int = 0,
    seeds: int | None = None,
    options: Mapping[str, str] | None = None,
    resume: bool = True,
    progress: Tell | None = None,
    jobs: int | str = 1,
) -> Trained:
    """Trains a model and puts it, with its card, at `output`: whole or not at all.

    `train` and `dev` are files of what the kind learns from; a parser also takes a `Treebank`. `options` change those
    of the preset. With `seeds`, that many models are trained, the first with `seed`, as `output/seed-0` and so on:
    together they are one system; `jobs` is how many of them at a time, each in a process of its own. A kind with
    checkpoints continues where a call with the same arguments was interrupted, and a seed that is finished is not
    trained again, unless `resume` is false.

    >>> from gardenpath.data import bundled
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     trained = train("ngram", bundled("de-train"), bundled("de-dev"), output=f"{folder}/de.npz")
    >>> trained.card["dev_scores"]["perplexity"]
    109.3458
    """
    learns_from = TREES if isinstance(train, Treebank) or isinstance(dev, Treebank) else ""
    known = check_kind(kind, preset, seed, learns_from)
    trainer: Trainer[Any, Any] = known.load(known.trainer)(kind)
    _check_seeds(kind, trainer, seeds, worker_count(jobs))
    settings, tell = trainer.settings(preset, options or {}), progress or (lambda _: None)
    _check_fit(trainer, settings, preset, seed, resume)
    writable_target(output)
    if train is None:
        raise UsageError("nothing to learn from", todo="name a file, or give a treebank to a parser")
    material, held_out = (None if data is None else trainer.material(data, settings, tell) for data in (train, dev))
    plan = Plan(kind, material, held_out, Path(output), preset, seed, dict(options or {}), settings, tell)
    if seeds is None:
        return _trained(trainer, plan, resume)
    plans = [replace(plan, seed=n, output=seed_folder(plan.output, n)) for n in range(seed, seed + seeds)]
    own = [
        path.name
        for seed_plan in plans
        for path in (seed_plan.output, seed_plan.checkpoint, collecting_folder(seed_plan.checkpoint))
    ]
    check_seed_folder(plan.output, own)
    open_plans = [seed_plan for seed_plan in plans if not (resume and _finished(seed_plan))]
    if min(worker_count(jobs), len(open_plans)) > 1:
        plan.tell(f"{len(open_plans)} seeds, {worker_count(jobs)} at a time")
        same = {"kind": kind, "train": train, "dev": dev, "preset": preset, "options": options, "resume": resume}
        tasks = [{**same, "output": seed_plan.output, "seed": seed_plan.seed} for seed_plan in open_plans]
        names = [f"seed {seed_plan.seed}" for seed_plan in open_plans]
        map_tasks(_train_seed, tasks, jobs=jobs, label="training", names=names)
        done = tuple(Trained(at.output, f"{kind}:{at.output}", _finished(at)) for at in plans)
        return Trained(plan.output, f"{kind}:{plan.output}", {}, done)
    models = tuple(_trained_seed(trainer, seed_plan, resume) for seed_plan in plans)
    return Trained(plan.output, f"{kind}:{plan.output}", {}, models)


def check_kind(kind: str, preset: str, seed: int, learns_from: str = "") -> Kind:
    """The kind, if it can be trained (from this material) and can have such a preset and seed."""
    known = kinds()
    trainable = [name for name, entry in known.items() if entry.trainer]
    if kind not in known:
        raise unknown_name("kind of system", kind, trainable)
    material = known[kind].learns_from
    if learns_from and learns_from != material:
        what = f"{kind} is a {known[kind].role}, which learns from {material} and not from {learns_from}"
        fitting = ", ".join(name for name in trainable if known[name].learns_from == learns_from)
        raise UsageError(what, todo=f"these learn from {learns_from}: {fitting}")
    if not known[kind].trainer:
        raise UsageError(f"a {kind} system cannot be trained", todo="trainable: " + ", ".join(trainable))
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    if seed < 0:
        raise UsageError(f"{seed} is not a seed", todo="give 0 or more")
    return known[kind]


def _check_seeds(kind: str, trainer: Trainer[Any, Any], seeds: int | None, jobs: int) -> None:
    if seeds is None and jobs > 1:
        raise UsageError("one model is trained in one process", where="--jobs", todo="train several with --seeds")
    if seeds is not None and seeds < 1:
        raise UsageError(f"{seeds} is not a number of seeds", where="--seeds", todo="give 1 or more")
    if seeds is not None and not trainer.resumable:
        raise UsageError(f"{kind} models are trained one at a time", where="--seeds", todo="leave it out")


def _check_fit(trainer: Trainer[Any, Any], settings: Any, preset: str, seed: int, resume: bool) -> None:
    """What would make no difference to this kind is refused."""
    kind = trainer.kind
    if preset != "default" and not trainer.presets:
        raise UsageError(f"{kind} has no presets: its options say all", where="--preset", todo="leave it out")
    if seed and not trainer.seeded(settings):
        raise UsageError(f"{kind} has no seed: it counts", where="--seed", todo="leave it out")
    if not resume and not trainer.resumable:
        raise UsageError(f"{kind} keeps no checkpoints to resume from", where="--no-resume", todo="leave it out")


def _trained_seed(trainer: Trainer[Any, Any], plan: Plan[Any, Any], resume: bool) -> Trained:
    """The model of one seed of several; one that an earlier call has finished is kept."""
    card = _finished(plan) if resume else {}
    if card:
        plan.tell(f"seed {plan.seed} is there already: {plan.output}")
        return Trained(plan.output, f"{plan.kind}:{plan.output}", card)
    plan.tell(f"seed {plan.seed}")
    return _trained(trainer, plan, resume)


def _finished(plan: Plan[Any, Any]) -> Mapping[str, Any]:
    """The card of the model that the same request has made already; else empty."""
    card = read_card(plan.output) if plan.output.is_dir() else {}
    return card if card.get("request") == plan.request else {}


def _train_seed(arguments: Mapping[str, Any]) -> str:
    """One of several seeds, in a process of its own."""
    return train(**arguments).system


def _trained(trainer: Trainer[Any, Any], plan: Plan[Any, Any], resume: bool) -> Trained:
    """The model of a plan, at its place."""
    if trainer.resumable and not resume:
        plan.checkpoint.unlink(missing_ok=True)
        drop_kept(plan.checkpoint)
    begin = time.perf_counter()
    with model_place(plan.output, folder=trainer.folder) as place:
        outcome = trainer.learn(plan, place)
        copy_kept(plan.checkpoint, place)
        seconds = time.perf_counter() - begin
        model = _LOAD[kinds()[plan.kind].learns_from](f"{plan.kind}:{place}")  # can it be loaded?
        exam = trainer.examine(model, plan.dev, plan) if plan.dev else Exam({}, 0, 0)
        checkpoints = kept_steps(place)
        profile, shortfall = trainer.profile(plan), trainer.shortfall(model, plan)
        card = {
            "signature": model.signature,
            "train": plan.train.described(outcome.sentences, outcome.words),
            "dev": plan.dev.described(exam.sentences, exam.words) if plan.dev else None,
            **({"profile": profile} if profile else {}),
            "preset": plan.preset,
            "seed": plan.seed,
            "request": plan.request,
            "options": dict(outcome.options),
            "dev_scores": {**exam.scores, **outcome.scores},
            **({"shortfall": shortfall} if shortfall else {}),
            "log": {**outcome.log, **exam.log, **({"checkpoints": checkpoints} if checkpoints else {})},
            "seconds": round(seconds, 2),
            "environment": environment(),
        }
        card_path(place).write_text(to_text(card, indent=1) + "\n", encoding="utf-8")
    if trainer.resumable:
        plan.checkpoint.unlink(missing_ok=True)
        drop_kept(plan.checkpoint)
    return Trained(plan.output, f"{plan.kind}:{plan.output}", card)
