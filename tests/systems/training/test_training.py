"""Training: the same seed gives the same bytes, cards say how, nothing half-made is left, on a cluster too."""

from __future__ import annotations

import doctest
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import train_tasks

from gardenpath.errors import SystemFailure, UsageError
from gardenpath.runs.work.cluster import connect
from gardenpath.runs.work.where import HERE, Workplace
from gardenpath.systems import parse_with, read_card, system, train
from gardenpath.systems.files.models import card_path, model_place
from gardenpath.systems.training import training as training_module
from gardenpath.systems.training.spacy_training import SpacyTrainer
from gardenpath.systems.training.stanza_training import StanzaTrainer
from gardenpath.systems.training.udpipe_training import Log, UDPipeTrainer
from gardenpath.treebank import Treebank

QUICK = {"tagger": "none", "tokenizer": "none", "parser.iterations": "1"}


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(training: Treebank, tmp_path: Path) -> None:
    models = []
    for number, seed in enumerate((3, 3, 4)):
        path = tmp_path / f"{number}.udpipe"
        train("udpipe", training[:40], output=path, preset="tiny", seed=seed, options=QUICK)
        models.append(path.read_bytes())
    assert models[0] == models[1] != models[2]


@pytest.mark.parametrize("transition", ["projective", "swap", "link2"])
def test_each_transition_system_trains_and_parses(
    training: Treebank, dev: Treebank, tmp_path: Path, transition: str
) -> None:
    options = {**QUICK, "transition": transition}
    trained = train("udpipe", training[:40], output=tmp_path / "m.udpipe", preset="tiny", options=options)
    assert trained.card["options"]["parser"]["transition_system"] == transition
    assert not parse_with(trained.system, dev, gold="tags,feats").failures


def test_the_card_says_how_the_model_was_made(udpipe_model: Path, training: Treebank, dev: Treebank) -> None:
    card = read_card(udpipe_model)
    assert json.loads(udpipe_model.with_name("tiny.udpipe.json").read_text(encoding="utf-8")) == card
    assert card["train"]["sha256"] == hashlib.sha256(training.to_bytes()).hexdigest()
    assert card["train"]["sentences"] == len(training)
    assert card["dev"]["words"] == dev.word_count
    assert card["signature"] == system(f"udpipe:{udpipe_model}").signature
    assert card["preset"] == "tiny"
    assert card["seed"] == 0
    assert 40 < card["dev_scores"]["LAS"] <= card["dev_scores"]["UAS"] <= 100
    assert len(card["log"]["parser"]) == 3
    assert card["environment"]["versions"]["ufal.udpipe"]
    assert card["seconds"] > 0


@pytest.mark.parametrize("moment", range(3))
def test_killed_at_any_moment_no_model_has_the_card_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    class Killed(BaseException):
        """Nothing after it is done."""

    target, changes = tmp_path / "m.npz", iter(range(9))
    target.write_text("old")
    card_path(target).write_text("old")

    def deadly(name: str) -> None:
        real = getattr(Path, name)

        def call(path: Path, *arguments: Path, **options: bool) -> object:
            if path.name.startswith("m.npz") and next(changes) == moment:
                raise Killed
            return real(path, *arguments, **options)

        monkeypatch.setattr(Path, name, call)

    def replaced() -> None:
        with model_place(target, folder=False) as place:
            place.write_text("new")
            card_path(place).write_text("new")
            deadly("unlink")
            deadly("replace")

    with pytest.raises(Killed):
        replaced()
    monkeypatch.undo()
    assert target.read_text() == ("new" if moment == 2 else "old")
    assert not card_path(target).exists() or card_path(target).read_text() == target.read_text()


def test_the_example_of_the_docstring_holds() -> None:
    assert doctest.testmod(training_module) == (0, 4)


def test_files_and_a_treebank_of_them_give_the_same_model(training: Treebank, dev: Treebank, tmp_path: Path) -> None:
    files = [tmp_path / "train.conllu", tmp_path / "dev.conllu"]
    for bank, file in zip((training[:40], dev), files, strict=True):
        bank.write(file)
    given = train("udpipe", training[:40], dev, output=tmp_path / "a", preset="tiny", options=QUICK)
    named = train("udpipe", *files, output=tmp_path / "b", preset="tiny", options=QUICK)
    assert given.path.read_bytes() == named.path.read_bytes()
    assert named.card["train"]["name"] == str(files[0])
    for key in ("request", "profile", "dev_scores"):
        assert given.card[key] == named.card[key]


