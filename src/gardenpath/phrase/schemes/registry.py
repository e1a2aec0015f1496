"""The schemes that are known, by name or by the trees themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..._text import either
from ...errors import unknown_name

if TYPE_CHECKING:
    from ..tree import PhraseTree
    from .model import Scheme, Tags

SCHEMES = ("tiger", "tuebadz", "ptb", "sinica", "ctb")
"""The names of all schemes, each read from its file when it is asked for."""
DEPENDENCIES = "ud"
"""The scheme of dependency trees, which can be written as phrases too; it is offered for no phrase trees."""
LISTED = either(SCHEMES)
"""The names as help texts list them."""


def scheme(name: str | Scheme) -> Scheme:
    """The scheme of this name; a scheme stands for itself.

    >>> scheme("tuebadz").title
    'TüBa-D/Z'
    """
    if not isinstance(name, str):
        return name
    if name not in (*SCHEMES, DEPENDENCIES):
        raise unknown_name("annotation scheme", name, SCHEMES)
    return _loaded(name)


def scheme_of(trees: Iterable[PhraseTree | None]) -> Scheme | None:
    """The scheme that most categories of these trees belong to; None where they do not tell. Of two that share theirs
    (NP, PP, VP and S say little), the one that more tags belong to."""
    there = [tree for tree in trees if tree is not None]
    counts = Counter(label for tree in there for label in tree.labels)
    tags = Counter(tag for tree in there for tag in tree.tags)
    sums = {name: sum(counts[label] for label in _loaded(name).categories.known_by) for name in SCHEMES}
    tagged = {name: sum(tags[tag] for tag in _telling(_loaded(name).tags)) for name in SCHEMES}
    best = max(SCHEMES, key=lambda name: (sums[name], tagged[name]))
    return _loaded(best) if sums[best] > 0.5 * sum(counts.values()) else None


def _telling(tags: Tags) -> frozenset[str]:
    return tags.finite | tags.nonfinite | tags.prepositions | tags.attachable


def title_of(name: str) -> str:
    """How people write a scheme; a name from elsewhere that is not known stays as it is."""
    return _loaded(name).title if name in (*SCHEMES, DEPENDENCIES) else name


def _loaded(name: str) -> Scheme:
    from .model import read_scheme

    return read_scheme(name)
