"""Stanza: small real models of both types, trained here, loaded without network."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from gardenpath.errors import GardenpathError, InputError, SystemFailure, UsageError
from gardenpath.runs.where import Where
from gardenpath.systems import parse_with, system, train
from gardenpath.systems.training import Trained
from gardenpath.treebank import Treebank, score

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
    assert sorted(path.name for path in stanza_model.iterdir()) == [
        "depparse.pt",
        "model.json",
        "pos.pt",
        "resources.json",
    ]


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
    from gardenpath.systems import stanza_training

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
    from gardenpath.systems.request import HEADS, hidden
    from gardenpath.systems.stanza_models import own_models
    from gardenpath.systems.stanza_parser import run_pipeline, words_alone

    given = words_alone(hidden(training, frozenset({"tags", "feats", HEADS})))
    tagger = own_models(stanza_model).pipeline(["tokenize", "pos"], tokenize_pretokenized=True)
    tagged = Treebank(run_pipeline(tagger, given).encode("utf-8"))
    for column in ("form", "head", "deprel"):
        assert tagged.column(column).strings() == training.column(column).strings()
    assert tagged.column("upos").strings() != training.column("upos").strings()


def test_ranges_and_empty_nodes_stay(stanza_model: Path, treebank_files: list[Path]) -> None:
    parser = system(f"stanza:{stanza_model}")
    for file in [*treebank_files[:7], *treebank_files[7::6]]:
        data = file.read_bytes()[:60_000]
        bank = Treebank(data[: data.rindex(b"\n\n") + 2])[:5]
        result = parse_with(parser, bank, gold="tags,feats", any_language=True, where=Where(cache=False))
        assert not result.failures, file.name
        before, after = ([row[:2] for s in one for row in s.rows] for one in (bank, result.treebank))
        assert before == after, file.name


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
    torch.save({"model": _Attack(mark)}, tmp_path / "code" / "depparse.pt")
    with pytest.raises(GardenpathError, match="cannot load this model"):
        system(f"stanza:{tmp_path / 'code'}")
    assert not mark.exists()


class _Attack:
    """What a hostile model would do when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)


def test_a_folder_that_is_no_model_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no depparse\.pt"):
        system(f"stanza:{tmp_path}")
    with pytest.raises(InputError, match="no such folder"):
        system(f"stanza:{tmp_path / 'nowhere'}")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"model_type": "grap"}, "did you mean graph"),
        ({"parser.hidden": "3"}, "did you mean hidden_dim"),
        ({"hidden_dim": "3"}, "did you mean"),
        ({"parser.lr": "--bert_model"}, "not a number"),
        ({"threads": "0"}, "not a number of threads"),
        ({"gold_tags": "maybe"}, "neither 0 nor 1"),
        ({"tagger": "no"}, "did you mean"),
    ],
)
def test_options_are_checked(options: dict[str, str], told: str) -> None:
    from gardenpath.systems.stanza_training import settings_of

    with pytest.raises(UsageError, match=told):
        settings_of("tiny", options)
