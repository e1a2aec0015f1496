"""The tolerant reader: what it repairs, what it counts, what it leaves to the strict one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from made_treebanks import treebanks

from gardenpath.errors import InputError
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.tolerant import repair

ROW = b"1\tHund\tHund\tNOUN\tNN\torder:VF[S]\t0\troot\t_\t_\n"


@settings(deadline=None)
@given(treebanks())
def test_what_is_right_is_left_alone(data: bytes) -> None:
    if not data.startswith(b"\xef\xbb\xbf"):
        assert repair(data) == (data, {})


@pytest.mark.parametrize(
    ("broken", "counts"),
    [
        (b"\xef\xbb\xbf" + ROW, {"byte order mark": 1}),
        (ROW.replace(b"\n", b"\r\n"), {"carriage returns": 1}),
        (ROW.replace(b"\n", b"\r"), {"carriage returns": 1}),
        (ROW.replace(b"\t_\t_\n", b"\t_\n"), {"missing columns": 1}),
        (ROW.replace(b"\t_\t_\n", b"\n"), {"missing columns": 2}),
        (ROW.replace(b"\t_\t_\n", b"\t\t\n"), {"empty fields": 2}),
        (ROW.replace(b"\t_\t_\n", b"\t\n"), {"missing columns": 1, "empty fields": 1}),
        (b" \t\n" + ROW, {"blanks on empty lines": 1}),
    ],
)
def test_each_repair_is_counted(broken: bytes, counts: dict[str, int]) -> None:
    data, found = repair(broken)
    assert found == counts
    assert data.lstrip(b"\n") == ROW
    assert Treebank(data)[0].words[0].feats == {"order": "VF[S]"}


def test_all_at_once() -> None:
    rows = [ROW.replace(b"\t_\t_\n", b"\t_\n"), b"  \n", ROW.replace(b"root", b""), b"\n", ROW]
    data, found = repair(b"\xef\xbb\xbf" + b"".join(rows).replace(b"\n", b"\r\n"))
    assert found == {"byte order mark": 1, "carriage returns": 5, "missing columns": 1, "blanks on empty lines": 1,
                     "empty fields": 1}  # fmt: skip
    assert len(Treebank(data)) == 3


@pytest.mark.parametrize(
    ("line", "what"), [(b"1 a b", "1 column instead"), (b"1\ta\tb", "3 columns"), (ROW + b"2\t" + ROW, "11 columns")]
)
def test_what_cannot_be_filled_up(line: bytes, what: str) -> None:
    with pytest.raises(InputError, match=rf"x\.conll:\d: {what}"):
        repair(line, "x.conll")


def test_other_faults_are_named_by_the_strict_reader() -> None:
    data, _ = repair(ROW.replace(b"\t0\t", b"\tzero\t").replace(b"\t_\t_\n", b"\t_\n"))
    with pytest.raises(InputError, match="HEAD is 'zero'"):
        Treebank(data)


def test_all_suites_of_the_roles_folder_are_read(shared: Path) -> None:
    files = sorted((shared / "roles").rglob("*.conll"))
    assert len(files) == 13
    repaired = {file.name: treebank.repairs for file in files if (treebank := read(file)).repairs}
    assert repaired["pp-test-suite-annotated.conll"] == {"missing columns": 34700}
    assert {kind for repairs in repaired.values() for kind in repairs} == {"carriage returns", "missing columns"}
    gold = read(shared / "roles" / "sorts-2026" / "german" / "german_amb_gold.conll")
    assert len(gold) == 6812
    assert (gold.heads == -1).any()
    assert {"order", "props"} <= gold[0].words[0].feats.keys()
