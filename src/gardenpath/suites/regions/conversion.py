"""Region suites in another form, and as tasks of lm-evaluation-harness and Inspect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from keyword import iskeyword
from pathlib import Path

from ...errors import GardenpathError, unknown_name
from ...formats import REGIONS
from ...runs.result.encoding import to_text
from ..roles.reader import Written
from . import mandarin
from .model import RegionSuite
from .pairs import pair_of


def convert_regions(suite: RegionSuite, to: str) -> Written:
    """The suite as `syntaxgym`, `blimp`, `climp`, `mandarin` (lines), `mandarin-csv`, or one of the tables of pairs.

    What is lost is found by reading the result again.
    """
    data = REGIONS.writer(to, "format of suites of regions")(suite)
    return Written(data, tuple(_losses(suite, data, to)))


def _losses(suite: RegionSuite, data: bytes, to: str) -> Iterator[str]:
    ending = REGIONS[to].suffixes[0] if to in (mandarin.LINES, mandarin.TABLE) else ""
    if ending == "_tkd.csv" and not suite.segmented:
        ending = ".csv"
    key = suite.property_of("paradigm")
    name = f"{key or 'sd'}_{suite.property_of('modifier') or 'none'}{ending}" if ending else suite.title
    try:
        if REGIONS.sniffed(data, name) != to:
            yield "the form: it cannot be told from the file alone"
            return
        back = REGIONS.reader(to)(data, name)
    except GardenpathError as error:
        yield f"a suite that can be read again ({error.what})"
        return
    yield from _differences(suite, back)


def _differences(suite: RegionSuite, back: RegionSuite) -> Iterator[str]:
    if suite.title != back.title:
        yield f"the name of the suite, {suite.title}"
    pairs = list(zip(suite.items, back.items, strict=False))
    if renumbered := sum(one.id != two.id for one, two in pairs):
        yield f"numbers of items: {renumbered:,}"
    regions = sum(
        [region.words for region in condition.regions] != [region.words for region in two.regions]
        for item, again in pairs
        for condition in item.conditions
        if (two := again.condition(condition.name)) is not None
    )
    if regions:
        yield f"borders of regions, in sentences: {regions:,}"
    if dict(suite.region_names) != dict(back.region_names):
        yield f"names of regions: {', '.join(suite.region_names.values())}"
    formulas = {prediction.formula for prediction in back.predictions}
    if lost := [one.formula for one in suite.predictions if one.formula not in formulas]:
        yield f"predictions: {'; '.join(lost)}"
    if gone := [f"{key} {value}" for key, value in suite.properties.items() if back.properties.get(key) != value]:
        yield f"properties: {', '.join(gone)}"
    if (suite.metric, suite.joiner, suite.segmented) != (back.metric, back.joiner, back.segmented):
        yield f"how words are joined and summed: metric {suite.metric}, joiner {suite.joiner!r}"
    if marks := sum(not dict(one.extra).items() <= dict(two.extra).items() for one, two in pairs):
        yield f"further fields of items: {marks:,}"
    meta = suite.extra.get("meta")
    again = back.extra.get("meta")
    if isinstance(meta, dict) and not (isinstance(again, dict) and meta.items() <= again.items()):
        fields = ", ".join(key for key in meta if key not in ("name", "metric") and meta[key])
        if fields:
            yield f"fields of meta: {fields}"


_QUESTION = "Which of these two sentences is more acceptable?"
_INSPECT = '''"""A suite as a task of Inspect: inspect eval {name}.py --model MODEL"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice


@task
def {name}() -> Task:
    return Task(
        dataset=json_dataset(str(Path(__file__).with_name("{name}.jsonl"))), solver=multiple_choice(), scorer=choice()
    )
'''


def harness_task(suite: RegionSuite, folder: Path, to: str) -> dict[str, str]:
    """The files of the task by name; `folder` is where they will be, as seen from where the harness is called."""
    if to not in HARNESSES:
        raise unknown_name("harness", to, HARNESSES)
    return HARNESSES[to](suite, folder)


def _lm_eval(suite: RegionSuite, folder: Path) -> dict[str, str]:
    """The sentence with the higher log-likelihood is taken. The good one is first and second by turns.

    With the good one always first, as in BLiMP's own tasks, every tie would count as right.
    """
    name = _identifier(suite.title)
    rows: list[dict[str, object]] = []
    for number, item in enumerate(suite.items):
        (good, bad), label = pair_of(suite, item), number % 2
        choices = [bad, good] if label else [good, bad]
        rows.append({"item": item.id, "choices": choices, "label": label, "sentence_good": good, "sentence_bad": bad})
    task = {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"validation": str(folder / f"{name}.jsonl")}},
        "output_type": "multiple_choice",
        "validation_split": "validation",
        "num_fewshot": 0,
        "doc_to_text": "",
        "target_delimiter": "",
        "doc_to_target": "label",
        "doc_to_choice": "choices",
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
        "metadata": {"version": 1.0},
    }
    yaml = to_text(task, indent=2) + "\n"  # JSON is YAML
    return {f"{name}.yaml": yaml, f"{name}.jsonl": _lines(rows)}


def _inspect(suite: RegionSuite, folder: Path) -> dict[str, str]:
    """A question of two choices; the good sentence stands first and second by turns."""
    name = _identifier(suite.title)
    rows: list[dict[str, object]] = []
    for number, item in enumerate(suite.items):
        good, bad = pair_of(suite, item)
        choices, target = ([good, bad], "A") if number % 2 == 0 else ([bad, good], "B")
        about = {"suite": suite.title, "sentence_good": good, "sentence_bad": bad}
        rows.append({"id": item.id, "input": _QUESTION, "choices": choices, "target": target, "metadata": about})
    return {f"{name}.py": _INSPECT.format(name=name), f"{name}.jsonl": _lines(rows)}


HARNESSES: dict[str, Callable[[RegionSuite, Path], dict[str, str]]] = {"lm-eval": _lm_eval, "inspect": _inspect}


def _lines(rows: list[dict[str, object]]) -> str:
    return "".join(to_text(row) + "\n" for row in rows)


def _identifier(title: str) -> str:
    """Return a title as a name of Python and of a file: the only part of a suite that generated code contains."""
    name = re.sub(r"\W+", "_", title, flags=re.ASCII).strip("_").lower()[:100]
    return name if name.isidentifier() and not iskeyword(name) else f"suite_{name}"
