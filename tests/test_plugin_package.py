"""A package that gardenpath knows nothing of adds a system, a suite format, a perturbation and commands.

It lies in `tests/plugin_package` as it would in site-packages: a folder of modules, and what its entry points are.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.cli import main as program
from gardenpath.errors import UsageError
from gardenpath.formats import REGIONS
from gardenpath.plugins import plugins

PACKAGE = Path(__file__).parent / "plugin_package"
TEXT = "the cat sleeps\nthe cats sleep\nthe dog sleeps\nthe cat sleeps\n"
PAIRS = "the cat sleeps > the cat sleep\nthe cats sleep > the cats sleeps\nthe dog sleeps > the dog sleep\n"


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package is on the path for one test, and nothing of it stays."""
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(PACKAGE))
    yield
    monkeypatch.undo()
    for name in [name for name in sys.modules if name.split(".")[0] == "gardenpath_loud"]:
        del sys.modules[name]
    REGIONS._loaded.pop("arrows", None)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def arrows(tmp_path: Path) -> Path:
    path = tmp_path / "agreement.arrows"
    path.write_text(PAIRS, encoding="utf-8")
    return path


def called(*arguments: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as ended:
        program.main([str(argument) for argument in arguments])
    assert (ended.value.code or 0) == code


def test_nothing_of_gardenpath_names_the_package() -> None:
    source = Path(gp.__file__).parent
    assert [file for file in source.rglob("*.py*") if b"gardenpath_loud" in file.read_bytes()] == []
    assert {plugin.source for plugin in plugins("gardenpath.perturbations")} == {"gardenpath-loud 1.0"}


def test_the_package_imports_what_is_exported() -> None:
    from test_flow import foreign, not_exported

    modules = sorted((PACKAGE / "gardenpath_loud").glob("*.py"))
    assert len(modules) == 5
    found = {imported for module in modules for imported in foreign(module)}
    assert found
    assert [reason for base, name in sorted(found) if (reason := not_exported("gardenpath_loud", base, name))] == []


# ---- a system that can be trained


def test_the_system_is_trained_and_scores_by_the_command_line(
    text: Path, arrows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called("systems")
    assert re.search(r"unigram:FILE +.*frequencies of words", capsys.readouterr().out)
    model = tmp_path / "model.json"
    called("train", "unigram", text, "--dev", text, "-o", model, "--option", "least=2")
    assert "perplexity 4.4763" in capsys.readouterr().err
    assert set(json.loads(model.read_text("utf-8"))) == {"cat", "sleeps", "the"}
    called("surprisal", arrows, f"unigram:{model}", "--format", "json")
    findings = json.loads(capsys.readouterr().out)["findings"]
    accuracy = [finding["value"] for finding in findings if finding["measure"] == "accuracy"]
    assert accuracy[0] == pytest.approx(100 * 2 / 3)  # `sleeps` is the more frequent one, so one pair of three is wrong
    called("train", "unigram", text, "-o", tmp_path / "other.json", "--option", "most=2", code=2)
    assert "unknown option of unigram 'most'" in capsys.readouterr().err


def test_the_system_is_trained_and_scores_in_python(text: Path, arrows: Path, tmp_path: Path) -> None:
    trained = gp.train("unigram", text, output=tmp_path / "model.json")
    result = gp.surprisal(arrows, trained.system)
    assert trained.system in {finding.system for finding in result.findings}
    with pytest.raises(UsageError, match="unigram needs an argument"):
        gp.surprisal(arrows, "unigram:")


# ---- a suite format


def test_the_format_is_read_and_written(arrows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = gp.read_suite(arrows)
    assert [condition.text() for condition in suite.items[1].conditions] == ["the cats sleep", "the cats sleeps"]
    called("suites", "convert", arrows, tmp_path / "suite.json")
    called("suites", "convert", tmp_path / "suite.json", tmp_path / "again.arrows")
    assert (tmp_path / "again.arrows").read_bytes() == arrows.read_bytes()
    called("suites", "check", arrows)
    assert "No problems" in capsys.readouterr().out
    arrows.write_text("no arrow here\n", encoding="utf-8")
    called("suites", "check", arrows, code=2)
    assert f"{arrows}:1: no arrow in this line\n  write GOOD > BAD" in capsys.readouterr().err


# ---- a perturbation


def test_the_perturbation_makes_variants(samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "few.conllu"
    gp.read(samples / "de_garden-dev.conllu")[:5].write(file)
    called("treebank", "augment", file, "--perturb", "loud", "-o", tmp_path / "more.conllu")
    forms = [sentence.words[0].form for sentence in gp.read(tmp_path / "more.conllu")]
    assert sum(form.isupper() for form in forms) == 5
    capsys.readouterr()
    called("consistency", "test", file, "baseline:right-branching", "--perturb", "loud", "--format", "json")
    assert json.loads(capsys.readouterr().out)["findings"]
    result = gp.consistency(file, "baseline:right-branching", perturb="loud")
    assert any(finding.by.get("perturbation") == "loud" for finding in result.findings)


# ---- commands


def test_commands_are_listed_explained_and_called(arrows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called("--help")
    assert re.search(r"loud +Print a text in capitals\.", capsys.readouterr().out)
    called("loud", "--help")
    assert "What to say." in capsys.readouterr().out
    called("loud", "hello")
    assert capsys.readouterr().out == "HELLO\n"
    called("loud", "HELLO", code=2)
    assert "the text is in capitals already\n  whisper" in capsys.readouterr().err
    called("suites", "--help")
    assert re.search(r"louder +Print the sentences of a suite in capitals\.", capsys.readouterr().out)
    called("suites", "louder", arrows)
    assert "THE CAT SLEEPS | THE CAT SLEEP\n" in capsys.readouterr().out


def test_a_command_may_be_a_function_in_python() -> None:
    assert gp.loud("hello") == "HELLO"
    with pytest.raises(AttributeError, match="has no attribute 'louder'"):
        _ = gp.louder
