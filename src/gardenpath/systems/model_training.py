"""Training any kind of model that learns from files: one call, presets, seeds, scores on dev, and a card."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Required, TypedDict, Unpack

from ..errors import UsageError, unknown_name
from ..runs.inputs import environment
from ..runs.strict_json import to_text
from .card import card_path, model_place, read_card
from .model_file import CARD
from .protocol import PHRASE_PARSER
from .registry import PHRASES, TEXT, Kind, kinds, language_model, phrase_parser
from .seeds import seed_folder
from .trainer import CHECKPOINT, Exam, FilePlan, FileTrainer, Sources, listed
from .training import Tell, Trained, check_preset

_WHAT = {TEXT: "kind of language model", PHRASES: "kind that learns from phrase trees"}


class Asked(TypedDict, total=False):
    """What is asked besides kind and data: the same of every function that trains."""

    output: Required[str | os.PathLike[str]]
    """Where the model goes, and its card."""
    preset: str
    seed: int
    options: Mapping[str, str] | None
    """By name; those of the preset where they are not given."""
    progress: Tell | None
    """Is told how far it is."""


def train_model(
    kind: str, train: Sources, dev: Sources | None = None, *, resume: bool = True, **asked: Unpack[Asked]
) -> Trained:
    """Trains a model and puts it, with its card, at `output`: whole or not at all.

    One that keeps checkpoints goes on where a call with the same arguments was interrupted, unless `resume` is false.
    """
    return trained(*prepared(kind, train, dev, **asked), resume)


def prepared(
    kind: str,
    train: Sources,
    dev: Sources | None = None,
    *,
    output: str | os.PathLike[str],
    preset: str = "default",
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    progress: Tell | None = None,
) -> tuple[FileTrainer[Any, Any], FilePlan[Any, Any]]:
    """The trainer and what it is asked, if all of that is right: nothing is read yet."""
    named = kinds().get(kind)
    known = check_material(kind, named.learns_from if named and named.learns_from in _WHAT else TEXT)
    check_preset(preset, seed)
    trainer: FileTrainer[Any, Any] = known.load(known.trainer)
    given, tell = dict(options or {}), progress or (lambda _: None)
    settings = trainer.settings(preset, given)
    held_out = trainer.material(dev, settings, tell) if dev else None
    material = trainer.material(train, settings, tell)
    return trainer, FilePlan(kind, material, held_out, Path(output), preset, seed, given, settings, tell)


def trained(trainer: FileTrainer[Any, Any], plan: FilePlan[Any, Any], resume: bool = True) -> Trained:
    """The model of a plan, at its place."""
    if trainer.folder and not resume:
        plan.checkpoint.unlink(missing_ok=True)
    begin = time.perf_counter()
    with model_place(plan.output, folder=trainer.folder) as place:
        learned = trainer(plan, place)
        seconds = time.perf_counter() - begin
        load = phrase_parser if PHRASE_PARSER in kinds()[plan.kind].roles else language_model
        model = load(f"{plan.kind}:{place}")  # can it be loaded?
        exam = trainer.examine(model, plan.dev, plan) if plan.dev else Exam({}, 0, 0)
        card = {
            "signature": model.signature,
            "train": plan.train.described(learned.sentences, learned.words),
            "dev": plan.dev.described(exam.sentences, exam.words) if plan.dev else None,
            "preset": plan.preset,
            "seed": plan.seed,
            **({"request": plan.request} if trainer.asked_again else {}),
            "options": dict(learned.options),
            "dev_scores": {**exam.scores, **learned.scores},
            "log": {**learned.log, **exam.log},
            "seconds": round(seconds, 2),
            "environment": environment(),
        }
        card_path(place).write_text(to_text(card, indent=1) + "\n", encoding="utf-8")
    if trainer.folder:
        plan.checkpoint.unlink(missing_ok=True)
    return Trained(plan.output, f"{plan.kind}:{plan.output}", card)


def train_seeds(
    kind: str, train: Sources, dev: Sources | None = None, *, seeds: int, resume: bool = True, **asked: Unpack[Asked]
) -> list[Trained]:
    """`seeds` models, the first with `seed`, as `output/seed-0` and so on: together one system, `kind:output`.

    A seed that an interrupted call has finished is not trained again, unless `resume` is false.
    """
    if seeds < 1:
        raise UsageError(f"{seeds} is no number of seeds", where="--seeds", todo="give 1 or more")
    train, dev = listed(train), listed(dev) if dev else None  # they are gone through for every seed
    if not prepared(kind, train, dev, **asked)[0].folder:
        raise UsageError(f"a {kind} model has no seed: all would be the same", where="--seeds", todo="leave it out")
    folder, first = Path(asked["output"]), asked.get("seed", 0)
    wanted = {number: seed_folder(folder, number) for number in range(first, first + seeds)}
    _check_folder(folder, wanted.values())
    found = []
    for number, place in wanted.items():
        asked["seed"], asked["output"] = number, place
        trainer, plan = prepared(kind, train, dev, **asked)
        card = read_card(place) if resume and place.is_dir() else {}
        if card and card.get("request") == plan.request:
            plan.tell(f"seed {number} is there already: {place}")
            found.append(Trained(place, f"{kind}:{place}", card))
            continue
        plan.tell(f"seed {number}")
        found.append(trained(trainer, plan, resume))
    return found


def check_material(kind: str, learns_from: str) -> Kind:
    """The kind, if it learns from this and can be trained."""
    known = {name: one for name, one in kinds().items() if one.learns_from == learns_from}
    trainable = [name for name, one in known.items() if one.trainer]
    if kind not in known:
        raise unknown_name(_WHAT[learns_from], kind, trainable)
    if not known[kind].trainer:
        raise UsageError(f"a {kind} system cannot be trained", todo="trainable: " + ", ".join(trainable))
    return known[kind]


def _check_folder(folder: Path, wanted: Iterable[Path]) -> None:
    """A folder of seeds, or one to be: nothing else may be in it, for all models in it are the system."""
    if (folder / CARD).exists():
        raise UsageError("this folder is a model", where=str(folder), todo="choose a new folder for several seeds")
    if folder.exists() and not folder.is_dir():
        raise UsageError("this is a file", where=str(folder), todo="choose a new folder for several seeds")
    ours = {name for place in wanted for name in (place.name, place.name + CHECKPOINT)}
    if folder.is_dir():
        for one in sorted(folder.iterdir()):
            if one.name not in ours and not one.name.startswith("."):
                raise UsageError(
                    "there is something else in the folder of the seeds",
                    where=str(one),
                    todo="choose a new folder, or take it out",
                )
