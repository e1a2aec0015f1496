"""The model card: from what, how and with what result a model was made, beside every model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ..boundary.structured import read_json
from ..boundary.texts import file_bytes
from ..errors import UsageError
from ..runs.atomic import cannot_write, workplace
from ..runs.replacing import recover_folder, replace_folder
from .model_file import CARD


def card_path(model: Path) -> Path:
    """`model.json` in a folder, `MODEL.json` beside a file."""
    return model / CARD if model.is_dir() else model.with_name(model.name + ".json")


def read_card(model: str | os.PathLike[str]) -> dict[str, Any]:
    """The card of a model; empty where there is none."""
    path = card_path(Path(model))
    if not path.exists():
        return {}
    card = read_json(file_bytes(path, "the model card"), str(path), "the model card")
    return card if isinstance(card, dict) else {}


@contextmanager
def model_place(output: Path, *, folder: bool) -> Iterator[Path]:
    """A temporary place whose model and card take their places at `output` when the block ends well.

    An existing model is replaced; a folder that is not a model is never touched.
    """
    target = output.expanduser().resolve()
    recover_folder(target)
    _check_target(target, folder)
    with ExitStack() as stack:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            workshop = stack.enter_context(workplace(target, folder=True))
        except OSError as error:
            raise cannot_write(error, target) from error
        made = workshop / target.name
        if folder:
            made.mkdir()
        yield made
        if folder:
            replace_folder(made, target)
        else:
            # The old card goes first: whenever this is interrupted, no model has the card of another.
            card_path(target).unlink(missing_ok=True)
            for path in (made, card_path(made)):
                path.replace(target.with_name(path.name))


def _check_target(target: Path, folder: bool) -> None:
    if not folder:
        if target.is_dir():
            raise UsageError("this is a folder, but the model is a file", where=str(target), todo="name a file in it")
        return
    if target.is_dir():
        if any(target.iterdir()) and not (target / CARD).exists():
            raise UsageError(
                "this folder holds something that is not a model", where=str(target), todo="choose a new folder"
            )
    elif target.exists():
        raise UsageError("this is a file, but the model is a folder", where=str(target), todo="choose another name")
