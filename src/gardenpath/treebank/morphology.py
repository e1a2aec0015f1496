"""Morphological complexity of a treebank: the five measures of EDV, Appendix C, and their mean.

`variant="text"` is what the appendix says, with these choices where it says nothing: a root is headed by the
tag ROOT; a lemma `_` is no lemma, unless the form is `_` too; one type has entropy 0; with no inflected lemma
F/iL* is 0; what cannot be computed (no lemma, no head in the file) is None, and then the mean is None too.
`variant="script"` is what the authors' program does: HPE_d is divided by log2 of the number of all UPOS tags,
a root is headed by the last word of its sentence, and `_` is a lemma like others. In both, words without a
head have no part in HPE, and forms are words (not surface tokens), upper and lower case kept apart.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import unknown_name
from .pool import Column
from .tree import parents
from .treebank import Treebank

Variant = Literal["text", "script"]
VARIANTS: tuple[Variant, ...] = ("text", "script")

Ints = NDArray[Any]


class Morphology(NamedTuple):
    """Each from 0 (no morphological complexity) to 1; None where the treebank lacks what it is made from."""

    word_entropy: float
    """H*_word, Equation C.2."""
    type_token_ratio: float
    """TTR, Equation C.3."""
    form_to_lemma: float | None
    """F/L*, Equation C.5."""
    form_to_inflected_lemma: float | None
    """F/iL*, Equation C.7."""
    head_pos_entropy: float | None
    """HPE*, Equation C.11."""

    @property
    def complexity(self) -> float | None:
        """MC, Equation C.12: the mean of the five."""
        known = [value for value in self if value is not None]
        return sum(known) / 5 if len(known) == 5 else None


def morphological_complexity(treebank: Treebank, variant: Variant = "text") -> Morphology:
    """The five measures of a treebank."""
    if variant not in VARIANTS:
        raise unknown_name("variant", variant, VARIANTS)
    form = treebank.column("form")
    all_lemmas, inflected = _forms_per_lemma(treebank, variant)
    return Morphology(
        _word_entropy(form),
        len(form.values) / len(form),
        all_lemmas,
        inflected,
        _head_pos_entropy(treebank, variant),
    )


def lemma_mask(treebank: Treebank) -> NDArray[np.bool_]:
    """Which words have a lemma: all but those with `_`, which is a lemma only of the form `_`."""
    form, lemma = treebank.column("form"), treebank.column("lemma")
    mask: NDArray[np.bool_] = (lemma.codes != lemma.code("_")) | (form.codes == form.code("_"))
    return mask


def _word_entropy(form: Column) -> float:
    kinds = len(form.values)
    if kinds == 1:
        return 0.0
    share = np.bincount(form.codes, minlength=kinds) / len(form)
    return float(-(share * np.log2(share)).sum() / np.log2(kinds))


def _forms_per_lemma(treebank: Treebank, variant: Variant) -> tuple[float | None, float | None]:
    form, lemma = treebank.column("form"), treebank.column("lemma")
    kept = np.ones(len(form), dtype=bool) if variant == "script" else lemma_mask(treebank)
    pairs, _ = _distinct(lemma.codes[kept], form.codes[kept], len(form.values))
    forms = np.bincount(pairs // len(form.values))
    forms = forms[forms > 0]
    if len(forms) == 0:
        return None, None
    inflected = forms[forms > 1]
    every = 1 - len(forms) / int(forms.sum())
    return every, 1 - len(inflected) / int(inflected.sum()) if len(inflected) else 0.0


def _head_pos_entropy(treebank: Treebank, variant: Variant) -> float | None:
    upos, feats, heads = treebank.column("upos"), treebank.column("feats"), treebank.heads
    head_tags = upos.codes[parents(heads, treebank.offsets)]
    root = heads == 0
    if variant == "script":
        head_tags[root] = np.repeat(upos.codes[treebank.offsets[1:] - 1], treebank.lengths)[root]
    else:
        head_tags[root] = len(upos.values)  # ROOT: a tag of its own
    headed = heads >= 0
    if not headed.any():
        return None
    units = upos.codes.astype(np.int64) * len(feats.values) + feats.codes
    _, units = np.unique(units[headed], return_inverse=True)
    tags = len(upos.values) + 1
    pairs, counts = _distinct(units, head_tags[headed], tags)
    unit = pairs // tags
    share = counts / np.bincount(unit, weights=counts)[unit]
    entropies = np.bincount(unit, weights=-share * np.log2(share))
    choices = np.bincount(unit) if variant == "text" else np.full(len(entropies), len(upos.values))
    # With one tag to choose from there is no entropy, and no log2 to divide it by.
    normalised = np.divide(entropies, np.log2(choices), out=np.zeros(len(entropies)), where=choices > 1)
    return float(1 - normalised.mean())


def _distinct(left: Ints, right: Ints, size: int) -> tuple[Ints, Ints]:
    """The different pairs, as left * size + right, and how often each occurs."""
    pairs, counts = np.unique(left.astype(np.int64) * size + right, return_counts=True)
    return pairs, counts
