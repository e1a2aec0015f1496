"""What a terminal shows of every study, with several systems whose names are long: verdicts first, then at most two
tables where nobody asks for more, and no line wider than 100 columns."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import gardenpath as gp
from gardenpath._text import columns_of
from gardenpath.report.formats import render
from gardenpath.report.plain_text import WIDTH
from gardenpath.runs.result.result import Result
from gardenpath.runs.work.where import Where
from gardenpath.studies.engine.registry import STUDIES
from gardenpath.treebank import read

LONG = "a-rather-long-name-for-a-system"
RULES = ("right-branching", "random-projective", "optimal-linear-arrangement")
PARSERS = {f"{LONG}:{rule}": f"baseline:{rule}" for rule in RULES}
SUITE = Path(__file__).resolve().parents[1] / "suites" / "cases" / "perfect.conll"
QUIET = Where(cache=False, progress=False)
TINY = {"preset": "tiny", "gold": "tags,feats"}
ITERATION = ["tokenizer=none", "tagger=none", "parser.iterations=1"]


def guesses(sentences: Sequence[Sequence[str]]) -> list[list[float]]:
    """A language model that draws its surprisals."""
    prefixes = [[" ".join(words[: place + 1]) for place in range(len(words))] for words in sentences]
    return [[random.Random(prefix).random() for prefix in own] for own in prefixes]


MODELS: dict[str, Any] = {f"{LONG}:{number}": guesses for number in (1, 2)}
MODELS[f"{LONG}:constant"] = lambda sentences: [[1.0] * len(words) for words in sentences]


def roles(folder: Path, **more: Any) -> Result:
    systems = {**PARSERS, "first": "baseline:subject-first"}
    return gp.roles(SUITE, systems, baseline="first", where=QUIET, **more)


def collection(folder: Path, **more: Any) -> Result:
    for number in range(6):
        place = folder / f"UD_A_rather_long_name-Number{number}"
        place.mkdir(parents=True)
        for side, treebank in gp.split("bundled:de-train", seed=number)[1].items():
            treebank.write(place / f"x-ud-{side}.conllu")
    scores = folder / "scores.tsv"
    rows = [f"UD_A_rather_long_name-Number{number}\t{60 + number * 7 % 5}\n" for number in range(6)]
    scores.write_text("treebank\tlas\n" + "".join(rows), encoding="utf-8")
    return gp.displacement(folder, scores=str(scores), draws=20, where=QUIET, **more)


def experiment(folder: Path, **more: Any) -> Result:
    for number in (1, 2):
        place = folder / f"UD_A_rather_long_name-Number{number}"
        place.mkdir(parents=True)
        read("bundled:de-train")[200 * number - 200 : 200 * number].write(place / "x-ud-train.conllu")
    options = ["tagger=none", "parser.iterations=1", "parser.hidden_layer=4"]
    return gp.displacement_experiment(folder, splits="random:2", train=options, where=QUIET, **TINY, **more)


def consistency(folder: Path, **more: Any) -> Result:
    kinds = "names,articles,capitals,punctuation"
    treebank = read("bundled:de-test")[:40]
    return gp.consistency(treebank, PARSERS, change=kinds, language="de", per_sentence=3, where=QUIET, **more)


def remedies(folder: Path, **more: Any) -> Result:
    how: dict[str, Any] = {"change": "names", "augmented": 2, "sentences": 4, "per_sentence": 2, "language": "de"}
    train, test = read("bundled:de-train")[:60], read("bundled:de-test")
    return gp.remedies(train, test, seeds=2, train=ITERATION, where=QUIET, **how, **TINY, **more)


def joint(folder: Path, **more: Any) -> Result:
    from gardenpath.data import bundled

    paths = sorted(map(str, Path(bundled("en-surprisal")).glob("garden_path_*.json")))
    return gp.joint(paths, PARSERS, MODELS, where=QUIET, **more)


def logs(folder: Path, **more: Any) -> Result:
    here = Path(__file__).parent / "logs"
    return gp.load(here / "ngram", here / "inspect_pairs.json", **more)


class Chat:
    """A chat model that mostly gives one answer."""

    def __init__(self, sign: str) -> None:
        self.sign, self.name, self.signature = sign, sign, f"kind:chat|sign:{sign}"

    def replies(self, questions: list[str]) -> list[str]:
        return [self.sign if len(question) % 3 else "B" for question in questions]


def judge(folder: Path, **more: Any) -> Result:
    pairs = folder / "pairs.tsv"
    rows = [f"The dogs see {noun} .\tThe dogs sees {noun} .\n" for noun in ("cats", "birds", "mice", "trees")]
    pairs.write_text("good\tbad\n" + "".join(rows), encoding="utf-8")
    models = {f"{LONG}:{sign}": Chat(sign) for sign in "AB"}
    return gp.surprisal(pairs, models, where=QUIET, **more)


STUDIED: dict[str, Callable[..., Result]] = {
    "evaluate": lambda folder, **more: gp.evaluate("bundled:de-test", PARSERS, where=QUIET, **more),
    "roles": roles,
    "roles of a treebank": lambda folder, **more: gp.roles("bundled:de-test", PARSERS, where=QUIET, **more),
    "constructions": lambda folder, **more: gp.constructions(
        "bundled:de-constructions", {f"{LONG}:{side}": f"baseline:{side}" for side in ("right-branching",)},
        where=QUIET, **more,
    ),
    "displacement": lambda folder, **more: gp.displacement(
        "bundled:de-train", "bundled:de-test", draws=50, **more
    ),
    "displacement of a folder": collection,
    "displacement experiment": experiment,
    "consistency": consistency,
    "consistency remedies": remedies,
    "surprisal": lambda folder, **more: gp.surprisal("bundled:en-surprisal", MODELS, where=QUIET, **more),
    "joint": joint,
    "logs": logs,
    "surprisal of chat models": judge,
}  # fmt: skip
ONCE = {"logs", "displacement experiment", "consistency remedies"}
"""Has no other tables, or trains again, which takes long; the tables are then like those of their siblings."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


def test_every_study_is_here() -> None:
    assert {name.partition(" of ")[0] for name in STUDIED} == set(STUDIES)


@pytest.mark.parametrize("name", STUDIED)
def test_verdicts_then_two_tables_in_100_columns(name: str, tmp_path: Path) -> None:
    result = STUDIED[name](tmp_path)
    lines = render(result, "table").splitlines()
    assert lines[0].startswith("- ")
    assert 1 <= len(result.verdicts) <= 7
    assert lines.index("") == sum(line.startswith(("- ", "  ")) for line in lines[: lines.index("")])
    assert 1 <= len(result.open_tables) <= 2
    folded = len(result.tables) - len(result.open_tables)
    assert (f"{folded} more table" in "\n".join(lines)) == bool(folded)
    assert _widest(lines) <= WIDTH


@pytest.mark.parametrize("name", [name for name in STUDIED if name not in ONCE])
def test_all_tables_keep_to_100_columns_too(name: str, tmp_path: Path) -> None:
    result = STUDIED[name](tmp_path, by="length" if name == "displacement" else "all")
    assert len(result.open_tables) == len(result.tables) > 2
    assert _widest(render(result, "table").splitlines()) <= WIDTH


def _widest(lines: Sequence[str]) -> int:
    """Of all lines but the signature, which is one to copy."""
    return max(columns_of(line) for line in lines if not line.startswith("signature: "))
