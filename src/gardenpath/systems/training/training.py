"""Training any kind of system: one call, presets, seeds, scores on dev, a card; trainers by what they learn from."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from ..._version import __version__
from ...errors import InputError, SystemFailure, UsageError, unknown_name
from ...phrase.edits.tokens import without_traces
from ...phrase.formats.sniffing import holds_phrases
from ...phrase.formats.source import files, read
from ...phrase.parseval import ALL, GERMAN, Matched, Parameters, score_trees
from ...phrase.schemes.model import PUNCTUATION
from ...phrase.tree import PhraseTree
from ...runs.record.signatures import describe_input, digest, environment
from ...runs.record.writing import writable_target
from ...runs.result.encoding import to_text
from ...runs.result.verdict import count_text
from ...runs.work.processes import worker_count
from ...runs.work.where import Where
from ...treebank import Treebank, score, tree_mask
from ...treebank.format.reading import given_treebank, paths
from ..asking.entrants import Trained
from ..asking.language import profile
from ..asking.protocol import LanguageModel
from ..asking.registry import PHRASES, TEXT, TREES, Kind, kinds, language_model, parsed_options, phrase_parser, system
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
    write_seen,
)
from ..files.text_input import Stretch, read_stretches
from ..language_models.scoring import Perplexity, perplexity, score_with
from ..parsers.parsing import parse_with
from ..parsers.phrase_parsing import parse_trees_with

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

    @abstractmethod
    def sentences(self) -> Iterable[Sequence[str]]:
        """The words of each sentence."""

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
    """What came of a training, or of the examination of the finished model on dev."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """All options that were in force."""
    log: Mapping[str, Any] = field(default_factory=dict)
    sentences: int = 0
    """How much it learned from, or was examined on."""
    words: int = 0
    scores: Mapping[str, float] = field(default_factory=dict)
    """Scores on dev; of a training those that it computes anyway."""


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
    def examine(self, model: Any, dev: M, plan: Plan[M, S]) -> Outcome:
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
    settings, tell = trainer.settings(preset, options or {}), progress or (lambda _: None)
    _check_fit(trainer, settings, preset, seed, seeds, worker_count(jobs), resume)
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
    models = []
    for seed_plan in plans:
        if seed_plan not in open_plans:
            plan.tell(f"seed {seed_plan.seed} is there already: {seed_plan.output}")
            models.append(Trained(seed_plan.output, f"{kind}:{seed_plan.output}", _finished(seed_plan)))
        else:
            plan.tell(f"seed {seed_plan.seed}")
            models.append(_trained(trainer, seed_plan, resume))
    return Trained(plan.output, f"{kind}:{plan.output}", {}, tuple(models))


def options_for(kind: str, given: Sequence[str], mode: str = "tokens") -> tuple[tuple[str, str], ...]:
    """Return the options to train a parser for this mode with: those given as `name=value`, which win, and its own."""
    entry = kinds()[kind]
    trainer: ParserTrainer[Any] = entry.load(entry.trainer)(kind)
    options = parsed_options(given)
    chosen = {name.partition(".")[0] for name in options}
    own = {name: value for name, value in trainer.mode_options(mode).items() if name not in chosen}
    return tuple(sorted({**own, **options}.items()))


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


def _check_fit(
    trainer: Trainer[Any, Any], settings: Any, preset: str, seed: int, seeds: int | None, jobs: int, resume: bool
) -> None:
    """What would make no difference to this kind is refused."""
    kind = trainer.kind
    if seeds is None and jobs > 1:
        raise UsageError("one model is trained in one process", where="--jobs", todo="train several with --seeds")
    if seeds is not None and seeds < 1:
        raise UsageError(f"{seeds} is not a number of seeds", where="--seeds", todo="give 1 or more")
    if seeds is not None and not trainer.resumable:
        raise UsageError(f"{kind} models are trained one at a time", where="--seeds", todo="leave it out")
    if preset != "default" and not trainer.presets:
        raise UsageError(f"{kind} has no presets: its options say all", where="--preset", todo="leave it out")
    if seed and not trainer.seeded(settings):
        raise UsageError(f"{kind} has no seed: it counts", where="--seed", todo="leave it out")
    if not resume and not trainer.resumable:
        raise UsageError(f"{kind} keeps no checkpoints to resume from", where="--restart", todo="leave it out")


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
        exam = trainer.examine(model, plan.dev, plan) if plan.dev else Outcome()
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
        write_seen(place, plan.train.sentences())
        card_path(place).write_text(to_text(card, indent=1) + "\n", encoding="utf-8")
    if trainer.resumable:
        plan.checkpoint.unlink(missing_ok=True)
        drop_kept(plan.checkpoint)
    return Trained(plan.output, f"{plan.kind}:{plan.output}", card)


class DependencyTrees(Material):
    """A treebank, or files of one. A parser learns nothing from half a tree, and its C++ may crash on it."""

    def __init__(self, source: Data) -> None:
        self.treebank = given_treebank(source)
        self.name = self.treebank.name
        trees = tree_mask(self.treebank.heads, self.treebank.offsets)
        if not trees.all():
            number, count = int(np.argmin(trees)), int((~trees).sum())
            what = f"{count} sentences that are not trees" if count != 1 else "a sentence that is not a tree"
            raise UsageError(
                f"the data has {what}, the first is {self.treebank.sent_ids[number] or number + 1}",
                where=self.treebank.place(int(self.treebank.index.blocks[number])),
                todo="every word needs a head, and one word is the root; gardenpath treebank validate shows all",
            )

    @cached_property
    def _content(self) -> dict[str, Any]:
        return describe_input((self.name, self.treebank.to_bytes()))

    @property
    def sha256(self) -> str:
        return str(self._content["sha256"])

    @property
    def size(self) -> int:
        return int(self._content["size"])

    def sentences(self) -> list[tuple[str, ...]]:
        return self.treebank.sentence_words


ParserPlan = Plan[DependencyTrees, S]
JUDGED = 100
"""Training sentences by which tools that need held-out data judge where there is no dev set."""
_ARGUMENTS = frozenset({"nsubj", "csubj", "obj", "iobj"})


def judged_by(plan: ParserPlan[Any]) -> tuple[Treebank, str]:
    """The sentences by which a tool judges its progress, and what they are called."""
    if plan.dev is not None:
        return plan.dev.treebank, "dev"
    first = plan.train.treebank[:JUDGED]
    return first, f"the first {len(first)} training sentences"


class ParserTrainer(Trainer[DependencyTrees, S]):
    """A trainer that lets another tool learn from a treebank, and examines the parser by UAS and LAS."""

    @abstractmethod
    def run_tool(self, plan: ParserPlan[S], target: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Writes a model to a path; returns all options that were in force, and the tool's log."""

    def mode_options(self, mode: str) -> Mapping[str, str]:
        """Return options that a model for this mode needs, or that spare it what it does not use."""
        return {}

    def gold_layers(self, settings: S) -> str:
        """Layers that the model needs with gold tokens (it has no tagger, or was trained on gold tags)."""
        return ""

    def material(self, source: Data, settings: S, tell: Tell) -> DependencyTrees:
        return DependencyTrees(source)

    def learn(self, plan: ParserPlan[S], target: Path) -> Outcome:
        sentences, words = len(plan.train.treebank), plan.train.treebank.word_count
        plan.tell(
            f"training {plan.kind} on {sentences} sentence{'s' * (sentences != 1)}, {words} word{'s' * (words != 1)}"
        )
        try:
            options, log = self.run_tool(plan, target)
        except (ImportError, ValueError) as error:  # a tool's own words on an option it does not know
            raise SystemFailure(f"the training of {plan.kind} failed: {error}", todo="check the options") from error
        return Outcome(options, log, sentences, words)

    def examine(self, model: Any, dev: DependencyTrees, plan: ParserPlan[S]) -> Outcome:
        gold = self.gold_layers(plan.settings)
        result = parse_with(model, dev.treebank, gold=gold, where=Where(cache=False, progress=False))
        scores = score(dev.treebank, result.treebank)
        rounded = {metric: round(scores.f1(metric), 2) for metric in ("UAS", "LAS")}
        return Outcome(scores=rounded, sentences=len(dev.treebank), words=dev.treebank.word_count)

    def shortfall(self, model: Any, plan: ParserPlan[S]) -> str:
        """A parser that gets no subject and no object right of what it was trained on has learnt nothing."""
        gold = plan.train.treebank[:JUDGED]
        layers = self.gold_layers(plan.settings)
        parsed = parse_with(model, gold, gold=layers, where=Where(cache=False, progress=False)).treebank
        arcs = [
            (word.head, word.deprel) == (parsed_word.head, parsed_word.deprel)
            for sentence, answer in zip(gold, parsed, strict=True)
            for word, parsed_word in zip(sentence.words, answer.words, strict=True)
            if word.udeprel in _ARGUMENTS
        ]
        if any(arcs) or not arcs:
            return ""
        return f"it has learnt nothing: of {len(arcs)} subjects and objects it was trained on none is right"

    def profile(self, plan: ParserPlan[S]) -> Mapping[str, Any]:
        return profile(plan.train.treebank, plan.dev.treebank if plan.dev else None)


