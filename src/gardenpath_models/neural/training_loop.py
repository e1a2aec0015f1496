"""Training loop of all networks: batches, epochs, early stopping, checkpoints, and going on after an interruption."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import GardenpathError, InputError, SystemFailure, UsageError, unknown_name
from gardenpath.runs import count_text, progress
from gardenpath.systems import Tell, collecting_folder, device_of, drop_kept, growing_steps, kept_file, steps_in

from . import vocabulary as storage

if TYPE_CHECKING:
    import torch
    from torch import nn


LONGEST = 100
"""Words of a sentence to learn from (Section 3.4 of the Mandarin paper)."""
Ids = NDArray[np.int64]


def within(lengths: Sequence[int] | Ids, tell: Tell, what: str = "training", longest: int = LONGEST) -> Ids:
    """The numbers of the sentences that are not too long. How many are left out, and their words, is told."""
    sizes = np.asarray(lengths, np.int64)
    kept = np.flatnonzero((sizes <= longest) & (sizes > 0))
    out = sizes[sizes > longest]
    if len(out):
        single = len(out) == 1
        tell(
            f"warning: {len(out)} {what} sentence{'s' * (not single)} of more than {longest} words "
            f"({int(out.sum())} words) {'is' if single else 'are'} left out"
        )
    if not len(kept):
        raise InputError(f"no {what} sentence has {longest} words or less", todo="cut them at the ends of sentences")
    return kept


def bucketed(lengths: Sequence[int] | Ids, size: int, seed: int | None = None, epoch: int = 0) -> list[Ids]:
    """Batches as numbers of sentences, each of at most `size` words with its padding, and one sentence at least.

    Sentences of like length go together, so that little is padding. With a seed, which ones and the order of the
    batches differ from epoch to epoch, and are the same for the same seed and epoch; without, long ones come last.
    """
    sizes = np.asarray(lengths, np.int64)
    if seed is None:
        order = np.argsort(sizes, kind="stable")
    else:
        random = np.random.default_rng([seed, epoch])
        order = random.permutation(len(sizes))
        order = order[np.argsort(sizes[order], kind="stable")]
    batches: list[Ids] = []
    begin = 0
    for at in range(len(order)):
        # Sorted by length: the newest is the longest, and says how wide the batch is.
        if at > begin and int(sizes[order[at]]) * (at - begin + 1) > size:
            batches.append(order[begin:at])
            begin = at
    if begin < len(order):
        batches.append(order[begin:])
    if seed is not None:
        batches = [batches[number] for number in random.permutation(len(batches))]
    return batches


def padded(rows: Sequence[Sequence[int] | Ids], fill: int) -> Ids:
    """Rows of different lengths as one matrix, filled up at the right."""
    width = max((len(row) for row in rows), default=0)
    matrix = np.full((len(rows), width), fill, np.int64)
    for number, row in enumerate(rows):
        matrix[number, : len(row)] = row
    return matrix


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences (or trees): how long each is, and the loss of those with these numbers.

    The loss is the sum of -ln p over all that is predicted, and how many predictions that are.
    """

    lengths: Sequence[int] | Ids
    loss: Callable[[Ids], tuple[torch.Tensor, int]]
    measure: str = "perplexity"
    """What is shown of an epoch: the perplexity, or the `loss` of a prediction where it is no probability."""

    def shown(self, nats: float, events: int) -> float:
        """The measure of so much loss."""
        return _perplexity(nats, events) if self.measure == "perplexity" else nats / max(1, events)


@dataclass(frozen=True, slots=True)
class Scored:
    """Held-out items of which a score is taken, the higher the better, instead of the perplexity."""

    name: str
    score: Callable[[], float]


def duration(seconds: float) -> str:
    """Return a duration in the largest unit of which it has two or more, such as `13 hours`."""
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return count_text(round(seconds), "second")


def _perplexity(nats: float, events: int) -> float:
    return math.exp(min(nats / max(1, events), 700.0))


