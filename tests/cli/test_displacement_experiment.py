"""`gardenpath displacement experiment`: splits, trainings, a record that can be read again, and figures."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from calls import call
from gardenpath.data import bundled
from gardenpath.treebank import read

FAST = ["--preset", "tiny", "--splits", "min,max", "--set", "train.tagger=none", "--set", "train.parser.iterations=1"]
FAST += ["--set", "train.parser.hidden_layer=4", "--gold", "tags,feats"]


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    (tmp_path / "ud" / "UD_German-Garden").mkdir(parents=True)
    read(bundled("de-train"))[:200].write(tmp_path / "ud" / "UD_German-Garden" / "x-train.conllu")
    return tmp_path / "ud"


displacement = partial(call, "displacement")


def test_a_finished_run_is_read_and_drawn(
    collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    asked = ["experiment", collection, *FAST, "--run", tmp_path / "run", "--format", "json"]
    assert displacement(*asked) == 0
    first = json.loads(capsys.readouterr().out)
    splits = {one["split"]: one["value"] for one in first["findings"] if one["measure"] == "edv" and "split" in one}
    assert set(splits) == {"min", "max"}
    assert splits["min"] < splits["max"]
    assert (
        "parser:udpipe|preset:tiny|options:parser.hidden_layer=4,parser.iterations=1,tagger=none" in first["signature"]
    )
    assert displacement(*asked) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert call("report", tmp_path / "run", "--to", "figures", "-o", tmp_path / "figures") == 0
    drawn = {file.name for file in (tmp_path / "figures").glob("figure-1*.svg")}
    assert drawn == {"figure-12-delta-las.svg", "figure-13-las.svg", "figure-14-delta-las-delta-edv.svg"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--parser", "udpip"], "did you mean udpipe"),
        (["--set", "train.tagger"], "train.tagger: no value"),
        (["--set", "train.colour=red"], "unknown option of UDPipe 'colour'"),
    ],
)
def test_bad_calls(collection: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert displacement("experiment", collection, *arguments) == 2
    assert message in capsys.readouterr().err
