"""Modified Kneser-Ney by its definition: dictionaries of tuples, one probability at a time. An oracle, not a tool."""

from __future__ import annotations

from collections import Counter

Words = tuple[str, ...]
BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
FALLBACK = (0.5, 1.0, 1.5)


class BruteKneserNey:
    """Chen and Goodman's interpolated model on counts that are adjusted as Kneser and Ney want."""

    def __init__(self, sentences: list[list[str]], order: int) -> None:
        self.order = order
        self.raw: list[Counter[Words]] = [Counter() for _ in range(order)]
        for sentence in sentences:
            padded = (BEGIN, *sentence, END)
            for length in range(1, order + 1):
                for at in range(len(padded) - length + 1):
                    self.raw[length - 1][padded[at : at + length]] += 1
        self.raw[0][(BEGIN,)] = 0
        self.adjusted = [self._adjusted(length) for length in range(1, order + 1)]
        self.discounts = [self._discounts(counts) for counts in self.adjusted]
        self.vocabulary = {word for (word,) in self.raw[0]} - {BEGIN} | {UNKNOWN}

    def _adjusted(self, length: int) -> Counter[Words]:
        if length == self.order:
            return self.raw[length - 1]
        found: Counter[Words] = Counter()
        for longer in self.raw[length]:  # each different one once
            found[longer[1:]] += 1
        for gram, times in self.raw[length - 1].items():
            if gram[0] == BEGIN and length > 1:
                found[gram] = times
        return found

    def _discounts(self, counts: Counter[Words]) -> tuple[float, ...]:
        n = Counter(counts.values())
        if not (n[1] and n[2] and n[3]):
            return FALLBACK
        y = n[1] / (n[1] + 2 * n[2])
        found = tuple(k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3))
        return found if all(0 <= d <= k for k, d in enumerate(found, 1)) else FALLBACK

    def probability(self, word: str, before: Words) -> float:
        """p(word | before), where `before` begins with <s>."""
        if word not in self.vocabulary:
            word = UNKNOWN
        return self._interpolated(word, before[max(0, len(before) - self.order + 1) :])

    def _interpolated(self, word: str, context: Words) -> float:
        counts = self.adjusted[len(context)]
        following = {gram[-1]: times for gram, times in counts.items() if gram[:-1] == context and times}
        lower = self._interpolated(word, context[1:]) if context else 1 / len(self.vocabulary)
        if not following:
            return lower
        discounts = (0.0, *self.discounts[len(context)])
        total = sum(following.values())
        own = following.get(word, 0)
        weight = sum(discounts[min(times, 3)] for times in following.values()) / total
        return (own - discounts[min(own, 3)]) / total + weight * lower