def test_several_seeds_and_a_folder_as_target_are_refused(training: Treebank, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="udpipe models are trained one at a time"):
        train("udpipe", training, output=tmp_path / "m", seeds=2)
    with pytest.raises(UsageError, match="folder"):
        train("udpipe", training, output=tmp_path, preset="tiny")


def test_progress_tells_the_scores_on_dev(training: Treebank, dev: Treebank, tmp_path: Path) -> None:
    told: list[str] = []
    options = {"tokenizer": "none", "parser.iterations": "2", "tagger.iterations": "1"}
    train("udpipe", training[:40], dev, output=tmp_path / "m", preset="tiny", options=options, progress=told.append)
    begin, *steps = told
    assert begin == f"training udpipe on 40 sentences, {training[:40].word_count} words"
    assert [line.split(":")[0] for line in steps] == ["tagger iteration 1", "parser iteration 1", "parser iteration 2"]
    assert all("on dev" in line for line in steps)


def test_tokenizer_lines_are_understood() -> None:
    told: list[str] = []
    log = Log(told.append)
    log.read(
        "Epoch 2, logprob: -3.2249e+03, training acc: 99.71%, heldout tokens: 99.00%P/98.00%R/98.50%, "
        "sentences: 90.00%P/91.00%R/90.50%"
    )
    assert told == ["tokenizer epoch 2: tokens 98.50, sentences 90.50 on dev"]


