"""A system that was trained on the test is named, with how much of the test it knows. Oracle: sets of sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.cli.main import main
from gardenpath.errors import InputError
from gardenpath.phrase import PhraseTree
from gardenpath.phrase.formats.source import write
from gardenpath.runs.result.result import Result
from gardenpath.systems.files.models import model_folder, seen_path, sentence_digest, training_digests
from gardenpath.systems.training.training import train
from gardenpath_generate.constructions.treebank import GeneratedTreebank, generate

GENERATED = generate(90, seed=4)
TREES = GENERATED.trees("tiger")
KNOWN, NEW = TREES[:60], TREES[60:]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PCFG that was trained on the first 60 of 90 trees."""
    folder = tmp_path_factory.mktemp("contamination")
    write(KNOWN, folder / "known.export", "export")
    write(NEW, folder / "new.export", "export")
    write(TREES, folder / "all.export", "export")
    train("pcfg", folder / "known.export", output=folder / "pcfg.npz", options={"scheme": "tiger"})
    return folder


def seen(result: Result) -> tuple[float, int] | None:
    """The share of test sentences in training, and the number of test sentences."""
    found = [finding for finding in result.findings if finding.measure == "in_training"]
    return (float(found[0].value or 0), found[0].n or 0) if found else None


def share(test: list[PhraseTree], known: list[PhraseTree]) -> tuple[float, int]:
    asked, trained = ({tree.words for tree in trees} for trees in (test, known))
    return pytest.approx(100 * len(asked & trained) / len(asked)), len(asked)


def test_brackets_and_constructions_say_how_much_of_the_test_was_in_training(place: Path) -> None:
    parser = f"pcfg:{place / 'pcfg.npz'}"
    result = gp.evaluate(place / "all.export", parser, scheme="tiger")
    assert seen(result) == share(TREES, KNOWN)
    assert "trained on 60 of 90 test sentences (66.7 %)" in result.verdicts[0].text
    assert next(table for table in result.tables if table.name == "in_training").rows[0][1:] == [
        pytest.approx(200 / 3), 90,
    ]  # fmt: skip
    suite = next(suite for suite in GENERATED.suites if suite.scheme == "tiger")
    assert seen(gp.constructions(suite, parser)) == share([item.tree for item in suite.items], KNOWN)


def test_less_than_one_percent_is_in_the_table_only(tmp_path: Path) -> None:
    trees = generate(150, seed=9).trees("tiger")
    write(trees[:1], tmp_path / "one.export", "export")
    write(trees, tmp_path / "all.export", "export")
    train("pcfg", tmp_path / "one.export", output=tmp_path / "one.npz", options={"scheme": "tiger"})
    result = gp.evaluate(tmp_path / "all.export", f"pcfg:{tmp_path / 'one.npz'}", scheme="tiger")
    assert seen(result) == (pytest.approx(100 / 150), 150)
    assert not any("trained on" in verdict.text for verdict in result.verdicts)


def test_nothing_is_said_of_other_sentences(place: Path) -> None:
    assert seen(gp.evaluate(place / "new.export", f"pcfg:{place / 'pcfg.npz'}", scheme="tiger")) is None


def test_a_kept_answer_tells_it_too(place: Path) -> None:
    """The second run gets all parses from the cache."""
    parser = f"pcfg:{place / 'pcfg.npz'}"
    assert seen(gp.evaluate(place / "all.export", parser, scheme="tiger")) == share(TREES, KNOWN)


def test_dependency_parsers_and_language_models(tmp_path: Path, samples: Path) -> None:
    lines = samples / "de_garden-dev.conllu"
    quick = {"tagger.iterations": "1", "parser.iterations": "1", "tokenizer.epochs": "1"}
    train("udpipe", lines, output=tmp_path / "de.udpipe", preset="tiny", options=quick)
    result = gp.evaluate(lines, f"udpipe:{tmp_path / 'de.udpipe'}")
    assert seen(result) == (100.0, len({tuple(word.form for word in sentence) for sentence in gp.read(lines)}))
    suite = {
        "meta": {"name": "s", "metric": "sum"}, "region_meta": {"1": "a", "2": "b"},
        "items": [{"item_number": 1, "conditions": [
            {"condition_name": name, "regions": [{"region_number": 1, "content": "the dog"},
             {"region_number": 2, "content": verb}]} for name, verb in (("good", "barks"), ("bad", "bark"))]}],
        "predictions": [{"type": "formula", "formula": "(2;%good%) < (2;%bad%)"}],
    }  # fmt: skip
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    (tmp_path / "text.txt").write_text("the dog barks\nthe cat sleeps\n" * 3)
    train("ngram", tmp_path / "text.txt", output=tmp_path / "lm.npz", options={"order": "2"})
    assert seen(gp.surprisal(tmp_path / "suite.json", f"ngram:{tmp_path / 'lm.npz'}")) == (50.0, 2)


def test_the_file_has_eight_bytes_for_each_sentence(place: Path) -> None:
    file = seen_path(place / "pcfg.npz")
    assert file.name == "pcfg.npz.seen"
    assert file.stat().st_size == 8 * len({tree.words for tree in KNOWN})
    assert set(training_digests(f"pcfg:{place / 'pcfg.npz'}").tolist()) == {sentence_digest(t.words) for t in KNOWN}
    for other in ("baseline:right-branching", "object", f"command:parser {'x' * 5000}", "pcfg:~nobody/m.npz"):
        assert len(training_digests(other)) == 0


def test_the_file_of_a_folder_does_not_change_its_model(tmp_path: Path) -> None:
    (tmp_path / "weights.pt").write_bytes(b"1")
    before = model_folder(tmp_path, ("weights.pt",), "model")
    seen_path(tmp_path).write_bytes(bytes(8))
    assert model_folder(tmp_path, ("weights.pt",), "model") == before


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "m.npz.seen").write_bytes(b"123")
    with pytest.raises(InputError, match="damaged"):
        training_digests(f"pcfg:{tmp_path / 'm.npz'}")


@pytest.mark.parametrize("test", ["all.export", "suite"])
def test_overlap_of_phrase_trees(
    place: Path, test: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    from gardenpath.suites.constructions.storage import write_constructions

    made: GeneratedTreebank = GENERATED
    suite = next(suite for suite in made.suites if suite.scheme == "tiger")
    write_constructions(suite, tmp_path / "suite")
    target = place / test if test != "suite" else tmp_path / "suite"
    asked = TREES if test != "suite" else suite.trees
    with pytest.raises(SystemExit):
        main(["treebank", "overlap", str(place / "known.export"), str(target), "--set", "near=0", "-f", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    exact = next(finding["value"] for finding in found if finding["measure"] == "exact")
    assert exact == sum(tree.words in {known.words for known in KNOWN} for tree in asked)
