"""Whole studies with two systems that are equally good: how often does a run say that they differ?"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gardenpath.data.catalogue import SAMPLES
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Result, Verdict
from gardenpath.runs.result.verdict import SHOWN, SUGGESTED
from gardenpath.studies.compare.study import compare
from gardenpath.studies.displacement.declaration import PairSettings
from gardenpath.studies.displacement.pair import DISPLACEMENT_PAIR
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.declaration import EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.studies.roles.declaration import RolesSettings
from gardenpath.studies.roles.study import ROLES
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.study import SURPRISAL
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from gardenpath.suites.roles.reader import read_suite
from gardenpath.treebank import Treebank, read

from .samples import chances, treebanks

ALIKE = 0.05
"""Correlation of the errors within a document or base sentence; half of the documents have the same for both."""
RIGHT = 0.8
_SWAPPED = {"nsubj": "obj", "obj": "nsubj"}


@dataclass(frozen=True)
class NullRuns:
    """Per cent of runs that say that two equally good systems differ."""

    study: str
    source: str
    runs: int
    shown: float
    any: float
    """Shown or suggested."""


def null_runs(runs: int, rng: np.random.Generator) -> Iterator[NullRuns]:
    """Yield the share of runs with a verdict of a difference, for every study that tests systems on the same items."""
    paths = list(treebanks()) or [SAMPLES / "de_garden-test.conllu"]
    for path in paths[:4]:
        gold = read(path)
        yield _counted("evaluate", path.stem, runs, lambda gold=gold: _evaluated(gold, rng))
    gold = read(next((path for path in paths if path.name.startswith("uk_iu")), paths[0]))
    with tempfile.TemporaryDirectory() as folder:
        places = iter(range(10**9))
        yield _counted(
            "compare --by label", gold.name.rpartition("/")[2].removesuffix(".conllu"), max(10, runs // 4),
            lambda: _compared(gold, Path(folder) / str(next(places)), rng),
        )  # fmt: skip
    for path in paths[:3]:
        gold = read(path)
        if gold.documents is not None and int(gold.documents.max()) > 9:
            yield _counted("displacement pair", path.stem, max(10, runs // 4), lambda gold=gold: _halves(gold, rng))
    yield _counted("roles", "bundled suite", runs, lambda: _roles(rng))
    yield _counted("surprisal", "8 classes of 20 items", runs, lambda: _surprisal(rng))


def _counted(study: str, source: str, runs: int, result_of: Callable[[], Result]) -> NullRuns:
    claims = [_claims(result_of()) for _ in range(runs)]
    shown = 100 * sum(SHOWN in sure for sure in claims) / runs
    return NullRuns(study, source, runs, shown, 100 * sum(bool(sure & {SHOWN, SUGGESTED}) for sure in claims) / runs)


def _claims(result: Result) -> set[str]:
    """Return how sure the verdicts are that speak of a difference between the two systems."""
    return {verdict.sure for verdict in result.verdicts if _is_difference(verdict)}


def _is_difference(verdict: Verdict) -> bool:
    measures = {finding.measure for finding in verdict.rests_on}
    return any("baseline" in finding.by for finding in verdict.rests_on) or "edv_excess" in measures


def _evaluated(gold: Treebank, rng: np.random.Generator, folder: Path | None = None) -> Result:
    first, second = (Treebank(data, name=name) for data, name in zip(_parses(gold, rng), "ab", strict=True))
    return run(EVALUATION, gold, {"a": first, "b": second}, EvaluationSettings(), folder=folder)


def _compared(gold: Treebank, folder: Path, rng: np.random.Generator) -> Result:
    _evaluated(gold, rng, folder)
    return compare([Run.load(folder)], by=["label"])


def _parses(gold: Treebank, rng: np.random.Generator) -> Iterator[bytes]:
    """Yield two parses of gold with other labels at some words, by the chances of their documents."""
    documents = np.arange(len(gold)) if gold.documents is None else gold.documents
    size = int(documents.max()) + 1
    common = chances(RIGHT, ALIKE, (size,), rng)
    for _ in range(2):
        own = np.where(rng.random(size) < 0.5, common, chances(RIGHT, ALIKE, (size,), rng))
        wrong = (rng.random(len(gold.heads)) > own[documents[gold.sentence_of]]).tolist()
        yield _relabelled(gold, lambda word, label, bad=wrong: "dep" if bad[word] and label != "dep" else label)


def _relabelled(gold: Treebank, label_of: Callable[[int, str], str]) -> bytes:
    """Return the treebank with other labels; `label_of` gets the number of a word and its label."""
    lines, word = gold.to_bytes().decode("utf-8").split("\n"), 0
    for number, line in enumerate(lines):
        cells = line.split("\t")
        if len(cells) == 10 and cells[0].isdigit():
            cells[7] = label_of(word, cells[7])
            lines[number] = "\t".join(cells)
            word += 1
    return "\n".join(lines).encode("utf-8")


def _halves(gold: Treebank, rng: np.random.Generator) -> Result:
    """Return how far one half of the documents, drawn at random, is from the other."""
    assert gold.documents is not None
    number = int(gold.documents.max()) + 1
    first = np.zeros(number, dtype=bool)
    first[rng.permutation(number)[: number // 2]] = True
    sides = []
    for name, chosen in (("train", first), ("test", ~first)):
        kept = np.flatnonzero(chosen[gold.documents])
        blocks = []
        for place in kept.tolist():
            begins = place == 0 or gold.documents[place] != gold.documents[place - 1]
            block = gold.block(place).decode("utf-8")
            blocks.append(block if not begins or "newdoc" in block else f"# newdoc\n{block}")
        sides.append(Treebank("".join(blocks).encode("utf-8"), name=name))
    seed = int(rng.integers(1 << 30))
    return run(DISPLACEMENT_PAIR, tuple(sides), settings=PairSettings(draws=200, seed=seed))


def _roles(rng: np.random.Generator) -> Result:
    suite = read_suite(SAMPLES / "de_garden-roles.conllu")
    bases = np.unique(np.array(suite.bases), return_inverse=True)[1]
    common = chances(RIGHT, ALIKE, (int(bases.max()) + 1,), rng)
    systems = {}
    for name in "ab":
        own = np.where(rng.random(len(common)) < 0.5, common, chances(RIGHT, ALIKE, common.shape, rng))
        wrong = rng.random(len(suite)) > own[bases]
        of_word = np.repeat(wrong, suite.treebank.lengths).tolist()
        data = _relabelled(
            suite.treebank, lambda word, label, bad=of_word: _SWAPPED.get(label, label) if bad[word] else label
        )
        systems[name] = Treebank(data, name=name)
    return run(ROLES, suite, systems, RolesSettings(baseline="a"))


def _surprisal(rng: np.random.Generator) -> Result:
    suites = [_suite(f"class {number}") for number in range(8)]
    common = chances(RIGHT, ALIKE, (20,), rng)

    def model() -> Callable[[list[list[str]]], list[list[float]]]:
        own = np.where(rng.random(20) < 0.5, common, chances(RIGHT, ALIKE, (20,), rng))
        right: Mapping[tuple[str, str], bool] = {
            (str(number), str(item)): bool(rng.random() < own[item]) for number in range(8) for item in range(20)
        }

        def scored(sentences: list[list[str]]) -> list[list[float]]:
            """Return 2 bits for the last word, where it is bad and the item right, else 1 bit (or the reverse)."""
            return [[1.0, 1.0, 2.0 if (words[2] == "bad") == right[words[0], words[1]] else 1.0] for words in sentences]

        return scored

    return run(SURPRISAL, suites, {"a": model(), "b": model()}, SurprisalSettings())


def _suite(title: str) -> RegionSuite:
    number = title.rpartition(" ")[2]
    items = [
        Item(str(item), tuple(
            Condition(word, (Region(1, f"{number} {item}"), Region(2, word))) for word in ("good", "bad")
        ), extra={"base": str(item)})
        for item in range(20)
    ]  # fmt: skip
    predictions = [Prediction("(2;%bad%) > (2;%good%)")]
    return RegionSuite(f"{number}.json", title, items, predictions, {1: "item", 2: "verb"}, "syntaxgym",
                       properties={"class": title})  # fmt: skip
