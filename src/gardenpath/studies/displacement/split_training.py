"""One parser trained and scored on one split of one treebank: a task that any process or cluster can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from ..._packages import version_of
from ..._version import __version__
from ...errors import GardenpathError
from ...runs.scratch import scratch_folder
from ...runs.signature import digest
from ...runs.where import Where
from ...stats.distance import wasserstein
from ...treebank.dealt_units import Split
from ...treebank.displacement_split import SHORTEST, Extreme, Procedure, displacement_split
from ...treebank.split import random_split
from ...treebank.split_chance import distance
from ...treebank.tree import tree_mask
from ...treebank.treebank import Treebank

PARTS = ("train", "dev", "test")
SHARES = (0.6, 0.2, 0.2)
"""Of the parts, as in the paper."""
OFFICIAL = "official"
"""The split that the files of a treebank have."""
_DEALT = "same words together"
"""How sentences are dealt out: what the cache has of an earlier way is of other splits."""


@dataclass(frozen=True, slots=True)
class SplitTraining:
    """A split by name (min, max, random) and what to train on it. The bytes come along: a worker needs no file."""

    treebank: str
    data: bytes
    split: str
    draw: int
    seed: int
    parser: str
    preset: str
    options: tuple[tuple[str, str], ...]
    gold: tuple[str, ...]
    procedure: Procedure = "best"
    sizes: tuple[int, ...] | None = None
    """Sentences of train, dev and test of the official split, which stand in `data` in this order."""

    @property
    def shares(self) -> tuple[float, ...]:
        """Of train, dev and test: those of the official split where it is trained, too."""
        return SHARES if self.sizes is None else tuple(size / sum(self.sizes) for size in self.sizes)

    @property
    def name(self) -> str:
        return f"{self.treebank} {self.split}" + (f" {self.draw}" if self.draw else "")

    @property
    def key(self) -> str:
        """Everything that the scores depend on; not the treebank's name."""
        asked = (
            _DEALT, self.split, self.draw, self.seed, self.parser, self.preset, self.options, self.gold, self.shares,
        )  # fmt: skip
        # Random splits are the same ones beside either procedure.
        variant = [self.procedure] if self.split != "random" and self.procedure != "best" else []
        return digest(self.data, repr(asked), __version__, release_of(self.parser), *variant)

    def split_of(self, treebank: Treebank) -> Split:
        """The named split; random ones differ by their number."""
        if self.split == OFFICIAL and self.sizes is not None:
            bounds = [0, *accumulate(self.sizes)]
            return Split({part: np.arange(*ends) for part, ends in zip(PARTS, pairwise(bounds), strict=True)})
        train, dev, test = self.shares
        if self.split == "random":
            own = int(np.random.default_rng([self.seed, self.draw]).integers(1 << 31))
            return random_split(treebank, train=train, dev=dev, test=test, seed=own, near=None)
        extreme: Extreme = "min" if self.split == "min" else "max"
        return displacement_split(
            treebank, extreme, train=train, dev=dev, test=test, seed=self.seed, procedure=self.procedure, near=None
        )


def usable(treebank: Treebank) -> tuple[Treebank | None, dict[str, int]]:
    """The trees of three words and more, on which all splits are made, and how many sentences are left out why."""
    trees = tree_mask(treebank.heads, treebank.offsets)
    long = treebank.lengths >= SHORTEST
    left = {"shorter than 3 words": int((~long).sum()), "not a tree": int((long & ~trees).sum())}
    kept = trees & long
    usable_part = (treebank if kept.all() else treebank.select(kept)) if kept.any() else None
    return usable_part, {why: count for why, count in left.items() if count}


def ready(task: SplitTraining) -> None:
    """Loads the parser's package, before the clock of a time limit starts."""
    from ...systems.registry import kinds

    known = kinds()[task.parser]
    known.load(known.trainer)


def trained(task: SplitTraining) -> dict[str, Any]:
    """Makes the split, trains, parses the gold tokens of the test part, and scores; the model is not kept."""
    from ...systems.parsing import parse_with
    from ...systems.training import train
    from ...treebank.scores import score

    treebank = Treebank(task.data, name=task.treebank)
    split = task.split_of(treebank)
    parts = {part: treebank.select(numbers) for part, numbers in split.parts.items()}
    with scratch_folder() as folder:
        try:
            model = train(
                task.parser, parts["train"], parts["dev"], output=folder / "model", preset=task.preset,
                seed=task.seed, options=dict(task.options),
            )  # fmt: skip
            parsed = parse_with(model.system, parts["test"], gold=task.gold, where=Where(cache=False, progress=False))
        except GardenpathError as error:
            error.add_note(f"on the split {task.name}")
            raise
    scores = score(parts["test"], parsed.treebank)
    return {
        **measured(treebank, split, parts),
        "las": scores.f1("LAS"),
        "uas": scores.f1("UAS"),
        "upos": scores.f1("UPOS"),
        "failures": dict(parsed.failures),
    }


def measured(treebank: Treebank, split: Split, parts: Mapping[str, Treebank]) -> dict[str, float]:
    """What Table 7 correlates: EDV, SLV, sizes and mean length."""
    edv = distance(treebank, split, draws=0)
    assert edv is not None  # every part has trees of three words
    return {
        "edv": edv.edv,
        "edv_heights": edv.edv_heights,
        "slv": _length_distance(parts["train"].lengths, parts["test"].lengths),
        "trees": len(treebank),
        "train_sentences": len(parts["train"]),
        "train_tokens": parts["train"].word_count,
        "test_tokens": parts["test"].word_count,
        "test_length": float(parts["test"].lengths.mean()),
    }


def _length_distance(first: Any, second: Any) -> float:
    """SLV: the Wasserstein distance between two distributions of sentence lengths."""
    longest = int(max(first.max(), second.max())) + 1
    return float(wasserstein(*(np.bincount(one, minlength=longest) for one in (first, second))))


def release_of(parser: str) -> str:
    """Which release of the parser's package: another one may train another model."""
    package = {"udpipe": "ufal.udpipe"}.get(parser, parser)
    version = version_of(package)
    return f"{package} {version}" if version else parser
