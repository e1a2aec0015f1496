"""The study of the paper on Mandarin with one's own Chinese Treebank: a plan of gardenpath's commands, and its run.

The plan is also a script in the folder (`plan.sh`). Finished steps are skipped; an interrupted one resumes as its
command does.
"""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from gardenpath.cli import run_command
from gardenpath.errors import UsageError
from gardenpath.phrase import files
from gardenpath.runs import Result, Run, Table, Value, count_text, signature, write_text

from .mandarin_models import LARGER

KINDS = {"n-gram": "ngram", "LSTM": "lstm", "RNNG": "rnng", "Transformer": "transformer", "PLM": "plm"}
STRUCTURAL = ("RNNG", "PLM")
GENRES = ("nw", "mz", "bn", "bc", "wb")
"""The five genres of the treebank that the paper takes, by the suffix of their files."""
OWN = "ctb"
BEAMS = {"tiny": "#25,3,2", "default": "", "paper": "#100,10,5"}
"""Beams of RNNG and PLM: all, words and fast-tracked."""
EPOCHS = {preset: f"tokenizer.epochs={epochs}" for preset, epochs in {"tiny": 1, "default": 20, "paper": 100}.items()}
"""How long the segmenter learns."""


@dataclass(frozen=True)
class Step:
    """A call of gardenpath; `name` is that of its mark in `steps/`, which says that it is finished."""

    name: str
    arguments: tuple[str, ...]

    @property
    def command(self) -> str:
        return shlex.join(("gardenpath", *self.arguments))


@dataclass(frozen=True)
class MandarinPlan:
    """What the study is made of, and where it goes."""

    ctb: str
    folder: Path
    xinhua: str = ""
    """Text of the larger data: raw with a segmenter, else one sentence per line with blanks between words."""
    segmenter: str = ""
    """A parser that cuts raw text into sentences and words; `ctb` trains one on the treebank without blanks."""
    parts: str = ""
    """A list of the files of each part; without one they are drawn by document."""
    suites: str = "mandarin-suites"
    preset: str = "default"
    seeds: int = 3

    def steps(self) -> Iterator[Step]:
        """Prepare and split, parse the text, train, score the suites, and make tables and figures."""
        if self.preset not in BEAMS:
            raise UsageError(f"unknown preset {self.preset!r}", where="--preset", todo="one of " + ", ".join(BEAMS))
        train, dev, test = (self._at(f"ctb-{part}.*") for part in ("train", "dev", "test"))
        several = len(files(self.ctb)) > 1
        how = ("--parts", self.parts) if self.parts else ("--by-document",) if several else ()
        yield Step("split", ("treebank", "split", *self._genres(), "-o", str(self.folder), "--prefix", "ctb", "--force",
                             *how))  # fmt: skip
        larger: tuple[str, ...] = ()
        if self.xinhua:
            text = self.xinhua
            segmenter = self.segmenter
            if segmenter == OWN:
                glued, model = self._at("segments.conllu"), self._at("segmenter.udpipe")
                raw = ("--to", "conllu", "--scheme", "ctb", "--no-spaces")
                yield Step("segments", ("treebank", "convert", train, *raw, "-o", glued))
                # The smallest tagger and parser that UDPipe's models need, and a tokenizer that learns.
                learning = ("--preset", "tiny", "--option", "tokenizer.model=gru", "--option", EPOCHS[self.preset])
                yield Step("train-segmenter", ("train", "udpipe", glued, "-o", model, *learning))
                segmenter = f"udpipe:{model}"
            if segmenter:
                text = self._at("xinhua.conllu")
                yield Step("segment", ("parse", segmenter, self.xinhua, "-o", text))
            larger = (self._at("xinhua.mrg"),)
            chart = self._at("chart")
            yield Step("train-chart", ("train", "chart", train, "--dev", dev, "-o", chart, "--preset", self.preset))
            yield Step("parse", ("parse", f"chart:{chart}", text, "-o", *larger))
        corpora = {"": (train,), **({f"-{LARGER}": (train, *larger)} if larger else {})}
        yield Step("corpora", ("treebank", "stats", train, *larger, "--by", "argument", "-o", self._table("corpora"),
                               "--figures", self._at("figures/corpora")))  # fmt: skip
        systems = list[str]()
        for size, data in corpora.items():
            for name, kind in KINDS.items():
                model = self._at(f"{name}{size}" + (".npz" if kind == "ngram" else ""))
                options = ("--order", "5", "--option", "min_count=2") if kind == "ngram" else (
                    "--preset", self.preset, "--seeds", str(self.seeds),
                )  # fmt: skip
                yield Step(f"train-{name}{size}", ("train", kind, *data, "--dev", dev, "-o", model, *options))
                systems.append(f"{name}{size}={kind}:{model}{BEAMS[self.preset] if name in STRUCTURAL else ''}")
        for system in systems:
            name, _, model = system.partition("=")
            table = self._at(f"tables/perplexity-{name}.json")
            yield Step(f"perplexity-{name}", ("score", model, test, "--summary", "-f", "json", "-o", table))
        parsers = [system for system in systems if system.startswith(STRUCTURAL)]
        yield Step("brackets", ("evaluate", test, *parsers, "-f", "json", "-o", self._at("tables/brackets.json")))
        run = self._at("run")
        yield Step("suites", ("surprisal", self.suites, *systems, "--by", "all", "--ties", "coin", "--run", run, "-o",
                              self._table("accuracy"), "--figures", self._at("figures/suites")))  # fmt: skip
        for table in ("table1", "figure6", *(("size", "table5") if larger else ())):
            yield Step(table, ("stats", run, f"mandarin:{table}", "-o", self._table(table)))

    def _at(self, name: str) -> str:
        return str(self.folder / name)

    def _table(self, name: str) -> str:
        return self._at(f"tables/{name}.txt")

    def _genres(self) -> Sequence[str]:
        """The files of the paper's genres where the treebank has them; else all of it."""
        chosen = [file for file in files(self.ctb) if file.rpartition(".")[2] in GENRES]
        return [str(Path(self.ctb) / "**" / f"*.{genre}") for genre in GENRES
                if any(file.endswith(f".{genre}") for file in chosen)] or [self.ctb]  # fmt: skip


