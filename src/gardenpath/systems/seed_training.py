"""Several seeds of a language model: one folder, one model for each seed, and none trained twice."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from ..errors import UsageError
from .card import read_card
from .language_model_training import CHECKPOINT, Text, TextPlan, request, text_trainer, train_language_model
from .model_file import CARD
from .seeds import seed_folder
from .tokenised import Source
from .training import Tell, Trained


def train_seeds(
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
    if seeds < 1:
        raise UsageError(f"{seeds} is no number of seeds", where="--seeds", todo="give 1 or more")
    if not text_trainer(kind, preset, seed).folder:
        raise UsageError(f"a {kind} model has no seed: all would be the same", where="--seeds", todo="leave it out")
    folder, tell = Path(output), progress or (lambda _: None)
    wanted = {number: seed_folder(folder, number) for number in range(seed, seed + seeds)}
    check_folder(folder, wanted.values())
    asked = TextPlan(Text(train), Text(dev) if dev else None, preset, seed, dict(options or {}), tell)
    found = []
    for number, place in wanted.items():
        card = read_card(place) if resume and place.is_dir() else {}
        if card and card.get("request") == request(kind, replace(asked, seed=number)):
            tell(f"seed {number} is there already: {place}")
            found.append(Trained(place, f"{kind}:{place}", card))
            continue
        tell(f"seed {number}")
        found.append(
            train_language_model(
                kind, asked.train.files, asked.dev.files if asked.dev else None, output=place, preset=preset,
                seed=number, options=options, resume=resume, progress=progress,
            )
        )  # fmt: skip
    return found


def check_folder(folder: Path, wanted: Iterable[Path]) -> None:
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
