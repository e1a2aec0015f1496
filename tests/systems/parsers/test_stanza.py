"""Stanza: small real models trained here, and its own pipelines in the layout of its downloads."""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from gardenpath.errors import GardenpathError, InputError, SystemFailure, UsageError
from gardenpath.runs.work.where import Where
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.study import CONSISTENCY
from gardenpath.studies.engine.study import run
from gardenpath.systems import parse_with, system, train
from gardenpath.systems.training.training import Trained
from gardenpath.treebank import Treebank, read, score
from hostile import Hostile

if find_spec("stanza") is None:  # it takes seconds to import, and of two workers one needs it
    pytest.skip("needs the extra stanza", allow_module_level=True)


def transition_model(training: Treebank, path: Path) -> Trained:
    options = {"model_type": "transition", "tagger": "none", "parser.max_steps": "2", "parser.eval_interval": "2"}
    return train("stanza", training[:12], output=path, preset="tiny", seed=5, options=options)


@pytest.fixture(scope="module")
def tagless(training: Treebank, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A transition model without a tagger."""
    return transition_model(training, tmp_path_factory.mktemp("tagless") / "m")


def test_graph_model_with_its_own_tagger(stanza_model: Path, dev: Treebank) -> None:
    result = parse_with(f"stanza:{stanza_model}", dev)
    assert not result.failures
    assert result.treebank.column("form").strings() == dev.column("form").strings()
    assert result.treebank.column("upos").strings() != dev.column("upos").strings()
    gold = parse_with(f"stanza:{stanza_model}", dev, gold="tags,feats")
    assert not gold.failures
    assert gold.treebank.column("upos").strings() == dev.column("upos").strings()
    assert score(dev, gold.treebank).f1("LAS") > 20
    assert parse_with(f"stanza:{stanza_model}", dev, gold="tags", where=Where(cache=False)).failures == {}


def test_gold_lemmas_change_no_tree(stanza_model: Path, dev: Treebank) -> None:
    """The parser never saw a lemma in training."""
    without = parse_with(f"stanza:{stanza_model}", dev, gold="tags,feats").treebank
    with_lemmas = parse_with(f"stanza:{stanza_model}", dev, gold="lemmas,tags,feats").treebank
    assert with_lemmas.heads.tolist() == without.heads.tolist()
    assert with_lemmas.column("deprel").strings() == without.column("deprel").strings()
    assert with_lemmas.column("lemma").strings() == dev.column("lemma").strings()


def test_the_card_and_the_log(stanza_model: Path) -> None:
    card = json.loads((stanza_model / "model.json").read_text(encoding="utf-8"))
    assert card["options"]["model_type"] == "graph"
    assert card["options"]["learned_from_tags"] == "own"
    assert card["options"]["threads"] == 1
    assert card["log"]["tagger"][-1]["tags"] > 10
    assert card["log"]["parser"][-1]["step"] == 40
    # The parser's last line is its score on the tagger's own tags, as the finished model has it.
    assert card["dev_scores"]["LAS"] == card["log"]["parser"][-1]["LAS"]
    files = ["depparse.pt", "model.json", "model.seen", "pos.pt", "resources.json"]
    assert sorted(path.name for path in stanza_model.iterdir()) == files


def test_a_pipeline_from_text_is_trained_by_stanzas_own_trainers(stanza_pipeline: Path, dev: Treebank) -> None:
    """Scored as the CoNLL 2018 script does; German contracted prepositions (im, zum) are split into two words."""
    files = ["depparse.pt", "lemma.pt", "model.json", "model.seen", "mwt.pt", "pos.pt", "resources.json", "tokenize.pt"]
    assert sorted(path.name for path in stanza_pipeline.iterdir()) == files
    result = parse_with(f"stanza:{stanza_pipeline}", dev, mode="text")
    assert not result.failures
    scores = score(dev, result.treebank)
    assert scores.f1("Tokens") > 97
    assert scores.f1("Words") > 97
    assert scores.f1("Lemmas") > 75
    assert any(row[0] == "1-2" for sentence in result.treebank for row in sentence.rows) == any(
        row[0] == "1-2" for sentence in dev for row in sentence.rows
    )


def test_options_of_the_pipeline_fit_its_mode() -> None:
    from gardenpath.systems.training.training import options_for

    assert options_for("stanza", ["parser.max_steps=3"], "text") == (("parser.max_steps", "3"), ("pipeline", "text"))
    assert options_for("stanza", ["pipeline=tokens"], "text") == (("pipeline", "tokens"),)
    assert options_for("stanza", [], "tokens") == ()
    assert options_for("udpipe", [], "tokens") == (("tokenizer", "none"),)
    assert options_for("udpipe", [], "text") == ()
    assert options_for("udpipe", ["tokenizer.epochs=2"]) == (("tokenizer.epochs", "2"),)


def test_transition_model_that_needs_gold_tags(tagless: Trained, dev: Treebank) -> None:
    with pytest.raises(UsageError, match="--gold tags,feats"):
        parse_with(tagless.system, dev)
    assert not parse_with(tagless.system, dev[:8], gold="tags,feats").failures


def test_the_same_seed_gives_the_same_bytes(tagless: Trained, training: Treebank, tmp_path: Path) -> None:
    again = transition_model(training, tmp_path / "again")
    assert again.card["signature"] == tagless.card["signature"]


def test_a_parser_learns_from_the_tags_of_its_tagger(
    training: Treebank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lists of tags are those it saw: a tagger of one step knows few of them, gold has them all."""
    from gardenpath.systems.training import stanza_training

    run_child, started = stanza_training.run_child, list[str]()
    monkeypatch.setattr(
        stanza_training, "run_child", lambda *words, **more: started.append("") or run_child(*words, **more)
    )
    options = {"tagger.max_steps": "1", "tagger.eval_interval": "1", "parser.max_steps": "1"}
    own, gold = (
        train("stanza", training[:40], output=tmp_path / name, preset="tiny", options={**options, **more})
        for name, more in (("own", {}), ("gold", {"gold_tags": "1", "threads": "2"}))
    )
    assert len(started) == 2  # of each model tagger and parser in one process
    seen_own, seen_gold = (_parser_tags(trained.path) for trained in (own, gold))
    assert seen_gold == set(training[:40].column("upos").strings())
    assert seen_own < seen_gold
    assert seen_own == set(parse_with(own.system, training[:40]).treebank.column("upos").strings())
    assert own.card["options"]["learned_from_tags"] == "own"
    assert gold.card["options"]["learned_from_tags"] == "gold"
    assert gold.card["options"]["threads"] == 2


def _parser_tags(model: Path) -> set[str]:
    import torch

    vocabulary = torch.load(model / "depparse.pt", weights_only=True)["vocab"]["upos"]
    return {tag for tag in vocabulary["_unit2id"] if not tag.startswith("<")}


def test_trees_stay_when_the_training_data_is_tagged_again(stanza_model: Path, training: Treebank) -> None:
    from gardenpath.systems.asking.request import HEADS, LABELS, hidden
    from gardenpath.systems.parsers.stanza_parser import own_models, run_pipeline, words_alone

    given = words_alone(hidden(training, frozenset({"tags", "feats", HEADS, LABELS})))
    tagger = own_models(stanza_model).pipeline(["tokenize", "pos"], tokenize_pretokenized=True)
    tagged = Treebank(run_pipeline(tagger, given).encode("utf-8"))
    for column in ("form", "head", "deprel"):
        assert tagged.column(column).strings() == training.column(column).strings()
    assert tagged.column("upos").strings() != training.column("upos").strings()


def test_a_damaged_model_and_one_with_code_in_it_are_refused(stanza_model: Path, tmp_path: Path) -> None:
    import torch

    for name in ("cut", "code"):
        (tmp_path / name).mkdir()
        for file in stanza_model.iterdir():
            (tmp_path / name / file.name).write_bytes(file.read_bytes())
    cut = tmp_path / "cut" / "depparse.pt"
    cut.write_bytes(cut.read_bytes()[:3000])
    with pytest.raises(SystemFailure, match="cannot load this model"):
        system(f"stanza:{tmp_path / 'cut'}")
    mark = tmp_path / "was-run"
    torch.save({"model": Hostile(mark)}, tmp_path / "code" / "depparse.pt")
    with pytest.raises(GardenpathError, match="cannot load this model"):
        system(f"stanza:{tmp_path / 'code'}")
    assert not mark.exists()


def test_a_folder_that_is_no_model_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no depparse\.pt"):
        system(f"stanza:{tmp_path}")
    with pytest.raises(InputError, match="no such folder"):
        system(f"stanza:{tmp_path / 'nowhere'}")


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
    chosen = ConsistencySettings(change=("names",), per_sentence=2, input="text")
    result = run(CONSISTENCY, test, {"stanza": f"stanza:{stanza_resources}"}, chosen)
    assert "input:text" in result.signature
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
