"""The hash of a folder depends on names and content alone; arranging never overwrites."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.data.tree import RECORD_FILE, arrange, content_root, files, tree_hash

TREES = st.dictionaries(st.sampled_from(["a", "b/c", "b/d", "é", "e.f/g"]), st.binary(max_size=20))


def fill(folder: Path, content: dict[str, bytes | str]) -> Path:
    for path, data in content.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


@settings(deadline=None)  # it writes files
@given(TREES, TREES, st.randoms())
def test_equal_content_equal_hash(one: dict[str, bytes], two: dict[str, bytes], random: object) -> None:
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        shuffled = sorted(two.items(), key=lambda _: random.random())  # type: ignore[attr-defined]
        same = tree_hash(fill(Path(first), one)) == tree_hash(fill(Path(second), dict(shuffled)))
        assert same == (one == two)


def test_the_hash_is_what_its_description_says(tmp_path: Path) -> None:
    fill(tmp_path, {"b/x": "2", "a": "1", RECORD_FILE: "not counted"})
    lines = "".join(f"{path}\0{hashlib.sha256(data).hexdigest()}\n" for path, data in (("a", b"1"), ("b/x", b"2")))
    assert tree_hash(tmp_path) == hashlib.sha256(lines.encode()).hexdigest()


def test_names_count_in_their_composed_form(tmp_path: Path) -> None:
    composed, decomposed = "\u00e9.txt", "e\u0301.txt"
    one = fill(tmp_path / "one", {composed: "x"})
    two = fill(tmp_path / "two", {decomposed: "x"})
    assert tree_hash(one) == tree_hash(two)


def test_the_wrapping_folder_is_not_content(tmp_path: Path) -> None:
    assert content_root(fill(tmp_path / "a", {"SORTS-e2ad1d6/x": "", "__MACOSX/y": ""})).name == "SORTS-e2ad1d6"
    assert content_root(fill(tmp_path / "b", {"x": "", "y/z": ""})) == tmp_path / "b"
    assert content_root(fill(tmp_path / "c", {"only-a-file": ""})) == tmp_path / "c"


def test_moves_bring_the_source_into_the_shape_of_the_mirror(tmp_path: Path) -> None:
    fill(tmp_path, {"german/gold/x": "x", "german/gold/deep/y": "y", "LICENSE": "l", ".DS_Store": "", "__MACOSX/q": ""})
    arrange(tmp_path, {"german/gold": "german", "absent": "here"})
    assert files(tmp_path) == ["LICENSE", "german/deep/y", "german/x"]
    assert not (tmp_path / "german" / "gold").exists()


def test_a_move_never_overwrites(tmp_path: Path) -> None:
    fill(tmp_path, {"new/x": "first", "old/x": "second", "old/y/z": "third", "y": "a file"})
    arrange(tmp_path, {"new": "", "old": ""})
    assert files(tmp_path) == ["old/x", "old/y/z", "x", "y"]
    assert (tmp_path / "x").read_text() == "first"


def test_what_is_no_data_is_dropped_and_readme_and_licence_stay(tmp_path: Path) -> None:
    for name in ("README.md", "LICENSE", "code/run.py", "set/a.csv", "set/deep/b.csv", "c.csv", "set/a.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    arrange(tmp_path, {"set": ""}, ["*.csv"])
    assert files(tmp_path) == ["LICENSE", "README.md", "a.csv", "c.csv"]
