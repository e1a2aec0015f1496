"""`pcfg:FILE`: a treebank PCFG that was trained here, or a grammar that somebody wrote; how one is trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.data import local
from gardenpath.errors import FailedOnInput, InputError, UsageError, unknown_name
from gardenpath.phrase import PhraseTree
from gardenpath.phrase import scheme as known_scheme
from gardenpath.runs import describe_input, signature
from gardenpath.systems import Habits, Outcome, PhrasePlan, PhraseTrainer, Sentences, other_kind

from .model import PCFG, check_kind, learn, load, save
from .prefix_chart import PrefixScores
from .treebank_grammar import BACKOFF, GAPS, LEAST, RAISE
from .written import SUFFIX, read_written


class PCFGModel:
    """A phrase parser and a language model. Its file is read when it is first asked."""

    habits = Habits(chunk=100, repeatable=True)

    def __init__(self, argument: str) -> None:
        self.path = Path(local(argument)).expanduser().resolve()
        self.name = f"pcfg:{self.path}"
        if self.path.is_dir():
            raise InputError("this is a folder, not a model file", where=str(self.path), todo=other_kind(self.path))
        self.sha256: str = describe_input(self.path)["sha256"]
        self.written = self.path.suffix == SUFFIX
        if not self.written:
            check_kind(self.path)
        self._last: tuple[Sentences, list[PrefixScores]] | None = None

    @cached_property
    def model(self) -> PCFG:
        return read_written(self.path) if self.written else load(self.path)

    @property
    def signature(self) -> str:
        return signature(("kind", "pcfg"), ("model", self.sha256[:12]))

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        """The best tree of each sentence; None where there is none, or the sentence is empty or too long."""
        return [self.model.parse(sentence) for sentence in sentences]

    def parse_tagged(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
    ) -> list[PhraseTree | None]:
        """The same with the tags of all tokens."""
        return [self.model.parse(sentence, given) for sentence, given in zip(sentences, tags, strict=True)]

    def nbest(self, sentence: Sequence[str], k: int) -> list[tuple[float, PhraseTree]]:
        """The k best trees and their log scores."""
        return self.model.nbest(sentence, k)

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        return [scores.surprisals for scores in self._scored(sentences)]

    def end_surprisals(self, sentences: Sentences) -> NDArray[np.float64]:
        """Surprisal of the end of each sentence; infinite where the grammar wants more words."""
        return np.array([scores.end for scores in self._scored(sentences)])

    def oov(self, sentences: Sentences) -> list[NDArray[np.bool_]]:
        return [~self.model.vocabulary.known(sentence) for sentence in sentences]

    def _scored(self, sentences: Sentences) -> list[PrefixScores]:
        """Words and ends come from one pass; whoever asks for one asks for the other next."""
        if self._last is None or self._last[0] is not sentences:
            self._last = sentences, [self._word_scores(*place) for place in enumerate(sentences, 1)]
        return self._last[1]

    def _word_scores(self, number: int, sentence: Sequence[str]) -> PrefixScores:
        where = f"{self.name}: sentence {number}"
        try:
            scores = self.model.word_scores(sentence)
        except FailedOnInput as failure:
            raise FailedOnInput(failure.what, where=where, todo=failure.todo) from failure
        possible = np.isfinite(scores.surprisals)
        if not possible.all():
            at = int(np.argmin(possible))  # the first word that no tree of the grammar has at its place
            before = " ".join(sentence[:at])
            what = f"no sentence of the grammar goes on with {sentence[at]!r}" + f" after {before!r}" * bool(before)
            todo = "its surprisal is infinite"
            if not self.model.vocabulary.known(sentence)[at]:
                what = f"the grammar does not know {sentence[at]!r}, word {at + 1}"
                todo = "a grammar that somebody wrote knows its own words only; "
                todo += "one that was trained has a class for others"
            raise FailedOnInput(what, where=where, todo=todo)
        return scores


@dataclass(frozen=True)
class PCFGSettings:
    """The options, with what was measured to be best on 2,000 trees of TIGER's kind as defaults."""

    functions: bool = False
    vertical: int = 2
    horizontal: int = 2
    """1 with functions: there are many more symbols then. With `latent`, a rule sees one category and no sister."""
    gaps: str = RAISE
    scheme: str = ""
    backoff: float = BACKOFF
    least: float = LEAST
    latent: int = 0
    """How often every symbol is split into two; 0 is a grammar that only counts."""


PRESETS: dict[str, dict[str, str]] = {
    "tiny": {"vertical": "1", "horizontal": "1"},
    "default": {},
    "paper": {"least": "0.0001"},
}
"""Small and fast; the defaults; fewer rules left out."""
MOST_ROUNDS = 6
"""64 subsymbols at most."""
_YES, _NO = ("yes", "true", "1"), ("no", "false", "0")


class PCFGTrainer(PhraseTrainer[PCFGSettings]):
    """Counts have no seed: the same trees and options make the same file. Splits begin with a little chance."""

    folder = False

    def seeded(self, settings: PCFGSettings) -> bool:
        return settings.latent > 0

    def settings(self, preset: str, options: Mapping[str, str]) -> PCFGSettings:
        return settings_of(preset, options)

    def learn(self, plan: PhrasePlan[PCFGSettings], target: Path) -> Outcome:
        trees, options = plan.train.trees, asdict(plan.settings)
        plan.tell(f"training pcfg on {len(trees)} tree{'s' * (len(trees) != 1)}")
        model = learn(trees, **options, seed=plan.seed, tell=plan.tell)
        size = model.size
        plan.tell(", ".join(f"{count} {name}" for name, count in size.items()))
        save(model, target)
        log = {"grammar": size, "words": len(model.vocabulary.tables[False].at)}
        return Outcome(options, log, len(trees), plan.train.words)


def settings_of(preset: str, options: Mapping[str, str]) -> PCFGSettings:
    """The options over those of the preset."""
    known = PCFGSettings.__dataclass_fields__
    for name in options:
        if name not in known:
            raise unknown_name("option of pcfg", name, known)
    given = {**PRESETS[preset], **options}
    default = PCFGSettings()
    gaps = given.get("gaps", default.gaps)
    if gaps not in GAPS:
        raise unknown_name("treatment of gaps", gaps, GAPS)
    scheme = given.get("scheme", default.scheme)
    if scheme:
        known_scheme(scheme)
    text = given.get("functions", "no")
    if text not in (*_YES, *_NO):
        raise UsageError(f"{text!r} is neither yes nor no", where="functions")
    functions = text in _YES
    latent = _number(given.get("latent", "0"), "latent", 0, MOST_ROUNDS)
    generations = "1" if latent else str(default.vertical)
    sisters = "0" if latent else "1" if functions else str(default.horizontal)
    return PCFGSettings(
        functions,
        _number(given.get("vertical", generations), "vertical", 1, 4),
        _number(given.get("horizontal", sisters), "horizontal", 0, 4),
        gaps,
        scheme,
        _share(given.get("backoff", str(default.backoff)), "backoff", 1e-6, 1e3),
        _share(given.get("least", str(default.least)), "least", 0.0, 0.5),
        latent,
    )


def _number(text: str, name: str, low: int, high: int) -> int:
    if not text.isdecimal() or not low <= int(text) <= high:
        raise UsageError(f"{text!r} is not a number from {low} to {high}", where=name)
    return int(text)


def _share(text: str, name: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise UsageError(f"{text!r} is not a number from {low:g} to {high:g}", where=name)
    return value
