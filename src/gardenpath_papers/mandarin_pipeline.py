"""The study of the paper on Mandarin with one's own Chinese Treebank: a plan of gardenpath's commands, and its run.

The plan is also a script in the folder (`plan.sh`). Finished steps are skipped; an interrupted one resumes as its
command does.
"""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator
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
EPOCHS = {"tiny": 1, "default": 20, "paper": 100}
"""How long the segmenter learns."""


@dataclass(frozen=True)
class Step:
    """A call of gardenpath; `name` is that of its mark in `steps/`, which says that it is finished."""

    name: str
    command: str

    @property
    def arguments(self) -> list[str]:
        return shlex.split(self.command)[1:]


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
            raise UsageError(f"unknown preset {self.preset!r}", where="--set preset", todo="one of " + ", ".join(BEAMS))
        several = len(files(self.ctb)) > 1
        how = f"--parts {shlex.quote(self.parts)}" if self.parts else "--by-document" if several else ""
        yield self._step("split", f"treebank split {self._genres()} -o <folder> --set prefix=ctb --force {how}")
        train, dev, test = (f"'<folder>/ctb-{part}.*'" for part in ("train", "dev", "test"))
        neural, larger = f"--preset {self.preset}", ""
        if self.xinhua:
            text, segmenter = shlex.quote(self.xinhua), self.segmenter
            if segmenter == OWN:
                segmenter = "udpipe:<folder>/segmenter.udpipe"
                yield self._step("segments", f"treebank convert {train} --to conllu --scheme ctb --set no_spaces=yes "
                                 "-o <folder>/segments.conllu")  # fmt: skip
                # The smallest tagger and parser that UDPipe's models need, and a tokenizer that learns.
                learning = f"--preset tiny --set tokenizer.model=gru --set tokenizer.epochs={EPOCHS[self.preset]}"
                model = segmenter.partition(":")[2]
                yield self._step("train-segmenter", f"train udpipe <folder>/segments.conllu -o {model} {learning}")
            if segmenter:
                yield self._step("segment", f"parse {segmenter} {text} -o <folder>/xinhua.conllu")
                text = "<folder>/xinhua.conllu"
            larger = "<folder>/xinhua.mrg"
            yield self._step("train-chart", f"train chart {train} --dev {dev} -o <folder>/chart {neural}")
            yield self._step("parse", f"parse chart:<folder>/chart {text} -o {larger}")
        yield self._step("corpora", f"treebank stats {train} {larger} --by argument -o <folder>/tables/corpora.txt "
                         "--run <folder>/corpora")  # fmt: skip
        yield self._step("lengths", "report <folder>/corpora --to figures -o <folder>/figures/corpora")
        systems = dict[str, str]()
        for size, data in {"": train, **({f"-{LARGER}": f"{train} {larger}"} if larger else {})}.items():
            for name, kind in KINDS.items():
                model, options = f"<folder>/{name}{size}", f"{neural} --seeds {self.seeds}"
                if kind == "ngram":
                    model, options = f"{model}.npz", "--set order=5 --set min_count=2"
                yield self._step(f"train-{name}{size}", f"train {kind} {data} --dev {dev} -o {model} {options}")
                beam = BEAMS[self.preset] if name in STRUCTURAL else ""
                systems[f"{name}{size}"] = f"{kind}:{model}{beam}"
        for name, system in systems.items():
            table = f"<folder>/tables/perplexity-{name}.json"
            yield self._step(f"perplexity-{name}", f"score '{system}' {test} --summary -f json -o {table}")
        named = [f"'{name}={system}'" for name, system in systems.items()]
        parsers = " ".join(system for system in named if system.startswith(tuple(f"'{name}" for name in STRUCTURAL)))
        yield self._step("brackets", f"evaluate {test} {parsers} -f json -o <folder>/tables/brackets.json")
        made = "--run <folder>/run -o <folder>/tables/accuracy.txt"
        tested = f"{shlex.quote(self.suites)} {' '.join(named)}"
        yield self._step("suites", f"surprisal {tested} --by all --ties coin {made}")
        yield self._step("figures", "report <folder>/run --to figures -o <folder>/figures/suites")
        for table in ("table1", "figure6", *(("size", "table5") if larger else ())):
            yield self._step(table, f"stats <folder>/run mandarin:{table} -o <folder>/tables/{table}.txt")

    def _step(self, name: str, command: str) -> Step:
        words = [word.replace("<folder>", str(self.folder)) for word in shlex.split(command)]
        return Step(name, shlex.join(["gardenpath", *words]))

    def _genres(self) -> str:
        """The paper's genres where the treebank is a folder whose files have them; else all of it."""
        endings = {file.rpartition(".")[2] for file in files(self.ctb)} if Path(self.ctb).is_dir() else set()
        globs = [str(Path(self.ctb) / "**" / f"*.{genre}") for genre in GENRES if genre in endings]
        return shlex.join(globs or [self.ctb])


def run_plan(plan: MandarinPlan, tell: Callable[[str], None], *, only_plan: bool = False) -> Result:
    """Write the plan as a script and run the steps that are not finished; the result has accuracies and all steps."""
    steps = list(plan.steps())
    script = "".join(f"{step.command}\n" for step in steps)
    written = plan.folder / "plan.sh"
    if written.exists() and written.read_text(encoding="utf-8") != script:
        raise UsageError(
            "this folder has another plan", where=str(written), todo="choose a new folder: --set folder=NAME"
        )
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
    for name in (f"{kind}{size}" for size in ("", f"-{LARGER}") for kind in KINDS):
        path = folder / f"perplexity-{name}.json"
        if not path.exists():
            continue
        found = json.loads(path.read_text(encoding="utf-8"))["findings"]
        own = [one for one in found if one.get("over") == "tokens and ends of sentences"]
        seeds = [one["value"] for one in own if one["measure"] == "perplexity_of_seed"] or [own[0]["value"]]
        oov = next(one["value"] for one in found if one["measure"] == "oov")
        rows.append([name, own[0]["value"], min(seeds), max(seeds), oov, f1.get(name)])
    columns = ("model", "perplexity", "lowest", "highest", "OOV", "F1")
    return Table("Perplexity and labelled F1 on the test part", columns, rows, 2)
