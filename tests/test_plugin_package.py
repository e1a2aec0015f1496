"""A package that gardenpath knows nothing of adds a system, a suite format, a perturbation, a study and commands.

It lies in `tests/plugin_package` as it would in site-packages: a folder of modules, and what its entry points are.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.cli import main as program
from gardenpath.errors import UsageError
from gardenpath.plugins import plugins

PACKAGE = Path(__file__).parent / "plugin_package"
TEXT = "the cat sleeps\nthe cats sleep\nthe dog sleeps\nthe cat sleeps\n"
PAIRS = "the cat sleeps > the cat sleep\nthe cats sleep > the cats sleeps\nthe dog sleeps > the dog sleep\n"


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is on the path for one test."""
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(PACKAGE))


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
    assert len(modules) == 6
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
    called("train", "unigram", text, "--dev", text, "-o", model, "--set", "least=2")
    assert "perplexity 4.4763" in capsys.readouterr().err
    assert set(json.loads(model.read_text("utf-8"))) == {"cat", "sleeps", "the"}
    called("surprisal", arrows, f"unigram:{model}", "--format", "json")
    findings = json.loads(capsys.readouterr().out)["findings"]
    accuracy = [finding["value"] for finding in findings if finding["measure"] == "accuracy"]
    assert accuracy[0] == pytest.approx(100 * 2 / 3)  # `sleeps` is the more frequent one, so one pair of three is wrong
    called("train", "unigram", text, "-o", tmp_path / "other.json", "--set", "most=2", code=2)
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
    called("suite", "convert", arrows, tmp_path / "suite.json")
    called("suite", "convert", tmp_path / "suite.json", tmp_path / "again.arrows")
    assert (tmp_path / "again.arrows").read_bytes() == arrows.read_bytes()
    called("suite", "check", arrows)
    assert "No problems" in capsys.readouterr().out
    arrows.write_text("no arrow here\n", encoding="utf-8")
    called("suite", "check", arrows, code=2)
    assert f"{arrows}:1: no arrow in this line\n  write GOOD > BAD" in capsys.readouterr().err


# ---- a perturbation


