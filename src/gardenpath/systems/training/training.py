"""Training any kind of system: one call, presets, seeds, scores on dev, a card; what a trainer does."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from ..._version import __version__
from ...errors import UsageError, unknown_name
from ...runs.record.signatures import describe_input, digest, environment
from ...runs.record.writing import writable_target
from ...runs.result.encoding import to_text
from ...runs.work.processes import worker_count
from ...runs.work.where import Where
from ...treebank import Treebank
from ..asking.entrants import Trained
from ..asking.registry import PHRASES, TEXT, TREES, Kind, kinds, language_model, phrase_parser, system
from ..files.models import (
    card_path,
    check_seed_folder,
    collecting_folder,
    copy_kept,
    drop_kept,
    kept_steps,
    model_place,
    read_card,
    seed_folder,
)

Tell = Callable[[str], None]
Source = str | os.PathLike[str]
Sources = Source | Iterable[Source]
Data = Treebank | Sources
"""What a model learns from, as callers give it."""
CHECKPOINT = ".checkpoint"
"""The suffix of a checkpoint, which lies beside the model until that is finished."""


class Material(ABC):
    """Data to learn from or to be examined on, known by its name and content."""

    name: str

    @property
    @abstractmethod
    def sha256(self) -> str:
        """The hash of the content."""

    @property
    @abstractmethod
    def size(self) -> int:
        """In bytes."""

    def described(self, sentences: int, words: int) -> dict[str, Any]:
        """Name, content and size, for the card."""
        return {"name": self.name, "sha256": self.sha256, "size": self.size, "sentences": sentences, "words": words}


class Files(Material):
    """Files to learn from: their names are known at once, their content when they are read."""

    NONE: ClassVar[tuple[str, str]]
    """The message, and what to do, where no file is named."""
    PIPE: ClassVar[str]
    """Why there must be files, and `-` will not do."""

    def __init__(self, source: Sources) -> None:
        given: Any = source  # whatever it is: what is not a name is refused where files are looked for
        single = isinstance(given, str | os.PathLike) or not isinstance(given, Iterable)
        sources: list[Source] = [given] if single else list(given)
        if not sources:
            raise UsageError(self.NONE[0], todo=self.NONE[1])
        if any(str(name) == "-" for name in sources):
            raise UsageError(self.PIPE, where="-", todo="name a file")
        self.files = [file for name in sources for file in self.files_of(name)]
        self.name = " + ".join(map(str, sources))

    @abstractmethod
    def files_of(self, source: Source) -> list[str]:
        """The files that a name stands for."""

    @cached_property
    def sha256(self) -> str:
        """Of the file, or of the hashes of all files."""
        hashes = [describe_input(file)["sha256"] for file in self.files]
        return str(hashes[0]) if len(hashes) == 1 else digest(*hashes)

    @property
    def size(self) -> int:
        return sum(Path(file).stat().st_size for file in self.files)


M = TypeVar("M", bound=Material)
S = TypeVar("S")


@dataclass(frozen=True)
class Plan(Generic[M, S]):
    """What a trainer is given: data, preset, seed, options by name, the settings they amount to, and progress."""

    kind: str
    train: M
    dev: M | None
    output: Path
    preset: str
    seed: int
    options: Mapping[str, str]
    settings: S
    tell: Tell

    @property
    def request(self) -> str:
        """A short hash of data, preset, seed, options and version: the same request makes the same model."""
        hashes = [data.sha256 if data else "" for data in (self.train, self.dev)]
        options = to_text(sorted(self.options.items()))
        return digest(__version__, self.kind, *hashes, self.preset, str(self.seed), options)[:16]

    @property
    def checkpoint(self) -> Path:
        """Where a trainer that can resume keeps its progress."""
        return self.output.with_name(self.output.name + CHECKPOINT)


@dataclass(frozen=True)
class Outcome:
    """What a trainer returns: all options that were in force, its log, and how much it learned from."""

    options: Mapping[str, Any]
    log: Mapping[str, Any]
    sentences: int
    words: int
    scores: Mapping[str, float] = field(default_factory=dict)
    """Scores on dev that the training computes anyway."""


@dataclass(frozen=True)
class Exam:
    """How good a finished model is on dev, how large dev is, and what the log says about it."""

    scores: Mapping[str, float]
    sentences: int
    words: int
    log: Mapping[str, Any] = field(default_factory=dict)


class Trainer(ABC, Generic[M, S]):
    """The steps in which kinds of models differ; `train` takes each kind through them."""

    folder = True
    """Is the model a folder, or a file?"""
    resumable = False
    """Does it keep checkpoints? Several seeds of such a kind are one system."""
    presets = True
    """Are presets different?"""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    @abstractmethod
    def settings(self, preset: str, options: Mapping[str, str]) -> S:
        """The preset with the user's options; raises where they are wrong, before any data is read."""

    def seeded(self, settings: S) -> bool:
        """Does a seed make a difference?"""
        return True

    @abstractmethod
    def material(self, source: Any, settings: S, tell: Tell) -> M:
        """The data, checked as far as that can be done before the training."""

    @abstractmethod
    def learn(self, plan: Plan[M, S], target: Path) -> Outcome:
        """Writes a model to a path."""

    @abstractmethod
    def examine(self, model: Any, dev: M, plan: Plan[M, S]) -> Exam:
        """Scores of the finished model on dev."""

    def shortfall(self, model: Any, plan: Plan[M, S]) -> str:
        """Why the finished model is of no use; empty where nothing speaks against it."""
        return ""

    def profile(self, plan: Plan[M, S]) -> Mapping[str, Any]:
        """What the card keeps of the training data, by which input in another language is recognised."""
        return {}