def run_plan(plan: MandarinPlan, tell: Callable[[str], None], *, only_plan: bool = False) -> Result:
    """Write the plan as a script and run the steps that are not finished; the result has accuracies and all steps."""
    steps = list(plan.steps())
    script = "".join(f"{step.command}\n" for step in steps)
    written = plan.folder / "plan.sh"
    if written.exists() and written.read_text(encoding="utf-8") != script:
        raise UsageError("this folder has another plan", where=str(written), todo="choose a new --folder")
    for name in ("steps", "tables", "figures"):
        (plan.folder / name).mkdir(parents=True, exist_ok=True)
    write_text(written, script)
    trainings = sum(plan.seeds if "--seeds" in step.arguments else 1 for step in steps if step.arguments[0] == "train")
    tell(f"{count_text(len(steps), 'step')} in {written}, {count_text(trainings, 'training')} of the preset "
         f"{plan.preset}; each says how long it takes")  # fmt: skip
    rows: list[list[Value]] = []
    for number, step in enumerate(steps, 1):
        mark = plan.folder / "steps" / step.name
        if not only_plan and not mark.exists():
            tell(f"[{number}/{len(steps)}] {step.command}")
            begin = time.perf_counter()
            with redirect_stdout(sys.stderr):
                code = run_command(step.arguments)
            if code:
                todo = "correct the cause and call it again: finished steps are skipped"
                raise UsageError(f"the step {step.name} ended with exit code {code}", where=step.command, todo=todo)
            write_text(mark, f"{time.perf_counter() - begin:.1f}\n")
        rows.append([step.name, float(mark.read_text(encoding="utf-8")) if mark.exists() else None])
    tables = [Table("Steps", ("step", "seconds"), rows, 1, f"The commands are in {written}.")]
    facts = [("preset", plan.preset), ("seeds", plan.seeds), ("data", 2 if plan.xinhua else 1)]
    made = signature(("command", "reproduce"), ("paper", "mandarin"), *facts)
    if any(seconds is None for _, seconds in rows):
        return Result(made, [], tables)
    result = Run.load(plan.folder / "run").result()
    tables = [*result.tables[:2], _language_models(plan.folder / "tables"), *tables]
    return Result(made, result.findings, tables, result.failures)


def _language_models(folder: Path) -> Table:
    """Table 3b: perplexity on the test part, mean and ends over seeds, and F1 of models that parse."""
    brackets = json.loads((folder / "brackets.json").read_text(encoding="utf-8"))["findings"]
    f1 = {one["system"]: one["value"] for one in reversed(brackets) if one["measure"] == "f1"}  # all sentences first
    rows: list[list[Value]] = []
    for path in sorted(folder.glob("perplexity-*.json")):
        name = path.stem.partition("-")[2]
        found = json.loads(path.read_text(encoding="utf-8"))["findings"]
        own = [one for one in found if one.get("over") == "tokens and ends of sentences"]
        seeds = [one["value"] for one in own if one["measure"] == "perplexity_of_seed"] or [own[0]["value"]]
        oov = next(one["value"] for one in found if one["measure"] == "oov")
        rows.append([name, own[0]["value"], min(seeds), max(seeds), oov, f1.get(name)])
    columns = ("model", "perplexity", "lowest", "highest", "OOV", "F1")
    return Table("Perplexity and labelled F1 on the test part", columns, rows, 2)