def test_the_perturbation_makes_variants(samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "few.conllu"
    gp.read(samples / "de_garden-dev.conllu")[:5].write(file)
    called("treebank", "augment", file, "--change", "loud", "-o", tmp_path / "more.conllu")
    forms = [sentence.words[0].form for sentence in gp.read(tmp_path / "more.conllu")]
    assert sum(form.isupper() for form in forms) == 5
    capsys.readouterr()
    called("consistency", file, "baseline:right-branching", "--change", "loud", "--format", "json")
    assert json.loads(capsys.readouterr().out)["findings"]
    result = gp.consistency(file, "baseline:right-branching", change="loud")
    assert any(finding.by.get("perturbation") == "loud" for finding in result.findings)


# ---- a study


def test_the_study_is_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called("--help")
    assert re.search(r"endings +Does a parser attach the last words", capsys.readouterr().out)
    called("endings", "--help")
    shown = capsys.readouterr().out
    assert all(part in shown for part in ("GOLD SYSTEM...", "--last", "--gold", "--run", "--jobs", "--config"))
    called("endings", "bundled:de-test", "baseline:nearest-head", "baseline:right-branching", "--gold", "tags")
    shown = capsys.readouterr().out
    assert re.search(r"Endings attached: baseline:nearest-head 84\.0 \[.*\], baseline:right-branching 18\.0", shown)
    assert "signature: study:endings|gold:de_garden-test.conllu#" in shown
    called("endings", "bundled:de-test", "baseline:right-branching", "--last", "0", code=2)
    assert "--last" in capsys.readouterr().err
    called("endings", "bundled:de-test", "baseline:right-branching", "--run", tmp_path / "run")
    called("check", tmp_path / "run", "--min", "endings.attached>=50", code=1)


def test_the_study_is_a_function_and_its_runs_are_compared(tmp_path: Path) -> None:
    parsers = ("baseline:nearest-head", "baseline:right-branching")
    results = [gp.endings("bundled:de-test", name, gold="tags", last=2) for name in parsers]
    assert gp.endings.__doc__.startswith("Does a parser attach the last words of a sentence as gold does?")
    by_hand = [
        word.head == own.head
        for gold, tree in zip(gp.read("bundled:de-test"), gp.parse(parsers[0], "bundled:de-test", gold="tags").treebank,
                              strict=True)
        for word, own in zip(gold.words[-2:], tree.words[-2:], strict=True)
    ]  # fmt: skip
    assert results[0].value("attached") == pytest.approx(100 * sum(by_hand) / len(by_hand))
    assert [table.name for table in results[0].tables] == ["systems", "by-place"]
    assert list(results[0].figures) == ["endings-by-system", "endings-by-place"]
    compared = gp.compare(*results)
    difference = next(finding for finding in compared.findings if finding.measure == "attached_difference")
    assert difference.value == pytest.approx(results[1].value("attached") - results[0].value("attached"))
    again = gp.endings("bundled:de-test", parsers[0], gold="tags", last=2, run=tmp_path / "run")
    assert again.findings == results[0].findings
    assert (tmp_path / "run" / "observations.tsv").read_text(encoding="utf-8").count("\n") == 1 + len(by_hand)


def test_the_study_has_a_page_with_its_definitions_and_a_glossary(tmp_path: Path) -> None:
    from gardenpath.studies.engine.registry import all_measures, all_notes

    result = gp.endings("bundled:de-test", "baseline:nearest-head", gold="tags")
    written = result.report(tmp_path / "page.html").read_text(encoding="utf-8")
    packed = re.findall(r'<script type="application/gzip" id="\w+">([^<]*)', written)
    page = "".join(gzip.decompress(base64.b64decode(block)).decode("utf-8") for block in packed)
    assert all(text in page for text in ("The share of last words whose head is that of gold.", "Nobody yet."))
    assert "last words with the right head, %" in page
    assert all_notes()["endings"].title == "Endings"
    assert all_measures()["attached"].title == "endings attached"


@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        ("no judge", "Can't instantiate abstract class Endings with abstract method judge"),
        ("del Endings.settings", "Endings has no settings"),
        ("Endings.name = 'ending'", "Endings is called ending, and its notes are of endings"),
        ("Endings.settings = ParserSettings", "Endings has the settings ParserSettings, and is declared with Ending"),
        ("ENDINGS = Endings", "Endings is a class, and an object of it is needed"),
    ],
)
def test_a_mistake_of_the_author_is_one_sentence(mistake: str, sentence: str, tmp_path: Path) -> None:
    """The package with one wrong line in it, in a process of its own."""
    broken = shutil.copytree(PACKAGE, tmp_path / "broken")
    file = broken / "gardenpath_loud" / "endings.py"
    before, made, after = file.read_text(encoding="utf-8").partition("ENDINGS = Endings()\n")
    if mistake == "no judge":
        before, mistake = before.replace("    def judge(", "    def judges("), ""
    line = mistake if mistake.startswith("ENDINGS") else f"{mistake}\n{made}"
    file.write_text(f"{before}{line}\n{after}", encoding="utf-8")
    path = os.pathsep.join([str(broken), str(Path(gp.__file__).parents[1])])
    command = [sys.executable, "-m", "gardenpath", "endings", "bundled:de-test", "baseline:right-branching"]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert re.search("(the study endings|warning: endings of gardenpath-loud 1.0) cannot be used", ended.stderr)
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


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
    called("suite", "--help")
    assert re.search(r"louder +Print the sentences of a suite in capitals\.", capsys.readouterr().out)
    called("suite", "louder", arrows)
    assert "THE CAT SLEEPS | THE CAT SLEEP\n" in capsys.readouterr().out


def test_a_command_may_be_a_function_in_python() -> None:
    assert gp.loud("hello") == "HELLO"
    with pytest.raises(AttributeError, match="has no attribute 'louder'"):
        _ = gp.louder
