"""RNNG, PLM, LSTM and Transformer learn a grammar that is known: to its entropy, and a margin."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

import pytest

pytest.importorskip("torch")

from gardenpath.systems.training.training import train

LEXICON = {
    "D": ("the", "a"),
    "N": ("dog", "cat", "bird", "mat", "hat", "tree"),
    "P": ("on", "near"),
    "T": ("sees", "hears", "likes"),
    "I": ("sleeps", "runs"),
}
RULES = {
    "S": (("NP VP", 1.0),),
    "NP": (("D N", 0.75), ("D N PP", 0.25)),
    "PP": (("P NP", 1.0),),
    "VP": (("T NP", 0.5), ("I", 0.5)),
}


def drawn(symbol: str, chance: random.Random) -> tuple[str, int, float]:
    """A tree, how many words it has, and -ln of its probability; words of a class are equally probable."""
    if symbol in LEXICON:
        return f"({symbol} {chance.choice(LEXICON[symbol])})", 1, math.log(len(LEXICON[symbol]))
    shapes, shares = zip(*RULES[symbol], strict=True)
    number = chance.choices(range(len(shapes)), shares)[0]
    parts = [drawn(part, chance) for part in shapes[number].split()]
    texts, words, nats = zip(*parts, strict=True)
    return f"({symbol} {' '.join(texts)})", sum(words), sum(nats) - math.log(shares[number])


def sample(folder: Path, trees: int, seed: int) -> tuple[Path, Path, float]:
    """A file of trees, one of their words, and their perplexity under the grammar: no model can expect to do better.

    No sentence has two trees, so words and trees together are as probable as the words alone.
    """
    chance = random.Random(seed)
    texts, words, nats = zip(*(drawn("S", chance) for _ in range(trees)), strict=True)
    brackets, plain = folder / f"{seed}.mrg", folder / f"{seed}.txt"
    brackets.write_text("\n".join(texts) + "\n", encoding="utf-8")
    plain.write_text("".join(" ".join(re.findall(r"(\w+)\)", text)) + "\n" for text in texts), encoding="utf-8")
    return brackets, plain, math.exp(sum(nats) / (sum(words) + trees))


@pytest.mark.parametrize("kind", ["rnng", "plm", "lstm", "transformer"])
def test_a_few_hundred_steps_reach_the_entropy_of_a_grammar(kind: str, tmp_path: Path) -> None:
    lesson, lesson_text, _ = sample(tmp_path, 400, 1)
    exam, exam_text, least = sample(tmp_path, 150, 2)
    options = {"hidden": "32", "epochs": "10", "dropout": "0"}
    if kind in ("rnng", "plm"):
        options |= {"batch": "300", "dev_sample": "1"}
    else:
        lesson, exam = lesson_text, exam_text
        options |= {"batch": "100"}
    log = train(kind, lesson, exam, output=tmp_path / "model", preset="tiny", options=options).card["log"]
    reached = min(epoch["dev"] for epoch in log["epochs"])
    assert 0.99 * least < reached < 1.1 * least
