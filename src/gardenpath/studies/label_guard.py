"""The label guard: where gold and system hardly have labels in common, no score is given without saying so.

A label of a system is foreign where neither gold nor, if gold follows Universal Dependencies, that scheme has it. Also
tags and features are guarded where they are scored. What a system does not give at all is not foreign, and is said too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import UsageError
from ..treebank.scores import CONTENT, FUNCTIONAL, UNIVERSAL_FEATURES, universal
from ..treebank.treebank import Treebank

FOREIGN = 0.25
"""More foreign labels than this, and the guard speaks. ClearNLP's labels against UD are some 40 per cent foreign."""
_SHOWN = 5
_RELATIONS = CONTENT | FUNCTIONAL | {"punct"}
_TAGS = frozenset("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())


@dataclass(frozen=True)
class Layer:
    """What is compared: a column, how its cells are cut into labels, what UD has there, and what to do instead."""

    name: str
    column: str
    labels: Callable[[str], Iterable[str]]
    universal: frozenset[str] = frozenset()
    instead: str = ""


def _features(cell: str) -> list[str]:
    return [pair for pair in cell.split("|") if pair.partition("=")[0] in UNIVERSAL_FEATURES]


LABELS = Layer(
    "labels", "deprel", lambda cell: [universal(cell)], _RELATIONS,
    "UAS compares heads alone; for scores with labels bring both to one scheme",
)  # fmt: skip
TAGS = Layer("tags", "upos", lambda cell: [cell], _TAGS, "do not read UPOS, AllTags and MLAS")
OWN_TAGS = Layer("tags of their own", "xpos", lambda cell: [cell], instead="do not read XPOS and AllTags")
FEATURES = Layer("features", "feats", _features, instead="do not read UFeats, AllTags and MLAS")

_LAYERS = {"UPOS": "upos", "XPOS": "xpos", "UFeats": "feats", "Lemmas": "lemma"}
"""What a parser need not give, with its column."""


def guard(gold: Treebank, system: Treebank, layers: Sequence[Layer] = (LABELS,)) -> list[ForeignLabels]:
    """The layers in which the system hardly has what gold has."""
    compared = [ForeignLabels(layer, _counts(gold, layer), _counts(system, layer)) for layer in layers]
    return [labels for labels in compared if labels.share > FOREIGN]


def missing_layers(gold: Treebank, system: Treebank) -> list[str]:
    """The layers that gold has and the system does not give at all, by the names of their metrics."""
    return [name for name, column in _LAYERS.items() if _has(gold, column) and not _has(system, column)]


def _has(treebank: Treebank, column: str) -> bool:
    cells = treebank.column(column)
    there = np.bincount(cells.codes, minlength=len(cells.values))  # np.unique would import numpy.ma: 7 ms
    return any(cells.values[code] != "_" for code in np.flatnonzero(there).tolist())


@dataclass(frozen=True)
class ForeignLabels:
    """How often each label is in gold and in the system's trees."""

    layer: Layer
    gold: Mapping[str, int]
    system: Mapping[str, int]

    @property
    def words(self) -> int:
        """How many of the system's labels are foreign."""
        known = set(self.gold)
        if 2 * sum(self.gold[label] for label in known & self.layer.universal) > sum(self.gold.values()):
            known |= self.layer.universal
        return sum(count for label, count in self.system.items() if label not in known)

    @property
    def share(self) -> float:
        total = sum(self.system.values())
        return self.words / total if total and self.gold else 0.0

    @property
    def failure(self) -> str:
        """As it is counted."""
        return f"{self.layer.name} that gold does not know"

    def refusal(self, system: str) -> UsageError:
        """The same as an error, for --strict."""
        return UsageError(self._what(), where=system, todo=f"{self._instead()}; without --strict this is a warning")

    def warning(self) -> str:
        return f"warning: {self._what()}; {self._instead()}"

    def _instead(self) -> str:
        """What to do: cross the bridge where there is one for these labels."""
        from ..systems.label_bridges import fitting  # needed where labels are foreign alone

        bridge = fitting(self.system) if self.layer is LABELS and not fitting(self.gold) else None
        if bridge is None:
            return self.layer.instead
        return (
            f"the bridge {bridge.name} brings such trees to UD: spacy:NAME (without #labels=keep) or "
            f"conllu:FILE#labels={bridge.scheme}; {self.layer.instead}"
        )

    def _what(self) -> str:
        return (
            f"{self.share:.0%} of its {self.layer.name} are none that gold knows: "
            f"it has {_listed(self.system)}, gold has {_listed(self.gold)}"
        )


def _counts(treebank: Treebank, layer: Layer) -> dict[str, int]:
    """The labels of all words that have some, most frequent first; a word with a head has one, be it `_`."""
    column = treebank.column(layer.column)
    codes = column.codes[treebank.heads >= 0] if layer is LABELS else column.codes
    counts = Counter[str]()
    for cell, count in zip(column.values, np.bincount(codes, minlength=len(column.values)).tolist(), strict=True):
        if count and (cell != "_" or layer is LABELS):
            for label in layer.labels(cell):
                counts[label] += count
    return dict(counts.most_common())


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(list(counts)[:_SHOWN]) + (", …" if len(counts) > _SHOWN else "")
