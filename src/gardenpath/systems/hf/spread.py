"""A network over several devices: its layers in blocks, one block after the other, and what they read follows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


def spread(network: Any, places: Sequence[str]) -> None:
    """Puts the layers on the places in turn, about equally many weights on each, and all else on the first.

    A layer moves what it is given to its own place; what leaves the last one of a stack goes back to the first place.
    """
    first = places[0]
    network.to(first)
    stacks = layer_stacks(network)
    weights = [[sum(weight.numel() for weight in layer.parameters()) for layer in stack] for stack in stacks]
    whole, before = sum(map(sum, weights)), 0
    for stack, sizes in zip(stacks, weights, strict=True):
        for layer, size in zip(stack, sizes, strict=True):
            middle = before + size / 2
            place = places[min(len(places) - 1, int(len(places) * middle / whole))]
            layer.to(place)
            layer.register_forward_pre_hook(
                lambda _, given, named, place=place: (moved(given, place), moved(named, place)), with_kwargs=True
            )
            before += size
        stack[-1].register_forward_hook(lambda _, given, output: moved(output, first))


def layer_stacks(network: Any) -> list[torch.nn.ModuleList]:
    """The lists of layers that are in no other one and have weights."""
    import torch

    stacks: list[torch.nn.ModuleList] = []
    inside: set[int] = set()
    for module in network.modules():  # what contains others comes before them
        outermost = isinstance(module, torch.nn.ModuleList) and id(module) not in inside
        if outermost and next(module.parameters(), None) is not None:
            stacks.append(module)
            inside |= {id(inner) for inner in module.modules()}
    return stacks


def moved(value: Any, place: str) -> Any:
    """The same with all its tensors on this device."""
    import torch

    if isinstance(value, torch.Tensor):
        return value.to(place)
    if type(value) in (tuple, list):
        return type(value)(moved(inner, place) for inner in value)
    if type(value) is dict:
        return {key: moved(inner, place) for key, inner in value.items()}
    return value
