"""Training n-gram models: `gardenpath train ngram`."""

from __future__ import annotations

from pathlib import Path

from ...errors import UsageError, unknown_name
from ..language_model_training import TextPlan
from ..training import Outcome
from .counts import ORDERS
from .encode import encoded
from .kneser_ney import FALLBACK, estimate, prune_limits
from .storage import save

OPTIONS = ("order", "vocabulary", "prune", "discount_fallback")


class NGramTrainer:
    """Counts have no seed, and presets make no difference: options say all."""

    folder = False

    def check(self, plan: TextPlan) -> None:
        settings(plan)

    def __call__(self, plan: TextPlan, target: Path) -> Outcome:
        order, vocabulary, prune, fallback = settings(plan)
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
            "sentences": corpus.sentences,
            "words": corpus.tokens,
            "ngrams": found.model.counts,
            "counted": found.counted,
            "discounts": [list(one.values) for one in found.discounts],
            "fallback": {str(at): one.problem for at, one in enumerate(found.discounts, 1) if one.problem},
        }
        return Outcome(options, log)


_NAMES = ("D1", "D2", "D3+")
train_ngram = NGramTrainer()


def settings(plan: TextPlan) -> tuple[int, int | None, list[int], tuple[float, float, float]]:
    """Order, vocabulary, prune limits and discounts to fall back on."""
    for name in plan.options:
        if name not in OPTIONS:
            raise unknown_name("option of ngram", name, OPTIONS)
    order = _whole(plan, "order", "3")
    if order not in ORDERS:
        raise UsageError(f"{order} is no order of a model", where="order", todo="give one from 1 to 5")
    vocabulary = _whole(plan, "vocabulary", "0")
    prune = [_number(part, "prune") for part in plan.options.get("prune", "").replace(",", " ").split()]
    prune_limits(prune, order)
    wish = plan.options.get("discount_fallback", "").replace(",", " ").split()
    try:
        first, second, third = (float(part) for part in wish) if wish else FALLBACK
    except ValueError:
        raise UsageError(
            f"{' '.join(wish)!r} are no three numbers", where="discount_fallback", todo="write it as 0.5 1 1.5"
        ) from None
    if not (0 <= first <= 1 and 0 <= second <= 2 and 0 <= third <= 3):
        raise UsageError("a discount cannot be more than the count", where="discount_fallback", todo="as 0.5 1 1.5")
    return order, vocabulary or None, prune, (first, second, third)


def _whole(plan: TextPlan, name: str, default: str) -> int:
    return _number(plan.options.get(name, default), name)


def _number(text: str, name: str) -> int:
    if not text.strip().isdecimal():
        raise UsageError(f"{text!r} is no whole number", where=name)
    return int(text)
