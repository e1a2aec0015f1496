"""A spaCy pipeline that learned TIGER's labels, as spaCy's German models did: with the bridge and without."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from shutil import copytree

import pytest

from gardenpath.errors import UsageError
from gardenpath.studies.engine import run
from gardenpath.studies.evaluation.settings import EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.studies.roles.settings import WordOrderSettings
from gardenpath.studies.roles.word_order import WORD_ORDER
from gardenpath.systems import parse_with, system
from gardenpath.treebank import Treebank, score

if find_spec("spacy") is None:  # it takes seconds to import, and of two workers one needs it
    pytest.skip("needs the extra spacy", allow_module_level=True)


@pytest.fixture(scope="module")
def held_out(universal_trees: Treebank) -> Treebank:
    return universal_trees[::4]


def test_the_bridge_is_crossed_by_itself(tiger_pipeline: Path, held_out: Treebank) -> None:
    bridged, kept = (parse_with(f"spacy:{tiger_pipeline}{more}", held_out) for more in ("", "#labels=keep"))
    assert "labels:tiger→ud" in bridged.signature
    assert "labels" not in kept.signature
    assert not bridged.failures
    assert "sb" in kept.treebank.column("deprel").values
    assert score(held_out, bridged.treebank).f1("LAS") > 50
    assert score(held_out, kept.treebank).f1("LAS") < 15


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_raw_text_crosses_it_too(tiger_pipeline: Path, held_out: Treebank, mode: str) -> None:
    result = parse_with(f"spacy:{tiger_pipeline}", held_out[:8], mode=mode)
    labels = {label for label in result.treebank.column("deprel").strings() if not label.startswith("dep:")}
    assert labels & {"nsubj", "obj"}
    assert not labels & {"sb", "oa", "nk"}


def test_roles_make_sense_with_it_and_are_warned_of_without(tiger_pipeline: Path, held_out: Treebank) -> None:
    systems = {"bridged": f"spacy:{tiger_pipeline}", "kept": f"spacy:{tiger_pipeline}#labels=keep"}
    messages: list[str] = []
    result = run(WORD_ORDER, held_out, systems, WordOrderSettings(), tell=messages.append)
    las = {f.system: f.value for f in result.findings if f.measure == "las" and not f.by}
    assert las["bridged"] > 50
    assert las["kept"] == 0
    assert [line for line in messages if line.startswith("bridged: labels tiger→ud: ")]
    (warning,) = [line for line in messages if "warning" in line]
    assert warning.startswith("kept: warning: ")
    assert "the bridge tiger→ud" in warning
    with pytest.raises(UsageError, match="the bridge tiger→ud"):
        run(EVALUATION, held_out, systems["kept"], EvaluationSettings(strict=True))


def test_a_package_that_is_not_installed_names_the_command_that_brings_it() -> None:
    with pytest.raises(UsageError, match="did you mean labels"):
        system("spacy:de_core_news_sm#label=keep")
    with pytest.raises(Exception, match="python -m spacy download de_core_news_sm"):
        system("spacy:de_core_news_sm")


def test_an_installed_package_is_known_by_its_content(
    tiger_pipeline: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Laid out as spaCy's own packages are: a module with `load`, and the pipeline in a folder below it."""
    (tmp_path / "de_tiny_news-1.0.0.dist-info").mkdir()
    metadata = tmp_path / "de_tiny_news-1.0.0.dist-info" / "METADATA"
    metadata.write_text("Metadata-Version: 2.1\nName: de_tiny_news\nVersion: 1.0.0\n", encoding="utf-8")
    package = tmp_path / "de_tiny_news"
    package.mkdir()
    copytree(tiger_pipeline, package / "de_tiny_news-1.0.0")
    (package / "meta.json").write_text((tiger_pipeline / "meta.json").read_text(encoding="utf-8"), encoding="utf-8")
    (package / "__init__.py").write_text(
        "from pathlib import Path\nfrom spacy.util import load_model_from_path\n\n\ndef load(**overrides):\n"
        "    return load_model_from_path(Path(__file__).parent / 'de_tiny_news-1.0.0', **overrides)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    named, folder = system("spacy:de_tiny_news"), system(f"spacy:{tiger_pipeline}")
    assert named.name == "spacy:de_tiny_news"
    assert named.signature == folder.signature
    (tmp_path / "empty_package").mkdir()
    (tmp_path / "empty_package" / "__init__.py").write_text("", encoding="utf-8")
    with pytest.raises(Exception, match="no spaCy pipeline in it"):
        system("spacy:empty_package")
