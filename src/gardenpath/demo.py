"""The demo: every study on bundled data, with systems trained on the spot, and one page over all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .data import bundled
from .library import studies
from .library.result import StudyResult
from .runs.result import Table
from .runs.where import Where

Tell = Callable[[str], None]

MODELS = {"projective": {"transition": "projective"}, "swap": {"transition": "swap"}}
"""Two parsers that differ in one thing: whether edges may cross."""
ORDERS = {"2-gram": "2", "4-gram": "4"}
"""Two language models that differ in how far they look back."""
GRAMMARS = ("tiger", "tuebadz")
GENERATED = 800
"""Two grammars that differ in the annotation scheme of the same sentences, and how many of these they learn from."""
OPTIONS = {"functions": "yes", "gaps": "split", "horizontal": "2"}
"""Split, because raised trees of TIGER would leave open where extraposed clauses belong."""
PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class DemoTraining:
    """One parser to train; a task that any process can do."""

    name: str
    folder: str
    seed: int


def train_parser(task: DemoTraining) -> str:
    """Trains a parser on the bundled German treebank, unless the model is there already."""
    from .systems.training import train

    path = Path(task.folder) / f"{task.name}.udpipe"
    if not path.exists():
        train(
            "udpipe", bundled("de-train"), bundled("de-dev"), output=path, preset="tiny", seed=task.seed,
            options=MODELS[task.name],
        )  # fmt: skip
    return str(path)


@dataclass(frozen=True, slots=True)
class Demo:
    """Where the demo works, and with what; each part is a run in a folder of its own."""

    folder: Path
    seed: int
    jobs: int

    @property
    def models(self) -> Path:
        return self.folder / "models"

    def common(self, name: str, **settings: Any) -> dict[str, Any]:
        """What every study is told: where it works and where it is kept."""
        return {"where": Where(jobs=self.jobs), "run": self.folder / name, **settings}

    def parsers(self) -> dict[str, str]:
        """The parsers by the names that tables show."""
        return {f"udpipe:{name}": f"udpipe:{self.models / name}.udpipe" for name in MODELS}

    def train_parsers(self) -> None:
        tasks = [DemoTraining(name, str(self.models), self.seed) for name in MODELS]
        with Where(jobs=min(self.jobs, len(tasks)) if self.jobs else 0).opened() as place:
            place.map(train_parser, tasks, label="training")

    def grammars(self) -> dict[str, str]:
        """A grammar with functions for each scheme, of the same generated sentences; none of them is in the suite."""
        from .phrase.source import write
        from .suites.constructions.storage import read_parallel
        from .suites.generate.constructions.treebank import generate
        from .systems.training import train

        paths = {scheme: self.models / f"{scheme}.npz" for scheme in GRAMMARS}
        if not all(path.exists() for path in paths.values()):
            known = {item.tree.words for item in read_parallel(bundled("de-constructions"))["tiger"].items}
            made = [
                sentence
                for sentence in generate(GENERATED, self.seed + 1).sentences
                if sentence.tiger.words not in known
            ]
            for scheme, path in paths.items():
                trees = self.models / f"{scheme}.export"
                write([sentence.tree(scheme) for sentence in made], trees, "export")
                train("pcfg", trees, output=path, options={**OPTIONS, "scheme": scheme})
        return {f"pcfg:{scheme}": f"pcfg:{path}" for scheme, path in paths.items()}

    def language_models(self) -> dict[str, str]:
        from .systems.training import train

        paths = {name: self.models / f"{name}.npz" for name in ORDERS}
        for name, path in paths.items():
            if not path.exists():
                train("ngram", bundled("zh-text"), output=path, options={"order": ORDERS[name]})
        return {name: f"ngram:{path}" for name, path in paths.items()}


def _displacement(demo: Demo) -> StudyResult:
    how = demo.common("displacement", draws=500, seed=demo.seed)
    return studies.displacement("bundled:de-train", "bundled:de-test", **how)


def _evaluation(demo: Demo) -> StudyResult:
    systems = {**demo.parsers(), "baseline:right-branching": "baseline:right-branching"}
    how = demo.common("evaluation", by="all", examples="nsubj:obj", limit=3)
    return studies.evaluate("bundled:de-test", systems, **how)


def _roles(demo: Demo) -> StudyResult:
    baseline = "baseline:subject-first"
    how = demo.common("roles", baseline=baseline, by="order,property,pairs")
    return studies.roles("bundled:de-roles", {**demo.parsers(), baseline: baseline}, **how)


def _constructions(demo: Demo) -> StudyResult:
    how = demo.common("constructions", examples="wrong", limit=3)
    return studies.constructions("bundled:de-constructions", demo.grammars(), **how)


def _consistency(demo: Demo) -> StudyResult:
    how = demo.common("consistency", perturb="names,places", language="de")
    return studies.consistency("bundled:de-test", demo.parsers(), **how)


def _surprisal(demo: Demo) -> StudyResult:
    how = demo.common("surprisal", by="all")
    return studies.surprisal("bundled:zh-surprisal", demo.language_models(), **how)


Part = Callable[[Demo], StudyResult]
PARTS: dict[str, tuple[str, Part]] = {
    "displacement": ("displacement: how far is the test set from the training data?", _displacement),
    "evaluation": ("evaluation: how good are the parsers, beside a baseline?", _evaluation),
    "roles": ("roles: do they find subject and object, whatever the order?", _roles),
    "constructions": ("constructions: which hard ones do grammars of two annotation schemes get?", _constructions),
    "consistency": ("consistency: does another name or place change the tree?", _consistency),
    "surprisal": ("surprisal: do language models expect what Mandarin grammar demands?", _surprisal),
}
"""The studies in the order of the demo: what is said while it works, and the work."""
NEEDED = {"constructions": "pcfg"}
"""Kinds of systems that a part needs and the base installation may not have."""


def run_demo(folder: Path, *, seed: int = 0, jobs: int = 2, tell: Tell) -> dict[str, StudyResult]:
    """All parts in their order; models, trees, tables and the page go into `folder`."""
    from .library.tools import report

    demo = Demo(folder, seed, jobs)
    parts, left_out = parts_here()
    for line in left_out:
        tell(line)
    steps = len(parts) + 2
    tell(f"1/{steps}  training two parsers on the bundled German treebank")
    demo.train_parsers()
    results = {}
    for number, (name, (line, part)) in enumerate(parts.items(), start=2):
        tell(f"{number}/{steps}  {line}")
        results[name] = part(demo)
    tell(f"{steps}/{steps}  writing {folder / PAGE}")
    report(*(folder / name for name in parts), path=folder / PAGE, title="gardenpath demo")
    return results


def parts_here() -> tuple[dict[str, tuple[str, Part]], list[str]]:
    """The parts that can be done here, and what to say of the others."""
    from .systems.registry import kinds

    known = kinds()
    missing = {name: known[kind].install for name, kind in NEEDED.items() if not known[kind].installed}
    lines = [f"without {name}, which needs more packages: {install}" for name, install in missing.items()]
    return {name: part for name, part in PARTS.items() if name not in missing}, lines


def shown_first(results: dict[str, StudyResult]) -> list[Table]:
    """The tables that fit a screen: of each study the first, and what tells the parsers apart."""
    first = [table for result in results.values() for table in result.tables[:2]]
    return [table for table in first if table.rows]
