"""`unigram:FILE`: a language model that knows how often words occur."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import UsageError, unknown_name
from gardenpath.runs import describe_input, signature
from gardenpath.systems import Outcome, Sentences, TextPlan, TextTrainer


class Unigram:
    """Add-one frequencies of words, and of the end of a sentence; all unknown words are one word."""

    def __init__(self, argument: str) -> None:
        self.name = f"unigram:{argument}"
        self.counts: dict[str, int] = json.loads(Path(argument).read_text(encoding="utf-8"))
        self.sha256: str = describe_input(Path(argument))["sha256"]

    @property
    def signature(self) -> str:
        return signature(("kind", "unigram"), ("model", self.sha256[:12]))

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        total = sum(self.counts.values()) + len(self.counts) + 1
        return [
            np.array([math.log2(total) - math.log2(self.counts.get(word, 0) + 1) for word in sentence])
            for sentence in sentences
        ]

    def oov(self, sentences: Sentences) -> list[NDArray[np.bool_]]:
        return [np.array([word not in self.counts for word in sentence], bool) for sentence in sentences]


class UnigramTrainer(TextTrainer[int]):
    """Counting has no seed. The one option is `least`: how often a word must occur to be known."""

    folder = False
    presets = False

    def seeded(self, settings: int) -> bool:
        return False

    def settings(self, preset: str, options: Mapping[str, str]) -> int:
        for name in options:
            if name != "least":
                raise unknown_name("option of unigram", name, ("least",))
        text = options.get("least", "1")
        if not text.isdecimal():
            raise UsageError(f"{text!r} is not a whole number", where="least")
        return int(text)

    def learn(self, plan: TextPlan[int], target: Path) -> Outcome:
        sentences = [list(sentence) for sentence in plan.train.sentences()]
        counts = Counter(word for sentence in sentences for word in sentence)
        kept = {word: count for word, count in sorted(counts.items()) if count >= plan.settings}
        plan.tell(f"{len(kept)} known words")
        target.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
        return Outcome({"least": plan.settings}, {"known": len(kept)}, len(sentences), counts.total())
