"""The demo: every study on bundled data, with systems trained on the spot, and one page over all of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .data import bundled
from .runs.record import Run
from .runs.result import Result, Table
from .runs.where import Where
from .runs.work import map_tasks

Tell = Callable[[str], None]

MODELS = {"projective": {"transition": "projective"}, "swap": {"transition": "swap"}}
"""Two parsers that differ in one thing: whether edges may cross."""
EXAMPLE = "nsubj:obj"
CHANGES = ["names", "places"]
ORDERS = {"2-gram": "2", "4-gram": "4"}
"""Two language models that differ in how far they look back."""
GRAMMARS = ("tiger", "tuebadz")
GENERATED = 800
"""Two grammars that differ in the annotation scheme of the same sentences, and how many of these they learn from."""
OPTIONS = {"functions": "yes", "gaps": "split", "horizontal": "2"}
"""Split, because raised trees of TIGER would leave open where extraposed clauses belong."""
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

    def grammars(self, known: Collection[tuple[str, ...]]) -> dict[str, Path]:
        """A grammar with functions for each scheme, of the same generated sentences; none of them is known."""
        from .phrase.source import write
        from .suites.generate.constructions.treebank import generate
        from .systems.phrase_training import train_phrase_model

        place = self.folder / "models"
        paths = {scheme: place / f"{scheme}.npz" for scheme in GRAMMARS}
        if all(path.exists() for path in paths.values()):
            return paths
        made = [one for one in generate(GENERATED, self.seed + 1).sentences if one.tiger.words not in known]
        for scheme, path in paths.items():
            trees = place / f"{scheme}.export"
            write([one.tree(scheme) for one in made], trees, "export")
            train_phrase_model("pcfg", trees, output=path, options={**OPTIONS, "scheme": scheme})
        return paths

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
    parts, left_out = parts_here()
    for said in left_out:
        tell(said)
    steps = len(parts) + 2
    tell(f"1/{steps}  training two parsers on the bundled German treebank")
    systems = demo.models()
    results = {}
    for number, (name, (said, part)) in enumerate(parts.items(), start=2):
        tell(f"{number}/{steps}  {said}")
        results[name] = part(demo, systems)
    tell(f"{steps}/{steps}  writing {folder / PAGE}")
    write_text(folder / PAGE, page([Run.load(folder / name) for name in parts], title="gardenpath demo"))
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


def _constructions(demo: Demo, systems: dict[str, str]) -> Result:
    from .studies.constructions.entrants import entrants
    from .studies.constructions.observed import judged_trees, observations
    from .studies.constructions.study import constructions
    from .studies.judged_phrases import PHRASES, attached
    from .suites.constructions.storage import read_parallel

    suite = bundled("de-constructions")

    def work(run: Run) -> Result:
        suites = read_parallel(suite)
        known = {item.tree.words for item in suites["tiger"].items}
        grammars = demo.grammars(known)
        found = entrants([f"{scheme}=pcfg:{path}" for scheme, path in grammars.items()])
        named = [replace(one, name=f"pcfg:{one.scheme}") for one in found]
        halves = list(suites.values())
        result, judged = constructions(halves, named, example="wrong", limit=3, draws=500, seed=demo.seed)
        run.finish(result, observations(judged, demo.seed), attached={PHRASES: attached(judged_trees(judged))})
        return result

    return demo.run("constructions", ["de-constructions"], work, sentences=GENERATED, options=OPTIONS)


def _consistency(demo: Demo, systems: dict[str, str]) -> Result:
    from .studies.consistency import answers, ask, observations, trees
    from .studies.consistency import consistency as study
    from .treebank import read
    from .treebank.perturb import Settings, perturbation

    def work(run: Run) -> Result:
        treebank = read(bundled("de-test"))
        asked = ask(treebank, [perturbation(name, Settings(language="de")) for name in CHANGES])
        told = {short: answers(name, asked.treebank, where=Where(jobs=demo.jobs)) for short, name in systems.items()}
        result, parts = study(asked, told, order="surface", draws=500, seed=demo.seed)
        run.finish(result, observations(asked, parts, demo.seed), trees(asked, told))
        return result

    return demo.run("consistency", ["de-train", "de-dev", "de-test"], work, models=MODELS, changes=CHANGES)


def _surprisal(demo: Demo, systems: dict[str, str]) -> Result:
    from .studies.surprisal.curves import SURPRISALS, attached
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
        run.finish(result, observations(judged), attached={SURPRISALS: attached(judged)})
        return result

    return demo.run("surprisal", ["zh-text", "zh-surprisal"], work, orders=ORDERS)


PARTS: dict[str, tuple[str, Callable[[Demo, dict[str, str]], Result]]] = {
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


def parts_here() -> tuple[dict[str, tuple[str, Callable[[Demo, dict[str, str]], Result]]], list[str]]:
    """The parts that can be done here, and what to say of the others."""
    from .systems.registry import kinds

    known = kinds()
    missing = {name: known[kind].install for name, kind in NEEDED.items() if not known[kind].installed}
    told = [f"without {name}, which needs more packages: {install}" for name, install in missing.items()]
    return {name: part for name, part in PARTS.items() if name not in missing}, told


def _parsed(gold: Any, systems: dict[str, str], jobs: int) -> tuple[dict[str, Any], dict[str, int]]:
    from .systems.parsing import parse_with

    made, failures = dict[str, Any](), dict[str, int]()
    for short, name in systems.items():
        parsed = parse_with(name, gold, where=Where(jobs=jobs if name.startswith("udpipe") else 1))
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
