"""A suite of regions: items × conditions × regions, and predictions about the surprisal of regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import Any

from .formula import Formula, atoms_of, parse_formula

METRICS = ("sum", "mean", "median", "range", "max", "min")
"""How the surprisals of a region's tokens become one number."""
OURS = "gardenpath"
"""The key of SyntaxGym's `meta` that holds what it has no place for: the properties of the suite."""


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a sentence; its words are separated by blanks. `extra` is what else a file says of it."""

    number: int
    content: str
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.content.split())


@dataclass(frozen=True, slots=True)
class Condition:
    """One sentence of an item, in regions."""

    name: str
    regions: tuple[Region, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for region in self.regions for word in region.words)

    def text(self, joiner: str = " ") -> str:
        """The sentence as it is written: `joiner` is empty for languages without blanks."""
        return joiner.join(self.words)

    def region(self, number: int) -> Region | None:
        return next((region for region in self.regions if region.number == number), None)


@dataclass(frozen=True, slots=True)
class Item:
    """The same sentence in all its conditions; `line` is where it begins in its file."""

    id: str
    conditions: tuple[Condition, ...]
    line: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def columns(self) -> Mapping[str, Any]:
        """What the file says of the item: the fields of its line of JSON, the cells of its row, or its further keys."""
        if self.extra.keys() in ({"row"}, {"cells"}):
            whole: Mapping[str, Any] = next(iter(self.extra.values()))
            return whole
        rest = {key: value for key, value in self.extra.items() if key not in ("row", "cells", "rows", "bad_first")}
        return {**rest, **self.extra.get("row", {}), **self.extra.get("cells", {})}

    def condition(self, name: str) -> Condition | None:
        return next((condition for condition in self.conditions if condition.name == name), None)


@dataclass(frozen=True)
class Prediction:
    """What must hold of an item, as a formula over the surprisal of regions."""

    formula: str
    where: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def tree(self) -> Formula:
        """The formula, taken apart; one with a typo is an error that shows the place."""
        return parse_formula(self.formula, self.where)


@dataclass(frozen=True, eq=False)
class RegionSuite:
    """A suite by its file (`name`) and its own title, as `cls_adj`."""

    name: str
    title: str
    items: Sequence[Item]
    predictions: Sequence[Prediction]
    region_names: Mapping[int, str]
    format: str
    metric: str = "sum"
    joiner: str = " "
    """What stands between words in running text: nothing in Chinese."""
    segmented: bool = True
    """False where the text has no word boundaries (CLiMP): tokens are characters then."""
    properties: Mapping[str, str] = field(default_factory=dict)
    """What the suite tests: class, modifier, kind (syntactic, semantic, hybrid), complexity."""
    fixed: Sequence[tuple[int, tuple[str, ...]]] = ()
    """Regions whose words must be the same in these conditions, because the paradigm says so."""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        conditions = ", ".join(self.condition_names)
        return f"<RegionSuite {self.title}: {len(self)} items, {conditions}; {len(self.predictions)} predictions>"

    @cached_property
    def condition_names(self) -> tuple[str, ...]:
        """In the order of the first item that has them."""
        return tuple(dict.fromkeys(condition.name for item in self.items for condition in item.conditions))

    @cached_property
    def region_numbers(self) -> tuple[int, ...]:
        numbers = {
            region.number for item in self.items for condition in item.conditions for region in condition.regions
        }
        return tuple(sorted(numbers | set(self.region_names)))

    @cached_property
    def asked(self) -> frozenset[tuple[int, str]]:
        """(region, condition) that predictions name; 0 is `*`."""
        return frozenset(
            (atom.region, atom.condition) for prediction in self.predictions for atom in atoms_of(prediction.tree)
        )

    @property
    def is_pairs(self) -> bool:
        """Whole sentences are compared and nothing else, so lengths can be divided out."""
        return bool(self.predictions) and all(region == 0 for region, _ in self.asked)

    def property_of(self, key: str) -> str:
        return self.properties.get(key, "")

    def said(self, key: str, default: Any = None) -> Any:
        """What the file says beyond the model, also where it went through SyntaxGym's JSON."""
        meta = self.extra.get("meta")
        ours = meta.get(OURS) if isinstance(meta, dict) else None
        return self.extra.get(key, ours.get(key, default) if isinstance(ours, dict) else default)

    def place(self, item: Item, condition: str = "", region: int = 0) -> str:
        """Where something is, for messages."""
        inner = [f"item {item.id}", *([condition] if condition else []), *([f"region {region}"] if region else [])]
        line = f":{item.line}" if item.line else ""
        return f"{self.name}{line} ({', '.join(inner)})"


def title_of(name: str, *endings: str) -> str:
    """The name of a file without folder and ending: `cls_adj` of `Classifier/cls_adj_txt.txt`."""
    bare = PurePath(name).name
    for packed in (".gz", ".xz"):
        bare = bare.removesuffix(packed)
    for ending in endings:
        if bare.lower().endswith(ending):
            return bare[: -len(ending)]
    return bare.rpartition(".")[0] or bare
