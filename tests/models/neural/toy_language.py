"""A toy language with agreement across words between."""

from __future__ import annotations

import random
from pathlib import Path

NOUNS = {"sg": ("dog", "bird"), "pl": ("dogs", "birds")}
VERBS = {"sg": ("sleeps", "runs"), "pl": ("sleep", "run")}


def toy_sentence(chance: random.Random) -> str:
    """`the dog near the birds sleeps .`: the verb agrees with the first noun."""
    number = chance.choice(("sg", "pl"))
    between = ("near", "the", chance.choice(NOUNS[chance.choice(("sg", "pl"))])) if chance.random() < 0.8 else ()
    rare = chance.choice(("Rex", "Max", "17")) if chance.random() < 0.02 else "."
    return " ".join(("the", chance.choice(NOUNS[number]), *between, chance.choice(VERBS[number]), rare))


def toy_text(path: Path, sentences: int, seed: int) -> Path:
    chance = random.Random(seed)
    path.write_text("".join(toy_sentence(chance) + "\n" for _ in range(sentences)), encoding="utf-8")
    return path
