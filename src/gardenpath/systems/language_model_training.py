"""Training any kind of language model from tokenised text: one call, presets, a seed, perplexity on dev, and a card."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from .._version import __version__
from ..errors import UsageError, unknown_name
from ..runs.inputs import describe_input, environment
from ..runs.signature import digest
from ..runs.strict_json import to_text
from ..treebank.source import paths
from .card import card_path, model_place
from .language_model import LanguageModel, score_with
from .perplexity import Perplexity, perplexity
from .registry import TEXT, kinds, language_model
from .tokenised import Source, Stretch, read_stretches
from .training import PRESETS, Outcome, Tell, Trained

CHECKPOINT = ".checkpoint"
"""What the name of a checkpoint adds to that of the model, beside which it is until the model is finished."""


class Text:
    """Files of tokenised text (or CoNLL-U), read as often as a trainer likes; nothing of them stays in memory."""

    def __init__(self, source: Source | Iterable[Source]) -> None:
        sources = [source] if isinstance(source, str | os.PathLike) else list(source)
        if not sources:
            raise UsageError("no text is named", todo="name a file of tokenised text")
        if any(str(one) == "-" for one in sources):
            raise UsageError("a text to train on is read more than once", where="-", todo="name a file")
        self.files = [file for one in sources for file in paths(one)]
        self.name = " + ".join(map(str, sources))

    def stretches(self, size: int = 1 << 20) -> Iterator[Stretch]:
        return read_stretches(self.files, size)

    def sentences(self) -> Iterator[list[str]]:
        for stretch in self.stretches():
            yield from stretch.sentences()

    def described(self, sentences: int, words: int) -> dict[str, Any]:
        """Names, content and size, for the card."""
        found = [describe_input(file) for file in self.files]
        sha256 = found[0]["sha256"] if len(found) == 1 else digest(*(one["sha256"] for one in found))
        size = sum(one["size"] for one in found)
        return {"name": self.name, "sha256": sha256, "size": size, "sentences": sentences, "words": words}


@dataclass(frozen=True)
class TextPlan:
    """What a trainer is asked: texts, preset, seed, options by name, and whom to tell how far it is."""

    train: Text
    dev: Text | None
    preset: str
    seed: int
    options: Mapping[str, str]
    tell: Tell
    checkpoint: Path | None = None
    """Where a trainer that can go on after an interruption keeps how far it is."""


class TextTrainer(Protocol):
    """A trainer of one kind writes a model to a path. `folder` says whether that is a folder or a file.

    It may have `check(plan)`, which raises where the options are wrong, before anything is read, and `resumes`,
    which says that it keeps a checkpoint. The log of its outcome has `sentences` and `words`: what it was trained on.
    """

    folder: bool

    def __call__(self, plan: TextPlan, target: Path) -> Outcome: ...


def train_language_model(
    kind: str,
    train: Source | Iterable[Source],
    dev: Source | Iterable[Source] | None = None,
    *,
    output: str | os.PathLike[str],
    preset: str = "default",
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    resume: bool = True,
    progress: Tell | None = None,
) -> Trained:
    """Trains a model and puts it, with its card, at `output`: whole or not at all.

    A trainer that can, goes on where a call with the same arguments was interrupted, unless `resume` is false.
    """
    trainer = text_trainer(kind, preset, seed)
    held_out = Text(dev) if dev else None
    target = Path(output)
    checkpoint = target.with_name(target.name + CHECKPOINT) if getattr(trainer, "resumes", False) else None
    plan = TextPlan(Text(train), held_out, preset, seed, dict(options or {}), progress or (lambda _: None), checkpoint)
    if check := getattr(trainer, "check", None):
        check(plan)
    if checkpoint is not None and not resume:
        checkpoint.unlink(missing_ok=True)
    begin = time.perf_counter()
    with model_place(target, folder=trainer.folder) as place:
        outcome = trainer(plan, place)
        seconds = time.perf_counter() - begin
        model = language_model(f"{kind}:{place}")
        found = _on(model, held_out) if held_out is not None else None
        log = dict(outcome.log)
        card = {
            "signature": model.signature,
            "train": plan.train.described(log.pop("sentences"), log.pop("words")),
            "dev": held_out.described(found.sentences, found.tokens) if held_out and found else None,
            "preset": preset,
            "seed": seed,
            "request": request(kind, plan),
            "options": dict(outcome.options),
            "dev_scores": scores(found) if found else {},
            "log": log,
            "seconds": round(seconds, 2),
            "environment": environment(),
        }
        card_path(place).write_text(to_text(card, indent=1) + "\n", encoding="utf-8")
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    return Trained(target, f"{kind}:{target}", card)


def request(kind: str, plan: TextPlan) -> str:
    """What was asked, in a few letters: the same texts, preset, seed and options, of the same version."""
    texts = [text.described(0, 0)["sha256"] if text else "" for text in (plan.train, plan.dev)]
    options = to_text(sorted(plan.options.items()))
    return digest(__version__, kind, *texts, plan.preset, str(plan.seed), options)[:16]


def text_trainer(kind: str, preset: str, seed: int) -> TextTrainer:
    """The trainer of this kind of language model; preset and seed are ones it can have."""
    known = {name: one for name, one in kinds().items() if one.learns_from == TEXT}
    trainable = [name for name, one in known.items() if one.trainer]
    if kind not in known:
        raise unknown_name("kind of language model", kind, trainable)
    if not known[kind].trainer:
        raise UsageError(f"a {kind} system cannot be trained", todo="trainable: " + ", ".join(trainable))
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    if seed < 0:
        raise UsageError(f"{seed} is no seed", todo="give 0 or more")
    made: TextTrainer = known[kind].load(known[kind].trainer)
    return made


def scores(found: Perplexity) -> dict[str, float]:
    """Perplexities by name, those that there are: tokens and ends of sentences, or tokens alone."""
    ends = found.end_bits is not None
    named = {
        "perplexity": found.value(ends=ends),
        "perplexity without OOV": found.value(oov=False, ends=ends),
    }
    return {name: round(value, 4) for name, value in named.items() if value is not None}


def _on(model: LanguageModel, text: Text) -> Perplexity:
    total = Perplexity()
    for stretch in text.stretches():
        total += perplexity(score_with(model, stretch.sentences(), cache=False, progress=False))
    return total