@pytest.mark.parametrize(
    ("trainer", "options", "told"),
    [
        (UDPipeTrainer, {"parser.hidden_layers": "5"}, "did you mean hidden_layer"),
        (UDPipeTrainer, {"tager": "none"}, "unknown option"),
        (UDPipeTrainer, {"parser.l2": "1;run=5"}, "cannot be"),
        (UDPipeTrainer, {"transition": "swapp"}, "did you mean swap"),
        (UDPipeTrainer, {"transition": "swap", "parser.transition_oracle": "dynamic"}, "does not fit"),
        (UDPipeTrainer, {"parser": "none"}, "nothing to test"),
        (StanzaTrainer, {"model_type": "grap"}, "did you mean graph"),
        (StanzaTrainer, {"parser.hidden": "3"}, "did you mean hidden_dim"),
        (StanzaTrainer, {"hidden_dim": "3"}, "did you mean"),
        (StanzaTrainer, {"parser.lr": "--bert_model"}, "not a number"),
        (StanzaTrainer, {"threads": "0"}, "not a number of threads"),
        (StanzaTrainer, {"gold_tags": "maybe"}, "neither 0 nor 1"),
        (StanzaTrainer, {"tagger": "no"}, "did you mean"),
        (SpacyTrainer, {"widht": "3"}, "did you mean width"),
        (SpacyTrainer, {"width": "x"}, "not a number"),
        (SpacyTrainer, {"language": "../x"}, "not a language"),
    ],
)
def test_an_option_that_the_tool_would_ignore_is_refused(trainer: Any, options: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        trainer("kind").settings("tiny", options)


def test_oracles_fit_their_systems_and_options_their_parts() -> None:
    parts = UDPipeTrainer("udpipe").settings(
        "tiny", {"transition": "swap", "gold_tags": "yes", "tagger.iterations_2": "3"}
    )
    assert parts["parser"] is not None
    assert parts["parser"]["transition_oracle"] == "static_lazy"
    assert parts["parser"]["use_gold_tags"] == "1"
    assert parts["tagger"] is not None
    assert parts["tagger"]["iterations_2"] == "3"


def test_a_failed_training_leaves_nothing_and_keeps_the_old_model(training: Treebank, tmp_path: Path) -> None:
    target = tmp_path / "m.udpipe"
    target.write_bytes(b"old")
    with pytest.raises(SystemFailure, match="UDPipe failed"):
        train("udpipe", training[:10], output=target, preset="tiny", options={**QUICK, "parser.batch_size": "x"})
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == ["m.udpipe"]


@pytest.mark.parametrize(
    ("kind", "told"), [("udpip", "did you mean udpipe"), ("conllu", "cannot be trained"), ("baseline", "trainable")]
)
def test_what_cannot_be_trained_is_said(kind: str, told: str, training: Treebank, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=told):
        train(kind, training, output=tmp_path / "m")


def test_data_that_are_no_trees_are_refused_with_their_place(tmp_path: Path) -> None:
    bank = Treebank(
        b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n# sent_id = x\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", name="part.conllu"
    )
    with pytest.raises(UsageError, match=r"part\.conllu:3: .*the first is x"):
        train("udpipe", bank, output=tmp_path / "m")


def test_a_model_that_learnt_nothing_is_not_called_ready(
    training: Treebank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A chain of words gets no subject and no object right; the model itself gets some."""
    from gardenpath.cli.main import main

    real, file = UDPipeTrainer.shortfall, tmp_path / "train.conllu"
    training[:40].write(file)
    call = ["train", "udpipe", str(file), "--preset", "tiny", "-o"]
    call_options = [word for name, value in QUICK.items() for word in ("--set", f"{name}={value}")]
    with pytest.raises(SystemExit):
        main([*call, str(tmp_path / "a.udpipe"), *call_options])
    assert "a.udpipe is ready after" in capsys.readouterr().err
    assert "shortfall" not in read_card(tmp_path / "a.udpipe")
    chain = system("baseline:right-branching")
    monkeypatch.setattr(UDPipeTrainer, "shortfall", lambda self, model, plan: real(self, chain, plan))
    with pytest.raises(SystemExit):
        main([*call, str(tmp_path / "b.udpipe"), *call_options])
    messages = capsys.readouterr().err
    arguments = sum(
        word.udeprel in ("nsubj", "csubj", "obj", "iobj") for sentence in training[:40] for word in sentence.words
    )
    assert f"of {arguments} subjects and objects it was trained on none is right" in messages
    assert "ready" not in messages
    assert "learnt nothing" in read_card(tmp_path / "b.udpipe")["shortfall"]


def test_scores_without_a_dev_set_are_not_called_dev(training: Treebank, dev: Treebank) -> None:
    from gardenpath.systems.training import spacy_training, stanza_training
    from gardenpath.systems.training.training import DependencyTrees, Plan, judged_by

    messages: list[str] = []
    plan = Plan("spacy", DependencyTrees(training[:30]), None, Path("m"), "tiny", 0, {}, None, messages.append)
    judge, name = judged_by(plan)
    assert (len(judge), name) == (30, "the first 30 training sentences")
    log = spacy_training.Log(messages.append, name)
    log.read("E    #       LOSS TOK2VEC  DEP_UAS  DEP_LAS")
    log.read("0    60      3.00          50.00    40.00")
    stanza_training.Log(messages.append, name).read("step 5: train_loss = 1.0, dev_score = 0.5")
    assert [line.rpartition(" on ")[2] for line in messages] == [name, name]
    with_dev = Plan("spacy", DependencyTrees(training), DependencyTrees(dev), Path("m"), "tiny", 0, {}, None, print)
    assert judged_by(with_dev)[1] == "dev"


def test_all_results_are_there_once_and_equal_to_those_of_one_process(
    training: Treebank, dev: Treebank, tmp_path: Path
) -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster")
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    for folder in (alone, spread):
        folder.mkdir()

    def tasks(folder: Path) -> list[tuple[str, int, bytes, bytes]]:
        return [(str(folder), seed, training[:40].to_bytes(), dev.to_bytes()) for seed in range(6)]

    expected = HERE.map(train_tasks.train_and_score, tasks(alone))
    (spread / "kill-3").touch()
    with connect("local:2") as cluster:
        found = Workplace(HERE, cluster).map(train_tasks.train_and_score, tasks(spread))
    assert found == expected
    assert len({result["model"] for result in found}) == 6
    assert not (spread / "kill-3").exists()
    assert sorted((spread / "done").read_text().split()) == list("012345")