PRESETS = ("tiny", "default", "paper")
"""Seconds, for tests; minutes, for a good model on two cores; what the tool's makers use."""
_LOAD: dict[str, Callable[[str], Any]] = {TREES: system, TEXT: language_model, PHRASES: phrase_parser}


def train(
    kind: str,
    train: Data,
    dev: Data | None = None,
    *,
    output: str | os.PathLike[str],
    preset: str = "default",
    seed: int = 0,
    seeds: int | None = None,
    options: Mapping[str, str] | None = None,
    resume: bool = True,
    progress: Tell | None = None,
    jobs: int | str = 1,
) -> Trained:
    """Trains a model and puts it, with its card, at `output`: whole or not at all.

    `train` and `dev` are files of what the kind learns from; a parser also takes a `Treebank`. `options` change those
    of the preset. With `seeds`, that many models are trained, the first with `seed`, as `output/seed-0` and so on:
    together they are one system; `jobs` is how many of them at a time, each in a process of its own. A kind with
    checkpoints continues where a call with the same arguments was interrupted, and a seed that is finished is not
    trained again, unless `resume` is false.

    >>> from gardenpath.data import bundled
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     trained = train("ngram", bundled("de-train"), bundled("de-dev"), output=f"{folder}/de.npz")
    >>> trained.card["dev_scores"]["perplexity"]
    109.3458
    """
    learns_from = TREES if isinstance(train, Treebank) or isinstance(dev, Treebank) else ""
    known = check_kind(kind, preset, seed, learns_from)
    trainer: Trainer[Any, Any] = known.load(known.trainer)(kind)
    _check_seeds(kind, trainer, seeds, worker_count(jobs))
    settings, tell = trainer.settings(preset, options or {}), progress or (lambda _: None)
    _check_fit(trainer, settings, preset, seed, resume)
    writable_target(output)
    if train is None:
        raise UsageError("nothing to learn from", todo="name a file, or give a treebank to a parser")
    material, held_out = (None if data is None else trainer.material(data, settings, tell) for data in (train, dev))
    plan = Plan(kind, material, held_out, Path(output), preset, seed, dict(options or {}), settings, tell)
    if seeds is None:
        return _trained(trainer, plan, resume)
    plans = [replace(plan, seed=n, output=seed_folder(plan.output, n)) for n in range(seed, seed + seeds)]
    own = [
        path.name
        for seed_plan in plans
        for path in (seed_plan.output, seed_plan.checkpoint, collecting_folder(seed_plan.checkpoint))
    ]
    check_seed_folder(plan.output, own)
    open_plans = [seed_plan for seed_plan in plans if not (resume and _finished(seed_plan))]
    if min(worker_count(jobs), len(open_plans)) > 1:
        plan.tell(f"{len(open_plans)} seeds, {worker_count(jobs)} at a time")
        same = {"kind": kind, "train": train, "dev": dev, "preset": preset, "options": options, "resume": resume}
        tasks = [{**same, "output": seed_plan.output, "seed": seed_plan.seed} for seed_plan in open_plans]
        names = [f"seed {seed_plan.seed}" for seed_plan in open_plans]
        Where(jobs).map(_train_seed, tasks, label="training", names=names)
        done = tuple(Trained(at.output, f"{kind}:{at.output}", _finished(at)) for at in plans)
        return Trained(plan.output, f"{kind}:{plan.output}", {}, done)
    models = tuple(_trained_seed(trainer, seed_plan, resume) for seed_plan in plans)
    return Trained(plan.output, f"{kind}:{plan.output}", {}, models)


