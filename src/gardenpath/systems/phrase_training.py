"""Training any kind of system from phrase trees: one call, presets, a seed, scores on dev, and a card."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from ..errors import UsageError, unknown_name
from ..phrase.evalb import ALL, GERMAN
from ..phrase.heads import PUNCTUATION
from ..phrase.parseval import score_trees
from ..phrase.source import Source, files, read
from ..phrase.tree import PhraseTree
from ..runs.inputs import describe_input, environment
from ..runs.signature import digest
from ..runs.strict_json import to_text
from .card import card_path, model_place
from .phrase_parsing import parse_trees_with
from .registry import PHRASE_PARSER, PHRASES, kinds, language_model, phrase_parser
from .training import PRESETS, Outcome, Tell, Trained


class Trees:
    """Files of phrase trees in any format, read when they are first needed."""

    def __init__(self, source: Source | Iterable[Source]) -> None:
        sources = [source] if isinstance(source, str | os.PathLike) else list(source)
        if not sources:
            raise UsageError("no trees are named", todo="name a file of phrase trees")
        if any(str(one) == "-" for one in sources):
            raise UsageError("a model's card says which files it was made of", where="-", todo="name a file")
        self.files = [file for one in sources for file in files(one)]
        self.name = " + ".join(map(str, sources))

    @cached_property
    def trees(self) -> list[PhraseTree]:
        """Those that have tokens."""
        found = [tree for tree in read(self.files) if len(tree)]
        if not found:
            raise UsageError("there are no trees", where=self.name, todo="name a file that has some")
        return found

    def described(self) -> dict[str, Any]:
        """Names, content and size, for the card."""
        found = [describe_input(Path(file)) for file in self.files]
        sha256 = found[0]["sha256"] if len(found) == 1 else digest(*(one["sha256"] for one in found))
        words = sum(len(tree) for tree in self.trees)
        size = sum(one["size"] for one in found)
        return {"name": self.name, "sha256": sha256, "size": size, "sentences": len(self.trees), "words": words}


@dataclass(frozen=True)
class PhrasePlan:
    """What a trainer is asked: trees, preset, seed, options by name, and whom to tell how far it is."""

    train: Trees
    dev: Trees | None
    preset: str
    seed: int
    options: Mapping[str, str]
    tell: Tell


class PhraseTrainer(Protocol):
    """A trainer of one kind writes a model to a path. `folder` says whether that is a folder or a file.

    It may have `check(plan)`, which raises where the options are wrong, before anything is read.
    """

    folder: bool

    def __call__(self, plan: PhrasePlan, target: Path) -> Outcome: ...


def train_phrase_model(
    kind: str,
    train: Source | Iterable[Source],
    dev: Source | Iterable[Source] | None = None,
    *,
    output: str | os.PathLike[str],
    preset: str = "default",
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    progress: Tell | None = None,
) -> Trained:
    """Trains a model and puts it, with its card, at `output`: whole or not at all."""
    trainer = phrase_trainer(kind, preset, seed)
    held_out = Trees(dev) if dev else None
    plan = PhrasePlan(Trees(train), held_out, preset, seed, dict(options or {}), progress or (lambda _: None))
    if check := getattr(trainer, "check", None):
        check(plan)
    sentences = len(plan.train.trees)
    plan.tell(f"training {kind} on {sentences} tree{'s' * (sentences != 1)}")
    target = Path(output)
    begin = time.perf_counter()
    with model_place(target, folder=trainer.folder) as place:
        outcome = trainer(plan, place)
        seconds = time.perf_counter() - begin
        made = phrase_parser if PHRASE_PARSER in kinds()[kind].roles else language_model
        model = made(f"{kind}:{place}")  # can it be loaded?
        card = {
            "signature": model.signature,
            "train": plan.train.described(),
            "dev": held_out.described() if held_out else None,
            "preset": preset,
            "seed": seed,
            "options": dict(outcome.options),
            "dev_scores": _on(model, held_out.trees) if held_out else {},
            "log": dict(outcome.log),
            "seconds": round(seconds, 2),
            "environment": environment(),
        }
        card_path(place).write_text(to_text(card, indent=1) + "\n", encoding="utf-8")
    return Trained(target, f"{kind}:{target}", card)


def phrase_trainer(kind: str, preset: str, seed: int) -> PhraseTrainer:
    """The trainer of this kind; preset and seed are ones it can have."""
    known = {name: one for name, one in kinds().items() if one.learns_from == PHRASES}
    trainable = [name for name, one in known.items() if one.trainer]
    if kind not in known:
        raise unknown_name("kind that learns from phrase trees", kind, trainable)
    if not known[kind].trainer:
        raise UsageError(f"a {kind} system cannot be trained", todo="trainable: " + ", ".join(trainable))
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    if seed < 0:
        raise UsageError(f"{seed} is no seed", todo="give 0 or more")
    made: PhraseTrainer = known[kind].load(known[kind].trainer)
    return made


def _on(model: Any, gold: list[PhraseTree]) -> dict[str, float]:
    """Labelled F1 of brackets and the share of sentences with a parse, in percent; of what is no parser, perplexity."""
    if not hasattr(model, "parse_trees"):
        from .language_model import score_with
        from .language_model_training import scores
        from .perplexity import perplexity

        return scores(perplexity(score_with(model, [tree.words for tree in gold], cache=False, progress=False)))
    found = parse_trees_with(model, [tree.words for tree in gold], cache=False, progress=False)
    german = any(tag in PUNCTUATION for tree in gold for tag in tree.tags)
    counts = score_trees(gold, found, GERMAN if german else ALL)
    right, wanted, given = (sum(getattr(one.labelled, name) for one in counts) for name in ("right", "gold", "system"))
    parsed = sum(one.parsed for one in counts)
    return {
        "labelled F1": round(100 * 2 * right / (wanted + given), 2) if wanted + given else 0.0,
        "coverage": round(100 * parsed / len(gold), 2),
    }
