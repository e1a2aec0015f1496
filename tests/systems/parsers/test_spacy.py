"""spaCy: a small real pipeline, trained here, and one that learned TIGER's labels."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree

import pytest

from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.declaration import EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.studies.roles.declaration import WordOrderSettings
from gardenpath.studies.roles.word_order import WORD_ORDER
from gardenpath.systems import parse_with, system, train
from gardenpath.treebank import Treebank, score

if find_spec("spacy") is None:  # it takes seconds to import, and of two workers one needs it
    pytest.skip("needs the extra spacy", allow_module_level=True)


def test_gold_tokens_give_one_tree_a_sentence(spacy_model: Path, dev: Treebank) -> None:
    result = parse_with(f"spacy:{spacy_model}", dev)
    assert not result.failures
    assert result.treebank.column("form").strings() == dev.column("form").strings()
    assert score(dev, result.treebank).f1("LAS") > 10
    assert "root" in result.treebank.column("deprel").values


def test_the_card(spacy_model: Path) -> None:
    card = json.loads((spacy_model / "model.json").read_text(encoding="utf-8"))
    assert card["options"]["language"] == "de"
    assert card["log"]["parser"][-1]["step"] == 60
    assert card["dev_scores"]["LAS"] > 10


def test_the_same_seed_gives_the_same_bytes(
    spacy_model: Path, training: Treebank, dev: Treebank, tmp_path: Path
) -> None:
    card = json.loads((spacy_model / "model.json").read_text(encoding="utf-8"))
    made = train("spacy", training, dev, output=tmp_path / "m", preset="tiny", seed=1, options={"language": "de"})
    assert made.card["signature"] == card["signature"]


def test_a_folder_that_is_no_pipeline_and_a_damaged_one(spacy_model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no config\.cfg"):
        system(f"spacy:{tmp_path}")
    with pytest.raises(InputError, match="no such folder"):
        system("spacy:no_such_package")
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("config.cfg", "meta.json"):
        (broken / name).write_bytes((spacy_model / name).read_bytes())
    with pytest.raises(SystemFailure, match="cannot load this pipeline"):
        system(f"spacy:{broken}")


def test_a_pipeline_without_a_parser_is_refused(tmp_path: Path) -> None:
    import spacy

    spacy.blank("de").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="no parser"):
        system(f"spacy:{tmp_path / 'blank'}")


def test_an_unknown_language_is_one_sentence(training: Treebank, tmp_path: Path) -> None:
    with pytest.raises(SystemFailure, match="the training of spacy failed"):
        train("spacy", training[:12], output=tmp_path / "m", preset="tiny", options={"language": "qq"})
    assert not (tmp_path / "m").exists()


def test_readings_of_japanese_pipelines_are_no_features() -> None:
    """They change with every form, so each variant of a sentence would be another tree."""
    from gardenpath.systems.parsers.spacy_parser import _divided

    assert _divided("Inflection=五段;連用形|Polarity=Neg|Reading=イチ") == (
        "Polarity=Neg",
        "Inflection=五段;連用形|Reading=イチ",
    )
    assert _divided("Reading=イチ") == ("_", "Reading=イチ")
    assert _divided("") == ("_", "_")
    assert _divided("Case=Nom") == ("Case=Nom", "_")


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
        run(EVALUATION, held_out, systems["kept"], EvaluationSettings(labels=("strict",)))


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
