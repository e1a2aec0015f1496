from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath.runs import read_observations
from gardenpath.runs.result.observations import COLUMNS, Observations

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def table(**columns: Any) -> Observations:
    base = {"study": "roles", "suite": "tiny", "item": ["1", "2"], "condition": "SVO", "system": "baseline",
            "seed": None, "unit": "token", "outcome": ["right", "wrong"], "value": np.array([1.0, 0.0])}  # fmt: skip
    return Observations({**base, **columns})


def written(observations: Observations) -> str:
    return observations.to_tsv().decode("utf-8")


def test_the_text_of_a_table() -> None:
    observations = table(value=[1 / 3, None], order=["a\tb\\", "c\nd"], animate=[True, np.bool_(False)])
    assert len(observations) == 2
    assert written(observations) == (
        "study\tsuite\titem\tcondition\tsystem\tseed\tunit\toutcome\tvalue\torder\tanimate\n"
        "roles\ttiny\t1\tSVO\tbaseline\t\ttoken\tright\t0.3333333333333333\ta\\tb\\\\\ttrue\n"
        "roles\ttiny\t2\tSVO\tbaseline\t\ttoken\twrong\t\tc\\nd\tfalse\n"
    )


def test_types_after_reading(tmp_path: Path) -> None:
    observations = table(
        seed=np.array([1, 2]), distance=np.array([3, 4]), share=[0.5, None], label=["007", "1"], animate=[True, False],
        value=[float("nan"), float("-inf")],
    )  # fmt: skip
    (tmp_path / "o.tsv").write_bytes(observations.to_tsv())
    frame = read_observations(tmp_path / "o.tsv")
    assert frame.columns[:9] == list(COLUMNS)
    assert frame["item"].to_list() == ["1", "2"]
    kinds = {"item": pl.String, "seed": pl.Int64, "distance": pl.Int64, "share": pl.Float64, "label": pl.String}
    assert {name: frame.schema[name] for name in kinds} == kinds
    assert frame.schema["animate"] == pl.Boolean
    assert frame["share"].to_list() == [0.5, None]
    assert np.isnan(frame["value"][0])
    assert frame["value"][1] == float("-inf")
    assert frame.equals(observations.frame(), null_equal=True)
    assert frame.schema == observations.frame().schema


@settings(deadline=None)
@given(st.lists(st.tuples(TEXT, TEXT.map(lambda text: "x" + text), st.floats(allow_nan=False))))
def test_reading_gives_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, float]]
) -> None:
    path = tmp_path_factory.mktemp("o") / "o.tsv"
    items, words, values = ([row[place] for row in rows] for place in range(3))
    observations = table(item=items, outcome=words, value=values, word=words)
    path.write_bytes(observations.to_tsv())
    frame = read_observations(path)
    assert frame["item"].to_list() == [item or None for item in items]  # an empty text is nothing
    assert frame["value"].to_list() == values
    assert frame["outcome"].to_list() == words
    if words:
        assert frame["word"].to_list() == words
    assert frame.equals(observations.frame(), null_equal=True)


def test_the_csv_module_of_python_reads_it(tmp_path: Path) -> None:
    """Oracle: the standard library, with quoting off as R's quote=""."""
    (tmp_path / "o.tsv").write_bytes(table(order=['say "a"', "b"]).to_tsv())
    with (tmp_path / "o.tsv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [row["order"] for row in rows] == ['say "a"', "b"]
    assert [row["value"] for row in rows] == ["1.0", "0.0"]


def test_a_hundred_thousand_rows(tmp_path: Path) -> None:
    many = 100_000
    observations = table(item=[str(n) for n in range(many)], outcome="right", value=np.arange(many) / 7)
    (tmp_path / "o.tsv").write_bytes(observations.to_tsv())
    frame = read_observations(tmp_path / "o.tsv")
    assert frame["value"].to_numpy().tolist() == (np.arange(many) / 7).tolist()


def test_columns_must_fit() -> None:
    with pytest.raises(UsageError, match="item 3, outcome 2"):
        table(item=["1", "2", "3"])
    with pytest.raises(UsageError, match="without value"):
        Observations(dict.fromkeys(COLUMNS[:-1]))


def test_joined() -> None:
    both = Observations.joined([table(order=["a", "b"]), table(value=np.array([2, 3]))])
    assert both.frame()["order"].to_list() == ["a", "b", None, None]
    assert both.frame()["value"].to_list() == [1.0, 0.0, 2.0, 3.0]
    assert len(Observations.joined([])) == 0


def test_what_is_no_table_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "o.tsv"
    good = written(table())
    for content, problem in {
        "a,b\n1,2\n": r"o\.tsv:1: .*no column study",
        good.replace("\ttoken", "", 1): r"o\.tsv:2: 8 cells in a table with 9 columns",
        good.replace("0.0", "no"): r"o\.tsv:3: the value 'no' is not a number",
        good.replace("value", "value\tvalue", 1): r"o\.tsv:1: .*twice",
    }.items():
        path.write_text(content)
        with pytest.raises(InputError, match=problem):
            read_observations(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="UTF-8"):
        read_observations(path)
    with pytest.raises(InputError, match="nowhere"):
        read_observations(tmp_path / "nowhere")
    path.write_bytes(good.replace("\n", "\r\n").encode())
    assert read_observations(path).equals(table().frame(), null_equal=True)
