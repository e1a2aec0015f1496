"""Training n-gram models: `gardenpath train ngram`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gardenpath.errors import UsageError, unknown_name
from gardenpath.systems import Outcome, TextPlan, TextTrainer

from .columns import Scratch
from .counts import ORDERS, encoded
from .kneser_ney import FALLBACK, estimate, prune_limits
from .system import save

OPTIONS = ("order", "vocabulary", "prune", "discount_fallback", "memory")


class NGramSettings(NamedTuple):
    """The options: words in the longest n-gram, the largest vocabulary, limits, discounts to fall back on, and from
    how many bytes on counts go to files."""

    order: int
    vocabulary: int | None
    prune: list[int]
    fallback: tuple[float, float, float]
    memory: int | None = None


class NGramTrainer(TextTrainer[NGramSettings]):
    """Counts have no seed, and presets make no difference: options say all."""

    folder = False
    presets = False

    def seeded(self, settings: NGramSettings) -> bool:
        return False

    def settings(self, preset: str, options: Mapping[str, str]) -> NGramSettings:
        return settings_of(options)

    def learn(self, plan: TextPlan[NGramSettings], target: Path) -> Outcome:
        order, vocabulary, prune, fallback, memory = plan.settings
        scratch = Scratch(memory, target.parent)  # beside the model, where there must be room for it anyway
        corpus = encoded((stretch.tokens() for stretch in plan.train.stretches()), vocabulary, scratch)
        plan.tell(f"{corpus.tokens} tokens, {corpus.sentences} sentences, {len(corpus.words) - 3} different words")
        estimated = estimate(corpus, order, prune=prune, fallback=fallback)
        for length, (discounts, counted) in enumerate(zip(estimated.discounts, estimated.counted, strict=True), 1):
            kept = estimated.model.counts[length - 1]
            shown = " ".join(f"{name}={value:.6g}" for name, value in zip(_NAMES, discounts.values, strict=True))
            left = f", {kept} after pruning" if kept != counted else ""
            plan.tell(f"{length}-grams: {counted}{left}, {shown}")
            if discounts.problem:
                plan.tell(
                    f"warning: the text is too small or too regular to tell the discounts of {length}-grams "
                    f"({discounts.problem}); those above were put in their place"
                )
        save(estimated.model, target)
        options = {
            "order": order, "vocabulary": vocabulary, "prune": list(prune), "discount_fallback": list(fallback),
        }  # fmt: skip
        log = {
            "ngrams": estimated.model.counts,
            "counted": estimated.counted,
            "discounts": [list(one.values) for one in estimated.discounts],
            "fallback": {str(at): one.problem for at, one in enumerate(estimated.discounts, 1) if one.problem},
        }
        return Outcome(options, log, corpus.sentences, corpus.tokens)


_NAMES = ("D1", "D2", "D3+")
_UNITS = {"M": 1 << 20, "G": 1 << 30}


def settings_of(given: Mapping[str, str]) -> NGramSettings:
    """The options over their defaults; raises where one is wrong."""
    for name in given:
        if name not in OPTIONS:
            raise unknown_name("option of ngram", name, OPTIONS)
    order = _number(given.get("order", "3"), "order")
    if order not in ORDERS:
        raise UsageError(f"{order} is not an order of a model", where="order", todo="give one from 1 to 5")
    vocabulary = _number(given.get("vocabulary", "0"), "vocabulary")
    prune = [_number(part, "prune") for part in given.get("prune", "").replace(",", " ").split()]
    prune_limits(prune, order)
    wish = given.get("discount_fallback", "").replace(",", " ").split()
    try:
        first, second, third = (float(part) for part in wish) if wish else FALLBACK
    except ValueError:
        raise UsageError(
            f"{' '.join(wish)!r} are not three numbers", where="discount_fallback", todo="write it as 0.5 1 1.5"
        ) from None
    if not (0 <= first <= 1 and 0 <= second <= 2 and 0 <= third <= 3):
        raise UsageError("a discount cannot be more than the count", where="discount_fallback", todo="as 0.5 1 1.5")
    memory = _bytes(given["memory"]) if "memory" in given else None
    return NGramSettings(order, vocabulary or None, prune, (first, second, third), memory)


def _bytes(text: str) -> int:
    """`800M` or `2G` as a number; less than a megabyte would only be slow."""
    number, unit = text[:-1], text[-1:].upper()
    if unit not in _UNITS or not number.isdecimal() or int(number) < 1:
        raise UsageError(f"{text!r} is not an amount of memory", where="memory", todo="write it as 800M or 2G")
    return int(number) * _UNITS[unit]


def _number(text: str, name: str) -> int:
    if not text.strip().isdecimal():
        raise UsageError(f"{text!r} is not a whole number", where=name)
    return int(text)
