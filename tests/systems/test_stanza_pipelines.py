"""Stanza's own pipelines, from text to trees: small real models in the layout of its downloads, without a network."""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from gardenpath.errors import GardenpathError, InputError, SystemFailure, UsageError
from gardenpath.runs.where import Where
from gardenpath.studies.consistency.settings import ConsistencySettings
from gardenpath.studies.consistency.study import CONSISTENCY
from gardenpath.studies.engine import run
from gardenpath.systems import parse_with, system
from gardenpath.treebank import Treebank, read, score

if find_spec("stanza") is None:  # it takes seconds to import, and of two workers one needs it
    pytest.skip("needs the extra stanza", allow_module_level=True)

UNCACHED = Where(cache=False)


def test_gold_tokens(stanza_resources: Path, dev: Treebank) -> None:
    """Its own tags and lemmas; with gold ones these, and its parser sees them."""
    own = parse_with(f"stanza:{stanza_resources}", dev)
    assert "|package:de default|stanza:" in own.signature
    assert own.treebank.column("form").strings() == dev.column("form").strings()
    assert score(dev, own.treebank).f1("Lemmas") > 50
    gold = parse_with(f"stanza:{stanza_resources}", dev, gold="lemmas,tags,feats").treebank
    for column in ("lemma", "upos", "feats"):
        assert gold.column(column).strings() == dev.column(column).strings()
    assert score(dev, gold).f1("LAS") > 20


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_raw_text(stanza_resources: Path, dev: Treebank, mode: str) -> None:
    """Tokens, sentences and multiword tokens (`im`) are the pipeline's own."""
    result = parse_with(f"stanza:{stanza_resources}#package=tiny", dev, mode=mode)
    assert not result.failures
    given, parsed = ("".join("".join(s.text for s in bank).split()) for bank in (dev, result.treebank))
    assert given == parsed
    scores = score(dev, result.treebank)
    assert scores.f1("Words") > 90
    assert scores.f1("Sentences") > 80
    assert any("-" in row[0] for sentence in result.treebank for row in sentence.rows)


def test_a_language_by_name(stanza_resources: Path, dev: Treebank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stanza.resources.common.DEFAULT_MODEL_DIR", str(stanza_resources))
    named = system("stanza:de")
    assert named.modes == ("tokens", "sentences", "text")
    assert named.signature == system(f"stanza:{stanza_resources}").signature == system("stanza:deu").signature
    assert system(named.name).signature == named.signature
    assert system("stanza:de#package=tiny").signature != named.signature
    monkeypatch.setattr("stanza.resources.common.DEFAULT_MODEL_DIR", "/nowhere")
    assert not parse_with(named, dev[:3], mode="text", where=UNCACHED).failures
    with pytest.raises(InputError, match=r"no models of Stanza are in /nowhere\n.*stanza:de#download=yes"):
        system("stanza:de")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("#language=fr", r"not in .*: fr/depparse/tiny\.pt, .*\n.*stanza:fr#download=yes"),
        ("#language=qq", "unknown language of Stanza 'qq'"),
        ("#package=tyni", "unknown package with a parser 'tyni'"),
        ("#package=words", "unknown package with a parser"),
        ("#packages=tiny", "did you mean package"),
        ("#device=cuda:9", "there is no cuda:9 here"),
        ("#download=maybe", "unknown value of download"),
    ],
)
def test_what_is_not_there_is_said(stanza_resources: Path, name: str, message: str) -> None:
    with pytest.raises(GardenpathError, match=message):
        system(f"stanza:{stanza_resources}{name}")


