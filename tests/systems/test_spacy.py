"""spaCy: a small real pipeline, trained here; one tree a sentence."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.runs.where import Where
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


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_raw_text(spacy_model: Path, dev: Treebank, mode: str) -> None:
    result = parse_with(f"spacy:{spacy_model}", dev, mode=mode)
    assert not result.failures
    given, found = ("".join("".join(s.text for s in bank).split()) for bank in (dev, result.treebank))
    assert given == found


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


def test_ranges_and_empty_nodes_stay(spacy_model: Path, treebank_files: list[Path]) -> None:
    parser = system(f"spacy:{spacy_model}")
    for file in treebank_files:
        data = file.read_bytes()[:60_000]
        bank = Treebank(data[: data.rindex(b"\n\n") + 2])[:5]
        result = parse_with(parser, bank, any_language=True, where=Where(cache=False))
        assert not result.failures, file.name
        before, after = ([row[:2] for s in one for row in s.rows] for one in (bank, result.treebank))
        assert before == after, file.name


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


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"widht": "3"}, "did you mean width"),
        ({"width": "x"}, "not a number"),
        ({"language": "../x"}, "not a language"),
    ],
)
def test_options_are_checked(options: dict[str, str], told: str) -> None:
    from gardenpath.systems.spacy_training import settings_of

    with pytest.raises(UsageError, match=told):
        settings_of("tiny", options)


def test_an_unknown_language_is_one_sentence(training: Treebank, tmp_path: Path) -> None:
    with pytest.raises(SystemFailure, match="the training of spacy failed"):
        train("spacy", training[:12], output=tmp_path / "m", preset="tiny", options={"language": "qq"})
    assert not (tmp_path / "m").exists()


def test_readings_of_japanese_pipelines_are_no_features() -> None:
    """They change with every form, so each variant of a sentence would be another tree."""
    from gardenpath.systems.spacy_parser import _divided

    assert _divided("Inflection=五段;連用形|Polarity=Neg|Reading=イチ") == (
        "Polarity=Neg",
        "Inflection=五段;連用形|Reading=イチ",
    )
    assert _divided("Reading=イチ") == ("_", "Reading=イチ")
    assert _divided("") == ("_", "_")
    assert _divided("Case=Nom") == ("Case=Nom", "_")
