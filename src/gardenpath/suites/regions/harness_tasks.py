"""A suite of pairs as a task of another harness: lm-evaluation-harness (log-likelihoods) or Inspect (chat models)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ...errors import unknown_name
from ...runs.strict_json import to_text
from .model import Item, RegionSuite
from .pair import pair_of

_QUESTION = "Which of these two sentences is more acceptable?"
_INSPECT = '''"""{title}, as a task of Inspect: inspect eval {name}.py --model MODEL"""

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
    for number, (item, (good, bad)) in enumerate(_pairs(suite)):
        label = number % 2
        choices = [bad, good] if label else [good, bad]
        rows.append({"item": item.id, "choices": choices, "label": label, "sentence_good": good, "sentence_bad": bad})
    data = to_text(str(folder / f"{name}.jsonl"))
    yaml = f"""task: {name}
dataset_path: json
dataset_kwargs:
  data_files:
    validation: {data}
output_type: multiple_choice
validation_split: validation
num_fewshot: 0
doc_to_text: ""
target_delimiter: ""
doc_to_target: label
doc_to_choice: choices
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""
    return {f"{name}.yaml": yaml, f"{name}.jsonl": _lines(rows)}


def _inspect(suite: RegionSuite, folder: Path) -> dict[str, str]:
    """A question of two choices; the good sentence stands first and second by turns."""
    name = _identifier(suite.title)
    rows: list[dict[str, object]] = []
    for number, (item, (good, bad)) in enumerate(_pairs(suite)):
        choices, target = ([good, bad], "A") if number % 2 == 0 else ([bad, good], "B")
        about = {"suite": suite.title, "sentence_good": good, "sentence_bad": bad}
        rows.append({"id": item.id, "input": _QUESTION, "choices": choices, "target": target, "metadata": about})
    return {f"{name}.py": _INSPECT.format(name=name, title=suite.title), f"{name}.jsonl": _lines(rows)}


HARNESSES: dict[str, Callable[[RegionSuite, Path], dict[str, str]]] = {"lm-eval": _lm_eval, "inspect": _inspect}


def _pairs(suite: RegionSuite) -> list[tuple[Item, tuple[str, str]]]:
    return [(item, pair_of(suite, item)) for item in suite.items]


def _lines(rows: list[dict[str, object]]) -> str:
    return "".join(to_text(row) + "\n" for row in rows)


def _identifier(title: str) -> str:
    name = re.sub(r"\W+", "_", title, flags=re.ASCII).strip("_").lower()
    return f"suite_{name}" if not name or name[0].isdigit() else name
