"""Tensors on the disk: written whole or not at all, and read without running anything that is in the file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...boundary.arrays import check_stored
from ...errors import InputError
from ...runs.atomic import atomic_writer


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


def check_tensors(state: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Weights by name, all of them finite numbers."""
    import torch

    for name, tensor in state.items():
        if not isinstance(name, str) or not isinstance(tensor, torch.Tensor):
            raise InputError(f"{name!r} is not a tensor", where=where, todo="train the model again")
        if not bool(torch.isfinite(tensor).all()):
            raise InputError(f"the weights {name!r} are not all finite numbers", where=where, todo="train it again")
    return dict(state)


def fill(module: Any, state: Mapping[str, Any], where: str) -> None:
    """Puts weights into a network; an error where they are of another one."""
    try:
        module.load_state_dict(check_tensors(state, where), strict=True)
    except RuntimeError as error:
        first = " ".join(str(error).split("\n\t")[1:2]) or str(error)
        raise InputError(
            f"the weights do not fit the settings: {first.strip()}", where=where, todo="train the model again"
        ) from error