class Text(Files):
    """Files of tokenised text (or CoNLL-U), read as often as a trainer likes; nothing of them stays in memory."""

    NONE = "no text is named", "name a file of tokenised text"
    PIPE = "a text to train on is read more than once"

    def files_of(self, source: Source) -> list[str]:
        return files(source) if holds_phrases(str(source)) else paths(source)

    def stretches(self, size: int = 1 << 20) -> Iterator[Stretch]:
        return read_stretches(self.files, size)

    def sentences(self) -> Iterator[list[str]]:
        for stretch in self.stretches():
            yield from stretch.sentences()


TextPlan = Plan[Text, S]


class TextTrainer(Trainer[Text, S]):
    """A trainer whose models learn from text and are examined by their perplexity."""

    def material(self, source: Sources, settings: S, tell: Tell) -> Text:
        return Text(source)

    def examine(self, model: Any, dev: Text, plan: TextPlan[S]) -> Outcome:
        measured = dev_perplexity(model, (stretch.sentences() for stretch in dev.stretches()))
        return Outcome(scores=perplexities(measured), sentences=measured.sentences, words=measured.tokens)


def dev_perplexity(model: LanguageModel, stretches: Iterable[list[list[str]]]) -> Perplexity:
    """The perplexity of a model on text that comes in stretches of sentences."""
    measured = Perplexity()
    for sentences in stretches:
        measured += perplexity(score_with(model, sentences, where=Where(cache=False, progress=False)))
    return measured