def test_several_languages_in_a_folder(stanza_resources: Path, tmp_path: Path) -> None:
    folder = tmp_path / "two"
    shutil.copytree(stanza_resources, folder)
    shutil.copytree(folder / "de", folder / "fr")
    with pytest.raises(UsageError, match=r"several languages: de, fr\n.*#language=de"):
        system(f"stanza:{folder}")
    (folder / "resources.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="the list of Stanza's models is not an object"):
        system(f"stanza:{folder}#language=de")


def test_nothing_is_fetched_unless_the_name_says_so(
    stanza_resources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def download(language: str, *, model_dir: str, package: str, **_: object) -> None:
        asked.append((language, package))
        shutil.copytree(stanza_resources, model_dir, dirs_exist_ok=True)

    monkeypatch.setattr("stanza.download", download)
    monkeypatch.setattr("stanza.resources.common.DEFAULT_MODEL_DIR", str(tmp_path / "new"))
    with pytest.raises(InputError):
        system("stanza:de")
    assert asked == []
    assert "download" not in system("stanza:de#package=tiny#download=yes").name
    assert asked == [("de", "tiny")]

    def unreachable(*_: object, **__: object) -> None:
        raise ConnectionError("no route to host")

    monkeypatch.setattr("stanza.download", unreachable)
    with pytest.raises(
        SystemFailure, match=r"could not fetch it: ConnectionError: no route to host\n.*is there a netw"
    ):
        system("stanza:fr#download=yes")


def test_a_folder_of_ones_own_with_a_tokenizer_reads_text(
    stanza_resources: Path, stanza_model: Path, dev: Treebank, tmp_path: Path
) -> None:
    assert system(f"stanza:{stanza_model}").modes == ("tokens",)
    shutil.copytree(stanza_model, tmp_path / "own")
    for processor in ("tokenize", "mwt"):
        shutil.copy(stanza_resources / "de" / processor / "tiny.pt", tmp_path / "own" / f"{processor}.pt")
    result = parse_with(f"stanza:{tmp_path / 'own'}", dev, mode="text")
    assert not result.failures
    assert score(dev, result.treebank).f1("Words") > 90
    with pytest.raises(UsageError, match="package is for Stanza's own models"):
        system(f"stanza:{tmp_path / 'own'}#package=tiny")


def test_the_repair_of_trees_is_in_the_signature(stanza_resources: Path, dev: Treebank) -> None:
    """Stanza's default: no head with two subjects."""
    as_it_is, repaired = (parse_with(f"stanza:{stanza_resources}{more}", dev) for more in ("", "#repair=yes"))
    assert "repair:yes" in repaired.signature
    assert "repair" not in as_it_is.signature
    assert _heads_with_two_subjects(repaired.treebank) == 0
    assert _heads_with_two_subjects(as_it_is.treebank) > 0


def _heads_with_two_subjects(treebank: Treebank) -> int:
    subjects = [[word.head for word in sentence.words if word.deprel == "nsubj"] for sentence in treebank]
    return sum(len(heads) - len(set(heads)) for heads in subjects)


def test_consistency_of_a_pipeline_on_raw_text(stanza_resources: Path, samples: Path) -> None:
    test = read(samples / "de_garden-test.conllu")[:30]
    chosen = ConsistencySettings(perturb=("names",), per_sentence=2, mode="text")
    result = run(CONSISTENCY, test, {"stanza": f"stanza:{stanza_resources}"}, chosen)
    assert "mode:text" in result.signature
    values = {
        finding.measure: finding.value
        for finding in result.findings
        if not finding.by.keys() - {"perturbation", "order"}
    }
    assert 0 <= values["consistent"] <= 100


def test_models_are_known_by_their_content(stanza_resources: Path, tmp_path: Path) -> None:
    """What other processors lie in the folder makes no difference; another tagger does."""
    folder = tmp_path / "resources"
    shutil.copytree(stanza_resources, folder)
    before = system(f"stanza:{folder}").signature
    (folder / "de" / "ner").mkdir()
    (folder / "de" / "ner" / "x.pt").write_bytes(b"x")
    assert system(f"stanza:{folder}").signature == before
    resources = json.loads((folder / "resources.json").read_text(encoding="utf-8"))
    resources["de"]["lemma"]["identity"], resources["de"]["packages"]["plain"] = {}, {
        **resources["de"]["packages"]["tiny"], "lemma": "identity",
    }  # fmt: skip
    (folder / "resources.json").write_text(json.dumps(resources), encoding="utf-8")
    assert system(f"stanza:{folder}#package=plain").signature != before