FORMAT = "gardenpath-training 2"
CHECKPOINT_SECONDS = ESTIMATE_SECONDS = 60.0
_SAVING_SHARE = 20
"""Saving may take a twentieth of the time: the larger a network, the rarer its checkpoints."""


PRECISIONS = ("float32", "bfloat16")


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long, how fast and in what pieces is learned."""

    epochs: int = 20
    batch: int = 2000
    """Words in a batch, padding included."""
    rate: float = 1e-3
    warmup: int = 0
    """Steps in which the rate rises to its full value."""
    decay: float = 0.5
    """The rate is multiplied by this after an epoch that did not make dev better; 0: it falls to 0 over all epochs, as
    it does without dev."""
    patience: int = 3
    """So many epochs in a row that do not make dev better end the training."""
    clip: float = 1.0
    """The norm of the gradient is cut to this."""
    weight_decay: float = 0.0
    average: float = 0.0
    """The model has a moving average of the weights, of which this share remains at each step (less in the first
    steps: it spans about a tenth of those so far); 0: it has the last weights."""
    keep: str = ""
    """Checkpoints to keep: so many at growing distances, or those of these steps (1,2,4); none where it is empty."""
    device: str = "cpu"
    """Where the network learns: cpu, cuda, cuda:1, mps, or auto. The model can be read on any machine."""
    threads: int = 1
    """Of the processor. Sums are rounded differently with another number, so the weights differ."""
    precision: str = "float32"
    """`bfloat16` computes products of matrices with half the digits, about twice as fast on a GPU."""

    def check(self) -> None:
        """Raise a UsageError where an option has a value that it cannot have."""
        for name in ("epochs", "batch", "patience", "threads"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1 (got {getattr(self, name)})")
        for name in ("warmup", "clip", "weight_decay"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} must not be negative (got {getattr(self, name)})")
        if not 0 <= self.average < 1:
            raise UsageError(
                f"average must be at least 0 and below 1 (got {self.average})", todo="such as average=0.99"
            )
        if not 0 < self.rate < 10:
            raise UsageError(f"rate must be above 0 and below 10 (got {self.rate})", todo="such as rate=1e-3")
        if not 0 <= self.decay <= 1:
            raise UsageError(f"decay must be between 0 and 1 (got {self.decay})", todo="such as decay=0.5")
        if self.keep and not self.kept(1):
            raise UsageError("no checkpoint is named", where="keep", todo="give a number of them, or steps as 1,2,4")
        if self.precision not in PRECISIONS:
            raise unknown_name("precision", self.precision, PRECISIONS)
        if self.device != "cpu":  # a check that imports torch
            device_of(self.device, "device")

    def kept(self, batches: int) -> list[int]:
        """The steps whose weights are kept, in a training with so many batches in an epoch."""
        if self.keep.isdecimal():
            return growing_steps(int(self.keep), self.epochs * batches)
        return steps_in(self.keep, "keep") if self.keep else []


@dataclass(slots=True)
class Progress:
    """How far a training is; all of it is in a checkpoint."""

    epoch: int = 0
    step: int = 0
    """Batches of this epoch that are done."""
    steps: int = 0
    """Batches of all epochs."""
    rate: float = 0.0
    nats: float = 0.0
    events: int = 0
    learned: int = 0
    """Events of all epochs."""
    bad: int = 0
    """Epochs since dev got better."""
    best: float = math.inf
    history: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Fitted:
    """What came of it; the network has the weights of its best epoch."""

    history: list[dict[str, float]]
    """Per epoch: train and dev perplexity (or loss and score), learning rate."""
    best_epoch: int
    perplexity: float | None
    """Of the best epoch on dev, or its score."""
    seconds: float
    """Of training, interruptions not counted."""
    events: int
    """What was predicted in these seconds, such as words and ends of sentences."""

    @property
    def log(self) -> dict[str, Any]:
        """What a model's card says of it."""
        speed = round(self.events / self.seconds) if self.seconds else 0
        return {
            "best_epoch": self.best_epoch,
            "epochs": self.history,
            "training_seconds": round(self.seconds, 2),
            "tokens_per_second": speed,
        }


