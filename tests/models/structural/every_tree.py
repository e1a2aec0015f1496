"""The oracle of the tests of structural models: all derivations of a sentence, one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath_models.structural.actions import FIRST_NT, GEN_ID, REDUCE_ID, Derivation, Inventory, derivation

INVENTORY = Inventory(("A", "B"), max_open=3, max_run=2)
"""Two categories, at most three phrases open, at most two opened in a row."""
WORDS = (3, 4, 5)
"""Three words; numbers below are those of padding and of the edges of a sentence."""
VOCABULARY = 6


def derivations(words: list[int], inventory: Inventory = INVENTORY) -> list[Derivation]:
    """All derivations of the sentence, by trying every action where it is possible."""
    found: list[list[int]] = []

    def go_on(done: list[int], opened: int, run: int, said: int) -> None:
        if done and not opened:
            if said == len(words):
                found.append(done)
            return
        if opened and said < len(words):
            go_on([*done, GEN_ID], opened, 0, said + 1)
        if opened and not run:
            go_on([*done, REDUCE_ID], opened - 1, 0, said)
        if opened < inventory.max_open and run < inventory.max_run and said < len(words):
            for label in range(len(inventory.labels)):
                go_on([*done, FIRST_NT + label], opened + 1, run + 1, said)

    go_on([], 0, 0, 0)
    return [derivation(inventory, np.array(one), np.array(words)) for one in found]


def log_probabilities(network: Any, items: list[Derivation]) -> NDArray[np.float64]:
    """ln p of each derivation."""
    import torch

    with torch.no_grad():
        acts, words = (part.double().numpy() for part in network.log_probabilities(items))
    lengths = np.array([len(one) for one in items])
    spoken = np.array([int((one.actions == GEN_ID).sum()) for one in items])
    owners = [np.repeat(np.arange(len(items)), counts) for counts in (lengths, spoken)]
    return np.bincount(owners[0], acts) + np.bincount(owners[1], words)