def check_kind(kind: str, preset: str, seed: int, learns_from: str = "") -> Kind:
    """The kind, if it can be trained (from this material) and can have such a preset and seed."""
    known = kinds()
    trainable = [name for name, entry in known.items() if entry.trainer]
    if kind not in known:
        raise unknown_name("kind of system", kind, trainable)
    material = known[kind].learns_from
    if learns_from and learns_from != material:
        what = f"{kind} is a {known[kind].role}, which learns from {material} and not from {learns_from}"
        fitting = ", ".join(name for name in trainable if known[name].learns_from == learns_from)
        raise UsageError(what, todo=f"these learn from {learns_from}: {fitting}")
    if not known[kind].trainer:
        raise UsageError(f"a {kind} system cannot be trained", todo="trainable: " + ", ".join(trainable))
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    if seed < 0:
        raise UsageError(f"{seed} is not a seed", todo="give 0 or more")
    return known[kind]


def _check_seeds(kind: str, trainer: Trainer[Any, Any], seeds: int | None, jobs: int) -> None:
    if seeds is None and jobs > 1:
        raise UsageError("one model is trained in one process", where="--jobs", todo="train several with --seeds")
    if seeds is not None and seeds < 1:
        raise UsageError(f"{seeds} is not a number of seeds", where="--seeds", todo="give 1 or more")
    if seeds is not None and not trainer.resumable:
        raise UsageError(f"{kind} models are trained one at a time", where="--seeds", todo="leave it out")


def _check_fit(trainer: Trainer[Any, Any], settings: Any, preset: str, seed: int, resume: bool) -> None:
    """What would make no difference to this kind is refused."""
    kind = trainer.kind
    if preset != "default" and not trainer.presets:
        raise UsageError(f"{kind} has no presets: its options say all", where="--preset", todo="leave it out")
    if seed and not trainer.seeded(settings):
        raise UsageError(f"{kind} has no seed: it counts", where="--seed", todo="leave it out")
    if not resume and not trainer.resumable:
        raise UsageError(f"{kind} keeps no checkpoints to resume from", where="--no-resume", todo="leave it out")


def _trained_seed(trainer: Trainer[Any, Any], plan: Plan[Any, Any], resume: bool) -> Trained:
    """The model of one seed of several; one that an earlier call has finished is kept."""
    card = _finished(plan) if resume else {}
    if card:
        plan.tell(f"seed {plan.seed} is there already: {plan.output}")
        return Trained(plan.output, f"{plan.kind}:{plan.output}", card)
    plan.tell(f"seed {plan.seed}")
    return _trained(trainer, plan, resume)


def _finished(plan: Plan[Any, Any]) -> Mapping[str, Any]:
    """The card of the model that the same request has made already; else empty."""
    card = read_card(plan.output) if plan.output.is_dir() else {}
    return card if card.get("request") == plan.request else {}


def _train_seed(arguments: Mapping[str, Any]) -> str:
    """One of several seeds, in a process of its own."""
    return train(**arguments).system


def _trained(trainer: Trainer[Any, Any], plan: Plan[Any, Any], resume: bool) -> Trained:
    """The model of a plan, at its place."""
    if trainer.resumable and not resume:
        plan.checkpoint.unlink(missing_ok=True)
        drop_kept(plan.checkpoint)
    begin = time.perf_counter()
    with model_place(plan.output, folder=trainer.folder) as place:
        outcome = trainer.learn(plan, place)
        copy_kept(plan.checkpoint, place)
        seconds = time.perf_counter() - begin
        model = _LOAD[kinds()[plan.kind].learns_from](f"{plan.kind}:{place}")  # can it be loaded?
        exam = trainer.examine(model, plan.dev, plan) if plan.dev else Exam({}, 0, 0)
        checkpoints = kept_steps(place)
        profile, shortfall = trainer.profile(plan), trainer.shortfall(model, plan)
        card = {
            "signature": model.signature,
            "train": plan.train.described(outcome.sentences, outcome.words),
            "dev": plan.dev.described(exam.sentences, exam.words) if plan.dev else None,
            **({"profile": profile} if profile else {}),
            "preset": plan.preset,
            "seed": plan.seed,
            "request": plan.request,
            "options": dict(outcome.options),
            "dev_scores": {**exam.scores, **outcome.scores},
            **({"shortfall": shortfall} if shortfall else {}),
            "log": {**outcome.log, **exam.log, **({"checkpoints": checkpoints} if checkpoints else {})},
            "seconds": round(seconds, 2),
            "environment": environment(),
        }
        card_path(place).write_text(to_text(card, indent=1) + "\n", encoding="utf-8")
    if trainer.resumable:
        plan.checkpoint.unlink(missing_ok=True)
        drop_kept(plan.checkpoint)
    return Trained(plan.output, f"{plan.kind}:{plan.output}", card)
