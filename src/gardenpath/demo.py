"""The demo: every study on bundled data, with systems trained on the spot, and one page over all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .data import bundled
from .runs.record import Run
from .runs.result import Result, Table
from .runs.work import map_tasks

Tell = Callable[[str], None]

MODELS = {"projective": {"transition": "projective"}, "swap": {"transition": "swap"}}
"""Two parsers that differ in one thing: whether edges may cross."""
EXAMPLE = "nsubj:obj"
CHANGES = ["names", "places"]
ORDERS = {"2-gram": "2", "4-gram": "4"}
"""Two language models that differ in how far they look back."""
PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class Training:
    """One model to train; a task that any process can do."""

    name: str
    folder: str
    seed: int


def train_model(task: Training) -> dict[str, Any]:
    """Trains a parser on the bundled German treebank, unless the model is there already."""
    from .systems.card import read_card
    from .systems.training import train
    from .treebank import read

    path = Path(task.folder) / f"{task.name}.udpipe"
    if not path.exists():
        train(
            "udpipe", read(bundled("de-train")), read(bundled("de-dev")), output=path, preset="tiny", seed=task.seed,
            options=MODELS[task.name],
        )  # fmt: skip
    return dict(read_card(path)["dev_scores"])


@dataclass(frozen=True, slots=True)
class Demo:
    """Where the demo works, and with what; each part is a run in a folder of its own."""

    folder: Path
    seed: int
    jobs: int

    def models(self) -> dict[str, str]:
        """The trained parsers: how tables call them, and their names as systems."""
        place = self.folder / "models"
        tasks = [Training(name, str(place), self.seed) for name in MODELS]
        map_tasks(train_model, tasks, jobs=min(self.jobs, len(tasks)) if self.jobs else 0, label="training")
        return {f"udpipe:{name}": f"udpipe:{place / name}.udpipe" for name in MODELS}

    def run(self, name: str, inputs: Sequence[str], work: Callable[[Run], Result], **settings: Any) -> Result:
        """The run of one part; a finished one is read."""
        paths = [file for one in inputs for file in _files(bundled(one))]
        where = self.folder / name
        with Run.open(where, command=f"demo {name}", settings=settings, inputs=paths, seed=self.seed) as run:
            return run.result() if run.finished else work(run)


def run_demo(folder: Path, *, seed: int = 0, jobs: int = 2, tell: Tell) -> dict[str, Result]:
    """All parts in their order; models, trees, tables and the page go into `folder`."""
    from .report.page.page import page
    from .runs.atomic import write_text

    demo = Demo(folder, seed, jobs)
    steps = len(PARTS) + 2
    tell(f"1/{steps}  training two parsers on the bundled German treebank")
    systems = demo.models()
    results = {}
    for number, (name, (said, part)) in enumerate(PARTS.items(), start=2):
        tell(f"{number}/{steps}  {said}")
        results[name] = part(demo, systems)
    tell(f"{steps}/{steps}  writing {folder / PAGE}")
    write_text(folder / PAGE, page([Run.load(folder / name) for name in PARTS], title="gardenpath demo"))
    return results


def _displacement(demo: Demo, systems: dict[str, str]) -> Result:
    from .studies.displacement.pair import observations, pair_study
    from .treebank import read

    def work(run: Run) -> Result:
        train, test = read(bundled("de-train")), read(bundled("de-test"))
        result = pair_study(train, test, draws=500, seed=demo.seed)
        run.finish(result, observations(train, test, demo.seed))
        return result

    return demo.run("displacement", ["de-train", "de-test"], work)


def _evaluation(demo: Demo, systems: dict[str, str]) -> Result:
    from .studies.evaluation import GROUPINGS, evaluate, observations
    from .treebank import read

    def work(run: Run) -> Result:
        gold = read(bundled("de-test"))
        made, failures = _parsed(gold, {**systems, "baseline:right-branching": "baseline:right-branching"}, demo.jobs)
        result, scores = evaluate(gold, made, by=GROUPINGS, example=EXAMPLE, limit=3, seed=demo.seed, failures=failures)
        run.finish(result, observations(gold, scores, demo.seed), _bytes(gold, made))
        return result

    return demo.run("evaluation", ["de-train", "de-dev", "de-test"], work, models=MODELS, example=EXAMPLE)


def _roles(demo: Demo, systems: dict[str, str]) -> Result:
    from .studies.roles import observations, roles
    from .suites.reader import read_suite

    baseline = "baseline:subject-first"

    def work(run: Run) -> Result:
        suite = read_suite(bundled("de-roles"))
        made, failures = _parsed(suite.treebank, {**systems, baseline: baseline}, demo.jobs)
        result, judged = roles(
            suite, made, baseline=baseline, by=("order", "property", "pairs"), seed=demo.seed, failures=failures
        )
        run.finish(result, observations(suite, judged, demo.seed), _bytes(suite.treebank, made))
        return result

    return demo.run("roles", ["de-train", "de-dev", "de-roles"], work, models=MODELS, baseline=baseline)


def _consistency(demo: Demo, systems: dict[str, str]) -> Result:
    from .studies.consistency import answers, ask, observations, trees
    from .studies.consistency import consistency as study
    from .treebank import read
    from .treebank.perturb import Settings, perturbation

    def work(run: Run) -> Result:
        treebank = read(bundled("de-test"))
        asked = ask(treebank, [perturbation(name, Settings(language="de")) for name in CHANGES])
        told = {short: answers(name, asked.treebank, jobs=demo.jobs) for short, name in systems.items()}
        result, parts = study(asked, told, order="surface", draws=500, seed=demo.seed)
        run.finish(result, observations(asked, parts, demo.seed), trees(asked, told))
        return result

    return demo.run("consistency", ["de-train", "de-dev", "de-test"], work, models=MODELS, changes=CHANGES)


def _surprisal(demo: Demo, systems: dict[str, str]) -> Result:
    from .studies.surprisal.entrants import Entrant
    from .studies.surprisal.observed import observations
    from .studies.surprisal.study import GROUPINGS, surprisal
    from .suites.regions.reader import read_region_suites
    from .systems.language_model_training import train_language_model

    def work(run: Run) -> Result:
        models = {name: demo.folder / "models" / f"{name}.npz" for name in ORDERS}
        for name, path in models.items():
            if not path.exists():
                train_language_model("ngram", bundled("zh-text"), output=path, options={"order": ORDERS[name]})
        suites = list(read_region_suites(bundled("zh-surprisal")))
        found = [Entrant(f"{name}=ngram:{path}") for name, path in models.items()]
        result, judged = surprisal(suites, found, by=GROUPINGS, draws=500, seed=demo.seed)
        run.finish(result, observations(judged))
        return result

    return demo.run("surprisal", ["zh-text", "zh-surprisal"], work, orders=ORDERS)


PARTS: dict[str, tuple[str, Callable[[Demo, dict[str, str]], Result]]] = {
    "displacement": ("displacement: how far is the test set from the training data?", _displacement),
    "evaluation": ("evaluation: how good are the parsers, beside a baseline?", _evaluation),
    "roles": ("roles: do they find subject and object, whatever the order?", _roles),
    "consistency": ("consistency: does another name or place change the tree?", _consistency),
    "surprisal": ("surprisal: do language models expect what Mandarin grammar demands?", _surprisal),
}
"""The studies in the order of the demo: what is said while it works, and the work."""


def _parsed(gold: Any, systems: dict[str, str], jobs: int) -> tuple[dict[str, Any], dict[str, int]]:
    from .systems.parsing import parse_with

    made, failures = dict[str, Any](), dict[str, int]()
    for short, name in systems.items():
        parsed = parse_with(name, gold, jobs=jobs if name.startswith("udpipe") else 1)
        made[short] = parsed.treebank
        failures |= {f"{short}: {kind}": count for kind, count in parsed.failures.items()}
    return made, failures


def _files(path: Path) -> list[Path]:
    """A file, or all files of a folder."""
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def _bytes(gold: Any, made: dict[str, Any]) -> dict[str, bytes]:
    return {"gold": gold.to_bytes(), **{name: one.to_bytes() for name, one in made.items()}}


def shown_first(results: dict[str, Result]) -> list[Table]:
    """The tables that fit a screen: of each study the first, and what tells the parsers apart."""
    first = [table for result in results.values() for table in result.tables[:2]]
    return [table for table in first if table.rows]
