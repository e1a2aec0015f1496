"""Every fault that an attack has found, as the smallest input that showed it: now an error of ours, with its place."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gardenpath.boundary.structured import read_json
from gardenpath.data.store import unpack
from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.phrase.formats.xml import read_exportxml
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Finding, Result
from gardenpath.suites.generation import parsed_grammar
from gardenpath.suites.regions.formula import parse_formula
from gardenpath.systems.files.models import read_card
from gardenpath.treebank import read
from gardenpath_models.ngram import system as ngram_storage
from gardenpath_models.ngram.model import read_arpa

DEEP = b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def finished_run(folder: Path) -> Path:
    with Run.open(folder, command="evaluate") as run:
        run.finish(Result("kind:test", [Finding("evaluate", "s", "p", "LAS", 1.0)]))
    return folder


def result_with(folder: Path, stored: bytes) -> Run:
    """A run whose result is this, under sums that fit."""
    run = Run.load(finished_run(folder))
    run._contents = {**run._contents, "result.json": stored}
    return run


@pytest.mark.parametrize("formula", ["(1;%a%) > (1;%b%)" + " + 0" * 1500, " & ".join(["(1;%a%) > (1;%b%)"] * 5000)])
def test_formulas_without_end(formula: str) -> None:
    with pytest.raises(InputError, match="more than 300 parts") as caught:
        parse_formula(formula, "suite.json")
    assert len(str(caught.value)) < 1000  # a pointer into it, not the whole of it


def test_deep_records_results_and_cards(tmp_path: Path) -> None:
    run = finished_run(tmp_path / "run")
    with pytest.raises(InputError, match="nested more than 100 levels"):
        result_with(tmp_path / "result", DEEP).result()
    (run / "run.json").write_bytes(DEEP)
    with pytest.raises(InputError, match=r"run\.json: .*nested more than 100 levels"):
        Run.load(run)
    (tmp_path / "m.npz.json").write_bytes(DEEP)
    with pytest.raises(InputError, match=r"m\.npz\.json: .*nested more than 100 levels"):
        read_card(tmp_path / "m.npz")


@pytest.mark.parametrize("finding", [1, "x", None, ["a"]])
def test_findings_that_are_no_objects(tmp_path: Path, finding: Any) -> None:
    stored = json.dumps({"signature": "", "findings": [finding], "failures": {}}).encode()
    with pytest.raises(InputError, match="not a result of a run"):
        result_with(tmp_path / "run", stored).result()


def test_a_model_of_no_words(tmp_path: Path) -> None:
    (tmp_path / "m.arpa").write_bytes(b"\\data\\\nngram 1=0\n\n\\1-grams:\n\n\\end\\\n")
    with pytest.raises(InputError, match=r"m\.arpa:\d+: there is no <s>"):
        read_arpa(tmp_path / "m.arpa")
    (tmp_path / "m.arpa").write_bytes(b"\\data\\\nngram 1=" + b"9" * 5000 + b"\n\n")
    with pytest.raises(InputError, match=r"m\.arpa:2: expected"):
        read_arpa(tmp_path / "m.arpa")


@pytest.mark.parametrize(
    "body",
    [
        b'<word xml:id="w_1"/><node parent="x"/>',
        b'<word parent="nowhere"/>',
        b'<word xml:id="w_1"/><secEdge parent="w_1"/>',
        b'<word xml:id="w_1"/></sentence><node xml:id="n"><sentence xml:id="t"><word xml:id="w_2"/>'
        b'<secEdge parent="w_2"/></sentence></node><sentence xml:id="u">',
    ],
)
def test_exportxml_without_ids(body: bytes) -> None:
    document = b'<exml-doc><sentence xml:id="s">' + body + b"</sentence></exml-doc>"
    with pytest.raises(InputError):
        list(read_exportxml(document, "x.exml"))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has file names of any bytes")
def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.conllu")
    Path(name).write_bytes(b"# text = a\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n")
    for source in (name, tmp_path, f"{tmp_path}/*.conllu"):
        with pytest.raises(UsageError, match=r"the name of this file is not UTF-8\n  rename it") as caught:
            read(source)
        str(caught.value).encode("utf-8")
    command = [sys.executable, "-m", "gardenpath", "treebank", "stats", os.fsencode(name)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"is not UTF-8" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("half", ['"\\ud800"', '{"\\uDFFF": 1}', '["a", "\\udc00\\ud800"]'])
def test_half_a_character(half: str) -> None:
    with pytest.raises(InputError, match=r"a\.json: this is not JSON that can be read: it has half a character"):
        read_json(half, "a.json")
    assert read_json('"\\ud83d\\ude00"', "a.json") == "😀"


def test_numbers_without_end() -> None:
    for number in ("1" * 5000, "-" + "9" * 101, "1e999", "NaN", "-Infinity"):
        with pytest.raises(InputError, match=r"a\.json: this is not JSON that can be read"):
            read_json(f"[{number}]", "a.json")


def nameless_zip() -> bytes:
    """A zip whose only member has no name; checked by its own reader, it is intact."""
    local = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 20, 0, 0, 0, 33, 0, 0, 0, 0, 0)
    central = struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return local + central + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, len(central), len(local), 0)


def test_a_member_without_a_name(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(nameless_zip())
    (tmp_path / "out").mkdir()
    for attempt in (lambda: unpack(tmp_path / "a.zip", tmp_path / "out"), lambda: read(tmp_path / "a.zip")):
        with pytest.raises(InputError, match=r"a\.zip: a member of this archive has no name"):
            attempt()


@pytest.mark.parametrize("line", ["@", "@ ", "@n", "@n   # sg pl"])
def test_a_variable_without_a_name_or_values(line: str) -> None:
    with pytest.raises(InputError, match="<grammar>:1: a variable has a name and values"):
        parsed_grammar(f"{line}\nTEXT\n  1 a\n")


def test_a_rule_of_too_many_values() -> None:
    lines = [f"@{name} " + " ".join(map(str, range(30))) for name in "abcd"]
    with pytest.raises(InputError, match=r"<grammar>:6: a rule of more than 10,000 values"):
        parsed_grammar("\n".join([*lines, "TEXT", "  1 <a><b><c><d>"]))


def npz(**parts: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in parts.items():
            archive.writestr(f"{name}.npy", data)
    return stream.getvalue()


def npy(value: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, value)
    return stream.getvalue()


def header(text: bytes) -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


DAMAGED: dict[str, Callable[[], bytes]] = {
    "cut header": lambda: npz(about=b"\x93NUMPY\x01\x00"),
    "header that is no Python": lambda: npz(about=header(b"{'descr': '<u1', (")),
    "header that claims terabytes": lambda: npz(
        about=header(b"{'descr': '|u1', 'fortran_order': False, 'shape': (9999999999999,)}")
    ),
    "deep about": lambda: npz(about=npy(np.frombuffer(DEEP, np.uint8))),
    "about of another shape": lambda: npz(about=npy(np.frombuffer(b"[1]", np.uint8))),
    "no arrays of ours": lambda: npz(x=npy(np.zeros(1))),
    "counts that are none": lambda: npz(
        about=npy(np.frombuffer(b'{"format": "gardenpath-ngram 1", "counts": {"a": 1}}', np.uint8)),
        words=npy(np.frombuffer(b"a", np.uint8)),
    ),
    "unknown way to pack": lambda: npz(about=npy(np.zeros(1)))
    .replace(struct.pack("<HHHH", 20, 0, 0, 0), struct.pack("<HHHH", 20, 0, 97, 0)),
    "encrypted": lambda: npz(about=npy(np.zeros(1))).replace(b"\x02\x14\x03\x14\x00\x00", b"\x02\x14\x03\x14\x00\x01"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_models(tmp_path: Path, damage: str) -> None:
    from gardenpath_models.pcfg import model as pcfg_storage

    path = tmp_path / "m.npz"
    path.write_bytes(DAMAGED[damage]())
    for load in (ngram_storage.load, pcfg_storage.load):
        with pytest.raises(InputError, match=r"m\.npz: this .* is damaged or no .*\n  train it again"):
            load(path)  # type: ignore[operator]


def test_a_cluster_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    from gardenpath.runs.work.cluster import connect

    def killed(**options: Any) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", killed)
    with pytest.raises(SystemFailure, match=r"local:2: the cluster did not start: Nanny failed"), connect("local:2"):
        pass
