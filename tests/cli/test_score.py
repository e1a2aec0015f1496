"""`gardenpath score`: surprisals in the layout of LM Zoo, perplexity on stderr or as a result, exit 2 with places."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from gardenpath.cli import main as program
from gardenpath.systems.language_models.scoring import surprisals_with
from gardenpath.systems.training.training import train
from scored_text import read_sentences


@pytest.fixture(autouse=True)
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def model(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "de.npz"
    train("ngram", samples / "de_garden-train.conllu", output=path)
    return path


def run(command: str, *arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        program.main([command, *map(str, arguments)])
    return int(ended.value.code or 0)


def test_a_treebank_to_a_file(model: Path, samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = samples / "de_garden-dev.conllu", tmp_path / "new" / "out.tsv"
    assert run("score", f"ngram:{model}", source, "-o", target, "--jobs", 2) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "85 sentences, 868 tokens, 66 unknown (OOV); surprisal in bits" in told.err
    # what KenLM 0.3.0 finds on the same text
    assert "perplexity 109.3458 over tokens and ends of sentences\n" in told.err
    assert "perplexity 82.7077 over tokens and ends of sentences, without OOV\n" in told.err
    header, *lines = target.read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == ["sentence_id", "token_id", "token", "surprisal"]
    sentences = read_sentences(source)
    rows = [line.split("\t") for line in lines]
    assert [row[2] for row in rows] == [token for sentence in sentences for token in sentence]
    assert rows[len(sentences[0])][:2] == ["2", "1"]
    values = [value for one in surprisals_with(f"ngram:{model}", sentences) for value in one]
    assert [float(row[3]) for row in rows] == values


def test_text_from_standard_input_to_standard_output(
    model: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("der Garten blüht .\n\nZyx\n".encode())))
    assert run("score", f"ngram:{model}", "-", "--set", "work.cache=no") == 0
    told = capfdbinary.readouterr()
    places = [line.split(b"\t")[:3] for line in told.out.splitlines()]
    assert [(number, token.decode()) for _, number, token in places[1:5]] == [
        (b"1", "der"), (b"2", "Garten"), (b"3", "blüht"), (b"4", "."),
    ]  # fmt: skip
    assert places[5:] == [[b"2", b"1", b"Zyx"]]
    assert b"2 unknown (OOV)" in told.err


def test_a_long_input_is_scored_in_stretches(
    model: Path, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = samples / "de_garden-dev.conllu"
    assert run("score", f"ngram:{model}", source, "-o", tmp_path / "whole.tsv") == 0
    monkeypatch.setattr("gardenpath.cli.score._SIZE", 2000)
    assert run("score", f"ngram:{model}", source, "-o", tmp_path / "pieces.tsv") == 0
    assert (tmp_path / "pieces.tsv").read_bytes() == (tmp_path / "whole.tsv").read_bytes()


def test_the_summary_is_a_result(model: Path, samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = samples / "de_garden-dev.conllu"
    assert run("score", f"ngram:{model}", source, "--summary", "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    found = {one["over"]: one["value"] for one in result["findings"] if one["measure"] == "perplexity"}
    assert found["tokens and ends of sentences"] == pytest.approx(109.3458, abs=1e-4)
    assert found["tokens"] > found["tokens, without OOV"] > found["tokens and ends of sentences, without OOV"]
    assert {one["over"]: one["n"] for one in result["findings"] if one["measure"] == "perplexity"} == {
        "tokens and ends of sentences": 868 + 85, "tokens and ends of sentences, without OOV": 868 + 85 - 66,
        "tokens": 868, "tokens, without OOV": 868 - 66,
    }  # fmt: skip
    counts = {one["measure"]: one["value"] for one in result["findings"] if "over" not in one}
    assert counts == {"sentences": 85, "tokens": 868, "oov": 66}
    assert result["signature"].startswith("command:score|kind:ngram|model:")
    assert run("score", f"ngram:{model}", source, "--summary") == 0
    assert "868 tokens, 66 of them unknown" in capsys.readouterr().out


def test_a_sentence_on_which_the_model_fails_has_nan_and_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of surprisals with a sentence that was not scored: what `score` writes, it reads."""
    (tmp_path / "t.txt").write_text("a b\nc\n", encoding="utf-8")
    (tmp_path / "s.txt").write_text("a\t1\nb\t3\n\nc\tnan\n", encoding="utf-8")
    target = tmp_path / "out.tsv"
    assert run("score", f"surprisals:{tmp_path / 's.txt'}", tmp_path / "t.txt", "-o", target) == 0
    messages = capsys.readouterr().err
    assert [line.split("\t")[2:] for line in target.read_text(encoding="utf-8").splitlines()[1:]] == [
        ["a", "1.0"], ["b", "3.0"], ["c", "nan"],
    ]  # fmt: skip
    assert "1 sentence without surprisal (crashed): nan, and left out of the perplexity\n" in messages
    assert "the surprisal of token 1, 'c', is nan" in messages
    assert "1 sentence, 2 tokens, 0 unknown (OOV)" in messages
    assert "perplexity 4.0000 over tokens\n" in messages
    again = tmp_path / "again.tsv"
    assert run("score", f"surprisals:{target}", tmp_path / "t.txt", "-o", again, "--quiet") == 0
    assert capsys.readouterr().err == ""
    assert again.read_bytes() == target.read_bytes()
    assert run("score", f"surprisals:{target}", tmp_path / "t.txt", "--summary", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["failures"] == {"crashed": 1}


def test_train_then_score(samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.txt").write_text("der Hund bellt\nder Hund schläft\n", encoding="utf-8")
    model = tmp_path / "models" / "m.arpa"
    arguments = ("--dev", tmp_path / "t.txt", "-o", model, "--set", "order=2", "--set", "vocabulary=3")
    assert run("train", "ngram", tmp_path / "t.txt", *arguments) == 0
    told = capsys.readouterr().err
    assert "6 tokens, 2 sentences, 3 different words" in told
    assert "warning: the text is too small" in told
    assert "perplexity without OOV" in told.splitlines()[-1]
    assert model.read_text(encoding="utf-8").startswith("\\data\\\nngram 1=6\n")
    assert sorted(path.name for path in model.parent.iterdir()) == ["m.arpa", "m.arpa.json", "m.arpa.seen"]
    assert run("score", f"ngram:{model}", tmp_path / "t.txt") == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("baseline:right-branching", "TEXT"), "this is a parser"),
        (("ngram:TEXT", "TEXT"), "not an n-gram model"),
        (("ngram:nowhere.npz", "TEXT"), "No such file"),
        (("ngram", "TEXT"), "write ngram:FILE"),
        (("ngrm:x", "TEXT"), "did you mean ngram"),
        (("ngram:MODEL", "nowhere.txt"), "no such file"),
        (("ngram:MODEL", "EDGES"), "edges.txt:2: the text has </s> as a word"),
    ],
)
def test_a_wrong_call_exits_2_and_writes_nothing(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    (tmp_path / "text.txt").write_text("a b\n", encoding="utf-8")
    (tmp_path / "edges.txt").write_text("a b\nc </s>\n", encoding="utf-8")
    places = {"MODEL": model, "TEXT": tmp_path / "text.txt", "EDGES": tmp_path / "edges.txt"}
    given = list(arguments)
    for word, path in places.items():
        given = [one.replace(word, str(path)) for one in given]
    assert run("score", *given, "-o", tmp_path / "out.tsv") == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out.tsv").exists()
    assert run("score", *given) == 2
    assert capsys.readouterr().out == ""


def test_seeds_are_one_model_whose_perplexity_is_a_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    text = tmp_path / "text.txt"
    text.write_text("the dog barks\na cat sleeps\nthe cat barks\n" * 9, encoding="utf-8")
    train("lstm", text, output=tmp_path / "m", preset="tiny", seeds=2, options={"epochs": "1"})

    def perplexity(name: str) -> dict[str, float]:
        assert run("score", name, text, "--summary", "--format", "json", "--quiet") == 0
        findings = json.loads(capsys.readouterr().out)["findings"]
        return {one["over"]: one["value"] for one in findings if one["measure"] == "perplexity"}

    own = [perplexity(f"lstm:{tmp_path}/m/seed-{seed}") for seed in (0, 1)]
    both = perplexity(f"lstm:{tmp_path}/m")
    assert both == {over: pytest.approx((own[0][over] + own[1][over]) / 2) for over in own[0]}
    assert own[0] != own[1]
    assert run("score", f"lstm:{tmp_path}/m", text) == 2
    assert "2 models, one for each seed\n  add --summary" in capsys.readouterr().err
