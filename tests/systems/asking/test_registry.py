"""Systems by name: did you mean, what is missing, and kinds of other packages."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from gardenpath.errors import MissingPackage, SystemFailure, UsageError
from gardenpath.runs.work.where import Where
from gardenpath.systems import kinds, parse_with, system
from gardenpath.systems.asking import registry
from gardenpath.systems.asking.registry import Kind, language_model
from gardenpath.systems.training.training import Trainer
from gardenpath.treebank import Treebank


@pytest.fixture
def third_party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real distribution with an entry point, installed into a folder on the path."""
    (tmp_path / "flat_parser.py").write_text(
        "class Flat:\n"
        "    signature, modes = 'kind:flat|version:1', ('tokens',)\n"
        "    def __init__(self, argument):\n"
        "        self.name, self.label = 'flat:' + argument, argument\n"
        "    def parse(self, request):\n"
        "        lines = []\n"
        "        for sentence in request.tokens:\n"
        "            for row in sentence.rows:\n"
        "                head = '0' if row[0] == '1' else '1'\n"
        "                lines.append('\\t'.join([*row[:6], head, self.label, '_', row[9]]))\n"
        "            lines.append('')\n"
        "        return '\\n'.join(lines) + '\\n'\n"
        "class Broken:\n"
        "    def __init__(self, argument):\n"
        "        raise RuntimeError('no weights')\n",
        encoding="utf-8",
    )
    info = tmp_path / "flat_parser-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: flat-parser\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[gardenpath.systems]\nflat = flat_parser:Flat\nbroken = flat_parser:Broken\n"
        "gone = flat_parser:Gone\nlist = builtins:list\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "flat_parser", raising=False)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("udpip:model", "did you mean udpipe"),
        ("udpipe", "write udpipe:MODEL"),
        ("baseline:", "write baseline:NAME"),
        ("xyz:1", "gardenpath systems lists them"),
        ("baseline:subject-last", "did you mean subject-first"),
        ("udpipe:nowhere.udpipe", "No such file"),
    ],
)
def test_a_wrong_name_says_what_would_be_right(name: str, told: str) -> None:
    with pytest.raises(Exception, match=told):
        system(name)


@pytest.mark.usefixtures("third_party")
def test_a_kind_of_another_package_works_like_ours() -> None:
    bank = Treebank(b"1\tein\t_\t_\t_\t_\t_\t_\t_\t_\n2\tHaus\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    assert kinds()["flat"].source == "flat-parser 1.0"
    parsed = parse_with("flat:dep", bank, where=Where(cache=False)).treebank
    assert parsed.heads.tolist() == [0, 1]
    assert parsed.column("deprel").strings() == ["dep", "dep"]


@pytest.mark.usefixtures("third_party")
@pytest.mark.parametrize(
    ("name", "told"), [("broken:x", "no weights"), ("gone:x", "cannot be loaded"), ("list:x", "is not a parser")]
)
def test_a_broken_kind_of_another_package_is_one_sentence(name: str, told: str) -> None:
    with pytest.raises(SystemFailure, match=told):
        system(name)


def test_a_missing_package_says_how_to_install_it() -> None:
    kind = Kind("far", ".far:Far", "X", "", package="no_such_package_here", extra="far")
    assert not kind.installed
    with pytest.raises(MissingPackage, match=r'pip install "gardenpath\[far\]"'):
        kind.load()
    with pytest.raises(MissingPackage, match=r"^far: no_such_package_here is not installed"):
        kind.load()


def test_a_package_that_another_one_needs_is_named_too() -> None:
    kind = Kind("far", ".far:Far", "X", "", package="json", extra="far", beside="no_such_package_here")
    assert not kind.installed
    with pytest.raises(MissingPackage, match=r"^far: no_such_package_here is not installed\n.*gardenpath\[far\]"):
        kind.load()
    assert Kind("near", ".far:Far", "X", "", package="json", beside="csv").installed


def test_transformers_without_torch_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip install transformers does not bring it."""
    monkeypatch.setitem(sys.modules, "transformers", ModuleType("transformers"))
    sys.modules["transformers"].__spec__ = ModuleSpec("transformers", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackage, match=r'^hf: torch is not installed\n.*pip install "gardenpath\[hf\]"'):
        language_model("hf:gpt2")


def test_every_installed_kind_can_be_loaded() -> None:
    for kind in registry.KINDS:
        if kind.installed:
            assert callable(kind.load())
            assert not kind.trainer or isinstance(kind.load(kind.trainer)(kind.name), Trainer)


def test_an_argument_is_needed_even_if_the_kind_is_not_installed() -> None:
    with pytest.raises(UsageError, match="write stanza:LANGUAGE or FOLDER"):
        system("stanza:")
