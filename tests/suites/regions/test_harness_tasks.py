"""Tasks for other harnesses: nothing of a suite becomes code."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from gardenpath.suites.regions.conversion import HARNESSES, harness_task
from gardenpath.suites.regions.reader import read_region_suites

TITLES = [
    '"""; import os; os.system("touch pwned"); """',
    "'''\n\nimport os",
    "class",
    "yes",
    "7\u2028{name}",
    "\\",
    "ünï code",
    "",
    "x" * 300,
]


def hostile_suite(title: str, folder: Path) -> Path:
    path = folder / "pairs.jsonl"
    row = {"UID": title, "sentence_good": "The dog {barks}.", "sentence_bad": 'The dog """bark.', "pairID": "0"}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("harness", list(HARNESSES))
def test_nothing_of_a_suite_becomes_code(title: str, harness: str, tmp_path: Path) -> None:
    (suite,) = read_region_suites(hostile_suite(title, tmp_path))
    files = harness_task(suite, tmp_path, harness)
    assert all(Path(name).name == name and len(name) < 120 for name in files)
    (rows,) = (text for name, text in files.items() if name.endswith(".jsonl"))
    assert json.loads(rows)["choices"] == ["The dog {barks}.", 'The dog """bark.']
    for name, text in files.items():
        if name.endswith(".py"):
            body = ast.parse(text).body
            assert [type(node) for node in body[2:]] == [ast.ImportFrom] * 4 + [ast.FunctionDef]
            assert isinstance(body[0], ast.Expr)
            assert isinstance(body[1], ast.ImportFrom)
        if name.endswith(".yaml"):
            yaml = pytest.importorskip("yaml")
            task = yaml.safe_load(text)
            assert task["task"] == Path(name).stem
            assert task == json.loads(text)
