"""A short attack on every reader: nothing but errors of ours, and of each fault that was ever found its input."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from fuzz import mutate
from fuzz.attack import attack
from fuzz.targets import TARGETS

from gardenpath.errors import GardenpathError

INPUTS = {"runs": 20, "archives": 30, "ngram": 30, "pcfg": 20, "templates": 30}
FOUND = Path(__file__).parent / "boundary" / "found"


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_but_our_own_errors(name: str) -> None:
    if name == "pcfg":
        pytest.importorskip("numba", reason="the extra pcfg is not installed")
    tally = attack(TARGETS[name], INPUTS.get(name, 60), seed=1)
    assert [trace for _, trace in tally.faults.values()] == []
    assert tally.inputs == INPUTS.get(name, 60)
    assert tally.refused or name == "validate"  # which reports what it finds, and refuses nothing


@pytest.mark.parametrize("path", sorted(FOUND.iterdir()) if FOUND.is_dir() else [], ids=lambda path: path.name)
def test_what_was_found_stays_mended(path: Path, tmp_path: Path) -> None:
    try:
        TARGETS[path.name.split("-")[0]].read(path.read_bytes(), tmp_path / "input")
    except GardenpathError as error:
        assert str(error)  # noqa: PT017 (it may be read or refused)


def test_mutants_are_repaired() -> None:
    """Checksums, lengths and brackets fit again: what is damaged lies behind them."""
    draw = Random(0)
    (model,) = TARGETS["ngram"].seeds()
    changed = [mutate.zip_mutator(mutate.change_array)(model, draw) for _ in range(40)]
    intact = 0
    for data in changed:
        try:
            intact += zipfile.ZipFile(BytesIO(data)).testzip() is None
        except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
            continue
    assert 20 <= intact < 40
    assert mutate.balance(b"((a]) b) c (") == b"((a) b) c ()"
    assert json.loads(mutate.change_json(b'{"a": [1, 2]}', draw)) != {"a": [1, 2]}
