"""The catalogue of public data, and the bundled samples."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from gardenpath.data import bundled, bundled_names, cite, find, locate, records
from gardenpath.data.catalogue import DEFAULT_RELEASE, Record, treebanks
from gardenpath.data.download import check_url
from gardenpath.errors import UsageError
from gardenpath.formats import REGIONS

NAMES = [
    "blimp", "blimp-nl", "clams", "climp", "jblimp", "lindsea", "mandarin-suites", "multiblimp-fr", "ppats", "rublimp",
    "sap", "sorts", "sorts@2020", "syntaxgym", "turblimp", "ud-collection", "udpipe-scores", "zhoblimp",
]  # fmt: skip
ELSEWHERE = ["qfrblimp", "sling", "tepacoc"]
"""Known by name, and not in the shared folder."""
FAMILY = [find("ud:German-GSD"), find("ud:German-GSD@2.14")]


def test_the_names_that_the_design_promises() -> None:
    assert [record.name for record in records()] == sorted([*NAMES, *ELSEWHERE])


@pytest.mark.parametrize("record", [*records(), *FAMILY], ids=lambda record: record.name)
def test_every_record_is_complete(record: Record) -> None:
    for text in (record.title, record.about, record.licence, record.citation, record.place, *record.urls):
        assert text
        assert text.strip() == text or text == record.citation
    assert bool(record.urls) != bool(record.by_hand)
    for url in record.urls:
        check_url(url, https_only=True)
    assert record.sha256 is None or re.fullmatch("[0-9a-f]{64}", record.sha256)
    assert not Path(record.place).is_absolute()
    assert ".." not in Path(record.place).parts
    assert re.fullmatch(r"[\w@.-]+", record.folder)


@pytest.mark.parametrize("record", [*records(), *FAMILY], ids=lambda record: record.name)
def test_every_citation_is_well_formed(record: Record) -> None:
    for entry in record.citation.strip().split("\n\n"):
        assert re.match(r"@(inproceedings|article|misc)\{[\w.-]+,\n", entry)
        assert entry.count("{") == entry.count("}")
        assert "title = {" in entry
        assert "author = {" in entry
        assert all(re.fullmatch(r"  \w+ = \{.*\},", line) for line in entry.splitlines()[1:-1])


def test_the_layout_of_pairs_is_a_format_and_their_content_is_pinned() -> None:
    for record in records():
        if record.place.startswith("pairs/"):
            assert record.layout in REGIONS
            assert record.sha256
            assert re.search(r"/archive/[0-9a-f]{40}\.zip$", record.urls[0])


def test_folders_of_the_store_are_distinct() -> None:
    folders = [record.folder.lower() for record in [*records(), find("ud:German-GSD@2.1"), find("ud:German-GSD")]]
    assert len(set(folders)) == len(folders)


@pytest.mark.parametrize("name", NAMES)
def test_the_shared_folder_is_a_mirror(shared: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(shared))
    folder = locate(name)
    assert folder == shared / find(name).place
    assert [path for path in find(name).expects if not (folder / path).is_file()] == []


def test_all_treebanks_of_the_shared_folder_have_names(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(shared))
    folders = sorted((shared / "ud").glob("UD_*"))
    assert folders
    for folder in folders:
        assert locate("ud:" + folder.name.removeprefix("UD_")) == folder


@pytest.mark.parametrize(
    ("name", "place", "tag"),
    [
        ("ud:English-EWT", "ud/UD_English-EWT", DEFAULT_RELEASE),
        ("ud:Belarusian-HSE@2.5", "ud/UD_Belarusian-HSE@r2.5", "2.5"),
        ("ud:Belarusian-HSE@r2.5", "ud/UD_Belarusian-HSE@r2.5", "2.5"),
        ("ud:Low Saxon-LSDC", "ud/UD_Low_Saxon-LSDC", DEFAULT_RELEASE),
        ("UD:UD_German-GSD@2.14", "ud/UD_German-GSD@r2.14", "2.14"),
    ],
)
def test_treebanks(name: str, place: str, tag: str) -> None:
    record = find(name)
    treebank = place.removeprefix("ud/UD_").partition("@")[0]
    assert record.place == place
    assert record.name == f"ud:{treebank}@{tag}"
    assert record.urls == (f"https://github.com/UniversalDependencies/UD_{treebank}/archive/refs/tags/r{tag}.zip",)


def test_the_list_of_treebanks_is_in_order() -> None:
    assert list(treebanks()) == sorted(set(treebanks()))
    assert all(find(f"ud:{name}").place == f"ud/UD_{name}" for name in treebanks())


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("srots", "did you mean sorts"),
        ("ud:german-gsd", "did you mean ud:German-GSD?"),
        ("ud:Germam-GSD", "did you mean ud:German-GSD"),
        ("ud:German-GSD@latest", "ud:German-GSD@2.14"),
        ("ud:Klingon-QQQ", "name its release"),
        ("ud:../../etc", "ud:LANGUAGE-TREEBANK"),
        ("ud:", "ud:LANGUAGE-TREEBANK"),
        ("", "known:"),
    ],
)
def test_advice_for_wrong_names(name: str, advice: str) -> None:
    with pytest.raises(UsageError) as caught:
        find(name)
    assert advice in str(caught.value)


def test_a_treebank_newer_than_the_list_passes_with_its_release() -> None:
    assert find("ud:Klingon-QQQ@3.0").place == "ud/UD_Klingon-QQQ@r3.0"


def test_entries_are_cited_once() -> None:
    text = cite("sorts", "sorts@2020", "ud:German-GSD", "ud:German-LIT")
    keys = re.findall(r"@\w+\{([^,]+),", text)
    assert len(keys) == len(set(keys)) == 4


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("de_garden-train.conllu", "zh_garden-test.conllu", "README.md", ".hidden", "__init__.py"):
        (tmp_path / name).write_text("")
    # By sys.modules: as an attribute of the package, `bundled` is the function.
    monkeypatch.setattr(sys.modules["gardenpath.data.catalogue"], "SAMPLES", tmp_path)
    return tmp_path


def test_short_names(samples: Path) -> None:
    assert bundled_names() == ["de-train", "zh-test"]
    assert bundled("de-train") == locate("bundled:de-train") == samples / "de_garden-train.conllu"
    assert bundled("zh_garden-test.conllu") == samples / "zh_garden-test.conllu"


def test_unknown_samples_get_advice(samples: Path) -> None:
    with pytest.raises(UsageError, match="did you mean de-train"):
        locate("bundled:de-trian")


def test_every_sample_of_the_package_has_a_name() -> None:
    folder = Path(sys.modules["gardenpath.data.catalogue"].__file__ or "").parent / "samples"
    for path in folder.glob("*.conllu"):
        assert bundled(path.name) == path
        assert path in [bundled(name) for name in bundled_names()]
