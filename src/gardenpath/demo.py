"""The demo: every study on bundled data, with systems trained on the spot; one screen and one page over all of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .data import bundled
from .library import studies
from .library.result import StudyResult
from .runs.result.layout import short_names
from .runs.result.result import Result, Table
from .runs.work.where import Where

if TYPE_CHECKING:
    from .studies.surprisal.outcomes import Curves

Tell = Callable[[str], None]

MODELS = {"projective": {"transition": "projective"}, "swap": {"transition": "swap"}}
"""Two parsers that differ in one thing: whether edges may cross."""
GRAMMAR, TRIGRAM = "grammar", "trigram"
"""Two language models of the same sentences: the grammar they were drawn from, and one that looks back two words."""
CURVE = "garden_path_mvrr"
"""The suite whose first item is shown word by word: the horse raced past the barn fell."""
ENGLISH = "udpipe:english"
"""A parser of 55 English sentences, for the garden paths that the language models read."""
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
    from .systems.training.training import train

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
    own_models: tuple[str, ...] = ()
    """Language models that the user wants to see beside ours."""

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
        from .phrase.formats.source import write
        from .suites.constructions.storage import read_parallel
        from .suites.generation import generator
        from .systems.training.training import train

        paths = {scheme: self.models / f"{scheme}.npz" for scheme in GRAMMARS}
        if not all(path.exists() for path in paths.values()):
            known = {item.tree.words for item in read_parallel(bundled("de-constructions"))["tiger"].items}
            made = [
                sentence
                for sentence in generator("constructions")(GENERATED, self.seed + 1).sentences
                if sentence.tiger.words not in known
            ]
            for scheme, path in paths.items():
                trees = self.models / f"{scheme}.export"
                write([sentence.tree(scheme) for sentence in made], trees, "export")
                train("pcfg", trees, output=path, options={**OPTIONS, "scheme": scheme})
        return {f"pcfg:{scheme}": f"pcfg:{path}" for scheme, path in paths.items()}

    def english_parser(self) -> dict[str, str]:
        from .systems.training.training import train

        path = self.models / "english.udpipe"
        if not path.exists():
            train("udpipe", bundled("en-test"), output=path, preset="tiny", seed=self.seed)
        return {ENGLISH: f"udpipe:{path}"}

    def language_models(self) -> list[str]:
        """Those of the bundled English text that can be had here, and the user's own."""
        from .systems.asking.registry import kinds
        from .systems.training.training import train

        path = self.models / f"{TRIGRAM}.npz"
        if not path.exists():
            train("ngram", bundled("en-text"), output=path, options={"order": "3"})
        grammar = [f"{GRAMMAR}=pcfg:bundled:en-grammar"] if kinds()["pcfg"].installed else []
        return [*grammar, f"{TRIGRAM}=ngram:{path}", *self.own_models]


def _surprisal(demo: Demo) -> StudyResult:
    return studies.surprisal("bundled:en-surprisal", demo.language_models(), **demo.common("surprisal", by="all"))


def _joint(demo: Demo) -> StudyResult:
    """On the suites that have arcs which decide: the garden paths."""
    paths = sorted(map(str, Path(bundled("en-surprisal")).glob("garden_path_*.json")))
    models = demo.language_models()
    return studies.joint(paths, demo.english_parser(), models, **demo.common("joint", by="all"))


def _roles(demo: Demo) -> StudyResult:
    baseline = "baseline:subject-first"
    how = demo.common("roles", baseline=baseline, by="order,property,pairs")
    return studies.roles("bundled:de-roles", {**demo.parsers(), baseline: baseline}, **how)


def _consistency(demo: Demo) -> StudyResult:
    """On the short sentences of the suite, where the parsers get some right: there a name can break something."""
    how = demo.common("consistency", change="names", language="de")
    return studies.consistency("bundled:de-roles", demo.parsers(), **how)


def _displacement(demo: Demo) -> StudyResult:
    how = demo.common("displacement", draws=500, seed=demo.seed)
    return studies.displacement("bundled:de-train", "bundled:de-test", **how)


def _constructions(demo: Demo) -> StudyResult:
    how = demo.common("constructions", examples="wrong", limit=3)
    return studies.constructions("bundled:de-constructions", demo.grammars(), **how)


def _evaluation(demo: Demo) -> StudyResult:
    systems = {**demo.parsers(), "baseline:right-branching": "baseline:right-branching"}
    how = demo.common("evaluation", by="all", examples="nsubj:obj", limit=3)
    return studies.evaluate("bundled:de-test", systems, **how)


