"""The language models under test: one name, one or several seeds, and what each says of a suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.where import HERE, Where, Workplace
from ...systems.language_model import score_with
from ...systems.protocol import LanguageModel
from ...systems.registry import kinds, language_model
from ...systems.running_text import Reading, RunningText, readings_with
from ...systems.seeds import seeds_of
from ...systems.surprisal_file import SurprisalFiles
from .fit import Fit


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What a model says of one sentence, in its own tokens."""

    tokens: tuple[str, ...]
    surprisals: NDArray[np.float64]
    oov: NDArray[np.bool_] | None
    place: str = ""
    fit: Fit | None = None
    """Which token is of which word, where the model says it itself."""


@dataclass(frozen=True)
class Entrant:
    """`kind:argument`, or `NAME=kind:argument,kind:argument`: several seeds of one model under one name."""

    given: str

    @property
    def name(self) -> str:
        """As it is shown: the name before `=`, else what was given."""
        label, equals, _ = self.given.partition("=")
        return label if equals and _is_label(label) else self.given

    @cached_property
    def parts(self) -> list[str]:
        """The models behind it: a folder with one for each seed stands for all of them."""
        rest = self.given[len(self.name) + 1 :] if self.name != self.given else self.given
        cut = [part for part in rest.split(",") if part]
        known = kinds()
        named = cut if len(cut) > 1 and all(part.partition(":")[0] in known for part in cut) else [rest]
        return [one for part in named for one in seeds_of(part)]

    @cached_property
    def models(self) -> list[LanguageModel]:
        return [language_model(part) for part in self.parts]

    @property
    def signature(self) -> str:
        return "+".join(model.signature for model in self.models)

    @property
    def files(self) -> list[str]:
        """Files whose content decides what is said; a model that is no file is decided by its signature."""
        return [file for model in self.models if isinstance(model, SurprisalFiles) for file in model.files]

    @cached_property
    def seeds(self) -> list[tuple[LanguageModel, str]]:
        """(model, folder of the seed) of every seed."""
        return [
            (model, seed)
            for part, model in zip(self.parts, self.models, strict=True)
            for seed in (model.seeds if isinstance(model, SurprisalFiles) else [_seed_name(part)])
        ]

    @cached_property
    def seed_numbers(self) -> list[int]:
        """The numbers in the names of the seeds, where they tell them apart; else 0, 1, 2."""
        digits = ["".join(char for char in seed if char.isdigit()) for _, seed in self.seeds]
        if all(digits) and len(set(digits)) == len(digits):
            return [int(one) for one in digits]
        return list(range(len(self.seeds)))

    def ask(
        self,
        number: int,
        title: str,
        sentences: Sequence[Sequence[str]],
        texts: Sequence[str],
        where: Where | Workplace = HERE,
    ) -> list[Said]:
        """What seed `number` says of the sentences of a suite, given as words and as running text."""
        model, seed = self.seeds[number]
        if isinstance(model, SurprisalFiles):
            return [
                Said(one.tokens, one.surprisals, one.oov, one.place) for one in model.of_suite(title, sentences, seed)
            ]
        if isinstance(model, RunningText):
            readings, _ = readings_with(model, texts, where=where)
            return [_read(words, reading) for words, reading in zip(sentences, readings, strict=True)]
        scores = score_with(model, sentences, where=where)
        return [
            Said(tuple(words), values, oov)
            for words, values, oov in zip(sentences, scores.surprisals, scores.oov, strict=True)
        ]


def _read(words: Sequence[str], reading: Reading) -> Said:
    """A reading on the words of a suite; a first token with nothing before it has no surprisal and is left out."""
    word_of, broken = reading.word_of(words)
    kept = reading.scored
    tokens = tuple(token for token, scored in zip(reading.tokens, kept.tolist(), strict=True) if scored)
    return Said(tokens, reading.surprisals[kept], reading.oov[kept], fit=Fit(word_of[kept], range(0), broken))


def _seed_name(part: str) -> str:
    """`seed-1` of `lstm:models/seed-1`; empty of a model that no seed is known of."""
    name = PurePath(part.partition(":")[2]).name
    return name if name.startswith("seed-") else ""


def _is_label(text: str) -> bool:
    return bool(text) and not any(char in text for char in ":/\\,")


def is_system(argument: str) -> bool:
    """Is this the name of a system (`kind:…`, `NAME=kind:…`), and not that of a suite?"""
    if Path(argument).exists():
        return False
    text = argument.partition("=")[2] if _is_label(argument.partition("=")[0]) and "=" in argument else argument
    kind, colon, _ = text.partition(":")
    return bool(colon) and kind not in ("bundled", "ud") and len(kind) > 1


def entrants(names: Sequence[str]) -> list[Entrant]:
    """The systems by name, none twice."""
    found = [Entrant(name) for name in names]
    shown = [one.name for one in found]
    twice = sorted({name for name in shown if shown.count(name) > 1})
    if twice:
        raise UsageError(f"named twice: {', '.join(twice)}", todo="name each system once, or several seeds as NAME=A,B")
    return found


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Systems without the folders of their files, where that leaves them different."""
    short = {}
    for name in names:
        kind, colon, argument = name.partition(":")
        bare = PurePath(argument).name if colon and argument else name
        short[name] = f"{kind}:{bare}" if colon and bare else name
    return short if len(set(short.values())) == len(short) else {name: name for name in names}
