"""What the page draws of tree classes is what `show` draws: its script against the drawing code, in Node."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gardenpath.report.page import page
from gardenpath.treebank import Treebank
from gardenpath.treebank.drawing import differing_parts

ASSETS = Path(str(page.__file__)).parent / "assets"
CALL = "\nconst cases = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
CALL += "\nconsole.log(JSON.stringify(cases.map(differingParts)));"


def trees(chance: random.Random) -> list[dict[str, Any]]:
    """Two to four analyses of the same words, without features, as the page has them."""
    size = chance.randint(1, 7)
    first = {
        "forms": [f"w{place}" for place in range(size)], "tags": ["X"] * size,
        "heads": [chance.randint(0, size) for _ in range(size)], "labels": ["dep"] * size,
    }  # fmt: skip
    several = [first]
    for _ in range(chance.randint(1, 3)):
        other = json.loads(json.dumps(first))
        other["heads"][chance.randrange(size)] = chance.randint(0, size)
        other["labels"][chance.randrange(size)] = chance.choice(["dep", "obj"])
        several.append(other)
    return several


def conllu(tree: dict[str, Any]) -> bytes:
    words = zip(tree["forms"], tree["tags"], tree["heads"], tree["labels"], strict=True)
    rows = [
        f"{n}\t{word}\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_" for n, (word, tag, head, label) in enumerate(words, 1)
    ]
    return "\n".join([*rows, "", ""]).encode()


def test_the_page_cuts_trees_down_as_show_does() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on this machine: the script of the page is not run")
    chance = random.Random(0)
    cases = [trees(chance) for _ in range(200)]
    script = (ASSETS / "batch.js").read_text(encoding="utf-8") + CALL
    ran = subprocess.run([node, "-e", script], input=json.dumps(cases), capture_output=True, text=True, check=True)
    for case, drawn in zip(cases, json.loads(ran.stdout), strict=True):
        expected = differing_parts(list(Treebank(b"".join(map(conllu, case)))))
        for (tree, _), own in zip(expected, drawn, strict=True):
            assert own["forms"] == [word.form for word in tree.words]
            assert own["heads"] == [-1 if word.head is None else word.head for word in tree.words]
            assert own["labels"] == [word.label for word in tree.words]
