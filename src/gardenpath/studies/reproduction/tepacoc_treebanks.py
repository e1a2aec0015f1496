"""TEPACOC from a user's own TIGER and TüBa-D/Z: the suite, what to train on without it, and what is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import InputError, UsageError
from ...phrase.source import files, read
from ...phrase.tree import PhraseTree
from ...runs.inputs import describe_input
from ...runs.signature import with_hash
from ...suites.constructions.finding import misgivings
from ...suites.constructions.model import ConstructionSuite
from ...suites.constructions.sampling import as_suite, find_all, sample
from ...suites.constructions.tepacoc_list import apply_list, read_list
from .line import OTHER_DATA, Line

TABLE = "Section 2: the suite"
_COUNTED = {
    "forward conjunction reduction": "fcr", "subject gap with finite/fronted verb": "sgf",
    "coordination of unlike constituents": "cuc",
}  # fmt: skip
_BY_RULE = "Sentences that our rules find in this treebank; the paper's counts are of TIGER, Release 2, by others."


@dataclass(frozen=True)
class OwnTreebanks:
    """Where the two treebanks are, and the published list of sentences; without one, 20 are drawn per phenomenon."""

    tiger: str
    tueba: str
    listed: str = ""
    size: int = 20
    """Sentences that are drawn for each phenomenon."""

    def __post_init__(self) -> None:
        for flag, value in (("--tiger", self.tiger), ("--tueba", self.tueba)):
            if not value:
                raise UsageError("the paper compares two treebanks", where=flag, todo="name both --tiger and --tueba")

    @property
    def facts(self) -> dict[str, object]:
        """What was read, for the signature."""
        named = {"tiger": self.tiger, "tueba": self.tueba, **({"list": self.listed} if self.listed else {})}
        sources = {name: [source] if name == "list" else files(source) for name, source in named.items()}
        sums = {name: [str(describe_input(Path(file))["sha256"]) for file in sources[name]] for name in named}
        read_from = {name: with_hash(source, *sums[name]) for name, source in named.items()}
        return {**read_from, **({} if self.listed else {"drawn": self.size})}


@dataclass(frozen=True)
class OwnMaterial:
    """The suite in each scheme, and the trees of each treebank whose sentences are not in it."""

    suites: Mapping[str, ConstructionSuite]
    training: Mapping[str, list[PhraseTree]]
    counts: Mapping[str, int]
    """Sentences of the TIGER treebank with each phenomenon."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Listed sentences that gave no item, by why."""

    def lines(self, printed: Mapping[str, str]) -> Iterator[Line]:
        """What the treebanks have beside the suite itself."""
        for row, phenomenon in _COUNTED.items():
            yield Line("Section 2: sentences of TIGER", row, "sentences", printed[row], self.counts.get(phenomenon, 0),
                       why=_BY_RULE, basis=OTHER_DATA)  # fmt: skip
        for row, number in self.lost.items():
            yield Line(TABLE, row, "sentences", "", number)
        for scheme, trees in self.training.items():
            yield Line(TABLE, f"{scheme}: sentences to train on, without the suite", "sentences", "", len(trees))


def own_material(own: OwnTreebanks) -> OwnMaterial:
    """Reads both treebanks, takes the suite from them, and leaves its sentences out of the training trees."""
    rows = read_list(own.listed) if own.listed else None
    suites, training, lost = dict[str, ConstructionSuite](), dict[str, list[PhraseTree]](), dict[str, int]()
    counts = Counter[str]()
    for scheme, source in (("tiger", own.tiger), ("tuebadz", own.tueba)):
        trees = read(source)
        if doubt := misgivings(trees, scheme):
            raise InputError(doubt, where=source, todo=f"name a treebank in the scheme {scheme}")
        hits = find_all(trees, scheme) if rows is None or scheme == "tiger" else []
        if scheme == "tiger":
            having = {(hit.construction.phenomenon, hit.tree) for hit in hits}
            counts = Counter(phenomenon for phenomenon, _ in having)
        if rows is None:
            chosen = sample(trees, hits, own.size)
        else:
            applied = apply_list(rows, trees, scheme)
            chosen = list(applied.found)
            lost |= {
                f"{scheme}: listed, but not in the treebank": len(applied.absent),
                f"{scheme}: in the treebank, but not found by the rules": len(applied.without),
            }
        if not chosen:
            todo = "is this the treebank that the list is of?" if rows is not None else "name a larger treebank"
            raise InputError("no sentence of the suite is here", where=source, todo=todo)
        suites[scheme] = as_suite(trees, chosen, name="TEPACOC", release="", scheme=scheme)
        known = {trees[hit.tree].words for hit in chosen}
        training[scheme] = [tree for tree in trees if tree.words not in known]
        if not training[scheme]:
            raise InputError("nothing is left to train on", where=source, todo="name the whole treebank")
    return OwnMaterial(suites, training, counts, lost)
