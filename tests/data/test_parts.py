"""A part of data by name: a path, a pattern, or the end of a treebank's name; in a mirror, in the store, bundled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from misbehaving_server import Answer, Site, zipped

import gardenpath as gp
from gardenpath.data import cite, fetch, is_data_name, locate, whereabouts
from gardenpath.data.registry import Record
from gardenpath.errors import UsageError
from gardenpath.treebank.source import paths


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
