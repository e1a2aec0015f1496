"""Training n-gram models: `gardenpath train ngram`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ...errors import UsageError, unknown_name
from ..language_model_training import TextPlan, TextTrainer
from ..trainer import Learned
from .counts import ORDERS
from .encode import encoded
from .kneser_ney import FALLBACK, estimate, prune_limits
from .storage import save

OPTIONS = ("order", "vocabulary", "prune", "discount_fallback")


class Settings(NamedTuple):
    """The options: words in the longest n-gram, the largest vocabulary, limits, and discounts to fall back on."""

    order: int
    vocabulary: int | None
    prune: list[int]
    fallback: tuple[float, float, float]


class NGramTrainer(TextTrainer[Settings]):
    """Counts have no seed, and presets make no difference: options say all."""

    folder = False

    def settings(self, preset: str, options: Mapping[str, str]) -> Settings:
        return settings_of(options)

    def __call__(self, plan: TextPlan[Settings], target: Path) -> Learned:
        order, vocabulary, prune, fallback = plan.settings
        corpus = encoded((stretch.tokens() for stretch in plan.train.stretches()), vocabulary)
        plan.tell(f"{corpus.tokens} tokens, {corpus.sentences} sentences, {len(corpus.words) - 3} different words")
        found = estimate(corpus, order, prune=prune, fallback=fallback)
        for length, (discounts, counted) in enumerate(zip(found.discounts, found.counted, strict=True), 1):
            kept = found.model.counts[length - 1]
            shown = " ".join(f"{name}={value:.6g}" for name, value in zip(_NAMES, discounts.values, strict=True))
            left = f", {kept} after pruning" if kept != counted else ""
            plan.tell(f"{length}-grams: {counted}{left}, {shown}")
            if discounts.problem:
                plan.tell(
                    f"warning: the text is too small or too regular to tell the discounts of {length}-grams "
                    f"({discounts.problem}); those above were put in their place"
                )
        save(found.model, target)
        options = {
            "order": order, "vocabulary": vocabulary, "prune": list(prune), "discount_fallback": list(fallback),
        }  # fmt: skip
        log = {
            "ngrams": found.model.counts,
            "counted": found.counted,
            "discounts": [list(one.values) for one in found.discounts],
            "fallback": {str(at): one.problem for at, one in enumerate(found.discounts, 1) if one.problem},
        }
        return Learned(options, log, corpus.sentences, corpus.tokens)


_NAMES = ("D1", "D2", "D3+")
train_ngram = NGramTrainer()


def settings_of(given: Mapping[str, str]) -> Settings:
    """The options over their defaults; raises where one is wrong."""
    for name in given:
        if name not in OPTIONS:
            raise unknown_name("option of ngram", name, OPTIONS)
    order = _number(given.get("order", "3"), "order")
    if order not in ORDERS:
        raise UsageError(f"{order} is no order of a model", where="order", todo="give one from 1 to 5")
    vocabulary = _number(given.get("vocabulary", "0"), "vocabulary")
    prune = [_number(part, "prune") for part in given.get("prune", "").replace(",", " ").split()]
    prune_limits(prune, order)
    wish = given.get("discount_fallback", "").replace(",", " ").split()
    try:
        first, second, third = (float(part) for part in wish) if wish else FALLBACK
    except ValueError:
        raise UsageError(
            f"{' '.join(wish)!r} are no three numbers", where="discount_fallback", todo="write it as 0.5 1 1.5"
        ) from None
    if not (0 <= first <= 1 and 0 <= second <= 2 and 0 <= third <= 3):
        raise UsageError("a discount cannot be more than the count", where="discount_fallback", todo="as 0.5 1 1.5")
    return Settings(order, vocabulary or None, prune, (first, second, third))


def _number(text: str, name: str) -> int:
    if not text.strip().isdecimal():
        raise UsageError(f"{text!r} is no whole number", where=name)
    return int(text)
