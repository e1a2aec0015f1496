"""Morphological complexity (EDV, Appendix C) from counters, in plain Python: for both scripts."""

from collections import Counter, defaultdict
from math import log2


def morphology(forms, lemma_forms, head_tags):
    """forms: how often each; lemma_forms: the forms of each lemma; head_tags: counts of head tags by (tag, feats)."""
    words = sum(forms.values())
    sizes = [len(found) for found in lemma_forms.values()]
    inflected = [size for size in sizes if size > 1]
    parts = {
        "word_entropy": entropy(forms),
        "type_token_ratio": len(forms) / words,
        "form_to_lemma": 1 - len(sizes) / sum(sizes),
        "form_to_inflected_lemma": 1 - len(inflected) / sum(inflected) if inflected else 0.0,
        "head_pos_entropy": 1 - sum(map(entropy, head_tags.values())) / len(head_tags),
    }
    return {**parts, "morphological_complexity": sum(parts.values()) / 5}


def entropy(counts):
    """Of the observed shares, divided by its largest possible value."""
    if len(counts) == 1:
        return 0.0
    total = sum(counts.values())
    return -sum(n / total * log2(n / total) for n in counts.values()) / log2(len(counts))


def in_range(displacements):
    """The histogram from -30 to 30; the rest is counted as outside."""
    found = Counter()
    for value, count in displacements.items():
        found[value if -30 <= value <= 30 else "outside"] += count
    return found


def tables():
    """Counters for the forms of each lemma and the head tags of each (tag, feats)."""
    return defaultdict(set), defaultdict(Counter)
