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
from .borders import means, ratios, slices, sums
from .groups import Groups
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
    return morphologies(Groups(treebank), variant)[0]


def morphologies(groups: Groups, variant: Variant = "text") -> list[Morphology]:
    """The five measures of each group of sentences."""
    if variant not in VARIANTS:
        raise unknown_name("variant", variant, VARIANTS)
    form = groups.strings("form")
    columns = (
        _word_entropies(groups),
        (form.kinds / np.diff(groups.word_borders)).tolist(),
        *_forms_per_lemma(groups, variant),
        _head_pos_entropies(groups, variant),
    )
    return [Morphology(*row) for row in zip(*columns, strict=True)]


def lemma_mask(treebank: Treebank) -> NDArray[np.bool_]:
    """Which words have a lemma: all but those with `_`, which is a lemma only of the form `_`."""
    form, lemma = treebank.column("form"), treebank.column("lemma")
    mask: NDArray[np.bool_] = (lemma.codes != lemma.code("_")) | (form.codes == form.code("_"))
    return mask


def _word_entropies(groups: Groups) -> list[float]:
    form = groups.strings("form")
    counts = np.bincount(form.codes, minlength=len(form.column_codes))
    share = counts / np.repeat(np.diff(groups.word_borders), form.kinds)
    most = np.log2(form.kinds).tolist()
    parts = slices(share * np.log2(share), form.borders)
    return [float(-np.add.reduce(part) / log) if log else 0.0 for part, log in zip(parts, most, strict=True)]


def _forms_per_lemma(groups: Groups, variant: Variant) -> tuple[list[float | None], list[float | None]]:
    form, lemma = groups.strings("form"), groups.strings("lemma")
    kept = np.ones(len(form.codes), dtype=bool) if variant == "script" else lemma_mask(groups.treebank)
    size = len(form.column_codes)
    pairs, _ = _distinct(lemma.codes[kept], form.codes[kept], size)
    forms = np.bincount(pairs // size, minlength=len(lemma.column_codes))
    lemmas, all_forms = sums(forms > 0, lemma.borders), sums(forms, lemma.borders)
    inflected, their_forms = (
        sums(forms > 1, lemma.borders), sums(np.where(forms > 1, forms, 0), lemma.borders)
    )  # fmt: skip
    every = [None if share is None else 1 - share for share in ratios(lemmas, all_forms)]
    # With no inflected lemma it is 0; with no lemma at all it is not defined.
    several = [
        None if whole is None else 0.0 if share is None else 1 - share
        for whole, share in zip(every, ratios(inflected, their_forms), strict=True)
    ]
    return every, several


def _head_pos_entropies(groups: Groups, variant: Variant) -> list[float | None]:
    treebank = groups.treebank
    upos, feats, heads = groups.strings("upos"), groups.strings("feats"), treebank.heads
    head_tags = upos.codes[parents(heads, treebank.offsets)]
    root = heads == 0
    if variant == "script":
        head_tags[root] = np.repeat(upos.codes[treebank.offsets[1:] - 1], treebank.lengths)[root]
    else:
        head_tags[root] = len(upos.column_codes)  # ROOT: a tag of its own
    headed = heads >= 0
    # A unit is a tag with its features; units of a group follow each other, as its codes do.
    units, unit_of_word = np.unique(
        upos.codes[headed].astype(np.int64) * len(feats.column_codes) + feats.codes[headed], return_inverse=True
    )
    unit_borders = np.searchsorted(units, upos.borders * len(feats.column_codes))
    tags = len(upos.column_codes) + 1
    pairs, counts = _distinct(unit_of_word, head_tags[headed], tags)
    unit = pairs // tags
    share = counts / np.bincount(unit, weights=counts)[unit]
    entropies = np.bincount(unit, weights=-share * np.log2(share))
    choices = np.bincount(unit) if variant == "text" else np.repeat(upos.kinds, np.diff(unit_borders))
    # With one tag to choose from there is no entropy, and no log2 to divide it by.
    normalised = np.divide(entropies, np.log2(choices), out=np.zeros(len(entropies)), where=choices > 1)
    return [None if mean is None else 1 - mean for mean in means(normalised, unit_borders)]


def _distinct(left: Ints, right: Ints, size: int) -> tuple[Ints, Ints]:
    """The different pairs, as left * size + right, and how often each occurs."""
    pairs, counts = np.unique(left.astype(np.int64) * size + right, return_counts=True)
    return pairs, counts
