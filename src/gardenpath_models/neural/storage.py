"""Files of a network: tensors, read without running anything that is in the file, and JSON that names its format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from gardenpath.boundary import check_stored, file_text, read_json
from gardenpath.errors import GardenpathError, InputError
from gardenpath.runs import atomic_writer

T = TypeVar("T")


def save(state: Mapping[str, Any], path: Path) -> None:
    """Tensors, numbers, texts, lists and dictionaries of them. The same content is the same bytes."""
    import torch

    with atomic_writer(path) as stream:
        torch.save(dict(state), stream)  # given a stream, torch puts no file name into it


def load(path: Path) -> dict[str, Any]:
    """What `save` wrote. A pickle that would call anything else than tensors is refused, not run."""
    import torch

    try:
        check_stored(path)
        content = torch.load(path, map_location="cpu", weights_only=True)
        if not isinstance(content, dict):
            raise ValueError("there are no tensors by name in it")
    except FileNotFoundError:
        raise InputError("there are no weights", where=str(path), todo="train the model again") from None
    except Exception as error:  # torch and pickle raise whatever the bytes make them stumble over
        reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
        what = "holds code instead of weights" if "weights_only" in str(error).lower() else f"is damaged: {reason[0]}"
        raise InputError(
            f"this file {what}; nothing of it was run", where=str(path), todo="train the model again"
        ) from error
    return content


def fill(module: Any, state: Mapping[str, Any], where: str) -> None:
    """Puts weights, all of them finite numbers, into a network; an error where they are of another one."""
    import torch

    for name, tensor in state.items():
        if not isinstance(name, str) or not isinstance(tensor, torch.Tensor):
            raise InputError(f"{name!r} is not a tensor", where=where, todo="train the model again")
        if not bool(torch.isfinite(tensor).all()):
            raise InputError(f"the weights {name!r} are not all finite numbers", where=where, todo="train it again")
    try:
        module.load_state_dict(dict(state), strict=True)
    except RuntimeError as error:
        first = " ".join(str(error).split("\n\t")[1:2]) or str(error)
        raise InputError(
            f"the weights do not fit the settings: {first.strip()}", where=where, todo="train the model again"
        ) from error


def read_text(path: Path) -> tuple[str, str]:
    """Return the text of a part of a model, and where it is."""
    return file_text(path, "a part of the model"), str(path)


def read_stored(
    text: str, where: str, format: str, make: Callable[[dict[str, Any]], T], what: str, todo: str = "train it again"
) -> T:
    """Return what `make` makes of a JSON object of this format; `what` begins the error where it is another one."""
    try:
        saved: Any = read_json(text, where)
        if not isinstance(saved, dict) or saved.pop("format", None) != format:
            raise ValueError(f"the format is not {format}")
        return make(saved)
    except (ValueError, TypeError, GardenpathError) as error:
        reason = error.what if isinstance(error, GardenpathError) else str(error)
        raise InputError(f"{what}: {reason}", where=where, todo=todo) from error


def strings(value: object, what: str) -> tuple[str, ...]:
    """Return the strings of a list in a file; an error that says `what` where it is none."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError(what)
    return tuple(value)
