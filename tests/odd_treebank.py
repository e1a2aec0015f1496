"""A treebank with all that real ones have and the bundled ones lack, for where there are no real ones."""

from __future__ import annotations

import random

from gardenpath.data import bundled
from gardenpath.treebank import Treebank, read
from spoil import spoiled


def odd_treebank(seed: int = 0) -> Treebank:
    """200 German sentences with crossing edges and many multiword tokens; every other one has empty nodes and
    enhanced dependencies, some have a key twice in MISC or two blanks in a comment."""
    rng = random.Random(seed)
    gold = read(bundled("de-train"))[:200]
    blocks = [sentence.to_conllu() for sentence in spoiled(gold, seed, labels=0.15, tokens=0.05, spans=0.7)]
    return Treebank("".join(_odd(block, rng) for block in blocks).encode(), name="odd.conllu")


def _odd(block: str, rng: random.Random) -> str:
    rows = [line.split("\t") for line in block.rstrip("\n").split("\n")]
    words = [row for row in rows if row[0].isdecimal()]
    if rng.random() < 0.3:
        words[-1][9] = "|".join(filter(None, [words[-1][9].strip("_"), "Key=a|Key=b"]))
    if rng.random() < 0.3:
        rows.insert(0, ["# note =  two  blanks"])
    if rng.random() < 0.5:
        for row in words:
            row[8] = f"{row[6]}:{row[7]}"
        last = words[rng.randrange(len(words))]
        empty = [f"{last[0]}.1", "_", "ziehen", "VERB", *["_"] * 4, f"{last[0]}:conj", "CopyOf=1"]
        rows.insert(rows.index(last) + 1, empty)
    return "\n".join("\t".join(row) for row in rows) + "\n\n"