def fit(
    module: nn.Module,
    train: Items,
    dev: Items | Scored | None,
    schedule: Schedule,
    *,
    seed: int,
    tell: Tell,
    checkpoint: Path | None = None,
    identity: str = "",
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    fused: bool = False,
) -> Fitted:
    """Train `module`; call it within `torch_threads(schedule.threads, seed)`, in which the module was made.

    `identity` says all that decides the result (data, options, seed): a checkpoint of another one is not gone on
    with. The result of an interrupted training is that of one that was not. Without dev the rate falls to 0 over all
    epochs, and the last weights are kept. The caller takes the checkpoint away when the model is in its place. `fused`
    moves a weight in one pass over memory, which is faster and rounds differently.
    """
    run = _Run(module, train, dev, schedule, seed, tell, checkpoint, identity, checkpoint_seconds, fused)
    with run.on_device():
        run.resume()
        run.keep()
        while not run.done:
            run.epoch()
        return run.fitted()


class _Run:
    def __init__(
        self, module: nn.Module, train: Items, dev: Items | Scored | None, schedule: Schedule, seed: int, tell: Tell,
        checkpoint: Path | None, identity: str, every: float, fused: bool,
    ) -> None:  # fmt: skip
        import torch

        self.module, self.train, self.dev, self.schedule, self.seed = module, train, dev, schedule, seed
        self.tell, self.checkpoint, self.identity, self.every = tell, checkpoint, identity, every
        self.device = device_of(schedule.device, "device")
        module.to(self.device)
        self.optimiser = torch.optim.AdamW(
            module.parameters(), lr=schedule.rate, weight_decay=schedule.weight_decay, betas=(0.9, 0.99), fused=fused
        )
        self.frozen = {name for name, weight in module.named_parameters() if not weight.requires_grad}
        """Weights that stay as they were given: they are in no checkpoint."""
        self.at = Progress(rate=schedule.rate)
        self.mean: dict[str, torch.Tensor] = {}
        """The moving average of the weights that learn."""
        self.kept = set(schedule.kept(len(bucketed(train.lengths, schedule.batch)))) if checkpoint else set()
        self.best: dict[str, Any] = {}
        self.begin = self.saved = time.monotonic()
        self.estimated = False

    def on_device(self) -> AbstractContextManager[Any]:
        """Make new tensors where the network is; on the processor this would only cost time."""
        import torch

        return nullcontext() if self.device == "cpu" else torch.device(self.device)

    def loss(self, items: Items, numbers: Ids) -> tuple[torch.Tensor, int]:
        """Return the loss of these items, and how many predictions it is the sum of."""
        if self.schedule.precision == "float32":
            return items.loss(numbers)
        import torch

        with torch.autocast(self.device.partition(":")[0], getattr(torch, self.schedule.precision)):
            return items.loss(numbers)

    def perplexity(self, items: Items) -> float:
        """Return the perplexity on held-out items."""
        import torch

        self.module.eval()
        nats, events = 0.0, 0
        with torch.no_grad():
            for numbers in bucketed(items.lengths, self.schedule.batch):
                loss, count = self.loss(items, numbers)
                nats, events = nats + float(loss), events + count
        return _perplexity(nats, events)

    @property
    def done(self) -> bool:
        return self.at.epoch >= self.schedule.epochs or (self.dev is not None and self.at.bad >= self.schedule.patience)

    def epoch(self) -> None:
        at, schedule = self.at, self.schedule
        batches = bucketed(self.train.lengths, schedule.batch, self.seed, at.epoch)
        self.module.train()
        with progress(len(batches), f"epoch {at.epoch + 1} of at most {schedule.epochs}", unit="batches") as bar:
            bar.advance(at.step)
            for numbers in batches[at.step :]:
                self._learn(numbers, len(batches))
                self.keep()
                bar.advance()
                self._estimate(len(batches))
                if at.step < len(batches) and time.monotonic() - self.saved >= self.every:
                    self._save()
        self._end_epoch()
        self._save()

    def _learn(self, numbers: Ids, batches: int) -> None:
        """One step on the items of a batch; an epoch has so many `batches`."""
        import torch

        at, schedule = self.at, self.schedule
        rising = min(1.0, (at.steps + 1) / schedule.warmup) if schedule.warmup else 1.0
        if self.dev is None or not schedule.decay:
            whole = schedule.epochs * batches
            rising = min(rising, (whole - at.steps) / max(1, whole - schedule.warmup))
        for group in self.optimiser.param_groups:
            group["lr"] = at.rate * rising
        self.optimiser.zero_grad(set_to_none=True)
        loss, events = self.loss(self.train, numbers)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise SystemFailure(
                f"the loss is {value} in epoch {at.epoch + 1}",
                todo="take a smaller rate, such as --set rate=1e-4",
            )
        (loss / events).backward()
        if schedule.clip:
            torch.nn.utils.clip_grad_norm_(self.module.parameters(), schedule.clip)
        self.optimiser.step()
        if schedule.average:
            now = self._learning()
            if self.mean:
                share = min(schedule.average, (1 + at.steps) / (10 + at.steps))
                torch._foreach_lerp_(list(self.mean.values()), list(now.values()), 1 - share)
            else:
                self.mean = {name: weight.clone() for name, weight in now.items()}
        at.step, at.steps, at.nats, at.events = at.step + 1, at.steps + 1, at.nats + value, at.events + events
        at.learned += events

    def _estimate(self, batches: int) -> None:
        """Report the speed and what a long training costs, once: after a minute, or after the first epoch."""
        at, spent = self.at, self.at.seconds + time.monotonic() - self.begin
        if self.estimated or (at.step < batches and spent < ESTIMATE_SECONDS):
            return
        self.estimated = True
        epoch = spent / at.steps * batches
        if epoch * self.schedule.epochs < ESTIMATE_SECONDS:
            return
        self.tell(
            f"{at.learned / spent:,.0f} tokens per second: about {duration(epoch)} for an epoch and at most "
            f"{duration(epoch * self.schedule.epochs)} for all {self.schedule.epochs}"
        )

    def _learning(self) -> dict[str, torch.Tensor]:
        """The weights that change; one that has two names is there twice."""
        named = self.module.named_parameters(remove_duplicate=False)
        return {name: weight.detach() for name, weight in named if weight.requires_grad}

    def _state(self) -> dict[str, Any]:
        return {name: tensor for name, tensor in self.module.state_dict().items() if name not in self.frozen}

    def _fill(self, state: dict[str, Any]) -> None:
        """The network has these weights, which must be all that are not frozen."""
        if set(self.module.load_state_dict(state, strict=False).missing_keys) - self.frozen:
            raise KeyError("there are not all weights")

    @contextmanager
    def as_model(self) -> Iterator[None]:
        """The network has the weights of the model; afterwards those that it learns with again."""
        own = {name: weight.clone() for name, weight in self._learning().items()} if self.mean else {}
        self.module.load_state_dict(self.mean, strict=False)
        try:
            yield
        finally:
            self.module.load_state_dict(own, strict=False)

    def keep(self) -> None:
        """Keeps the weights as they are, where this step is one to keep."""
        if self.checkpoint is not None and self.at.steps in self.kept:
            collected = collecting_folder(self.checkpoint)
            collected.mkdir(parents=True, exist_ok=True)
            storage.save({**self.module.state_dict(), **self.mean}, kept_file(collected, self.at.steps))

    def _end_epoch(self) -> None:
        at = self.at
        entry = {"epoch": at.epoch + 1, "train": self.train.shown(at.nats, at.events), "rate": at.rate}
        shown = f"epoch {at.epoch + 1}: {self.train.measure} {entry['train']:.2f} in training"
        if self.dev is not None:
            with self.as_model():
                if isinstance(self.dev, Scored):
                    entry["dev"] = self.dev.score()
                    shown += f", {self.dev.name} {entry['dev']:.2f} on dev"
                else:
                    entry["dev"] = self.perplexity(self.dev)
                    shown += f", {entry['dev']:.2f} on dev"
            if (cost := self._cost(entry)) < at.best:
                at.best, at.bad = cost, 0
                self.best = {name: tensor.clone() for name, tensor in {**self._state(), **self.mean}.items()}
            else:
                at.bad += 1
                at.rate *= self.schedule.decay or 1.0
                shown += ", no better"
        at.history.append(entry)
        at.epoch, at.step, at.nats, at.events = at.epoch + 1, 0, 0.0, 0
        self.tell(shown)

    def fitted(self) -> Fitted:
        self._fill(self.best or {**self._state(), **self.mean})
        self.module.to("cpu").eval()
        at = self.at
        best = min(at.history, key=self._cost) if self.dev is not None else None
        seconds = at.seconds + time.monotonic() - self.begin
        return Fitted(
            at.history, int(best["epoch"] if best else at.epoch), best["dev"] if best else None, seconds, at.learned
        )

    def _cost(self, entry: dict[str, float]) -> float:
        """The less the better: a perplexity on dev, or what a score is below 0."""
        return -entry["dev"] if isinstance(self.dev, Scored) else entry["dev"]

    def _save(self) -> None:
        if self.checkpoint is None:
            return
        import torch

        now = time.monotonic()
        self.at.seconds, self.begin = self.at.seconds + now - self.begin, now
        state = {
            "format": FORMAT, "identity": self.identity,
            "progress": {name: getattr(self.at, name) for name in Progress.__slots__},
            "module": self._state(), "best": self.best, "optimiser": self.optimiser.state_dict(),
            "mean": self.mean, "random": torch.get_rng_state(), "random_of_device": self._random_of_device(),
        }  # fmt: skip
        storage.save(state, self.checkpoint)
        self.saved = time.monotonic()
        self.every = max(self.every, _SAVING_SHARE * (self.saved - now))

    def _random_of_device(self) -> torch.Tensor | None:
        import torch

        return torch.cuda.get_rng_state(self.device) if self.device.startswith("cuda") else None

    def resume(self) -> None:
        """Goes on where a checkpoint of the same training stopped; what another one kept is of no use."""
        if self.checkpoint is None:
            return
        if not self.checkpoint.exists():
            drop_kept(self.checkpoint)
            return
        import torch

        try:
            stored = storage.load(self.checkpoint)
            if stored.get("format") != FORMAT or stored.get("identity") != self.identity:
                self.tell(f"{self.checkpoint} is of a training with other data or options: begun anew")
                drop_kept(self.checkpoint)
                return
            reached = Progress(**stored["progress"])
            self._fill(stored["module"])
            self.optimiser.load_state_dict(stored["optimiser"])
            self.mean = {name: weight.to(self.device) for name, weight in stored["mean"].items()}
            torch.set_rng_state(stored["random"])
            if self.device.startswith("cuda"):
                torch.cuda.set_rng_state(stored["random_of_device"], self.device)
        except (GardenpathError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise SystemFailure(
                f"the checkpoint cannot be gone on with: {error}",
                where=str(self.checkpoint),
                todo="remove it, or train with --restart",
            ) from error
        self.at, self.best = reached, dict(stored["best"])
        into = f", after {reached.step} batches of it" if reached.step else ""
        self.tell(f"going on with epoch {reached.epoch + 1}{into}, from {self.checkpoint}")
