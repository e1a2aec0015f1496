"""A small suite with decisive arcs, parsers that err where they are told to, and models that are surprised so."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gardenpath.treebank.format.treebank import Treebank

Key = tuple[str, int]
"""Construction and number of an item."""


def sentence(key: Key, *, ambiguous: bool) -> list[str]:
    construction, number = key
    return [f"{construction}{number}", "saw", *([] if ambiguous else ["that"]), f"m{number}", "fell."]


def _condition(key: Key, *, ambiguous: bool, labels: Sequence[str]) -> dict[str, Any]:
    words = sentence(key, ambiguous=ambiguous)
    parts = [" ".join(words[:-1]), words[-1]]
    return {
        "condition_name": "ambiguous" if ambiguous else "plain",
        "regions": [{"region_number": number, "content": text} for number, text in enumerate(parts, 1)],
        "arc": {"dependent": len(words) - 1, "head": len(words), "labels": list(labels)},
    }


def suites(folder: Path, keys: Sequence[Key], labels: Sequence[str] = ("nsubj",)) -> Path:
    """A file for each construction; items of one number have one lexeme."""
    folder.mkdir(exist_ok=True)
    for construction in dict.fromkeys(name for name, _ in keys):
        items = [
            {
                "item_number": number, "lexeme": f"m{number}",
                "conditions": [
                    _condition((name, number), ambiguous=is_hard, labels=labels)
                    for is_hard in (True, False)
                ],
            }
            for name, number in keys
            if name == construction
        ]  # fmt: skip
        whole = {
            "meta": {"name": construction, "metric": "sum"}, "region_meta": {"1": "before", "2": "verb"},
            "predictions": [{"type": "formula", "formula": "(2;%ambiguous%) > (2;%plain%)"}], "items": items,
        }  # fmt: skip
        (folder / f"{construction}.json").write_text(json.dumps(whole), encoding="utf-8")
    return folder


def parsed(wrong: Mapping[Key, str], keys: Sequence[Key], label: str = "nsubj:outer") -> Treebank:
    """Trees in which the arcs of `hard`, `plain` or `both` sentences of some items are wrong: the noun is an object."""
    text = []
    for key in reversed(keys):
        for ambiguous in (False, True):
            words = [*sentence(key, ambiguous=ambiguous)[:-1], "fell", "."]
            noun, verb = len(words) - 2, len(words) - 1
            errs = wrong.get(key, "") in (("hard", "both") if ambiguous else ("plain", "both"))
            for place, word in enumerate(words, 1):
                arc = "2\tobj" if errs and place == noun else f"{verb}\t{label}" if place == noun else "2\tdep"
                arc = "0\troot" if place == 2 else arc
                text.append(f"{place}\t{word}\t_\t_\t_\t_\t{arc}\t_\t{'SpaceAfter=No' if word == 'fell' else '_'}\n")
            text.append("\n")
    return Treebank("".join(text).encode(), name="parsed.conllu")


def model(effects: Mapping[Key, float]) -> Callable[[Sequence[Sequence[str]]], list[list[float]]]:
    """Every word has 1 bit, and the last one of an ambiguous sentence so many more."""
    by_name = {f"{construction}{number}": effect for (construction, number), effect in effects.items()}

    def score(sentences: Sequence[Sequence[str]]) -> list[list[float]]:
        return [[*[1.0] * (len(words) - 1), 1.0 + ("that" not in words) * by_name[words[0]]] for words in sentences]

    return score
