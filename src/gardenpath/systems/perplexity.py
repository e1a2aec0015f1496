"""Perplexity, with and without words that the model does not know, with and without the ends of sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .language_model import SurprisalScores


@dataclass(frozen=True, slots=True)
class Perplexity:
    """Counts and bits, which add up over pieces of a text."""

    sentences: int = 0
    tokens: int = 0
    oov: int = 0
    bits: float = 0.0
    """Of all tokens, without the ends of sentences."""
    oov_bits: float = 0.0
    end_bits: float | None = 0.0
    """Of all ends of sentences; None of a model that does not predict them."""

    def __add__(self, other: Perplexity) -> Perplexity:
        known = self.end_bits is not None and other.end_bits is not None
        return Perplexity(
            self.sentences + other.sentences,
            self.tokens + other.tokens,
            self.oov + other.oov,
            self.bits + other.bits,
            self.oov_bits + other.oov_bits,
            (self.end_bits or 0.0) + (other.end_bits or 0.0) if known else None,
        )

    def events(self, *, oov: bool = True, ends: bool = True) -> int:
        """What a mean is over: tokens and ends of sentences."""
        return self.tokens + (self.sentences if ends else 0) - (0 if oov else self.oov)

    def value(self, *, oov: bool = True, ends: bool = True) -> float | None:
        """2 to the mean bits per event; None where there is no event, or the ends are asked for and unknown.

        With `ends` it is what KenLM's `query` prints, including (`oov`) and excluding OOVs.
        """
        if ends and self.end_bits is None:
            return None
        events = self.events(oov=oov, ends=ends)
        bits = self.bits + ((self.end_bits or 0.0) if ends else 0.0) - (0.0 if oov else self.oov_bits)
        return float(np.exp2(bits / events)) if events else None


def perplexity(scores: SurprisalScores) -> Perplexity:
    """The counts and bits of these sentences; those on which the model failed are left out."""
    kept = [place for place in range(len(scores.surprisals)) if place not in scores.problems]
    bits = np.concatenate([np.empty(0), *(scores.surprisals[place] for place in kept)])
    oov = np.concatenate([np.empty(0, np.bool_), *(scores.oov[place] for place in kept)])
    ends = float(scores.ends[kept].sum()) if scores.ends is not None else None if kept else 0.0
    return Perplexity(len(kept), len(bits), int(oov.sum()), float(bits.sum()), float(bits[oov].sum()), ends)
