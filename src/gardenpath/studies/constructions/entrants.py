"""The phrase trees of the systems under test, each in the scheme it was trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from ...errors import UsageError
from ...phrase.tree import PhraseTree
from ...suites.constructions.model import SCHEMES, ConstructionSuite
from ..phrase_trees import PhraseEntrant

_LABELS = {
    "tiger": frozenset("S NP PP VP AP AVP PN CS CNP CPP CAP CVP CO VZ NM".split()),
    "tuebadz": frozenset("SIMPX R-SIMPX NX PX ADJX ADVX VXFIN VXINF VF LK MF VC NF FKOORD FKONJ C".split()),
}
"""Categories by which a scheme is known."""
NAMES = {"tiger": "TIGER", "tuebadz": "TüBa-D/Z"}


@dataclass(frozen=True)
class Entrant:
    """One system: `kind:argument`, or a file of trees; `scheme` is empty where its trees must tell."""

    name: str
    system: PhraseEntrant
    scheme: str = ""

    @property
    def signature(self) -> str:
        return self.system.signature

    @property
    def files(self) -> list[str]:
        """The files that it reads trees from; a run depends on them."""
        return self.system.files

    def trees(self, suite: ConstructionSuite, *, jobs: int = 1, cluster: str | None = None) -> list[PhraseTree | None]:
        """The tree of each item's sentence; a sentence of several items is parsed once."""
        different = list({id(item.tree): item.tree for item in suite.items}.values())
        found = self.system.trees(different, jobs=jobs, cluster=cluster)
        by_tree = {id(tree): parse for tree, parse in zip(different, found, strict=True)}
        return [by_tree[id(item.tree)] for item in suite.items]


def entrants(names: Sequence[str]) -> list[Entrant]:
    """Systems by name: `kind:argument`, a file of trees, or either with its scheme: `tiger=pcfg:model`."""
    parts = [_parts(name) for name in names]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"named twice: {', '.join(twice)}", todo="name each system once")
    arguments = [argument for _, argument in parts]
    return [
        Entrant(argument if arguments.count(argument) == 1 else name, PhraseEntrant(argument), scheme)
        for name, (scheme, argument) in zip(names, parts, strict=True)
    ]


def _parts(name: str) -> tuple[str, str]:
    scheme, equals, argument = name.partition("=")
    return (scheme, argument) if equals and scheme in SCHEMES else ("", name)


def scheme_of(trees: Iterable[PhraseTree | None]) -> str:
    """The scheme that the categories of trees are of; empty where they do not tell."""
    counts = Counter(label for tree in trees if tree is not None for label in tree.labels)
    sums = {scheme: sum(counts[label] for label in labels) for scheme, labels in _LABELS.items()}
    best = max(sums, key=sums.__getitem__)
    return best if sums[best] > 0.5 * sum(counts.values()) else ""


def check_scheme_of(entrant: Entrant, suite: ConstructionSuite, trees: Sequence[PhraseTree | None]) -> None:
    """An error for trees of one scheme that would be judged by gold of the other."""
    found = scheme_of(trees)
    if found and found != suite.scheme:
        raise UsageError(
            f"these trees are in the scheme of {NAMES[found]}, and the suite {PurePath(suite.name).name} is in that of "
            f"{NAMES[suite.scheme]}",
            where=entrant.name,
            todo=f"take a suite in the scheme {found}, or a parallel one",
        )