Part = Callable[[Demo], StudyResult]
PARTS: dict[str, tuple[str, Part]] = {
    "surprisal": ("surprisal: is a grammar led down the garden path, and is a trigram?", _surprisal),
    "joint": ("joint: does a parser take the garden path where a language model is surprised?", _joint),
    "roles": ("roles: do parsers find subject and object, whatever the order?", _roles),
    "consistency": ("consistency: does another name change the tree?", _consistency),
    "displacement": ("displacement: how far is the test set from the training data?", _displacement),
    "constructions": ("constructions: which hard ones do grammars of two annotation schemes get?", _constructions),
    "evaluation": ("evaluation: how good are the parsers, beside a baseline?", _evaluation),
}
"""The studies in the order of the demo: what is said while it works, and the work."""
NEEDED = {"surprisal": "pcfg", "constructions": "pcfg"}
"""Kinds of systems that a part needs and the base installation may not have."""
LINES = 40
"""Lines of the screen that the demo ends with."""


def run_demo(
    folder: Path, *, seed: int = 0, jobs: int = 2, models: tuple[str, ...] = (), tell: Tell
) -> dict[str, StudyResult]:
    """All parts in their order; models, trees, tables and the page go into `folder`."""
    from .library.run_tools import report
    from .systems.asking.entrants import entrants_of
    from .systems.asking.protocol import LANGUAGE_MODEL

    for entrant in entrants_of(models, LANGUAGE_MODEL):
        _ = entrant.members  # a name that is none is told before the work
    demo = Demo(folder, seed, jobs, models)
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
    report(*(folder / name for name in parts), output=folder / PAGE, title="gardenpath demo")
    return results


def parts_here() -> tuple[dict[str, tuple[str, Part]], list[str]]:
    """The parts that can be done here, and what to say of the others."""
    from .systems.asking.registry import kinds

    known = kinds()
    missing = {name: known[kind].install for name, kind in NEEDED.items() if not known[kind].installed}
    lines = [f"without {name}, which needs more packages: {install}" for name, install in missing.items()]
    return {name: part for name, part in PARTS.items() if name not in missing}, lines


def summary(folder: Path, results: Mapping[str, StudyResult], signature: str) -> Result:
    """All findings and verdicts; of tables the garden path word by word, and the first of each study."""
    findings = [finding for result in results.values() for finding in result.findings]
    tables = [table for result in results.values() for table in result.tables[:1] if table.rows]
    failures = {f"{name}: {kind}": n for name, result in results.items() for kind, n in result.failures.items()}
    verdicts = [verdict for result in results.values() for verdict in result.verdicts]
    return Result(signature, findings, [*curve_tables(folder), *tables], failures, verdicts=verdicts)


def screen(folder: Path, results: Mapping[str, StudyResult], signature: str, colour: bool = False) -> str:
    """What the demo ends with: the garden path word by word, and what each study found, on one screen.

    Studies take turns with their sentences, the weightiest first, each as long as its next one has room.
    """
    from .report.formats import failure_lines, plain, verdict_lines
    from .report.plain_text import wrapped

    failures = [part for line in failure_lines(summary(folder, results, signature)) for part in wrapped(line)]
    curves = [plain(table) for table in curve_tables(folder)]
    lines_of: dict[str, list[str]] = {name: [] for name, result in results.items() if result.verdicts}
    room = LINES - sum(block.count("\n") + 2 for block in curves) - len(lines_of) - len(failures) - 2
    speaking = {name: iter(results[name].verdicts) for name in lines_of}
    while speaking:
        for name, verdicts in list(speaking.items()):
            verdict = next(verdicts, None)
            lines = verdict_lines(verdict, colour) if verdict is not None else []
            if not 0 < len(lines) <= room:
                del speaking[name]
                continue
            lines_of[name] += lines
            room -= len(lines)
    sentences = [line for name, lines in lines_of.items() for line in (name, *lines)]
    blocks = [*curves, "\n".join(sentences), "\n".join([*failures, f"signature: {signature}"])]
    return "\n\n".join(block for block in blocks if block) + "\n"


def curve_tables(folder: Path) -> list[Table]:
    """The surprisal of each word of the first garden path, if language models were asked."""
    from .runs.record.run import Run
    from .studies.surprisal.outcomes import SURPRISALS, read_curves

    path = Run.load(folder / "surprisal").attached(SURPRISALS) if (folder / "surprisal").exists() else None
    items = read_curves(path) if path is not None else iter(())
    return [_curve_table(item) for item in items if item.suite == CURVE][:1]


def _curve_table(item: Curves) -> Table:
    """A row per system and condition; a word that a condition does not have is left blank."""
    _, words, regions = max(item.conditions, key=lambda condition: len(condition[1]))
    rows, short = [], short_names(list(item.bits))
    for system, bits in item.bits.items():
        for (condition, _, own), values in zip(item.conditions, bits, strict=True):
            left = list(zip(own, values, strict=True))
            cells = [left.pop(0)[1] if left and left[0][0] == region else None for region in regions]
            rows.append([short[system], condition, *cells])
    note = f"Surprisal in bits, word by word: {item.suite}, item {item.item}."
    return Table("", ["", "", *words], rows, digits=1, note=note, name="curve")
