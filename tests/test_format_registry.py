"""The registry of formats: every line of it leads to a format, and nothing is loaded that is not asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.formats import CONSTRUCTIONS, PHRASE_TREES, REGIONS, ROLES, TREEBANKS, Formats, bare, head

KINDS = {
    "treebanks": TREEBANKS, "phrase trees": PHRASE_TREES, "roles": ROLES, "regions": REGIONS,
    "constructions": CONSTRUCTIONS,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_leads_to_a_format(kind: str) -> None:
    for name, format in KINDS[kind].items():
        assert format.name == name
        assert format.about
        assert format.read is not None or format.write is not None
        assert format.read is None or format.sniff is not None or format.suffixes, "nothing tells such a file"


@pytest.mark.parametrize("kind", KINDS)
def test_modules_have_no_format_that_the_table_lacks(kind: str) -> None:
    formats = KINDS[kind]
    modules = {sys.modules[f"gardenpath.{place}"] for name, place in formats._modules.items() if formats[name]}
    assert {format.name for module in modules for format in module.FORMATS} == set(formats._modules)


def test_the_name_to_write_tells_the_format() -> None:
    assert REGIONS.by_suffix("sd_none_TXT.txt") == "mandarin"
    assert REGIONS.by_suffix("x.csv") is None
    assert (ROLES.by_suffix("x.conllu"), ROLES.by_suffix("x.tsv")) == ("conllu-feats", "tsv")
    assert TREEBANKS.by_suffix(bare("X.CONLLX.GZ")) == "conll"


def test_what_only_its_name_tells_is_asked_last() -> None:
    pairs = b"item\tgood\tbad\n1\ta b\ta c\n"
    assert REGIONS.sniffed(pairs, "sd_none_txt.txt") == "pairs"
    assert REGIONS.sniffed("我 看 书 。\n".encode(), "sd_none_txt.txt") == "mandarin"


def test_an_unknown_format_gets_a_suggestion() -> None:
    with pytest.raises(UsageError, match=r"unknown format of phrase trees 'peng'\n  did you mean penn\?"):
        PHRASE_TREES.reader("peng", "format of phrase trees")
    with pytest.raises(UsageError, match="unknown format 'sinica'"):
        PHRASE_TREES.writer("sinica")
    with pytest.raises(UsageError, match="unknown format 'text'"):
        TREEBANKS.reader("text")


def test_a_new_format_is_a_module_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import ModuleType

    from gardenpath.formats import Format

    module = ModuleType("gardenpath.suites.regions.shouting")
    look, read = (lambda data, _: data.startswith(b"!")), (lambda data, name: (name, data[1:]))
    module.FORMATS = (Format("shouting", "a test", (".loud",), look, read, lambda text: b"!" + text),)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    formats = Formats("shouts", {"shouting": "suites.regions.shouting"})
    assert formats.sniffed(b"!hello") == formats.by_suffix("X.LOUD") == "shouting"
    assert formats.reader("shouting")(formats.writer("shouting")(b"hello"), "x") == ("x", b"hello")


def test_the_head_of_a_file_has_no_mark_and_no_blanks() -> None:
    assert head(b"\xef\xbb\xbf \n(S", 8) == b"(S"


def test_a_suite_of_constructions_is_told_by_its_folder(tmp_path: Path) -> None:
    from gardenpath.data import locate

    folder = Path(str(locate("bundled:de-constructions"))) / "tiger"
    assert CONSTRUCTIONS.sniffed(b"", str(folder)) == "constructions"
    assert CONSTRUCTIONS.sniffed(b"", str(tmp_path)) is None
    suite = CONSTRUCTIONS.reader("constructions")(folder)
    CONSTRUCTIONS.writer("constructions")(suite, tmp_path / "copy")
    assert CONSTRUCTIONS.reader("constructions")(tmp_path / "copy") == suite
    parallel = CONSTRUCTIONS.reader("constructions")(folder.parent)
    assert [part.scheme for part in parallel] == ["tiger", "tuebadz", "ud"]
    CONSTRUCTIONS.writer("constructions")(parallel, tmp_path / "parallel")
    assert CONSTRUCTIONS.sniffed(b"", str(tmp_path / "parallel")) == "constructions"
    assert CONSTRUCTIONS.reader("constructions")(tmp_path / "parallel") == parallel


def test_reading_conllu_loads_nothing_about_phrases_and_suites() -> None:
    file = Path(__file__).parent / "treebank" / "cases" / "perfect.conllu"
    code = f"import sys, gardenpath; gardenpath.read({str(file)!r}); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in loaded if name.startswith(("gardenpath.phrase", "gardenpath.suites"))]
