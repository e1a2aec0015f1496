"""What a guided PLM is told of open phrases: the same step by step as from a whole derivation."""

from __future__ import annotations

import numpy as np
from every_tree import INVENTORY, derivations

from gardenpath.systems.structural.actions import FIRST_NT, REDUCE_ID
from gardenpath.systems.structural.phrases import Phrases


def test_phrases_of_hypotheses_are_those_of_the_derivation() -> None:
    for item in derivations([3, 5]):
        room = np.zeros((1, INVENTORY.max_open), np.int64)
        phrases, opened = Phrases(room, room), 0
        for at, action in enumerate(item.actions.tolist()):
            phrases, guides = phrases.after(np.array([action]), np.array([opened]))
            opened += (action >= FIRST_NT) - (action == REDUCE_ID)
            closed = item.labels[at] + FIRST_NT if action == REDUCE_ID else 0
            inside = item.inside[at] + FIRST_NT if opened else 0
            assert (guides.closed[0], guides.inside[0], guides.children[0]) == (closed, inside, item.read[at])
        assert opened == 0


def test_by_hand() -> None:
    """(2 (3 word) word: the closed phrase is the first child of the outer one, the word its second."""
    phrases = Phrases(np.zeros((1, 4), np.int64), np.zeros((1, 4), np.int64))
    told = []
    for action, opened in ((2, 0), (3, 1), (1, 2), (0, 2), (1, 1)):
        phrases, guides = phrases.after(np.array([action]), np.array([opened]))
        told.append((int(guides.closed[0]), int(guides.inside[0]), int(guides.children[0])))
    assert told == [(0, 2, 0), (0, 3, 0), (0, 3, 1), (3, 2, 1), (0, 2, 2)]
