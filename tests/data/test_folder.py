"""Folders of data: hash, arrangement, parts."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from misbehaving_server import Answer, Site, zipped

import gardenpath as gp
from gardenpath.data import cite, fetch, is_data_name, locate, whereabouts
from gardenpath.data.catalogue import Record
from gardenpath.data.store import RECORD_FILE, arrange, content_root, files, tree_hash
from gardenpath.errors import UsageError
from gardenpath.treebank.format.reading import paths

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


@pytest.fixture
def mirrored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A mirror with a UD treebank in three parts and a suite in a folder."""
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path))
    treebank = tmp_path / "ud" / "UD_German-GSD"
    suites = tmp_path / "roles" / "sorts-2026"
    for file, sample in (
        (treebank / "de_gsd-ud-dev.conllu", "bundled:de-dev"), (treebank / "de_gsd-ud-test.conllu", "bundled:de-test"),
        (suites / "german" / "a.conllu", "bundled:de-roles"), (suites / "dutch" / "b.conllu", "bundled:de-roles"),
    ):  # fmt: skip
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(locate(sample).read_bytes())
    return tmp_path


def test_a_part_is_a_path_a_pattern_or_the_end_of_a_name(mirrored: Path) -> None:
    test = mirrored / "ud" / "UD_German-GSD" / "de_gsd-ud-test.conllu"
    for name in ("ud:German-GSD/test", "ud:German-GSD/de_gsd-ud-test.conllu", "ud:German-GSD/*test*"):
        assert is_data_name(name)
        assert paths(name) == [str(test)]
        assert gp.read(name).to_bytes() == gp.read("bundled:de-test").to_bytes()
    assert locate("ud:German-GSD/test") == test
    assert paths("sorts/german") == [str(mirrored / "roles" / "sorts-2026" / "german" / "a.conllu")]
    assert len(gp.read("ud:German-GSD")) == len(gp.read("bundled:de-test")) + len(gp.read("bundled:de-dev"))
    assert cite("ud:German-GSD/test") == cite("ud:German-GSD")


@pytest.mark.usefixtures("mirrored")
def test_a_part_that_is_not_there_says_what_is() -> None:
    with pytest.raises(UsageError, match="unknown part of ud:German-GSD 'train'") as caught:
        locate("ud:German-GSD/train")
    assert "de_gsd-ud-test.conllu" in caught.value.todo
    with pytest.raises(UsageError, match=r"unknown part of sorts '\*.tsv'"):
        paths("sorts/*.tsv")
    with pytest.raises(UsageError, match="bundled:de-test is one file") as caught:
        gp.read("bundled:de-test/test")
    assert caught.value.todo == "write bundled:de-test"


@pytest.mark.usefixtures("mirrored")
@pytest.mark.parametrize("part", ["../sorts-2020", "german/../../x", "/etc/passwd"])
def test_a_part_stays_in_its_data(part: str) -> None:
    with pytest.raises(UsageError, match="leads out of sorts"):
        locate(f"sorts/{part}")


def test_files_that_are_here_come_before_data_of_their_name(
    mirrored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "sorts" / "german" / "a.conllu"
    own.parent.mkdir(parents=True)
    own.write_bytes(locate("bundled:de-test").read_bytes())
    assert not is_data_name("sorts/german/a.conllu")
    assert len(gp.read("sorts/german/a.conllu")) == 100


@pytest.mark.usefixtures("mirrored")
def test_a_study_takes_data_by_name_and_names_its_suites_where_there_are_several() -> None:
    roles = gp.roles("sorts/german/a.conllu", ["baseline:subject-first"])
    plain = gp.roles("bundled:de-roles", ["baseline:subject-first"])
    assert [finding.value for finding in roles.findings] == [finding.value for finding in plain.findings]
    with pytest.raises(UsageError, match="2 files where one suite is expected") as caught:
        gp.roles("sorts", ["baseline:subject-first"])
    assert caught.value.todo == "name one of them: sorts/dutch/b.conllu, sorts/german/a.conllu"


def test_a_part_of_what_is_fetched(cache: Path, site: Site, catalogue: Callable[..., Record]) -> None:
    url = site.offer("/suite.zip", Answer(zipped({"repo-1/gold/a.conll": "1\tIch\n", "repo-1/b.txt": "b"})))
    catalogue("suite", url)
    assert whereabouts("suite/gold/a.conll") is None
    with pytest.raises(UsageError, match=r"gardenpath data get suite$"):
        locate("suite/gold/a.conll")
    fetched = fetch("suite/gold/a.conll")
    assert (fetched.path, fetched.origin) == (cache / "suite" / "gold" / "a.conll", "download")
    assert fetch("suite/b.txt").origin == "store"
    assert locate("suite/gold") == cache / "suite" / "gold"