def perplexities(measured: Perplexity) -> dict[str, float]:
    """Perplexities by name, as far as there are any: of tokens and ends of sentences, or of tokens alone."""
    ends = measured.end_bits is not None
    named = {"perplexity": measured.value(ends=ends), "perplexity without OOV": measured.value(oov=False, ends=ends)}
    return {name: round(value, 4) for name, value in named.items() if value is not None}


class PhraseTrees(Files):
    """Files of phrase trees in any format, read when they are first needed."""

    NONE = "no trees are named", "name a file of phrase trees"
    PIPE = "a model's card says which files it was made of"

    def __init__(self, source: Sources, tell: Tell) -> None:
        super().__init__(source)
        self.tell = tell

    def files_of(self, source: Source) -> list[str]:
        return files(source)

    @cached_property
    def trees(self) -> list[PhraseTree]:
        """Those that have tokens; traces are none that a parser could see."""
        spoken, traces = without_traces(self.read())
        if traces:
            self.tell(f"{self.name}: {count_text(traces, 'trace')} left out, and the numbers of functions")
        trees = [tree for tree in spoken if len(tree)]
        if not trees:
            raise InputError("there are no trees", where=self.name, todo="name a file that has some")
        return trees

    def read(self) -> list[PhraseTree]:
        return read(self.files)

    @property
    def words(self) -> int:
        return sum(map(len, self.trees))

    def sentences(self) -> Iterator[tuple[str, ...]]:
        return (tree.words for tree in self.trees)


PhrasePlan = Plan[PhraseTrees, S]


class PhraseTrainer(Trainer[PhraseTrees, S]):
    """A trainer whose models learn from phrase trees and are examined by the brackets of their parses."""

    def material(self, source: Sources, settings: S, tell: Tell) -> PhraseTrees:
        return PhraseTrees(source, tell)

    def examine(self, model: Any, dev: PhraseTrees, plan: PhrasePlan[S]) -> Outcome:
        """Labelled F1 of brackets and the share of sentences with a parse, in percent."""
        gold = dev.trees
        parses = parse_trees_with(model, [tree.words for tree in gold], where=Where(cache=False, progress=False)).trees
        counts = score_trees(gold, parses, counted_as(gold))
        parsed = sum(count.parsed for count in counts)
        scores = {
            "labelled F1": f1([count.labelled for count in counts]),
            "coverage": round(100 * parsed / len(gold), 2),
        }
        return Outcome(scores=scores, sentences=len(gold), words=dev.words)


def counted_as(gold: Sequence[PhraseTree]) -> Parameters:
    """What of these trees counts: German ones are scored without punctuation."""
    return GERMAN if any(tag in PUNCTUATION for tree in gold for tag in tree.tags) else ALL


def f1(matched: Sequence[Matched]) -> float:
    """Of the brackets of all sentences together, in percent."""
    right, all_brackets = sum(tree.right for tree in matched), sum(tree.gold + tree.system for tree in matched)
    return round(200 * right / all_brackets, 2) if all_brackets else 0.0
